//! What a human does to a conducted mission: words, force, skip, retry. All are legal until the mission is over.

use std::sync::Arc;

use super::super::agent::Agent;
use super::super::execution::RunStatus;
use super::super::fact::ConductorFact;
use super::super::move_record::MoveRecord;
use super::super::next_move::{DecisionPoint, MoveSource, NextMove};
use super::super::plan::{StepStatus, shown};
use super::super::state::{Phase, RunEnding, RunKind};
use super::super::{input, legal, limits};
use crate::actor::Actor;
use crate::charter::Way;
use crate::decide::StepBuilder;
use crate::id::MessageId;
use crate::session::QueuedMessage;

impl StepBuilder {
    /// Words of the human: they answer an open question, else go to the agent at work, else to the next one.
    pub(crate) fn conducted_words(&mut self, message: MessageId) {
        let conductor = self.conductor();
        if conductor.phase == Phase::AwaitingHuman {
            let text =
                |id| self.state.message(id).map_or_else(String::new, |message| message.text.to_string());
            let asked = conductor.question.map(text).unwrap_or_default();
            let answer = text(message);
            self.guide(&format!("The human was asked: {asked}\nThe human answered: {answer}"));
            return self.conductor_fact(ConductorFact::Selecting);
        }
        let Some(player) = self.state.active_agent().cloned() else { return };
        if conductor.run.as_ref().is_some_and(|run| run.kind != RunKind::Work) {
            return;
        }
        self.post(player.profile.session, QueuedMessage::Words(message));
        if player.turns.current.is_some() && !self.steers(&player) {
            self.remark(&format!(
                "{} is at work and takes no messages in mid-turn: yours waits for the next agent. Interrupt it to have \
                 it heard now.",
                player.profile.agent()
            ));
        }
    }

    /// A human lets an agent run next.
    pub(crate) fn force_agent(&mut self, by: Actor, typed: &Arc<str>) {
        if self.state.way() == Way::Council {
            return self
                .remark("Only a conducted mission has agents to force: say it to the Arbiter instead.");
        }
        let conductor = self.conductor();
        let same = |agent: &&Agent| {
            agent.name.eq_ignore_ascii_case(typed) || agent.display_name.eq_ignore_ascii_case(typed)
        };
        let Some(agent) = conductor.agents.iter().filter(|agent| !agent.internal).find(same) else {
            let names: Vec<&str> = conductor
                .agents
                .iter()
                .filter(|agent| !agent.internal)
                .map(|agent| agent.name.as_ref())
                .collect();
            return self.remark(&format!("There is no agent {typed}; there are: {}.", names.join(", ")));
        };
        let mode = agent.name.clone();
        self.interfere(&by, &format!("{mode} runs next"));
        let reason = Arc::from(format!("forced by {}", by.in_words()));
        self.decide_by_human(&by, NextMove::SelectMode { mode, reason, guidance: None });
    }

    /// A human leaves the current step out.
    pub(crate) fn skip_step(&mut self, by: Actor) {
        if self.state.way() == Way::Council {
            return self.remark(
                "Only a conducted mission has steps to skip: tell the Arbiter what to leave out instead.",
            );
        }
        let current = self.conductor().plan.as_ref().and_then(|plan| plan.current().map(|step| step.index));
        let Some(step) = current else {
            return self.remark("There is no step to skip.");
        };
        self.interfere(&by, &format!("step {} is skipped", shown(step)));
        self.decide_by_human(
            &by,
            NextMove::SkipStep { reason: Arc::from(format!("skipped by {}", by.in_words())) },
        );
    }

    /// A human lets the last agent try again.
    pub(crate) fn retry_run(&mut self, by: Actor) {
        if self.state.way() == Way::Council {
            return self.remark("Only a conducted mission has runs to retry: say it to the Arbiter instead.");
        }
        let conductor = self.conductor();
        let at_work = conductor.run.as_ref().is_some_and(|run| run.kind == RunKind::Work);
        if conductor.history.is_empty() && !at_work {
            return self.remark("No agent has worked yet: there is nothing to retry.");
        }
        let (agent, step) = match conductor.run.as_ref().filter(|run| run.kind == RunKind::Work) {
            Some(run) => (run.agent.clone(), run.step),
            None => conductor.last().map(|last| (last.agent.clone(), last.step)).unwrap_or_default(),
        };
        if conductor.retries_of(&agent, step) >= limits::RETRIES_MAX {
            return self.remark(&format!(
                "{agent} has tried this again {} times already. Force an agent, skip the step, or say what should be \
                 done otherwise.",
                limits::RETRIES_MAX
            ));
        }
        self.interfere(&by, "the last agent tries again");
        self.decide_by_human(&by, NextMove::Retry { reason: Arc::from("the human wants this tried again") });
    }

    /// Ends the model call, the claim and the run that are under way.
    fn interfere(&mut self, by: &Actor, what: &str) {
        self.conductor_fact(ConductorFact::Steered { by: by.clone(), what: Arc::from(what) });
        self.drop_call();
        self.void_claim("the human decided otherwise");
        let Some(run) = self.conductor().run else { return };
        if run.session.is_none() {
            return self.conductor_fact(ConductorFact::Selecting);
        }
        if run.ending.is_none() {
            let summary = Arc::from(format!("{} was stopped by {}", run.agent, by.in_words()));
            let status = RunStatus::Cancelled;
            self.end_session(RunEnding { status, summary, full: None, output: None, error: None });
        }
        // What it changed is not inspected: the next agent sees the clone.
        let run = self.conductor().run.unwrap_or(run);
        self.finish_cancelled(&run);
    }

    fn decide_by_human(&mut self, by: &Actor, decision: NextMove) {
        let conductor = self.conductor();
        let call = if conductor.history.is_empty() { DecisionPoint::Select } else { DecisionPoint::Evaluate };
        let now = self.now();
        let input = input::input(&self.state, call, now);
        let record = MoveRecord {
            number: conductor.decisions.len() as u32 + 1,
            call,
            iteration: conductor.iterations + u32::from(call == DecisionPoint::Select),
            input: Arc::new(serde_json::to_value(&input).unwrap_or_default()),
            legal: legal::legal(&self.state, call),
            prompt: None,
            replies: Vec::new(),
            decision: decision.clone(),
            source: MoveSource::Human,
            cause: Some(Arc::from(by.to_string())),
        };
        self.conductor_fact(ConductorFact::Decided(Box::new(record)));
        self.carry_out(&decision);
    }

    pub(super) fn skip_current(&mut self, reason: &str) {
        let current = self.conductor().plan.as_ref().and_then(|plan| plan.current().map(|step| step.index));
        if let Some(step) = current {
            self.step_is(step, StepStatus::Skipped, None, Some(Arc::from(reason)));
        }
    }
}
