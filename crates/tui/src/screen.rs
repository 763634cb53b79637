//! What a person has made of the screen: where they read, what they type, which page is open. It holds nothing of the
//! mission: that is in the sight.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::draft::Draft;
use crate::overlay::Overlay;
use crate::overlay::docket::Begun;
use crate::sight::{Seat, Sight};
use crate::talk::search::Hits;

/// What a person has made of the screen.
#[derive(Debug, Clone, Default)]
pub struct Screen {
    /// What keys mean.
    pub mode: Mode,
    /// What is being typed.
    pub draft: Draft,
    /// Where one reads.
    pub place: Place,
    /// How many pieces of the story there were when the reader left its end.
    pub known: usize,
    /// Pieces that are shown the other way round than usual: long ones whole, short ones folded.
    pub turned: BTreeSet<u64>,
    /// Everything is shown whole.
    pub whole: bool,
    /// What was searched for last.
    pub needle: Option<Arc<str>>,
    /// Where it was found.
    pub hits: Hits,
    /// The piece in which it was found last.
    pub found: Option<usize>,
    /// The page that is open.
    pub overlay: Option<Overlay>,
    /// What was chosen in the docket and is not sent yet, while the docket is closed.
    pub begun: Begun,
    /// What the person was asked, and has not answered yet.
    pub asked: Option<Asked>,
    /// One looks at the past.
    pub time: Option<Time>,
    /// Something the person should know, until the next key.
    pub note: Option<String>,
}

/// What keys mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Mode {
    /// They are text.
    #[default]
    Insert,
    /// They are commands.
    Normal,
    /// They are what to search for.
    Search(String),
}

/// What is not done without a second word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// To leave; the mission rests.
    Leave,
    /// To end the mission for good.
    Cancel,
}

/// Where one reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Place {
    /// At the end, wherever that is.
    #[default]
    End,
    /// This line of this piece of the story stands at the top.
    At {
        item: usize,
        /// Which of its lines.
        line: usize,
    },
}

/// One looks at the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// After so many facts.
    pub seq: u64,
    /// It moves by itself.
    pub playing: bool,
}

impl Screen {
    /// Before a mission: words can be typed at once, except before a journal that is only looked at.
    pub fn new(seat: Seat) -> Screen {
        match seat {
            Seat::House | Seat::Beside => Screen::default(),
            Seat::Replay => Screen {
                mode: Mode::Normal,
                time: Some(Time { seq: 1, playing: false }),
                ..Screen::default()
            },
        }
    }

    /// Words can be said: there is somebody to hear them, and it is now.
    pub fn can_speak(&self, sight: &Sight<'_>) -> bool {
        sight.seat != Seat::Replay && self.time.is_none() && !sight.over
    }

    /// What keys mean now: where nobody would hear words they are commands, but not in the middle of a sentence.
    pub fn mode(&self, sight: &Sight<'_>) -> &Mode {
        let types = self.can_speak(sight) || self.time.is_none() && !self.draft.is_empty();
        if self.mode == Mode::Insert && !types { &Mode::Normal } else { &self.mode }
    }

    /// How a piece of the story is shown.
    pub fn is_turned(&self, seq: u64) -> bool {
        self.whole != self.turned.contains(&seq)
    }
}
