//! Events: what happened outside the mind. The loop's inbox carries them, and nothing else comes in.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::access::SandboxLevel;
use crate::actor::Actor;
use crate::charter::Charter;
use crate::conductor::ConductorEvent;
use crate::id::{Address, GateId, PermissionId, Timestamp, TurnId};
use crate::mission_limits::Limits;
use crate::petition::{Answered, PetitionDraft, PetitionId};
use crate::policy::{GrantScope, PermissionRequest};
use crate::session::{CloneTree, Gauge, Task};
use crate::talk::Receipt;

/// Something happened outside.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Event {
    /// A new mission is opened.
    Opened(Box<Charter>),
    /// The mission loop starts again over an existing journal.
    Started,
    /// The limits that the mission goes on with, as the user has set them now.
    LimitsSet(Limits),
    /// A person, or a policy speaking in a person's place.
    Human(HumanEvent),
    /// An agent's session.
    Agent(Address, AgentEvent),
    /// The workspace: the clone and the checks.
    Workshop(WorkspaceEvent),
    /// Nothing but time happened: whatever is due is done.
    Alarm,
    /// Whether a person is there to be asked, from now on. A person at a terminal is told at every start; that one is away is
    /// said again once the terminal is closed.
    Attended(bool),
    /// What became of a petition of this mission.
    Docket(PetitionId, DocketEvent),
    /// A model's reply, or what was looked up for a run of a conducted mission.
    Conductor(ConductorEvent),
}

/// What became of a petition.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum DocketEvent {
    /// The answers were submitted.
    Decided {
        /// In the order of the decisions.
        answers: Vec<Answered>,
    },
    /// It was closed without answers: withdrawn, expired, or its file is gone.
    Closed { why: Arc<str> },
    /// An answer came after that.
    Late(Answered),
    /// The docket does not have it and refuses it.
    Unasked { why: Arc<str> },
    /// The docket could not be asked so far; that is tried again until it can.
    Delayed { why: Arc<str> },
}

/// What a session wants of the docket.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum DocketCall {
    Push(Arc<PetitionDraft>),
    /// To know its status.
    Status(PetitionId),
    /// To have the answers.
    Get {
        id: PetitionId,
        /// Those that there are, although it is open.
        partial: bool,
    },
    /// To wait for the answers.
    Await(PetitionId),
}

/// A person did something. `inbox_id` is unique for each action: the second copy counts for nothing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HumanEvent {
    /// The id of the letter that carried it.
    pub inbox_id: Arc<str>,
    /// Who, through which door.
    pub actor: Actor,
    /// When it was written: a yes written before the question was asked does not answer it.
    pub written: Timestamp,
    pub action: HumanAction,
}

/// What a person can do to a running mission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HumanAction {
    /// Speak to the Arbiter.
    Say(Arc<str>),
    /// Speak to the active Orchestrator directly.
    SayToOrchestrator(Arc<str>),
    /// Let no further turn begin.
    Pause,
    /// Go on after a pause.
    Resume,
    /// Stop the running turn.
    Interrupt,
    /// End the active Orchestrator's session.
    Release,
    /// End the mission.
    Cancel,
    /// Let this agent run next.
    Force(Arc<str>),
    /// Leave the current step out.
    Skip,
    /// Let the last agent try again.
    Retry,
    /// Say whether a tool may run.
    Answer {
        permission: PermissionId,
        /// What was read: the answer holds for nothing else.
        digest: Arc<str>,
        allowed: bool,
        /// How far a yes reaches.
        #[serde(default)]
        scope: GrantScope,
        /// What the model is told with a no.
        #[serde(default = "silence")]
        why: Arc<str>,
    },
}

fn silence() -> Arc<str> {
    Arc::from("")
}

/// A session reports.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum AgentEvent {
    /// A prompt or a steered text reached the model.
    Heard(TurnId),
    /// A tool began.
    ToolStarted {
        /// The call's own id; empty where the provider has none.
        call: Arc<str>,
        name: Arc<str>,
        /// What it works on, shortened by the provider.
        detail: Arc<str>,
    },
    /// The tool came back.
    ToolEnded { call: Arc<str>, ok: bool },
    /// How full the context is now.
    Gauged(Gauge),
    /// The armed warning reached the model.
    Warned { percent: u8 },
    /// The checklist changed.
    Tasks(Vec<Task>),
    /// What the turn took and cost; told before it rests or fails, or after its end was ordered. One report may be told
    /// more than once.
    Spent {
        /// The provider's own name for this report, unique in its session: told again, it has the same.
        report: Arc<str>,
        input: u64,
        output: u64,
        /// In millionths of a dollar; 0 where the provider does not say.
        cost_microusd: u64,
    },
    /// The turn is over.
    Rested {
        turn: TurnId,
        end: TurnEnd,
        /// The clone as it is now, if the session works in one.
        tree: Option<CloneTree>,
    },
    /// A sign of life without other meaning, at most once a minute.
    Stirred,
    /// Its process runs, in a sandbox of this level.
    Housed(SandboxLevel),
    /// What a person should know of its program while the mission runs; the same words are told once in a mission.
    Remarked(Arc<str>),
    /// Its program names its own version.
    ProgramVersion(Arc<str>),
    /// A tool waits for a person's yes.
    Asks { call: Arc<str>, request: Arc<PermissionRequest> },
    /// The policy did not let a tool run.
    Denied {
        tool: Arc<str>,
        /// What it would have worked on.
        what: Arc<str>,
        /// What the model was told.
        why: Arc<str>,
    },
    /// The tool no longer waits.
    Unasks { call: Arc<str> },
    /// A tool of it wants something of the docket.
    Pleads { call: Arc<str>, plea: DocketCall },
    /// It waits for a person, a permission or a decision, or no longer does. Such a wait does not count as silence.
    AwaitsHuman(bool),
    /// The turn ended in an error; the process lives.
    Failed { turn: TurnId, failure: Failure },
    /// The process ended, or cannot be reached, without an order to end.
    Lost { why: Arc<str> },
    /// The machine gave it no process: too many files are open, say. No session can do anything about that.
    Unstarted { why: Arc<str> },
    /// The process ended for want of a login: another one would end in the same way until a person mends that.
    LoggedOut { why: Arc<str> },
}

/// Why a turn failed. The variant says what is to be done about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Failure {
    /// Connection, overload, a server's error: trying again helps.
    Transient(Arc<str>),
    /// A rate or usage limit.
    Limited {
        /// What the provider said.
        why: Arc<str>,
        /// When it ends, if the provider named a time.
        until: Option<Timestamp>,
    },
    /// Login or configuration: only a person can mend it.
    Unauthorised(Arc<str>),
    /// This request will not be answered, however often it is made.
    Refused(Arc<str>),
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum TurnEnd {
    /// The model finished. `output` is its typed output, unread; `text` its plain words.
    Spoke {
        /// The typed output, if there was one.
        output: Option<serde_json::Value>,
        text: Arc<str>,
    },
    /// It was interrupted on order.
    Interrupted,
}

/// The clone and the checks report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum WorkspaceEvent {
    /// The mission's clone stands.
    Settled {
        folder: Arc<str>,
        /// The commit it started from.
        base: Arc<str>,
        branch: Arc<str>,
    },
    /// The clone was gone when the mission was started again, and was made from the work that had been fetched.
    Rebuilt {
        /// The commit it stands at.
        commit: Arc<str>,
    },
    /// The clone as a claim of completion finds it.
    Surveyed { gate: GateId, tree: CloneTree },
    /// One check of a claim ran.
    Checked {
        gate: GateId,
        /// Which of the charter's checks.
        index: u32,
        receipt: Receipt,
    },
    /// The work of a claim lies in the project.
    Brought {
        gate: GateId,
        /// The commit that lies there.
        commit: Arc<str>,
    },
    /// What a claim needs cannot be done with the clone as it is.
    Unfit { gate: GateId, why: Arc<str> },
    /// A part of a claim could not be done because of the machine (a full disk, a process that cannot be started), however
    /// often it was tried. It says nothing about the work.
    Hindered { gate: GateId, why: Arc<str> },
    /// The workshop cannot do what was asked.
    Broken { why: Arc<str> },
}
