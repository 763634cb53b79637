//! The end of a run: it goes into the history; its answer becomes plan, verdict and notes; its step is done, failed or open.

use std::sync::Arc;

use super::super::agent::{Agent, AgentDuty};
use super::super::answer::{self, AgentAnswer};
use super::super::execution::{
    ErrorCategory, ErrorContext, ErrorDetails, Execution, RunError, RunOutput, RunStatus, RunTokens,
};
use super::super::fact::ConductorFact;
use super::super::plan::{Plan, StepStatus, shown};
use super::super::state::{Objection, Run, RunEnding, RunKind};
use super::super::{limits, memory};
use crate::decide::StepBuilder;
use crate::effect::{ConductorEffect, Effect, Leave};
use crate::fact::MissionFact;
use crate::id::Timestamp;
use crate::limits::cut;
use crate::session::CloneTree;

impl StepBuilder {
    /// Records a run whose changes were inspected.
    pub(super) fn finish_run(&mut self, run: &Run, tree: Option<&CloneTree>, files: &[Arc<str>]) {
        let conductor = self.conductor();
        let Some(mut ending) = run.ending.as_deref().cloned() else { return };
        let agent = conductor.agent(&run.agent).cloned();
        let answer = agent.as_ref().and_then(|agent| {
            let output = ending.output.as_deref();
            answer::read(agent, output, &ending.summary).ok().filter(|_| output.is_some())
        });
        let mut answer = answer.unwrap_or_default();
        if agent.as_ref().is_some_and(|agent| trespassed(agent, run, tree)) {
            let what = files.iter().take(5).map(AsRef::as_ref).collect::<Vec<&str>>().join(", ");
            let why = format!("{} may only read, but it changed the clone: {what}", run.agent);
            self.remark(&why);
            ending.error = Some(Arc::new(self.error(ErrorCategory::PermissionError, false, &why)));
            ending.status = RunStatus::Failure;
            // Nothing that it says counts.
            answer = AgentAnswer::default();
        }
        self.save_notes(&answer.notes);
        self.count_aside(run);
        match run.kind {
            RunKind::Work => self.finish_work(run, &ending, agent.as_ref(), answer, files),
            RunKind::Keep => {
                self.conductor_fact(ConductorFact::RunEnded { execution: None, error: None, objection: None })
            }
            RunKind::Verify => self.verified(run, &ending, &answer, tree),
        }
    }

    /// Counts the tokens of a run that stands in no history.
    fn count_aside(&mut self, run: &Run) {
        let tokens = self.tokens_of(run).filter(|_| run.kind != RunKind::Work);
        if let Some(RunTokens { total, .. }) = tokens {
            self.conductor_fact(ConductorFact::Spent { tokens: total, cost_microusd: 0 });
        }
    }

    fn tokens_of(&self, run: &Run) -> Option<RunTokens> {
        let session = run.session.and_then(|id| self.state.sessions.get(&id))?;
        let (input, output) = session.usage.tokens?;
        Some(RunTokens { input, output, total: input.saturating_add(output) })
    }

    fn finish_work(
        &mut self,
        run: &Run,
        ending: &RunEnding,
        agent: Option<&Agent>,
        answer: AgentAnswer,
        files: &[Arc<str>],
    ) {
        let now = self.now();
        let objects = |verdict: &Arc<str>| agent.is_none_or(|agent| agent.objects(verdict));
        // An objection counts even where the rest of the run failed.
        let objection = answer.verdict.clone().filter(objects).map(|verdict| Objection {
            verdict,
            issues: answer.issues.clone(),
            step: run.step,
        });
        let execution = self.execution(run, ending, &answer, files, now);
        let error = ending.error.as_ref().filter(|_| ending.status.failed());
        let error = error.map(|error| Box::new(self.context(run, error, files, now)));
        let rerouted = ending.error.as_ref().is_some_and(|error| is_final(error));
        let objects = objection.is_some();
        self.conductor_fact(ConductorFact::RunEnded {
            execution: Some(Box::new(execution)),
            error,
            objection,
        });
        self.move_step(run, ending, objects);
        if rerouted {
            self.reroute();
        }
        if ending.status == RunStatus::Cancelled {
            return self.wait_for_the_human(&run.agent);
        }
        let Some(sketch) = answer.plan.filter(|_| ending.status == RunStatus::Success) else { return };
        let (task, before) = (self.task(), self.conductor().plan);
        let plan = sketch.plan(before.as_deref(), &task, &run.agent, now);
        let confidence = plan.metadata.confidence.unwrap_or(0);
        self.remark_on_unknown_agents(&plan);
        self.conductor_fact(ConductorFact::Planned(Box::new(plan)));
        if self.conducting().is_some_and(|conducting| conducting.dry_run) {
            let confident = confidence >= limits::CONFIDENT_PERCENT;
            self.end_with(MissionFact::PlanOnly { confident }, Leave::PlanOnly { confident });
        }
    }

    fn execution(
        &self,
        run: &Run,
        ending: &RunEnding,
        answer: &AgentAnswer,
        files: &[Arc<str>],
        now: Timestamp,
    ) -> Execution {
        Execution {
            seq: self.conductor().history.len() as u32 + 1,
            agent: run.agent.clone(),
            iteration: run.iteration,
            status: ending.status,
            duration_ms: Some(now.0.saturating_sub(run.began_at.0)),
            output: RunOutput {
                summary: ending.summary.clone(),
                full: ending.full.clone(),
                files_modified: Some(files.iter().take(limits::FILES_MAX).cloned().collect()),
            },
            error: ending.error.clone(),
            tokens: self.tokens_of(run),
            started_at: run.began_at,
            completed_at: Some(now),
            step: run.step,
            verdict: answer.verdict.clone(),
            issues: answer.issues.clone(),
        }
    }

    fn context(&self, run: &Run, error: &RunError, files: &[Arc<str>], now: Timestamp) -> ErrorContext {
        let conductor = self.conductor();
        let step = run.step.and_then(|index| conductor.plan.as_ref()?.step(index).cloned());
        let attempted = step.map_or_else(|| self.task(), |step| step.description);
        let files: Vec<Arc<str>> = files.iter().take(limits::FILES_MAX).cloned().collect();
        ErrorContext {
            agent: if error.category == ErrorCategory::ProviderError {
                Arc::from("provider")
            } else {
                run.agent.clone()
            },
            tool: error.tool.clone(),
            plan_step: run.step.map(shown),
            attempted: Arc::from(cut(&attempted, limits::WORDS_CHARS_MAX)),
            message: error.message.clone(),
            category: error.category,
            recovery_options: error.recovery_options.clone(),
            timestamp: now,
            context: (!files.is_empty())
                .then(|| ErrorDetails { files_accessed: Some(files), ..ErrorDetails::default() }),
        }
    }

    /// What became of the step: done, tried in vain, or still to be done.
    fn move_step(&mut self, run: &Run, ending: &RunEnding, objects: bool) {
        let Some(step) = run.step else { return };
        if run.mends {
            // The agent that objected judges the step again.
            return self.step_is(step, StepStatus::Pending, None, None);
        }
        let others = |(name, objection): (&Arc<str>, &Arc<Objection>)| {
            *name != run.agent && objection.step == Some(step)
        };
        let objected = self.conductor().objections.iter().any(others);
        let words = Some(Arc::from(cut(&ending.summary, limits::SUMMARY_CHARS_MAX)));
        match ending.status {
            RunStatus::Success if objects || objected => self.step_is(step, StepStatus::Pending, None, None),
            RunStatus::Success => self.step_is(step, StepStatus::Complete, Some(&run.agent), words),
            RunStatus::Failure | RunStatus::Timeout => {
                self.step_is(step, StepStatus::Failed, Some(&run.agent), words);
            }
            RunStatus::Cancelled => self.step_is(step, StepStatus::Pending, None, None),
        }
    }

    /// A human wants something else: the run is over, whatever it changed. Even if it had ended already, its changes were
    /// not inspected, so its answer does not count.
    pub(super) fn finish_cancelled(&mut self, run: &Run) {
        let Some(ending) = run.ending.clone() else { return };
        let ending = RunEnding { status: RunStatus::Cancelled, error: None, ..ending.as_ref().clone() };
        self.count_aside(run);
        let counts = run.kind == RunKind::Work;
        let execution =
            counts.then(|| self.execution(run, &ending, &AgentAnswer::default(), &[], self.now()));
        self.conductor_fact(ConductorFact::RunEnded {
            execution: execution.map(Box::new),
            error: None,
            objection: None,
        });
        self.move_step(run, &ending, false);
    }

    /// A human stopped it, and did not say yet what should happen instead.
    pub(super) fn wait_for_the_human(&mut self, agent: &str) {
        if !self.state.unheard.is_empty() {
            // What they said goes to the next agent.
            return self.conductor_fact(ConductorFact::Selecting);
        }
        let text = format!(
            "{agent} was stopped. Say what should happen, or use retry, skip, force AGENT or cancel."
        );
        self.ask_the_human(&text, &[]);
    }

    /// Remarks on steps whose planned agent cannot be chosen.
    fn remark_on_unknown_agents(&mut self, plan: &Plan) {
        let conductor = self.conductor();
        for step in &plan.steps {
            let Some(name) = step.suggested_agent.as_ref().filter(|_| !step.status.is_over()) else {
                continue;
            };
            if !conductor.eligible().any(|agent| agent.name.eq_ignore_ascii_case(name)) {
                self.remark(&format!(
                    "Step {} is planned for {}, but no such agent can be chosen: another one will do it.",
                    shown(step.index),
                    cut(name, limits::NAME_CHARS_MAX)
                ));
            }
        }
    }

    fn reroute(&mut self) {
        let conductor = self.conductor();
        let routes = self.conducting().map(|conducting| conducting.routes).unwrap_or_default();
        if let Some(next) = routes.get(conductor.route as usize + 1) {
            self.remark(&format!("The provider cannot be used: the next runs use {next}."));
            self.conductor_fact(ConductorFact::Rerouted { provider: Arc::from(next.as_str()) });
        }
    }

    /// Saves what is new in these notes for later missions.
    pub(crate) fn save_notes(&mut self, notes: &[memory::Note]) {
        let before: Vec<Arc<memory::Note>> = match (&self.state.conductor, self.charter()) {
            (Some(conductor), _) => conductor.notes.iter().cloned().collect(),
            (None, Some(charter)) => charter.notes.iter().cloned().map(Arc::new).collect(),
            (None, None) => Vec::new(),
        };
        for note in notes {
            let known = before.iter().chain(&self.state.kept);
            if self.state.kept.len() >= limits::NOTES_MAX || !memory::is_new(known, note) {
                continue;
            }
            let day = self.now().utc().chars().take(10).collect::<String>();
            let note = memory::Note { discovered_at: Some(Arc::from(day)), ..note.clone() };
            self.conductor_fact(ConductorFact::Remembered(note.clone()));
            self.effect(Effect::Conductor(ConductorEffect::Remember { note: Arc::new(note) }));
        }
    }

    fn task(&self) -> Arc<str> {
        self.charter().map_or_else(|| Arc::from(""), |charter| charter.scroll.text.clone())
    }
}

/// An agent that may only read has changed something.
fn trespassed(agent: &Agent, run: &Run, tree: Option<&CloneTree>) -> bool {
    let (Some(before), Some(after)) = (&run.before, tree) else { return false };
    let reads = agent.tools.read_only() || agent.part == Some(AgentDuty::Verifier);
    reads && before.fingerprint != after.fingerprint
}

/// Trying the same provider again does not help.
fn is_final(error: &RunError) -> bool {
    use super::super::execution::Recovery;
    let retries = error.recovery_options.iter().any(|option| option.action == Recovery::Retry);
    error.category == ErrorCategory::ProviderError && !retries
}
