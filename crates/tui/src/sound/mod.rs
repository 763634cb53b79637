//! What can be heard. Everything is synthesised: a sound is a short list of notes, a wave is made of it when it is first
//! wanted. Who plays it is not known here.

use crate::cue::What;

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
        What::Scroll
        | What::Arrived(_)
        | What::HumanSpoke
        | What::ArbiterSpoke
        | What::WorkerSpoke
        | What::Decided => None,
    }
}
