//! Follows the checklist that a session and its subagents keep with the program's own task tools. They share one list.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use mind::session::{Task, TaskStatus};
use serde_json::Value;

use super::wire::text_of;
use crate::limits::{TASK_FILE_BYTES_MAX, TASK_FILES_MAX};
use host::untrusted_files;

/// A tool that keeps the checklist.
pub(super) fn watches(tool: &str) -> bool {
    matches!(tool, "TaskCreate" | "TaskUpdate" | "TaskGet" | "TaskList")
}

/// The checklist, and the calls that will change it.
#[derive(Debug, Default)]
pub(super) struct TaskList {
    tasks: BTreeMap<u64, Task>,
    calls: BTreeMap<String, (String, Value)>,
}

impl TaskList {
    /// The list as the program keeps it in `folder`, one file per task. What cannot be read is not on it.
    pub(super) fn load(folder: &Path) -> TaskList {
        let files = fs::read_dir(folder).into_iter().flatten().flatten().take(TASK_FILES_MAX);
        let mut list = TaskList::default();
        for file in files {
            let read = untrusted_files::read(&file.path(), TASK_FILE_BYTES_MAX).ok();
            let Some(kept) = read.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok()) else {
                continue;
            };
            let (id, subject) = (kept["id"].as_str(), kept["subject"].as_str());
            if let (Some(id), Some(subject)) = (id.and_then(number), subject) {
                let status = kept["status"].as_str().and_then(status).unwrap_or(TaskStatus::Pending);
                list.put(id, subject, status);
            }
        }
        list
    }

    /// A call begins.
    pub(super) fn called(&mut self, call: &str, tool: &str, input: &Value) {
        if matches!(tool, "TaskCreate" | "TaskUpdate") {
            self.calls.insert(call.to_owned(), (tool.to_owned(), input.clone()));
        }
    }

    /// A call came back; `result` is its structured form, which subagents' results do not have. Returns whether
    /// the list changed.
    pub(super) fn came_back(
        &mut self,
        call: &str,
        failed: bool,
        content: &Value,
        result: Option<&Value>,
    ) -> bool {
        let Some((tool, input)) = self.calls.remove(call) else { return false };
        if failed {
            return false;
        }
        let said = text_of(content);
        match tool.as_str() {
            "TaskCreate" => {
                let id = result.and_then(|result| result["task"]["id"].as_str()).or_else(|| created(&said));
                let (Some(id), Some(subject)) = (id.and_then(number), input["subject"].as_str()) else {
                    return false;
                };
                self.put(id, subject, TaskStatus::Pending);
                true
            }
            _ => {
                let refused = result.is_some_and(|result| result["success"] == Value::Bool(false));
                if refused || said.contains("not found") {
                    return false;
                }
                input["taskId"].as_str().and_then(number).is_some_and(|id| self.update(id, &input))
            }
        }
    }

    fn update(&mut self, id: u64, input: &Value) -> bool {
        if input["status"].as_str() == Some("deleted") {
            return self.tasks.remove(&id).is_some();
        }
        let before = self.tasks.get(&id).cloned();
        let title = input["subject"].as_str().map(str::to_owned);
        let title = title.or_else(|| before.as_ref().map(|task| task.title.to_string()));
        let status = input["status"].as_str().and_then(status);
        let status = status.or_else(|| before.as_ref().map(|task| task.status));
        self.put(id, &title.unwrap_or_else(|| format!("task {id}")), status.unwrap_or(TaskStatus::Pending));
        self.tasks.get(&id) != before.as_ref()
    }

    fn put(&mut self, id: u64, subject: &str, status: TaskStatus) {
        let task = Task { id: Arc::from(id.to_string()), title: Arc::from(subject), status };
        self.tasks.insert(id, task);
    }

    /// The list as it stands now.
    pub(super) fn list(&self) -> Vec<Task> {
        self.tasks.values().cloned().collect()
    }
}

fn number(id: &str) -> Option<u64> {
    id.parse().ok()
}

fn status(word: &str) -> Option<TaskStatus> {
    match word {
        "pending" => Some(TaskStatus::Pending),
        "in_progress" => Some(TaskStatus::InProgress),
        "completed" => Some(TaskStatus::Done),
        _ => None,
    }
}

/// The id in `Task #4 created successfully: ...`.
fn created(said: &str) -> Option<&str> {
    said.strip_prefix("Task #")?.split_once(' ').map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(list: &TaskList) -> Vec<String> {
        list.list()
            .iter()
            .map(|task| format!("{} [{}] {}", task.id, task.status.mark(), task.title))
            .collect()
    }

    #[test]
    fn the_list_follows_the_calls_of_a_session_and_its_subagents() {
        let mut list = TaskList::default();
        let mut call = |tool: &str, input: Value, said: &str, result: Option<Value>| {
            list.called("c", tool, &input);
            list.came_back("c", false, &json!(said), result.as_ref())
        };
        let made = |id: &str| Some(json!({"task": {"id": id, "subject": "x"}}));
        assert!(call(
            "TaskCreate",
            json!({"subject": "Find it"}),
            "Task #1 created successfully: Find it",
            made("1")
        ));
        assert!(call(
            "TaskCreate",
            json!({"subject": "Mend it"}),
            "Task #2 created successfully: Mend it",
            None
        ));
        assert!(call(
            "TaskUpdate",
            json!({"taskId": "1", "status": "in_progress"}),
            "Updated task #1 status",
            None
        ));
        assert!(!call(
            "TaskUpdate",
            json!({"taskId": "1", "status": "in_progress"}),
            "Updated task #1 status",
            None
        ));
        assert!(!call("TaskUpdate", json!({"taskId": "9", "status": "completed"}), "Task not found", None));
        let refused = Some(json!({"success": false, "taskId": "2"}));
        assert!(!call("TaskUpdate", json!({"taskId": "2", "status": "completed"}), "No.", refused));
        assert!(call(
            "TaskUpdate",
            json!({"taskId": "2", "subject": "Mend all"}),
            "Updated task #2 subject",
            None
        ));
        assert!(call(
            "TaskUpdate",
            json!({"taskId": "1", "status": "completed"}),
            "Updated task #1 status",
            None
        ));
        assert!(!call("TaskList", json!({}), "#1 [completed] Find it", None));
        assert_eq!(shown(&list), ["1 [x] Find it", "2 [ ] Mend all"]);
        list.called("c", "TaskUpdate", &json!({"taskId": "2", "status": "deleted"}));
        assert!(list.came_back("c", false, &json!("Updated task #2 deleted"), None));
        assert_eq!(shown(&list), ["1 [x] Find it"]);
    }

    #[test]
    fn a_list_is_taken_up_from_the_programs_own_files() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("1.json", r#"{"id":"1","subject":"Find it","status":"completed","blocks":[]}"#);
        write("2.json", r#"{"id":"2","subject":"Mend it","status":"in_progress"}"#);
        write(".lock", "");
        write("3.json", "torn");
        // The folder is the agent's: a pipe does not hold us up, a link leads nowhere, a flood is not taken in.
        let pipe = folder.path().join("4.json");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let long = "x".repeat(TASK_FILE_BYTES_MAX);
        write("6.json", &format!(r#"{{"id":"6","subject":"{long}","status":"pending"}}"#));
        let elsewhere = tempfile::tempdir().unwrap();
        let led = r#"{"id":"5","subject":"Led","status":"pending"}"#;
        fs::write(elsewhere.path().join("5"), led).unwrap();
        std::os::unix::fs::symlink(elsewhere.path().join("5"), folder.path().join("5.json")).unwrap();
        assert_eq!(shown(&TaskList::load(folder.path())), ["1 [x] Find it", "2 [~] Mend it"]);
        assert!(TaskList::load(&folder.path().join("none")).list().is_empty());
    }
}
