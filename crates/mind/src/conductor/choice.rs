//! Questions that rules, fallback, legality and the machine share: which agent a name means, whether a claim has a chance,
//! where a transition leads.

use std::sync::Arc;

use super::agent::{Agent, AgentDuty, TransitionTarget};
use super::execution::{Execution, RunStatus};
use super::limits;
use super::next_move::NextMove;
use super::plan::{Plan, PlanStep};
use super::state::ConductorState;
use super::texts::{inline, quoted};

/// The agent that a name means: exactly, then ignoring case, then by its display name. A name that two share means none.
pub fn named<'a>(name: &str, agents: &[&'a Agent]) -> Option<&'a Agent> {
    if let Some(exact) = agents.iter().find(|agent| agent.name.as_ref() == name) {
        return Some(exact);
    }
    let wanted = name.trim().to_lowercase();
    let only = |text: fn(&Agent) -> &str| {
        let mut found = agents.iter().filter(|agent| text(agent).to_lowercase() == wanted);
        found.next().filter(|_| found.next().is_none()).copied()
    };
    only(|agent| &agent.name).or_else(|| only(|agent| agent.display_name.trim()))
}

/// Whom a name means, among those who may be named.
pub fn find<'a>(conductor: &'a ConductorState, name: &str) -> Option<&'a Agent> {
    named(name, &conductor.eligible().collect::<Vec<_>>())
}

/// The agent that ran last, if it is still known.
pub fn previous(conductor: &ConductorState) -> Option<&Agent> {
    conductor.last().and_then(|last| conductor.agent(&last.agent))
}

/// Who plans, if it may be named.
pub fn planner(conductor: &ConductorState) -> Option<&Agent> {
    conductor.eligible().find(|agent| agent.part == Some(AgentDuty::Planner))
}

/// Tries again are left to this agent in this step, and it may run.
pub fn can_retry(conductor: &ConductorState, agent: &str, step: Option<u32>) -> bool {
    conductor.retries_of(agent, step) < limits::RETRIES_MAX
        && conductor.agent(agent).is_some_and(|agent| conductor.is_eligible(agent))
}

/// The first step that is not over, whether or not it can be begun.
pub fn open_step(plan: &Plan) -> Option<&PlanStep> {
    plan.steps.iter().find(|step| !step.status.is_over())
}

/// The verdict of the last run as far as it counts: a good one of a run that failed does not.
pub fn last_verdict(conductor: &ConductorState) -> Option<(&Agent, &Execution, &str)> {
    let last = conductor.last()?;
    let agent = conductor.agent(&last.agent)?;
    let verdict = last.verdict.as_deref()?;
    let counts = last.status == RunStatus::Success || agent.objects(verdict);
    counts.then_some((agent, last.as_ref(), verdict))
}

/// An agent objects and has not taken it back.
pub fn objected(conductor: &ConductorState) -> bool {
    let last = last_verdict(conductor).is_some_and(|(agent, _, verdict)| agent.objects(verdict));
    last || !conductor.objections.is_empty()
}

/// A claim has a chance: none was turned back since the last work, no agent objects, no step is open.
pub fn can_claim(conductor: &ConductorState) -> bool {
    let open = conductor.plan.as_deref().is_some_and(|plan| open_step(plan).is_some());
    conductor.turned_back.is_none() && !objected(conductor) && !open
}

/// Where a transition leads now. An agent that is used up passes it on to its own `onMaxIterations`. None if it leads to
/// no agent that may run, to a claim without a chance, or to the arbiter.
pub fn follow<'a>(conductor: &'a ConductorState, target: &'a TransitionTarget) -> Option<Goal<'a>> {
    let mut target = target;
    // Each agent passes it on once at most.
    for _ in 0..=conductor.agents.len() {
        match target {
            TransitionTarget::Arbiter => return None,
            TransitionTarget::Complete => return can_claim(conductor).then_some(Goal::Complete),
            TransitionTarget::Agent(name) => {
                let agent = conductor.agent(name).filter(|agent| !agent.internal)?;
                if conductor.is_eligible(agent) {
                    return Some(Goal::Agent(agent));
                }
                target = &agent.transitions.on_max_iterations;
            }
        }
    }
    None
}

/// The agent itself, or where its `onMaxIterations` leads when it is used up.
pub fn or_successor<'a>(conductor: &'a ConductorState, agent: &'a Agent) -> Option<Goal<'a>> {
    if conductor.is_eligible(agent) {
        return Some(Goal::Agent(agent));
    }
    if agent.internal { None } else { follow(conductor, &agent.transitions.on_max_iterations) }
}

/// What a transition comes to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal<'a> {
    /// This agent runs.
    Agent(&'a Agent),
    Complete,
}

impl Goal<'_> {
    /// As a decision.
    pub fn decision(self, reason: &str, guidance: Option<Arc<str>>, conductor: &ConductorState) -> NextMove {
        match self {
            Goal::Agent(agent) => {
                NextMove::SelectMode { mode: agent.name.clone(), reason: words(reason), guidance }
            }
            Goal::Complete => NextMove::Complete { summary: summary(conductor) },
        }
    }
}

/// What was done: the steps, or what the last run said.
pub fn summary(conductor: &ConductorState) -> Arc<str> {
    let said =
        || conductor.last().map(|last| last.output.summary.clone()).filter(|said| !said.trim().is_empty());
    let Some(plan) = conductor.plan.as_deref().filter(|plan| !plan.steps.is_empty()) else {
        return said().map_or_else(|| Arc::from("The work is done."), |said| words(&said));
    };
    let mut text = String::from("Every step is done:");
    for step in &plan.steps {
        let mark = if step.status == super::plan::StepStatus::Skipped { " (skipped)" } else { "" };
        text.push_str(&format!("\n{}. {}{mark}", super::plan::shown(step.index), step.description));
    }
    words(&text)
}

/// What a verdict found wrong, as the next agent is told it.
pub fn issues(run: &Execution) -> Option<Arc<str>> {
    if run.issues.is_empty() {
        return None;
    }
    let issues = run.issues.iter().take(limits::ISSUES_MAX).map(|issue| format!("- {}", inline(issue)));
    Some(said(&format!("{} found this wrong:", run.agent), &issues.collect::<Vec<_>>().join("\n")))
}

/// What went wrong, as the next agent is told it.
pub fn failed(run: &Execution) -> Arc<str> {
    let why = run.error.as_ref().map_or(&run.output.summary, |error| &error.message);
    let what = match run.status {
        // Neither time nor room was left for the rest.
        RunStatus::Timeout => "did not finish",
        RunStatus::Success | RunStatus::Failure | RunStatus::Cancelled => "failed",
    };
    said(&format!("{} {what}:", run.agent), why)
}

/// Words of an agent or a tool as a part of guidance: data, behind the margin that says so.
fn said(title: &str, text: &str) -> Arc<str> {
    words(&format!("{title}\n{}", quoted(text)))
}

/// A text, cut to what one piece of guidance may have.
pub fn words(text: &str) -> Arc<str> {
    cut(text, limits::WORDS_CHARS_MAX)
}

/// A text, cut to so many signs; "..." shows that it was cut.
pub fn cut(text: &str, chars_max: usize) -> Arc<str> {
    // A text of fewer bytes has fewer signs too.
    if text.len() <= chars_max || text.chars().nth(chars_max).is_none() {
        return Arc::from(text);
    }
    let kept: String = text.chars().take(chars_max.saturating_sub(3)).collect();
    Arc::from(format!("{kept}..."))
}
