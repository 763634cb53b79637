//! Messages: sent, edited, deleted, and the chats where that cannot be.

use std::time::Duration;

use serde_json::{Value, json};
use sim::bot_api::BotApi;

use super::client::{ok, post, refused, sent};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn api() -> BotApi {
    let api = BotApi::start();
    api.user(7).has_started();
    api
}

fn edit(message: i64, text: &str, markup: &Value) -> Value {
    json!({ "chat_id": 7, "message_id": message, "text": text, "reply_markup": markup })
}

#[test]
fn an_edit_shows_something_else_and_remembers_what_was() {
    let api = api();
    let message = sent(&api, 7, "one");
    let markup = json!({ "inline_keyboard": [[{ "text": "A", "callback_data": "a" }]] });
    ok(&api, "editMessageText", &edit(message, "two", &markup));
    let not_modified = "400 Bad Request: message is not modified: specified new message content and reply markup are \
                        exactly the same as a current content and reply markup of the message";
    assert_eq!(refused(&api, "editMessageText", &edit(message, "two", &markup)), not_modified);
    assert_eq!(api.chat(7).newest().map(|shown| shown.to_string()).as_deref(), Some("two\n[A]"));
    // Without buttons in the request they go.
    ok(&api, "editMessageReplyMarkup", &json!({ "chat_id": 7, "message_id": message }));
    let shown = api.chat(7).newest().expect("it is there");
    assert_eq!((shown.text.as_str(), shown.buttons().len(), shown.earlier.len()), ("two", 0, 2));
    assert_eq!(shown.earlier[0].text, "one");
}

#[test]
fn only_ones_own_plain_messages_are_edited_however_old() {
    let api = api();
    let (own, theirs) = (sent(&api, 7, "one"), api.user(7).says("theirs"));
    let asking = json!({ "chat_id": 7, "text": "?", "reply_markup": { "force_reply": true } });
    let asking = ok(&api, "sendMessage", &asking)["message_id"].as_i64().expect("a number");
    let none = Value::Null;
    assert_eq!(
        refused(&api, "editMessageText", &edit(999, "x", &none)),
        "400 Bad Request: message to edit not found"
    );
    assert_eq!(
        refused(&api, "editMessageText", &edit(theirs, "x", &none)),
        "400 Bad Request: message can't be edited"
    );
    assert_eq!(
        refused(&api, "editMessageText", &edit(asking, "x", &none)),
        "400 Bad Request: message can't be edited"
    );
    api.advance(3 * DAY);
    ok(&api, "editMessageText", &edit(own, "x", &none));
}

#[test]
fn messages_are_deleted_for_two_days() {
    let api = api();
    let (first, second) = (sent(&api, 7, "one"), sent(&api, 7, "two"));
    let gone = |message: i64| json!({ "chat_id": 7, "message_id": message });
    ok(&api, "deleteMessage", &gone(first));
    assert_eq!(refused(&api, "deleteMessage", &gone(first)), "400 Bad Request: message to delete not found");
    assert_eq!(
        refused(&api, "editMessageText", &edit(first, "x", &Value::Null)),
        "400 Bad Request: message to edit not found"
    );
    api.advance(2 * DAY + Duration::from_secs(1));
    assert_eq!(
        refused(&api, "deleteMessage", &gone(second)),
        "400 Bad Request: message can't be deleted for everyone"
    );
    assert_eq!(api.chat(7).messages().len(), 1);
}

#[test]
fn not_everybody_can_be_reached() {
    let api = api();
    let try_to = |chat: i64| refused(&api, "sendMessage", &json!({ "chat_id": chat, "text": "x" }));
    assert_eq!(try_to(8), "400 Bad Request: chat not found");
    api.user(8);
    assert_eq!(try_to(8), "400 Bad Request: chat not found");
    api.group(-5, "A group", &[7, 8]);
    assert_eq!(try_to(8), "403 Forbidden: bot can't initiate conversation with a user");
    api.user(7).blocks();
    assert_eq!(try_to(7), "403 Forbidden: bot was blocked by the user");
    api.user(7).says("/start");
    sent(&api, 7, "x");
    api.user(7).deactivates();
    assert_eq!(try_to(7), "403 Forbidden: user is deactivated");
}

#[test]
fn a_group_becomes_another_chat_or_throws_the_bot_out() {
    let api = api();
    let group = api.group(-5, "A group", &[7]);
    sent(&api, -5, "x");
    let upgraded = group.upgrades();
    let got = post(&api, "sendMessage", &json!({ "chat_id": -5, "text": "x" })).json();
    assert_eq!(got["description"], "Bad Request: group chat was upgraded to a supergroup chat");
    assert_eq!(got["parameters"]["migrate_to_chat_id"], upgraded.id);
    sent(&api, upgraded.id, "x");
    let other = api.group(-6, "Another", &[7]);
    other.kicks_bot(7);
    let try_to = |chat: i64| refused(&api, "sendMessage", &json!({ "chat_id": chat, "text": "x" }));
    assert_eq!(try_to(-6), "403 Forbidden: bot was kicked from the group chat");
    other.is_without_bot();
    assert_eq!(try_to(-6), "403 Forbidden: bot is not a member of the group chat");
}

#[test]
fn commands_are_judged_and_kept() {
    let api = api();
    let commands = json!([{ "command": "queue", "description": "What waits" }]);
    ok(&api, "setMyCommands", &json!({ "commands": commands }));
    assert_eq!(api.commands(), commands);
    let bad = json!({ "commands": [{ "command": "Queue!", "description": "x" }] });
    assert_eq!(refused(&api, "setMyCommands", &bad), "400 Bad Request: BOT_COMMAND_INVALID");
}
