//! The conversation of a session as Claude Code keeps it on the disk, asked one thing: does it hold this message? A process
//! that takes up the conversation is then told to go on, and not given the message a second time.
//!
//! The file is written by the agent's own process. It is believed only about that session: a lie costs it its message.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::wire::text_of;
use crate::limits::{TRANSCRIPT_BYTES_MAX, TRANSCRIPT_FOLDERS_MAX};

/// The conversation of `session` below one of these folders, as far back as it is read; none where there is none.
pub(super) fn load(homes: &[PathBuf], session: &str) -> Option<Vec<u8>> {
    let name = format!("{session}.jsonl");
    for home in homes {
        let projects = std::fs::read_dir(home.join("projects")).into_iter().flatten().flatten();
        for project in projects.take(TRANSCRIPT_FOLDERS_MAX) {
            let path = project.path().join(&name);
            if let Ok(bytes) = host::untrusted_files::read_tail(&path, TRANSCRIPT_BYTES_MAX) {
                return Some(bytes);
            }
        }
    }
    None
}

/// Whether the conversation holds the message with this id, or, where the model is known to have had its `text` under
/// another id, that text.
pub(super) fn holds(transcript: &[u8], id: &str, text: Option<&str>) -> bool {
    let transcript = String::from_utf8_lossy(transcript);
    transcript.lines().any(|line| {
        // Lines are long and many: only those that can be the one are read. The last may be torn.
        let may_be_it = line.contains(id) || text.is_some() && line.contains("\"user\"");
        may_be_it && serde_json::from_str::<Line>(line).is_ok_and(|line| line.is_message(id, text))
    })
}

#[derive(Deserialize)]
struct Line {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    uuid: String,
    #[serde(default)]
    message: Kept,
}

#[derive(Default, Deserialize)]
struct Kept {
    #[serde(default)]
    content: Value,
}

impl Line {
    fn is_message(&self, id: &str, text: Option<&str>) -> bool {
        let is_text = || text.is_some_and(|text| is_said(&text_of(&self.message.content), text));
        self.kind == "user" && (self.uuid == id || is_text())
    }
}

/// Whether the text is what was said, or its beginning: words of ours follow it after an empty line, and Claude Code puts
/// messages that waited for the same turn below one another.
fn is_said(kept: &str, text: &str) -> bool {
    kept.strip_prefix(text).is_some_and(|rest| rest.is_empty() || rest.starts_with('\n'))
}

/// Where a session's conversation may be: in the user's own folder, and in the mission's.
pub(super) fn homes(users: Option<PathBuf>, missions: Option<&Path>) -> Vec<PathBuf> {
    users.into_iter().chain(missions.map(Path::to_path_buf)).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    const KEPT: &str = concat!(
        r#"{"type":"queue-operation","content":"u2"}"#,
        "\n",
        r#"{"type":"user","uuid":"u1","message":{"role":"user","content":"build it\n\nGo on."}}"#,
        "\n",
        r#"{"type":"assistant","uuid":"u3","parentUuid":"u2","message":{"content":[{"type":"text","text":"u4"}]}}"#,
        "\n",
        r#"{"type":"user","uuid":"u5","message":{"role":"user","content":[{"type":"text","text":"paint it"}]}}"#,
        "\n",
        r#"{"type":"user","uuid":"u7","message":{"role":"user","content":"ok, as you like\nand then?"}}"#,
        "\n",
        r#"{"type":"user","uuid":"u6","mess"#,
    );

    #[test]
    fn a_message_is_held_by_its_id_alone() {
        for (id, held) in
            [("u1", true), ("u5", true), ("u2", false), ("u3", false), ("u4", false), ("u6", false)]
        {
            assert_eq!(holds(KEPT.as_bytes(), id, None), held, "{id}");
        }
        assert!(!holds(b"", "u1", None) && !holds(b"\xff\n{}\n[]", "u1", Some("x")));
    }

    #[test]
    fn a_message_that_was_heard_is_held_by_its_text_too() {
        for (text, held) in [("build it", true), ("paint it", true), ("paint it red", false), ("u4", false)] {
            assert_eq!(holds(KEPT.as_bytes(), "other", Some(text)), held, "{text}");
        }
    }

    #[test]
    fn a_text_is_held_by_no_other_that_begins_like_it() {
        for (text, held) in [("ok", false), ("paint", false), ("ok, as you like", true)] {
            assert_eq!(holds(KEPT.as_bytes(), "other", Some(text)), held, "{text}");
        }
    }

    #[test]
    fn it_is_found_by_its_name_and_no_link_is_followed() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join("projects").join(name);
        fs::create_dir_all(at("-a")).unwrap();
        fs::create_dir_all(at("-b")).unwrap();
        fs::write(at("-b/s1.jsonl"), KEPT).unwrap();
        symlink(at("-b/s1.jsonl"), at("-a/s2.jsonl")).unwrap();
        let homes = [PathBuf::from("/nowhere"), home.path().to_path_buf()];
        assert_eq!(load(&homes, "s1").as_deref(), Some(KEPT.as_bytes()));
        assert_eq!(load(&homes, "s2"), None);
        assert_eq!(load(&homes, "s3"), None);
    }
}
