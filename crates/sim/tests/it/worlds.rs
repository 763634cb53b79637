//! A world is its seed: the same one twice is the same to the last fact, and without faults it runs straight to its end.

use sim::world::{Fault, Outcome, Plan, Tally, run_seed};

fn run(plan: &Plan) -> Outcome {
    run_seed(plan)
        .unwrap_or_else(|failure| panic!("seed {} step {}: {}", failure.plan.seed, failure.step, failure.law))
}

#[test]
fn the_same_seed_is_the_same_world() {
    for seed in 0..20 {
        let plan = Plan { seed, ..Plan::default() };
        assert_eq!(format!("{:?}", run(&plan)), format!("{:?}", run(&plan)));
    }
}

#[test]
fn a_world_without_faults_completes_in_one_life() {
    let mut conducted = 0;
    for seed in 0..40 {
        let outcome = run(&Plan { seed, budget: Some(0), ..Plan::default() });
        // A mission without faults may still come to its limits, which are small here; a conducted one may be asked for a
        // plan only.
        let ends = outcome.completed || outcome.end == "exhausted";
        let ends = ends || outcome.conducted && outcome.end != "cancelled";
        assert!(ends, "seed {seed}: {}", outcome.end);
        assert_eq!((outcome.lives, outcome.tally), (1 + outcome.resumed, Tally::new()));
        conducted += u32::from(outcome.conducted && outcome.completed);
    }
    assert!(conducted >= 2, "conducted missions reach their end too: {conducted}");
}

#[test]
fn a_fault_that_is_taken_away_does_not_strike() {
    let faults = |without: &[Fault]| {
        let worlds = (0..60).map(|seed| run(&Plan { seed, without: without.to_vec(), ..Plan::default() }));
        worlds.filter(|outcome| outcome.tally.contains_key(&Fault::CrashAfterSync)).count()
    };
    assert!(faults(&[]) > 0);
    assert_eq!(faults(&[Fault::CrashAfterSync]), 0);
}

#[test]
fn worlds_see_falls_torn_tails_and_full_disks() {
    let mut tally = Tally::new();
    for seed in 0..60 {
        for (fault, count) in run(&Plan { seed, ..Plan::default() }).tally {
            *tally.entry(fault).or_default() += count;
        }
    }
    for fault in [Fault::BytesLost, Fault::TornTail, Fault::DiskFull, Fault::CrashInRecovery, Fault::Late] {
        assert!(tally.contains_key(&fault), "{} never fired", fault.name());
    }
}
