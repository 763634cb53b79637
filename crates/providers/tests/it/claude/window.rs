//! The size of the context window: asked for before it is needed, remembered over processes, and guessed only for show.

use mind::session::{Gauge, Role};
use mind::{AgentEvent, Timestamp};
use providers::claude::conversation::{Conversation, ConversationSetup};
use providers::limits::{WINDOW_ASKED_AT_TOKENS, WINDOW_ASKS_MAX};
use providers::protocol::DriverAction;
use serde_json::{Value, json};

use super::conversation::{deliver, greeted, hear, judge, ready, result, told, written};

/// A session of which an earlier process said this.
fn resumed(gauge: Option<Gauge>) -> (Conversation, Vec<DriverAction>) {
    let (role, initialize) = (Role::Orchestrator, json!({"subtype": "initialize"}));
    let (by_tools, incarnation, spoke, judge) = (false, 2, true, judge(role));
    let part = ConversationSetup { role, by_tools, incarnation, initialize, spoke, gauge, judge };
    let mut conversation = Conversation::new(part, 200_000);
    conversation.greet(Timestamp(0));
    let deeds = hear(&mut conversation, &greeted());
    (conversation, deeds)
}

fn begins(conversation: &mut Conversation) {
    conversation.obey(deliver(1, "Build it.", None));
    hear(conversation, &json!({"type": "system", "subtype": "init", "model": "claude-opus-5-5"}));
}

/// An answer of the model to a request of this size.
fn answered(conversation: &mut Conversation, used: u64) -> Vec<DriverAction> {
    let event = json!({"type": "message_delta", "usage": {"input_tokens": used, "output_tokens": 0}});
    hear(conversation, &json!({"type": "stream_event", "event": event, "parent_tool_use_id": null}))
}

/// The id of the request for the window, if one is made.
fn asked(deeds: &[DriverAction]) -> Option<String> {
    let lines = written(deeds);
    let ask = lines.iter().find(|line| line["request"]["subtype"] == "get_context_usage")?;
    Some(ask["request_id"].as_str().expect("a request has an id").to_owned())
}

fn says(request: &str, window: u64) -> Value {
    let usage = json!({"maxTokens": window, "totalTokens": 1, "model": "claude-opus-5-5"});
    json!({"type": "control_response", "response": {"subtype": "success", "request_id": request, "response": usage}})
}

fn gauges(deeds: &[DriverAction]) -> Vec<(u64, u64, bool)> {
    let gauge = |event: &&AgentEvent| {
        let AgentEvent::Gauged(gauge) = event else { return None };
        Some((gauge.used, gauge.window, gauge.is_guess()))
    };
    told(deeds).iter().filter_map(gauge).collect()
}

#[test]
fn a_window_that_is_only_guessed_is_asked_for_once_before_it_matters() {
    let mut conversation = ready(Role::Orchestrator);
    begins(&mut conversation);
    let deeds = answered(&mut conversation, WINDOW_ASKED_AT_TOKENS - 1);
    assert_eq!((gauges(&deeds), asked(&deeds)), (vec![(WINDOW_ASKED_AT_TOKENS - 1, 200_000, true)], None));
    let deeds = answered(&mut conversation, 120_000);
    assert_eq!(gauges(&deeds), [(120_000, 200_000, true)]);
    let request = asked(&deeds).expect("it is asked");
    for used in [121_000, 150_000, 190_000] {
        let deeds = answered(&mut conversation, used);
        assert_eq!((gauges(&deeds), asked(&deeds)), (vec![(used, 200_000, true)], None), "once is enough");
    }
    assert_eq!(gauges(&hear(&mut conversation, &says(&request, 1_000_000))), [(190_000, 1_000_000, false)]);
    assert_eq!(asked(&answered(&mut conversation, 300_000)), None);
}

#[test]
fn a_window_that_the_result_named_is_not_asked_for() {
    let mut conversation = ready(Role::Orchestrator);
    begins(&mut conversation);
    answered(&mut conversation, 50_000);
    let mut end = result("built");
    end["modelUsage"] = json!({"claude-opus-5-5": {"contextWindow": 1_000_000}});
    assert_eq!(gauges(&hear(&mut conversation, &end)), [(50_000, 1_000_000, false)]);
    begins(&mut conversation);
    let deeds = answered(&mut conversation, 400_000);
    assert_eq!((gauges(&deeds), asked(&deeds)), (vec![(400_000, 1_000_000, false)], None));
}

#[test]
fn a_window_that_an_earlier_process_named_holds() {
    let before = Gauge::named(60_000, 1_000_000, "claude, its own window");
    let (mut conversation, deeds) = resumed(Some(before));
    assert_eq!(asked(&deeds), None, "there is room in every window");
    begins(&mut conversation);
    let deeds = answered(&mut conversation, 90_000);
    assert_eq!(gauges(&deeds), [(90_000, 1_000_000, false)]);
    // Another version of the program may have another window for the same model.
    let request = asked(&answered(&mut conversation, 300_000)).expect("this process has not named it");
    assert_eq!(gauges(&hear(&mut conversation, &says(&request, 1_000_000))), [], "no news");
    assert_eq!(gauges(&answered(&mut conversation, 310_000)), [(310_000, 1_000_000, false)]);
}

#[test]
fn a_full_context_whose_window_is_unknown_is_asked_for_before_the_first_turn() {
    let guess = Gauge { guessed: true, ..Gauge::named(300_000, 200_000, "claude") };
    let old = Gauge::named(300_000, 200_000, "claude, window by the model's name");
    for before in [guess, old] {
        let (mut conversation, deeds) = resumed(Some(before));
        let request = asked(&deeds).expect("it is asked");
        begins(&mut conversation);
        assert_eq!(
            gauges(&hear(&mut conversation, &says(&request, 1_000_000))),
            [(300_000, 1_000_000, false)]
        );
    }
}

#[test]
fn a_process_that_refuses_to_name_its_window_is_not_asked_for_ever() {
    let mut conversation = ready(Role::Orchestrator);
    begins(&mut conversation);
    let mut asks = 0;
    for step in 0..10 {
        if let Some(request) = asked(&answered(&mut conversation, 120_000 + step)) {
            asks += 1;
            let error = json!({"subtype": "error", "request_id": request, "error": "unknown request"});
            let deeds = hear(&mut conversation, &json!({"type": "control_response", "response": error}));
            asks += u32::from(asked(&deeds).is_some());
        }
    }
    assert_eq!(asks, WINDOW_ASKS_MAX);
}
