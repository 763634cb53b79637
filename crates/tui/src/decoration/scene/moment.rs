//! What happened a moment ago: stage events that are young enough to be seen still.

use mind::Timestamp;
use view::stage_event::{StageEvent, StageEventKind};

use super::limits::{GLEAM_MS, LEAVE_MS, RECEIPT_MS, RECENT_MAX, RECENT_MS, SCROLL_MS, TALK_MS};
use crate::manner::Motion;
use crate::view_model::ViewModel;

/// What happened a moment ago.
#[derive(Debug, Default)]
pub(super) struct Moment {
    /// Nothing is to move by itself.
    pub(super) reduced: bool,
    pub(super) human_spoke: bool,
    pub(super) arbiter_spoke: bool,
    pub(super) worker_spoke: bool,
    /// A session was summoned since: what was said before was said by another.
    newcomer: bool,
    pub(super) receipt: Option<bool>,
    pub(super) turned_back: bool,
    /// How long ago the requirements came, if they are on their way still.
    pub(super) scroll: Option<u64>,
    /// When the last demon was released.
    pub(super) released: Option<Timestamp>,
    /// When the mission ended.
    pub(super) ended: Option<Timestamp>,
    /// Any of it.
    pub(super) passing: bool,
}

impl Moment {
    pub(super) fn of(model: &ViewModel<'_>) -> Moment {
        let mut moment = Moment { reduced: model.manner.motion == Motion::Reduced, ..Moment::default() };
        let events = model.stage_events.until(model.head);
        let age = |event: &StageEvent| model.now.0.saturating_sub(event.at.0);
        for event in events.iter().rev().take(RECENT_MAX).take_while(|event| age(event) < RECENT_MS) {
            moment.see(event, age(event));
        }
        moment
    }

    fn see(&mut self, event: &StageEvent, age: u64) {
        let span = match event.kind {
            StageEventKind::Scroll => SCROLL_MS,
            StageEventKind::HumanSpoke | StageEventKind::ArbiterSpoke | StageEventKind::WorkerSpoke => {
                TALK_MS
            }
            StageEventKind::Receipt { .. } | StageEventKind::TurnedBack => RECEIPT_MS,
            StageEventKind::Released(_) => LEAVE_MS,
            StageEventKind::Completed
            | StageEventKind::Failed
            | StageEventKind::Cancelled
            | StageEventKind::Exhausted => GLEAM_MS,
            StageEventKind::Summoned(_) | StageEventKind::Inspects(_) => {
                self.newcomer = true;
                return;
            }
            StageEventKind::Asked | StageEventKind::Limited(_) => return,
        };
        if age >= span {
            return;
        }
        self.passing = true;
        match event.kind {
            StageEventKind::Scroll => self.scroll = Some(age),
            StageEventKind::HumanSpoke => self.human_spoke = true,
            StageEventKind::ArbiterSpoke => self.arbiter_spoke = true,
            StageEventKind::WorkerSpoke => self.worker_spoke |= !self.newcomer,
            // The newest is told first.
            StageEventKind::Receipt { passed } => self.receipt = self.receipt.or(Some(passed)),
            StageEventKind::TurnedBack => self.turned_back = true,
            StageEventKind::Released(_) => self.released = self.released.or(Some(event.at)),
            StageEventKind::Completed
            | StageEventKind::Failed
            | StageEventKind::Cancelled
            | StageEventKind::Exhausted => self.ended = Some(event.at),
            StageEventKind::Summoned(_)
            | StageEventKind::Inspects(_)
            | StageEventKind::Asked
            | StageEventKind::Limited(_) => {}
        }
    }

    /// How much of its time is over, of a hundred. Where nothing moves it is there at once.
    pub(super) fn part(&self, age: u64, span: u64) -> u8 {
        let part = if self.reduced { 100 } else { age.saturating_mul(100) / span };
        u8::try_from(part).unwrap_or(100)
    }
}
