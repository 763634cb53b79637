//! Faults at file-system calls of the real binary: a sample of the walk that `cargo xtask faults` makes whole.

use sim::faults::{self, FaultLaw, FaultMode, FaultStory, FaultTable, WalkPlan};

use crate::BINARY;

/// Every so manieth case of these stories, the same in every run.
fn walk(names: &[&str], modes: Vec<FaultMode>, every: usize) -> FaultTable {
    walk_plan(names, &WalkPlan { modes, every, workers: 1, ..WalkPlan::whole(BINARY) })
}

fn walk_plan(names: &[&str], plan: &WalkPlan) -> FaultTable {
    let stories: Vec<&dyn FaultStory> =
        faults::stories().into_iter().filter(|story| names.contains(&story.name())).collect();
    assert_eq!(stories.len(), names.len(), "{names:?}");
    let table = faults::walk(plan, stories).expect("the walk can be made");
    println!("{table}");
    table
}

/// No law was broken, in at least so many cases: a walk that strikes nothing holds every law.
fn assert_held(table: &FaultTable, cases_min: usize) {
    let broken: Vec<String> = table.told.iter().map(ToString::to_string).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(table.cases() >= cases_min, "only {} cases", table.cases());
}

#[test]
fn a_sync_that_is_swallowed_loses_an_act_and_is_found() {
    let table = walk(&["answer", "first-ask"], vec![FaultMode::Lie], 1);
    assert!(table.cases() >= 6, "{table}");
    assert!(table.count(FaultLaw::Lost) >= 2, "{table}");
}

#[test]
fn the_docket_bears_faults_at_any_call_that_writes() {
    assert_held(&walk(&["answer-submit", "withdraw"], FaultMode::walked(), 9), 50);
}

#[test]
fn the_docket_bears_faults_at_any_call_that_tells() {
    assert_held(&walk(&["inbox", "get", "verify"], FaultMode::walked(), 7), 40);
}

/// While a person reviews by taps or in words, from the link to the submission.
#[test]
fn the_door_bears_faults_at_any_call() {
    assert_held(&walk(&["taps", "words"], FaultMode::walked(), 110), 40);
}

#[test]
fn a_mission_bears_faults_at_any_call() {
    assert_held(&walk(&["run-asks"], FaultMode::walked(), 500), 6);
}

/// The folder of missions, and all above it, has a durable name before a mission is told to be complete.
#[test]
fn a_mission_that_is_complete_outlives_a_loss_of_power() {
    let plan = WalkPlan { modes: vec![FaultMode::Power, FaultMode::PowerBytes], ..WalkPlan::whole(BINARY) };
    let plan = WalkPlan { only: Some("the command exit".to_owned()), workers: 1, ..plan };
    assert_held(&walk_plan(&["run"], &plan), 2);
}

#[test]
fn a_mission_bears_faults_at_any_call_of_its_git() {
    assert_held(&walk(&["run-git"], FaultMode::walked(), 1_500), 4);
}

#[test]
fn a_mission_that_was_killed_bears_faults_at_any_call() {
    assert_held(&walk(&["resume"], FaultMode::walked(), 500), 4);
}

#[test]
fn merge_bears_faults_at_any_call() {
    let own = walk(&["merge", "merge-3way"], FaultMode::walked(), 60);
    assert_held(&own, 8);
    assert_held(&walk(&["merge-git", "merge-3way-git"], FaultMode::walked(), 700), 6);
}

#[test]
fn discard_bears_faults_at_any_call() {
    assert_held(&walk(&["discard"], FaultMode::walked(), 150), 5);
    assert_held(&walk(&["discard-git"], FaultMode::walked(), 1_000), 3);
}

#[test]
fn merge_bears_a_lock_of_the_index_that_cannot_be_looked_at() {
    let plan = WalkPlan { modes: vec![FaultMode::Eio], workers: 1, ..WalkPlan::whole(BINARY) };
    let plan = WalkPlan { only: Some("index.lock".to_owned()), ..plan };
    assert_held(&walk_plan(&["merge"], &plan), 1);
}

/// What was asked is there, whatever could not be looked at.
#[test]
fn asking_bears_a_folder_that_cannot_be_looked_at() {
    let plan = WalkPlan { modes: vec![FaultMode::Eio], workers: 1, ..WalkPlan::whole(BINARY) };
    let plan = WalkPlan { only: Some("staged".to_owned()), ..plan };
    assert_held(&walk_plan(&["ask", "first-ask"], &plan), 10);
}
