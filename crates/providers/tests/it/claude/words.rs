//! What of a streamed answer is shown while it comes.

use mind::session::Role;
use providers::claude::conversation::Conversation;
use providers::protocol::{DriverAction, Live};
use serde_json::{Value, json};

use super::conversation::{begin, deliver, hear, init, ready, result, told};

/// A session in a turn, and what a screen would show of it.
struct Screen {
    conversation: Conversation,
    text: String,
}

impl Screen {
    fn new(mut conversation: Conversation) -> Screen {
        let greeted = json!({"type": "control_response", "response": {"subtype": "success", "request_id": "arbiter-1"}});
        hear(&mut conversation, &greeted);
        conversation.obey(deliver(1, "go", None));
        hear(&mut conversation, &init());
        Screen { conversation, text: String::new() }
    }

    fn hear(&mut self, line: &Value) -> Vec<DriverAction> {
        let deeds = hear(&mut self.conversation, line);
        for deed in &deeds {
            match deed {
                DriverAction::Live(Live::Text(piece)) => self.text.push_str(piece),
                DriverAction::Live(Live::Clear) => self.text.clear(),
                DriverAction::Tell(_)
                | DriverAction::Write(_)
                | DriverAction::Note(_)
                | DriverAction::Anew { .. }
                | DriverAction::GiveUp(_) => {}
            }
        }
        deeds
    }

    fn stream(&mut self, event: Value) {
        let deeds = self.hear(&json!({"type": "stream_event", "event": event, "parent_tool_use_id": null}));
        assert!(told(&deeds).is_empty(), "words while they come are no news: {deeds:?}");
    }

    /// A message begins.
    fn message(&mut self) {
        self.stream(json!({"type": "message_start", "message": {"content": []}}));
    }

    fn block(&mut self, block: Value, deltas: &[Value]) {
        self.stream(json!({"type": "content_block_start", "index": 0, "content_block": block}));
        for delta in deltas {
            self.stream(json!({"type": "content_block_delta", "index": 0, "delta": delta}));
        }
        self.stream(json!({"type": "content_block_stop", "index": 0}));
    }

    fn text(&mut self, words: &[&str]) {
        let deltas: Vec<Value> =
            words.iter().map(|words| json!({"type": "text_delta", "text": words})).collect();
        self.block(json!({"type": "text", "text": ""}), &deltas);
    }

    /// A tool is called, its input cut into pieces of three signs.
    fn tool(&mut self, name: &str, input: &Value) {
        let input: Vec<char> = input.to_string().chars().collect();
        let pieces = input.chunks(3).map(|piece| piece.iter().collect::<String>());
        let deltas: Vec<Value> =
            pieces.map(|piece| json!({"type": "input_json_delta", "partial_json": piece})).collect();
        self.block(json!({"type": "tool_use", "id": "t", "name": name, "input": {}}), &deltas);
    }
}

fn typed(message: &str) -> Value {
    json!({"kind": "handoff", "expects_response": true, "message": message})
}

#[test]
fn words_stand_until_the_next_message_speaks() {
    let mut screen = Screen::new(ready(Role::Orchestrator));
    screen.message();
    screen.block(json!({"type": "thinking"}), &[json!({"type": "thinking_delta", "thinking": "hm"})]);
    assert_eq!(screen.text, "");
    screen.text(&["I look ", "at it."]);
    screen.text(&["And again."]);
    assert_eq!(screen.text, "I look at it.\n\nAnd again.");
    screen.tool("Bash", &json!({"command": "ls", "message": "no words for anybody"}));
    screen.message();
    screen.tool("Read", &json!({"file_path": "a"}));
    assert_eq!(screen.text, "I look at it.\n\nAnd again.", "they stand while tools run");
    screen.message();
    screen.text(&["It is", " green."]);
    assert_eq!(screen.text, "It is green.");
}

#[test]
fn the_typed_message_takes_the_place_of_the_words_around_it() {
    let mut screen = Screen::new(ready(Role::Orchestrator));
    screen.message();
    screen.text(&["Here is what I found."]);
    let message = "Done: «ü» \"quoted\"\nsecond line 𝕏";
    screen.tool("StructuredOutput", &typed(message));
    assert_eq!(screen.text, message);
    // Refused, and given again.
    screen.message();
    screen.tool("StructuredOutput", &typed("Better."));
    assert_eq!(screen.text, "Better.");
}

#[test]
fn a_summons_shows_its_message_and_its_brief() {
    let mut screen = Screen::new(ready(Role::Arbiter));
    screen.message();
    let summons =
        json!({"a_brief": "no", "brief": "Build it.", "intent": "summon_orchestrator", "message": "Awaken."});
    screen.tool("StructuredOutput", &summons);
    assert_eq!(screen.text, "Build it.\n\nAwaken.");
}

#[test]
fn our_own_tools_show_what_they_carry() {
    let mut screen = Screen::new(begin(Role::Arbiter, true));
    screen.message();
    screen.text(&["Awaken."]);
    screen.tool("mcp__arbiter__spawn_orchestrator", &json!({"prompt": "Build it."}));
    assert_eq!(screen.text, "Awaken.\n\nBuild it.", "here the words around it are the message");
    screen.message();
    screen.text(&["Well."]);
    screen.tool("mcp__arbiter__ask_for_yes", &json!({"message": "Shall it begin?"}));
    assert_eq!(screen.text, "Shall it begin?");
    screen.message();
    screen.tool("mcp__other__report", &json!({"message": "not ours"}));
    assert_eq!(screen.text, "Shall it begin?");

    let mut screen = Screen::new(begin(Role::Orchestrator, true));
    screen.message();
    screen.tool("mcp__arbiter__report", &typed("Written."));
    assert_eq!(screen.text, "Written.");
}

#[test]
fn an_answer_that_broke_off_is_shown_anew() {
    let mut screen = Screen::new(ready(Role::Orchestrator));
    screen.message();
    let start = json!({"type": "content_block_start", "content_block": {"type": "tool_use", "name": "StructuredOutput"}});
    screen.stream(start);
    let half = json!({"type": "input_json_delta", "partial_json": "{\"message\":\"Half\\ud835"});
    screen.stream(json!({"type": "content_block_delta", "delta": half}));
    assert_eq!(screen.text, "Half");
    screen.message();
    screen.tool("StructuredOutput", &typed("Whole."));
    assert_eq!(screen.text, "Whole.");
}

#[test]
fn subagents_are_not_shown() {
    let mut screen = Screen::new(ready(Role::Orchestrator));
    screen.message();
    screen.text(&["Mine."]);
    for event in [
        json!({"type": "message_start", "message": {"content": []}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "theirs"}}),
    ] {
        screen.hear(&json!({"type": "stream_event", "event": event, "parent_tool_use_id": "toolu_1"}));
    }
    assert_eq!(screen.text, "Mine.");
}

#[test]
fn a_turn_that_nobody_asked_for_leaves_no_words() {
    let mut screen = Screen::new(ready(Role::Orchestrator));
    screen.hear(&result("first"));
    screen.message();
    screen.text(&["By myself."]);
    assert_eq!(screen.text, "By myself.");
    let mut unasked = result("By myself.");
    unasked["origin"] = json!({"kind": "task-notification"});
    let deeds = screen.hear(&unasked);
    assert_eq!(screen.text, "");
    assert!(told(&deeds).is_empty());
}

#[test]
fn pieces_of_no_known_form_are_borne() {
    let mut screen = Screen::new(ready(Role::Orchestrator));
    for event in [
        json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "before any message"}}),
        json!({"type": "content_block_delta", "delta": {"type": "text_delta"}}),
        json!({"type": "content_block_start", "content_block": {"type": "tool_use"}}),
        json!({"type": "content_block_start", "content_block": {"type": "something_new", "text": 7}}),
        json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "in no text"}}),
        json!({"type": "content_block_stop"}),
        json!({"type": "content_block_stop"}),
        json!({"type": "message_stop"}),
    ] {
        screen.stream(event);
    }
    // These are kept as unknown.
    screen.stream(json!({"type": "content_block_delta", "delta": 7}));
    screen.stream(json!({"type": "content_block_start"}));
    assert_eq!(screen.text, "");
    screen.message();
    screen.text(&["And on."]);
    assert_eq!(screen.text, "And on.");
}
