//! The docket's four tools as a mission's sessions are offered them: names, schemas, and the reader of a call.

use std::sync::Arc;

use serde_json::{Value, json};

use super::fields::{self, AskedFrom};
use super::{PetitionDraft, PetitionId};
use crate::event::DocketCall;
use crate::id::Timestamp;
use crate::limits;

pub const PUSH: &str = "arbiter_push";
/// To know how it stands.
pub const STATUS: &str = "arbiter_status";
/// To have the answers.
pub const GET: &str = "arbiter_get";
/// To wait for the answers.
pub const AWAIT: &str = "arbiter_await";
pub const NAMES: [&str; 4] = [PUSH, STATUS, GET, AWAIT];

/// All four as a session is offered them.
pub fn all() -> Vec<Value> {
    let id = json!({"type": "string", "description": "The petition's id"});
    let one = |properties: Value| json!({"type": "object", "properties": properties, "required": ["id"]});
    vec![
        tool(
            PUSH,
            "Ask the human to decide: puts a petition with one or more decisions before them and returns its id at once. \
             The same petition, or the same key, pushed again gives the one that is there.",
            false,
            fields::push_schema(AskedFrom::Mission),
        ),
        tool(
            STATUS,
            "Where a petition stands: how much of it is decided, and who is being asked.",
            true,
            one(json!({"id": id})),
        ),
        tool(
            GET,
            "The answers to a petition, and who gave them. Refuses while it is open, unless partial answers are asked \
             for; those can still change.",
            true,
            one(json!({"id": id, "partial": {"type": "boolean", "description": "Give the answers so far"}})),
        ),
        tool(
            AWAIT,
            "The answers to a petition if they are there. If not, it says `pending`, which is no answer: once you end \
             your turn you rest, and the answers come as your next message.",
            true,
            one(json!({"id": id})),
        ),
    ]
}

/// What a call of a tool asks; none if it is no tool of the docket. Faults are JSON for the caller.
pub fn plea(tool: &str, given: &Value, now: Timestamp) -> Option<Result<DocketCall, Value>> {
    let id = || named(given);
    Some(match tool {
        PUSH => PetitionDraft::read(given, &|written| super::when(written, now))
            .and_then(|draft| match draft.overdue(now) {
                faults if faults.is_empty() => Ok(draft),
                faults => Err(faults),
            })
            .map(|draft| DocketCall::Push(Arc::new(draft)))
            .map_err(|faults| json!({"error": "the petition cannot be asked", "faults": faults})),
        STATUS => id().map(DocketCall::Status),
        GET => match given.get("partial") {
            None | Some(Value::Null) => id().map(|id| DocketCall::Get { id, partial: false }),
            Some(Value::Bool(partial)) => id().map(|id| DocketCall::Get { id, partial: *partial }),
            Some(_) => Err(json!({"error": "`partial` must be true or false"})),
        },
        AWAIT => id().map(DocketCall::Await),
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

fn tool(name: &str, about: &str, reads: bool, schema: Value) -> Value {
    json!({
        "name": name,
        "description": about,
        "inputSchema": schema,
        // What people answer does not come from the open world.
        "annotations": {
            "readOnlyHint": reads, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(tool: &str, given: Value) -> Result<DocketCall, Value> {
        plea(tool, &given, Timestamp(1_000)).expect("a tool of the docket")
    }

    #[test]
    fn a_call_is_read_as_what_it_asks() {
        let id = || PetitionId::from("m1");
        assert_eq!(asks(STATUS, json!({"id": "m1"})), Ok(DocketCall::Status(id())));
        assert_eq!(asks(GET, json!({"planId": " m1 "})), Ok(DocketCall::Get { id: id(), partial: false }));
        assert_eq!(
            asks(GET, json!({"id": "m1", "partial": true})),
            Ok(DocketCall::Get { id: id(), partial: true })
        );
        assert_eq!(asks(AWAIT, json!({"id": "m1"})), Ok(DocketCall::Await(id())));
        let decisions = json!([{"id": "way", "title": "Left?", "options": ["left", "right"]}]);
        let pushed = asks(PUSH, json!({"title": "Which way?", "deadline": "1s", "decisions": decisions}));
        let Ok(DocketCall::Push(draft)) = pushed else { panic!("{pushed:?}") };
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
        fn assert_typed(schema: &Value) {
            assert!(schema["type"].is_string(), "{schema}");
            schema["properties"].as_object().into_iter().flatten().for_each(|(_, inner)| assert_typed(inner));
            if schema["type"] == "array" {
                assert_typed(&schema["items"]);
            }
        }
        let tools = all();
        tools.iter().for_each(|tool| assert_typed(&tool["inputSchema"]));
        assert_eq!(tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect::<Vec<_>>(), NAMES);
    }
}
