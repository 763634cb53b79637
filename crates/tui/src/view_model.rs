//! What there is to see at one moment. Everything on the screen is drawn from this and from what the person has made of
//! the screen.

use std::sync::Arc;

use jiff::tz::TimeZone;
use mind::petition::{Petition, PetitionSubject};
use mind::session::Profile;
use mind::{SessionId, State, Timestamp};
use view::LiveText;
use view::stage_event::StageEvents;
use view::story::Story;

use crate::manner::Manner;

/// What there is to see.
#[derive(Debug, Clone, Copy)]
pub struct ViewModel<'a> {
    /// The mission, after `head` facts.
    pub state: &'a State,
    /// What happened, in order; what comes after `head` is not shown.
    pub story: &'a Story,
    /// What could be seen and heard, in order; what comes after `head` is not shown.
    pub stage_events: &'a StageEvents,
    /// How far the figures of the scene have moved: it counts up while one is alive.
    pub beat: u64,
    /// How the person wants the terminal.
    pub manner: Manner,
    /// How many facts the state is made of.
    pub head: u64,
    /// How many facts there are: more than `head` while one looks at the past.
    pub last: u64,
    /// The time that is shown: in the past, when the fact at `head` became one.
    pub now: Timestamp,
    /// Where the person is.
    pub zone: &'a TimeZone,
    /// What is being said and is no fact yet.
    pub live: &'a LiveText,
    /// Raw lines, while the logbook is open.
    pub logbook: &'a [RawRecord],
    /// Names of the project's files, to complete what is typed.
    pub files: &'a [Arc<str>],
    /// What the docket holds now; nothing before a journal that is only looked at.
    pub petitions: &'a [Petition],
    /// Files of the docket that are no petitions.
    pub unreadable: &'a [Unreadable],
    /// Where we sit.
    pub seat: Attachment,
    /// The mission is over now, whatever the past that is shown says.
    pub over: bool,
    /// How many decisions wait now.
    pub waits: usize,
    /// A process runs it now.
    pub runs: bool,
    /// What a person types to take a session's conversation up by hand, if its provider has such words.
    pub by_hand: fn(&Profile) -> Option<String>,
}

/// A file of the docket that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Where it is.
    pub file: Arc<str>,
    /// What is wrong with it.
    pub why: Arc<str>,
    /// When it was written.
    pub at: Timestamp,
}

/// Where the person sits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attachment {
    /// In the process that runs the mission.
    House,
    /// Elsewhere: the mission runs in another process, or in none.
    Beside,
    /// Before a journal that is only looked at.
    Replay,
}

/// Which way a raw line went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordDirection {
    /// To the agent.
    In,
    /// From the agent.
    Out,
    /// From its standard error.
    Err,
    /// A remark of ours.
    Note,
}

/// One raw line of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawRecord {
    /// The session that it belongs to.
    pub session: SessionId,
    /// When it was written.
    pub at: Timestamp,
    /// Which way it went.
    pub direction: RecordDirection,
    /// The line as it came, at most as long as is kept.
    pub line: Arc<str>,
}

impl Unreadable {
    /// Its name, without the folder.
    pub fn name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or(&self.file)
    }
}

impl<'a> ViewModel<'a> {
    /// One looks at the past.
    pub fn is_past(&self) -> bool {
        self.head < self.last
    }

    /// Petitions that wait now and are shown nowhere else. The docket has no past: there are none in it.
    pub fn asked_elsewhere(&self) -> impl Iterator<Item = &'a Petition> + use<'a> {
        asked_elsewhere(self.state, if self.has_docket() { self.petitions } else { &[] })
    }

    /// Files that are no petitions, as far as there is a docket now.
    pub fn unreadable(&self) -> &'a [Unreadable] {
        if self.has_docket() { self.unreadable } else { &[] }
    }

    fn has_docket(&self) -> bool {
        self.seat != Attachment::Replay && !self.is_past()
    }
}

/// Petitions that wait for an answer, without those that are a mission's own questions: these stand there already.
pub fn asked_elsewhere<'a>(
    state: &'a State,
    petitions: &'a [Petition],
) -> impl Iterator<Item = &'a Petition> {
    let own = |petition: &Petition| match state.petitions.get(&petition.id).map(|raised| raised.subject) {
        Some(PetitionSubject::Question(_) | PetitionSubject::Permission(_)) => true,
        Some(PetitionSubject::Session(_)) | None => false,
    };
    petitions.iter().filter(move |petition| petition.closed.is_none() && !own(petition))
}
