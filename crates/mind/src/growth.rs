//! How a fact changes its session. Facts that are not about one session are applied in `state`.

use std::sync::Arc;

use imbl::Vector;

use crate::fact::SessionFact;
use crate::id::{AskId, MessageId, SessionId, Timestamp, TurnId};
use crate::limits;
use crate::policy::Lasts;
use crate::session::{Ask, Mail, Role, Session, Task, ToolCall, Turn, Wait, WaitKind};
use crate::state::{Grant, Judgement, State};
use crate::talk::{Actor, Delivery, Verdict};

impl State {
    /// How a fact changes its session.
    pub(crate) fn apply_session(&mut self, id: SessionId, fact: &SessionFact, at: Timestamp) {
        self.change(id, |session| session.notice(fact, at));
        match fact {
            SessionFact::Summoned(profile) => {
                match profile.role {
                    Role::Arbiter | Role::Agent => {}
                    Role::Orchestrator | Role::Verifier => {
                        self.orchestrators = profile.number;
                        // What was judged before is about to change, or to be judged anew.
                        self.judgement = None;
                    }
                }
                let mut session = Session::new(Arc::new(profile.clone()));
                session.active_at = at;
                self.sessions.insert(id, Arc::new(session));
                self.live.insert(id);
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
                    if session.testament_asked && session.testament_turn.is_none() {
                        session.testament_turn = Some(*turn);
                    }
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
            SessionFact::ToolStarted { call, name, detail } => self.change(id, |session| {
                let [call, name, detail] = [call, name, detail].map(Arc::clone);
                session.tools.push_back(ToolCall { call, name, detail });
                if session.tools.len() > limits::TOOLS_MAX {
                    session.tools.pop_front();
                }
                session.tool_calls += 1;
            }),
            SessionFact::ToolEnded { call, .. } => self.change(id, |session| {
                if let Some(at) = session.tools.iter().rposition(|tool| tool.call == *call) {
                    session.tools.remove(at);
                }
            }),
            SessionFact::Gauged(gauge) => {
                self.change(id, |session| session.gauge = Some(gauge.clone()));
            }
            SessionFact::Armed { percent } => self.change(id, |session| session.armed = *percent),
            SessionFact::Warned { percent } => self.change(id, |session| session.warned = *percent),
            SessionFact::Tasks(tasks) => self.take_tasks(id, tasks),
            SessionFact::Spent { input, output } => self.change(id, |session| {
                let (before, after) = session.spent.unwrap_or_default();
                session.spent = Some((before.saturating_add(*input), after.saturating_add(*output)));
            }),
            SessionFact::Interrupting { by } => self.change(id, |session| {
                if let Some(turn) = &mut session.turn {
                    turn.interrupted_by = Some(by.clone());
                }
            }),
            SessionFact::Stirred => {}
            SessionFact::AwaitsHuman(waits) => {
                self.change(id, |session| session.awaits_human = *waits);
            }
            SessionFact::Housed(level) => self.change(id, |session| session.level = Some(*level)),
            SessionFact::Asked { ask, call, question } => {
                self.asked = ask.0;
                let (call, question) = (Some(call.clone()), question.clone());
                self.change(id, |session| {
                    session.asks.push_back(Ask { id: *ask, question, at, call, answer: None });
                });
            }
            SessionFact::AskedAgain { ask, call } => {
                self.change_ask(id, *ask, |ask| ask.call = Some(call.clone()));
            }
            SessionFact::Answered { .. } => self.take_answer(id, fact, at),
            SessionFact::AnswerGiven { ask } | SessionFact::Unasked { ask } => {
                self.change(id, |session| session.asks.retain(|found| found.id != *ask));
            }
            SessionFact::Covered { .. } => self.tally.covered += 1,
            SessionFact::Denied { .. } => self.tally.denied += 1,
            SessionFact::Parked { petition } => {
                self.change(id, |session| session.parked = Some(petition.clone()));
            }
            SessionFact::Waits(wait) => self.change(id, |session| session.wait_for(wait)),
            SessionFact::Retried { turn } => {
                self.turns = turn.0;
                self.change(id, |session| {
                    session.wait = None;
                    let testament = session.leaves_testament();
                    session.testament_turn = if testament { Some(*turn) } else { session.testament_turn };
                    if let Some(running) = &mut session.turn {
                        running.id = *turn;
                        running.known |= running.heard;
                        running.heard = false;
                        running.interrupted_by = None;
                        running.nudges = 0;
                    }
                });
            }
            SessionFact::Revived => self.change(id, |session| {
                session.wait = None;
                session.incarnation += 1;
                session.cut_tools();
                session.cut_asks();
                session.awaits_human = false;
                if let Some(turn) = &mut session.turn {
                    turn.interrupted_by = None;
                    turn.nudges = 0;
                }
            }),
            SessionFact::Watched { stage, nudge } => {
                self.turns = nudge.map_or(self.turns, |turn| turn.0);
                self.change(id, |session| {
                    session.watched = *stage;
                    if let Some(turn) = session.turn.as_mut().filter(|_| *stage == 1) {
                        turn.nudges += 1;
                    }
                });
            }
            SessionFact::Overflowed => self.change(id, |session| session.overflowed = true),
            SessionFact::HandoffAsked => self.change(id, |session| session.handoff_asked = true),
            SessionFact::TestamentAsked => self.change(id, |session| {
                session.testament_asked = true;
                session.testament_turn = None;
            }),
            SessionFact::Rested { turn, interrupted, tree, cost_microusd } => {
                if !interrupted {
                    self.hear_turn(id, *turn);
                }
                self.change(id, |session| {
                    let testament = session.leaves_testament();
                    if !interrupted && !testament {
                        // The testament was asked for in vain; it is asked for again at this rest.
                        session.testament_asked = false;
                        session.testament_turn = None;
                    }
                    // A testament is asked for in other words next time, or of nobody.
                    if let Some(unheard) = session.turn.take().filter(|turn| !turn.heard && !testament) {
                        let Turn { text, words, .. } = unheard;
                        session.mail.push_front(Mail::Again { text, words });
                    }
                    if session.began_at.is_none() {
                        session.began_at = tree.as_ref().map(|tree| tree.commit.clone());
                    }
                    session.tools.clear();
                    session.perhaps.clear();
                    session.wait = None;
                    session.awaits_human = false;
                    // What was asked in it is asked no more, and no answer outlives it.
                    session.asks.clear();
                    if !interrupted {
                        session.completed();
                    }
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
            SessionFact::Released => {
                self.live.remove(&id);
                self.change(id, |session| {
                    session.live = false;
                    session.turn = None;
                    session.tools.clear();
                    session.asks.clear();
                });
            }
        }
    }

    /// A call that waits is answered by it; else it is kept for the same call of a later life, once.
    fn take_answer(&mut self, id: SessionId, fact: &SessionFact, at: Timestamp) {
        let SessionFact::Answered { ask, allowed, by, lasts, why, .. } = fact else { return };
        *match (allowed, by) {
            (true, _) => &mut self.tally.allowed,
            (false, Actor::Human { .. }) => &mut self.tally.refused,
            (false, Actor::Policy(_)) => &mut self.tally.unattended,
        } += 1;
        let asked =
            self.sessions.get(&id).and_then(|session| session.asks.iter().find(|found| found.id == *ask));
        let shapes = asked.map(|asked| asked.question.shapes.clone()).unwrap_or_default();
        let until = match lasts {
            Lasts::Once => None,
            Lasts::Hour => Some(Timestamp(at.0.saturating_add(limits::GRANT_MS))),
            Lasts::Mission => None,
        };
        for shape in shapes.into_iter().filter(|_| *allowed && *lasts != Lasts::Once) {
            self.grants.push_back(Grant { ask: *ask, by: by.clone(), shape, until });
        }
        while self.grants.len() > limits::GRANTS_MAX {
            self.grants.pop_front();
        }
        let waits = asked_waits(self.sessions.get(&id).map(Arc::as_ref), *ask);
        if waits {
            self.change(id, |session| session.asks.retain(|found| found.id != *ask));
        } else {
            self.change_ask(id, *ask, |ask| ask.answer = Some((*allowed, why.clone())));
        }
    }

    fn change_ask(&mut self, id: SessionId, ask: AskId, change: impl FnOnce(&mut Ask)) {
        self.change(id, |session| {
            if let Some(ask) = session.asks.iter_mut().find(|found| found.id == ask) {
                change(ask);
            }
        });
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
        self.change(id, |session| session.tasks_changed = true);
    }
}

fn asked_waits(session: Option<&Session>, ask: AskId) -> bool {
    session.is_some_and(|session| session.asks.iter().any(|found| found.id == ask && found.call.is_some()))
}

impl Session {
    /// The human's words on their way to this session that no model has heard.
    pub fn unheard_words(&self) -> Vec<MessageId> {
        let turn = self.turn.iter().filter(|turn| !turn.heard).flat_map(|turn| turn.words.iter());
        let steered = self.steered.iter().flat_map(|steer| steer.words.iter());
        let mail = self.mail.iter().flat_map(Mail::words);
        turn.chain(steered).chain(mail).copied().collect()
    }

    /// Any fact about a session is a sign of life, but for those that are only our own doing.
    fn notice(&mut self, fact: &SessionFact, at: Timestamp) {
        let ours = matches!(
            fact,
            SessionFact::Watched { .. }
                | SessionFact::Interrupting { .. }
                | SessionFact::Steered(_)
                | SessionFact::Armed { .. }
        );
        if !ours {
            self.active_at = at;
            self.watched = 0;
        }
    }

    fn wait_for(&mut self, wait: &Wait) {
        match wait.kind {
            WaitKind::Backoff | WaitKind::Limit | WaitKind::Login => self.failures += 1,
            WaitKind::Revival => self.deaths += 1,
        }
        match wait.kind {
            WaitKind::Revival => self.cut_tools(),
            // The provider reports an error after its tools have come back.
            WaitKind::Backoff | WaitKind::Limit | WaitKind::Login => self.tools.clear(),
        }
        self.cut_asks();
        // Whatever it asked a person ended with its turn or its process.
        self.awaits_human = false;
        self.wait = Some(wait.clone());
    }

    /// The process ended, its own or ours: whatever ran may have run.
    pub(crate) fn cut_tools(&mut self) {
        self.perhaps.append(std::mem::take(&mut self.tools));
        while self.perhaps.len() > limits::TOOLS_MAX {
            self.perhaps.pop_front();
        }
    }

    /// Nobody waits for the answers any more; whoever asks the same again does.
    pub(crate) fn cut_asks(&mut self) {
        for ask in self.asks.iter_mut() {
            ask.call = None;
        }
    }

    /// A turn was completed: whatever went wrong before is over.
    fn completed(&mut self) {
        self.failures = 0;
        self.deaths = 0;
        self.turns_completed += 1;
        if let Some(gauge) = &self.gauge {
            let used = gauge.used.saturating_sub(self.used_before);
            // What the newest turn took weighs as much as all before it.
            self.burn = Some(self.burn.map_or(used, |burn| (burn + used) / 2)).filter(|burn| *burn > 0);
            self.used_before = gauge.used;
        }
    }

    /// How many more turns fit into its context at the present burn rate.
    pub fn forecast(&self) -> Option<u64> {
        let gauge = self.gauge.as_ref()?;
        gauge.window.saturating_sub(gauge.used).checked_div(self.burn?)
    }

    /// The first `count` letters have become a prompt.
    fn take_mail(&mut self, count: u32) {
        let count = (count as usize).min(self.mail.len());
        self.mail = self.mail.skip(count);
    }

    fn begin(&mut self, id: TurnId, text: Arc<str>, words: Arc<[MessageId]>) {
        self.prompted = true;
        self.parked = None;
        self.turn =
            Some(Turn { id, text, words, heard: false, known: false, interrupted_by: None, nudges: 0 });
    }
}
