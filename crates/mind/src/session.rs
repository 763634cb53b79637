//! One conversation with an agent process, as the mind sees it.

use std::sync::Arc;

use imbl::Vector;
use serde::{Deserialize, Serialize};

use crate::fact::SessionFact;
use crate::id::{Address, MessageId, SessionId, TurnId};
use crate::state::{Judgement, State};
use crate::talk::{Delivery, Speaker, Verdict};

/// What a session is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The manager: holds the vision, talks with the human.
    Arbiter,
    /// A worker.
    Orchestrator,
    /// A worker that audits and changes nothing.
    Verifier,
}

/// What was fixed when the session was summoned. A resume passes the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// The session's number.
    pub session: SessionId,
    /// What it is for.
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
}

impl Profile {
    /// Who speaks when this session speaks.
    pub fn speaker(&self) -> Speaker {
        match self.role {
            Role::Arbiter => Speaker::Arbiter,
            Role::Orchestrator | Role::Verifier => Speaker::Orchestrator(self.number),
        }
    }
}

/// A session's present.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// What was fixed at the summon.
    pub profile: Arc<Profile>,
    /// Which of its lives this is, counted from 1.
    pub incarnation: u32,
    /// Released sessions stay on record but are never spoken to again.
    pub live: bool,
    /// It has had a prompt, so the provider may keep a conversation of it; after a fall before the spawn it has none.
    pub prompted: bool,
    /// The turn in flight: there is at most one.
    pub turn: Option<Turn>,
    /// Texts folded into the running turn and not yet heard.
    pub steered: Vector<Steer>,
    /// What waits for this session's next rest.
    pub mail: Vector<Mail>,
    /// The work log since the Arbiter last heard it.
    pub log: Vector<Arc<str>>,
    /// It asked for a reply and has none yet.
    pub awaits_reply: bool,
    /// Turns in a row that ended without reply expected and without a change.
    pub quiet_turns: u32,
    /// How often in a row its output failed validation.
    pub malformed: u32,
    /// The clone when its last turn ended.
    pub tree: Option<Tree>,
    /// The commit at the end of its first turn.
    pub began_at: Option<Arc<str>>,
    /// Its checklist changed since its last turn ended.
    pub tasks_changed: bool,
    /// Its last turn changed the clone or the checklist.
    pub changed: bool,
    /// How full its context is.
    pub gauge: Option<Gauge>,
    /// The highest warning set up for it, in percent; 0 is none.
    pub armed: u8,
    /// The highest warning that reached it, in percent; 0 is none.
    pub warned: u8,
    /// The tool that runs now.
    pub tool: Option<Arc<str>>,
    /// How many tools it has called.
    pub tool_calls: u32,
    /// What it cost, in millionths of a dollar.
    pub cost_microusd: u64,
}

impl Session {
    /// A session as it is right after its summon.
    pub fn new(profile: Arc<Profile>) -> Session {
        Session {
            profile,
            incarnation: 1,
            live: true,
            prompted: false,
            turn: None,
            steered: Vector::new(),
            mail: Vector::new(),
            log: Vector::new(),
            awaits_reply: false,
            quiet_turns: 0,
            malformed: 0,
            tree: None,
            began_at: None,
            tasks_changed: false,
            changed: false,
            gauge: None,
            armed: 0,
            warned: 0,
            tool: None,
            tool_calls: 0,
            cost_microusd: 0,
        }
    }

    /// Where its present life is reached.
    pub fn address(&self) -> Address {
        Address { session: self.profile.session, incarnation: self.incarnation }
    }

    /// Something waits for it that is worth a turn. What an interrupted turn held does not call by itself: whoever
    /// interrupted it wanted rest.
    pub fn is_called(&self) -> bool {
        self.mail.iter().any(|mail| match mail {
            Mail::Words(_) | Mail::Notice(_) | Mail::Report { .. } | Mail::Address(_) => true,
            Mail::Again { .. } | Mail::Aside(_) => false,
        })
    }

    /// The commit it has seen and left as it was; none if there are changes, or if it moved on.
    pub fn untouched_commit(&self) -> Option<Arc<str>> {
        let tree = self.tree.as_ref().filter(|tree| !tree.dirty)?;
        (self.began_at.as_ref() == Some(&tree.commit)).then(|| tree.commit.clone())
    }

    /// A worker: it has a log, warnings and a number.
    pub fn is_worker(&self) -> bool {
        match self.profile.role {
            Role::Orchestrator | Role::Verifier => true,
            Role::Arbiter => false,
        }
    }
}

/// A prompt on its way or being answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// Its number.
    pub id: TurnId,
    /// What was said to the session.
    pub text: Arc<str>,
    /// The human's words in it.
    pub words: Arc<[MessageId]>,
    /// Whether the model is known to have it.
    pub heard: bool,
    /// We asked for an interrupt.
    pub interrupting: bool,
}

/// A text folded into a running turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Steer {
    /// Its number; should it miss the turn, it becomes a turn of that number.
    pub id: TurnId,
    /// What is said.
    pub text: Arc<str>,
    /// The human's words in it.
    pub words: Arc<[MessageId]>,
    /// How many letters of the mail it holds.
    pub mail: u32,
}

/// Something to tell a session at its next rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mail {
    /// The human's words, by their message.
    Words(MessageId),
    /// The house speaks: an opening, a continuation, an act turned back.
    Notice(Arc<str>),
    /// A worker's message to the Arbiter.
    Report {
        /// Which section of the envelope it fills.
        section: Section,
        /// Whose it is.
        number: u32,
        /// The words.
        text: Arc<str>,
    },
    /// The Arbiter's words to a worker.
    Address(Arc<str>),
    /// What an interrupted turn held and no model has heard: it is told with whatever comes next.
    Again {
        /// The whole prompt.
        text: Arc<str>,
        /// The human's words in it.
        words: Arc<[MessageId]>,
    },
    /// The house speaks, but nobody is called for it: it is told with whatever comes next.
    Aside(Arc<str>),
}

impl Mail {
    /// The human's words in it.
    pub fn words(&self) -> &[MessageId] {
        match self {
            Mail::Words(message) => std::slice::from_ref(message),
            Mail::Again { words, .. } => words,
            Mail::Notice(_) | Mail::Report { .. } | Mail::Address(_) | Mail::Aside(_) => &[],
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

/// The clone at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
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
    /// The model's real window.
    pub window: u64,
    /// Where the numbers come from.
    pub source: Arc<str>,
}

impl Gauge {
    /// Percent of the window, never clamped.
    pub fn percent(&self) -> u64 {
        self.used.saturating_mul(100).checked_div(self.window).unwrap_or(0)
    }
}

/// One line of the quest log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The provider's own id of it.
    pub id: Arc<str>,
    /// What is to be done.
    pub title: Arc<str>,
    /// How far it is.
    pub status: TaskStatus,
}

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Not begun.
    Pending,
    /// Being worked on.
    InProgress,
    /// Finished.
    Done,
}

impl TaskStatus {
    /// What stands in its box.
    pub fn mark(self) -> &'static str {
        match self {
            TaskStatus::Pending => " ",
            TaskStatus::InProgress => "~",
            TaskStatus::Done => "x",
        }
    }
}

impl State {
    /// How a fact changes its session.
    pub(crate) fn apply_session(&mut self, id: SessionId, fact: &SessionFact) {
        match fact {
            SessionFact::Summoned(profile) => {
                match profile.role {
                    Role::Arbiter => {}
                    Role::Orchestrator | Role::Verifier => {
                        self.orchestrators = profile.number;
                        // What was judged before is about to change, or to be judged anew.
                        self.judgement = None;
                    }
                }
                self.sessions.insert(id, Arc::new(Session::new(Arc::new(profile.clone()))));
            }
            SessionFact::Prompted { turn, text, mail, words, log_of } => {
                self.turns = turn.0;
                self.advance(words, Delivery::Delivered);
                let manager = self.arbiter().is_some_and(|session| session.profile.session == id);
                // Whatever it said before these words was no answer to them.
                self.human_waits |= manager && !words.is_empty();
                for worker in log_of {
                    self.change(*worker, |session| session.log = Vector::new());
                }
                self.change(id, |session| {
                    session.take_mail(*mail);
                    session.awaits_reply = false;
                    session.begin(*turn, text.clone(), words.clone());
                });
            }
            SessionFact::Steered(steer) => {
                self.turns = steer.id.0;
                self.advance(&steer.words, Delivery::Delivered);
                self.change(id, |session| {
                    session.take_mail(steer.mail);
                    session.steered.push_back(steer.clone());
                });
            }
            SessionFact::Overtaken { turn } => self.change(id, |session| {
                if let Some(at) = session.steered.iter().position(|steer| steer.id == *turn) {
                    let steer = session.steered.remove(at);
                    session.awaits_reply = false;
                    session.begin(steer.id, steer.text, steer.words);
                }
            }),
            SessionFact::Heard { turn } => self.hear_turn(id, *turn),
            SessionFact::ToolStarted { name, .. } => self.change(id, |session| {
                session.tool = Some(name.clone());
                session.tool_calls += 1;
            }),
            SessionFact::ToolEnded { .. } => self.change(id, |session| session.tool = None),
            SessionFact::Gauged(gauge) => {
                self.change(id, |session| session.gauge = Some(gauge.clone()));
            }
            SessionFact::Armed { percent } => self.change(id, |session| session.armed = *percent),
            SessionFact::Warned { percent } => self.change(id, |session| session.warned = *percent),
            SessionFact::Tasks(tasks) => self.take_tasks(id, tasks),
            SessionFact::Interrupting { .. } => self.change(id, |session| {
                if let Some(turn) = &mut session.turn {
                    turn.interrupting = true;
                }
            }),
            SessionFact::Rested { turn, interrupted, tree, cost_microusd } => {
                if !interrupted {
                    self.hear_turn(id, *turn);
                }
                self.change(id, |session| {
                    if let Some(unheard) = session.turn.take().filter(|turn| !turn.heard) {
                        let Turn { text, words, .. } = unheard;
                        session.mail.push_front(Mail::Again { text, words });
                    }
                    if session.began_at.is_none() {
                        session.began_at = tree.as_ref().map(|tree| tree.commit.clone());
                    }
                    session.tool = None;
                    session.cost_microusd += cost_microusd;
                    session.changed = session.tasks_changed || session.tree != *tree;
                    session.tasks_changed = false;
                    session.tree = tree.clone();
                });
            }
            SessionFact::Malformed { .. } => self.change(id, |session| session.malformed += 1),
            SessionFact::Logged { text, quiet } => self.change(id, |session| {
                session.malformed = 0;
                session.log.push_back(text.clone());
                session.quiet_turns = if *quiet { session.quiet_turns + 1 } else { 0 };
            }),
            SessionFact::Awaits => self.change(id, |session| {
                session.malformed = 0;
                session.awaits_reply = true;
                session.quiet_turns = 0;
            }),
            SessionFact::Judged { verdict, commit, .. } => {
                // What one verifier has found wrong, another must find right.
                let failed = self.judgement.as_ref().is_some_and(|before| before.verdict == Verdict::Fail);
                if !failed {
                    self.judgement = Some(Judgement { verdict: *verdict, commit: commit.clone() });
                }
            }
            SessionFact::Released => self.change(id, |session| {
                session.live = false;
                session.turn = None;
                session.tool = None;
            }),
        }
    }

    /// A prompt or a steered text is known to have reached the model; so have the human's words in it.
    fn hear_turn(&mut self, id: SessionId, turn: TurnId) {
        let mut words: Arc<[MessageId]> = Arc::from([]);
        self.change(id, |session| {
            if let Some(running) = session.turn.as_mut().filter(|running| running.id == turn) {
                running.heard = true;
                words = running.words.clone();
            } else if let Some(at) = session.steered.iter().position(|steer| steer.id == turn) {
                words = session.steered.remove(at).words;
            }
        });
        self.advance(&words, Delivery::Heard);
    }

    /// A session's checklist replaces the one it had; those of others stay.
    fn take_tasks(&mut self, id: SessionId, tasks: &[Task]) {
        let Some(number) = self.sessions.get(&id).map(|session| session.profile.number) else {
            return;
        };
        let others = self.tasks.iter().filter(|(owner, _)| *owner != number).cloned();
        let own = tasks.iter().map(|task| (number, task.clone()));
        self.tasks = others.chain(own).collect();
        self.change(id, |session| session.tasks_changed = true);
    }
}

impl Session {
    /// The human's words on their way to this session that no model has heard.
    pub fn unheard_words(&self) -> Vec<MessageId> {
        let turn = self.turn.iter().filter(|turn| !turn.heard).flat_map(|turn| turn.words.iter());
        let steered = self.steered.iter().flat_map(|steer| steer.words.iter());
        let mail = self.mail.iter().flat_map(Mail::words);
        turn.chain(steered).chain(mail).copied().collect()
    }

    /// The first `count` letters have become a prompt.
    fn take_mail(&mut self, count: u32) {
        let count = (count as usize).min(self.mail.len());
        self.mail = self.mail.skip(count);
    }

    fn begin(&mut self, id: TurnId, text: Arc<str>, words: Arc<[MessageId]>) {
        self.prompted = true;
        self.turn = Some(Turn { id, text, words, heard: false, interrupting: false });
    }
}
