//! The bugs that are planted, each an exact piece of the round's text and what stands there instead. A piece that is not found
//! exactly once is an error: a plant that no longer bites must not pass for one that was seen.

use anyhow::ensure;

/// Where the rules of a round stand.
pub const ROUND: &str = "crates/mind/src/round.rs";

pub struct Bug {
    /// Which rule is broken.
    pub kind: &'static str,
    /// How it is broken.
    pub what: &'static str,
    piece: &'static str,
    instead: &'static str,
}

#[rustfmt::skip]
pub const BUGS: &[Bug] = &[
    Bug {
        kind: "order", what: "nothing is sorted",
        piece: "events.sort_by_key(precedence);",
        instead: "let _ = precedence;",
    },
    Bug {
        kind: "order", what: "a person is heard last",
        piece: "Event::Human(_) => 1,",
        instead: "Event::Human(_) => 3,",
    },
    Bug {
        kind: "leave filter", what: "a halt during a stop is taken for an end",
        piece: "leave.filter(|_| mode == LoopMode::Running || state.ended.is_some())",
        instead: "{ let _ = state; leave }",
    },
    Bug {
        kind: "leave filter", what: "an end during a stop is kept quiet",
        piece: "leave.filter(|_| mode == LoopMode::Running || state.ended.is_some())",
        instead: "{ let _ = state; leave.filter(|_| mode == LoopMode::Running) }",
    },
    Bug {
        kind: "record filter", what: "a mission that is stopped begins new work",
        piece: "self.effects.retain(is_record);",
        instead: "let _ = is_record;",
    },
    Bug {
        kind: "record filter", what: "letters that are facts stay in the inbox",
        piece: "matches!(effect, Effect::Mission(MissionEffect::RemoveFromInbox { .. } | MissionEffect::Note { .. }))",
        instead: "matches!(effect, Effect::Mission(MissionEffect::Note { .. }))",
    },
    Bug {
        kind: "batch end", what: "the last fact of a batch is lost",
        piece: "self.leave = leave",
        instead: "if self.entries.len() > 1 { self.entries.pop(); }\n        self.leave = leave",
    },
    Bug {
        kind: "batch end", what: "what follows the first event is lost",
        piece: "events.drain(..events.len().min(limits::BATCH_EVENTS_MAX))",
        instead: "events.drain(..).take(limits::BATCH_EVENTS_MAX.min(1))",
    },
    Bug {
        kind: "alarm", what: "it never rings",
        piece: "if mode == LoopMode::Running && self.is_due(now) {",
        instead: "if mode == LoopMode::Running && self.is_due(now) && now.0 == 0 {",
    },
    Bug {
        kind: "alarm", what: "it rings after an empty batch only",
        piece: "if mode == LoopMode::Running && self.is_due(now) {",
        instead: "if mode == LoopMode::Running && self.is_due(now) && round.entries.is_empty() {",
    },
];

impl Bug {
    /// The round with this bug in it.
    pub fn plant(&self, round: &str) -> anyhow::Result<String> {
        let found = round.matches(self.piece).count();
        ensure!(
            found == 1,
            "plant `{}: {}` finds its piece {found} times in {ROUND}\nhint: the round changed: mend the plant in \
             crates/xtask/src/plants/bugs.rs",
            self.kind,
            self.what
        );
        Ok(round.replacen(self.piece, self.instead, 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Here the gate sees at once that the round has changed, without building anything.
    #[test]
    fn every_plant_fits_the_round() {
        let round = std::fs::read_to_string(crate::root().join(ROUND)).unwrap();
        for bug in BUGS {
            assert_ne!(bug.plant(&round).unwrap(), round, "{}", bug.what);
        }
    }

    #[test]
    fn a_piece_that_is_gone_or_there_twice_is_named() {
        let bug = Bug { kind: "order", what: "none", piece: "sort", instead: "" };
        for (round, times) in [("", 0), ("sort sort", 2)] {
            let error = bug.plant(round).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("plant `order: none` finds its piece {times} times")),
                "{error}"
            );
            assert!(error.contains("the round changed: mend the plant"), "{error}");
        }
        assert_eq!(bug.plant("a sort b").unwrap(), "a  b");
    }
}
