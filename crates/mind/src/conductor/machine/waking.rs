//! Time and new starts of a conducted mission: what is done again after a restart, its next deadline, what it waits for.

use std::sync::Arc;

use super::super::state::{ConductorState, Phase};
use super::deciding;
use crate::decide::StepBuilder;
use crate::effect::{ConductorEffect, Effect};
use crate::fact::{Fact, MissionFact};
use crate::id::Timestamp;
use crate::session::Session;
use crate::state::State;
use crate::waiting_on::ProgramStep;

impl State {
    /// What was in flight when the mission loop stopped, once more under the same ids.
    pub(crate) fn wake_conductor(&self) -> Vec<Effect> {
        let mut effects: Vec<Effect> = self.wake_notes().collect();
        let Some(conductor) = self.conductor.as_ref().filter(|_| self.clone_place.is_some()) else {
            return effects;
        };
        if let Some(asking) = conductor.asking.as_ref().filter(|_| conductor.wakes_at.is_none())
            && let Some(question) = deciding::question(self, asking)
        {
            let question = Arc::new(question);
            effects.push(Effect::Conductor(ConductorEffect::CallModel {
                number: asking.number,
                attempt: asking.attempt,
                question,
            }));
        }
        if let Some(run) = &conductor.run {
            if run.ending.is_some() {
                effects.push(Effect::Conductor(ConductorEffect::InspectRun {
                    run: run.number,
                    before: run.before.clone(),
                }));
            } else if run.session.is_none() {
                effects.push(Effect::Conductor(ConductorEffect::PrepareRun { run: run.number }));
            }
        }
        effects
    }

    /// Notes that may not be written yet; one that is there stays as it is.
    pub(crate) fn wake_notes(&self) -> impl Iterator<Item = Effect> {
        self.kept.iter().map(|note| Effect::Conductor(ConductorEffect::Remember { note: Arc::clone(note) }))
    }

    /// When time alone changes a conducted mission next.
    pub(crate) fn conductor_due(&self) -> Option<Timestamp> {
        let conductor = self.conductor.as_ref()?;
        let wakes = conductor.wakes_at.filter(|_| !self.paused);
        [wakes, self.run_due(conductor)].into_iter().flatten().min()
    }

    /// Time in which a run waited for a person, for its provider or for the loop is not its own. What has passed since
    /// the last sign of life is excused before each that comes, so that no part of a wait is left out or counted twice.
    pub(crate) fn excuse(&mut self, fact: &Fact, at: Timestamp) {
        let Some(run) = self.conductor.as_ref().and_then(|conductor| conductor.run.clone()) else { return };
        let Some(session) = run.session.and_then(|id| self.sessions.get(&id)) else { return };
        let since = match fact {
            Fact::Mission(MissionFact::Restarted { .. }) => self.waited_since(session, true),
            Fact::Session(id, fact) if Some(*id) == run.session && fact.is_sign_of_life() => {
                self.waited_since(session, false)
            }
            Fact::Mission(_)
            | Fact::Talk(_)
            | Fact::Session(..)
            | Fact::Gate(..)
            | Fact::Docket(..)
            | Fact::Conductor(_) => None,
        };
        let (Some(since), Some(conductor)) = (since, &mut self.conductor) else { return };
        if let Some(deadline) = conductor.run.as_mut().and_then(|run| Arc::make_mut(run).deadline.as_mut()) {
            deadline.0 = deadline.0.saturating_add(at.0.saturating_sub(since.0));
        }
    }

    /// Since when the session waits for others, or for the loop that starts again.
    pub(crate) fn waited_since(&self, session: &Session, restarted: bool) -> Option<Timestamp> {
        let since = Some(session.health.active_at).filter(|_| session.waits_for_others());
        since.or(Some(self.now).filter(|_| restarted))
    }

    /// When the run must be over; none while its session waits for a person or its provider.
    fn run_due(&self, conductor: &ConductorState) -> Option<Timestamp> {
        let run = conductor.run.as_ref().filter(|run| run.ending.is_none())?;
        let session = self.sessions.get(&run.session?)?;
        run.deadline.filter(|_| !session.waits_for_others())
    }

    /// The phase as people see it: an agent that waits for its provider recovers.
    pub fn phase(&self) -> Option<Phase> {
        let conductor = self.conductor.as_ref()?;
        let waits = self.active_agent().is_some_and(|player| player.health.wait.is_some());
        Some(match conductor.phase {
            Phase::Executing if waits => Phase::Recovering,
            Phase::Idle
            | Phase::Selecting
            | Phase::Preparing
            | Phase::Executing
            | Phase::Evaluating
            | Phase::Recovering
            | Phase::AwaitingHuman
            | Phase::Completing => conductor.phase,
        })
    }

    /// What a conducted mission waits for outside its sessions: a move, a preparation, a look at the clone.
    pub(crate) fn conductor_step(&self) -> Option<ProgramStep> {
        let conductor = self.conductor.as_ref()?;
        match conductor.phase {
            Phase::Idle => Some(ProgramStep::Clone),
            Phase::Selecting | Phase::Evaluating => Some(ProgramStep::Move),
            Phase::Preparing => Some(ProgramStep::Run),
            Phase::Recovering => Some(ProgramStep::ModelRetry),
            Phase::Executing => Some(ProgramStep::Inspection),
            Phase::Completing => Some(ProgramStep::Checks),
            Phase::AwaitingHuman => None,
        }
    }
}

impl StepBuilder {
    /// Time has passed for a conducted mission. Says whether something was due.
    pub(crate) fn ring_conductor(&mut self) -> bool {
        let now = self.now();
        if self.state.conductor_due().is_none_or(|due| due > now) {
            return false;
        }
        let conductor = self.conductor();
        if conductor.wakes_at.is_some_and(|at| at <= now) && !self.state.paused {
            self.ask_again(false);
            return true;
        }
        if self.state.run_due(&conductor).is_some_and(|due| due <= now) {
            self.overran("it took longer than its time limit");
            return true;
        }
        false
    }

    /// Turns begin again: what was held back is done.
    pub(crate) fn resume_conducted(&mut self) {
        let effects = self.state.wake_conductor();
        for effect in effects
            .into_iter()
            .filter(|effect| matches!(effect, Effect::Conductor(ConductorEffect::PrepareRun { .. })))
        {
            self.effect(effect);
        }
    }

    /// An agent's session is lost for good, or its turn refused: its run has failed.
    pub(crate) fn player_lost(&mut self, session: &Session, retryable: bool, why: &str) {
        if self.run_of(session).is_none() {
            return self.note(format!("{} plays in no run: {why}", session.address()));
        }
        self.run_failed(super::super::execution::ErrorCategory::ProviderError, retryable, why);
    }
}

impl StepBuilder {
    /// A mission that a limit had ended goes on: with the run or the model call in flight, else with another choice.
    pub(crate) fn reopen_conducted(&mut self) {
        let conductor = self.state.conductor.as_ref();
        if conductor.is_some_and(|conductor| conductor.run.is_none() && conductor.asking.is_none()) {
            self.conductor_fact(super::super::fact::ConductorFact::Selecting);
        }
    }
}
