//! The docket as a session of the council sees it: four tools by name, what they are given, and what a call of one asks.
//! The schemas are plain on purpose; what is accepted is wider (`Draft::read`).

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Draft, PetitionId};
use crate::event::Plea;
use crate::id::Timestamp;
use crate::limits;

/// To ask.
pub const PUSH: &str = "arbiter_push";
/// To know how it stands.
pub const STATUS: &str = "arbiter_status";
/// To have the answers.
pub const GET: &str = "arbiter_get";
/// To wait for the answers.
pub const AWAIT: &str = "arbiter_await";
/// All four.
pub const NAMES: [&str; 4] = [PUSH, STATUS, GET, AWAIT];

/// All four as a session is offered them.
pub fn all() -> Vec<Value> {
    let id = || text("The petition's id");
    vec![
        tool(
            PUSH,
            "Ask the human to decide: puts a petition with one or more decisions before them and returns its id at once. \
             The same petition, or the same key, pushed again gives the one that is there.",
            false,
            json!({
                "title": text("What it is about, in a few words"),
                "decisions": {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": limits::PETITION_DECISIONS_MAX,
                    "description": "The questions",
                    "items": decision(),
                },
                "context": text("What the human needs to know for all of it (Markdown)"),
                "priority": {
                    "type": "string", "enum": ["low", "normal", "high", "urgent"], "description": "normal if left out"
                },
                "deadline": text("When the answers are needed no more: a time (2026-01-30T01:30:00Z) or a span (30m, 2h)"),
                "key": text("A name of yours for this petition: pushing again with it gives the first one"),
                "blocks": text("What waits for it, in a few words"),
            }),
            &["title", "decisions"],
        ),
        tool(
            STATUS,
            "Where a petition stands: how much of it is decided, and who is being asked.",
            true,
            json!({"id": id()}),
            &["id"],
        ),
        tool(
            GET,
            "The answers to a petition, and who gave them. Refuses while it is open, unless partial answers are asked \
             for; those can still change.",
            true,
            json!({"id": id(), "partial": flag("Give the answers so far")}),
            &["id"],
        ),
        tool(
            AWAIT,
            "The answers to a petition if they are there. If not, it says `pending`, which is no answer: once you end \
             your turn you rest, and the answers come as your next message.",
            true,
            json!({"id": id()}),
            &["id"],
        ),
    ]
}

/// One decision of a push, as a schema.
pub fn decision() -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": text("A short name: letters, digits, - and _; the answer comes under it"),
            "title": text("The question"),
            "context": text("What the human needs to know to decide (Markdown)"),
            "options": {
                "type": "array",
                "maxItems": limits::OPTIONS_MAX,
                "description": "The ways to answer",
                "items": {
                    "type": "object",
                    "properties": {
                        "key": text("What comes back if it is chosen"),
                        "label": text("What the human reads"),
                        "note": text("What speaks for it or against it"),
                    },
                    "required": ["key", "label"],
                },
            },
            "allow_custom": flag("Whether words of their own are an answer too; needed if there are no options"),
            "multi": flag("Several options can be chosen: keys with a comma between"),
            "default": text("What a policy answers if the deadline passes; without it nothing is decided then"),
            "deadline": text("When this answer is needed no more: a time or a span"),
            "requires": {"type": "string", "enum": ["human"], "description": "No policy may answer"},
            "depends_on": {
                "type": "array", "items": {"type": "string"}, "description": "Earlier decisions that come first"
            },
        },
        "required": ["id", "title"],
    })
}

/// What a call of a tool asks; none if it is no tool of the docket. What is wrong with it is told to whoever called.
pub fn plea(tool: &str, given: &Value, now: Timestamp) -> Option<Result<Plea, Value>> {
    let id = || named(given);
    Some(match tool {
        PUSH => Draft::read(given, &|written| super::when(written, now))
            .and_then(|draft| match draft.overdue(now) {
                faults if faults.is_empty() => Ok(draft),
                faults => Err(faults),
            })
            .map(|draft| Plea::Push(Arc::new(draft)))
            .map_err(|faults| json!({"error": "the petition cannot be asked", "faults": faults})),
        STATUS => id().map(Plea::Status),
        GET => match given.get("partial") {
            None | Some(Value::Null) => id().map(|id| Plea::Get { id, partial: false }),
            Some(Value::Bool(partial)) => id().map(|id| Plea::Get { id, partial: *partial }),
            Some(_) => Err(json!({"error": "`partial` must be true or false"})),
        },
        AWAIT => id().map(Plea::Await),
        _ => return None,
    })
}

/// The petition that is meant, under the names that agents in the wild know.
fn named(given: &Value) -> Result<PetitionId, Value> {
    let found = ["id", "planId", "plan_id"].iter().find_map(|name| given.get(name));
    let found = found.and_then(Value::as_str).map(str::trim).filter(|id| !id.is_empty());
    match found {
        Some(id) => Ok(PetitionId::from(limits::cut(id, 4 * limits::NAME_CHARS_MAX).as_str())),
        None => Err(json!({"error": "`id` is missing: give the id that arbiter_push returned"})),
    }
}

fn tool(name: &str, about: &str, reads: bool, properties: Value, required: &[&str]) -> Value {
    json!({
        "name": name,
        "description": about,
        "inputSchema": {"type": "object", "properties": properties, "required": required},
        // What people answer does not come from the open world.
        "annotations": {
            "readOnlyHint": reads, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false
        },
    })
}

fn text(about: &str) -> Value {
    json!({"type": "string", "description": about})
}

fn flag(about: &str) -> Value {
    json!({"type": "boolean", "description": about})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(tool: &str, given: Value) -> Result<Plea, Value> {
        plea(tool, &given, Timestamp(1_000)).expect("a tool of the docket")
    }

    #[test]
    fn a_call_is_read_as_what_it_asks() {
        let id = || PetitionId::from("m1");
        assert_eq!(asks(STATUS, json!({"id": "m1"})), Ok(Plea::Status(id())));
        assert_eq!(asks(GET, json!({"planId": " m1 "})), Ok(Plea::Get { id: id(), partial: false }));
        assert_eq!(
            asks(GET, json!({"id": "m1", "partial": true})),
            Ok(Plea::Get { id: id(), partial: true })
        );
        assert_eq!(asks(AWAIT, json!({"id": "m1"})), Ok(Plea::Await(id())));
        let decisions = json!([{"id": "way", "title": "Left?", "options": ["left", "right"]}]);
        let pushed = asks(PUSH, json!({"title": "Which way?", "deadline": "1s", "decisions": decisions}));
        let Ok(Plea::Push(draft)) = pushed else { panic!("{pushed:?}") };
        assert_eq!((&*draft.title, draft.deadline), ("Which way?", Some(Timestamp(2_000))));
        assert_eq!(plea("report", &json!({}), Timestamp(0)), None);
    }

    #[test]
    fn every_fault_is_named_at_once() {
        let decisions = json!([{"id": "a b", "title": "Left?"}]);
        let refused = asks(PUSH, json!({"deadline": "soon", "decisions": decisions})).unwrap_err();
        let faults = refused["faults"].as_array().unwrap();
        assert_eq!(faults.len(), 4, "{faults:?}");
        for hostile in [json!(null), json!([]), json!({"id": 7}), json!({"id": " "}), json!("m1")] {
            for tool in [STATUS, GET, AWAIT, PUSH] {
                assert!(asks(tool, hostile.clone()).is_err(), "{tool} {hostile}");
            }
        }
        assert!(asks(GET, json!({"id": "m1", "partial": "yes"})).is_err());
        let decisions = json!([{"id": "way", "title": "Left?", "options": ["left"], "deadline": "0s"}]);
        let late = json!({"title": "T", "deadline": "1970-01-01T00:00:00Z", "decisions": decisions});
        assert_eq!(
            asks(PUSH, late).unwrap_err()["faults"],
            json!(["`deadline` is in the past", "decision \"way\": `deadline` is in the past"])
        );
    }

    #[test]
    fn every_field_has_one_plain_type() {
        fn look(schema: &Value) {
            assert!(schema["type"].is_string(), "{schema}");
            schema["properties"].as_object().into_iter().flatten().for_each(|(_, inner)| look(inner));
            if schema["type"] == "array" {
                look(&schema["items"]);
            }
        }
        let tools = all();
        tools.iter().for_each(|tool| look(&tool["inputSchema"]));
        assert_eq!(tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect::<Vec<_>>(), NAMES);
    }
}
