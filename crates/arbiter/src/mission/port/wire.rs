//! What goes over a mission's socket: lines of JSON. To followers: how many facts there are, and what is being said, as
//! changes of what was sent before. From them: who they are, and that something lies in the inbox. A line of an unknown
//! kind is passed over, so that kinds can be added.

use std::sync::Arc;

use mind::SessionId;
use providers::limits::{LIVE_BYTES_MAX, LIVE_SESSIONS_MAX};
use serde::{Deserialize, Serialize};
use view::LiveText;

/// The version of these lines.
pub const VERSION: u32 = 1;

/// How much of two texts is held against each other to find where one goes on in the other.
const OVERLAP: usize = 64;

/// A line to a follower.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToFollower {
    /// The first line.
    Hello {
        /// In which version it is spoken.
        version: u32,
        /// Which mission it is.
        mission: String,
    },
    /// The journal moved.
    Head {
        /// How many facts are safe on the disk.
        head: u64,
    },
    /// Something is being said.
    Live(LiveDelta),
    /// Something newer than this program.
    #[serde(other)]
    Unknown,
}

/// A line from a follower.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromFollower {
    /// The first line.
    Hello {
        /// In which version it is spoken.
        version: u32,
        /// What stands in the file beside the socket: no agent can read it.
        key: String,
    },
    /// Something lies in the inbox.
    Ring,
    /// Something newer than this program.
    #[serde(other)]
    Unknown,
}

/// How what a session is saying differs from what was sent before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveDelta {
    pub session: SessionId,
    /// So many bytes at the front stand no longer.
    pub drop: usize,
    /// What follows the rest. Where nothing is left, the session says nothing.
    pub add: String,
}

impl LiveDelta {
    /// Every change from `before` to `after`.
    pub fn between(before: &LiveText, after: &LiveText) -> Vec<LiveDelta> {
        let gone = before.iter().filter(|(session, _)| !after.contains_key(session));
        let gone = gone.map(|(session, text)| (*session, &**text, ""));
        let changed = after.iter().filter_map(|(session, text)| {
            let old = before.get(session);
            let same = old.is_some_and(|old| Arc::ptr_eq(old, text));
            (!same).then(|| (*session, old.map_or("", |old| &**old), &**text))
        });
        let deltas = gone.chain(changed).filter(|(_, old, new)| old != new);
        deltas.map(|(session, old, new)| LiveDelta::of(session, old, new)).collect()
    }

    fn of(session: SessionId, old: &str, new: &str) -> LiveDelta {
        let drop = goes_on_at(old, new);
        LiveDelta { session, drop, add: new[old.len() - drop..].to_owned() }
    }

    /// Applies the change, within bounds.
    pub fn apply(&self, live: &mut LiveText) {
        let old = live.get(&self.session).map_or("", |text| text);
        let kept = &old[old.ceil_char_boundary(self.drop)..];
        let mut text = format!("{kept}{}", self.add);
        let over = text.len().saturating_sub(2 * LIVE_BYTES_MAX);
        text.drain(..text.ceil_char_boundary(over));
        if text.is_empty() {
            live.remove(&self.session);
        } else if live.len() < LIVE_SESSIONS_MAX || live.contains_key(&self.session) {
            live.insert(self.session, text.into());
        }
    }
}

/// Where in `old` the beginning of `new` stands, so that `new` goes on from there to its end; the end of `old` if it does
/// not.
fn goes_on_at(old: &str, new: &str) -> usize {
    if new.starts_with(old) {
        return 0;
    }
    let head = &new[..new.floor_char_boundary(OVERLAP)];
    let mut places = old.match_indices(head).map(|(at, _)| at).filter(|_| !head.is_empty());
    places.find(|at| new.starts_with(&old[*at..])).unwrap_or(old.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn live(said: &[(u32, &str)]) -> LiveText {
        said.iter().map(|(session, text)| (SessionId(*session), Arc::from(*text))).collect()
    }

    /// What is sent brings a follower from one picture to the next, however it changed.
    #[test]
    fn deltas_bring_a_follower_from_one_picture_to_the_next() {
        let long = "a line of words\n".repeat(400);
        let cut = format!("{}and more", &long[16..]);
        let pictures = [
            live(&[]),
            live(&[(1, "Hel"), (2, "Ho")]),
            live(&[(1, "Hello, wörld"), (2, "Ho")]),
            live(&[(1, "wörld"), (3, "x")]),
            live(&[(1, &long), (3, "another")]),
            live(&[(1, &cut)]),
            live(&[]),
        ];
        for from in &pictures {
            for to in &pictures {
                let mut seen = from.clone();
                for delta in LiveDelta::between(from, to) {
                    let line = serde_json::to_string(&ToFollower::Live(delta)).unwrap();
                    let ToFollower::Live(delta) = serde_json::from_str(&line).unwrap() else { panic!() };
                    delta.apply(&mut seen);
                }
                assert_eq!(&seen, to);
            }
        }
    }

    #[test]
    fn a_text_that_grows_or_is_cut_in_front_is_not_sent_again() {
        let long = (0..400).map(|number| format!("line {number} of words\n")).collect::<String>();
        let [delta] =
            &LiveDelta::between(&live(&[(1, &long)]), &live(&[(1, &format!("{}end", &long[900..]))]))[..]
        else {
            panic!("one session changed")
        };
        assert_eq!((delta.drop, delta.add.as_str()), (900, "end"));
    }

    #[test]
    fn what_comes_is_bounded_and_cut_between_signs() {
        let mut seen = live(&[(1, "ä")]);
        LiveDelta { session: SessionId(1), drop: 1, add: "b".to_owned() }.apply(&mut seen);
        assert_eq!(seen, live(&[(1, "b")]));
        LiveDelta { session: SessionId(1), drop: 99, add: "ü".repeat(1_000_000) }.apply(&mut seen);
        assert!(seen[&SessionId(1)].len() <= 2 * LIVE_BYTES_MAX);
        for session in 0..1_000 {
            LiveDelta { session: SessionId(session), drop: 0, add: "x".to_owned() }.apply(&mut seen);
        }
        assert_eq!(seen.len(), LIVE_SESSIONS_MAX);
    }

    #[test]
    fn lines_of_an_unknown_kind_are_passed_over() {
        let line = r#"{"type":"weather","degrees":7}"#;
        assert_eq!(serde_json::from_str::<ToFollower>(line).unwrap(), ToFollower::Unknown);
        assert_eq!(serde_json::from_str::<FromFollower>(line).unwrap(), FromFollower::Unknown);
    }
}
