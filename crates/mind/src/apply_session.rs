//! Applies the facts of one session to that session. Facts that are not about one session are applied in `state`.

use std::sync::Arc;

use imbl::Vector;

use crate::actor::Actor;
use crate::fact::{ContextFact, LifeFact, PermissionFact, SessionFact, ToolFact, TurnFact, WorkFact};
use crate::id::{MessageId, PermissionId, SessionId, Timestamp, TurnId};
use crate::limits;
use crate::policy::GrantScope;
use crate::session::{PendingPermission, QueuedMessage, Role, Session, Task, ToolCall, Turn, Wait, WaitKind};
use crate::state::{Grant, Judgement, State};
use crate::talk::{Delivery, Verdict};

impl State {
    /// How a fact changes its session.
    pub(crate) fn apply_session(&mut self, id: SessionId, fact: &SessionFact, at: Timestamp) {
        self.change(id, |session| session.notice(fact, at));
        match fact {
            SessionFact::Life(LifeFact::Summoned(profile)) => {
                match profile.role {
                    Role::Arbiter | Role::Agent => {}
                    Role::Orchestrator | Role::Verifier => {
                        self.orchestrators = profile.number;
                        // A new worker changes what was judged, or judges it anew.
                        self.judgement = None;
                    }
                }
                let mut session = Session::new(Arc::new(profile.clone()));
                session.health.active_at = at;
                self.sessions.insert(id, Arc::new(session));
                self.live.insert(id);
            }
            SessionFact::Turn(TurnFact::Prompted { turn, text, mail, words, log_of }) => {
                self.turns = turn.0;
                self.advance(words, Delivery::Delivered);
                let manager = self.arbiter().is_some_and(|session| session.profile.session == id);
                // Whatever it said before these words was no answer to them.
                self.human_waits |= manager && !words.is_empty();
                for worker in log_of {
                    self.change(*worker, |session| session.work.log = Vector::new());
                }
                self.change(id, |session| {
                    session.take_mail(*mail);
                    session.work.awaits_reply = false;
                    session.begin(*turn, text.clone(), words.clone(), at);
                    if session.context.testament_asked && session.context.testament_turn.is_none() {
                        session.context.testament_turn = Some(*turn);
                    }
                });
            }
            SessionFact::Turn(TurnFact::Interjected(steer)) => {
                self.turns = steer.id.0;
                self.advance(&steer.words, Delivery::Delivered);
                self.change(id, |session| {
                    session.take_mail(steer.mail);
                    session.turns.steered.push_back(steer.clone());
                });
            }
            SessionFact::Turn(TurnFact::InterjectionBecameTurn { turn }) => self.change(id, |session| {
                if let Some(place) = session.turns.steered.iter().position(|steer| steer.id == *turn) {
                    let steer = session.turns.steered.remove(place);
                    session.work.awaits_reply = false;
                    session.begin(steer.id, steer.text, steer.words, at);
                }
            }),
            SessionFact::Turn(TurnFact::Heard { turn }) => self.hear_turn(id, *turn),
            SessionFact::Tool(ToolFact::Started { call, name, detail }) => self.change(id, |session| {
                let [call, name, detail] = [call, name, detail].map(Arc::clone);
                session.tool_use.running.push_back(ToolCall { call, name, detail });
                if session.tool_use.running.len() > limits::TOOLS_MAX {
                    session.tool_use.running.pop_front();
                }
                session.tool_use.calls += 1;
                if let Some(turn) = &mut session.turns.current {
                    turn.calls += 1;
                }
            }),
            SessionFact::Tool(ToolFact::Ended { call, .. }) => self.change(id, |session| {
                if let Some(at) = session.tool_use.running.iter().rposition(|tool| tool.call == *call) {
                    session.tool_use.running.remove(at);
                }
            }),
            SessionFact::Context(ContextFact::Gauged(gauge)) => {
                self.change(id, |session| session.context.gauge = Some(gauge.clone()));
            }
            SessionFact::Context(ContextFact::WarningSet { percent }) => {
                self.change(id, |session| session.context.warning_set = *percent)
            }
            SessionFact::Context(ContextFact::Warned { percent }) => {
                self.change(id, |session| session.context.warned = *percent)
            }
            SessionFact::Work(WorkFact::Tasks(tasks)) => self.take_tasks(id, tasks),
            SessionFact::Work(WorkFact::Spent { report, input, output, cost_microusd }) => {
                self.change(id, |session| {
                    session.usage.book(report, (*input, *output), *cost_microusd);
                    if let Some(turn) = &mut session.turns.current {
                        turn.reports += 1;
                    }
                });
            }
            SessionFact::Turn(TurnFact::Interrupting { by }) => self.change(id, |session| {
                if let Some(turn) = &mut session.turns.current {
                    turn.interrupted_by = Some(by.clone());
                }
            }),
            SessionFact::Life(LifeFact::SignOfLife) => {}
            SessionFact::Life(LifeFact::AwaitsHuman(waits)) => {
                self.change(id, |session| session.awaits_human = *waits);
            }
            SessionFact::Life(LifeFact::Sandboxed(level)) => {
                self.change(id, |session| session.sandbox = Some(*level))
            }
            SessionFact::Life(LifeFact::ProgramVersion(version)) => {
                self.change(id, |session| session.program_version = Some(version.clone()));
            }
            SessionFact::Permission(PermissionFact::Asked { permission, call, request }) => {
                self.permissions_asked = permission.0;
                let (call, request) = (Some(call.clone()), request.clone());
                self.change(id, |session| {
                    session.permissions.push_back(PendingPermission {
                        id: *permission,
                        request,
                        at,
                        call,
                        answer: None,
                    });
                });
            }
            SessionFact::Permission(PermissionFact::AskedAgain { permission, call }) => {
                self.change_ask(id, *permission, |ask| ask.call = Some(call.clone()));
            }
            SessionFact::Permission(PermissionFact::Answered { .. }) => self.take_answer(id, fact, at),
            SessionFact::Permission(PermissionFact::AnswerGiven { permission })
            | SessionFact::Permission(PermissionFact::Unasked { permission }) => {
                self.change(id, |session| session.permissions.retain(|found| found.id != *permission));
            }
            SessionFact::Permission(PermissionFact::Covered { .. }) => self.tally.covered += 1,
            SessionFact::Tool(ToolFact::Denied { .. }) => self.tally.denied += 1,
            SessionFact::Life(LifeFact::WaitsForPetition { petition }) => {
                self.change(id, |session| session.waits_for_petition = Some(petition.clone()));
            }
            SessionFact::Life(LifeFact::Waits(wait)) => self.change(id, |session| session.wait_for(wait)),
            SessionFact::Turn(TurnFact::Retried { turn }) => {
                self.turns = turn.0;
                self.change(id, |session| {
                    session.health.wait = None;
                    let testament = session.leaves_testament();
                    session.context.testament_turn =
                        if testament { Some(*turn) } else { session.context.testament_turn };
                    if let Some(running) = &mut session.turns.current {
                        running.id = *turn;
                        running.known |= running.heard;
                        running.heard = false;
                        running.interrupted_by = None;
                        running.nudges = 0;
                        running.reports = 0;
                    }
                });
            }
            SessionFact::Life(LifeFact::Revived) => self.change(id, |session| {
                session.health.wait = None;
                session.incarnation += 1;
                session.cut_tools();
                session.cut_permissions();
                session.awaits_human = false;
                if let Some(turn) = &mut session.turns.current {
                    turn.interrupted_by = None;
                    turn.nudges = 0;
                    turn.reports = 0;
                }
            }),
            SessionFact::Life(LifeFact::SilenceWatched { stage, nudge }) => {
                self.turns = nudge.map_or(self.turns, |turn| turn.0);
                self.change(id, |session| {
                    session.health.silence_stage = *stage;
                    if let Some(turn) = session.turns.current.as_mut().filter(|_| *stage == 1) {
                        turn.nudges += 1;
                    }
                });
            }
            // A handoff that was asked for with room left is not the one that this calls for.
            SessionFact::Context(ContextFact::Overflowed) => self.change(id, |session| {
                (session.context.overflowed, session.context.handoff_asked) = (true, false);
            }),
            SessionFact::Context(ContextFact::HandoffAsked) => {
                self.change(id, |session| session.context.handoff_asked = true)
            }
            SessionFact::Context(ContextFact::TestamentAsked) => self.change(id, |session| {
                session.context.testament_asked = true;
                session.context.testament_turn = None;
            }),
            SessionFact::Turn(TurnFact::Rested { turn, interrupted, tree }) => {
                if !interrupted {
                    self.hear_turn(id, *turn);
                }
                self.change(id, |session| {
                    let testament = session.leaves_testament();
                    if !interrupted && !testament {
                        // The testament was asked for in vain; it is asked for again at this rest.
                        session.context.testament_asked = false;
                        session.context.testament_turn = None;
                    }
                    // A request for the testament is not queued again: it is made anew, if it is still due.
                    if let Some(unheard) =
                        session.turns.current.take().filter(|turn| !turn.heard && !testament)
                    {
                        let Turn { text, words, .. } = unheard;
                        session.turns.mail.push_front(QueuedMessage::Again { text, words });
                    }
                    if session.work.began_at.is_none() {
                        session.work.began_at = tree.as_ref().map(|tree| tree.commit.clone());
                    }
                    session.tool_use.running.clear();
                    session.tool_use.maybe_ran.clear();
                    session.health.wait = None;
                    session.awaits_human = false;
                    // What was asked in it is asked no more, and no answer outlives it.
                    session.permissions.clear();
                    if !interrupted {
                        session.completed();
                    }
                    session.work.changed = session.work.tasks_changed || session.work.tree != *tree;
                    session.work.tasks_changed = false;
                    session.work.tree = tree.clone();
                });
            }
            SessionFact::Turn(TurnFact::Malformed { .. }) => {
                self.change(id, |session| session.turns.malformed += 1)
            }
            SessionFact::Work(WorkFact::Logged { text, quiet }) => self.change(id, |session| {
                session.turns.malformed = 0;
                session.work.log.push_back(text.clone());
                session.work.quiet_turns = if *quiet { session.work.quiet_turns + 1 } else { 0 };
            }),
            SessionFact::Work(WorkFact::AwaitsReply) => self.change(id, |session| {
                session.turns.malformed = 0;
                session.work.awaits_reply = true;
                session.work.quiet_turns = 0;
            }),
            SessionFact::Work(WorkFact::Judged { verdict, commit, .. }) => {
                // What one verifier has found wrong, another must find right.
                let failed = self.judgement.as_ref().is_some_and(|before| before.verdict == Verdict::Fail);
                if !failed {
                    self.judgement = Some(Judgement { verdict: *verdict, commit: commit.clone() });
                }
            }
            SessionFact::Life(LifeFact::Released) => {
                self.live.remove(&id);
                self.change(id, |session| {
                    session.live = false;
                    session.turns.current = None;
                    session.tool_use.running.clear();
                    session.permissions.clear();
                });
            }
        }
    }

    /// A call that waits is answered by it; else it is kept for the same call of a later life, once.
    fn take_answer(&mut self, id: SessionId, fact: &SessionFact, at: Timestamp) {
        let SessionFact::Permission(PermissionFact::Answered { permission, allowed, by, scope, why, .. }) =
            fact
        else {
            return;
        };
        *match (allowed, by) {
            (true, _) => &mut self.tally.allowed,
            (false, Actor::Human { .. }) => &mut self.tally.refused,
            (false, Actor::Policy(_) | Actor::Agent(_)) => &mut self.tally.unattended,
        } += 1;
        let asked = self
            .sessions
            .get(&id)
            .and_then(|session| session.permissions.iter().find(|found| found.id == *permission));
        let shapes = asked.map(|asked| asked.request.shapes.clone()).unwrap_or_default();
        let until = match scope {
            GrantScope::Once => None,
            GrantScope::Hour => Some(Timestamp(at.0.saturating_add(limits::GRANT_MS))),
            GrantScope::Mission => None,
        };
        for shape in shapes.into_iter().filter(|_| *allowed && *scope != GrantScope::Once) {
            self.grants.push_back(Grant { permission: *permission, by: by.clone(), shape, until });
        }
        while self.grants.len() > limits::GRANTS_MAX {
            self.grants.pop_front();
        }
        let waits = asked_waits(self.sessions.get(&id).map(Arc::as_ref), *permission);
        if waits {
            self.change(id, |session| session.permissions.retain(|found| found.id != *permission));
        } else {
            self.change_ask(id, *permission, |ask| ask.answer = Some((*allowed, why.clone())));
        }
    }

    fn change_ask(&mut self, id: SessionId, ask: PermissionId, change: impl FnOnce(&mut PendingPermission)) {
        self.change(id, |session| {
            if let Some(ask) = session.permissions.iter_mut().find(|found| found.id == ask) {
                change(ask);
            }
        });
    }

    /// A prompt or a steered text is known to have reached the model; so have the human's words in it.
    fn hear_turn(&mut self, id: SessionId, turn: TurnId) {
        let mut words: Arc<[MessageId]> = Arc::from([]);
        self.change(id, |session| {
            if let Some(running) = session.turns.current.as_mut().filter(|running| running.id == turn) {
                running.heard = true;
                words = running.words.clone();
            } else if let Some(at) = session.turns.steered.iter().position(|steer| steer.id == turn) {
                words = session.turns.steered.remove(at).words;
            }
        });
        self.advance(&words, Delivery::Heard);
    }

    /// A session's checklist replaces the one it had; those of others stay.
    fn take_tasks(&mut self, id: SessionId, tasks: &[Task]) {
        let Some(number) = self.sessions.get(&id).map(|session| session.profile.number) else {
            return;
        };
        let is_gone = |owner: u32| {
            let mut others = self.live_sessions().filter(|session| session.is_worker());
            !others.any(|session| session.profile.number == owner)
        };
        // What a predecessor left and this one took over is not kept twice.
        let taken_over = |owner: u32, task: &Task| {
            is_gone(owner) && tasks.iter().any(|own| own.id == task.id && own.title == task.title)
        };
        let others = self.tasks.iter().filter(|(owner, _)| *owner != number);
        let others = others.filter(|(owner, task)| !taken_over(*owner, task)).cloned();
        let own = tasks.iter().map(|task| (number, task.clone()));
        self.tasks = others.chain(own).collect();
        self.change(id, |session| session.work.tasks_changed = true);
    }
}

fn asked_waits(session: Option<&Session>, ask: PermissionId) -> bool {
    session.is_some_and(|session| {
        session.permissions.iter().any(|found| found.id == ask && found.call.is_some())
    })
}

impl Session {
    /// The human's words on their way to this session that no model has heard.
    pub fn unheard_words(&self) -> Vec<MessageId> {
        let turn = self.turns.current.iter().filter(|turn| !turn.heard).flat_map(|turn| turn.words.iter());
        let steered = self.turns.steered.iter().flat_map(|steer| steer.words.iter());
        let mail = self.turns.mail.iter().flat_map(QueuedMessage::words);
        turn.chain(steered).chain(mail).copied().collect()
    }

    fn notice(&mut self, fact: &SessionFact, at: Timestamp) {
        if fact.is_sign_of_life() {
            self.health.active_at = at;
            self.health.silence_stage = 0;
        }
    }

    fn wait_for(&mut self, wait: &Wait) {
        match wait.kind {
            WaitKind::Backoff | WaitKind::Limit | WaitKind::Login => self.health.failures += 1,
            WaitKind::Revival => self.health.deaths += 1,
        }
        match wait.kind {
            WaitKind::Revival => self.cut_tools(),
            // The provider reports an error after its tools have come back.
            WaitKind::Backoff | WaitKind::Limit | WaitKind::Login => self.tool_use.running.clear(),
        }
        self.cut_permissions();
        // Whatever it asked a person ended with its turn or its process.
        self.awaits_human = false;
        self.health.wait = Some(wait.clone());
    }

    /// The process ended, its own or ours: whatever ran may have run.
    pub(crate) fn cut_tools(&mut self) {
        self.tool_use.maybe_ran.append(std::mem::take(&mut self.tool_use.running));
        while self.tool_use.maybe_ran.len() > limits::TOOLS_MAX {
            self.tool_use.maybe_ran.pop_front();
        }
    }

    /// The process that waited for the answers is gone; a call that asks the same again takes them.
    pub(crate) fn cut_permissions(&mut self) {
        for ask in self.permissions.iter_mut() {
            ask.call = None;
        }
    }

    /// A turn was completed: whatever went wrong before is over.
    fn completed(&mut self) {
        self.health.failures = 0;
        self.health.deaths = 0;
        self.turns.completed += 1;
        if let Some(gauge) = &self.context.gauge {
            let used = gauge.used.saturating_sub(self.context.used_before);
            // What the newest turn took weighs as much as all before it.
            self.context.burn =
                Some(self.context.burn.map_or(used, |burn| (burn + used) / 2)).filter(|burn| *burn > 0);
            self.context.used_before = gauge.used;
        }
    }

    /// How many more turns fit into its context at the present burn rate; none while its window is only guessed.
    pub fn forecast(&self) -> Option<u64> {
        let gauge = self.context.gauge.as_ref().filter(|gauge| !gauge.is_guess())?;
        gauge.window.saturating_sub(gauge.used).checked_div(self.context.burn?)
    }

    /// The first `count` letters have become a prompt.
    fn take_mail(&mut self, count: u32) {
        let count = (count as usize).min(self.turns.mail.len());
        self.turns.mail = self.turns.mail.skip(count);
    }

    fn begin(&mut self, id: TurnId, text: Arc<str>, words: Arc<[MessageId]>, at: Timestamp) {
        self.turns.prompted = true;
        self.waits_for_petition = None;
        self.turns.current = Some(Turn {
            id,
            since: at,
            calls: 0,
            text,
            words,
            heard: false,
            known: false,
            interrupted_by: None,
            nudges: 0,
            reports: 0,
        });
    }
}
