//! The policy at the process's door: before every tool, and where a person is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use arbiter::mission::effect_runner::tool_judge;
use mind::AgentEvent;
use mind::access::{Access, AccessMap};
use mind::effect::SessionCommand;
use mind::policy::{PermissionRequest, Policy, Risk, Ruling};
use mind::session::Role;
use providers::claude::conversation::{Conversation, ConversationSetup};
use providers::judge::ToolJudge;
use providers::protocol::DriverAction;
use serde_json::{Value, json};

use super::conversation::{deliver, hear, init, ready, result, told, written};

/// A conversation whose policy guards a clone.
fn guarded(role: Role) -> Conversation {
    let views = [("/clone".to_owned(), Access::Write)].into();
    let lay = AccessMap { clone: "/clone".to_owned(), home: "/land".to_owned(), views };
    guarded_by(role, tool_judge::judge(role, None, Policy::default(), lay))
}

fn guarded_by(role: Role, judge: ToolJudge) -> Conversation {
    let initialize = json!({"subtype": "initialize"});
    let (by_tools, incarnation, spoke, gauge) = (false, 1, false, None);
    let part = ConversationSetup { role, by_tools, incarnation, initialize, spoke, gauge, judge };
    let mut conversation = Conversation::new(part, 200_000);
    conversation.greet(mind::Timestamp(0));
    let greeted = json!({"type": "control_response", "response": {"subtype": "success", "request_id": "arbiter-1", "response": {}}});
    hear(&mut conversation, &greeted);
    conversation.obey(deliver(1, "Build it.", None));
    hear(&mut conversation, &init());
    conversation
}

fn before(tool: &str, input: &Value, agent: Option<&str>) -> Value {
    let hook =
        json!({"hook_event_name": "PreToolUse", "agent_id": agent, "tool_name": tool, "tool_input": input});
    let request = json!({"subtype": "hook_callback", "callback_id": "before-tool", "input": hook});
    json!({"type": "control_request", "request_id": "r", "request": request})
}

fn may(request: &str, command: &str) -> Value {
    let request_id = request;
    let request = json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": command}});
    json!({"type": "control_request", "request_id": request_id, "request": request})
}

fn decision(deeds: &[DriverAction]) -> Value {
    written(deeds)[0]["response"]["response"]["hookSpecificOutput"]["permissionDecision"].clone()
}

fn answer(deeds: &[DriverAction]) -> (Value, Value) {
    let line = &written(deeds)[0]["response"];
    (line["request_id"].clone(), line["response"].clone())
}

fn permit(call: &str, allowed: bool, why: &str) -> SessionCommand {
    SessionCommand::Permit { call: Arc::from(call), allowed, why: Arc::from(why) }
}

#[test]
fn the_hook_says_what_the_policy_says() {
    let mut conversation = guarded(Role::Orchestrator);
    for (command, agent, wanted) in [
        ("git status", None, "allow"),
        ("git status", Some("a1"), "allow"),
        ("curl https://example.org/x", None, "ask"),
        ("curl https://example.org/x", Some("a1"), "ask"),
        ("sudo true", None, "deny"),
    ] {
        let deeds = hear(&mut conversation, &before("Bash", &json!({"command": command}), agent));
        assert_eq!(decision(&deeds), wanted, "{command}");
        // Nobody is asked before the program asks; what is refused is told at once.
        let denied = matches!(told(&deeds)[..], [AgentEvent::Denied { .. }]);
        assert!(denied == (wanted == "deny") && (denied || told(&deeds).is_empty()), "{command}: {deeds:?}");
    }
}

#[test]
fn a_tool_that_asks_waits_for_the_answer_and_gets_what_was_asked() {
    let mut conversation = guarded(Role::Orchestrator);
    for (asked, allowed) in [("r-1", true), ("r-2", false)] {
        let deeds = hear(&mut conversation, &may(asked, "curl https://example.org/x"));
        assert!(written(&deeds).is_empty(), "it waits");
        let [AgentEvent::Asks { call, request }] = told(&deeds)[..] else { panic!("{deeds:?}") };
        assert_eq!((&**call, &*request.what), (asked, "curl https://example.org/x"));
        let (to, said) = answer(&conversation.obey(permit(asked, allowed, "use the mirror")));
        assert_eq!(to, asked);
        if allowed {
            assert_eq!(said["behavior"], "allow");
            assert_eq!(said["updatedInput"], json!({"command": "curl https://example.org/x"}));
        } else {
            assert_eq!(said["behavior"], "deny");
            assert!(said["message"].as_str().is_some_and(|why| why.contains("use the mirror")));
        }
        assert!(written(&conversation.obey(permit(asked, true, ""))).is_empty(), "an answer is given once");
    }
}

#[test]
fn a_tool_that_no_longer_waits_is_not_answered() {
    let mut conversation = guarded(Role::Orchestrator);
    hear(&mut conversation, &may("r-1", "curl https://example.org/x"));
    let withdrawn = json!({"type": "control_cancel_request", "request_id": "r-1"});
    let deeds = hear(&mut conversation, &withdrawn);
    assert!(matches!(told(&deeds)[..], [AgentEvent::Unasks { call }] if &**call == "r-1"), "{deeds:?}");
    assert!(told(&hear(&mut conversation, &withdrawn)).is_empty());
    assert!(written(&conversation.obey(permit("r-1", true, ""))).is_empty());
    hear(&mut conversation, &may("r-2", "curl https://example.org/x"));
    hear(&mut conversation, &result("done"));
    assert!(written(&conversation.obey(permit("r-2", true, ""))).is_empty(), "it ended with its turn");
}

#[test]
fn the_arbiter_and_the_verifier_change_nothing() {
    let edit = json!({"file_path": "/clone/a.rs", "old_string": "a", "new_string": "b"});
    for (role, wanted) in [(Role::Arbiter, "deny"), (Role::Verifier, "deny"), (Role::Orchestrator, "allow")] {
        let deeds = hear(&mut guarded(role), &before("Edit", &edit, None));
        assert_eq!(decision(&deeds), wanted, "{role:?}");
    }
}

#[test]
fn nothing_runs_in_the_background() {
    let mut conversation = ready(Role::Orchestrator);
    let mut decide = |input: Value| {
        let hook = json!({"hook_event_name": "PreToolUse", "agent_id": "a1", "tool_name": "Agent", "tool_input": input});
        let request = json!({"subtype": "hook_callback", "callback_id": "before-tool", "input": hook});
        let asked = json!({"type": "control_request", "request_id": "r", "request": request});
        let answer = written(&hear(&mut conversation, &asked)).remove(0);
        answer["response"]["response"]["hookSpecificOutput"]["permissionDecision"].clone()
    };
    assert_eq!(decide(json!({"prompt": "look"})), "allow");
    assert_eq!(decide(json!({"prompt": "look", "run_in_background": true})), "deny");
}

#[test]
fn a_subagent_does_not_say_what_the_turn_comes_to() {
    let mut conversation = ready(Role::Orchestrator);
    let mut decide = |agent: Option<&str>| {
        let tool = "mcp__arbiter__report";
        let hook =
            json!({"hook_event_name": "PreToolUse", "agent_id": agent, "tool_name": tool, "tool_input": {}});
        let request = json!({"subtype": "hook_callback", "callback_id": "before-tool", "input": hook});
        let asked = json!({"type": "control_request", "request_id": "r", "request": request});
        let answer = written(&hear(&mut conversation, &asked)).remove(0);
        answer["response"]["response"]["hookSpecificOutput"]["permissionDecision"].clone()
    };
    assert_eq!(decide(None), "allow");
    assert_eq!(decide(Some("a1")), "deny");
}

/// The hook and the request for permission are about one call: what the first found is what the second asks.
#[test]
fn a_call_is_judged_once() {
    let count = Arc::new(AtomicU32::new(0));
    let judged = Arc::clone(&count);
    let judge = ToolJudge::new(move |call| {
        let number = judged.fetch_add(1, Ordering::SeqCst) + 1;
        let what = format!("{number}: {}", call.input["command"].as_str().unwrap_or_default());
        let (tool, why) = (Arc::from(call.tool), Arc::from("it is far away"));
        let (what, digest, folder) = (Arc::from(what), Arc::from("d"), Arc::from("/clone"));
        let (risk, shapes) = (Risk::Unknown, Vec::new());
        Ruling::Ask(PermissionRequest { tool, what, folder, why, risk, digest, shapes })
    });
    let mut conversation = guarded_by(Role::Orchestrator, judge);
    let mut hook = before("Bash", &json!({"command": "curl a"}), None);
    hook["request"]["input"]["tool_use_id"] = json!("toolu_1");
    assert_eq!(decision(&hear(&mut conversation, &hook)), "ask");
    let mut ask = may("r-1", "curl a");
    ask["request"]["tool_use_id"] = json!("toolu_1");
    let deeds = hear(&mut conversation, &ask);
    let [AgentEvent::Asks { request, .. }] = told(&deeds)[..] else { panic!("{deeds:?}") };
    assert_eq!((&*request.what, count.load(Ordering::SeqCst)), ("1: curl a", 1));
    // What is asked for is not what was judged, or was not judged at all.
    for (request, call, command) in [("r-2", Some("toolu_1"), "curl a"), ("r-3", None, "curl b")] {
        let mut ask = may(request, command);
        ask["request"]["tool_use_id"] = json!(call);
        hear(&mut conversation, &ask);
    }
    assert_eq!(count.load(Ordering::SeqCst), 3);
    let mut hook = before("Bash", &json!({"command": "curl c"}), None);
    hook["request"]["input"]["tool_use_id"] = json!("toolu_2");
    hear(&mut conversation, &hook);
    let mut ask = may("r-4", "curl another");
    ask["request"]["tool_use_id"] = json!("toolu_2");
    let deeds = hear(&mut conversation, &ask);
    let [AgentEvent::Asks { request, .. }] = told(&deeds)[..] else { panic!("{deeds:?}") };
    assert_eq!(&*request.what, "5: curl another");
}
