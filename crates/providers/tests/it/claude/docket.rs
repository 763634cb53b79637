//! The docket's tools: hosted for every session, answered by the house.

use std::sync::Arc;

use mind::AgentEvent;
use mind::Timestamp;
use mind::effect::SessionCommand;
use mind::event::DocketCall;
use mind::petition::PetitionId;
use mind::session::Role;
use providers::claude::conversation::Conversation;
use providers::limits::PLEAS_MAX;
use serde_json::{Value, json};

use super::conversation::{begin, deliver, hear, init, ready, result, told, written};

fn message(request: &str, method: &str, params: &Value) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    let asked = json!({"subtype": "mcp_message", "server_name": "arbiter", "message": message});
    json!({"type": "control_request", "request_id": request, "request": asked})
}

fn call(request: &str, tool: &str, given: &Value) -> Value {
    message(request, "tools/call", &json!({"name": tool, "arguments": given}))
}

fn petition() -> Value {
    let options = json!([{"key": "left", "label": "To the left"}, {"key": "right", "label": "To the right"}]);
    json!({"title": "Which way?", "decisions": [{"id": "way", "title": "Left or right?", "options": options}]})
}

fn reply(call: &str, told: Value, refused: bool) -> SessionCommand {
    SessionCommand::Reply { call: Arc::from(call), told, refused }
}

/// A conversation in the middle of a turn.
fn at_work(role: Role, by_tools: bool) -> Conversation {
    let mut conversation = begin(role, by_tools);
    let greeted = json!({"subtype": "success", "request_id": "arbiter-1", "response": {}});
    hear(&mut conversation, &json!({"type": "control_response", "response": greeted}));
    conversation.obey(deliver(1, "Build it.", None));
    hear(&mut conversation, &init());
    conversation
}

fn names(conversation: &mut Conversation) -> Vec<String> {
    let listed = written(&hear(conversation, &message("r", "tools/list", &json!({})))).remove(0);
    let tools = listed["response"]["response"]["mcp_response"]["result"]["tools"].clone();
    let tools = tools.as_array().expect("a list of tools");
    tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn every_session_is_offered_the_docket() {
    let docket = ["arbiter_push", "arbiter_status", "arbiter_get", "arbiter_await"];
    for role in [Role::Arbiter, Role::Orchestrator, Role::Verifier] {
        assert_eq!(names(&mut at_work(role, false)), docket, "{role:?}");
        let by_tools = names(&mut at_work(role, true));
        assert_eq!(by_tools[..4], docket, "{role:?}");
        assert!(by_tools.len() > 4, "{role:?}: {by_tools:?}");
    }
}

#[test]
fn where_the_output_is_typed_no_tool_says_what_the_turn_comes_to() {
    let mut conversation = at_work(Role::Orchestrator, false);
    let report = json!({"kind": "progress", "expects_response": false, "message": "On it."});
    let answer = written(&hear(&mut conversation, &call("r", "report", &report))).remove(0);
    assert_eq!(answer["response"]["response"]["mcp_response"]["result"]["isError"], true);
}

#[test]
fn a_call_waits_for_the_house_and_has_its_answer() {
    let mut conversation = at_work(Role::Orchestrator, false);
    let deeds = hear(&mut conversation, &call("r-1", "arbiter_push", &petition()));
    assert!(written(&deeds).is_empty(), "{deeds:?}");
    let [AgentEvent::Pleads { call: id, plea: DocketCall::Push(draft) }] = told(&deeds)[..] else {
        panic!("{deeds:?}");
    };
    assert_eq!((&**id, &*draft.title, draft.decisions.len()), ("r-1", "Which way?", 1));
    let answer = written(&conversation.obey(reply("r-1", json!({"id": "m1"}), false))).remove(0);
    assert_eq!(answer["response"]["request_id"], "r-1");
    let response = &answer["response"]["response"]["mcp_response"];
    assert_eq!(response["id"], 7);
    assert_eq!(response["result"], json!({"content": [{"type": "text", "text": "{\"id\":\"m1\"}"}]}));
    assert!(written(&conversation.obey(reply("r-1", json!({}), false))).is_empty(), "it is answered once");
}

#[test]
fn a_refusal_is_a_tools_error() {
    let mut conversation = at_work(Role::Verifier, true);
    let deeds = hear(&mut conversation, &call("r-1", "arbiter_get", &json!({"id": "m9"})));
    let plea = DocketCall::Get { id: PetitionId::from("m9"), partial: false };
    assert_eq!(told(&deeds), [&AgentEvent::Pleads { call: Arc::from("r-1"), plea }]);
    let answer = written(&conversation.obey(reply("r-1", json!({"error": "no"}), true))).remove(0);
    assert_eq!(answer["response"]["response"]["mcp_response"]["result"]["isError"], true);
}

#[test]
fn what_makes_no_sense_is_answered_at_once_and_reaches_nobody() {
    let mut conversation = at_work(Role::Orchestrator, false);
    let nameless = json!({"decisions": [{"id": "way", "title": "", "options": []}]});
    let deeds = hear(&mut conversation, &call("r-1", "arbiter_push", &nameless));
    assert!(told(&deeds).is_empty(), "{deeds:?}");
    let result = written(&deeds).remove(0)["response"]["response"]["mcp_response"]["result"].clone();
    assert_eq!(result["isError"], true);
    let said: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(said["faults"].as_array().unwrap().len(), 3, "{said}");
    let deeds = hear(&mut conversation, &message("r-2", "tools/call", &json!({"name": "arbiter_await"})));
    assert!(told(&deeds).is_empty() && written(&deeds).len() == 1, "{deeds:?}");
}

#[test]
fn a_call_that_waits_no_more_is_not_answered() {
    let mut conversation = at_work(Role::Orchestrator, false);
    let given = json!({"id": "m1"});
    let nobody = |conversation: &mut Conversation, call: &str| {
        assert!(written(&conversation.obey(reply(call, json!({}), false))).is_empty(), "{call}");
    };
    hear(&mut conversation, &call("r-1", "arbiter_await", &given));
    hear(&mut conversation, &json!({"type": "control_cancel_request", "request_id": "r-1"}));
    nobody(&mut conversation, "r-1");
    hear(&mut conversation, &call("r-2", "arbiter_await", &given));
    hear(&mut conversation, &result("done"));
    nobody(&mut conversation, "r-2");
    hear(&mut conversation, &call("r-3", "arbiter_await", &given));
    conversation.begin_anew(true);
    conversation.greet(Timestamp(2_000));
    nobody(&mut conversation, "r-3");
}

#[test]
fn only_so_many_calls_wait_at_once() {
    let mut conversation = at_work(Role::Orchestrator, false);
    for number in 0..PLEAS_MAX {
        let deeds =
            hear(&mut conversation, &call(&format!("r-{number}"), "arbiter_status", &json!({"id": "m1"})));
        assert_eq!(told(&deeds).len(), 1);
    }
    let deeds = hear(&mut conversation, &call("one-more", "arbiter_status", &json!({"id": "m1"})));
    assert!(told(&deeds).is_empty(), "{deeds:?}");
    assert_eq!(written(&deeds)[0]["response"]["subtype"], "error");
}

#[test]
fn the_docket_needs_nobodys_permission_but_a_subagent_has_no_say_in_it() {
    let mut conversation = ready(Role::Orchestrator);
    let mut decide = |agent: Option<&str>| {
        let hook = json!({"hook_event_name": "PreToolUse", "agent_id": agent,
                          "tool_name": "mcp__arbiter__arbiter_push", "tool_input": petition()});
        let request = json!({"subtype": "hook_callback", "callback_id": "before-tool", "input": hook});
        let asked = json!({"type": "control_request", "request_id": "r", "request": request});
        let answer = written(&hear(&mut conversation, &asked)).remove(0);
        answer["response"]["response"]["hookSpecificOutput"]["permissionDecision"].clone()
    };
    assert_eq!(decide(None), "allow");
    assert_eq!(decide(Some("a1")), "deny");
}
