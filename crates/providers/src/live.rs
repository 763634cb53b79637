//! Live text: for each session the last of its words, while they stream. It is no part of the state: nothing is decided
//! by it, a crash forgets it, and the finished message is a fact of its own.
//!
//! The words are as the agent gave them; the door that shows them makes them harmless.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mind::SessionId;
use tokio::sync::watch;

use crate::limits::{LIVE_BYTES_MAX, LIVE_SESSIONS_MAX};

/// The live text of all sessions of a mission; all clones share it.
#[derive(Debug, Clone, Default)]
pub struct LiveTails(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    inner: Mutex<Inner>,
    version: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Inner {
    tails: BTreeMap<SessionId, Tail>,
    /// All bytes that any session has ever said.
    said: u64,
}

/// The last words of one session.
#[derive(Debug)]
struct Tail {
    /// At most twice what is shown, so that the front is seldom cut off.
    text: String,
    /// Where the text begins in everything that was said. It only grows, even after a text was cleared: a position in
    /// an earlier text lies before it.
    begins: u64,
    /// The value of `said` at its last word: the session that was silent for longest is dropped first.
    spoke: u64,
    /// The text that was last returned, until it changes.
    shown: Option<Arc<str>>,
}

impl LiveTails {
    /// Adds words of a session.
    pub fn say(&self, session: SessionId, piece: &str) {
        if piece.is_empty() {
            return;
        }
        self.lock().say(session, piece);
        self.changed();
    }

    /// Clears the text of a session.
    pub fn clear(&self, session: SessionId) {
        let cleared = self.lock().tails.remove(&session);
        if cleared.is_some() {
            self.changed();
        }
    }

    /// The writer for one session's text.
    #[must_use]
    pub fn of(&self, session: SessionId) -> SessionTail {
        SessionTail { tails: self.clone(), session }
    }

    /// The text of every session that speaks.
    pub fn snapshot(&self) -> BTreeMap<SessionId, Arc<str>> {
        let mut inner = self.lock();
        inner.tails.iter_mut().map(|(session, tail)| (*session, tail.show())).collect()
    }

    /// A number that changes with every change.
    pub fn version(&self) -> u64 {
        *self.0.version.borrow()
    }

    /// Wakes at every change. A screen waits a moment longer, and draws many changes at once.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.0.version.subscribe()
    }

    /// The position up to which a session has spoken.
    pub fn place(&self, session: SessionId) -> u64 {
        self.lock().tails.get(&session).map_or(0, Tail::end)
    }

    /// Clears a session's words before a position, because they have become a fact.
    pub fn forget(&self, session: SessionId, place: u64) {
        let mut inner = self.lock();
        let Some(tail) = inner.tails.get_mut(&session) else { return };
        if tail.end() <= place {
            inner.tails.remove(&session);
        } else if let Some(gone) = place.checked_sub(tail.begins).filter(|gone| *gone > 0) {
            tail.cut(usize::try_from(gone).unwrap_or(usize::MAX));
        } else {
            return;
        }
        drop(inner);
        self.changed();
    }

    fn changed(&self) {
        self.0.version.send_modify(|version| *version = version.wrapping_add(1));
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The live text of one session: it can change no other's.
#[derive(Debug, Clone)]
pub struct SessionTail {
    tails: LiveTails,
    session: SessionId,
}

impl SessionTail {
    pub fn say(&self, piece: &str) {
        self.tails.say(self.session, piece);
    }

    /// Clears the text.
    pub fn clear(&self) {
        self.tails.clear(self.session);
    }
}

impl Inner {
    fn say(&mut self, session: SessionId, piece: &str) {
        if self.tails.len() >= LIVE_SESSIONS_MAX && !self.tails.contains_key(&session) {
            let silent = self.tails.iter().min_by_key(|(_, tail)| tail.spoke).map(|(silent, _)| *silent);
            silent.and_then(|silent| self.tails.remove(&silent));
        }
        let begins = self.said;
        self.said = self.said.saturating_add(piece.len() as u64);
        let fresh = || Tail { text: String::new(), begins, spoke: 0, shown: None };
        let tail = self.tails.entry(session).or_insert_with(fresh);
        tail.spoke = self.said;
        tail.say(piece);
    }
}

impl Tail {
    fn say(&mut self, piece: &str) {
        self.shown = None;
        let kept = &piece[shown_from(piece)..];
        if kept.len() < piece.len() {
            self.begins = self.end() + (piece.len() - kept.len()) as u64;
            self.text.clear();
        }
        self.text.push_str(kept);
        if self.text.len() > 2 * LIVE_BYTES_MAX {
            self.cut(shown_from(&self.text));
        }
    }

    fn end(&self) -> u64 {
        self.begins.saturating_add(self.text.len() as u64)
    }

    /// Cuts the front off, up to the next whole sign.
    fn cut(&mut self, at: usize) {
        let at = self.text.ceil_char_boundary(at);
        self.text.drain(..at);
        self.begins = self.begins.saturating_add(at as u64);
        self.shown = None;
    }

    fn show(&mut self) -> Arc<str> {
        let text = &self.text;
        Arc::clone(self.shown.get_or_insert_with(|| Arc::from(&text[shown_from(text)..])))
    }
}

/// Where the newest of a text begins, as much as is shown: with a whole line, unless much would be lost by that.
fn shown_from(text: &str) -> usize {
    let at = text.ceil_char_boundary(text.len().saturating_sub(LIVE_BYTES_MAX));
    if at == 0 || text[..at].ends_with('\n') {
        return at;
    }
    let until = text.ceil_char_boundary((at + LIVE_BYTES_MAX / 2).min(text.len()));
    text[at..until].find('\n').map_or(at, |end| at + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: SessionId = SessionId(1);
    const TWO: SessionId = SessionId(2);

    fn shown(tails: &LiveTails, session: SessionId) -> String {
        tails.snapshot().get(&session).map(|text| text.to_string()).unwrap_or_default()
    }

    #[test]
    fn words_stand_until_they_are_cleared() {
        let tails = LiveTails::default();
        let (other, mut watch) = (tails.clone(), tails.watch());
        assert!(!watch.has_changed().unwrap());
        tails.say(ONE, "Hello");
        tails.say(ONE, " there");
        tails.say(TWO, "Ho");
        assert_eq!(shown(&other, ONE), "Hello there");
        assert!(watch.has_changed().unwrap());
        let version = *watch.borrow_and_update();
        assert_eq!(version, tails.version());
        tails.say(ONE, "");
        tails.clear(SessionId(3));
        assert_eq!(tails.version(), version, "nothing has changed, and no waiter is woken");
        other.clear(ONE);
        assert_ne!(tails.version(), version);
        assert_eq!(tails.snapshot().into_iter().collect::<Vec<_>>(), [(TWO, Arc::from("Ho"))]);
    }

    #[test]
    fn a_picture_is_made_once_for_each_change() {
        let tails = LiveTails::default();
        tails.say(ONE, "Hello");
        let (first, second) = (tails.snapshot(), tails.snapshot());
        assert!(Arc::ptr_eq(&first[&ONE], &second[&ONE]));
        tails.say(ONE, "!");
        assert_eq!(&*tails.snapshot()[&ONE], "Hello!");
    }

    #[test]
    fn the_newest_stays_and_begins_with_a_line() {
        let tails = LiveTails::default();
        for number in 0..10_000 {
            tails.say(ONE, &format!("line {number} «ü»\n"));
            let text = shown(&tails, ONE);
            assert!(text.len() <= LIVE_BYTES_MAX && text.starts_with("line "), "{text:.40}");
            assert!(text.ends_with(&format!("line {number} «ü»\n")));
        }
        assert!(shown(&tails, ONE).len() > LIVE_BYTES_MAX - 40);
        let capacity = tails.lock().tails[&ONE].text.capacity();
        assert!(capacity <= 4 * LIVE_BYTES_MAX, "{capacity}");
    }

    #[test]
    fn a_text_without_lines_is_cut_between_signs() {
        for shift in 0..4 {
            let tails = LiveTails::default();
            tails.say(ONE, &"x".repeat(shift));
            for _ in 0..LIVE_BYTES_MAX {
                tails.say(ONE, "𝕏");
            }
            let text = shown(&tails, ONE);
            assert!(text.len() <= LIVE_BYTES_MAX && text.len() > LIVE_BYTES_MAX - 4, "{}", text.len());
            assert!(text.chars().all(|sign| sign == '𝕏'));
        }
    }

    #[test]
    fn a_piece_of_any_size_is_cut() {
        let tails = LiveTails::default();
        tails.say(ONE, "before");
        tails.say(ONE, &format!("{}end", "ü".repeat(1_000_000)));
        let text = shown(&tails, ONE);
        assert!(text.len() <= LIVE_BYTES_MAX && text.ends_with("üend"));
        assert_eq!(tails.place(ONE), 6 + 2_000_003);
    }

    #[test]
    fn one_line_that_ends_late_is_not_lost() {
        let tails = LiveTails::default();
        tails.say(ONE, &format!("{}\nend", "x".repeat(2 * LIVE_BYTES_MAX)));
        assert_eq!(shown(&tails, ONE).len(), LIVE_BYTES_MAX);
    }

    #[test]
    fn of_too_many_the_one_that_was_silent_for_longest_gives_way() {
        let tails = LiveTails::default();
        for number in 0..LIVE_SESSIONS_MAX as u32 {
            tails.say(SessionId(number), "x");
        }
        tails.say(SessionId(0), "y");
        tails.say(SessionId(1_000), "new");
        let look = tails.snapshot();
        assert_eq!(look.len(), LIVE_SESSIONS_MAX);
        assert!(!look.contains_key(&SessionId(1)) && look.contains_key(&SessionId(1_000)));
        assert_eq!(&*look[&SessionId(0)], "xy");
    }

    #[test]
    fn what_became_a_fact_is_forgotten_and_what_came_after_it_stays() {
        let tails = LiveTails::default();
        tails.say(TWO, "elsewhere");
        tails.say(ONE, "first.");
        let place = tails.place(ONE);
        tails.say(ONE, "second");
        tails.forget(ONE, place);
        assert_eq!(shown(&tails, ONE), "second");
        tails.forget(ONE, place);
        assert_eq!(shown(&tails, ONE), "second");
        tails.forget(ONE, tails.place(ONE));
        assert_eq!(shown(&tails, ONE), "");
        assert_eq!(shown(&tails, TWO), "elsewhere");
    }

    #[test]
    fn a_place_in_an_earlier_life_is_nothing_to_the_next() {
        let tails = LiveTails::default();
        tails.say(ONE, "the earlier life");
        let place = tails.place(ONE);
        tails.clear(ONE);
        tails.say(ONE, "new");
        tails.forget(ONE, place);
        assert_eq!(shown(&tails, ONE), "new");
    }

    #[test]
    fn many_may_speak_and_look_at_once() {
        let tails = LiveTails::default();
        std::thread::scope(|scope| {
            for number in 0..4 {
                let tails = tails.clone();
                scope.spawn(move || {
                    for _ in 0..2_000 {
                        tails.say(SessionId(number), "words ");
                        assert!(tails.snapshot().values().all(|text| text.ends_with("words ")));
                    }
                });
            }
        });
        assert_eq!(tails.version(), 8_000);
    }
}
