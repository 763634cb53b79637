//! The end at a limit. A running turn is stopped and a worker asked for its handoff, as far as what was kept for it
//! reaches; then the mission is over, and `arbiter resume` goes on once the limit was raised. A council that stands
//! still, without a limit, asks the human instead.

use std::sync::Arc;

use crate::actor::Actor;
use crate::charter::Way;
use crate::conductor::Limits;
use crate::effect::{Effect, Leave, SessionCommand};
use crate::fact::{ContextFact, MissionFact, SessionFact, TurnFact, WorkFact};
use crate::id::{SessionId, Timestamp, roman};
use crate::limits;
use crate::mission_limits::ReachedLimit;
use crate::prompt;
use crate::session::{QueuedMessage, Section, Session, Turn};
use crate::state::{Ended, State};
use crate::talk::{MessageKind, Speaker};

use super::StepBuilder;

/// Who interrupts a turn because the mission has reached a limit.
pub(crate) const AT_LIMIT: &str = "limit";

impl State {
    /// When time alone ends the mission, or stops its turns.
    pub(crate) fn limits_due(&self) -> Option<Timestamp> {
        let closing = self.closing.as_ref().filter(|_| self.runs_a_turn()).map(|closing| closing.until);
        let Some(limits) = self.limits() else { return closing };
        let stop = self.limit_due(&limits, limits::HANDOFF_MS_MAX);
        let stop = stop.filter(|_| self.closing.is_none() && self.runs_a_turn());
        [closing, stop, self.limit_due(&limits, 0)].into_iter().flatten().min()
    }

    fn runs_a_turn(&self) -> bool {
        self.live_sessions().any(runs)
    }
}

impl StepBuilder {
    /// After every event: is a limit reached?
    pub(crate) fn watch_mission(&mut self) {
        let now = self.now();
        if self.state.charter.is_none() || self.state.ended.is_some() || self.state.halted.is_some() {
            return;
        }
        let Some(closing) = self.state.closing.clone() else {
            let reached = match self.state.runs_a_turn() {
                true => self.state.must_stop(now),
                // What a conducted mission begins next, it asks its own rules. A claim takes no turn.
                false if self.state.way() == Way::Conductor || self.state.gate.is_some() => {
                    self.state.overdue(now)
                }
                false => self.state.spent(now),
            };
            let council = Some(()).filter(|()| self.state.way() == Way::Council);
            if let Some(reached) = reached.or_else(|| council.and_then(|()| self.state.exchanges_spent())) {
                self.close(&reached);
            }
            return;
        };
        // The one answer that was asked for is let finish: its request reads the whole context, and its usage is told
        // before it has ended. What asks again goes too far.
        if closing.asked && self.state.is_reserve_spent(now) {
            self.stop_turns(limits::HANDOFF_REPORTS_STOP);
        }
        let late = closing.until <= now && self.state.runs_a_turn();
        if late || self.state.overdue(now).is_some() || self.is_wound_down() {
            self.exhaust(&ReachedLimit { kind: closing.limit, why: closing.why.to_string() });
        }
    }

    /// A limit is reached: nothing more begins, and what runs is stopped.
    pub(crate) fn close(&mut self, reached: &ReachedLimit) {
        let until = Timestamp(self.now().0.saturating_add(limits::STOP_MS_MAX));
        let (limit, why) = (reached.kind, Arc::from(reached.why.as_str()));
        self.mission(MissionFact::LimitReached { limit, why, until });
        self.stop_turns(0);
        if self.is_wound_down() || self.state.overdue(self.now()).is_some() {
            self.exhaust(reached);
        }
    }

    /// No turn runs, no claim stands, and no run is looked at.
    fn is_wound_down(&self) -> bool {
        let inspects = self
            .state
            .conductor
            .as_ref()
            .is_some_and(|conductor| conductor.run.as_ref().is_some_and(|run| run.ending.is_some()));
        !self.state.runs_a_turn() && self.state.gate.is_none() && !inspects
    }

    /// Stops each running turn that has told its usage so often.
    fn stop_turns(&mut self, reports: u32) {
        let running: Vec<Arc<Session>> = self
            .state
            .live
            .iter()
            .filter_map(|id| self.state.sessions.get(id))
            .filter(|session| runs(session))
            .cloned()
            .collect();
        for session in running {
            let stops = |turn: &&Turn| turn.interrupted_by.is_none() && turn.reports >= reports;
            let Some(turn) = session.turns.current.as_ref().filter(stops) else { continue };
            let by = Actor::Policy(Arc::from(AT_LIMIT));
            self.session(session.profile.session, SessionFact::Turn(TurnFact::Interrupting { by }));
            self.effect(Effect::Session(session.address(), SessionCommand::Interrupt { turn: turn.id }));
        }
    }

    /// A worker of a council was stopped at the limit: it hands off, if there is something left for that.
    pub(crate) fn worker_stopped_at_limit(&mut self, id: SessionId) {
        let Some(session) = self.state.sessions.get(&id).cloned() else { return };
        if self.ask_at_limit(&session, "handoff-limit.md") {
            return;
        }
        self.session(id, SessionFact::Work(WorkFact::AwaitsReply));
        let text = Arc::from(
            "It was stopped because the mission had reached a limit. It rests and waits for your word.",
        );
        let (section, number) = (Section::Silence, session.profile.number);
        self.post_to_arbiter(QueuedMessage::Report { section, number, text });
    }

    /// Asks a session that was stopped for what it has, once. Says whether it did.
    pub(crate) fn ask_at_limit(&mut self, session: &Session, file: &str) -> bool {
        let (id, now) = (session.profile.session, self.now());
        let asked = self.state.closing.as_ref().is_none_or(|closing| closing.asked);
        let Some(charter) = self.charter() else { return false };
        if asked || self.state.paused || self.state.is_reserve_spent(now) {
            return false;
        }
        let why = self.state.closing.as_ref().map_or_else(String::new, |closing| closing.why.to_string());
        let text =
            prompt::render_with(&charter, file, &self.setting(session.profile.number), &[("why", &why)]);
        let until = Timestamp(now.0.saturating_add(limits::HANDOFF_MS_MAX));
        self.mission(MissionFact::HandoffAtLimit { until });
        self.session(id, SessionFact::Context(ContextFact::HandoffAsked));
        self.post(id, QueuedMessage::Notice(text));
        self.prompt_now(id);
        true
    }

    /// The end: a limit was reached. The work so far is brought over.
    pub(crate) fn exhaust(&mut self, reached: &ReachedLimit) {
        let why: Arc<str> = Arc::from(reached.why.as_str());
        if self.state.closing.is_none() {
            let (limit, why, until) = (reached.kind, why.clone(), self.now());
            self.mission(MissionFact::LimitReached { limit, why, until });
        }
        self.end_with(MissionFact::Exhausted { why }, Leave::Exhausted);
    }

    /// The mission is resumed with these limits. One that a limit had ended goes on, if they let it.
    pub(crate) fn set_limits(&mut self, limits: Limits) {
        let exhausted = matches!(self.state.ended, Some(Ended::Exhausted(_)));
        let stopped = exhausted || self.state.closing.is_some();
        if self.state.ended.is_some() && !exhausted {
            return self.note("the mission is over: no limit changes that".to_owned());
        }
        if stopped && let Some(reached) = self.state.stops_again(&limits, self.now()) {
            return self.note(format!("the mission would stop again at once: {}", reached.why));
        }
        if self.state.limits() == Some(limits) && !stopped {
            return self.note("the limits are as they were".to_owned());
        }
        let why = self.state.closing.as_ref().map(|closing| closing.why.clone());
        self.mission(MissionFact::LimitsSet { limits });
        if stopped {
            self.reopen(why.as_deref().unwrap_or("a limit was reached"));
        }
    }

    fn reopen(&mut self, why: &str) {
        self.remark(&format!("The mission goes on with other limits. It had stopped: {why}."));
        if self.state.way() == Way::Conductor {
            return self.reopen_conducted();
        }
        let worker = self.state.worker().cloned();
        // What it waited for is over.
        let forgotten = |worker: &&Session| {
            worker.turns.current.is_none()
                && !worker.work.awaits_reply
                && !worker.is_called()
                && worker.turns.steered.is_empty()
        };
        if let Some(worker) = worker.as_ref().filter(forgotten) {
            self.session(worker.profile.session, SessionFact::Work(WorkFact::AwaitsReply));
        }
        self.post_notice("limit-raised.md", &[("why", why)]);
    }

    /// A council that has taken many turns without any change asks the human, and takes no further one before they
    /// speak. Says whether it does.
    pub(crate) fn stands_still(&mut self) -> bool {
        let turns = self.state.progress.turns;
        if self.state.way() != Way::Council || turns < limits::TURNS_WITHOUT_CHANGE_MAX {
            return false;
        }
        if self.state.question.is_none() {
            let who = self.state.worker().map_or_else(
                || "The Arbiter".to_owned(),
                |worker| format!("The Arbiter and Orchestrator {}", roman(worker.profile.number)),
            );
            let question = format!(
                "{who} took {turns} turns in a row, and nothing changed: neither the tree nor the task list, a check or a \
                 verdict, and you said nothing. The mission waits. What shall the Arbiter do?"
            );
            let text = format!(
                "«Notice»\nThe last {turns} turns changed neither the tree nor the task list, a check or a verdict. The \
                 human was asked what you shall do."
            );
            self.post_to_arbiter(QueuedMessage::Aside(Arc::from(text)));
            self.ask_human(Speaker::House, MessageKind::Plain, &question);
        }
        true
    }
}

/// A turn of it is in flight, and it does not wait for its next try.
fn runs(session: &Session) -> bool {
    session.turns.current.is_some() && session.health.wait.is_none()
}
