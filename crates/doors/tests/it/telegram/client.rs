//! What is asked of the Bot API, what its errors mean, and that the token is in none of them.

use std::time::Duration;

use doors::limits::{RETRY_AFTER_MAX, RETRY_AFTER_UNSAID, TELEGRAM_ANSWER_BYTES_MAX};
use doors::telegram::TelegramError;
use doors::telegram::wire::types::{AnswerParameters, InlineButton, InlineKeyboard};
use doors::telegram::wire::{ApiTrouble, BotClient, BotCommand, ChatId, MessageId, MessageText, WebhookInfo};
use mind::Timestamp;
use serde_json::json;

use super::server::{Call, Server, TOKEN, token};

const CHAT: ChatId = ChatId(-7);
const MESSAGE: MessageId = MessageId(5);

/// What the one request of `asks` comes to when it is answered so.
async fn asked<T>(
    server: &mut Server,
    asks: impl Future<Output = Result<T, ApiTrouble>>,
    answer: impl FnOnce(Call),
) -> Result<T, ApiTrouble> {
    let (asked, ()) = tokio::join!(asks, async { answer(server.next().await) });
    asked
}

fn keyboard() -> InlineKeyboard {
    let button = InlineButton { text: "A".to_owned(), callback_data: "1:a".to_owned() };
    InlineKeyboard { inline_keyboard: vec![vec![button]] }
}

#[tokio::test]
async fn requests_are_as_the_bot_api_wants_them() {
    let mut server = Server::start().await;
    let client = server.client();
    let (keyboard, none) = (keyboard(), InlineKeyboard::default());
    let text = |keyboard, asks_for_reply| MessageText { html: "<b>x</b>", keyboard, asks_for_reply };
    let mut asked_for = Vec::new();
    let mut keep = |call: &Call| asked_for.push(format!("{} {}", call.method, call.body));

    let me = asked(&mut server, client.get_me(), |call| {
        assert_eq!(call.path, format!("/bot{TOKEN}/getMe"));
        call.ok(json!({"id": 4711, "is_bot": true, "first_name": "Ar", "username": "ar_bot", "more": 1}));
    });
    assert_eq!(me.await.unwrap().username.as_deref(), Some("ar_bot"));

    let sent = asked(&mut server, client.send_message(CHAT, text(&keyboard, true), true), |call| {
        keep(&call);
        call.ok(json!({"message_id": 9, "chat": {"id": -7, "type": "group"}}));
    });
    assert_eq!(sent.await, Ok(MessageId(9)));
    let sent = asked(&mut server, client.send_message(CHAT, text(&none, true), false), |call| {
        keep(&call);
        call.ok(json!({"message_id": 10}));
    });
    assert_eq!(sent.await, Ok(MessageId(10)));
    let edited = asked(&mut server, client.edit_message_text(CHAT, MESSAGE, text(&none, true)), |call| {
        keep(&call);
        call.ok(json!(true));
    });
    assert_eq!(edited.await, Ok(()));
    let stripped = client.edit_message_reply_markup(CHAT, MESSAGE, &none);
    let stripped = asked(&mut server, stripped, |call| {
        keep(&call);
        call.ok(json!({"message_id": 5}));
    });
    assert_eq!(stripped.await, Ok(()));
    let deleted = asked(&mut server, client.delete_message(CHAT, MESSAGE), |call| {
        keep(&call);
        call.ok(json!(true));
    });
    assert_eq!(deleted.await, Ok(()));
    for text in [None, Some("Saved")] {
        let answered = asked(&mut server, client.answer_callback_query("77", text, true), |call| {
            keep(&call);
            call.ok(json!(true));
        });
        assert_eq!(answered.await, Ok(()));
    }
    let commands = [BotCommand { command: "queue".to_owned(), description: "What waits".to_owned() }];
    let set = asked(&mut server, client.set_my_commands(&commands), |call| {
        keep(&call);
        call.ok(json!(true));
    });
    assert_eq!(set.await, Ok(()));
    let hook = asked(&mut server, client.get_webhook_info(), |call| {
        keep(&call);
        call.ok(json!({"url": "https://secret.example", "pending_update_count": 3}));
    });
    assert_eq!(hook.await, Ok(WebhookInfo { is_set: true, waiting: 3 }));

    assert_eq!(
        asked_for,
        [
            r#"sendMessage {"chat_id":-7,"disable_notification":true,"link_preview_options":{"is_disabled":true},"parse_mode":"HTML","reply_markup":{"inline_keyboard":[[{"callback_data":"1:a","text":"A"}]]},"text":"<b>x</b>"}"#,
            r#"sendMessage {"chat_id":-7,"link_preview_options":{"is_disabled":true},"parse_mode":"HTML","reply_markup":{"force_reply":true},"text":"<b>x</b>"}"#,
            r#"editMessageText {"chat_id":-7,"link_preview_options":{"is_disabled":true},"message_id":5,"parse_mode":"HTML","text":"<b>x</b>"}"#,
            r#"editMessageReplyMarkup {"chat_id":-7,"message_id":5,"reply_markup":{"inline_keyboard":[]}}"#,
            r#"deleteMessage {"chat_id":-7,"message_id":5}"#,
            r#"answerCallbackQuery {"callback_query_id":"77"}"#,
            r#"answerCallbackQuery {"callback_query_id":"77","show_alert":true,"text":"Saved"}"#,
            r#"setMyCommands {"commands":[{"command":"queue","description":"What waits"}]}"#,
            r#"getWebhookInfo {}"#,
        ]
    );
}

#[tokio::test]
async fn updates_come_raw_and_one_that_nobody_understands_counts_too() {
    let mut server = Server::start().await;
    let client = server.client();
    let updates =
        asked(&mut server, client.get_updates(40, 100, Duration::from_secs(2), || Timestamp(7)), |call| {
            let allowed = json!(["message", "callback_query"]);
            let wanted = json!({"offset": 40, "limit": 100, "timeout": 2, "allowed_updates": allowed});
            assert_eq!((call.method.as_str(), &call.body), ("getUpdates", &wanted));
            let updates = r#"[{"update_id":40,"message":{"text":1}}, {"update_id":41,
            "future":[1.50]}, {"no_number":1}]"#;
            call.says(200, &format!(r#"{{"ok":true,"result":{updates}}}"#));
        });
    let updates = updates.await.unwrap();
    let numbers: Vec<_> = updates.iter().map(|taken| taken.update).collect();
    assert_eq!(numbers, [40, 41]);
    assert!(updates[1].raw.get().contains("1.50"), "as the server wrote it");

    let nonsense = asked(&mut server, client.get_updates(0, 1, Duration::ZERO, || Timestamp(7)), |call| {
        call.ok(json!([{"a": 1}]))
    });
    assert!(matches!(nonsense.await, Err(ApiTrouble::Unreadable(_))));
    let none = asked(&mut server, client.get_updates(0, 1, Duration::ZERO, || Timestamp(7)), |call| {
        call.ok(json!([]))
    });
    assert!(none.await.unwrap().is_empty());
}

/// Texts as the Bot API's server has them in its source (tdlib/telegram-bot-api), or as others recorded them.
#[test]
fn every_recorded_error_means_what_a_caller_does() {
    let none = AnswerParameters::default();
    let after = |seconds| AnswerParameters { retry_after: Some(seconds), migrate_to_chat_id: None };
    let moved = AnswerParameters { retry_after: None, migrate_to_chat_id: Some(ChatId(-1_001)) };
    let blocked = |said: &str| ApiTrouble::Blocked(said.to_owned());
    let rejected = |said: &str| ApiTrouble::Rejected(said.to_owned());
    let seconds = |seconds| ApiTrouble::RetryAfter(Duration::from_secs(seconds));
    let table = [
        (401, "Unauthorized", none, ApiTrouble::Unauthorized),
        (404, "Not Found", none, ApiTrouble::Unauthorized),
        (404, "Not Found: method not found", none, rejected("Not Found: method not found")),
        (
            409,
            "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
            none,
            ApiTrouble::Conflict { webhook: false },
        ),
        (
            409,
            "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
            none,
            ApiTrouble::Conflict { webhook: true },
        ),
        (429, "Too Many Requests: retry after 14", after(14), seconds(14)),
        (429, "Too Many Requests: retry after 7", none, seconds(7)),
        (429, "Too Many Requests", none, ApiTrouble::RetryAfter(RETRY_AFTER_UNSAID)),
        (429, "Too Many Requests: retry after 0", after(0), seconds(1)),
        (429, "Too Many Requests", after(u64::MAX), ApiTrouble::RetryAfter(RETRY_AFTER_MAX)),
        (
            403,
            "Forbidden: bot was blocked by the user",
            none,
            blocked("Forbidden: bot was blocked by the user"),
        ),
        (403, "Forbidden: user is deactivated", none, blocked("Forbidden: user is deactivated")),
        (
            403,
            "Forbidden: bot can't initiate conversation with a user",
            none,
            blocked("Forbidden: bot can't initiate conversation with a user"),
        ),
        (
            403,
            "Forbidden: bot was kicked from the supergroup chat",
            none,
            blocked("Forbidden: bot was kicked from the supergroup chat"),
        ),
        (
            400,
            "Bad Request: not enough rights to send text messages to the chat",
            none,
            blocked("Bad Request: not enough rights to send text messages to the chat"),
        ),
        (400, "Bad Request: chat not found", none, ApiTrouble::NoChat),
        (400, "Bad Request: PEER_ID_INVALID", none, ApiTrouble::NoChat),
        (
            400,
            "Bad Request: group chat was upgraded to a supergroup chat",
            moved,
            ApiTrouble::Migrated(ChatId(-1_001)),
        ),
        (403, "Forbidden: the group chat was upgraded", moved, ApiTrouble::Migrated(ChatId(-1_001))),
        (
            400,
            "Bad Request: message is not modified: specified new message content and reply markup are exactly the \
             same as a current content and reply markup of the message",
            none,
            ApiTrouble::NotModified,
        ),
        (
            400,
            "Bad Request: query is too old and response timeout expired or query ID is invalid",
            none,
            ApiTrouble::TapTooOld,
        ),
        (400, "Bad Request: QUERY_ID_INVALID", none, ApiTrouble::TapTooOld),
        (400, "Bad Request: message to edit not found", none, ApiTrouble::MessageGone),
        (400, "Bad Request: message can't be edited", none, ApiTrouble::MessageGone),
        (400, "Bad Request: MESSAGE_ID_INVALID", none, ApiTrouble::MessageGone),
        (400, "Bad Request: message to delete not found", none, ApiTrouble::MessageGone),
        (400, "Bad Request: message can't be deleted for everyone", none, ApiTrouble::Undeletable),
        (400, "Bad Request: message can't be deleted", none, ApiTrouble::Undeletable),
        (400, "Bad Request: message is too long", none, rejected("Bad Request: message is too long")),
        (400, "Bad Request: BUTTON_DATA_INVALID", none, rejected("Bad Request: BUTTON_DATA_INVALID")),
        (
            400,
            "Bad Request: can't parse entities: Can't find end tag corresponding to start tag \"b\"",
            none,
            rejected(
                "Bad Request: can't parse entities: Can't find end tag corresponding to start tag \"b\"",
            ),
        ),
        (413, "Request Entity Too Large", none, rejected("Request Entity Too Large")),
        (500, "Internal Server Error", none, ApiTrouble::Server("Internal Server Error".to_owned())),
        (502, "Bad Gateway", none, ApiTrouble::Server("Bad Gateway".to_owned())),
    ];
    for (code, description, parameters, wanted) in table {
        assert_eq!(ApiTrouble::of_answer(code, description, parameters), wanted, "{code} {description}");
    }
    let long = ApiTrouble::of_answer(400, &"x".repeat(5_000), none).to_string();
    assert!(long.len() < 400, "{long}");
}

/// An error of every kind, as it is met: with a server that repeats the address, and with none.
#[tokio::test]
async fn no_error_shows_the_token() {
    let mut server = Server::start().await;
    let client = server.client();
    let page = format!("<html>no /bot{TOKEN}/getMe here</html>");
    let address = format!("not found: /bot{TOKEN}/getMe and CANARY_secret-0123456789");
    let head = |status: u16, more: &str| format!("HTTP/1.1 {status} Status\r\n{more}\r\n").into_bytes();
    let long = format!(
        "HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n{}CUT",
        "x".repeat(TELEGRAM_ANSWER_BYTES_MAX)
    );
    type Answer<'a> = Box<dyn FnOnce(Call) + 'a>;
    let answers: Vec<(&str, Answer<'_>)> = vec![
        ("Rejected", Box::new(|call| call.refuse(400, &address))),
        ("Rejected", Box::new(|call| call.refuse(404, &address))),
        ("Blocked", Box::new(|call| call.refuse(403, &address))),
        ("Server", Box::new(|call| call.refuse(500, &address))),
        ("Unauthorized", Box::new(|call| call.refuse(401, &address))),
        ("Conflict", Box::new(|call| call.refuse(409, &address))),
        ("RetryAfter", Box::new(|call| call.refuse(429, &address))),
        ("Unreachable", Box::new(|call| call.says(404, &page))),
        ("Server", Box::new(|call| call.says(502, &page))),
        ("Unreadable", Box::new(|call| call.says(200, &page))),
        ("Unreadable", Box::new(|call| call.ok(json!({"id": address})))),
        ("Unreadable", Box::new(|call| call.writes(long.into_bytes()))),
        (
            "Unreachable",
            Box::new(|call| {
                let location =
                    format!("location: http://127.0.0.1:1/bot{TOKEN}/getMe\r\ncontent-length: 0\r\n");
                call.writes(head(302, &location));
            }),
        ),
        (
            "Unreachable",
            Box::new(|call| call.writes([head(200, "content-length: 100\r\n"), b"CUT".to_vec()].concat())),
        ),
        ("Unreachable", Box::new(|call| call.writes(format!("no HTTP: {TOKEN}\r\n\r\n").into_bytes()))),
        ("Unreachable", Box::new(drop)),
    ];
    let mut troubles = Vec::new();
    for (kind, answer) in answers {
        let trouble = asked(&mut server, client.get_me(), answer).await.unwrap_err();
        assert!(format!("{trouble:?}").starts_with(kind), "{kind}: {trouble:?}");
        troubles.push(trouble);
    }
    let nowhere = BotClient::new(&token(), "http://127.0.0.1:1").unwrap();
    troubles.push(nowhere.get_me().await.unwrap_err());
    let no_name = BotClient::new(&token(), "http://no-such-host.invalid").unwrap();
    troubles.push(no_name.get_me().await.unwrap_err());
    for trouble in troubles {
        hides_the_token(&trouble);
        hides_the_token(&TelegramError::TokenRefused { why: trouble.to_string() });
    }
    for shown in [format!("{client:?}"), format!("{:?}", token())] {
        assert!(!shown.contains("CANARY"), "{shown}");
    }
}

fn hides_the_token(error: &dyn std::error::Error) {
    let mut next = Some(error);
    while let Some(error) = next {
        let shown = format!("{error} {error:?} {error:#?}");
        assert!(!shown.contains("CANARY") && !shown.contains("secret-0123"), "{shown}");
        next = error.source();
    }
}

#[test]
fn an_address_that_is_none_is_told_before_anything_is_sent() {
    for address in ["", "api.telegram.org", "ftp://api.telegram.org", "http://", "https://a b"] {
        let error = BotClient::new(&token(), address).unwrap_err();
        assert!(matches!(error, TelegramError::NoClient { .. }), "{address}");
        assert!(error.to_string().contains("api_url"), "{error}");
    }
    assert!(BotClient::new(&token(), "http://127.0.0.1:8081/").is_ok());
}
