//! Facts: what the journal stores, and all that the state is made of. They are the only type of the mind with a stored
//! form: every form ever released stays readable.

mod session;

pub use session::{ContextFact, LifeFact, PermissionFact, SessionFact, ToolFact, TurnFact, WorkFact};

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::actor::Actor;
use crate::charter::Charter;
use crate::conductor::ConductorFact;
use crate::id::{GateId, MessageId, SessionId, Timestamp};
use crate::mission_limits::{LimitKind, Limits};
use crate::petition::{Answered, PetitionDraft, PetitionId, PetitionSubject};
use crate::session::{CloneTree, QueuedMessage};
use crate::talk::{Asks, DecisionAsked, Listener, MessageKind, Proof, Receipt, Speaker};

/// A fact with the time it became one: the body of a journal line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub at: Timestamp,
    pub fact: Fact,
}

/// One thing that is true of the mission from now on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// About the mission as a whole.
    Mission(MissionFact),
    /// Something was said, or is on its way.
    Talk(TalkFact),
    /// About one session.
    Session(SessionId, SessionFact),
    /// About a claim of completion.
    Gate(GateId, GateFact),
    /// About a petition of the docket.
    Docket(PetitionId, DocketFact),
    /// About the course of a conducted mission.
    Conductor(ConductorFact),
}

/// About a petition that the mission asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocketFact {
    /// It is asked: written down before it is pushed.
    Asked { subject: PetitionSubject, draft: Arc<PetitionDraft> },
    /// The answers came.
    Decided {
        /// In the order of the decisions.
        answers: Vec<Answered>,
    },
    /// The answers are bound to another question than was asked: they count for nothing.
    Void {
        /// What is wrong.
        why: Arc<str>,
    },
    /// The mission needs it no more.
    Withdrawn { why: Arc<str> },
    /// It was closed elsewhere, or could not be asked.
    Closed { why: Arc<str> },
    /// An answer came after that.
    Late(Answered),
}

/// About the mission as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissionFact {
    /// It was opened with this charter.
    Opened(Box<Charter>),
    /// Its loop started again; every live session has a new incarnation.
    Restarted {
        /// Which start this is, counted from 1.
        run: u32,
    },
    /// Whether a person is there to be asked.
    Attended(bool),
    /// Its clone is ready.
    CloneReady {
        folder: Arc<str>,
        /// The commit it started from.
        base: Arc<str>,
        branch: Arc<str>,
    },
    /// Its clone was lost, and made again from the work that had been fetched.
    CloneRebuilt {
        /// The commit it stands at now.
        commit: Arc<str>,
    },
    /// A person or a policy said yes before the first summon.
    Consented {
        by: Actor,
        /// The question it answers; none if a policy gave it unasked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        question: Option<MessageId>,
    },
    /// No further turn begins.
    Paused { by: Actor },
    /// Turns begin again.
    Resumed { by: Actor },
    /// An act of the Arbiter was turned back.
    TurnedBack { why: Arc<str> },
    /// The Arbiter mused while the human or an Orchestrator waited, and is asked once more for an answer to them.
    AskedOnceMore { who: Arc<str> },
    /// The mission loop had to stop; `arbiter resume` continues.
    Halted { why: Arc<str>, cause: HaltCause },
    /// The end: done and verified.
    Completed {
        /// What that rests on.
        proof: Proof,
    },
    /// The end: a person or a policy cancelled it.
    Cancelled { by: Actor },
    /// The end: it cannot be done.
    Failed { why: Arc<str> },
    /// A limit was reached: nothing more begins, and what runs is stopped until then at the latest.
    LimitReached { limit: LimitKind, why: Arc<str>, until: Timestamp },
    /// A worker that was stopped there is asked for its handoff.
    HandoffAtLimit { until: Timestamp },
    /// The mission was resumed with these limits; one that had reached a limit goes on.
    LimitsSet { limits: Limits },
    /// The end: a limit was reached. That is no success.
    Exhausted { why: Arc<str> },
    /// The end: only a plan was wanted, and it stands, or there is none.
    PlanOnly {
        /// The planner is confident enough of it.
        confident: bool,
    },
}

/// What made the mission loop stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HaltCause {
    /// A session's process.
    Provider,
    /// The clone or git.
    Workspace,
}

/// Something was said, or is on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TalkFact {
    /// A message of the conversation.
    Said {
        message: MessageId,
        from: Speaker,
        to: Listener,
        kind: MessageKind,
        text: Arc<str>,
        /// What it asks of the human.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asks: Option<Asks>,
        /// Questions with options.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        decisions: Vec<DecisionAsked>,
    },
    /// A person's message was taken from the inbox: its second copy counts for nothing.
    Received {
        /// Its id there.
        inbox_id: Arc<str>,
    },
    /// Something waits for a session's next rest.
    Queued { to: SessionId, message: QueuedMessage },
}

/// About a claim of completion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateFact {
    /// The claim stands before the gate.
    Claimed {
        /// The report to the human, held back until the gate opens.
        report: Arc<str>,
    },
    /// The clone as the claim finds it.
    Surveyed(CloneTree),
    /// The work lies in the project, at this commit.
    Brought { commit: Arc<str> },
    /// One check ran.
    Receipt {
        /// Which of the charter's checks.
        index: u32,
        receipt: Receipt,
    },
    /// The claim is turned back.
    Refused { why: Arc<str> },
}
