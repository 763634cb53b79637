//! The fallback: a fixed order that chooses a move when no model can. Its moves are always legal, and each one but an end
//! or a claim uses an iteration, so a mission neither stalls nor runs for ever.

use std::sync::Arc;

use super::agent::{Agent, AgentDuty, verdict_in_words};
use super::choice::{self, Goal};
use super::execution::{Execution, RunStatus};
use super::next_move::{DecisionPoint, NextMove};
use super::plan::{Plan, PlanStep, shown};
use super::rules::{self, RuledMove};
use super::state::ConductorState;
use crate::id::Timestamp;
use crate::mission_limits::{LimitKind, ReachedLimit};
use crate::state::State;

/// What is decided without rules and without a model. Both calls have the same order.
pub fn fallback(state: &State, _call: DecisionPoint, now: Timestamp) -> RuledMove {
    let (Some(conductor), Some(conducting)) = (&state.conductor, state.conducting()) else {
        return RuledMove::fail("the mission is not conducted", "nothing to conduct");
    };
    // Rules come first, so a claim that the last iteration earned was made there.
    if let Some(ruled) = rules::ended(state, now) {
        return ruled;
    }
    let order = Order { conductor, default: &conducting.default_agent };
    order.decide()
}

fn claim(conductor: &ConductorState, cause: &str) -> RuledMove {
    RuledMove::new(Goal::Complete.decision("", None, conductor), cause)
}

struct Order<'a> {
    conductor: &'a ConductorState,
    default: &'a str,
}

impl<'a> Order<'a> {
    fn decide(&self) -> RuledMove {
        let conductor = self.conductor;
        if let Some(last) = conductor.last().filter(|last| last.status.failed()) {
            return self.after_failure(last);
        }
        let plan = conductor.plan.as_deref().filter(|plan| !plan.steps.is_empty());
        self.after_verdict()
            .or_else(|| self.judge_again())
            .or_else(|| plan.and_then(|plan| self.next_step(plan)))
            .or_else(|| self.turned_back())
            .or_else(|| if plan.is_none() { self.without_plan() } else { self.at_the_end() })
            .or_else(|| {
                self.work("no verdict, step or claim says what comes next", None, "the default agent")
            })
            .unwrap_or_else(|| self.no_agent_left())
    }

    /// The same agent, else its transition on failure, else another agent, else the end.
    fn after_failure(&self, last: &Execution) -> RuledMove {
        let conductor = self.conductor;
        let reason = choice::failed(last);
        let guidance = Some(reason.clone());
        if choice::can_retry(conductor, &last.agent, last.step) {
            return RuledMove::new(NextMove::Retry { reason: reason.clone() }, "the last run failed");
        }
        let agent = conductor.agent(&last.agent);
        let used_up = agent.filter(|agent| conductor.is_used_up(agent));
        let goal = used_up
            .and_then(|agent| choice::follow(conductor, &agent.transitions.on_max_iterations))
            .or_else(|| agent.and_then(|agent| choice::follow(conductor, &agent.transitions.on_failure)))
            .or_else(|| self.another(last).map(Goal::Agent));
        match goal {
            Some(goal) => RuledMove::new(goal.decision(&reason, guidance, conductor), "tries are used up"),
            None => RuledMove::fail(&reason, "nobody else can try"),
        }
    }

    /// Another agent for what failed: the one that the step suggests, the default, one that writes, any.
    fn another(&self, last: &Execution) -> Option<&'a Agent> {
        let conductor = self.conductor;
        let other = |agent: &&Agent| agent.name != last.agent;
        let step = conductor.plan.as_deref().zip(last.step).and_then(|(plan, index)| plan.step(index));
        let suggested = step.and_then(|step| step.suggested_agent.as_deref());
        suggested
            .and_then(|name| choice::find(conductor, name))
            .filter(other)
            .or_else(|| choice::find(conductor, self.default).filter(other))
            .or_else(|| conductor.eligible().filter(other).find(|agent| agent.writes()))
            .or_else(|| conductor.eligible().find(other))
    }

    /// What the last run's verdict leads to; an objection without a transition is mended by the agent that works.
    fn after_verdict(&self) -> Option<RuledMove> {
        let (agent, run, verdict) = choice::last_verdict(self.conductor)?;
        let ruled = rules::after_verdict(self.conductor, agent, verdict, choice::issues(run));
        ruled.or_else(|| {
            let objects = agent.objects(verdict);
            let reason = format!("{} reported: {}", agent.name, verdict_in_words(verdict));
            objects.then(|| self.work(&reason, choice::issues(run), "a verdict without a transition"))?
        })
    }

    /// An agent that objected judges again what was done since: no other can take its objection back.
    fn judge_again(&self) -> Option<RuledMove> {
        let conductor = self.conductor;
        let objectors = conductor.objections.keys().filter_map(|name| conductor.agent(name));
        let agent = objectors.into_iter().find(|agent| conductor.is_eligible(agent))?;
        let reason = format!("{} has objected and looks again", agent.name);
        Some(RuledMove::new(Goal::Agent(agent).decision(&reason, None, conductor), "an objection stands"))
    }

    fn next_step(&self, plan: &'a Plan) -> Option<RuledMove> {
        let conductor = self.conductor;
        // If none can be begun, the first that failed is tried again.
        let step = plan.next().or_else(|| choice::open_step(plan))?;
        let reason = format!("step {} is next", shown(step.index));
        let suggested = step.suggested_agent.as_deref().and_then(|name| self.known(name));
        let goal = suggested.and_then(|agent| choice::or_successor(conductor, agent));
        if let Some(goal @ Goal::Agent(_)) = goal {
            return Some(RuledMove::new(goal.decision(&reason, None, conductor), "the step suggests it"));
        }
        if self.can_continue(step) {
            let decision = NextMove::Continue { reason: choice::words(&reason) };
            return Some(RuledMove::new(decision, "a step is open"));
        }
        self.work(&reason, None, "a step is open")
    }

    /// The agent of this name, even if it is used up.
    fn known(&self, name: &str) -> Option<&'a Agent> {
        let agents: Vec<&Agent> = self.conductor.agents.iter().filter(|agent| !agent.internal).collect();
        choice::named(name, &agents)
    }

    /// The last agent did its own step well and can do this one too. A planner or a judge would only say so.
    fn can_continue(&self, step: &PlanStep) -> bool {
        let last = self.conductor.last().filter(|last| last.status == RunStatus::Success);
        let moved_on = last.is_some_and(|last| last.step != Some(step.index));
        let agent = choice::previous(self.conductor).filter(|agent| self.conductor.is_eligible(agent));
        moved_on && agent.is_some_and(Agent::writes)
    }

    /// A claim was turned back: the agent that wrote last mends it. The reason is guidance already.
    fn turned_back(&self) -> Option<RuledMove> {
        self.conductor.turned_back.as_ref()?;
        self.work("the claim was turned back", None, "a claim was turned back")
    }

    fn without_plan(&self) -> Option<RuledMove> {
        let conductor = self.conductor;
        let planned = |agent: &&Agent| conductor.form.get(&agent.name).is_none_or(|form| form.successes == 0);
        if let Some(agent) = choice::planner(conductor).filter(planned) {
            let decision = Goal::Agent(agent).decision("there is no plan yet", None, conductor);
            return Some(RuledMove::new(decision, "no plan"));
        }
        // No plan will come. Work that succeeded is claimed, or it would be done again for ever.
        let worked = conductor.last().is_some_and(|last| last.status == RunStatus::Success)
            && choice::previous(conductor).is_some_and(|agent| agent.part != Some(AgentDuty::Planner));
        if worked && choice::can_claim(conductor) {
            return Some(claim(conductor, "the last run succeeded, and there is no plan"));
        }
        self.work("no plan", None, "no plan")
    }

    /// Every step is over.
    fn at_the_end(&self) -> Option<RuledMove> {
        let conductor = self.conductor;
        if choice::can_claim(conductor) {
            return Some(claim(conductor, "the plan is done"));
        }
        // An agent that could take its objection back would have judged again by now.
        let (name, objection) = conductor.objections.iter().next()?;
        let verdict = verdict_in_words(&objection.verdict);
        let reason = format!("{name} objected ({verdict}) and can no longer judge the work again");
        Some(RuledMove::fail(&reason, "an objection stands for ever"))
    }

    /// The agent that wrote last, else the default, else one that writes, else any.
    fn work(&self, reason: &str, guidance: Option<Arc<str>>, cause: &str) -> Option<RuledMove> {
        let conductor = self.conductor;
        let default = conductor.agent(self.default);
        let agent = conductor
            .last_writer()
            .or_else(|| default.filter(|agent| agent.writes() && conductor.is_eligible(agent)))
            .or_else(|| conductor.eligible().find(|agent| agent.writes()))
            .or_else(|| default.filter(|agent| conductor.is_eligible(agent)))
            .or_else(|| conductor.eligible().next())?;
        Some(RuledMove::new(Goal::Agent(agent).decision(reason, guidance, conductor), cause))
    }

    fn no_agent_left(&self) -> RuledMove {
        let used_up = self.conductor.agents.iter().any(|agent| self.conductor.is_used_up(agent));
        let reason = "no agent is left that may work";
        let reached = ReachedLimit { kind: LimitKind::Iterations, why: reason.to_owned() };
        if used_up { RuledMove::exhausted(&reached) } else { RuledMove::fail(reason, "no agent") }
    }
}
