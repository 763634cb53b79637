//! What is kept of updates: of people whom we know all that they did, of strangers who wrote, and where. Their words are of no
//! use here, and not ours to keep, also where one of ours answers them.

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::telegram::wire::{TakenUpdate, UserId};

/// What tells who and where: of a message, and of a tap.
const MESSAGE_FIELDS: [&str; 4] = ["message_id", "from", "chat", "migrate_to_chat_id"];
const TAP_FIELDS: [&str; 3] = ["id", "from", "message"];
/// Of a person, and of a chat.
const WHO_FIELDS: [&str; 3] = ["id", "is_bot", "type"];

/// The update without words of strangers.
pub(super) fn without_words(taken: TakenUpdate, is_known: impl Fn(UserId) -> bool) -> TakenUpdate {
    let Ok(Value::Object(mut whole)) = serde_json::from_str(taken.raw.get()) else { return taken };
    let by = |kind: &str| whole.get(kind).and_then(|part| part["from"]["id"].as_i64());
    let is_ours =
        [by("message"), by("callback_query")].into_iter().flatten().any(|user| is_known(UserId(user)));
    let mut bare = json!({ "update_id": taken.update });
    if let Some(Value::Object(mut message)) = whole.remove("message") {
        match is_ours {
            true => drop_others_words(&mut message),
            false => message = whose(&message),
        }
        bare["message"] = Value::Object(message);
    }
    if let Some(Value::Object(tap)) = whole.remove("callback_query") {
        let mut kept = if is_ours { tap } else { fields(&tap, &TAP_FIELDS) };
        if let Some(Value::Object(message)) = kept.get_mut("message") {
            *message = whose(message);
        }
        if let Some(Value::Object(from)) = kept.get_mut("from").filter(|_| !is_ours) {
            *from = fields(from, &WHO_FIELDS);
        }
        bare["callback_query"] = Value::Object(kept);
    }
    match RawValue::from_string(bare.to_string()) {
        Ok(raw) => TakenUpdate { raw, ..taken },
        Err(_) => taken,
    }
}

/// A message by who wrote it and where.
fn whose(message: &Map<String, Value>) -> Map<String, Value> {
    let mut kept = fields(message, &MESSAGE_FIELDS);
    for name in ["from", "chat"] {
        if let Some(Value::Object(whole)) = kept.get_mut(name) {
            *whole = fields(whole, &WHO_FIELDS);
        }
    }
    kept
}

/// A person of ours may answer, quote or forward what others wrote: only which message that is.
fn drop_others_words(message: &mut Map<String, Value>) {
    if let Some(Value::Object(answered)) = message.get_mut("reply_to_message") {
        *answered = fields(answered, &["message_id"]);
    }
    for name in ["quote", "external_reply", "forward_origin", "pinned_message"] {
        message.remove(name);
    }
}

fn fields(of: &Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    let named = of.iter().filter(|(name, _)| names.contains(&name.as_str()));
    named.map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use mind::Timestamp;

    use super::*;
    use crate::telegram::wire::types::Update;

    fn kept(update: &Value) -> String {
        let raw = RawValue::from_string(update.to_string()).unwrap();
        let taken = TakenUpdate { update: 7, at: Timestamp(0), raw };
        let kept = without_words(taken, |user| user == UserId(1)).raw.get().to_owned();
        let known: Update = serde_json::from_str(&kept).expect("it is understood as before");
        assert_eq!(known.update_id, 7);
        kept
    }

    #[test]
    fn words_of_strangers_are_not_kept_and_those_of_known_people_are() {
        let says = |user: i64| {
            json!({"update_id": 7, "message": {"message_id": 3, "date": 5, "text": "words",
                   "from": {"id": user, "first_name": "Mallory", "is_bot": false},
                   "chat": {"id": user, "type": "private"}}})
        };
        assert!(kept(&says(1)).contains("words"));
        assert!(!kept(&says(2)).contains("words") && kept(&says(2)).contains("\"id\":2"));
        let tap = json!({"update_id": 7, "callback_query": {"id": "9", "from": {"id": 2, "first_name": "M"},
                         "data": "words", "message": {"message_id": 3, "chat": {"id": -4, "type": "group"}, "text": "words"}}});
        assert!(!kept(&tap).contains("words") && kept(&tap).contains("\"id\":-4"));
        let answers = json!({"update_id": 7, "message": {"message_id": 3, "text": "mine", "from": {"id": 1},
                             "chat": {"id": -4, "type": "group"}, "quote": {"text": "words"},
                             "reply_to_message": {"message_id": 2, "from": {"id": 2}, "text": "words"}}});
        assert!(kept(&answers).contains("mine") && !kept(&answers).contains("words"), "{}", kept(&answers));
        assert!(kept(&answers).contains(r#""reply_to_message":{"message_id":2}"#));
        // A kind that we know nothing of, and a group that moved.
        assert_eq!(kept(&json!({"update_id": 7, "edited_message": {"text": "words"}})), r#"{"update_id":7}"#);
        let moved = json!({"update_id": 7, "message": {"message_id": 3, "from": {"id": 2}, "text": "words",
                           "chat": {"id": -4, "type": "group"}, "migrate_to_chat_id": -100}});
        assert!(kept(&moved).contains("-100"));
    }
}
