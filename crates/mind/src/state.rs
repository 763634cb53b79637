//! The state of a mission: the sum of its facts. It changes only in [`State::apply`]; cloning it is cheap however long
//! the mission is, because everything that grows is a persistent collection.
// tidy: long because the fields of the state and what each fact does to them are read together.

use std::sync::Arc;

use imbl::{OrdMap, OrdSet, Vector};

use crate::actor::Actor;
use crate::charter::{Charter, Way};
use crate::conductor::{Conducting, ConductorFact, ConductorState, Note, Phase};
use crate::effect::Effect;
use crate::fact::{Entry, Fact, GateFact, HaltCause, MissionFact, TalkFact};
use crate::id::{GateId, MessageId, PermissionId, SessionId, Timestamp};
use crate::mission_limits::{LimitKind, Limits};
use crate::mission_petition::MissionPetition;
use crate::petition::PetitionId;
use crate::progress::Progress;
use crate::session::{CloneTree, PendingPermission, Role, Session, Task, WaitKind};
use crate::talk::{Asks, Delivery, Listener, Message, MessageKind, Proof, Receipt, Speaker, Verdict};

/// What `decide` answers: facts to hold, effects to perform once the facts are on disk.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Step {
    pub facts: Vec<Fact>,
    pub effects: Vec<Effect>,
}

/// A mission as its facts describe it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    /// What it was opened with.
    pub charter: Option<Arc<Charter>>,
    pub opened_at: Timestamp,
    /// When the newest fact became one.
    pub now: Timestamp,
    /// How often the mission loop was started again; 0 right after the opening.
    pub run: u32,
    pub clone_place: Option<Arc<ClonePlace>>,
    /// Every session there ever was.
    pub sessions: OrdMap<SessionId, Arc<Session>>,
    /// Sessions that were not released.
    pub live: OrdSet<SessionId>,
    pub talk: Vector<Arc<Message>>,
    /// The human's words that no model has heard yet.
    pub unheard: OrdSet<MessageId>,
    /// Messages of the inbox that are facts already.
    pub received: OrdSet<Arc<str>>,
    /// The message to the human that waits for an answer.
    pub question: Option<MessageId>,
    /// The human spoke to the Arbiter, which has not answered since.
    pub human_waits: bool,
    /// Who said yes before the first summon.
    pub consent: Option<Actor>,
    /// No further turn begins.
    pub paused: bool,
    /// Acts of the Arbiter turned back in a row.
    pub turned_back: u32,
    /// The Arbiter mused while the human or an Orchestrator waited, and was asked for an answer.
    pub asked_once_more: bool,
    /// The quest log: each task with the number of the Orchestrator that owns it.
    pub tasks: Vector<(u32, Task)>,
    /// The last verifier's word; void as soon as another Orchestrator works.
    pub judgement: Option<Judgement>,
    /// The claim before the gate.
    pub gate: Option<Gate>,
    /// How often its clone was lost and made again.
    pub clones_rebuilt: u32,
    /// How many claims there were.
    pub gates: u32,
    /// How many permissions were asked for.
    pub permissions_asked: u32,
    /// How many tools were allowed or refused, by whom.
    pub tally: ToolTally,
    /// Yeses that last.
    pub grants: Vector<Grant>,
    /// No person is there to be asked.
    pub unattended: bool,
    /// The loop's terminal is open: a person who is away comes back to it.
    pub at_terminal: bool,
    /// Every petition that the mission asked in the docket.
    pub petitions: OrdMap<PetitionId, Arc<MissionPetition>>,
    /// How many turns and steered texts there were.
    pub turns: u32,
    /// How many Orchestrators were summoned.
    pub orchestrators: u32,
    /// Every receipt, in order.
    pub receipts: Vector<Arc<Receipt>>,
    /// Why the mission loop stopped, until it starts again.
    pub halted: Option<(HaltCause, Arc<str>)>,
    /// Notes that this mission keeps for later ones.
    pub kept: Vector<Arc<Note>>,
    /// Where the conductor stands, if it is conducted.
    pub conductor: Option<ConductorState>,
    /// The limits that it was last resumed with, if they are not those of its charter.
    pub limits_since: Option<Limits>,
    /// A limit that had ended it was raised; its loop has not started again yet.
    pub reopened: bool,
    /// What has happened since something last changed.
    pub progress: Progress,
    /// The limit that was reached, until the mission goes on with another.
    pub closing: Option<Closing>,
    pub ended: Option<Ended>,
}

/// A mission that has reached a limit: nothing more begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Closing {
    pub limit: LimitKind,
    pub why: Arc<str>,
    /// What still runs then is ended.
    pub until: Timestamp,
    /// A worker was asked for its handoff.
    pub asked: bool,
}

/// The mission's clone.
#[derive(Debug, Clone, PartialEq)]
pub struct ClonePlace {
    pub folder: Arc<str>,
    /// The commit it started from.
    pub base: Arc<str>,
    pub branch: Arc<str>,
}

/// How many tools ran, or did not, by whose word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ToolTally {
    /// Allowed by a person.
    pub allowed: u32,
    /// Run by a person's yes to another like it.
    pub covered: u32,
    /// Refused by a person.
    pub refused: u32,
    /// Refused because no person was there.
    pub unattended: u32,
    /// Refused by the policy itself.
    pub denied: u32,
}

/// A yes that lasts.
#[derive(Debug, Clone, PartialEq)]
pub struct Grant {
    /// The question it was given to.
    pub permission: PermissionId,
    pub by: Actor,
    /// What it covers.
    pub shape: Arc<str>,
    /// Until when; to the mission's end if none.
    pub until: Option<Timestamp>,
}

/// A verifier's word on a commit.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    pub verdict: Verdict,
    pub commit: Option<Arc<str>>,
}

/// A claim of completion on its way through the gate.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    pub id: GateId,
    /// The report to the human, held back.
    pub report: Arc<str>,
    /// The newest message when it was claimed: a question asked later is not answered by it.
    pub after: MessageId,
    /// The clone as it was found.
    pub tree: Option<CloneTree>,
    /// The work lies in the project.
    pub brought: bool,
    /// How many checks have passed.
    pub passed: u32,
}

/// How a mission ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// Done and verified.
    Completed(Proof),
    Cancelled(Actor),
    /// It cannot be done.
    Failed(Arc<str>),
    /// A limit was reached.
    Exhausted(Arc<str>),
    /// Only a plan was wanted.
    PlanOnly {
        /// The planner is confident enough of it.
        confident: bool,
    },
}

impl State {
    /// Adds one fact. This is the only place where state changes.
    pub fn apply(&mut self, entry: &Entry) {
        self.excuse(&entry.fact, entry.at);
        self.excuse_turns(&entry.fact, entry.at);
        self.measure(&entry.fact);
        self.now = entry.at;
        match &entry.fact {
            Fact::Mission(fact) => self.apply_mission(fact, entry.at),
            Fact::Talk(fact) => self.apply_talk(fact, entry.at),
            Fact::Session(session, fact) => self.apply_session(*session, fact, entry.at),
            Fact::Gate(gate, fact) => self.apply_gate(*gate, fact),
            Fact::Docket(petition, fact) => self.apply_docket(petition, fact, entry.at),
            Fact::Conductor(fact) => {
                if let ConductorFact::AnswerUsed { message } = fact {
                    self.advance(&[*message], Delivery::Heard);
                }
                if let ConductorFact::Remembered(note) = fact {
                    self.kept.push_back(Arc::new(note.clone()));
                }
                if let Some(conductor) = &mut self.conductor {
                    let asked = conductor.question;
                    conductor.apply(fact, entry.at);
                    // The conductor went on without an answer: the question is over.
                    self.question
                        .take_if(|question| conductor.question.is_none() && asked == Some(*question));
                }
            }
        }
    }

    fn apply_mission(&mut self, fact: &MissionFact, at: Timestamp) {
        match fact {
            MissionFact::Opened(charter) => {
                self.charter = Some(Arc::new(charter.as_ref().clone()));
                self.conductor = (charter.way() == Way::Conductor).then(|| ConductorState {
                    agents: charter.agents.iter().cloned().collect(),
                    notes: charter.notes.iter().cloned().map(Arc::new).collect(),
                    ..ConductorState::default()
                });
                self.opened_at = at;
            }
            MissionFact::Restarted { run } => {
                // A person has mended the machine: what it took from a session is not the session's.
                let mended = matches!(self.halted, Some((HaltCause::Workspace, _)));
                (self.run, self.halted, self.reopened, self.at_terminal) = (*run, None, false, false);
                let live: Vec<SessionId> = self.live_sessions().map(|s| s.profile.session).collect();
                for id in live {
                    self.change(id, |session| {
                        session.incarnation += 1;
                        session.cut_tools();
                        session.cut_permissions();
                        session.awaits_human = false;
                        session.health.active_at = at;
                        session.health.silence_stage = 0;
                        session.health.deaths = if mended { 0 } else { session.health.deaths };
                        // A new start of the loop starts its process too, and tries a login anew.
                        let idle = session.turns.current.is_none();
                        session.health.wait.take_if(|wait| match wait.kind {
                            WaitKind::Revival => true,
                            WaitKind::Login => idle,
                            WaitKind::Backoff | WaitKind::Limit => false,
                        });
                    });
                }
            }
            MissionFact::Attended(true) => (self.unattended, self.at_terminal) = (false, true),
            // Said of a person who is away already, it means the terminal.
            MissionFact::Attended(false) => {
                (self.unattended, self.at_terminal) = (true, self.at_terminal && !self.unattended);
            }
            MissionFact::CloneReady { folder, base, branch } => {
                let (folder, base, branch) = (folder.clone(), base.clone(), branch.clone());
                self.clone_place = Some(Arc::new(ClonePlace { folder, base, branch }));
            }
            MissionFact::CloneRebuilt { .. } => self.clones_rebuilt += 1,
            MissionFact::Consented { by, .. } => {
                self.consent = Some(by.clone());
                self.question = None;
            }
            MissionFact::Paused { .. } => self.paused = true,
            MissionFact::Resumed { .. } => self.paused = false,
            MissionFact::TurnedBack { .. } => self.turned_back += 1,
            MissionFact::AskedOnceMore { .. } => self.asked_once_more = true,
            MissionFact::Halted { why, cause } => self.halted = Some((*cause, why.clone())),
            MissionFact::Completed { proof } => self.end(Ended::Completed(*proof)),
            MissionFact::Cancelled { by } => self.end(Ended::Cancelled(by.clone())),
            MissionFact::Failed { why } => self.end(Ended::Failed(why.clone())),
            MissionFact::Exhausted { why } => self.end(Ended::Exhausted(why.clone())),
            MissionFact::LimitReached { limit, why, until } => {
                self.closing = Some(Closing { limit: *limit, why: why.clone(), until: *until, asked: false });
            }
            MissionFact::HandoffAtLimit { until } => {
                if let Some(closing) = &mut self.closing {
                    (closing.until, closing.asked) = (*until, true);
                }
            }
            MissionFact::LimitsSet { limits } => {
                self.limits_since = Some(*limits);
                self.reopened |= self.closing.take().is_some();
                if self.ended.take_if(|ended| matches!(ended, Ended::Exhausted(_))).is_some()
                    && let Some(conductor) = &mut self.conductor
                {
                    conductor.take_heart();
                }
            }
            MissionFact::PlanOnly { confident } => self.end(Ended::PlanOnly { confident: *confident }),
        }
    }

    fn measure(&mut self, fact: &Fact) {
        let role = match fact {
            Fact::Session(id, _) => self.sessions.get(id).map(|session| session.profile.role),
            Fact::Mission(_) | Fact::Talk(_) | Fact::Gate(..) | Fact::Docket(..) | Fact::Conductor(_) => None,
        };
        self.progress.notice(fact, role, self.clone_place.as_deref());
    }

    fn end(&mut self, ended: Ended) {
        if let Some(conductor) =
            self.conductor.as_mut().filter(|_| matches!(ended, Ended::Failed(_) | Ended::Exhausted(_)))
        {
            conductor.give_up();
        }
        self.ended = Some(ended);
        self.gate = None;
        self.question = None;
    }

    fn apply_talk(&mut self, fact: &TalkFact, at: Timestamp) {
        match fact {
            TalkFact::Said { message, from, to, kind, text, asks, decisions } => {
                let by_human = matches!(from, Speaker::Human(_));
                self.talk.push_back(Arc::new(Message {
                    id: *message,
                    at,
                    from: from.clone(),
                    to: *to,
                    kind: *kind,
                    text: text.clone(),
                    asks: *asks,
                    decisions: decisions.clone(),
                    delivery: by_human.then_some(Delivery::Queued),
                }));
                if by_human {
                    self.unheard.insert(*message);
                    if let Some(conductor) =
                        self.conductor.as_mut().filter(|conductor| conductor.phase == Phase::AwaitingHuman)
                    {
                        conductor.answer = Some(*message);
                    }
                    if *to == Listener::Arbiter {
                        self.question = None;
                        self.human_waits = true;
                    }
                }
                if *from == Speaker::Arbiter {
                    self.arbiter_spoke(*kind);
                }
                let expects_words = matches!(kind, MessageKind::Plain | MessageKind::Unformed);
                if *to == Listener::Human && expects_words {
                    self.question = Some(*message);
                }
            }
            TalkFact::Received { inbox_id } => {
                self.received.insert(inbox_id.clone());
            }
            TalkFact::Queued { to, message } => {
                let message = message.clone();
                self.change(*to, |session| session.turns.mail.push_back(message));
            }
        }
    }

    fn arbiter_spoke(&mut self, kind: MessageKind) {
        if matches!(kind, MessageKind::Plain | MessageKind::Unformed) {
            self.turned_back = 0;
            self.asked_once_more = false;
            self.human_waits = false;
        }
        let arbiter = self.arbiter().map(|session| session.profile.session);
        if let Some(id) = arbiter {
            self.change(id, |session| session.turns.malformed = 0);
        }
    }

    fn apply_gate(&mut self, id: GateId, fact: &GateFact) {
        match fact {
            GateFact::Claimed { report } => {
                self.gates = id.0;
                self.gate = Some(Gate {
                    id,
                    report: report.clone(),
                    after: MessageId(self.talk.len() as u32),
                    tree: None,
                    brought: false,
                    passed: 0,
                });
            }
            GateFact::Surveyed(tree) => {
                if let Some(gate) = &mut self.gate {
                    gate.tree = Some(tree.clone());
                }
            }
            GateFact::Brought { .. } => {
                if let Some(gate) = &mut self.gate {
                    gate.brought = true;
                }
            }
            GateFact::Receipt { receipt, .. } => {
                self.receipts.push_back(Arc::new(receipt.clone()));
                if let Some(gate) = &mut self.gate
                    && receipt.passed()
                {
                    gate.passed += 1;
                }
            }
            GateFact::Refused { .. } => {
                self.gate = None;
                self.turned_back += 1;
            }
        }
    }

    /// Changes one session; a fact about a session that does not exist changes nothing.
    pub(crate) fn change(&mut self, id: SessionId, change: impl FnOnce(&mut Session)) {
        if let Some(session) = self.sessions.get_mut(&id) {
            change(Arc::make_mut(session));
        }
    }

    /// Moves the human's words forward on their way.
    pub(crate) fn advance(&mut self, words: &[MessageId], delivery: Delivery) {
        for id in words {
            if delivery == Delivery::Heard {
                self.unheard.remove(id);
            }
            let index = (id.0 as usize).checked_sub(1);
            if let Some(message) = index.and_then(|index| self.talk.get_mut(index))
                && message.delivery < Some(delivery)
            {
                Arc::make_mut(message).delivery = Some(delivery);
            }
        }
    }

    /// The manager session.
    pub fn arbiter(&self) -> Option<&Session> {
        self.live_sessions().find(|session| session.profile.role == Role::Arbiter)
    }

    /// The active Orchestrator: there is at most one.
    pub fn worker(&self) -> Option<&Session> {
        self.live_sessions().find(|session| session.is_worker())
    }

    /// The agent that works in a conducted mission: there is at most one.
    pub fn active_agent(&self) -> Option<&Session> {
        self.live_sessions().find(|session| session.profile.role == Role::Agent)
    }

    /// The way of working; a mission that is not open yet counts as a council.
    pub fn way(&self) -> Way {
        self.charter.as_ref().map_or(Way::Council, |charter| charter.way())
    }

    /// How it is conducted, if it is.
    pub fn conducting(&self) -> Option<&Conducting> {
        self.charter.as_ref().and_then(|charter| charter.conducting.as_deref())
    }

    /// Sessions that were not released.
    pub fn live_sessions(&self) -> impl Iterator<Item = &Session> {
        self.live.iter().filter_map(|id| self.sessions.get(id)).map(Arc::as_ref)
    }

    /// Workers, released ones too, whose log the Arbiter has not heard.
    pub fn logs(&self) -> impl Iterator<Item = &Session> {
        self.sessions.values().map(Arc::as_ref).filter(|session| !session.work.log.is_empty())
    }

    /// One message of the conversation.
    pub fn message(&self, id: MessageId) -> Option<&Message> {
        self.talk.get(id.0.checked_sub(1)? as usize).map(Arc::as_ref)
    }

    /// The message by which the Arbiter waits for the human's yes.
    pub fn alignment_asked(&self) -> Option<&Message> {
        let asked = self.question.and_then(|id| self.message(id));
        asked.filter(|message| message.asks == Some(Asks::Alignment))
    }

    /// The permission of this number, if it waits for an answer or its answer for a process.
    pub fn permission(&self, id: PermissionId) -> Option<(&Session, &PendingPermission)> {
        self.permissions().find(|(_, ask)| ask.id == id)
    }

    /// Every permission that waits for an answer, and every answer that no process waits for yet.
    pub fn permissions(&self) -> impl Iterator<Item = (&Session, &PendingPermission)> {
        self.live_sessions().flat_map(|session| session.permissions.iter().map(move |ask| (session, ask)))
    }

    /// Every permission that waits for an answer; none once the mission is over.
    pub fn open_permissions(&self) -> impl Iterator<Item = (&Session, &PendingPermission)> {
        self.permissions().filter(|(_, ask)| ask.answer.is_none() && self.ended.is_none())
    }

    /// The yes that covers a shape now.
    pub fn grant(&self, shape: &str, now: Timestamp) -> Option<&Grant> {
        self.grants.iter().find(|grant| *grant.shape == *shape && grant.until.is_none_or(|until| now < until))
    }

    /// What the whole mission has cost, in millionths of a dollar.
    pub fn cost_microusd(&self) -> u64 {
        let decisions = self.conductor.as_ref().map_or(0, |conductor| conductor.cost_microusd);
        self.sessions.values().map(|session| session.usage.cost_microusd).sum::<u64>() + decisions
    }
}
