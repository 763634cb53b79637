//! Facts about one session, grouped: life, turns, tools, permissions, context, work.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::access::SandboxLevel;
use crate::actor::Actor;
use crate::id::{MessageId, PermissionId, SessionId, TurnId};
use crate::petition::PetitionId;
use crate::policy::{GrantScope, PermissionRequest};
use crate::session::{CloneTree, Gauge, Interjection, Profile, Task, Wait};
use crate::talk::Verdict;

/// About one session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionFact {
    /// How a session begins, lives, waits and ends.
    Life(LifeFact),
    /// One prompt and all that comes back.
    Turn(TurnFact),
    /// The tools that a session runs.
    Tool(ToolFact),
    /// Whether a tool may run.
    Permission(PermissionFact),
    /// How full the context is, and what follows from that.
    Context(ContextFact),
    /// What a session works on, reports and uses up.
    Work(WorkFact),
}

impl SessionFact {
    /// It shows that the session is alive. Every fact does, except those that record what the loop itself did.
    pub(crate) fn is_sign_of_life(&self) -> bool {
        !matches!(
            self,
            SessionFact::Life(LifeFact::SilenceWatched { .. })
                | SessionFact::Turn(TurnFact::Interrupting { .. })
                | SessionFact::Turn(TurnFact::Interjected(_))
                | SessionFact::Context(ContextFact::WarningSet { .. })
        )
    }
}

/// How a session begins, lives, waits and ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LifeFact {
    Summoned(Profile),
    /// Its process runs, in a sandbox of this level.
    Sandboxed(SandboxLevel),
    /// The version of the program that its process runs; another process may run another.
    ProgramVersion(Arc<str>),
    /// It is alive.
    SignOfLife,
    /// It waits for a person, or no longer does.
    AwaitsHuman(bool),
    /// It waits for the answers of a petition: it is told when they are there, and not before.
    WaitsForPetition {
        petition: PetitionId,
    },
    /// It waits for time to pass: after an error, a limit or a death.
    Waits(Wait),
    /// Its process was started anew.
    Revived,
    /// It has been silent for too long, and something was done about it.
    SilenceWatched {
        /// 1: it was nudged, 2: interrupted, 3: killed.
        stage: u8,
        /// The number of the nudge, if one could be given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nudge: Option<TurnId>,
    },
    /// Its session is ended; it is never spoken to again.
    Released,
}

/// One prompt and all that comes back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnFact {
    /// A turn begins. The mail that waited is in the text, as far as one prompt may hold it; for the Arbiter, so are the workers' logs.
    Prompted {
        turn: TurnId,
        /// What is said to the session.
        text: Arc<str>,
        /// How many letters of its mail the text holds.
        mail: u32,
        /// The human's words in it.
        #[serde(default = "none", skip_serializing_if = "no_words")]
        words: Arc<[MessageId]>,
        /// Whose work logs the text holds: they are emptied.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        log_of: Vec<SessionId>,
    },
    /// A text is folded into the running turn.
    Interjected(Interjection),
    /// A steered text missed its turn: it is the next one.
    InterjectionBecameTurn { turn: TurnId },
    /// A prompt or a steered text reached the model.
    Heard { turn: TurnId },
    /// The wait is over: the same text is given again, as another turn.
    Retried {
        /// The new number.
        turn: TurnId,
    },
    /// The running turn was told to stop.
    Interrupting { by: Actor },
    /// The turn is over.
    Rested {
        turn: TurnId,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        interrupted: bool,
        /// The clone as it was then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tree: Option<CloneTree>,
    },
    /// The output did not validate and is asked again.
    Malformed { faults: Vec<String> },
}

/// The tools that a session runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolFact {
    /// A tool began.
    Started {
        /// The call's own id; empty where the provider has none.
        #[serde(default = "nameless", skip_serializing_if = "str::is_empty")]
        call: Arc<str>,
        name: Arc<str>,
        detail: Arc<str>,
    },
    /// The tool came back.
    Ended {
        #[serde(default = "nameless", skip_serializing_if = "str::is_empty")]
        call: Arc<str>,
        ok: bool,
    },
    /// The policy did not let a tool run.
    Denied {
        tool: Arc<str>,
        /// What it would have worked on.
        what: Arc<str>,
        /// What the model was told.
        why: Arc<str>,
    },
}

/// Whether a tool may run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PermissionFact {
    /// A tool waits for a person's yes.
    Asked {
        /// The question's number.
        permission: PermissionId,
        call: Arc<str>,
        request: Arc<PermissionRequest>,
    },
    /// A later process of the session asks the same: it is the same permission.
    AskedAgain {
        permission: PermissionId,
        /// The call's own id now.
        call: Arc<str>,
    },
    /// Somebody said whether the tool may run.
    Answered {
        permission: PermissionId,
        /// What the answer is bound to.
        digest: Arc<str>,
        allowed: bool,
        by: Actor,
        /// How far a yes reaches.
        #[serde(default)]
        scope: GrantScope,
        /// What the model is told with a no.
        #[serde(default = "nameless", skip_serializing_if = "str::is_empty")]
        why: Arc<str>,
    },
    /// An answer that came while no process waited for it has been given to one: it is used up.
    AnswerGiven { permission: PermissionId },
    /// An earlier yes covers this too; no person was asked.
    Covered {
        /// The question that was answered so.
        permission: PermissionId,
        request: Arc<PermissionRequest>,
    },
    /// The tool no longer waits.
    Unasked { permission: PermissionId },
}

/// How full the context is, and what follows from that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextFact {
    /// The context is this full.
    Gauged(Gauge),
    /// A warning is set up to follow the next tool call.
    WarningSet { percent: u8 },
    /// The warning reached the model.
    Warned { percent: u8 },
    /// Its context ran over: it is interrupted and asked for its handoff.
    Overflowed,
    /// It was asked for its handoff: at a clean boundary, at a limit, or because its context ran over.
    HandoffAsked,
    /// The Arbiter was asked for its testament.
    TestamentAsked,
}

/// What a session works on, reports and uses up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkFact {
    /// The checklist is now this.
    Tasks(Vec<Task>),
    /// What its turn took and cost. Each report is booked once.
    Spent {
        /// The provider's own name for this report.
        report: Arc<str>,
        input: u64,
        output: u64,
        /// In millionths of a dollar.
        #[serde(default, skip_serializing_if = "is_zero")]
        cost_microusd: u64,
    },
    /// A line joined the work log.
    Logged {
        text: Arc<str>,
        /// Nothing had changed since the turn before.
        quiet: bool,
    },
    /// A worker wants an answer from the Arbiter.
    AwaitsReply,
    /// A verifier judged.
    Judged {
        verdict: Verdict,
        /// What it found.
        findings: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commit: Option<Arc<str>>,
    },
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

fn no_words(words: &Arc<[MessageId]>) -> bool {
    words.is_empty()
}

fn nameless() -> Arc<str> {
    Arc::from("")
}

fn none() -> Arc<[MessageId]> {
    Arc::from([])
}
