//! What happened a moment ago: cues that are young enough to be seen still.

use mind::Timestamp;

use super::limits::{GLEAM_MS, LEAVE_MS, RECEIPT_MS, RECENT_MAX, RECENT_MS, SCROLL_MS, TALK_MS};
use crate::decoration::cue::{Cue, What};
use crate::manner::Motion;
use crate::sight::Sight;

/// What happened a moment ago.
#[derive(Debug, Default)]
pub(super) struct Moment {
    /// Nothing is to move by itself.
    pub(super) reduced: bool,
    pub(super) human_spoke: bool,
    pub(super) arbiter_spoke: bool,
    pub(super) worker_spoke: bool,
    /// Somebody was summoned since: what was said before was said by another.
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
    pub(super) fn of(sight: &Sight<'_>) -> Moment {
        let mut moment = Moment { reduced: sight.manner.motion == Motion::Reduced, ..Moment::default() };
        let cues = sight.cues.until(sight.head);
        let age = |cue: &Cue| sight.now.0.saturating_sub(cue.at.0);
        for cue in cues.iter().rev().take(RECENT_MAX).take_while(|cue| age(cue) < RECENT_MS) {
            moment.see(cue, age(cue));
        }
        moment
    }

    fn see(&mut self, cue: &Cue, age: u64) {
        let span = match cue.what {
            What::Scroll => SCROLL_MS,
            What::HumanSpoke | What::ArbiterSpoke | What::WorkerSpoke => TALK_MS,
            What::Receipt { .. } | What::TurnedBack => RECEIPT_MS,
            What::Released(_) => LEAVE_MS,
            What::Completed | What::Failed | What::Cancelled | What::Exhausted => GLEAM_MS,
            What::Summoned(_) | What::Inspects(_) => {
                self.newcomer = true;
                return;
            }
            What::Asked | What::Limited(_) => return,
        };
        if age >= span {
            return;
        }
        self.passing = true;
        match cue.what {
            What::Scroll => self.scroll = Some(age),
            What::HumanSpoke => self.human_spoke = true,
            What::ArbiterSpoke => self.arbiter_spoke = true,
            What::WorkerSpoke => self.worker_spoke |= !self.newcomer,
            // The newest is told first.
            What::Receipt { passed } => self.receipt = self.receipt.or(Some(passed)),
            What::TurnedBack => self.turned_back = true,
            What::Released(_) => self.released = self.released.or(Some(cue.at)),
            What::Completed | What::Failed | What::Cancelled | What::Exhausted => self.ended = Some(cue.at),
            What::Summoned(_) | What::Inspects(_) | What::Asked | What::Limited(_) => {}
        }
    }

    /// How much of its time is over, of a hundred. Where nothing moves it is there at once.
    pub(super) fn part(&self, age: u64, span: u64) -> u8 {
        let part = if self.reduced { 100 } else { age.saturating_mul(100) / span };
        u8::try_from(part).unwrap_or(100)
    }
}
