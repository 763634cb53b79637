//! What a refused or failed request means: one variant for each thing a caller does. The code of the error is asked first,
//! its words last, since only the words are made for people and may change.

use std::time::Duration;

use super::types::{AnswerParameters, ChatId};
use crate::limits::{RETRY_AFTER_MAX, RETRY_AFTER_UNSAID, TROUBLE_CHARS_MAX};

/// Why a request came to nothing. It never has the token, nor the address that the token stands in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApiTrouble {
    /// Too many requests: the same one is sent again after this time.
    #[error("Telegram asks to wait {} s", .0.as_secs())]
    RetryAfter(Duration),
    /// The token is wrong or was revoked.
    #[error("Telegram does not know the bot's token (hint: BotFather shows the one that is valid)")]
    Unauthorized,
    /// The updates of this bot go elsewhere.
    #[error("{}", conflict(*webhook))]
    Conflict { webhook: bool },
    /// The person blocked the bot or never started it, or the group threw it out.
    #[error("the bot may not write there: {0}")]
    Blocked(String),
    /// The chat is not there.
    #[error("Telegram does not find the chat")]
    NoChat,
    /// The group became another chat.
    #[error("the group is chat {} now", .0.0)]
    Migrated(ChatId),
    /// The message shows this already.
    #[error("the message shows this already")]
    NotModified,
    /// The button does not wait for an answer any more.
    #[error("the tap is too old to be answered")]
    TapTooOld,
    /// The message was deleted, or cannot be edited.
    #[error("the message is gone or cannot be edited")]
    MessageGone,
    /// The message is too old to be deleted.
    #[error("the message cannot be deleted any more")]
    Undeletable,
    /// The request is wrong, however often it is sent.
    #[error("Telegram refuses the request: {0}")]
    Rejected(String),
    /// The server has a fault of its own.
    #[error("Telegram has trouble of its own: {0}")]
    Server(String),
    /// An answer came, and it is none of a Bot API: what was asked may have been done.
    #[error("the answer is not a Bot API's: {0}")]
    Unreadable(String),
    /// No connection, or it broke.
    #[error("the Bot API cannot be reached: {0}")]
    Unreachable(String),
    /// No answer in time: what was asked may have been done.
    #[error("the Bot API does not answer in time")]
    TimedOut,
}

fn conflict(webhook: bool) -> &'static str {
    match webhook {
        true => {
            "a webhook is set for this bot and takes its updates (hint: call deleteWebhook, or use another bot)"
        }
        false => {
            "another program asks for this bot's updates with the same token (hint: stop it, or use another bot)"
        }
    }
}

impl ApiTrouble {
    /// What the answer of a Bot API says, whose `ok` is false.
    pub fn of_answer(code: i64, description: &str, parameters: AnswerParameters) -> ApiTrouble {
        if let Some(chat) = parameters.migrate_to_chat_id {
            return ApiTrouble::Migrated(chat);
        }
        let said = mind::limits::cut(description, TROUBLE_CHARS_MAX);
        let words = description.to_ascii_lowercase();
        match code {
            401 => ApiTrouble::Unauthorized,
            // A token that is none at all is answered like an address that is none.
            404 if words == "not found" => ApiTrouble::Unauthorized,
            403 => ApiTrouble::Blocked(said),
            409 => ApiTrouble::Conflict { webhook: words.contains("webhook") },
            429 => ApiTrouble::RetryAfter(retry_after(&words, parameters)),
            500..=599 => ApiTrouble::Server(said),
            400 => bad_request(&words, said),
            _ => ApiTrouble::Rejected(said),
        }
    }

    /// What an answer without the words of a Bot API means.
    pub fn of_status(status: u16) -> ApiTrouble {
        match status {
            200..=299 => ApiTrouble::Unreadable("no JSON, or not of the right form".to_owned()),
            300..=399 => ApiTrouble::Unreachable(format!(
                "the server redirects with status {status}, which is not followed (hint: is api_url right?)"
            )),
            429 => ApiTrouble::RetryAfter(RETRY_AFTER_UNSAID),
            500..=599 => ApiTrouble::Server(format!("status {status}")),
            _ => ApiTrouble::Unreachable(format!(
                "status {status} without a Bot API's words (hint: is api_url right?)"
            )),
        }
    }
}

/// The words of a bad request, as the server's source has them, or as Telegram's own servers write them.
fn bad_request(words: &str, said: String) -> ApiTrouble {
    let says = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
    if says(&["message is not modified", "message_not_modified"]) {
        ApiTrouble::NotModified
    } else if says(&["query is too old", "query id is invalid", "query_id_invalid"]) {
        ApiTrouble::TapTooOld
    } else if says(&[
        "message to edit not found",
        "message to delete not found",
        "message can't be edited",
        "message_id_invalid",
        "there is no text in the message to edit",
    ]) {
        ApiTrouble::MessageGone
    } else if says(&["message can't be deleted", "message_delete_forbidden"]) {
        ApiTrouble::Undeletable
    } else if says(&["chat not found", "user not found", "peer_id_invalid"]) {
        ApiTrouble::NoChat
    } else if says(&[
        "not enough rights to send",
        "have no rights to send",
        "no write access to the chat",
        "chat_write_forbidden",
    ]) {
        ApiTrouble::Blocked(said)
    } else {
        ApiTrouble::Rejected(said)
    }
}

/// The time that the server names, in its parameters or else in its words.
fn retry_after(words: &str, parameters: AnswerParameters) -> Duration {
    let number = || {
        let (_, after) = words.split_once("retry after ")?;
        let end = after.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(after.len());
        after[..end].parse().ok()
    };
    let seconds = parameters.retry_after.or_else(number);
    seconds.map_or(RETRY_AFTER_UNSAID, Duration::from_secs).clamp(Duration::from_secs(1), RETRY_AFTER_MAX)
}
