//! Hours of sending in a moment: what is sent when, as text.

use std::sync::Arc;

use super::*;
use crate::telegram::screen::{ChatScreen, ScreenKey};
use crate::telegram::wire::MessageId;

const ANN: ChatId = ChatId(1);
const BEN: ChatId = ChatId(2);

#[derive(Default)]
struct World {
    queue: OutboxQueue,
    now: Duration,
}

fn screen(html: &str) -> ChatScreen {
    ChatScreen { html: html.to_owned(), buttons: Vec::new(), asks_for_reply: false }
}

fn key(html: &str) -> ScreenKey {
    ScreenKey::OwnWords { petition: "p".into(), decision: Arc::from(html), instead: false }
}

fn told(request: &Request) -> String {
    let Request::Chat { chat: ChatId(chat), errand } = request else {
        let Request::AnswerTap { tap, .. } = request else { unreachable!() };
        return format!("answer {tap}");
    };
    match errand {
        Errand::Edit { message, screen, .. } => format!("{chat}: edit {} {}", message.0, screen.html),
        Errand::Send { screen, is_silent, .. } => {
            format!("{chat}: send {}{}", screen.html, if *is_silent { " silently" } else { "" })
        }
        Errand::TakeAway { message } => format!("{chat}: delete {}", message.0),
        Errand::StripButtons { message } => format!("{chat}: strip {}", message.0),
    }
}

impl World {
    fn edit(&mut self, chat: ChatId, message: i64, html: &str) -> Vec<News> {
        let (message, key, screen) = (MessageId(message), key(html), screen(html));
        self.queue.push(ChatEffect::Edit { chat, message, key, screen }, self.now)
    }

    fn send(&mut self, chat: ChatId, html: &str, replaces: Option<i64>) -> Vec<News> {
        let (key, screen, replaces) = (key(html), screen(html), replaces.map(MessageId));
        self.queue.push(ChatEffect::Send { chat, key, screen, replaces, is_silent: false }, self.now)
    }

    fn tap(&mut self, tap: &str) -> Vec<News> {
        let effect = ChatEffect::AnswerTap { tap: tap.to_owned(), text: None, is_alert: false };
        self.queue.push(effect, self.now)
    }

    /// All that is sent now.
    fn sent(&mut self) -> Vec<(Turn, String)> {
        let mut sent = Vec::new();
        while let Some((turn, request)) = self.queue.next(self.now) {
            sent.push((turn, told(&request)));
        }
        sent
    }

    fn told(&mut self) -> Vec<String> {
        self.sent().into_iter().map(|(_, told)| told).collect()
    }

    /// The one request that is sent now is answered so.
    fn answers(&mut self, wanted: &str, answered: Answered) -> Vec<News> {
        let sent = self.sent();
        let [(turn, told)] = &sent[..] else { panic!("{wanted}: {sent:?}") };
        assert_eq!(told, wanted);
        self.queue.done(*turn, answered, self.now, 0)
    }

    fn later(&mut self, ms: u64) {
        self.now += Duration::from_millis(ms);
    }
}

fn shown(chat: ChatId, message: i64, html: &str) -> News {
    shown_for(chat, message, html, None)
}

/// The same, in the place of a message that is gone or goes.
fn shown_for(chat: ChatId, message: i64, html: &str, old: Option<i64>) -> News {
    let instead_of = old.map(MessageId);
    News::Outcome(ChatOutcome::Shown { chat, message: MessageId(message), key: key(html), instead_of })
}

fn made(message: i64) -> Answered {
    Ok(Some(MessageId(message)))
}

#[test]
fn a_chat_is_in_order_and_chats_are_beside_one_another() {
    let mut world = World::default();
    world.send(ANN, "a", None);
    world.send(ANN, "b", None);
    world.edit(BEN, 7, "c");
    let sent = world.sent();
    assert_eq!(sent.iter().map(|(_, told)| &told[..]).collect::<Vec<_>>(), ["1: send a", "2: edit 7 c"]);
    assert_eq!(world.told(), [""; 0]);
    assert_eq!(world.queue.done(sent[0].0, made(50), world.now, 0), [shown(ANN, 50, "a")]);
    assert_eq!(world.answers("1: send b", made(51)), [shown(ANN, 51, "b")]);
    assert_eq!(world.queue.done(sent[1].0, Err(ApiTrouble::NotModified), world.now, 0), []);
    assert_eq!((world.queue.waiting(), world.queue.is_flying()), (0, false));
}

#[test]
fn a_newer_screen_of_a_message_replaces_one_that_waits() {
    let mut world = World::default();
    world.edit(ANN, 7, "one");
    assert_eq!(world.told(), ["1: edit 7 one"]);
    world.edit(ANN, 7, "two");
    world.send(ANN, "else", None);
    world.edit(ANN, 7, "three");
    world.queue.done(Turn::Chat(ANN), Ok(None), world.now, 0);
    assert_eq!(world.answers("1: edit 7 three", Ok(None)), []);
    world.answers("1: send else", made(8));
    assert_eq!(world.queue.waiting(), 0);
}

#[test]
fn an_edit_that_failed_gives_way_to_a_newer_one() {
    let mut world = World::default();
    world.edit(ANN, 7, "one");
    assert_eq!(world.told(), ["1: edit 7 one"]);
    world.edit(ANN, 7, "two");
    world.queue.done(Turn::Chat(ANN), Err(ApiTrouble::TimedOut), world.now, 0);
    assert_eq!(world.told(), [""; 0], "it waits");
    world.later(250);
    world.answers("1: edit 7 two", Ok(None));
    assert_eq!(world.queue.waiting(), 0);
}

#[test]
fn taps_are_answered_at_once_and_not_behind_edits() {
    let mut world = World::default();
    world.edit(ANN, 7, "one");
    world.edit(ANN, 8, "two");
    world.tap("t1");
    world.tap("t2");
    assert_eq!(world.told(), ["answer t1", "answer t2", "1: edit 7 one"]);
    assert_eq!(world.queue.done(Turn::Tap(0), Err(ApiTrouble::TapTooOld), world.now, 0), []);
}

#[test]
fn a_tap_is_tried_for_half_a_minute() {
    let mut world = World::default();
    world.tap("t");
    let mut tries = 0;
    let news = loop {
        let news = world.answers("answer t", Err(ApiTrouble::TimedOut));
        tries += 1;
        match world.queue.wakes_at(world.now) {
            Some(at) => world.now = at,
            None => break news,
        }
    };
    assert!((5..12).contains(&tries) && world.now <= OUTBOX_TAP_TIME_MAX, "{tries}");
    assert!(matches!(&news[..], [News::Note(note)] if note.is_trouble));
    // One that the server wants later than that is not answered any more.
    world.tap("u");
    let wait = ApiTrouble::RetryAfter(Duration::from_secs(31));
    assert_eq!(world.answers("answer u", Err(wait)).len(), 1);
    assert_eq!((world.queue.waiting(), world.queue.wakes_at(world.now)), (0, None));
}

#[test]
fn too_many_requests_hold_that_chat_and_lose_nothing() {
    let mut world = World::default();
    world.send(ANN, "a", None);
    world.send(ANN, "b", None);
    world.answers("1: send a", Err(ApiTrouble::RetryAfter(Duration::from_secs(40))));
    world.send(BEN, "c", None);
    world.later(39_999);
    assert_eq!(world.answers("2: send c", made(1)), [shown(BEN, 1, "c")]);
    assert_eq!(world.queue.wakes_at(world.now), Some(Duration::from_secs(40)));
    world.later(1);
    world.answers("1: send a", made(2));
    world.answers("1: send b", made(3));
    assert_eq!(world.queue.waiting(), 0);
}

#[test]
fn failures_that_pass_are_tried_until_they_have_passed() {
    let mut world = World::default();
    world.send(ANN, "a", None);
    for trouble in [
        ApiTrouble::Server("502".to_owned()),
        ApiTrouble::Unreachable("gone".to_owned()),
        ApiTrouble::TimedOut,
        ApiTrouble::Unauthorized,
    ]
    .iter()
    .cycle()
    .take(400)
    {
        assert_eq!(world.answers("1: send a", Err(trouble.clone())), []);
        let wakes_at = world.queue.wakes_at(world.now).unwrap();
        assert!(wakes_at - world.now <= PAUSE_MAX && wakes_at > world.now);
        world.now = wakes_at;
    }
    assert_eq!(world.answers("1: send a", made(9)), [shown(ANN, 9, "a")]);
    world.send(ANN, "b", None);
    world.answers("1: send b", Err(ApiTrouble::TimedOut));
    assert_eq!(world.queue.wakes_at(world.now).unwrap() - world.now, PAUSE_FIRST / 2, "it begins anew");
}

#[test]
fn a_message_that_may_be_there_is_not_sent_for_ever() {
    let mut world = World::default();
    world.send(ANN, "a", None);
    for _ in 1..3 {
        assert_eq!(world.answers("1: send a", Err(ApiTrouble::Unreadable("?".to_owned()))), []);
        world.now = world.queue.wakes_at(world.now).unwrap();
    }
    let news = world.answers("1: send a", Err(ApiTrouble::Unreadable("?".to_owned())));
    assert!(matches!(&news[..], [News::Note(_), News::Outcome(ChatOutcome::Refused { .. })]), "{news:?}");
    assert_eq!(world.queue.waiting(), 0);
}

#[test]
fn a_deleted_message_is_sent_anew_and_edits_follow_it() {
    let mut world = World::default();
    world.edit(ANN, 7, "one");
    assert_eq!(world.answers("1: edit 7 one", Err(ApiTrouble::MessageGone)), []);
    // The desk does not know yet.
    world.edit(ANN, 7, "two");
    assert_eq!(world.told(), ["1: send two silently"]);
    world.edit(ANN, 7, "three");
    assert_eq!(world.queue.done(Turn::Chat(ANN), made(9), world.now, 0), [shown_for(ANN, 9, "two", Some(7))]);
    assert_eq!(world.answers("1: edit 9 three", Ok(None)), []);
    world.edit(ANN, 7, "four");
    world.answers("1: edit 9 four", Ok(None));
    world.send(ANN, "five", Some(7));
    world.answers("1: send five", made(10));
    world.answers("1: delete 9", Ok(None));
    assert_eq!(world.queue.waiting(), 0);
}

#[test]
fn a_sent_anew_message_that_failed_shows_the_newest_screen() {
    let mut world = World::default();
    world.edit(ANN, 7, "one");
    world.answers("1: edit 7 one", Err(ApiTrouble::MessageGone));
    assert_eq!(world.told(), ["1: send one silently"]);
    world.edit(ANN, 7, "two");
    world.queue.done(Turn::Chat(ANN), Err(ApiTrouble::TimedOut), world.now, 0);
    world.later(1_000);
    world.answers("1: send two silently", made(8));
    assert_eq!(world.queue.waiting(), 0);
}

#[test]
fn the_old_message_goes_when_the_new_one_is_there() {
    let mut world = World::default();
    world.send(ANN, "new", Some(7));
    assert_eq!(world.answers("1: send new", made(8)), [shown_for(ANN, 8, "new", Some(7))]);
    // The person tapped a button of the old one in this moment.
    world.edit(ANN, 7, "late");
    assert_eq!(world.answers("1: delete 7", Err(ApiTrouble::Undeletable)), []);
    assert_eq!(world.answers("1: strip 7", Err(ApiTrouble::MessageGone)), []);
    assert_eq!(world.answers("1: edit 7 late", Err(ApiTrouble::MessageGone)), []);
    assert_eq!(world.answers("1: send late silently", made(9)), [shown_for(ANN, 9, "late", Some(7))]);
    assert_eq!(world.queue.waiting(), 0);
}

#[test]
fn a_chat_that_is_lost_is_told_once_and_others_go_on() {
    for trouble in [ApiTrouble::Blocked("bot was blocked by the user".to_owned()), ApiTrouble::NoChat] {
        let mut world = World::default();
        world.send(ANN, "a", None);
        world.send(ANN, "b", None);
        let why = trouble.to_string();
        let news = world.answers("1: send a", Err(trouble));
        assert_eq!(news[1..], [News::Outcome(ChatOutcome::Lost { chat: ANN, why })]);
        world.send(BEN, "c", None);
        world.answers("2: send c", made(1));
        // Perhaps the person is back.
        world.send(ANN, "d", None);
        assert_eq!(world.answers("1: send d", made(2)), [shown(ANN, 2, "d")]);
    }
}

#[test]
fn a_group_that_moved_gets_its_messages_where_it_is() {
    let mut world = World::default();
    let to = ChatId(-100);
    world.edit(ANN, 7, "a");
    world.send(ANN, "b", Some(7));
    let news = world.answers("1: edit 7 a", Err(ApiTrouble::Migrated(to)));
    assert_eq!(news, [News::Outcome(ChatOutcome::Moved { from: ANN, to })]);
    world.edit(ANN, 7, "c");
    assert_eq!(world.answers("-100: send a silently", made(1)), [shown(to, 1, "a")]);
    assert_eq!(world.answers("-100: send b", made(2)), [shown(to, 2, "b")]);
    assert_eq!(world.answers("-100: send c silently", made(3)), [shown(to, 3, "c")]);
    // And never round and round.
    world.send(to, "d", None);
    let news = world.answers("-100: send d", Err(ApiTrouble::Migrated(ANN)));
    assert!(matches!(&news[..], [_, News::Outcome(ChatOutcome::Lost { .. })]), "{news:?}");
    assert_eq!(world.queue.waiting(), 0);
}

#[test]
fn a_refused_message_is_dropped_and_told() {
    let mut world = World::default();
    world.send(ANN, "a", Some(7));
    world.send(ANN, "b", None);
    let news = world.answers("1: send a", Err(ApiTrouble::Rejected("can't parse entities".to_owned())));
    let why = "Telegram refuses the request: can't parse entities".to_owned();
    assert_eq!(news[1..], [News::Outcome(ChatOutcome::Refused { chat: ANN, why })]);
    world.answers("1: send b", made(8));
    assert_eq!(world.queue.waiting(), 0);
}

#[test]
fn all_that_waits_has_a_bound() {
    let mut world = World::default();
    for count in 0..OUTBOX_CHAT_MAX + 10 {
        let news = world.send(ANN, "a", None);
        assert_eq!(news.is_empty(), count < OUTBOX_CHAT_MAX, "{count}");
        world.tap("t");
    }
    assert_eq!(world.told().len(), OUTBOX_TAPS_AT_ONCE + 1);
    for _ in 0..OUTBOX_TAPS_MAX {
        world.tap("t");
    }
    assert_eq!(world.queue.taps.len(), OUTBOX_TAPS_MAX);
    for chat in 0..1_000 {
        world.send(ChatId(chat), "a", None);
        world.sent().into_iter().for_each(|(turn, _)| {
            world.queue.done(turn, made(1), world.now, 0);
        });
    }
    assert!(world.queue.lanes.len() <= OUTBOX_CHATS_KEPT + 1);
}

#[test]
fn no_more_chats_at_once_than_the_bound_and_their_turn_goes_round() {
    let mut world = World::default();
    for chat in 0..20 {
        world.send(ChatId(chat), "a", None);
        world.send(ChatId(chat), "b", None);
    }
    let mut order = Vec::new();
    let mut flying = world.sent();
    while !flying.is_empty() {
        assert!(flying.len() <= OUTBOX_CHATS_AT_ONCE);
        let (turn, told) = flying.remove(0);
        order.push(told);
        world.queue.done(turn, made(1), world.now, 0);
        flying.extend(world.sent());
    }
    assert_eq!(order.len(), 40);
    assert_eq!(order[19], "19: send a", "{order:?}");
}

#[test]
fn a_text_for_a_tap_is_cut_with_a_mark() {
    assert_eq!(shortened("short"), "short");
    let long = shortened(&"ш".repeat(201));
    assert_eq!((long.chars().count(), long.ends_with('…')), (200, true));
}
