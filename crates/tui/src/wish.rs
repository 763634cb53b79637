//! What a person wants that the screen cannot do itself.

use std::sync::Arc;

use mind::event::Deed;
use mind::petition::{Choice, PetitionId, Seen};

/// What is wanted of the house.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// Do this to the mission.
    Do(Deed),
    /// Answer one decision of a petition, as it stood on the screen.
    Decide {
        /// Which petition.
        petition: PetitionId,
        /// Which of its decisions.
        decision: Arc<str>,
        /// The answer.
        choice: Choice,
        /// The question and the answer that were drawn.
        seen: Seen,
    },
    /// The answers of a petition are final.
    Submit {
        /// Which petition.
        petition: PetitionId,
    },
    /// Leave; the mission rests and can be resumed.
    Leave,
    /// Let the shell come to the front.
    Suspend,
    /// Draw everything anew.
    Redraw,
    /// Sound on or off.
    Sound,
}
