//! The requests that the door makes of the Bot API, one method each.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;

use super::client::BotClient;
use mind::Timestamp;

use super::trouble::ApiTrouble;
use super::types::{ChatId, InlineKeyboard, MessageId, User};
use crate::limits::{TELEGRAM_POLL_SLACK, TELEGRAM_REQUEST_TIME_MAX};

/// An update as the server wrote it. One that we do not understand has its number too, and is not asked for again.
#[derive(Debug, Clone)]
pub struct TakenUpdate {
    pub update: i64,
    /// When it came.
    pub at: Timestamp,
    pub raw: Box<RawValue>,
}

/// What a message says, and what stands below it.
#[derive(Debug, Clone, Copy)]
pub struct MessageText<'a> {
    pub html: &'a str,
    pub keyboard: &'a InlineKeyboard,
    /// Only a new message without buttons can ask for a reply.
    pub asks_for_reply: bool,
}

/// A command in the menu of the bot, without its `/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BotCommand {
    pub command: String,
    pub description: String,
}

/// Whether updates go to an address instead of to those who ask. The address may hold a secret and is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookInfo {
    pub is_set: bool,
    /// How many updates wait at the server.
    pub waiting: u64,
}

#[derive(Deserialize)]
struct Numbered {
    update_id: i64,
}

#[derive(Deserialize)]
struct SentMessage {
    message_id: MessageId,
}

#[derive(Deserialize)]
struct WebhookAnswer {
    #[serde(default)]
    url: String,
    #[serde(default)]
    pending_update_count: u64,
}

/// Only that it was done matters.
type Done = serde::de::IgnoredAny;

/// The body of a message that is sent or edited.
#[derive(Serialize)]
struct MessageBody<'a> {
    chat_id: ChatId,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_id: Option<MessageId>,
    text: &'a str,
    parse_mode: &'static str,
    link_preview_options: LinkPreview,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply_markup: Option<Markup<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    disable_notification: bool,
}

#[derive(Serialize)]
struct LinkPreview {
    is_disabled: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Markup<'a> {
    Buttons(&'a InlineKeyboard),
    Reply { force_reply: bool },
}

impl<'a> MessageBody<'a> {
    fn new(chat_id: ChatId, text: MessageText<'a>) -> MessageBody<'a> {
        let has_buttons = text.keyboard.inline_keyboard.iter().any(|row| !row.is_empty());
        MessageBody {
            chat_id,
            message_id: None,
            text: text.html,
            parse_mode: "HTML",
            link_preview_options: LinkPreview { is_disabled: true },
            reply_markup: has_buttons.then_some(Markup::Buttons(text.keyboard)),
            disable_notification: false,
        }
    }
}

impl BotClient {
    /// The bot itself: whether the token holds.
    pub async fn get_me(&self) -> Result<User, ApiTrouble> {
        self.call("getMe", &json!({}), TELEGRAM_REQUEST_TIME_MAX).await
    }

    /// At most `count` updates from number `offset` on; those before it are forgotten by the server. It waits `long` for
    /// the first of them.
    pub async fn get_updates(
        &self,
        offset: i64,
        count: usize,
        long: Duration,
        now: fn() -> Timestamp,
    ) -> Result<Vec<TakenUpdate>, ApiTrouble> {
        let body = json!({
            "offset": offset,
            "limit": count,
            "timeout": long.as_secs(),
            "allowed_updates": ["message", "callback_query"],
        });
        let updates: Vec<Box<RawValue>> = self.call("getUpdates", &body, long + TELEGRAM_POLL_SLACK).await?;
        let (are_none, at) = (updates.is_empty(), now());
        let numbered = updates.into_iter().filter_map(|raw| {
            let Numbered { update_id } = serde_json::from_str(raw.get()).ok()?;
            Some(TakenUpdate { update: update_id, at, raw })
        });
        let taken: Vec<_> = numbered.collect();
        match taken.is_empty() && !are_none {
            true => Err(ApiTrouble::Unreadable("its updates have no numbers".to_owned())),
            false => Ok(taken),
        }
    }

    /// A new message.
    pub async fn send_message(
        &self,
        chat: ChatId,
        text: MessageText<'_>,
        is_silent: bool,
    ) -> Result<MessageId, ApiTrouble> {
        let mut body = MessageBody::new(chat, text);
        body.disable_notification = is_silent;
        if text.asks_for_reply && body.reply_markup.is_none() {
            body.reply_markup = Some(Markup::Reply { force_reply: true });
        }
        let sent: SentMessage = self.call("sendMessage", &body, TELEGRAM_REQUEST_TIME_MAX).await?;
        Ok(sent.message_id)
    }

    /// The message says this now. Buttons that are not named are taken away.
    pub async fn edit_message_text(
        &self,
        chat: ChatId,
        message: MessageId,
        text: MessageText<'_>,
    ) -> Result<(), ApiTrouble> {
        let mut body = MessageBody::new(chat, text);
        body.message_id = Some(message);
        let _: Done = self.call("editMessageText", &body, TELEGRAM_REQUEST_TIME_MAX).await?;
        Ok(())
    }

    /// The message has these buttons now; its text stays.
    pub async fn edit_message_reply_markup(
        &self,
        chat: ChatId,
        message: MessageId,
        keyboard: &InlineKeyboard,
    ) -> Result<(), ApiTrouble> {
        let body = json!({"chat_id": chat, "message_id": message, "reply_markup": keyboard});
        let _: Done = self.call("editMessageReplyMarkup", &body, TELEGRAM_REQUEST_TIME_MAX).await?;
        Ok(())
    }

    pub async fn delete_message(&self, chat: ChatId, message: MessageId) -> Result<(), ApiTrouble> {
        let body = json!({"chat_id": chat, "message_id": message});
        let _: Done = self.call("deleteMessage", &body, TELEGRAM_REQUEST_TIME_MAX).await?;
        Ok(())
    }

    /// The tapped button stops spinning.
    pub async fn answer_callback_query(
        &self,
        tap: &str,
        text: Option<&str>,
        is_alert: bool,
    ) -> Result<(), ApiTrouble> {
        let mut body = json!({"callback_query_id": tap});
        if let Some(text) = text {
            body["text"] = text.into();
            body["show_alert"] = is_alert.into();
        }
        let _: Done = self.call("answerCallbackQuery", &body, TELEGRAM_REQUEST_TIME_MAX).await?;
        Ok(())
    }

    /// The menu of the bot.
    pub async fn set_my_commands(&self, commands: &[BotCommand]) -> Result<(), ApiTrouble> {
        let body = json!({"commands": commands});
        let _: Done = self.call("setMyCommands", &body, TELEGRAM_REQUEST_TIME_MAX).await?;
        Ok(())
    }

    /// Whether updates go elsewhere.
    pub async fn get_webhook_info(&self) -> Result<WebhookInfo, ApiTrouble> {
        let answer: WebhookAnswer =
            self.call("getWebhookInfo", &json!({}), TELEGRAM_REQUEST_TIME_MAX).await?;
        Ok(WebhookInfo { is_set: !answer.url.is_empty(), waiting: answer.pending_update_count })
    }
}
