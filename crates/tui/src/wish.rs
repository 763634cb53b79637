//! What a person wants that the screen cannot do itself.

use std::sync::Arc;

use mind::event::HumanAction;
use mind::petition::{Choice, PetitionId, Seen};

/// What is wanted of the house.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// Do this to the mission.
    Do(HumanAction),
    /// Answer one decision of a petition, as it stood on the screen.
    Decide {
        petition: PetitionId,
        /// Which of its decisions.
        decision: Arc<str>,
        choice: Choice,
        /// The question and the answer that were drawn.
        seen: Seen,
    },
    /// The answers of a petition are final.
    Submit { petition: PetitionId },
    /// Leave; the mission rests and can be resumed.
    Leave,
    /// Let the shell come to the front.
    Suspend,
    /// Turn the sound on if it is off, else off. The answer is a note on the screen.
    Sound,
    /// Draw everything anew.
    Redraw,
}
