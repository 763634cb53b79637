//! What can be heard. Everything is synthesised: a sound is a short list of notes, a wave is made of it when it is first
//! wanted. Who plays it is not known here.

mod limits;
mod render;
mod score;
mod scores;
mod theme;
mod voice;
mod wav;

use crate::decoration::cue::What;

use self::score::Score;

/// A short sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// Something was chosen in a list.
    Choose,
    /// Something was taken.
    Take,
    /// A step in the forest.
    Step,
    /// Lost in the forest.
    Lost,
    /// The Arbiter was found.
    Found,
    /// A demon comes.
    Summon,
    /// A demon goes.
    Dismiss,
    /// Something waits for the human.
    Ask,
    /// A check passed.
    Pass,
    /// A check failed, or a claim was turned back.
    Refuse,
    /// A limit puts somebody to sleep.
    Sleep,
    /// Done and verified.
    Done,
    /// It ended otherwise.
    End,
}

impl Effect {
    /// All of them.
    pub const ALL: [Effect; 13] = [
        Effect::Choose,
        Effect::Take,
        Effect::Step,
        Effect::Lost,
        Effect::Found,
        Effect::Summon,
        Effect::Dismiss,
        Effect::Ask,
        Effect::Pass,
        Effect::Refuse,
        Effect::Sleep,
        Effect::Done,
        Effect::End,
    ];

    /// Its name in one lower-case word.
    pub fn name(self) -> &'static str {
        match self {
            Effect::Choose => "choose",
            Effect::Take => "take",
            Effect::Step => "step",
            Effect::Lost => "lost",
            Effect::Found => "found",
            Effect::Summon => "summon",
            Effect::Dismiss => "dismiss",
            Effect::Ask => "ask",
            Effect::Pass => "pass",
            Effect::Refuse => "refuse",
            Effect::Sleep => "sleep",
            Effect::Done => "done",
            Effect::End => "end",
        }
    }

    /// The last word about a mission: no lesser sound takes its place.
    pub fn is_last_word(self) -> bool {
        matches!(self, Effect::Done | Effect::End)
    }
}

/// The effect as a WAV file: mono, 16 bits.
pub fn wave(effect: Effect) -> Vec<u8> {
    bytes(&scores::of(effect))
}

/// How long the effect is.
pub fn length_ms(effect: Effect) -> u32 {
    scores::of(effect).length_ms
}

/// The theme as a WAV file. It begins and ends in silence, and its last bar asks for its first.
pub fn theme() -> Vec<u8> {
    bytes(&theme::score())
}

/// How long the theme is.
pub fn theme_length_ms() -> u32 {
    theme::LENGTH_MS
}

fn bytes(score: &Score) -> Vec<u8> {
    wav::bytes(&render::samples(score))
}

/// What a cue sounds like, if it is heard at all. Words are not: there are too many of them.
pub fn of(what: What) -> Option<Effect> {
    match what {
        What::Summoned(_) | What::Inspects(_) => Some(Effect::Summon),
        What::Released(_) => Some(Effect::Dismiss),
        What::Asked => Some(Effect::Ask),
        What::Receipt { passed: true } => Some(Effect::Pass),
        What::Receipt { passed: false } | What::TurnedBack => Some(Effect::Refuse),
        What::Limited(_) => Some(Effect::Sleep),
        What::Completed => Some(Effect::Done),
        What::Failed | What::Cancelled | What::Exhausted => Some(Effect::End),
        What::Scroll | What::HumanSpoke | What::ArbiterSpoke | What::WorkerSpoke => None,
    }
}

#[cfg(test)]
mod tests;
