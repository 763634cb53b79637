//! A session: one conversation with an agent's process. Its turns, queued messages, context, tools, usage and health.

mod task;

use std::sync::Arc;

use imbl::Vector;
use serde::{Deserialize, Serialize};

use crate::access::SandboxLevel;
use crate::actor::Actor;
use crate::conductor::agent::AgentAssignment;
use crate::id::{Address, MessageId, PermissionId, SessionId, Timestamp, TurnId};
use crate::limits;
use crate::petition::PetitionId;
use crate::policy::PermissionRequest;
use crate::talk::Speaker;

pub use self::task::{Task, TaskStatus};

/// What a session is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The manager: holds the vision, talks with the human.
    Arbiter,
    Orchestrator,
    /// A worker that audits and changes nothing.
    Verifier,
    /// An agent of a conducted mission: one run, one answer.
    Agent,
}

/// What was fixed when the session was summoned. A resume passes the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    pub session: SessionId,
    pub role: Role,
    /// Its number among the Orchestrators; 0 for the Arbiter.
    pub number: u32,
    /// The provider it is made of.
    pub provider: String,
    /// The model; the provider's default if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The provider's own session id, chosen by us before the spawn.
    pub key: String,
    /// The rendered system prompt.
    pub prompt: Arc<str>,
    /// The rendered prompt of its read-only subagents, if it has such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scout: Option<Arc<str>>,
    /// The agent it plays, if it plays one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub casting: Option<Arc<AgentAssignment>>,
}

impl Profile {
    /// Who speaks when this session speaks.
    pub fn speaker(&self) -> Speaker {
        match self.role {
            Role::Arbiter => Speaker::Arbiter,
            Role::Orchestrator | Role::Verifier => Speaker::Orchestrator(self.number),
            Role::Agent => Speaker::Agent(self.agent().clone()),
        }
    }

    /// The name of the agent it plays.
    pub fn agent(&self) -> &Arc<str> {
        static UNNAMED: std::sync::LazyLock<Arc<str>> = std::sync::LazyLock::new(|| Arc::from("agent"));
        self.casting.as_ref().map_or(&UNNAMED, |casting| &casting.name)
    }
}

/// A session as it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// What was fixed at the summon.
    pub profile: Arc<Profile>,
    /// Which of its processes this is, counted from 1.
    pub incarnation: u32,
    /// Released sessions stay on record but are never spoken to again.
    pub live: bool,
    /// The sandbox around its process.
    pub sandbox: Option<SandboxLevel>,
    /// The version of the program that its last process runs, as far as that has named it.
    pub program_version: Option<Arc<str>>,
    /// It waits for a person.
    pub awaits_human: bool,
    /// It rests until this petition is decided.
    pub waits_for_petition: Option<PetitionId>,
    /// Its tools that wait for a yes, and answers whose process ended before it got them.
    pub permissions: Vector<PendingPermission>,
    /// Its turns: the one in flight, and what waits for the next.
    pub turns: TurnState,
    /// What it works on, as the Arbiter is told of it.
    pub work: WorkState,
    /// How full its context is, and what was done about that.
    pub context: ContextState,
    pub tool_use: ToolUse,
    /// What it has used up.
    pub usage: UsageState,
    /// Whether it is alive and well.
    pub health: HealthState,
}

/// Its turns: the one in flight, and what waits for the next.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TurnState {
    /// It has had a prompt, so the provider may hold its conversation; after a crash before the spawn it holds none.
    pub prompted: bool,
    /// The turn in flight: there is at most one.
    pub current: Option<Turn>,
    /// Texts folded into the running turn and not yet heard.
    pub steered: Vector<Interjection>,
    /// What waits for this session's next rest.
    pub mail: Vector<QueuedMessage>,
    /// How often in a row its output failed validation.
    pub malformed: u32,
    /// Turns it has completed.
    pub completed: u32,
}

/// What it works on, as the Arbiter is told of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WorkState {
    /// The work log since the Arbiter last heard it.
    pub log: Vector<Arc<str>>,
    /// It asked for a reply and has none yet.
    pub awaits_reply: bool,
    /// Turns in a row that ended without reply expected and without a change.
    pub quiet_turns: u32,
    /// The clone when its last turn ended.
    pub tree: Option<CloneTree>,
    /// The commit at the end of its first turn.
    pub began_at: Option<Arc<str>>,
    /// Its checklist changed since its last turn ended.
    pub tasks_changed: bool,
    /// Its last turn changed the clone or the checklist.
    pub changed: bool,
}

/// How full its context is, and what was done about that.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContextState {
    pub gauge: Option<Gauge>,
    /// The highest warning set up for it, in percent; 0 is none.
    pub warning_set: u8,
    /// The highest warning that reached it, in percent; 0 is none.
    pub warned: u8,
    /// Its context ran over.
    pub overflowed: bool,
    /// It was asked for its handoff; what is asked for before its context runs over does not count after that.
    pub handoff_asked: bool,
    /// The Arbiter was asked for its testament.
    pub testament_asked: bool,
    /// The turn that asks for it.
    pub testament_turn: Option<TurnId>,
    /// Tokens in its context when its last turn was completed.
    pub used_before: u64,
    /// Tokens that a turn takes, as far as is known.
    pub burn: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolUse {
    /// The tools that run now.
    pub running: Vector<ToolCall>,
    /// Tools that ran when its process or the loop's ended: it is unknown how far they came.
    pub maybe_ran: Vector<ToolCall>,
    /// How many tools it has called.
    pub calls: u32,
}

/// What it has used up.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UsageState {
    /// What it cost, in millionths of a dollar.
    pub cost_microusd: u64,
    /// Tokens that its turns read and wrote; none if the provider reported none.
    pub tokens: Option<(u64, u64)>,
    /// The newest reports of usage that were booked: told again, one of them counts for nothing.
    pub reports: Vector<Arc<str>>,
}

impl UsageState {
    pub(crate) fn book(&mut self, report: &Arc<str>, (input, output): (u64, u64), cost_microusd: u64) {
        // A report of nothing but a cost says nothing of tokens.
        if input > 0 || output > 0 {
            let (before, after) = self.tokens.unwrap_or_default();
            self.tokens = Some((before.saturating_add(input), after.saturating_add(output)));
        }
        self.cost_microusd = self.cost_microusd.saturating_add(cost_microusd);
        self.reports.push_back(Arc::clone(report));
        if self.reports.len() > limits::USAGE_REPORTS_MAX {
            self.reports.pop_front();
        }
    }
}

/// Whether it is alive and well.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HealthState {
    /// When it last gave a sign.
    pub active_at: Timestamp,
    /// How far the watch over its silence has gone: 0 not at all, 1 nudged, 2 interrupted, 3 killed.
    pub silence_stage: u8,
    /// It waits for time to pass.
    pub wait: Option<Wait>,
    /// Errors in a row; only a completed turn ends the row.
    pub failures: u32,
    /// Deaths in a row; only a completed turn ends the row.
    pub deaths: u32,
}

impl Session {
    /// A session as it is right after its summon.
    pub fn new(profile: Arc<Profile>) -> Session {
        Session {
            profile,
            incarnation: 1,
            live: true,
            sandbox: None,
            program_version: None,
            awaits_human: false,
            waits_for_petition: None,
            permissions: Vector::new(),
            turns: TurnState::default(),
            work: WorkState::default(),
            context: ContextState::default(),
            tool_use: ToolUse::default(),
            usage: UsageState::default(),
            health: HealthState::default(),
        }
    }

    /// The address of its present process.
    pub fn address(&self) -> Address {
        Address { session: self.profile.session, incarnation: self.incarnation }
    }

    /// Something waits for it that is worth a turn. The unheard text of an interrupted turn alone is not: the human
    /// interrupted it so that it rests.
    pub fn is_called(&self) -> bool {
        self.turns.mail.iter().any(|mail| match mail {
            QueuedMessage::Words(_)
            | QueuedMessage::Notice(_)
            | QueuedMessage::Report { .. }
            | QueuedMessage::Address(_) => true,
            QueuedMessage::Again { .. } | QueuedMessage::Aside(_) => false,
        })
    }

    /// It waits for a person, or for its next try.
    pub(crate) fn waits_for_others(&self) -> bool {
        self.awaits_person() || self.health.wait.is_some()
    }

    /// It can do nothing before a person has answered. Such a wait does not count as silence.
    pub fn awaits_person(&self) -> bool {
        self.awaits_human || self.permissions.iter().any(|ask| ask.call.is_some())
    }

    /// It cannot log in. Only a person can mend that, and says so: no time ends such a wait.
    pub fn wants_login(&self) -> bool {
        self.health.wait.as_ref().is_some_and(|wait| wait.kind == WaitKind::Login)
    }

    /// The commit it has seen and left as it was; none if there are changes, or if it moved on.
    pub fn untouched_commit(&self) -> Option<Arc<str>> {
        let tree = self.work.tree.as_ref().filter(|tree| !tree.dirty)?;
        (self.work.began_at.as_ref() == Some(&tree.commit)).then(|| tree.commit.clone())
    }

    /// The turn in flight asks for the testament: its text is the testament.
    pub fn leaves_testament(&self) -> bool {
        self.turns.current.as_ref().is_some_and(|turn| self.context.testament_turn == Some(turn.id))
    }

    /// It does the mission's work itself: it is warned and stopped before its context is full. The Arbiter has an heir
    /// instead.
    pub fn works(&self) -> bool {
        match self.profile.role {
            Role::Orchestrator | Role::Verifier | Role::Agent => true,
            Role::Arbiter => false,
        }
    }

    /// How full its context is, if the provider has named the window.
    pub fn known_percent(&self) -> Option<u64> {
        self.context.gauge.as_ref().and_then(Gauge::known_percent)
    }

    /// A worker of the council: it has a log and a number, and its word goes to the Arbiter.
    pub fn is_worker(&self) -> bool {
        match self.profile.role {
            Role::Orchestrator | Role::Verifier => true,
            Role::Arbiter | Role::Agent => false,
        }
    }
}

/// A prompt on its way or being answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    pub id: TurnId,
    /// When it began; later, by as much as it waited for a person, for its provider or for us.
    pub since: Timestamp,
    /// Tools that it called.
    pub calls: u32,
    /// What was said to the session.
    pub text: Arc<str>,
    /// The human's words in it.
    pub words: Arc<[MessageId]>,
    /// Whether the model is known to have it.
    pub heard: bool,
    /// Whether the model had the same text before, as a turn that failed.
    pub known: bool,
    /// Who asked for an interrupt.
    pub interrupted_by: Option<Actor>,
    pub nudges: u32,
    /// Reports of usage that came while it ran.
    pub reports: u32,
}

/// A tool at work.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The call's own id; empty where the provider has none.
    pub call: Arc<str>,
    pub name: Arc<str>,
    pub detail: Arc<str>,
}

/// A tool that waits for a yes.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingPermission {
    /// The question's number.
    pub id: PermissionId,
    pub request: Arc<PermissionRequest>,
    /// When it was first asked.
    pub at: Timestamp,
    /// The call that waits; none if its process ended meanwhile.
    pub call: Option<Arc<str>>,
    /// The answer that came when no process waited, and what the model is told with a no.
    pub answer: Option<(bool, Arc<str>)>,
}

/// A text folded into a running turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interjection {
    /// Its number; should it miss the turn, it becomes a turn of that number.
    pub id: TurnId,
    pub text: Arc<str>,
    /// The human's words in it.
    pub words: Arc<[MessageId]>,
    /// How many letters of the mail it holds.
    pub mail: u32,
}

/// Something to tell a session at its next rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueuedMessage {
    /// The human's words, by their message.
    Words(MessageId),
    /// The program speaks: an opening, a continuation, an act turned back.
    Notice(Arc<str>),
    /// A worker's message to the Arbiter.
    Report {
        /// Which section of the envelope it fills.
        section: Section,
        /// The worker's number.
        number: u32,
        text: Arc<str>,
    },
    /// The Arbiter's words to a worker.
    Address(Arc<str>),
    /// The text of an interrupted turn that no model has heard: it goes with the next prompt.
    Again {
        /// The whole prompt.
        text: Arc<str>,
        /// The human's words in it.
        words: Arc<[MessageId]>,
    },
    /// The program speaks, but no turn begins for it: it goes with the next prompt.
    Aside(Arc<str>),
}

impl QueuedMessage {
    /// The human's words in it.
    pub fn words(&self) -> &[MessageId] {
        match self {
            QueuedMessage::Words(message) => std::slice::from_ref(message),
            QueuedMessage::Again { words, .. } => words,
            QueuedMessage::Notice(_)
            | QueuedMessage::Report { .. }
            | QueuedMessage::Address(_)
            | QueuedMessage::Aside(_) => &[],
        }
    }
}

/// The last section of an envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// A reply is expected.
    AwaitingInput,
    /// The worker hands back.
    Handoff,
    /// The human did something to the running work.
    HumanInterjection,
    /// Nothing came for too long.
    Silence,
}

/// A session waits for time to pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    pub kind: WaitKind,
    pub until: Timestamp,
    pub why: Arc<str>,
}

/// What a session waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitKind {
    /// A passing error.
    Backoff,
    /// The end of a limit.
    Limit,
    /// A login that a person mends.
    Login,
    /// A new process after the last one died.
    Revival,
}

/// The clone at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloneTree {
    /// The commit checked out.
    pub commit: Arc<str>,
    /// There are changes outside the commit.
    pub dirty: bool,
    /// Differs when anything in it differs.
    pub fingerprint: Arc<str>,
}

/// How full a session's context is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gauge {
    /// Tokens in the context.
    pub used: u64,
    /// The model's window.
    pub window: u64,
    /// Where the numbers come from.
    pub source: Arc<str>,
    /// The window is only concluded from the model's name: the real one can be five times as large.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guessed: bool,
}

/// How the source of a guessed window ended before there was a flag for it.
const GUESSED_BEFORE: &str = ", window by the model's name";

impl Gauge {
    /// A reading with a window that the provider named.
    pub fn named(used: u64, window: u64, source: impl Into<Arc<str>>) -> Gauge {
        Gauge { used, window, source: source.into(), guessed: false }
    }

    /// Percent of the window, never clamped.
    pub fn percent(&self) -> u64 {
        self.used.saturating_mul(100).checked_div(self.window).unwrap_or(0)
    }

    /// The provider has not named the window.
    pub fn is_guess(&self) -> bool {
        self.guessed || self.source.ends_with(GUESSED_BEFORE)
    }

    /// Percent of a window that the provider named: the only number that may warn or stop a session.
    pub fn known_percent(&self) -> Option<u64> {
        (!self.is_guess()).then(|| self.percent())
    }
}
