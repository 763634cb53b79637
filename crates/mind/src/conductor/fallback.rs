//! The fixed order for when no model answers well: it neither stalls a mission nor ends it wrongly. Whatever it decides
//! is legal, and everything but an end or a claim spends an iteration.

use std::sync::Arc;

use super::agent::{Agent, Part};
use super::choice::{self, Goal};
use super::decision::{Call, Decision};
use super::execution::{Execution, Status};
use super::plan::{Plan, Step, shown};
use super::podium::Podium;
use super::rules::{self, Ruled};
use crate::id::Timestamp;
use crate::state::State;

/// What is decided without rules and without a model. Both calls have the same order.
pub fn fallback(state: &State, _call: Call, now: Timestamp) -> Ruled {
    let (Some(podium), Some(conducting)) = (&state.podium, state.conducting()) else {
        return Ruled::fail("the mission is not conducted", "nothing to conduct");
    };
    // Rules come first, so a claim that the last iteration earned was made there.
    if let Some(ruled) = rules::ended(state, now) {
        return ruled;
    }
    let order = Order { podium, default: &conducting.default_agent };
    order.decide()
}

fn claim(podium: &Podium, cause: &str) -> Ruled {
    Ruled::new(Goal::Complete.decision("", None, podium), cause)
}

struct Order<'a> {
    podium: &'a Podium,
    default: &'a str,
}

impl<'a> Order<'a> {
    fn decide(&self) -> Ruled {
        let podium = self.podium;
        if let Some(last) = podium.last().filter(|last| last.status.failed()) {
            return self.after_failure(last);
        }
        let plan = podium.plan.as_deref().filter(|plan| !plan.steps.is_empty());
        self.after_verdict()
            .or_else(|| self.look_again())
            .or_else(|| plan.and_then(|plan| self.next_step(plan)))
            .or_else(|| self.turned_back())
            .or_else(|| if plan.is_none() { self.without_plan() } else { self.at_the_end() })
            .or_else(|| self.work("nothing else is known", None, "the default agent"))
            .unwrap_or_else(|| self.nobody())
    }

    /// Same agent, else its `onFailure`, else anybody else, else the end.
    fn after_failure(&self, last: &Execution) -> Ruled {
        let podium = self.podium;
        let reason = choice::failed(last);
        let guidance = Some(reason.clone());
        if choice::can_retry(podium, &last.agent, last.step) {
            return Ruled::new(Decision::Retry { reason: reason.clone() }, "the last run failed");
        }
        let agent = podium.agent(&last.agent);
        let used_up = agent.filter(|agent| podium.is_used_up(agent));
        let goal = used_up
            .and_then(|agent| choice::follow(podium, &agent.transitions.on_max_iterations))
            .or_else(|| agent.and_then(|agent| choice::follow(podium, &agent.transitions.on_failure)))
            .or_else(|| self.another(last).map(Goal::Agent));
        match goal {
            Some(goal) => Ruled::new(goal.decision(&reason, guidance, podium), "tries are used up"),
            None => Ruled::fail(&reason, "nobody else can try"),
        }
    }

    /// Somebody else for what failed: whom the step suggests, the default, who writes, whoever there is.
    fn another(&self, last: &Execution) -> Option<&'a Agent> {
        let podium = self.podium;
        let other = |agent: &&Agent| agent.name != last.agent;
        let step = podium.plan.as_deref().zip(last.step).and_then(|(plan, index)| plan.step(index));
        let suggested = step.and_then(|step| step.suggested_agent.as_deref());
        suggested
            .and_then(|name| choice::find(podium, name))
            .filter(other)
            .or_else(|| choice::find(podium, self.default).filter(other))
            .or_else(|| podium.eligible().filter(other).find(|agent| agent.writes()))
            .or_else(|| podium.eligible().find(other))
    }

    /// What the last run's verdict leads to; an objection that leads nowhere is mended by whoever works.
    fn after_verdict(&self) -> Option<Ruled> {
        let (agent, run, verdict) = choice::last_verdict(self.podium)?;
        let ruled = rules::after_verdict(self.podium, agent, verdict, choice::issues(run));
        ruled.or_else(|| {
            let objects = agent.objects(verdict);
            let reason = format!("{} said {verdict}", agent.name);
            objects.then(|| self.work(&reason, choice::issues(run), "a verdict without a transition"))?
        })
    }

    /// Whoever objected looks again at what was done since: nobody else can take it back.
    fn look_again(&self) -> Option<Ruled> {
        let podium = self.podium;
        let objectors = podium.objections.keys().filter_map(|name| podium.agent(name));
        let agent = objectors.into_iter().find(|agent| podium.is_eligible(agent))?;
        let reason = format!("{} has objected and looks again", agent.name);
        Some(Ruled::new(Goal::Agent(agent).decision(&reason, None, podium), "an objection stands"))
    }

    fn next_step(&self, plan: &'a Plan) -> Option<Ruled> {
        let podium = self.podium;
        // If none can be begun, the first that failed is tried again.
        let step = plan.next().or_else(|| choice::open_step(plan))?;
        let reason = format!("step {} is next", shown(step.index));
        let suggested = step.suggested_agent.as_deref().and_then(|name| self.known(name));
        let goal = suggested.and_then(|agent| choice::or_successor(podium, agent));
        if let Some(goal @ Goal::Agent(_)) = goal {
            return Some(Ruled::new(goal.decision(&reason, None, podium), "the step suggests it"));
        }
        if self.can_continue(step) {
            let decision = Decision::Continue { reason: choice::words(&reason) };
            return Some(Ruled::new(decision, "a step is open"));
        }
        self.work(&reason, None, "a step is open")
    }

    /// The agent of this name, even if it is used up.
    fn known(&self, name: &str) -> Option<&'a Agent> {
        let agents: Vec<&Agent> = self.podium.agents.iter().filter(|agent| !agent.internal).collect();
        choice::named(name, &agents)
    }

    /// The last agent did its own step well and can do this one too. A planner or a judge would only say so.
    fn can_continue(&self, step: &Step) -> bool {
        let last = self.podium.last().filter(|last| last.status == Status::Success);
        let moved_on = last.is_some_and(|last| last.step != Some(step.index));
        let agent = choice::previous(self.podium).filter(|agent| self.podium.is_eligible(agent));
        moved_on && agent.is_some_and(Agent::writes)
    }

    /// A claim was refused: whoever last could write mends it. Why is guidance already.
    fn turned_back(&self) -> Option<Ruled> {
        self.podium.turned_back.as_ref()?;
        self.work("the claim was turned back", None, "a claim was turned back")
    }

    fn without_plan(&self) -> Option<Ruled> {
        let podium = self.podium;
        let planned = |agent: &&Agent| podium.form.get(&agent.name).is_none_or(|form| form.successes == 0);
        if let Some(agent) = choice::planner(podium).filter(planned) {
            let decision = Goal::Agent(agent).decision("there is no plan yet", None, podium);
            return Some(Ruled::new(decision, "no plan"));
        }
        // Nobody will ever plan. What was worked on with success is claimed, or it would be done for ever.
        let worked = podium.last().is_some_and(|last| last.status == Status::Success)
            && choice::previous(podium).is_some_and(|agent| agent.part != Some(Part::Planner));
        if worked && choice::can_claim(podium) {
            return Some(claim(podium, "the last run succeeded, and there is no plan"));
        }
        self.work("there is no plan", None, "no plan")
    }

    /// Every step is over.
    fn at_the_end(&self) -> Option<Ruled> {
        let podium = self.podium;
        if choice::can_claim(podium) {
            return Some(claim(podium, "the plan is done"));
        }
        // Whoever could take its objection back would look again by now.
        let (name, objection) = podium.objections.iter().next()?;
        let reason = format!("{name} said {}, and cannot look at it again", objection.verdict);
        Some(Ruled::fail(&reason, "an objection stands for ever"))
    }

    /// Whoever last could write, else the default, else who can write, else whoever there is.
    fn work(&self, reason: &str, guidance: Option<Arc<str>>, cause: &str) -> Option<Ruled> {
        let podium = self.podium;
        let default = podium.agent(self.default);
        let agent = podium
            .last_writer()
            .or_else(|| default.filter(|agent| agent.writes() && podium.is_eligible(agent)))
            .or_else(|| podium.eligible().find(|agent| agent.writes()))
            .or_else(|| default.filter(|agent| podium.is_eligible(agent)))
            .or_else(|| podium.eligible().next())?;
        Some(Ruled::new(Goal::Agent(agent).decision(reason, guidance, podium), cause))
    }

    fn nobody(&self) -> Ruled {
        let used_up = self.podium.agents.iter().any(|agent| self.podium.is_used_up(agent));
        let reason = "nobody is left who may work";
        if used_up { Ruled::exhausted(reason) } else { Ruled::fail(reason, "no agent") }
    }
}
