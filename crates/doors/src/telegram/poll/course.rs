//! What to do after each poll: go on, wait, or give up; and what is told. It has no clock and no network, so that hours of
//! trouble are tried in a moment.

use std::time::Duration;

use crate::limits::{
    CONFLICT_PAUSE_FIRST, CONFLICT_PAUSE_MAX, PAUSE_FIRST, PAUSE_MAX, POLL_HASTY, TELEGRAM_POLL_UPDATES_MAX,
    TOKEN_REFUSALS_MAX, TOKEN_REFUSED_PAUSE,
};
use crate::telegram::DoorNote;
use crate::telegram::backoff::pause;
use crate::telegram::wire::ApiTrouble;

/// How a poll went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Polled {
    /// New updates were taken.
    Fresh,
    /// There was nothing, for the time that the server was to wait.
    Quiet,
    /// There was nothing, and the server did not wait.
    Hasty,
    /// Only what was taken before.
    Stale,
    /// The request came to nothing.
    Failed(ApiTrouble),
    /// Updates came, and they could not be written down. Telegram keeps them.
    NotKept(String),
}

/// What the loop does after a poll.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Verdict {
    pub wait: Duration,
    pub note: Option<DoorNote>,
    /// The token is refused for good: the door closes.
    pub is_over: bool,
}

/// What the polls have come to so far.
#[derive(Debug, Default)]
pub(super) struct PollCourse {
    failures: u32,
    /// How often the token was refused in a row.
    refusals: u32,
    /// What is wrong now, in words.
    trouble: Option<String>,
    /// What the log was told of it.
    told: Option<String>,
    /// The last answer could not be read: perhaps it was too long.
    asks_for_one: bool,
}

impl PollCourse {
    /// What is wrong now, in words.
    pub(super) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// How many updates to ask for.
    pub(super) fn count(&self) -> usize {
        if self.asks_for_one { 1 } else { TELEGRAM_POLL_UPDATES_MAX }
    }

    /// Takes a poll into account.
    pub(super) fn after(&mut self, polled: &Polled, dice: u64) -> Verdict {
        match polled {
            Polled::Fresh | Polled::Quiet => self.well(Duration::ZERO),
            Polled::Hasty => self.well(POLL_HASTY),
            Polled::Stale => self.ill("Telegram repeats updates that were handled long ago", dice),
            Polled::NotKept(why) => self.ill(why, dice),
            Polled::Failed(trouble) => self.failed(trouble, dice),
        }
    }

    fn well(&mut self, wait: Duration) -> Verdict {
        self.failures = 0;
        self.refusals = 0;
        self.trouble = None;
        self.asks_for_one = false;
        let told = self.told.take();
        let note = told.map(|_| DoorNote { is_trouble: false, text: "Telegram answers again".to_owned() });
        Verdict { wait, note, is_over: false }
    }

    fn failed(&mut self, trouble: &ApiTrouble, dice: u64) -> Verdict {
        let words = trouble.to_string();
        if *trouble != ApiTrouble::Unauthorized {
            self.refusals = 0;
        }
        match trouble {
            ApiTrouble::RetryAfter(wait) => {
                self.trouble = Some(words);
                Verdict { wait: *wait, ..Verdict::default() }
            }
            ApiTrouble::Unauthorized => {
                self.refusals += 1;
                let is_over = self.refusals >= TOKEN_REFUSALS_MAX;
                Verdict { wait: TOKEN_REFUSED_PAUSE, note: self.tell(words), is_over }
            }
            ApiTrouble::Conflict { .. } => {
                self.failures = self.failures.saturating_add(1);
                let wait = pause(CONFLICT_PAUSE_FIRST, CONFLICT_PAUSE_MAX, self.failures, dice);
                Verdict { wait, note: self.tell(words), is_over: false }
            }
            ApiTrouble::Unreadable(_) => {
                self.asks_for_one = true;
                self.ill(&words, dice)
            }
            ApiTrouble::Server(_) | ApiTrouble::Unreachable(_) | ApiTrouble::TimedOut => {
                self.ill(&words, dice)
            }
            // None of these is an answer to a poll; a server that gives it is asked slowly.
            ApiTrouble::Blocked(_)
            | ApiTrouble::NoChat
            | ApiTrouble::Migrated(_)
            | ApiTrouble::NotModified
            | ApiTrouble::TapTooOld
            | ApiTrouble::MessageGone
            | ApiTrouble::Undeletable
            | ApiTrouble::Rejected(_) => self.ill(&words, dice),
        }
    }

    /// Something that passes. A first failure is not worth a line of the log: connections break every day.
    fn ill(&mut self, words: &str, dice: u64) -> Verdict {
        self.failures = self.failures.saturating_add(1);
        let wait = pause(PAUSE_FIRST, PAUSE_MAX, self.failures, dice);
        self.trouble = Some(words.to_owned());
        let note = if self.failures > 1 { self.tell(words.to_owned()) } else { None };
        Verdict { wait, note, is_over: false }
    }

    /// The same trouble is told once.
    fn tell(&mut self, words: String) -> Option<DoorNote> {
        self.trouble = Some(words.clone());
        if self.told.as_ref() == Some(&words) {
            return None;
        }
        self.told = Some(words.clone());
        Some(DoorNote { is_trouble: true, text: words })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(trouble: ApiTrouble) -> Polled {
        Polled::Failed(trouble)
    }

    #[test]
    fn trouble_that_passes_is_waited_for_longer_each_time_and_told_once() {
        let mut course = PollCourse::default();
        let polled = failed(ApiTrouble::TimedOut);
        let verdicts: Vec<_> = (0..12).map(|_| course.after(&polled, 0)).collect();
        let waits: Vec<_> = verdicts.iter().map(|verdict| verdict.wait.as_millis()).collect();
        assert_eq!(waits[..4], [250, 500, 1_000, 2_000]);
        assert_eq!(waits[11], 30_000);
        assert_eq!(verdicts.iter().filter(|verdict| verdict.note.is_some()).count(), 1);
        assert_eq!(course.trouble(), Some("the Bot API does not answer in time"));

        let well = course.after(&Polled::Quiet, 0);
        assert_eq!(well.note.unwrap().text, "Telegram answers again");
        assert_eq!((well.wait, course.trouble()), (Duration::ZERO, None));
        // It begins with the shortest pause again, and one failure alone is not told.
        let again = course.after(&polled, 0);
        assert_eq!((again.wait.as_millis(), again.note), (250, None));
        assert_eq!(course.after(&Polled::Fresh, 0).note, None);
    }

    #[test]
    fn too_many_requests_wait_as_long_as_the_server_says() {
        let mut course = PollCourse::default();
        let verdict = course.after(&failed(ApiTrouble::RetryAfter(Duration::from_secs(37))), 9);
        assert_eq!(verdict, Verdict { wait: Duration::from_secs(37), ..Verdict::default() });
    }

    #[test]
    fn a_conflict_is_told_once_with_its_reason_and_tried_again_slowly() {
        for (webhook, word) in [(true, "webhook"), (false, "another program")] {
            let mut course = PollCourse::default();
            let polled = failed(ApiTrouble::Conflict { webhook });
            let verdicts: Vec<_> = (0..20).map(|_| course.after(&polled, 0)).collect();
            let notes: Vec<_> = verdicts.iter().filter_map(|verdict| verdict.note.as_ref()).collect();
            assert!(matches!(&notes[..], [note] if note.is_trouble && note.text.contains(word)), "{notes:?}");
            assert!(
                verdicts.iter().all(|verdict| verdict.wait >= CONFLICT_PAUSE_FIRST / 2 && !verdict.is_over)
            );
            assert_eq!(verdicts[19].wait, CONFLICT_PAUSE_MAX / 2);
        }
    }

    #[test]
    fn a_refused_token_ends_the_door_after_some_tries_in_a_row() {
        let mut course = PollCourse::default();
        let refused = failed(ApiTrouble::Unauthorized);
        for _ in 0..3 {
            for _ in 1..TOKEN_REFUSALS_MAX {
                let verdict = course.after(&refused, 0);
                assert!(!verdict.is_over && verdict.wait == TOKEN_REFUSED_PAUSE);
            }
            course.after(&failed(ApiTrouble::TimedOut), 0);
        }
        let last = (0..TOKEN_REFUSALS_MAX).map(|_| course.after(&refused, 0)).last();
        assert!(last.unwrap().is_over);
    }

    #[test]
    fn a_server_that_does_not_wait_is_not_asked_in_a_circle() {
        let mut course = PollCourse::default();
        assert_eq!(course.after(&Polled::Hasty, 0).wait, POLL_HASTY);
        for polled in [Polled::Stale, Polled::NotKept("no room".to_owned()), failed(ApiTrouble::NoChat)] {
            assert!(course.after(&polled, 0).wait >= PAUSE_FIRST / 2, "{polled:?}");
        }
    }

    #[test]
    fn after_an_answer_that_cannot_be_read_one_update_is_asked_for() {
        let mut course = PollCourse::default();
        assert_eq!(course.count(), TELEGRAM_POLL_UPDATES_MAX);
        course.after(&failed(ApiTrouble::Unreadable("too long".to_owned())), 0);
        assert_eq!(course.count(), 1);
        course.after(&failed(ApiTrouble::TimedOut), 0);
        assert_eq!(course.count(), 1);
        course.after(&Polled::Fresh, 0);
        assert_eq!(course.count(), TELEGRAM_POLL_UPDATES_MAX);
    }
}
