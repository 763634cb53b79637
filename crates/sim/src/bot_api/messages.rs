//! The methods that write: send, edit, delete (telegram-bot-api, Client.cpp, commit 025884a: `process_send_message_query` and
//! the like). They judge in the same order as the real one: the text, the buttons, the chat, the message.

use serde_json::{Value, json};

use super::access::ChatAccess;
use super::chat::ChatMessage;
use super::limits::DELETE_AGE_MS_MAX;
use super::markup::MessageMarkup;
use super::parameters::BotParameters;
use super::refusal::ApiRefusal;
use super::state::BotState;
use super::text::read_text;

type Answered = Result<Value, ApiRefusal>;

impl BotState {
    pub(super) fn send_message(&mut self, parameters: &BotParameters) -> Answered {
        let text = read_text(parameters)?;
        let markup = MessageMarkup::read(parameters)?;
        let chat = self.reach(parameters, ChatAccess::Write)?;
        let reply_to = self.replied(chat, parameters)?;
        let now_ms = self.now_ms();
        self.flood.send(chat, now_ms).map_err(ApiRefusal::too_many)?;
        let id = self.put(ChatMessage {
            chat,
            id: 0,
            from: self.bot.id,
            is_from_bot: true,
            sent_ms: now_ms,
            edited_ms: None,
            text: text.text,
            entities: text.entities,
            markup,
            is_silent: parameters.truth("disable_notification"),
            reply_to,
            is_deleted: false,
            earlier: Vec::new(),
            content: None,
        });
        Ok(self.told(chat, id))
    }

    /// The message that is answered. Its wording when that is gone is unverified; it changed over the years.
    fn replied(&self, chat: i64, parameters: &BotParameters) -> Result<Option<i64>, ApiRefusal> {
        let given = parameters.json("reply_parameters");
        let given = given.map_err(|_| ApiRefusal::bad("can't parse reply parameters JSON object"))?;
        let (id, is_optional) = match given {
            Some(reply) => (reply["message_id"].as_i64(), reply["allow_sending_without_reply"] == true),
            None => {
                (parameters.integer("reply_to_message_id"), parameters.truth("allow_sending_without_reply"))
            }
        };
        match id.filter(|id| *id != 0) {
            Some(id) if self.message(chat, id).is_none() && is_optional => Ok(None),
            Some(id) if self.message(chat, id).is_none() => {
                Err(ApiRefusal::bad("message to be replied not found"))
            }
            id => Ok(id),
        }
    }

    pub(super) fn edit_text(&mut self, parameters: &BotParameters) -> Answered {
        let text = read_text(parameters)?;
        let markup = MessageMarkup::read(parameters)?;
        let (chat, id) = self.editable(parameters)?;
        self.edit(chat, id, |message| message.show(text, markup, 0))
    }

    pub(super) fn edit_markup(&mut self, parameters: &BotParameters) -> Answered {
        let markup = MessageMarkup::read(parameters)?;
        let (chat, id) = self.editable(parameters)?;
        self.edit(chat, id, |message| message.show(message.formatted(), markup, 0))
    }

    fn edit(&mut self, chat: i64, id: i64, change: impl FnOnce(&mut ChatMessage)) -> Answered {
        let now_ms = self.now_ms();
        let found = self.chats.get_mut(&chat).and_then(|chat| chat.messages.get_mut(&id));
        let Some(message) = found else { return Err(ApiRefusal::bad("message to edit not found")) };
        let mut edited = message.clone();
        change(&mut edited);
        if !matches!(edited.markup, MessageMarkup::Nothing | MessageMarkup::Inline(_)) {
            // Unverified.
            return Err(ApiRefusal::bad("inline keyboard expected"));
        }
        if edited.formatted() == message.formatted() && edited.markup == message.markup {
            // `fail_query_with_error`: MESSAGE_NOT_MODIFIED.
            return Err(ApiRefusal::bad(
                "message is not modified: specified new message content and reply markup are exactly the same as a \
                 current content and reply markup of the message",
            ));
        }
        self.flood.send(chat, now_ms).map_err(ApiRefusal::too_many)?;
        edited.edited_ms = Some(now_ms);
        *message = edited;
        Ok(self.told(chat, id))
    }

    /// `check_message`, and td's `can_edit_message`: one's own messages, however old, but none that was sent with a keyboard or
    /// the wish for a reply (recorded: pastebin.com/QP2FyfxZ).
    fn editable(&self, parameters: &BotParameters) -> Result<(i64, i64), ApiRefusal> {
        if parameters.text("chat_id").is_empty() && parameters.text("message_id").is_empty() {
            return Err(ApiRefusal::bad("message identifier is not specified"));
        }
        let chat = self.reach(parameters, ChatAccess::Edit)?;
        let id = parameters.integer("message_id").unwrap_or_default();
        let Some(message) = self.message(chat, id) else {
            return Err(ApiRefusal::bad("message to edit not found"));
        };
        let is_plain = matches!(message.markup, MessageMarkup::Nothing | MessageMarkup::Inline(_));
        if !message.is_from_bot || !is_plain {
            return Err(ApiRefusal::bad("message can't be edited"));
        }
        Ok((chat, id))
    }

    /// core.telegram.org/bots/api#deletemessage: nothing older than 48 hours; others' messages in private chats only, unless the
    /// bot governs the group, which it never does here.
    pub(super) fn delete_message(&mut self, parameters: &BotParameters) -> Answered {
        if parameters.text("chat_id").is_empty() {
            return Err(ApiRefusal::bad("chat identifier is not specified"));
        }
        let id = parameters.integer("message_id").unwrap_or_default();
        if id == 0 {
            return Err(ApiRefusal::bad("message identifier is not specified"));
        }
        let chat = self.reach(parameters, ChatAccess::Write)?;
        let now_ms = self.now_ms();
        let found = self.chats.get_mut(&chat).and_then(|chat| chat.messages.get_mut(&id));
        let Some(message) = found.filter(|message| !message.is_deleted) else {
            return Err(ApiRefusal::bad("message to delete not found"));
        };
        let is_old = now_ms.saturating_sub(message.sent_ms) > DELETE_AGE_MS_MAX;
        if is_old || (chat < 0 && !message.is_from_bot) {
            return Err(ApiRefusal::bad("message can't be deleted for everyone"));
        }
        message.is_deleted = true;
        Ok(json!(true))
    }

    fn told(&self, chat: i64, id: i64) -> Value {
        self.message(chat, id).map(|message| self.message_json(message)).unwrap_or_default()
    }
}
