//! Reports of a session at work: how full its context is (with the warnings), its checklist, its usage, what it has heard.

use std::sync::Arc;

use crate::charter::WarningPolicy;
use crate::conductor::{ConductorFact, ConductorState};
use crate::effect::{Effect, SessionCommand};
use crate::fact::{ContextFact, SessionFact, TurnFact, WorkFact};
use crate::id::TurnId;
use crate::limits;
use crate::prompt;
use crate::session::{Gauge, Role, Session, Task};

use super::StepBuilder;

impl StepBuilder {
    pub(crate) fn prompt_heard(&mut self, session: &Session, turn: TurnId) {
        let running =
            session.turns.current.as_ref().is_some_and(|running| running.id == turn && !running.heard);
        let steered = session.turns.steered.iter().any(|steer| steer.id == turn);
        if !running && !steered {
            return self.note(format!("{} heard {turn} before", session.address()));
        }
        self.session(session.profile.session, SessionFact::Turn(TurnFact::Heard { turn }));
    }

    pub(crate) fn read_gauge(&mut self, session: &Session, gauge: Gauge) {
        if session.context.gauge.as_ref() == Some(&gauge) {
            return self.note(format!("{} gauges the same", session.address()));
        }
        let percent = gauge.known_percent();
        self.session(session.profile.session, SessionFact::Context(ContextFact::Gauged(gauge)));
        // A guess warns and stops no session.
        if let Some(percent) = percent.filter(|_| session.works()) {
            self.arm_warning(session, percent);
            self.watch_overflow(session, percent);
        }
    }

    /// Sets up the highest warning that is due, once each per session.
    fn arm_warning(&mut self, session: &Session, percent: u64) {
        let Some(charter) = self.charter() else { return };
        let warnings = charter.warnings;
        if warnings.policy != WarningPolicy::Warn {
            return;
        }
        let due = [warnings.last, warnings.first].into_iter().find(|at| percent >= u64::from(*at));
        let Some(due) = due.filter(|due| *due > session.context.warning_set) else { return };
        self.session(session.profile.session, SessionFact::Context(ContextFact::WarningSet { percent: due }));
        let text = self.warning_text(session, due, percent);
        self.effect(Effect::Session(session.address(), SessionCommand::Warn { percent: due, text }));
    }

    fn warning_text(&self, session: &Session, due: u8, percent: u64) -> Arc<str> {
        let Some(charter) = self.charter() else { return Arc::from("") };
        warning_text(&charter, session, due, percent)
    }

    pub(crate) fn warning_heard(&mut self, session: &Session, percent: u8) {
        if percent <= session.context.warned || percent > session.context.warning_set {
            return self.note(format!("{} has no warning at {percent} to hear", session.address()));
        }
        self.session(session.profile.session, SessionFact::Context(ContextFact::Warned { percent }));
    }

    /// A provider that outlived a crash of the loop reports its usage again: each report is booked once. A conducted
    /// mission counts the tokens of a run when that is over, so what is told later is counted by itself.
    pub(crate) fn book_usage(
        &mut self,
        session: &Session,
        report: &str,
        (input, output): (u64, u64),
        cost_microusd: u64,
    ) {
        let report: Arc<str> = Arc::from(limits::cut(report, limits::USAGE_REPORT_CHARS_MAX));
        if session.usage.reports.contains(&report) {
            return self.note(format!("{} tells its usage {report} again", session.address()));
        }
        let id = session.profile.session;
        let spent = WorkFact::Spent { report, input, output, cost_microusd };
        self.session(id, SessionFact::Work(spent));
        let runs =
            |conductor: &ConductorState| conductor.run.as_ref().is_some_and(|run| run.session == Some(id));
        let tokens = input.saturating_add(output);
        if tokens > 0 && self.state.conductor.as_ref().is_some_and(|conductor| !runs(conductor)) {
            self.conductor_fact(ConductorFact::Spent { tokens, cost_microusd: 0 });
        }
    }

    pub(crate) fn read_tasks(&mut self, session: &Session, mut tasks: Vec<Task>) {
        tasks.truncate(limits::TASKS_MAX);
        for task in &mut tasks {
            task.title = Arc::from(limits::cut(&task.title, limits::TASK_CHARS_MAX));
        }
        let number = session.profile.number;
        let known = self.state.tasks.iter().filter(|(owner, _)| *owner == number).map(|(_, task)| task);
        if known.eq(tasks.iter()) {
            return self.note(format!("{} keeps its task list", session.address()));
        }
        self.session(session.profile.session, SessionFact::Work(WorkFact::Tasks(tasks)));
    }
}

/// The words of a warning.
pub(crate) fn warning_text(charter: &crate::Charter, session: &Session, due: u8, percent: u64) -> Arc<str> {
    let file = match (session.profile.role, due >= charter.warnings.last) {
        (Role::Agent, false) => "agent-warn-first.md",
        (Role::Agent, true) => "agent-warn-last.md",
        (Role::Arbiter | Role::Orchestrator | Role::Verifier, false) => "warn-first.md",
        (Role::Arbiter | Role::Orchestrator | Role::Verifier, true) => "warn-last.md",
    };
    let setting = prompt::PromptContext {
        numeral: crate::id::roman(session.profile.number),
        ..prompt::PromptContext::default()
    };
    prompt::render_with(charter, file, &setting, &[("percent", &percent.to_string())])
}
