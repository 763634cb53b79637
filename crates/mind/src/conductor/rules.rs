//! Moves that need no model, in this order: limits, a finished plan, the typed verdict of the last run, configured
//! transitions, the first pick. Only the evaluation of a run looks at its result; a selection after it follows other news.

use std::sync::Arc;

use super::agent::{Agent, AgentDuty, verdict_in_words};
use super::choice::{self, Goal};
use super::execution::{Execution, RunStatus};
use super::next_move::{DecisionPoint, NextMove};
use super::plan::shown;
use super::state::ConductorState;
use super::{Conducting, Limits};
use crate::id::Timestamp;
use crate::mission_limits::{LimitKind, ReachedLimit};
use crate::state::State;

/// A move that was chosen without a model.
#[derive(Debug, Clone, PartialEq)]
pub struct RuledMove {
    pub decision: NextMove,
    /// The rule that chose it, in words.
    pub cause: Arc<str>,
    /// A limit was reached: the mission ends as exhausted, not as failed.
    pub exhausted: Option<LimitKind>,
}

impl RuledMove {
    /// A move that no limit forced.
    pub(super) fn new(decision: NextMove, cause: impl Into<Arc<str>>) -> RuledMove {
        RuledMove { decision, cause: cause.into(), exhausted: None }
    }

    /// The mission has failed.
    pub(super) fn fail(reason: &str, cause: &str) -> RuledMove {
        RuledMove::new(NextMove::Fail { reason: choice::words(reason) }, cause)
    }

    /// The mission came to a limit.
    pub(super) fn exhausted(reached: &ReachedLimit) -> RuledMove {
        let cause = match reached.kind {
            LimitKind::Failures => "failures in a row",
            LimitKind::Iterations | LimitKind::Deadline | LimitKind::Money | LimitKind::Tokens => "limit",
        };
        RuledMove { exhausted: Some(reached.kind), ..RuledMove::fail(&reached.why, cause) }
    }
}

/// What the rules decide, if they do.
pub fn rules(state: &State, call: DecisionPoint, now: Timestamp) -> Option<RuledMove> {
    let (conductor, conducting, limits) = (state.conductor.as_ref()?, state.conducting()?, state.limits()?);
    if let Some(reached) = state.spent(now).or_else(|| failures(conductor, &limits)) {
        return Some(RuledMove::exhausted(&reached));
    }
    let ruled = plan_done(conductor).or_else(|| match call {
        DecisionPoint::Evaluate => after_run(conductor),
        DecisionPoint::Select => first_pick(conductor, conducting),
    });
    // A claim takes no iteration: what the last one finished may still be claimed.
    let claims = ruled.as_ref().is_some_and(|ruled| matches!(ruled.decision, NextMove::Complete { .. }));
    match iterations(conductor, &limits) {
        Some(reached) if !claims => Some(RuledMove::exhausted(&reached)),
        Some(_) | None => ruled,
    }
}

/// The limit that is reached, if one is: no further run can begin.
pub fn limit(state: &State, now: Timestamp) -> Option<ReachedLimit> {
    let (conductor, limits) = (state.conductor.as_ref()?, state.limits()?);
    state.spent(now).or_else(|| iterations(conductor, &limits))
}

/// What ends the mission at once: both rules and fallback begin with it.
pub(super) fn ended(state: &State, now: Timestamp) -> Option<RuledMove> {
    let (conductor, limits) = (state.conductor.as_ref()?, state.limits()?);
    let reached = state.spent(now).or_else(|| failures(conductor, &limits));
    reached.or_else(|| iterations(conductor, &limits)).map(|reached| RuledMove::exhausted(&reached))
}

/// The limit of iterations, if it is reached.
pub(crate) fn iterations(conductor: &ConductorState, limits: &Limits) -> Option<ReachedLimit> {
    let most = limits.max_iterations;
    (conductor.iterations >= most).then(|| ReachedLimit {
        kind: LimitKind::Iterations,
        why: format!("the iterations are used up: {} of {most}", conductor.iterations),
    })
}

/// The limit of failures in a row, if it is reached.
pub(crate) fn failures(conductor: &ConductorState, limits: &Limits) -> Option<ReachedLimit> {
    if conductor.failures < limits.max_failures.max(1) {
        return None;
    }
    let why = conductor.last_error.as_ref().map_or("", |error| error.message.as_ref());
    let colon = if why.is_empty() { "" } else { ": " };
    let why = format!("{} runs in a row failed{colon}{why}", conductor.failures);
    Some(ReachedLimit { kind: LimitKind::Failures, why })
}

/// Every step is over, and nothing speaks against a claim.
fn plan_done(conductor: &ConductorState) -> Option<RuledMove> {
    let planned = conductor.plan.as_deref().is_some_and(|plan| !plan.steps.is_empty());
    // A run that failed after the last step was done had a reason to be begun.
    let failed = conductor.last().is_some_and(|last| last.status.failed());
    (planned && !failed && choice::can_claim(conductor))
        .then(|| RuledMove::new(Goal::Complete.decision("", None, conductor), "the plan is done"))
}

fn after_run(conductor: &ConductorState) -> Option<RuledMove> {
    let last = conductor.last()?;
    let agent = conductor.agent(&last.agent)?;
    if let Some((_, run, verdict)) = choice::last_verdict(conductor) {
        // A verdict comes first: an objection is not overtaken by what follows a success.
        if agent.objects(verdict) || agent.after(verdict).is_some() {
            return after_verdict(conductor, agent, verdict, choice::issues(run));
        }
    }
    if let Some(ruled) = as_planned(conductor, agent, last) {
        return Some(ruled);
    }
    let transitions = &agent.transitions;
    let (target, ended, rule) = match last.status {
        RunStatus::Success => (&transitions.on_success, "succeeded", "onSuccess"),
        RunStatus::Failure | RunStatus::Timeout => (&transitions.on_failure, "failed", "onFailure"),
        // A human ended it: neither is meant.
        RunStatus::Cancelled => return None,
    };
    let guidance = (last.status.failed() && last.error.is_some()).then(|| choice::failed(last));
    let goal = choice::follow(conductor, target)?;
    let reason = format!("{} {ended}, and its rule says so", agent.name);
    Some(RuledMove::new(goal.decision(&reason, guidance, conductor), format!("{rule} of {}", agent.name)))
}

/// A plan is the planner's typed answer: the agent that it names for the next step comes before the planner's transitions.
fn as_planned(conductor: &ConductorState, agent: &Agent, last: &Execution) -> Option<RuledMove> {
    let planned = agent.part == Some(AgentDuty::Planner) && last.status == RunStatus::Success;
    let step = conductor.plan.as_ref().filter(|_| planned)?.next()?;
    let named = step.suggested_agent.as_ref()?;
    let who = conductor.eligible().find(|agent| agent.name.eq_ignore_ascii_case(named))?;
    let reason = format!("step {} is planned for {}", shown(step.index), who.name);
    Some(RuledMove::new(Goal::Agent(who).decision(&reason, None, conductor), "the plan names it"))
}

/// The move that the agent's file names for a verdict.
pub(super) fn after_verdict(
    conductor: &ConductorState,
    agent: &Agent,
    verdict: &str,
    guidance: Option<Arc<str>>,
) -> Option<RuledMove> {
    let custom = agent.after(verdict)?;
    let words = verdict_in_words(verdict);
    let said = format!("{} reported: {words}", agent.name);
    let reason = custom.reason.as_deref().unwrap_or(&said);
    let goal = choice::follow(conductor, &custom.target)?;
    let cause = format!("verdict {verdict} of {}", agent.name);
    Some(RuledMove::new(goal.decision(reason, guidance, conductor), cause))
}

fn first_pick(conductor: &ConductorState, conducting: &Conducting) -> Option<RuledMove> {
    if conductor.last().is_some() {
        return None;
    }
    if conducting.dry_run {
        let planner = choice::planner(conductor)?;
        let decision = Goal::Agent(planner).decision("a dry run only makes a plan", None, conductor);
        return Some(RuledMove::new(decision, "dry run"));
    }
    let default = conductor.agent(&conducting.default_agent)?;
    let Goal::Agent(agent) = choice::or_successor(conductor, default)? else { return None };
    let decision = Goal::Agent(agent).decision("no agent has worked yet", None, conductor);
    Some(RuledMove::new(decision, "first pick"))
}
