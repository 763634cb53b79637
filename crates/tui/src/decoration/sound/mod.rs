//! What can be heard. Everything is synthesised: a sound is a short list of notes, a wave is made of it when it is first
//! wanted. Who plays it is not known here.

mod limits;
mod render;
mod score;
mod scores;
mod theme;
mod voice;
mod wav;

use view::stage_event::{StageEventKind, StageEvents};

use self::score::Score;

/// A short sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SoundEffect {
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
    /// A limit puts a demon to sleep.
    Sleep,
    /// Done and verified.
    Done,
    /// It ended otherwise.
    End,
}

impl SoundEffect {
    /// All of them.
    pub const ALL: [SoundEffect; 13] = [
        SoundEffect::Choose,
        SoundEffect::Take,
        SoundEffect::Step,
        SoundEffect::Lost,
        SoundEffect::Found,
        SoundEffect::Summon,
        SoundEffect::Dismiss,
        SoundEffect::Ask,
        SoundEffect::Pass,
        SoundEffect::Refuse,
        SoundEffect::Sleep,
        SoundEffect::Done,
        SoundEffect::End,
    ];

    /// Its name in one lower-case word.
    pub fn name(self) -> &'static str {
        match self {
            SoundEffect::Choose => "choose",
            SoundEffect::Take => "take",
            SoundEffect::Step => "step",
            SoundEffect::Lost => "lost",
            SoundEffect::Found => "found",
            SoundEffect::Summon => "summon",
            SoundEffect::Dismiss => "dismiss",
            SoundEffect::Ask => "ask",
            SoundEffect::Pass => "pass",
            SoundEffect::Refuse => "refuse",
            SoundEffect::Sleep => "sleep",
            SoundEffect::Done => "done",
            SoundEffect::End => "end",
        }
    }

    /// The last word about a mission: no lesser sound takes its place.
    pub fn is_last_word(self) -> bool {
        matches!(self, SoundEffect::Done | SoundEffect::End)
    }
}

/// Something that can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tune {
    /// A short sound.
    Effect(SoundEffect),
    /// The music. It begins and ends in silence, and its last bar asks for its first.
    Theme,
}

impl Tune {
    /// Its name in one lower-case word.
    pub fn name(self) -> &'static str {
        match self {
            Tune::Effect(effect) => effect.name(),
            Tune::Theme => "theme",
        }
    }

    /// How long it is.
    pub fn length_ms(self) -> u32 {
        match self {
            Tune::Effect(effect) => scores::of(effect).length_ms,
            Tune::Theme => theme::LENGTH_MS,
        }
    }

    /// The tune as a WAV file: mono, 16 bits.
    pub fn wave(self) -> Vec<u8> {
        match self {
            Tune::Effect(effect) => bytes(&scores::of(effect)),
            Tune::Theme => bytes(&theme::score()),
        }
    }
}

fn bytes(score: &Score) -> Vec<u8> {
    wav::bytes(&render::samples(score))
}

/// What is heard of the facts after `from` up to `head`.
pub fn effects(events: &StageEvents, from: u64, head: u64) -> impl Iterator<Item = SoundEffect> {
    events.between(from, head).iter().filter_map(|event| effect(event.kind))
}

/// What an event sounds like, if it is heard at all. Words are not: there are too many of them.
fn effect(kind: StageEventKind) -> Option<SoundEffect> {
    match kind {
        StageEventKind::Summoned(_) | StageEventKind::Inspects(_) => Some(SoundEffect::Summon),
        StageEventKind::Released(_) => Some(SoundEffect::Dismiss),
        StageEventKind::Asked => Some(SoundEffect::Ask),
        StageEventKind::Receipt { passed: true } => Some(SoundEffect::Pass),
        StageEventKind::Receipt { passed: false } | StageEventKind::TurnedBack => Some(SoundEffect::Refuse),
        StageEventKind::Limited(_) => Some(SoundEffect::Sleep),
        StageEventKind::Completed => Some(SoundEffect::Done),
        StageEventKind::Failed | StageEventKind::Cancelled | StageEventKind::Exhausted => {
            Some(SoundEffect::End)
        }
        StageEventKind::Scroll
        | StageEventKind::HumanSpoke
        | StageEventKind::ArbiterSpoke
        | StageEventKind::WorkerSpoke => None,
    }
}

#[cfg(test)]
mod tests;
