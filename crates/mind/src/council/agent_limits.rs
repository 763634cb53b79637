//! The limits of an agent that a council has summoned. A conducted mission counts them in runs; a council counts how often
//! the agent was summoned, the time and the tool calls of one turn, and the tokens of one session. A turn that goes too far
//! is interrupted, and the Arbiter decides what follows.

use std::sync::Arc;

use crate::actor::Actor;
use crate::conductor::agent::AgentLimits;
use crate::decide::StepBuilder;
use crate::effect::{Effect, SessionCommand};
use crate::fact::{Fact, MissionFact, SessionFact, TurnFact, WorkFact};
use crate::id::Timestamp;
use crate::session::{QueuedMessage, Section, Session};
use crate::state::State;

/// Who interrupts a turn because its agent has reached a limit of its own.
pub(crate) const AT_AGENT_LIMIT: &str = "agent-limit";

impl AgentLimits {
    /// Whether a session called more tools than these limits let it.
    pub(crate) fn calls_passed(&self, calls: u32) -> Option<String> {
        let most = self.max_tool_calls.filter(|most| calls > *most)?;
        Some(format!("it used more than its {most} tool calls"))
    }

    /// Whether a session holds more tokens than these limits let it.
    pub(crate) fn tokens_passed(&self, session: &Session) -> Option<String> {
        let used = session.context.gauge.as_ref().map_or(0, |gauge| gauge.used);
        let most = self.max_tokens.filter(|most| used > *most)?;
        Some(format!("it used more than its {most} tokens"))
    }
}

impl State {
    /// The limits of the agent that a council's session plays.
    fn agent_limits(&self, session: &Session) -> Option<AgentLimits> {
        let casting = session.profile.casting.as_ref().filter(|_| session.is_worker())?;
        let agent = self.charter.as_ref()?.agents.iter().find(|agent| agent.name == casting.name)?;
        Some(agent.limits)
    }

    /// How often a council has summoned this agent.
    pub(crate) fn summons_of(&self, name: &str) -> u32 {
        let plays = |session: &&Arc<Session>| {
            session.profile.casting.as_ref().is_some_and(|casting| *casting.name == *name)
        };
        self.sessions.values().filter(plays).count() as u32
    }

    /// When the turn of a summoned agent must be over; none while it waits for a person or its provider.
    pub(crate) fn agent_limit_due(&self) -> Option<Timestamp> {
        let worker = self.worker()?;
        let turn = worker.turns.current.as_ref().filter(|turn| turn.interrupted_by.is_none())?;
        let waits = worker.waits_for_others() || self.closing.is_some();
        let most = self.agent_limits(worker)?.timeout_ms.filter(|_| !waits)?;
        Some(Timestamp(turn.since.0.saturating_add(most)))
    }

    /// Moves the beginning of the worker's turn on by what it waited, as `excuse` does with the end of a run.
    pub(crate) fn excuse_turns(&mut self, fact: &Fact, at: Timestamp) {
        let restarted = matches!(fact, Fact::Mission(MissionFact::Restarted { .. }));
        let worker = match fact {
            Fact::Mission(_) => self.worker().filter(|_| restarted),
            Fact::Session(id, fact) => {
                self.worker().filter(|worker| worker.profile.session == *id && fact.is_sign_of_life())
            }
            Fact::Talk(_) | Fact::Gate(..) | Fact::Docket(..) | Fact::Conductor(_) => None,
        };
        let Some(worker) = worker.filter(|worker| worker.turns.current.is_some()) else { return };
        let Some(since) = self.waited_since(worker, restarted) else { return };
        let waited_ms = at.0.saturating_sub(since.0);
        self.change(worker.profile.session, |session| {
            if let Some(turn) = &mut session.turns.current {
                turn.since.0 = turn.since.0.saturating_add(waited_ms);
            }
        });
    }
}

impl StepBuilder {
    /// After every event: did the turn of a summoned agent go too far? A turn that a new process takes up again counts on.
    pub(crate) fn watch_agent_limits(&mut self) {
        // Behind a limit of the mission the one turn that runs is the handoff that was asked for.
        if self.state.ended.is_some() || self.state.halted.is_some() || self.state.closing.is_some() {
            return;
        }
        let Some(worker) = self.state.worker().filter(|worker| worker.health.wait.is_none()).cloned() else {
            return;
        };
        let (Some(limits), Some(turn)) = (self.state.agent_limits(&worker), &worker.turns.current) else {
            return;
        };
        let is_late = self.state.agent_limit_due().is_some_and(|due| due <= self.now());
        // A session that runs over hands over anyway.
        let tokens = limits.tokens_passed(&worker).filter(|_| !worker.context.overflowed);
        if let Some(why) = limits.calls_passed(turn.calls).or(tokens) {
            self.stop_agent(&worker, &why);
        } else if is_late {
            self.stop_agent(&worker, "its turn took longer than it may");
        }
    }

    fn stop_agent(&mut self, session: &Session, why: &str) {
        let running = session.turns.current.as_ref().filter(|turn| turn.interrupted_by.is_none());
        let Some(turn) = running else { return };
        let by = Actor::Policy(Arc::from(AT_AGENT_LIMIT));
        self.session(session.profile.session, SessionFact::Turn(TurnFact::Interrupting { by }));
        let (who, agent) = (session.profile.speaker(), session.profile.agent());
        self.remark(&format!("{who} ({agent}) reached a limit of its agent and was interrupted: {why}."));
        self.effect(Effect::Session(session.address(), SessionCommand::Interrupt { turn: turn.id }));
    }

    /// The turn was stopped at a limit of its agent: the Arbiter decides what follows. A session that holds too many tokens
    /// will never hold fewer: it is released.
    pub(crate) fn worker_stopped_at_agent_limit(&mut self, session: &Session) {
        // The mission reached a limit of its own meanwhile.
        if self.state.closing.is_some() {
            return self.worker_stopped_at_limit(session.profile.session);
        }
        let agent = session.profile.agent();
        let is_full =
            self.state.agent_limits(session).is_some_and(|limits| limits.tokens_passed(session).is_some());
        let follows = match is_full {
            true => {
                self.release_worker();
                "It holds too many tokens for another turn, so it was released. Summon another"
            }
            false => {
                self.session(session.profile.session, SessionFact::Work(WorkFact::AwaitsReply));
                "It rests and waits for your word: give it a smaller piece, or summon another"
            }
        };
        let text =
            format!("It was interrupted because it had reached a limit of its agent {agent}. {follows}.");
        let (section, number) = (Section::Silence, session.profile.number);
        self.post_to_arbiter(QueuedMessage::Report { section, number, text: Arc::from(text) });
    }
}
