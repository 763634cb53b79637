//! What the screen asks the program to do: it cannot reach the mission, the docket or the shell itself.

use std::sync::Arc;

use mind::event::HumanAction;
use mind::petition::{AnswerChoice, PetitionId, SeenQuestion};

#[derive(Debug, Clone, PartialEq)]
pub enum UiCommand {
    /// Do this to the mission.
    Do(HumanAction),
    /// Answer one decision of a petition, as it stood on the screen.
    Decide {
        petition: PetitionId,
        /// Which of its decisions.
        decision: Arc<str>,
        choice: AnswerChoice,
        /// The question and the answer that were drawn.
        seen: SeenQuestion,
    },
    /// The answers of a petition are final.
    Submit { petition: PetitionId },
    /// Quit; the mission can be resumed.
    Leave,
    /// Suspend the program (Ctrl+Z).
    Suspend,
    /// Turn the sound on if it is off, else off. The answer is a note on the screen.
    Sound,
    /// Draw everything anew.
    Redraw,
}
