//! The outbox over the wire. What it does when is tried without a network, beside its queue.

use std::sync::{Arc, Mutex};

use doors::telegram::DoorNote;
use doors::telegram::effect::{ChatEffect, ChatOutcome};
use doors::telegram::outbox::{Outbox, OutboxSettings};
use doors::telegram::screen::{ChatButton, ChatScreen, ScreenKey};
use doors::telegram::tap::Tap;
use doors::telegram::wire::{ChatId, MessageId};
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::server::{PATIENCE, Server};

const CHAT: ChatId = ChatId(1);

struct Sending {
    outbox: Outbox,
    outcomes: mpsc::Receiver<ChatOutcome>,
    notes: Arc<Mutex<Vec<DoorNote>>>,
}

fn outbox(server: &Server) -> Sending {
    let notes = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&notes);
    let (outbox, outcomes) = Outbox::open(OutboxSettings {
        client: server.client(),
        tap_data: |tap| format!("{tap:?}"),
        log: Arc::new(move |note| log.lock().expect("no test panicked").push(note)),
        dice: || 0,
    });
    Sending { outbox, outcomes, notes }
}

fn screen(html: &str) -> ChatScreen {
    let button = ChatButton { text: "Queue".to_owned(), tap: Tap::Queue { page: 3 } };
    ChatScreen { html: html.to_owned(), buttons: vec![vec![button]], asks_for_reply: false }
}

fn edit(message: i64, html: &str) -> ChatEffect {
    ChatEffect::Edit { chat: CHAT, message: MessageId(message), key: ScreenKey::Help, screen: screen(html) }
}

fn send(html: &str, replaces: Option<i64>) -> ChatEffect {
    let (key, replaces) = (ScreenKey::Status, replaces.map(MessageId));
    ChatEffect::Send { chat: CHAT, key, screen: screen(html), replaces, is_silent: false }
}

fn answer(tap: &str) -> ChatEffect {
    ChatEffect::AnswerTap { tap: tap.to_owned(), text: Some("Saved".to_owned()), is_alert: false }
}

impl Sending {
    async fn hears(&mut self) -> ChatOutcome {
        timeout(PATIENCE, self.outcomes.recv()).await.expect("an outcome comes").expect("the outbox runs")
    }
}

fn shown(message: i64, key: ScreenKey, old: Option<i64>) -> ChatOutcome {
    let instead_of = old.map(MessageId);
    ChatOutcome::Shown { chat: CHAT, message: MessageId(message), key, instead_of }
}

#[tokio::test]
async fn a_tap_is_answered_beside_an_edit_that_takes_its_time() {
    let mut server = Server::start().await;
    let sending = outbox(&server);
    sending.outbox.send(edit(5, "one")).await;
    let slow = server.expect("editMessageText").await;
    assert_eq!(
        slow.body["reply_markup"]["inline_keyboard"][0][0],
        json!({"text": "Queue", "callback_data": "Queue { page: 3 }"})
    );
    sending.outbox.send(edit(5, "two")).await;
    sending.outbox.send(edit(5, "three")).await;
    sending.outbox.send(answer("t")).await;
    let tap = server.expect("answerCallbackQuery").await;
    assert_eq!(tap.body["text"], "Saved");
    tap.refuse(400, "Bad Request: query is too old and response timeout expired or query ID is invalid");
    slow.refuse(400, "Bad Request: message is not modified: specified new message content and reply markup");
    let newest = server.next().await;
    assert_eq!(newest.told(), "editMessageText 1 5 three");
    newest.ok(json!(true));
    sending.outbox.finish().await;
    assert!(server.is_quiet() && sending.notes.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_new_message_takes_the_place_of_the_old_one() {
    let mut server = Server::start().await;
    let mut sending = outbox(&server);
    sending.outbox.send(send("new", Some(5))).await;
    server.expect("sendMessage").await.ok(json!({"message_id": 6}));
    assert_eq!(sending.hears().await, shown(6, ScreenKey::Status, Some(5)));
    let delete = server.next().await;
    assert_eq!(delete.told(), "deleteMessage 1 5 ");
    delete.refuse(400, "Bad Request: message can't be deleted for everyone");
    let strip = server.next().await;
    assert_eq!(strip.told(), "editMessageReplyMarkup 1 5 ");
    assert_eq!(strip.body["reply_markup"], json!({"inline_keyboard": []}));
    strip.ok(json!(true));
    // Deleted by the person.
    sending.outbox.send(edit(6, "edited")).await;
    server.expect("editMessageText").await.refuse(400, "Bad Request: message to edit not found");
    let anew = server.next().await;
    assert_eq!(
        (anew.told(), &anew.body["disable_notification"]),
        ("sendMessage 1 null edited".into(), &json!(true))
    );
    anew.ok(json!({"message_id": 7}));
    assert_eq!(sending.hears().await, shown(7, ScreenKey::Help, Some(6)));
    sending.outbox.finish().await;
}

#[tokio::test]
async fn what_is_cut_or_too_much_is_sent_again() {
    let mut server = Server::start().await;
    let mut sending = outbox(&server);
    sending.outbox.send(send("a", None)).await;
    drop(server.expect("sendMessage").await);
    server.expect("sendMessage").await.refuse(502, "Bad Gateway");
    let call = server.expect("sendMessage").await;
    call.refuse_with(429, "Too Many Requests: retry after 1", json!({"retry_after": 1}));
    server.expect("sendMessage").await.ok(json!({"message_id": 6}));
    assert_eq!(sending.hears().await, shown(6, ScreenKey::Status, None));
    sending.outbox.finish().await;
}

#[tokio::test]
async fn the_end_waits_for_what_is_queued() {
    let mut server = Server::start().await;
    let mut sending = outbox(&server);
    for html in ["a", "b", "c"] {
        sending.outbox.send(send(html, None)).await;
    }
    sending.outbox.send(answer("t")).await;
    let finish = tokio::spawn(sending.outbox.finish());
    let mut told = Vec::new();
    for message in 1..=4 {
        let call = server.next().await;
        told.push(call.told());
        call.ok(json!({"message_id": message}));
    }
    told.retain(|told| told.starts_with("sendMessage"));
    assert_eq!(told, ["sendMessage 1 null a", "sendMessage 1 null b", "sendMessage 1 null c"]);
    let mut heard = 0;
    while timeout(PATIENCE, sending.outcomes.recv()).await.expect("it ends").is_some() {
        heard += 1;
    }
    assert_eq!(heard, 3);
    finish.await.unwrap();
}

#[tokio::test]
async fn an_end_that_cannot_wait_so_long_says_what_is_not_sent() {
    let mut server = Server::start().await;
    let sending = outbox(&server);
    sending.outbox.send(send("a", None)).await;
    let call = server.expect("sendMessage").await;
    call.refuse_with(429, "Too Many Requests: retry after 900", json!({"retry_after": 900}));
    timeout(PATIENCE, sending.outbox.finish()).await.expect("it ends");
    let notes = sending.notes.lock().unwrap();
    assert!(matches!(&notes[..], [note] if note.text.contains("not sent: 1")), "{notes:?}");
}

#[tokio::test]
async fn a_desk_that_hears_nothing_stops_the_sending_and_not_the_desk() {
    let mut server = Server::start().await;
    let mut sending = outbox(&server);
    // Far more than outcomes fit.
    let effects = async {
        for message in 0..2_000 {
            sending.outbox.send(edit(message, "x")).await;
            tokio::task::yield_now().await;
        }
    };
    let answers = async {
        loop {
            server.expect("editMessageText").await.ok(json!(true));
        }
    };
    tokio::select! {
        () = effects => {}
        () = answers => {}
    }
    assert!(matches!(sending.hears().await, ChatOutcome::Shown { .. } | ChatOutcome::Refused { .. }));
}
