//! The screen's own state: where the person reads, what they type, which page is open. The mission's data is in `Sight`.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::composer::Composer;
use crate::overlay::Overlay;
use crate::overlay::decisions::Begun;
use crate::transcript::search::Hits;
use crate::view_model::{Attachment, ViewModel};

#[derive(Debug, Clone, Default)]
pub struct Screen {
    /// What keys mean.
    pub mode: KeyMode,
    /// What is being typed.
    pub draft: Composer,
    pub place: ReadingPlace,
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
    pub asked: Option<Confirmation>,
    /// The past that is shown, if one is.
    pub time: Option<Time>,
    /// Something the person should know, until the next key.
    pub note: Option<String>,
}

/// What keys mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum KeyMode {
    /// They are text.
    #[default]
    Insert,
    /// They are commands.
    Normal,
    /// They are what to search for.
    Search(String),
}

/// What is done only after a confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmation {
    /// To leave; the mission rests.
    Leave,
    /// To end the mission for good.
    Cancel,
}

/// Where one reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReadingPlace {
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

/// A past that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// After so many facts.
    pub seq: u64,
    /// It moves by itself.
    pub playing: bool,
}

impl Screen {
    /// The first screen: text can be typed at once, except in a replay.
    pub fn new(seat: Attachment) -> Screen {
        match seat {
            Attachment::House | Attachment::Beside => Screen::default(),
            Attachment::Replay => Screen {
                mode: KeyMode::Normal,
                time: Some(Time { seq: 1, playing: false }),
                ..Screen::default()
            },
        }
    }

    /// Whether a message can be sent: the mission is not over, and the present is shown.
    pub fn can_speak(&self, model: &ViewModel<'_>) -> bool {
        model.seat != Attachment::Replay && self.time.is_none() && !model.over
    }

    /// The mode that counts: where no message can be sent, keys are commands, unless a text is being typed.
    pub fn mode(&self, model: &ViewModel<'_>) -> &KeyMode {
        let types = self.can_speak(model) || self.time.is_none() && !self.draft.is_empty();
        if self.mode == KeyMode::Insert && !types { &KeyMode::Normal } else { &self.mode }
    }

    /// How a piece of the story is shown.
    pub fn is_turned(&self, seq: u64) -> bool {
        self.whole != self.turned.contains(&seq)
    }
}
