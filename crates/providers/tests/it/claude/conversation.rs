//! The conversation's own rules, where no recording shows them.

use std::sync::Arc;

use arbiter::mission::effect_runner::tool_judge;
use mind::access::AccessMap;
use mind::effect::RetriedTurn;
use mind::effect::SessionCommand;
use mind::event::{Failure, TurnEnd};
use mind::policy::{Policy, PolicyMode};
use mind::session::{Gauge, Role};
use mind::{AgentEvent, Timestamp, TurnId};
use providers::claude::conversation::{Conversation, ConversationSetup};
use providers::claude::mcp;
use providers::judge::ToolJudge;
use providers::limits::GO_ON_MAX;
use providers::protocol::DriverAction;
use serde_json::{Value, json};

/// A judge that asks nobody.
pub(super) fn judge(role: Role) -> ToolJudge {
    let policy = Policy { mode: PolicyMode::Open, ..Policy::default() };
    tool_judge::judge(role, None, policy, AccessMap::default())
}

pub(super) fn begin(role: Role, by_tools: bool) -> Conversation {
    let initialize = json!({"subtype": "initialize"});
    let part = ConversationSetup {
        role,
        by_tools,
        incarnation: 2,
        initialize,
        spoke: false,
        gauge: None,
        judge: judge(role),
    };
    let mut conversation = Conversation::new(part, 200_000);
    assert_eq!(written(&conversation.greet(Timestamp(0)))[0]["request"]["subtype"], "initialize");
    conversation
}

pub(super) fn ready(role: Role) -> Conversation {
    let mut conversation = begin(role, false);
    hear(&mut conversation, &greeted());
    conversation
}

pub(super) fn greeted() -> Value {
    json!({"type": "control_response", "response": {"subtype": "success", "request_id": "arbiter-1", "response": {}}})
}

pub(super) fn hear(conversation: &mut Conversation, line: &Value) -> Vec<DriverAction> {
    conversation.hear(&line.to_string(), Timestamp(1_000))
}

pub(super) fn deliver(turn: u32, text: &str, again: Option<RetriedTurn>) -> SessionCommand {
    SessionCommand::Deliver { turn: TurnId(turn), key: format!("key-{turn}"), text: Arc::from(text), again }
}

pub(super) fn steer(turn: u32, text: &str) -> SessionCommand {
    SessionCommand::Steer { turn: TurnId(turn), key: format!("key-{turn}"), text: Arc::from(text) }
}

fn again(held: bool) -> Option<RetriedTurn> {
    Some(RetriedTurn { words: Arc::from("go on"), held })
}

fn replay(uuid: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": "x"}, "uuid": uuid, "isReplay": true})
}

pub(super) fn init() -> Value {
    json!({"type": "system", "subtype": "init", "model": "claude-opus-4-8"})
}

pub(super) fn result(text: &str) -> Value {
    json!({"type": "result", "subtype": "success", "is_error": false, "result": text})
}

pub(super) fn failed() -> Value {
    json!({"type": "result", "subtype": "success", "is_error": true, "api_error_status": 500,
           "result": "API Error: 500"})
}

pub(super) fn written(deeds: &[DriverAction]) -> Vec<Value> {
    let lines = deeds.iter().filter_map(|deed| match deed {
        DriverAction::Write(line) => Some(serde_json::from_str(line).expect("we write JSON")),
        DriverAction::Tell(_)
        | DriverAction::Live(_)
        | DriverAction::Note(_)
        | DriverAction::Anew { .. }
        | DriverAction::GiveUp(_) => None,
    });
    lines.collect()
}

pub(super) fn told(deeds: &[DriverAction]) -> Vec<&AgentEvent> {
    let events = deeds.iter().filter_map(|deed| match deed {
        DriverAction::Tell(event) => Some(event),
        DriverAction::Write(_)
        | DriverAction::Live(_)
        | DriverAction::Note(_)
        | DriverAction::Anew { .. }
        | DriverAction::GiveUp(_) => None,
    });
    events.collect()
}

fn said(deeds: &[DriverAction]) -> (String, String) {
    let lines = written(deeds);
    assert_eq!(lines.len(), 1, "{deeds:?}");
    let text = lines[0]["message"]["content"].as_str().expect("a message").to_owned();
    (lines[0]["uuid"].as_str().expect("an id").to_owned(), text)
}

#[test]
fn nothing_is_said_before_the_process_is_ready() {
    let mut conversation = begin(Role::Orchestrator, false);
    assert!(conversation.obey(deliver(1, "Build it.", None)).is_empty());
    assert!(conversation.obey(steer(2, "in red")).is_empty());
    let deeds = hear(&mut conversation, &greeted());
    let lines: Vec<Value> = written(&deeds).iter().map(|line| line["message"]["content"].clone()).collect();
    assert_eq!(lines, ["Build it.", "in red"]);
}

#[test]
fn a_turn_that_was_interrupted_before_it_was_said_rests() {
    let mut conversation = begin(Role::Orchestrator, false);
    conversation.obey(deliver(1, "Build it.", None));
    let deeds = conversation.obey(SessionCommand::Interrupt { turn: TurnId(1) });
    let end = TurnEnd::Interrupted;
    assert_eq!(told(&deeds), [&AgentEvent::Rested { turn: TurnId(1), end, tree: None }]);
    assert!(written(&hear(&mut conversation, &greeted())).is_empty());
}

#[test]
fn a_model_that_holds_the_message_is_told_to_go_on_under_a_new_id() {
    let mut conversation = ready(Role::Orchestrator);
    conversation.obey(deliver(1, "Build it.", None));
    hear(&mut conversation, &failed());
    let (uuid, text) = said(&conversation.obey(deliver(2, "Build it.", again(true))));
    assert_eq!(text, "go on");
    assert_ne!(uuid, "key-2");
    hear(&mut conversation, &init());
    assert_eq!(told(&hear(&mut conversation, &replay(&uuid))), [&AgentEvent::Heard(TurnId(2))]);
}

#[test]
fn a_message_that_is_only_acknowledged_is_followed_by_the_word_to_go_on() {
    let mut conversation = ready(Role::Orchestrator);
    // What an earlier process heard may not have reached the disk: the id tells.
    let (uuid, text) = said(&conversation.obey(deliver(1, "Build it.", again(true))));
    assert_eq!((uuid.as_str(), text.as_str()), ("key-1", "Build it.\n\ngo on"));
    assert_eq!(conversation.due(), None);
    assert!(conversation.obey(steer(2, "in red")).is_empty(), "there is no turn yet to fold words into");
    assert!(told(&hear(&mut conversation, &replay("key-1"))).is_empty());
    let due = conversation.due().expect("a time to look again");
    assert!(conversation.ring(Timestamp(due.0 - 1)).is_empty());
    let (uuid, text) = said(&conversation.ring(due));
    assert_eq!(text, "go on");
    assert_ne!(uuid, "key-1");
    assert_eq!(conversation.due(), None);
    assert_eq!(said(&hear(&mut conversation, &init())).1, "in red");
    assert_eq!(told(&hear(&mut conversation, &replay(&uuid))), [&AgentEvent::Heard(TurnId(1))]);
}

#[test]
fn a_process_that_never_begins_is_told_to_go_on_a_few_times_and_each_time_anew() {
    let mut conversation = ready(Role::Orchestrator);
    conversation.obey(deliver(1, "Build it.", None));
    let mut ids = vec!["key-1".to_owned()];
    while let Some(due) = {
        hear(&mut conversation, &replay(&ids[ids.len() - 1]));
        conversation.due()
    } {
        ids.push(said(&conversation.ring(due)).0);
    }
    assert_eq!(ids.len(), 1 + GO_ON_MAX);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 1 + GO_ON_MAX, "the process would pass over an id that it knows");
}

#[test]
fn a_result_in_another_form_ends_the_turn() {
    let mut conversation = ready(Role::Orchestrator);
    conversation.obey(deliver(1, "Build it.", None));
    let odd = json!({"type": "result", "is_error": false, "result": "Built.", "structured_output": {"kind": "x"},
                     "total_cost_usd": null, "modelUsage": [], "errors": null, "stop_reason": 7});
    let deeds = hear(&mut conversation, &odd);
    let [AgentEvent::Rested { end: TurnEnd::Spoke { output: Some(_), .. }, .. }] = told(&deeds)[..] else {
        panic!("{deeds:?}")
    };
    conversation.obey(deliver(2, "More.", None));
    assert!(
        told(&conversation.hear(r#"{"type":"result","is_err"#, Timestamp(1_000))).is_empty(),
        "it is torn"
    );
    let deeds = hear(&mut conversation, &json!({"type": "result", "is_error": "perhaps"}));
    let [AgentEvent::Failed { turn: TurnId(2), failure: Failure::Transient(_) }] = told(&deeds)[..] else {
        panic!("{deeds:?}")
    };
    assert!(!conversation.is_busy());
}

#[test]
fn a_message_that_is_executed_is_not_followed_by_anything() {
    let mut conversation = ready(Role::Orchestrator);
    conversation.obey(deliver(1, "Build it.", again(false)));
    hear(&mut conversation, &init());
    assert_eq!(told(&hear(&mut conversation, &replay("key-1"))), [&AgentEvent::Heard(TurnId(1))]);
    assert_eq!(conversation.due(), None);
}

#[test]
fn a_steered_text_that_missed_its_turn_is_the_next_turn_and_is_not_said_twice() {
    let mut conversation = ready(Role::Orchestrator);
    conversation.obey(deliver(1, "Build it.", None));
    conversation.obey(steer(2, "in red"));
    hear(&mut conversation, &init());
    hear(&mut conversation, &replay("key-1"));
    let rested = hear(&mut conversation, &result("built"));
    assert!(matches!(told(&rested)[..], [AgentEvent::Rested { turn: TurnId(1), .. }]), "{rested:?}");
    // The house learns of it now; the program has begun the turn by itself already.
    assert!(written(&conversation.obey(deliver(2, "in red", None))).is_empty());
    hear(&mut conversation, &init());
    assert_eq!(told(&hear(&mut conversation, &replay("key-2"))), [&AgentEvent::Heard(TurnId(2))]);
    let rested = hear(&mut conversation, &result("red"));
    assert!(matches!(told(&rested)[..], [AgentEvent::Rested { turn: TurnId(2), .. }]), "{rested:?}");
    // The house may be slower still.
    assert!(written(&conversation.obey(deliver(2, "in red", None))).is_empty());
    assert_eq!(said(&conversation.obey(deliver(3, "Next.", None))).1, "Next.");
}

#[test]
fn a_conversation_that_never_was_begins_with_the_whole_message() {
    let mut conversation = begin(Role::Orchestrator, false);
    conversation.obey(deliver(1, "Build it.", again(true)));
    let gone = json!({"type": "result", "subtype": "error_during_execution", "is_error": true,
                      "errors": ["No conversation found with session ID: x"]});
    assert_eq!(hear(&mut conversation, &gone), [DriverAction::Anew { resume: false }]);
    conversation.begin_anew(false);
    conversation.greet(Timestamp(0));
    let ready =
        json!({"type": "control_response", "response": {"subtype": "success", "request_id": "arbiter-2"}});
    let (uuid, text) = said(&hear(&mut conversation, &ready));
    assert_eq!((uuid.as_str(), text.as_str()), ("key-1", "Build it."));
}

#[test]
fn a_conversation_that_is_gone_is_not_begun_as_if_nothing_had_been_said() {
    let (by_tools, incarnation, initialize) = (false, 2, json!({}));
    let part = ConversationSetup {
        role: Role::Arbiter,
        by_tools,
        incarnation,
        initialize,
        spoke: true,
        gauge: None,
        judge: judge(Role::Arbiter),
    };
    let mut conversation = Conversation::new(part, 200_000);
    let gone = json!({"type": "result", "subtype": "error_during_execution", "is_error": true,
                      "errors": ["No conversation found with session ID: x"]});
    let deeds = hear(&mut conversation, &gone);
    assert!(matches!(&deeds[..], [DriverAction::GiveUp(why)] if why.contains("gone")), "{deeds:?}");
}

#[test]
fn a_process_that_refuses_to_be_initialised_is_given_up() {
    let mut conversation = begin(Role::Orchestrator, false);
    let refused = json!({"type": "control_response",
                         "response": {"subtype": "error", "request_id": "arbiter-1", "error": "no"}});
    let deeds = hear(&mut conversation, &refused);
    assert!(matches!(&deeds[..], [DriverAction::GiveUp(why)] if why.contains("initialised")), "{deeds:?}");
}

fn batch(agent: Option<&str>, tools: &[&str]) -> Value {
    let calls: Vec<Value> = tools.iter().map(|tool| json!({"tool_name": tool})).collect();
    let input = json!({"hook_event_name": "PostToolBatch", "agent_id": agent, "tool_calls": calls});
    let request = json!({"subtype": "hook_callback", "callback_id": "after-batch", "input": input});
    json!({"type": "control_request", "request_id": "r", "request": request})
}

#[test]
fn a_warning_reaches_the_main_thread_once_and_never_a_subagent_nor_a_turn_that_ends() {
    let mut conversation = ready(Role::Orchestrator);
    conversation.obey(deliver(1, "Build it.", None));
    conversation.obey(SessionCommand::Warn { percent: 70, text: Arc::from("Begin to conclude.") });
    let context = |deeds: &[DriverAction]| {
        written(deeds)[0]["response"]["response"]["hookSpecificOutput"]["additionalContext"].clone()
    };
    for quiet in [batch(Some("a1"), &["Bash"]), batch(None, &["Bash", "StructuredOutput"])] {
        let deeds = hear(&mut conversation, &quiet);
        assert_eq!(context(&deeds), Value::Null);
        assert!(told(&deeds).is_empty());
    }
    let deeds = hear(&mut conversation, &batch(None, &["Bash"]));
    assert_eq!(context(&deeds), "Begin to conclude.");
    assert_eq!(told(&deeds), [&AgentEvent::Warned { percent: 70 }]);
    assert_eq!(context(&hear(&mut conversation, &batch(None, &["Bash"]))), Value::Null);
}

#[test]
fn a_limit_that_names_its_end_stops_the_turn_and_is_told_with_that_time() {
    let mut conversation = ready(Role::Orchestrator);
    conversation.obey(deliver(1, "Build it.", None));
    let retry = |attempt: u32, error: &str, status: u16, delay: u64| {
        json!({"type": "system", "subtype": "api_retry", "attempt": attempt, "max_retries": 2,
               "retry_delay_ms": delay, "error_status": status, "error": error})
    };
    assert!(
        hear(&mut conversation, &retry(1, "rate_limit", 429, 5_000)).is_empty(),
        "a short wait is its own"
    );
    let stop = hear(&mut conversation, &retry(1, "rate_limit", 429, 300_000));
    assert_eq!(written(&stop)[0]["request"]["subtype"], "interrupt");
    assert!(hear(&mut conversation, &retry(1, "rate_limit", 429, 270_000)).is_empty(), "once is enough");
    let ended = json!({"type": "result", "subtype": "error_during_execution", "is_error": true,
                       "terminal_reason": "aborted_streaming"});
    let deeds = hear(&mut conversation, &ended);
    let [AgentEvent::Failed { turn: TurnId(1), failure: Failure::Limited { until, .. } }] = told(&deeds)[..]
    else {
        panic!("{deeds:?}")
    };
    assert_eq!(*until, Some(Timestamp(301_000)));
}

#[test]
fn a_login_that_is_refused_is_told_at_the_first_sign() {
    let mut conversation = ready(Role::Orchestrator);
    conversation.obey(deliver(1, "Build it.", None));
    let retry = json!({"type": "system", "subtype": "api_retry", "attempt": 1, "retry_delay_ms": 577,
                       "error_status": 401, "error": "authentication_failed"});
    assert_eq!(written(&hear(&mut conversation, &retry)).len(), 1);
    let ended = json!({"type": "result", "subtype": "error_during_execution", "is_error": true,
                       "terminal_reason": "aborted_streaming"});
    let deeds = hear(&mut conversation, &ended);
    assert!(
        matches!(told(&deeds)[..], [AgentEvent::Failed { failure: Failure::Unauthorised(_), .. }]),
        "{deeds:?}"
    );
}

fn call(tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    let message = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params});
    let request = json!({"subtype": "mcp_message", "server_name": mcp::SERVER, "message": message});
    json!({"type": "control_request", "request_id": "r", "request": request})
}

#[test]
fn the_tool_way_says_the_same_as_a_typed_output() {
    let mut conversation = begin(Role::Arbiter, true);
    hear(&mut conversation, &greeted());
    let mut turn = |number: u32, called: Option<Value>, text: &str| {
        conversation.obey(deliver(number, "Speak.", None));
        if let Some(called) = called {
            let answer = written(&hear(&mut conversation, &called)).remove(0);
            assert_eq!(answer["response"]["response"]["mcp_response"]["id"], 3);
        }
        let deeds = hear(&mut conversation, &result(text));
        let [AgentEvent::Rested { end: TurnEnd::Spoke { output, .. }, .. }] = told(&deeds)[..] else {
            panic!("{deeds:?}")
        };
        output.clone()
    };
    assert_eq!(turn(1, None, "Speak, mortal."), None);
    let asked = json!({"intent": "address_human", "asks": "alignment", "message": "All of it?"});
    assert_eq!(turn(2, Some(call("ask_for_yes", json!({"message": "All of it?"}))), ""), Some(asked));
    let summoned = json!({"intent": "summon_orchestrator", "brief": "Build it.", "message": "I summon."});
    let spawn = call("spawn_orchestrator", json!({"prompt": "Build it."}));
    assert_eq!(turn(3, Some(spawn), "I summon."), Some(summoned));
    let done = json!({"intent": "release_orchestrators", "claim": "complete", "message": "It is done."});
    let release = call("disconnect_orchestrators", json!({"claim": "complete"}));
    assert_eq!(turn(4, Some(release), "It is done."), Some(done));
    assert_eq!(turn(5, None, "Nothing is carried over."), None);
}

#[test]
fn a_session_that_shall_end_is_stopped_first_if_it_is_busy() {
    let mut conversation = ready(Role::Orchestrator);
    assert!(conversation.part().is_empty());
    conversation.obey(deliver(1, "Build it.", None));
    assert_eq!(written(&conversation.part())[0]["request"]["subtype"], "interrupt");
    assert!(conversation.is_busy());
    hear(&mut conversation, &result(""));
    assert!(!conversation.is_busy());
}

#[test]
fn a_turn_that_fails_with_words_steered_into_it_goes_on_with_them() {
    let mut conversation = ready(Role::Orchestrator);
    conversation.obey(deliver(1, "Build it.", None));
    conversation.obey(steer(2, "in red"));
    hear(&mut conversation, &init());
    assert!(told(&hear(&mut conversation, &failed())).is_empty(), "the program goes on by itself");
    hear(&mut conversation, &init());
    assert_eq!(told(&hear(&mut conversation, &replay("key-2"))), [&AgentEvent::Heard(TurnId(2))]);
    let rested = hear(&mut conversation, &result("red"));
    assert!(matches!(told(&rested)[..], [AgentEvent::Rested { turn: TurnId(1), .. }]), "{rested:?}");
    assert_eq!(said(&conversation.obey(deliver(3, "Next.", None))).1, "Next.");
}

#[test]
fn words_that_begin_like_a_command_reach_the_model() {
    let mut conversation = ready(Role::Orchestrator);
    let (_, text) = said(&conversation.obey(deliver(1, "/review the bridge", None)));
    assert_eq!(text, "\n/review the bridge");
}

#[test]
fn one_that_does_not_answer_our_greeting_is_given_up() {
    let mut conversation = begin(Role::Orchestrator, false);
    conversation.obey(deliver(1, "Build it.", None));
    let due = conversation.due().expect("a deadline");
    assert!(conversation.ring(Timestamp(due.0 - 1)).is_empty());
    assert!(matches!(&conversation.ring(due)[..], [DriverAction::GiveUp(_)]));
}

#[test]
fn the_humans_interrupt_outweighs_a_limit() {
    let mut conversation = ready(Role::Orchestrator);
    conversation.obey(deliver(1, "Build it.", None));
    let retry = json!({"type": "system", "subtype": "api_retry", "attempt": 1, "retry_delay_ms": 300_000,
                       "error_status": 429, "error": "rate_limit"});
    hear(&mut conversation, &retry);
    conversation.obey(SessionCommand::Interrupt { turn: TurnId(1) });
    let ended = json!({"type": "result", "subtype": "error_during_execution", "is_error": true,
                       "terminal_reason": "aborted_streaming"});
    let deeds = hear(&mut conversation, &ended);
    assert!(matches!(told(&deeds)[..], [AgentEvent::Rested { end: TurnEnd::Interrupted, .. }]), "{deeds:?}");
}

#[test]
fn an_interrupt_of_a_message_that_is_only_held_leaves_it_at_rest() {
    let mut conversation = ready(Role::Orchestrator);
    conversation.obey(deliver(1, "Build it.", again(true)));
    hear(&mut conversation, &replay("key-1"));
    conversation.obey(SessionCommand::Interrupt { turn: TurnId(1) });
    let deeds = conversation.ring(conversation.due().expect("a time to look again"));
    assert!(matches!(told(&deeds)[..], [AgentEvent::Rested { end: TurnEnd::Interrupted, .. }]), "{deeds:?}");
    assert!(!conversation.is_busy());
}

#[test]
fn the_gauge_needs_no_second_count_of_the_request() {
    let mut conversation = ready(Role::Orchestrator);
    conversation.obey(deliver(1, "Build it.", None));
    hear(&mut conversation, &init());
    let piece = |event: Value| json!({"type": "stream_event", "event": event, "parent_tool_use_id": null});
    let usage =
        json!({"input_tokens": 10, "cache_read_input_tokens": 150_000, "cache_creation_input_tokens": null});
    hear(&mut conversation, &piece(json!({"type": "message_start", "message": {"usage": usage}})));
    let deeds =
        hear(&mut conversation, &piece(json!({"type": "message_delta", "usage": {"output_tokens": 15}})));
    assert!(matches!(told(&deeds)[..], [AgentEvent::Gauged(Gauge { used: 150_025, .. })]), "{deeds:?}");
}

#[test]
fn a_question_that_is_not_understood_is_answered_all_the_same() {
    let mut conversation = ready(Role::Orchestrator);
    let torn =
        r#"{"type":"control_request","request_id":"r-7","request":{"subtype":"hook_callback","input":{"tool"#;
    let deeds = conversation.hear(torn, Timestamp(0));
    assert_eq!(written(&deeds)[0]["response"]["request_id"], "r-7");
    assert_eq!(written(&deeds)[0]["response"]["subtype"], "error");
}

#[test]
fn words_for_a_turn_that_is_taken_up_wait_with_it_until_the_process_is_ready() {
    let mut conversation = begin(Role::Orchestrator, false);
    conversation.obey(deliver(1, "Build it.", again(true)));
    conversation.obey(steer(2, "in red"));
    conversation.obey(deliver(3, "Next.", None));
    assert_eq!(written(&hear(&mut conversation, &greeted())).len(), 1, "the turn alone");
    assert_eq!(said(&hear(&mut conversation, &init())).1, "in red");
    hear(&mut conversation, &replay("key-1"));
    hear(&mut conversation, &replay("key-2"));
    assert_eq!(said(&hear(&mut conversation, &result("red"))).1, "Next.");
}
