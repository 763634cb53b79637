//! The conductor's state machine: its phases, and what leads from one to the next. It chooses no moves itself: rules, a
//! model or the fallback do.

mod claiming;
mod deciding;
mod finishing;
mod running;
mod steering;
mod waking;

use std::sync::Arc;

use super::fact::ConductorFact;
use super::limits;
use super::next_move::DecisionPoint;
use super::state::{ConductorState, Phase, Run};
use super::{Conducting, ConductorEvent, rules};
use crate::charter::Way;
use crate::decide::StepBuilder;
use crate::effect::{ConductorEffect, Effect, Leave, MissionEffect, WorkspaceEffect};
use crate::fact::{Fact, HaltCause, MissionFact};
use crate::mission_limits::ReachedLimit;

impl StepBuilder {
    /// After every event: a conducted mission goes as far as it can by itself.
    pub(crate) fn conduct(&mut self) {
        for _ in 0..limits::MOVES_MAX {
            let Some(conductor) = self.moving() else { return };
            let (phase, asks) = (conductor.phase, conductor.asking.is_some());
            match phase {
                Phase::Selecting if !asks => self.seek(DecisionPoint::Select),
                Phase::Evaluating if !asks && self.keeper_is_due_after_a_run() => self.begin_keeping(),
                Phase::Evaluating if !asks => self.seek(DecisionPoint::Evaluate),
                Phase::Completing if self.state.gate.is_none() && conductor.run.is_none() => {
                    self.further_claim()
                }
                Phase::Idle
                | Phase::Selecting
                | Phase::Evaluating
                | Phase::Preparing
                | Phase::Executing
                | Phase::Recovering
                | Phase::AwaitingHuman
                | Phase::Completing => return,
            }
        }
        self.fail("the conductor chose one move after another, and no agent ran");
    }

    /// The clone stands: the first decision, unless a human made one already.
    pub(crate) fn begin_conducting(&mut self) {
        match self.conductor().run {
            Some(run) => self.effect(Effect::Conductor(ConductorEffect::PrepareRun { run: run.number })),
            None => self.conductor_fact(ConductorFact::Selecting),
        }
    }

    /// The conductor's state, unless the mission is paused, halted, over or without its clone.
    fn moving(&self) -> Option<&ConductorState> {
        let state = &self.state;
        // What a limit stopped is still on its way out.
        let stopping =
            state.closing.is_some() && state.live_sessions().any(|session| session.turns.current.is_some());
        let still = stopping
            || state.ended.is_some()
            || state.halted.is_some()
            || state.paused
            || state.clone_place.is_none();
        state.conductor.as_ref().filter(|_| !still)
    }

    /// Takes an event that a conducted mission waits for.
    pub(crate) fn conductor_told(&mut self, event: ConductorEvent) {
        // It was paid for, also a reply that is needed no more.
        if let Some((tokens, cost_microusd)) = event.used().filter(|_| self.state.conductor.is_some()) {
            self.conductor_fact(ConductorFact::Spent { tokens, cost_microusd });
        }
        if self.state.ended.is_some() || self.state.way() == Way::Council {
            return self.note(format!("nothing waits for this: {event:?}"));
        }
        match event {
            ConductorEvent::Answered { number, attempt, answer } => self.answered(number, attempt, answer),
            ConductorEvent::Dropped { number, attempt, .. } => {
                self.note(format!("the call d{number}.{attempt} has ended, as was ordered"));
            }
            ConductorEvent::Prepared { run, agents, notes, faults, tree } => {
                // What is new is told once, also to a run that is no longer wanted.
                self.take_news(agents, notes, &faults);
                if self.awaited_run(run).is_none_or(|run| run.session.is_some()) || self.state.paused {
                    return self.note(format!("r{run} is not to be begun now"));
                }
                self.begin_run(tree);
            }
            ConductorEvent::Inspected { run, tree, files } => {
                let Some(run) = self.awaited_run(run).filter(|run| run.ending.is_some()) else {
                    return self.note(format!("r{run} is not looked at"));
                };
                self.finish_run(&run, tree.as_ref(), &files);
            }
            ConductorEvent::Hindered { run, why } => {
                if self.awaited_run(run).is_none_or(|run| run.ending.is_none()) {
                    return self.note(format!("r{run} is not looked at: {why}"));
                }
                // The run is over and its answer is kept: the next start looks at its changes again.
                self.halt(HaltCause::Workspace, why);
            }
        }
    }

    fn awaited_run(&self, number: u32) -> Option<Arc<Run>> {
        self.state.conductor.as_ref()?.run.clone().filter(|run| run.number == number)
    }

    pub(crate) fn conductor_fact(&mut self, fact: ConductorFact) {
        self.fact(Fact::Conductor(fact));
    }

    fn conductor(&self) -> ConductorState {
        self.state.conductor.clone().unwrap_or_default()
    }

    fn conducting(&self) -> Option<Conducting> {
        self.state.conducting().cloned()
    }

    /// Ends the mission if no further run can begin. Says whether it did.
    fn is_exhausted(&mut self) -> bool {
        self.ends_at(rules::limit(&self.state, self.now()))
    }

    /// Ends the mission if time, money or tokens are used up. Says whether it did.
    fn is_spent(&mut self) -> bool {
        self.ends_at(self.state.spent(self.now()))
    }

    fn ends_at(&mut self, limit: Option<ReachedLimit>) -> bool {
        match limit {
            Some(reached) => {
                self.exhaust(&reached);
                true
            }
            None => false,
        }
    }

    fn fail(&mut self, why: &str) {
        self.end_with(MissionFact::Failed { why: Arc::from(why) }, Leave::Failed);
    }

    /// The mission is over: nothing of it goes on running.
    pub(crate) fn end_with(&mut self, fact: MissionFact, leave: Leave) {
        if let Some(gate) = self.state.gate.as_ref().map(|gate| gate.id) {
            self.effect(Effect::Workspace(WorkspaceEffect::Abandon { gate }));
        }
        self.mission(fact);
        self.drop_call();
        self.end_all();
        self.effect(Effect::Workspace(WorkspaceEffect::FetchBack));
        self.effect(Effect::Mission(MissionEffect::Leave(leave)));
    }

    /// Ends the model call in flight: its answer is needed no more.
    pub(crate) fn drop_call(&mut self) {
        let asking = self.state.conductor.as_ref().and_then(|conductor| conductor.asking.clone());
        if let Some(asking) = asking {
            self.effect(Effect::Conductor(ConductorEffect::DropCall { number: asking.number }));
        }
    }
}
