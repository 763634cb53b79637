//! What we hold true. Facts are the only type of the mind with a stored form: every form ever released stays readable.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::charter::Charter;
use crate::conductor::ConductorFact;
use crate::id::{AskId, GateId, MessageId, SessionId, Timestamp, TurnId};
use crate::lay::Level;
use crate::petition::{Answered, Draft, Matter, PetitionId};
use crate::policy::{Lasts, Question};
use crate::session::{Gauge, Mail, Profile, Steer, Task, Tree, Wait};
use crate::talk::{Actor, Asks, DecisionAsked, Listener, Proof, Receipt, Speaker, Tone, Verdict};

/// A fact with the time it became one: the body of a journal line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// When.
    pub at: Timestamp,
    /// What.
    pub fact: Fact,
}

/// We hold it true.
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
    Raised {
        /// About what.
        matter: Matter,
        /// What is asked.
        draft: Arc<Draft>,
    },
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
    /// We need it no more.
    Withdrawn {
        /// Why.
        why: Arc<str>,
    },
    /// It was closed elsewhere, or could not be asked.
    Closed {
        /// Why.
        why: Arc<str>,
    },
    /// An answer came after that.
    Late(Answered),
}

/// About the mission as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissionFact {
    /// It was opened with this charter.
    Opened(Box<Charter>),
    /// The house started again; every live session has a new incarnation.
    Woken {
        /// Which start this is, counted from 1.
        run: u32,
    },
    /// A person is there to be asked, or nobody is.
    Attended(bool),
    /// Its clone stands.
    Settled {
        /// Where it is.
        folder: Arc<str>,
        /// The commit it started from.
        base: Arc<str>,
        /// The mission's branch.
        branch: Arc<str>,
    },
    /// Somebody said yes before the first summon.
    Consented {
        /// Who.
        by: Actor,
        /// The question it answers; none if a policy gave it unasked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        question: Option<MessageId>,
    },
    /// No further turn begins.
    Paused {
        /// Who asked for it.
        by: Actor,
    },
    /// Turns begin again.
    Resumed {
        /// Who asked for it.
        by: Actor,
    },
    /// An act of the Arbiter was turned back.
    TurnedBack {
        /// Why.
        why: Arc<str>,
    },
    /// The Arbiter mused while somebody waited, and is asked once more for an answer to them.
    AskedOnceMore {
        /// Who waits.
        who: Arc<str>,
    },
    /// The house had to stop; a later start goes on.
    Halted {
        /// Why.
        why: Arc<str>,
        /// What failed.
        cause: HaltCause,
    },
    /// The end: done and verified.
    Completed {
        /// What that rests on.
        proof: Proof,
    },
    /// The end: somebody cancelled.
    Cancelled {
        /// Who.
        by: Actor,
    },
    /// The end: it cannot be done.
    Failed {
        /// Why.
        why: Arc<str>,
    },
    /// The end: a limit was reached. That is no success.
    Exhausted {
        /// Which.
        why: Arc<str>,
    },
    /// The end: only a plan was wanted, and it stands, or there is none.
    Sketched {
        /// Its maker is sure enough of it.
        confident: bool,
    },
}

/// What made the house stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HaltCause {
    /// A session's process.
    Provider,
    /// The clone or git.
    Workshop,
}

/// Something was said, or is on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TalkFact {
    /// A message of the conversation.
    Said {
        /// Its number.
        message: MessageId,
        /// Who speaks.
        from: Speaker,
        /// To whom.
        to: Listener,
        /// How it is meant.
        tone: Tone,
        /// The words.
        text: Arc<str>,
        /// What it asks of the human.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asks: Option<Asks>,
        /// Questions with options.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        decisions: Vec<DecisionAsked>,
    },
    /// A letter was taken: its second copy counts for nothing.
    Taken {
        /// The letter's id.
        letter: Arc<str>,
    },
    /// Something waits for a session's next rest.
    Posted {
        /// Whose.
        to: SessionId,
        /// What.
        mail: Mail,
    },
}

/// About one session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionFact {
    /// It begins.
    Summoned(Profile),
    /// A turn begins. The mail that waited is in the text, as far as one prompt may hold it; for the Arbiter, so are the workers' logs.
    Prompted {
        /// The turn's number.
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
    Steered(Steer),
    /// A steered text missed its turn: it is the next one.
    Overtaken {
        /// Which.
        turn: TurnId,
    },
    /// A prompt or a steered text reached the model.
    Heard {
        /// Which.
        turn: TurnId,
    },
    /// A tool began.
    ToolStarted {
        /// The call's own id; empty where the provider has none.
        #[serde(default = "nameless", skip_serializing_if = "str::is_empty")]
        call: Arc<str>,
        /// The tool's name.
        name: Arc<str>,
        /// What it works on.
        detail: Arc<str>,
    },
    /// The tool came back.
    ToolEnded {
        /// Which call.
        #[serde(default = "nameless", skip_serializing_if = "str::is_empty")]
        call: Arc<str>,
        /// Whether it succeeded.
        ok: bool,
    },
    /// The context is this full.
    Gauged(Gauge),
    /// A warning is set up to follow the next tool call.
    Armed {
        /// Which, in percent.
        percent: u8,
    },
    /// The warning reached the model.
    Warned {
        /// Which, in percent.
        percent: u8,
    },
    /// The checklist is now this.
    Tasks(Vec<Task>),
    /// What its turn took, in tokens.
    Spent {
        /// Read.
        input: u64,
        /// Written.
        output: u64,
    },
    /// It is alive.
    Stirred,
    /// It waits for a person, or no longer does.
    AwaitsHuman(bool),
    /// Its process runs, held by this.
    Housed(Level),
    /// A tool waits for a person's yes.
    Asked {
        /// The question's number.
        ask: AskId,
        /// The call's own id.
        call: Arc<str>,
        /// What would run.
        question: Arc<Question>,
    },
    /// The policy did not let a tool run.
    Denied {
        /// The tool.
        tool: Arc<str>,
        /// What it would have worked on.
        what: Arc<str>,
        /// What the model was told.
        why: Arc<str>,
    },
    /// A later life of the session asks the same: it is the same question.
    AskedAgain {
        /// Which.
        ask: AskId,
        /// The call's own id now.
        call: Arc<str>,
    },
    /// Somebody said whether the tool may run.
    Answered {
        /// Which question.
        ask: AskId,
        /// What the answer is bound to.
        digest: Arc<str>,
        /// It may.
        allowed: bool,
        /// Who says so.
        by: Actor,
        /// How far a yes reaches.
        #[serde(default)]
        lasts: Lasts,
        /// What the model is told with a no.
        #[serde(default = "nameless", skip_serializing_if = "str::is_empty")]
        why: Arc<str>,
    },
    /// An answer that came while no process waited for it has been given to one: it holds no more.
    AnswerGiven {
        /// To which question.
        ask: AskId,
    },
    /// An earlier yes covers this too; nobody was asked.
    Covered {
        /// The question that was answered so.
        ask: AskId,
        /// What runs.
        question: Arc<Question>,
    },
    /// The tool no longer waits.
    Unasked {
        /// Which question.
        ask: AskId,
    },
    /// It waits for the answers of a petition: it is told when they are there, and not before.
    Parked {
        /// Which.
        petition: PetitionId,
    },
    /// It waits for time to pass: after an error, a limit or a death.
    Waits(Wait),
    /// The wait is over: the same text is given again, as another turn.
    Retried {
        /// The new number.
        turn: TurnId,
    },
    /// Its process was started anew.
    Revived,
    /// It has been silent for too long, and something was done about it.
    Watched {
        /// What: 1 it was nudged, 2 interrupted, 3 killed.
        stage: u8,
        /// The number of the nudge, if one could be given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nudge: Option<TurnId>,
    },
    /// Its context ran over: it is interrupted and asked for its handoff.
    Overflowed,
    /// A worker was asked for its handoff at a clean boundary.
    HandoffAsked,
    /// The Arbiter was asked for its testament.
    TestamentAsked,
    /// We asked for the running turn to stop.
    Interrupting {
        /// Who wanted it.
        by: Actor,
    },
    /// The turn is over.
    Rested {
        /// Which.
        turn: TurnId,
        /// It was interrupted.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        interrupted: bool,
        /// The clone as it was then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tree: Option<Tree>,
        /// What the turn cost, in millionths of a dollar.
        #[serde(default, skip_serializing_if = "is_zero")]
        cost_microusd: u64,
    },
    /// The output did not validate and is asked again.
    Malformed {
        /// What was wrong.
        faults: Vec<String>,
    },
    /// A line joined the work log.
    Logged {
        /// The line.
        text: Arc<str>,
        /// Nothing had changed since the turn before.
        quiet: bool,
    },
    /// A worker wants an answer from the Arbiter.
    Awaits,
    /// A verifier judged.
    Judged {
        /// Its word.
        verdict: Verdict,
        /// What it found.
        findings: Vec<String>,
        /// The commit it judged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commit: Option<Arc<str>>,
    },
    /// The link is severed.
    Released,
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
    Surveyed(Tree),
    /// The work lies in the project, at this commit.
    Brought {
        /// Which.
        commit: Arc<str>,
    },
    /// One check ran.
    Receipt {
        /// Which of the charter's checks.
        index: u32,
        /// What came out.
        receipt: Receipt,
    },
    /// The claim is turned back.
    Refused {
        /// Why.
        why: Arc<str>,
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
