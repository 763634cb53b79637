//! The four tools as clients see them. The schemas are plain on purpose: one type for each field, nothing nullable, because
//! not every client understands more. What can be asked is the mind's table (`mind::petition::fields`).

use std::sync::Arc;

use mind::petition::fields::{self, AskedFrom};
use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::limits;

pub(super) use mind::petition::tools::{AWAIT, GET, NAMES, PUSH, STATUS};

pub(super) fn all() -> Vec<Tool> {
    vec![push(), status(), get(), awaits()]
}

fn push() -> Tool {
    let about = "Ask a person to decide: puts a petition with one or more decisions before them and returns its id at \
                 once. Then wait with arbiter_await. The same petition, or the same key, pushed again gives the one that \
                 is there.";
    let mut input = fields::push_schema(AskedFrom::Outside);
    input["properties"]["wait_seconds"] = seconds("Wait so long for the answers already in this call");
    let output = json!({
        "type": "object",
        "properties": {
            "id": text("The petition's id, for the other tools"),
            "file": text("Its file"),
            "total": { "type": "integer" },
            "status": { "type": "string" },
            "again": { "type": "boolean", "description": "It was there already" },
            "state": state(),
            "answers": { "type": "object" },
            "hint": { "type": "string" },
        },
        "required": ["id", "total", "status", "again", "hint"],
    });
    let hints = ToolAnnotations::with_title("Ask a person").read_only(false).destructive(false);
    in_the_prompt(tool(PUSH, about, input, output, hints.idempotent(true)))
}

fn status() -> Tool {
    let about = "Where a petition stands: how much of it is decided, and who is being asked.";
    let input = json!({
        "type": "object",
        "properties": { "id": text("The petition's id"), "tag": text("Instead of the id: the newest petition with this tag") },
    });
    let output = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string" },
            "title": { "type": "string" },
            "status": { "type": "string", "enum": ["pending", "in_progress", "ready", "completed", "withdrawn", "expired"] },
            "total": { "type": "integer" },
            "answered": { "type": "integer" },
            "remaining": { "type": "integer" },
            "asked": text("Who is being asked"),
            "decisions": { "type": "object" },
        },
        "required": ["id", "status", "total", "answered", "remaining"],
    });
    tool(STATUS, about, input, output, reading("Look at a petition"))
}

fn get() -> Tool {
    let about = "The answers to a petition, and who gave them. Refuses while it is open, unless partial answers are asked \
                 for; those can still change.";
    let input = json!({
        "type": "object",
        "properties": {
            "id": text("The petition's id"),
            "tag": text("Instead of the id: the newest petition with this tag"),
            "partial": { "type": "boolean", "description": "Give the answers so far" },
        },
    });
    tool(
        GET,
        about,
        input,
        answers(json!({}), &["id", "status", "answers", "skipped"]),
        reading("Get the answers"),
    )
}

fn awaits() -> Tool {
    let about = "Wait for a person's answers. Comes back when they are there, or with state `pending` after a while: that \
                 is no answer. Then call it again with the same id; nothing is lost in between.";
    let input = json!({
        "type": "object",
        "properties": {
            "id": text("The petition's id"),
            "ids": {
                "type": "array",
                "items": { "type": "string" },
                "maxItems": limits::AWAITED_MAX,
                "description": "Instead of the id: several petitions; comes back when the first of them is closed",
            },
            "wait_seconds": seconds("How long to wait; shortened to what your client allows"),
        },
    });
    let more = json!({
        "state": state(),
        "hint": text("What to do next"),
        "petitions": { "type": "array", "items": { "type": "object" }, "description": "Each of them, if ids were given" },
        "pending": { "type": "array", "items": { "type": "string" }, "description": "Those that are still open" },
    });
    let output = answers(more, &["state", "hint"]);
    in_the_prompt(tool(AWAIT, about, input, output, reading("Wait for a person")))
}

fn answers(more: Value, required: &[&str]) -> Value {
    let mut properties = json!({
        "id": { "type": "string" },
        "status": { "type": "string" },
        "answers": { "type": "object", "additionalProperties": { "type": "string" }, "description": "By decision id" },
        "skipped": { "type": "array", "items": { "type": "string" }, "description": "Decisions that the person left undecided" },
        "provenance": { "type": "object", "description": "Who answered, when, and through which door" },
        "late": { "type": "object", "description": "What came after it was closed: it decides nothing" },
    });
    if let (Some(properties), Value::Object(more)) = (properties.as_object_mut(), more) {
        properties.extend(more);
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

fn state() -> Value {
    json!({ "type": "string", "enum": ["pending", "decided", "expired", "withdrawn"] })
}

fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

fn seconds(about: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": about })
}

fn reading(title: &str) -> ToolAnnotations {
    ToolAnnotations::with_title(title).read_only(true).destructive(false).idempotent(true)
}

fn tool(
    name: &'static str,
    about: &'static str,
    input: Value,
    output: Value,
    hints: ToolAnnotations,
) -> Tool {
    Tool::new(name, about, object(input))
        .with_raw_output_schema(object(output))
        // What people answer does not come from the open world.
        .with_annotations(hints.open_world(false))
}

/// Some clients hide tools behind a search. These two are of use only to a model that knows of them.
fn in_the_prompt(tool: Tool) -> Tool {
    let mut meta = JsonObject::new();
    meta.insert("anthropic/alwaysLoad".to_owned(), Value::Bool(true));
    tool.with_meta(MetaObject(meta))
}

fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(schema) => Arc::new(schema),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Arc::default()
        }
    }
}
