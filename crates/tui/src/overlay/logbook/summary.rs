//! A raw line at a glance: what kind of message it is, and the most telling bit of it.

use serde_json::{Map, Value};
use view::amount::tokens;

use crate::overlay::panel::brief;

/// A line that is longer than this is not taken apart: its beginning has to do.
const BYTES_MAX: usize = 32 * 1024;
/// How deep the telling bit is looked for.
const DEPTH_MAX: usize = 10;
/// Where the telling bit is, the best place first.
const TELLING: [&str; 18] = [
    "text",
    "thinking",
    "partial_json",
    "delta",
    "result",
    "error",
    "command",
    "content",
    "message",
    "event",
    "request",
    "response",
    "params",
    "item",
    "output",
    "stop_reason",
    "status",
    "id",
];

/// What is told elsewhere, or tells a person nothing.
const MUTE: [&str; 7] = ["type", "subtype", "method", "jsonrpc", "uuid", "session_id", "request_id"];
/// How many fields are told where none is telling.
const FIELDS_MAX: usize = 12;

/// The line in so many columns.
pub(super) fn summary(line: &str, columns: usize) -> String {
    if line.len() > BYTES_MAX {
        let kind = early(line, "type").or_else(|| early(line, "method"));
        let text = early(line, "text").or_else(|| early(line, "name")).unwrap_or(line);
        let kind = kind.map_or_else(String::new, |kind| format!("{kind}: "));
        return brief(&format!("{kind}{}", beginning(text)), columns);
    }
    let Ok(Value::Object(map)) = serde_json::from_str::<Value>(line) else {
        return brief(line, columns);
    };
    let kind = kind(&map);
    let whole = Value::Object(map);
    let bit = report(&whole).or_else(|| telling(&whole, DEPTH_MAX)).or_else(|| fields(&whole, DEPTH_MAX));
    let bit = bit.unwrap_or_default();
    let shown = match (kind.is_empty(), bit.is_empty()) {
        (true, true) => line.to_owned(),
        (false, true) => kind,
        (true, false) => bit,
        (false, false) => format!("{kind}: {bit}"),
    };
    brief(&shown, columns)
}

fn kind(map: &Map<String, Value>) -> String {
    let word = |of: &Map<String, Value>, name: &str| of.get(name).and_then(Value::as_str).map(str::to_owned);
    let inner = |name: &str| map.get(name).and_then(Value::as_object);
    let first = word(map, "type").or_else(|| word(map, "method"));
    let second = word(map, "subtype")
        .or_else(|| inner("request").and_then(|request| word(request, "subtype")))
        .or_else(|| inner("event").and_then(|event| word(event, "type")));
    [first, second].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// What a rehearsal reports, where one field alone would not say it.
fn report(line: &Value) -> Option<String> {
    let word = |name: &str| line.get(name).and_then(Value::as_str);
    let number = |name: &str| line.get(name).and_then(Value::as_u64);
    let list = |name: &str| line.get(name).and_then(Value::as_array);
    match word("type")? {
        "tool_started" => {
            let (name, detail) = (word("name")?, word("detail").unwrap_or_default());
            Some(format!("{} {}", beginning(name), beginning(detail)))
        }
        "gauge" => Some(format!("{} of {}", tokens(number("used")?), tokens(number("window")?))),
        "warned" => Some(format!("{}%", number("percent")?)),
        "asks" => {
            let argv: Vec<&str> = list("argv")?.iter().filter_map(Value::as_str).map(beginning).collect();
            Some(argv.join(" ")).filter(|argv| !argv.is_empty())
        }
        "tasks" => Some(checklist(list("tasks")?)),
        _ => None,
    }
}

/// How far a checklist is, and what is being done.
fn checklist(tasks: &[Value]) -> String {
    let is = |task: &&Value, status: &str| task.get("status").and_then(Value::as_str) == Some(status);
    let done = tasks.iter().filter(|task| is(task, "done") || is(task, "completed")).count();
    let now = tasks.iter().find(|task| is(task, "in_progress"));
    let now = now.and_then(|task| task.get("title")?.as_str());
    let now = now.map_or_else(String::new, |title| format!(", now {}", beginning(title)));
    format!("{done} of {} done{now}", tasks.len())
}

/// The plain fields of an object by their names, or those of the first thing in it that has any.
fn fields(value: &Value, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let inner: Vec<&Value> = match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(map) => {
            let known = map.iter().filter(|(name, _)| !MUTE.contains(&name.as_str()));
            let told =
                known.filter_map(|(name, value)| Some(format!("{} {}", beginning(name), plain(value)?)));
            let told: Vec<String> = told.take(FIELDS_MAX).collect();
            if !told.is_empty() {
                return Some(told.join(", "));
            }
            map.values().collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    };
    inner.into_iter().find_map(|value| fields(value, depth))
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(beginning(text).to_owned()).filter(|text| !text.trim().is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(yes.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn telling(value: &Value, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    match value {
        Value::String(text) => Some(beginning(text).to_owned()).filter(|text| !text.trim().is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(items) => items.iter().find_map(|item| telling(item, depth)),
        Value::Object(map) => {
            let name = map.get("tool_name").or_else(|| map.get("name")).and_then(Value::as_str);
            let input = map.get("input").or_else(|| map.get("arguments"));
            if let (Some(name), Some(input)) = (name, input) {
                return Some(format!("{name} {}", given(input)));
            }
            TELLING.iter().find_map(|name| telling(map.get(*name)?, depth))
        }
        Value::Null | Value::Bool(_) => None,
    }
}

/// What a tool is given: its only or its first text, else all of it.
fn given(input: &Value) -> String {
    let known = ["command", "file_path", "pattern", "url", "path", "query", "description"];
    let text = known.iter().find_map(|name| input.get(*name)?.as_str());
    text.map_or_else(|| input.to_string(), |text| beginning(text).to_owned())
}

/// The first text called `name` near the beginning of a line that is too long to be read.
fn early<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let head = beginning(line);
    let at = head.find(&format!("\"{name}\":"))?;
    let value = line.get(at + name.len() + 3..)?.trim_start().strip_prefix('"')?;
    let value = beginning(value);
    Some(value.split_once('"').map_or(value, |(value, _)| value))
}

/// As much of a text as one line can show.
fn beginning(text: &str) -> &str {
    let end = text.char_indices().nth(2000).map_or(text.len(), |(end, _)| end);
    &text[..end]
}
