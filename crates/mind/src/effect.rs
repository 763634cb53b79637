//! What should be done. An effect may be performed twice (a crash between act and record): its ids make the second time harmless.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::conductor::Note;
use crate::conductor::record::Question;
use crate::id::{Address, AskId, GateId, MessageId, TurnId};
use crate::petition::{Draft, PetitionId};
use crate::session::{Profile, Tree};

/// Please do it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Effect {
    /// Make the mission's clone.
    Settle,
    /// Start a session's process.
    Spawn {
        /// Which life.
        address: Address,
        /// What it is.
        profile: Arc<Profile>,
        /// It lived before: take up its conversation by its key.
        resume: bool,
        /// It has said something in its conversation: if that is gone, so is the session.
        spoke: bool,
    },
    /// Begin a turn.
    Deliver {
        /// To whom.
        address: Address,
        /// Which turn.
        turn: TurnId,
        /// The same turn for the provider, unique over all missions.
        key: String,
        /// What is said.
        text: Arc<str>,
        /// It was given before, and may have been heard.
        again: Option<Again>,
    },
    /// Fold a text into the running turn.
    Steer {
        /// To whom.
        address: Address,
        /// Its number.
        turn: TurnId,
        /// The same number for the provider, unique over all missions.
        key: String,
        /// What is said.
        text: Arc<str>,
    },
    /// Tell the model after its next tool call.
    Warn {
        /// To whom.
        address: Address,
        /// Which, in percent.
        percent: u8,
        /// What is said.
        text: Arc<str>,
    },
    /// Stop the running turn.
    Interrupt {
        /// Whose.
        address: Address,
        /// Which.
        turn: TurnId,
    },
    /// End the session's process and all its descendants.
    End {
        /// Whose.
        address: Address,
    },
    /// Look at the clone for a claim.
    Survey {
        /// Which claim.
        gate: GateId,
    },
    /// Run one check for a claim, on the commit that was brought over and on nothing else.
    Check {
        /// Which claim.
        gate: GateId,
        /// Which of the charter's checks.
        index: u32,
        /// What to run.
        argv: Vec<String>,
        /// How long it may take.
        limit_ms: u64,
        /// On which commit.
        commit: Arc<str>,
    },
    /// Bring the clone's branch over to the project as a ref, in passing.
    FetchBack,
    /// Bring the work of a claim over to the project, and say at which commit it stands.
    Bring {
        /// Which claim.
        gate: GateId,
        /// The commit that was surveyed.
        commit: Arc<str>,
    },
    /// The claim is no more: end the check that runs for it.
    Abandon {
        /// Which claim.
        gate: GateId,
    },
    /// The human is wanted.
    Ask {
        /// The message that waits for an answer.
        message: MessageId,
    },
    /// The human is wanted: may a tool run?
    Consult {
        /// The question.
        ask: AskId,
    },
    /// A tool that waits is told whether it may run.
    Permit {
        /// Whose.
        address: Address,
        /// The call's own id.
        call: Arc<str>,
        /// It may.
        allowed: bool,
        /// What the model is told with a no.
        why: Arc<str>,
    },
    /// Ask in the docket. The same id counts once.
    Petition {
        /// Its name.
        petition: PetitionId,
        /// What is asked.
        draft: Arc<Draft>,
    },
    /// What the docket asks is needed no more.
    Withdraw {
        /// Which petition.
        petition: PetitionId,
        /// Why.
        why: Arc<str>,
    },
    /// A tool that wants something of the docket is answered.
    Reply {
        /// Whose.
        address: Address,
        /// The call's own id.
        call: Arc<str>,
        /// The answer, as JSON.
        told: Value,
        /// It is a refusal.
        refused: bool,
    },
    /// Ask a model for a decision. The same number and attempt are the same question.
    Decide {
        /// The number of the decision.
        number: u32,
        /// Which asking of it.
        attempt: u32,
        /// What is asked.
        question: Arc<Question>,
    },
    /// The decision is needed no more: end the call.
    Dismiss {
        /// Its number.
        number: u32,
    },
    /// Look up what a run needs: agents and notes that changed, the clone.
    Prepare {
        /// Which run.
        run: u32,
    },
    /// Look at what a run changed.
    Inspect {
        /// Which run.
        run: u32,
        /// The clone before it.
        before: Option<Tree>,
    },
    /// Keep a note for later missions. The same title counts once.
    Remember {
        /// What.
        note: Arc<Note>,
    },
    /// The letter is a fact now, or was one before: it may go.
    Discard {
        /// Its id.
        letter: Arc<str>,
    },
    /// Keep a line in the log: what came changes nothing.
    Note {
        /// What came, and why it changes nothing.
        text: String,
    },
    /// The house may leave.
    Leave(Leave),
}

/// A turn that is given once more.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Again {
    /// What is said instead to a conversation that holds the text already: go on, and what may have run.
    pub words: Arc<str>,
    /// The model is known to hold the text.
    pub held: bool,
}

/// Why the house leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Leave {
    /// Done and verified.
    Completed,
    /// Somebody cancelled.
    Cancelled,
    /// A session's process failed.
    ProviderFailed,
    /// The clone or git failed.
    WorkshopFailed,
    /// It cannot be done.
    Failed,
    /// A limit was reached.
    Exhausted,
    /// Only a plan was wanted.
    Sketched {
        /// Its maker is sure enough of it.
        confident: bool,
    },
}
