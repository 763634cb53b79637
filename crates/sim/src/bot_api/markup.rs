//! What stands below a message: buttons, or the wish for a reply. Read as `get_reply_markup` reads it (telegram-bot-api,
//! Client.cpp, commit 025884a).

use serde_json::{Value, json};

use super::limits::{BUTTON_DATA_BYTES_MAX, BUTTONS_MAX, MARKUP_BYTES_MAX};
use super::parameters::BotParameters;
use super::refusal::ApiRefusal;

/// A button below a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlineButton {
    pub text: String,
    /// What a tap brings to the bot; none if the button opens an address.
    pub data: Option<String>,
    pub url: Option<String>,
}

/// What a message was sent with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum MessageMarkup {
    #[default]
    Nothing,
    Inline(Vec<Vec<InlineButton>>),
    /// The client opens a field to answer this message.
    ForceReply,
    /// A keyboard in place of the letters, or its removal: the fake shows neither.
    Keyboard,
}

impl MessageMarkup {
    /// Reads the parameter `reply_markup`.
    pub(super) fn read(parameters: &BotParameters) -> Result<MessageMarkup, ApiRefusal> {
        let broken = |_| ApiRefusal::bad("can't parse reply keyboard markup JSON object");
        let Some(markup) = parameters.json("reply_markup").map_err(broken)? else {
            return Ok(MessageMarkup::Nothing);
        };
        if !markup.is_object() {
            return Err(ApiRefusal::bad("object expected as reply markup"));
        }
        let rows = match &markup["inline_keyboard"] {
            Value::Null => Vec::new(),
            Value::Array(rows) => rows.iter().map(row).collect::<Result<Vec<_>, _>>()?,
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
                return Err(ApiRefusal::bad("field \"inline_keyboard\" must be of type Array"));
            }
        };
        let is = |name: &str| markup[name] == true;
        if markup["keyboard"].as_array().is_some_and(|rows| !rows.is_empty()) {
            return Ok(MessageMarkup::Keyboard);
        }
        if rows.is_empty() {
            let force = is("force_reply");
            let removed = is("remove_keyboard");
            return Ok(match (removed, force) {
                (true, _) => MessageMarkup::Keyboard,
                (false, true) => MessageMarkup::ForceReply,
                (false, false) => MessageMarkup::Nothing,
            });
        }
        check_size(&rows, &markup)?;
        // The server leaves empty rows out; unverified.
        Ok(MessageMarkup::Inline(rows.into_iter().filter(|row| !row.is_empty()).collect()))
    }

    /// As it is told in a message; only inline buttons are.
    pub(super) fn json(&self) -> Option<Value> {
        let MessageMarkup::Inline(rows) = self else { return None };
        let rows: Vec<Vec<Value>> =
            rows.iter().map(|row| row.iter().map(InlineButton::json).collect()).collect();
        Some(json!({ "inline_keyboard": rows }))
    }

    pub(super) fn rows(&self) -> &[Vec<InlineButton>] {
        match self {
            MessageMarkup::Inline(rows) => rows,
            MessageMarkup::Nothing | MessageMarkup::ForceReply | MessageMarkup::Keyboard => &[],
        }
    }
}

impl InlineButton {
    fn json(&self) -> Value {
        match (&self.url, &self.data) {
            (Some(url), _) => json!({ "text": self.text, "url": url }),
            (None, data) => json!({ "text": self.text, "callback_data": data }),
        }
    }
}

fn row(row: &Value) -> Result<Vec<InlineButton>, ApiRefusal> {
    let text = "field \"inline_keyboard\" of the InlineKeyboardMarkup must be an Array of Arrays";
    row.as_array().ok_or_else(|| ApiRefusal::bad(text))?.iter().map(button).collect()
}

fn button(button: &Value) -> Result<InlineButton, ApiRefusal> {
    let broken = |why: &str| ApiRefusal::bad(&format!("can't parse inline keyboard button: {why}"));
    let field = |name: &str| button[name].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    if !button.is_object() {
        return Err(broken("InlineKeyboardButton must be an Object"));
    }
    let Some(text) = button["text"].as_str().map(str::to_owned) else {
        return Err(broken("Can't find field \"text\""));
    };
    let (url, data) = (field("url"), field("callback_data"));
    if url.is_none() && data.is_none() {
        // So also with data of no length.
        return Err(broken("Text buttons are unallowed in the inline keyboard"));
    }
    if text.trim().is_empty() {
        // Unverified.
        return Err(ApiRefusal::bad("BUTTON_TEXT_INVALID"));
    }
    // Reported widely: microsoft/botframework-sdk, issue 4218.
    if url.is_none() && data.as_ref().is_some_and(|data| data.len() > BUTTON_DATA_BYTES_MAX) {
        return Err(ApiRefusal::bad("BUTTON_DATA_INVALID"));
    }
    Ok(InlineButton { data: data.filter(|_| url.is_none()), text, url })
}

/// `fail_query_with_error`: REPLY_MARKUP_TOO_LONG. Where the bounds are is unverified.
fn check_size(rows: &[Vec<InlineButton>], markup: &Value) -> Result<(), ApiRefusal> {
    let buttons: usize = rows.iter().map(Vec::len).sum();
    if buttons > BUTTONS_MAX || markup.to_string().len() > MARKUP_BYTES_MAX {
        return Err(ApiRefusal::bad("reply markup is too long"));
    }
    Ok(())
}
