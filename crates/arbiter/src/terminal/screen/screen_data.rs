//! The data of the screen: the mission's present or a past of it, live text, petitions and the beat.

use std::sync::Arc;

use jiff::tz::TimeZone;
use mind::petition::Petition;
use mind::{State, Timestamp};
use tui::draw::clockwork;
use tui::manner::Manner;
use tui::view_model::{Attachment, Unreadable, ViewModel};
use view::LiveText;

use super::Showing;
use crate::clock;
use crate::terminal::watching::journal_view::JournalView;
use crate::terminal::watching::logbook::Books;

pub(super) struct ScreenData {
    pub(super) feed: JournalView,
    /// The past that is shown.
    pub(super) past: Option<Moment>,
    pub(super) books: Option<Books>,
    pub(super) files: Vec<Arc<str>>,
    pub(super) live: LiveText,
    /// The open petitions of the docket.
    pub(super) petitions: Vec<Petition>,
    pub(super) unreadable: Vec<Unreadable>,
    pub(super) zone: TimeZone,
    pub(super) seat: Attachment,
    /// A process runs the mission.
    pub(super) runs: bool,
    /// Counts the steps of everything that moves.
    pub(super) beat: u64,
    pub(super) manner: Manner,
}

/// The mission at one moment.
#[derive(Clone)]
pub(super) struct Moment {
    pub(super) state: Arc<State>,
    /// The number of facts up to this moment.
    pub(super) head: u64,
    pub(super) now: Timestamp,
}

impl ScreenData {
    /// Starts before the first fact was read.
    pub(super) fn open(feed: JournalView, showing: &Showing) -> ScreenData {
        ScreenData {
            feed,
            past: None,
            books: None,
            files: Vec::new(),
            live: LiveText::new(),
            petitions: Vec::new(),
            unreadable: Vec::new(),
            zone: TimeZone::system(),
            seat: showing.seat,
            runs: showing.seat != Attachment::Beside || showing.port.is_running(),
            beat: 0,
            manner: showing.manner,
        }
    }

    /// The moment that is shown: a past, or the present.
    pub(super) fn moment(&self) -> Moment {
        self.past.clone().unwrap_or_else(|| Moment {
            state: Arc::new(self.feed.state().clone()),
            head: self.feed.head(),
            now: clock::now(),
        })
    }

    pub(super) fn model<'a>(&'a self, moment: &'a Moment) -> ViewModel<'a> {
        ViewModel {
            state: &moment.state,
            story: self.feed.story(),
            stage_events: self.feed.stage_events(),
            beat: self.beat,
            manner: self.manner,
            head: moment.head,
            last: self.feed.head(),
            now: moment.now,
            zone: &self.zone,
            live: &self.live,
            logbook: self.books.as_ref().map_or(&[], Books::records),
            files: &self.files,
            petitions: &self.petitions,
            unreadable: &self.unreadable,
            seat: self.seat,
            over: self.feed.state().ended.is_some(),
            waits: clockwork::waiting(self.feed.state(), &self.petitions),
            runs: self.runs,
            by_hand: providers::registry::by_hand,
        }
    }
}
