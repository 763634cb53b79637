//! Faults at file-system calls of the real binary: a sample of the walk that `cargo xtask faults` makes whole.

use sim::faults::{self, FaultLaw, FaultMode, FaultStory, FaultTable, WalkPlan};

use crate::BINARY;

/// A sample of these stories, the same in every run.
fn walk(names: &[&str], modes: Vec<FaultMode>, every: usize) -> FaultTable {
    walk_plan(names, &WalkPlan { modes, every, workers: 1, ..WalkPlan::whole(BINARY) })
}

fn walk_plan(names: &[&str], plan: &WalkPlan) -> FaultTable {
    let stories: Vec<&dyn FaultStory> =
        faults::stories().into_iter().filter(|story| names.contains(&story.name())).collect();
    assert_eq!(stories.len(), names.len(), "{names:?}");
    faults::walk(plan, stories).expect("the walk can be made")
}

/// What may never happen, whatever the disk does.
const NEVER: [FaultLaw; 4] = [FaultLaw::Lost, FaultLaw::Twice, FaultLaw::Hang, FaultLaw::Panic];

/// Whether these laws were held.
fn assert_held(table: &FaultTable, laws: &[FaultLaw]) {
    println!("{table}");
    let broken = table.told.iter().filter(|told| laws.contains(&told.breach.law));
    let broken: Vec<String> = broken.map(ToString::to_string).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_sync_that_is_swallowed_loses_an_act_and_is_found() {
    let table = walk(&["answer", "first-ask"], vec![FaultMode::Lie], 1);
    println!("{table}");
    assert!(table.cases() >= 6, "{table}");
    assert!(table.count(FaultLaw::Lost) >= 2, "{table}");
}

#[test]
fn the_docket_bears_faults_at_any_call_that_writes() {
    assert_held(&walk(&["answer-submit", "withdraw"], FaultMode::walked(), 9), &NEVER);
}

#[test]
fn the_docket_bears_faults_at_any_call_that_tells() {
    assert_held(&walk(&["inbox", "get", "verify"], FaultMode::walked(), 7), &NEVER);
}

#[test]
fn a_mission_bears_faults_at_any_call() {
    assert_held(&walk(&["run-asks"], FaultMode::walked(), 450), &FaultLaw::ALL);
}

#[test]
fn merge_bears_faults_at_any_call() {
    assert_held(&walk(&["merge-git"], FaultMode::walked(), 500), &NEVER);
}

#[test]
fn merge_bears_a_lock_of_the_index_that_cannot_be_looked_at() {
    let plan = WalkPlan { modes: vec![FaultMode::Eio], workers: 1, ..WalkPlan::whole(BINARY) };
    let plan = WalkPlan { only: Some("index.lock".to_owned()), ..plan };
    assert_held(&walk_plan(&["merge"], &plan), &FaultLaw::ALL);
}
