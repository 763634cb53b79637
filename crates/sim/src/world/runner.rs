//! Runs a world to its end or to the law that it broke, and looks for a smaller world that breaks the same.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Fault, Outcome, Plan, Told, World};

/// A world that broke a law.
#[derive(Debug, Clone)]
pub struct Failure {
    pub plan: Plan,
    /// In which step.
    pub step: u64,
    pub law: String,
    /// The last lines of its story, if they were kept.
    pub story: Vec<String>,
    /// What the mind was told until then, if it was kept.
    pub told: Vec<Told>,
}

/// Runs one world.
pub fn run_seed(plan: &Plan) -> Result<Outcome, Box<Failure>> {
    let mut world = World::new(plan);
    catch_unwind(AssertUnwindSafe(|| world.run())).map_err(|panic| {
        Box::new(Failure {
            plan: plan.clone(),
            step: world.steps(),
            law: words_of(panic.as_ref()),
            story: world.story().map(str::to_owned).collect(),
            told: world.told(),
        })
    })
}

/// What a panic says.
pub(super) fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("(no words)").to_owned()
}

/// Takes faults away for as long as the same law is broken, then tells the story of what is left.
pub fn shrink(failure: Failure) -> Failure {
    let mut best = failure;
    for fault in Fault::ALL {
        let mut plan = best.plan.clone();
        plan.without.push(*fault);
        best = smaller(plan, best);
    }
    for budget in 0..60 {
        let plan = Plan { budget: Some(budget), ..best.plan.clone() };
        let before = best.step;
        best = smaller(plan, best);
        if best.plan.budget == Some(budget) && best.step <= before {
            break;
        }
    }
    let told = Plan { told: true, ..best.plan.clone() };
    run_seed(&told).err().map_or(best, |failure| *failure)
}

fn smaller(plan: Plan, best: Failure) -> Failure {
    match run_seed(&plan) {
        Err(failure) if same_law(&failure.law, &best.law) => *failure,
        Err(_) | Ok(_) => best,
    }
}

/// Ids differ from world to world; the words of a law do not.
pub(super) fn same_law(one: &str, other: &str) -> bool {
    let words = |law: &str| -> String {
        law.lines().next().unwrap_or("").chars().filter(|c| c.is_alphabetic() || *c == ' ').take(60).collect()
    };
    words(one) == words(other)
}
