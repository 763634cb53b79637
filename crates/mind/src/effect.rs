//! Effects: what the mind wants done outside, grouped by what does it (process, clone, docket, model, loop). An effect may
//! be performed twice (a crash between act and record): its ids make the second time harmless.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::conductor::Note;
use crate::conductor::move_record::ModelCall;
use crate::id::{Address, GateId, TurnId};
use crate::petition::{PetitionDraft, PetitionId};
use crate::session::{CloneTree, Gauge, Profile};

/// Something to be done outside the mind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Effect {
    /// Start a session's process.
    Spawn(SessionSpawn),
    /// Tell a session that runs.
    Session(Address, SessionCommand),
    /// Do something with the mission's clone.
    Workspace(WorkspaceEffect),
    /// Do something with a petition of the docket.
    Docket(PetitionId, DocketEffect),
    /// Call a model for the conductor, or look up what a run needs.
    Conductor(ConductorEffect),
    /// What the mission's own loop and folder need.
    Mission(MissionEffect),
}

/// How a session's process is started.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionSpawn {
    /// Which session, and which of its lives.
    pub address: Address,
    /// What was fixed when it was summoned.
    pub profile: Arc<Profile>,
    /// It had a process before: resume its conversation by its key.
    pub resume: bool,
    /// It has completed a turn: if the provider has lost that conversation, the session is lost.
    pub spoke: bool,
    /// How full its context was when it last said so. The window in it holds until the new process names its own.
    pub gauge: Option<Gauge>,
    /// A budget of the mission counts what it uses, so its provider tells that inside a turn too.
    pub budgeted: bool,
}

/// What a running session is told. Providers carry it out as it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum SessionCommand {
    /// Begin a turn. A key that was delivered before continues, or answers as it did.
    Deliver {
        turn: TurnId,
        /// The same turn for the provider, unique over all missions.
        key: String,
        text: Arc<str>,
        /// Set if the turn was given before and may have been heard.
        again: Option<RetriedTurn>,
    },
    /// Fold a text into the running turn.
    Steer {
        /// The text's number.
        turn: TurnId,
        /// The same number for the provider, unique over all missions.
        key: String,
        text: Arc<str>,
    },
    /// Tell the model after its next tool call.
    Warn {
        /// The threshold that was passed, in percent.
        percent: u8,
        text: Arc<str>,
    },
    /// Answer a tool that waits for permission.
    Permit {
        /// The provider's id of the call.
        call: Arc<str>,
        allowed: bool,
        /// What the model is told with a no.
        why: Arc<str>,
    },
    /// Answer a tool that wants something of the docket.
    Reply {
        /// The provider's id of the call.
        call: Arc<str>,
        told: Value,
        refused: bool,
    },
    /// Stop the running turn.
    Interrupt { turn: TurnId },
    /// End the process and all its descendants.
    End,
}

/// What is done with the mission's clone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum WorkspaceEffect {
    /// Make the clone.
    PrepareClone,
    /// Look at the clone for a claim.
    Survey { gate: GateId },
    /// Run one check for a claim, on the commit that was brought over and on nothing else.
    Check {
        gate: GateId,
        /// The check's place in the charter.
        index: u32,
        argv: Vec<String>,
        limit_ms: u64,
        commit: Arc<str>,
    },
    /// Bring the clone's branch over to the project as a ref, in passing.
    FetchBack,
    /// Bring the work of a claim over to the project, and say at which commit it stands.
    Bring {
        gate: GateId,
        /// The commit that was surveyed.
        commit: Arc<str>,
    },
    /// The claim was withdrawn: end the check that runs for it.
    Abandon { gate: GateId },
}

/// What is done with a petition. The same id counts once.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum DocketEffect {
    Push {
        draft: Arc<PetitionDraft>,
    },
    /// It is needed no more.
    Withdraw {
        why: Arc<str>,
    },
}

/// What the conductor needs from outside.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum ConductorEffect {
    /// Ask a model for a decision. The same number and attempt are the same call.
    CallModel {
        /// The number of the decision.
        number: u32,
        /// How often it was asked, this call included.
        attempt: u32,
        question: Arc<ModelCall>,
    },
    /// The decision is needed no more: end the call.
    DropCall {
        /// The number of the decision.
        number: u32,
    },
    /// Read again what a run needs: agents and notes that changed, the clone.
    PrepareRun { run: u32 },
    /// Look at what a run changed.
    InspectRun {
        run: u32,
        /// The clone before it.
        before: Option<CloneTree>,
    },
    /// Keep a note for later missions. The same title counts once.
    Remember { note: Arc<Note> },
}

/// What the mission's own loop and folder need.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum MissionEffect {
    /// The message is a fact now, or was one before: its file may go.
    RemoveFromInbox { inbox_id: Arc<str> },
    /// Write a line to the log: an event came that changes nothing.
    Note {
        /// What came, and why it changes nothing.
        text: String,
    },
    /// The loop may leave.
    Leave(Leave),
}

/// A turn that is given once more.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RetriedTurn {
    /// What is said instead to a conversation that holds the text already: go on, and what may have run.
    pub words: Arc<str>,
    /// The model is known to hold the text.
    pub held: bool,
}

/// Why the mission's loop leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Leave {
    /// Done and verified.
    Completed,
    /// A person cancelled.
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
    PlanOnly {
        /// The planner is confident enough of it.
        confident: bool,
    },
}
