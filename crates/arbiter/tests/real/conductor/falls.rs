//! The house is killed at every moment of a conducted mission, which then comes to its proven end: no finished run is
//! done again, and nobody is asked twice.

use mind::Fact;
use mind::conductor::fact::ConductorFact;

use super::moments::{self, Moment};
use super::{decisions, is_proven};
use sim::real_stage::RealStage;

/// The runs that ended, as the history counts them.
fn runs(stage: &RealStage) -> Vec<(u32, String)> {
    let facts = stage.facts().into_iter();
    facts
        .filter_map(|fact| match fact {
            Fact::Conductor(ConductorFact::RunEnded { execution: Some(execution), .. }) => {
                Some((execution.seq, execution.agent.to_string()))
            }
            Fact::Conductor(_)
            | Fact::Mission(_)
            | Fact::Talk(_)
            | Fact::Session(..)
            | Fact::Gate(..)
            | Fact::Docket(..) => None,
        })
        .collect()
}

fn is_survived(moment: Option<Moment>) {
    let Some(moment) = moment else { return };
    let stage = &moment.stage;
    moment.begin().dies();
    // Nobody outlives the house.
    stage.theatre.assert_nobody_left();
    let resumed = stage.resume();
    stage.wait_for("Restarted run 2");
    (moment.moves_on)(stage);
    resumed.completes();
    is_proven(stage);
    for (voice, count) in &moment.requests {
        assert_eq!(stage.requests_of(voice).len(), *count, "{voice}:\n{}", stage.story());
    }
    let whole: Vec<(u32, String)> = (1..).zip(moment.runs.iter().map(ToString::to_string)).collect();
    assert_eq!(runs(stage), whole, "{}", stage.story());
    let numbers: Vec<u32> = decisions(stage).iter().map(|record| record.number).collect();
    assert_eq!(numbers, (1..=numbers.len() as u32).collect::<Vec<_>>(), "{}", stage.story());
}

#[test]
fn while_it_is_decided_who_works_next() {
    is_survived(moments::selecting());
}

#[test]
fn while_an_agent_works() {
    is_survived(moments::executing());
}

#[test]
fn while_it_is_decided_what_became_of_a_run() {
    is_survived(moments::evaluating());
}

#[test]
fn while_the_human_is_asked() {
    is_survived(moments::awaiting_human());
}

#[test]
fn while_the_model_that_decides_is_waited_for() {
    is_survived(moments::recovering(4));
}

#[test]
fn while_an_agent_is_at_its_limit() {
    is_survived(moments::parked());
}

#[test]
fn while_a_check_runs() {
    is_survived(moments::completing(3));
}

#[test]
fn while_it_is_paused() {
    is_survived(moments::paused());
}
