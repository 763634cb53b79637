//! A raw line at a glance: what kind of message it is, and the most telling bit of it.

use serde_json::{Map, Value};

use crate::overlay::panel::brief;

/// A line that is longer than this is not taken apart: its beginning has to do.
const BYTES_MAX: usize = 32 * 1024;
/// How deep the telling bit is looked for.
const DEPTH_MAX: usize = 10;
/// Where the telling bit is, the best place first.
const TELLING: [&str; 17] = [
    "text",
    "thinking",
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
    let bit = telling(&Value::Object(map), DEPTH_MAX).unwrap_or_default();
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
