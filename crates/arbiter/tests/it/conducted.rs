//! A conducted mission on the command line: how it is shown and reported, how it is steered, and what is refused.

use std::fs;
use std::path::PathBuf;

use sim::Theatre;

use crate::{DEMO, theatre};

const ID: &str = "2026-11-16-c0nd";
const UTC: [(&str, &str); 1] = [("TZ", "UTC")];

/// A world with one conducted mission whose every byte is known: a plan half done, a tester that objects, a model that
/// cannot be reached.
fn with_conducted_mission() -> Theatre {
    let theatre = theatre();
    let entries: Vec<String> = include_str!("conducted/mission.jsonl").lines().map(str::to_owned).collect();
    theatre.write_mission(ID, &entries);
    theatre
}

fn folder(theatre: &Theatre) -> PathBuf {
    theatre.project().join(".arbiter/missions").join(ID)
}

/// What stands in the inbox, as the actions of its letters.
fn actions(theatre: &Theatre) -> Vec<String> {
    let Ok(letters) = fs::read_dir(folder(theatre).join("inbox")) else { return Vec::new() };
    let mut names: Vec<PathBuf> = letters.map(|letter| letter.expect("a letter").path()).collect();
    names.sort();
    let action = |path: PathBuf| {
        let letter: serde_json::Value =
            serde_json::from_slice(&fs::read(path).expect("readable")).expect("a letter");
        letter["action"].to_string()
    };
    names.into_iter().map(action).collect()
}

#[test]
fn show_tells_the_plan_the_last_decision_and_the_limits() {
    let theatre = with_conducted_mission();
    let ran = theatre.run_with(&["show", ID], &UTC);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let journal = folder(&theatre).join("journal.jsonl").display().to_string();
    insta::assert_snapshot!(ran.out.replace(&journal, "[journal]"));
}

#[test]
fn show_tells_programs_the_same() {
    let theatre = with_conducted_mission();
    let ran = theatre.run_with(&["show", ID, "--json"], &UTC);
    let shown: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let conductor = &shown["conductor"];
    assert_eq!(conductor["phase"], "recovering");
    assert_eq!(conductor["iterations"], 5);
    assert_eq!(conductor["limits"]["maxIterations"], 50);
    assert_eq!(conductor["limits"]["budgetMicrousd"], 20_000_000);
    assert_eq!(conductor["plan"]["steps"][1]["status"], "complete");
    assert_eq!(conductor["lastDecision"]["decision"]["type"], "SELECT_MODE");
    assert_eq!(conductor["lastDecision"]["words"], "tester works next");
    assert_eq!(conductor["lastDecision"]["source"], "fallback");
    assert_eq!(conductor["objections"][0]["agent"], "tester");
}

#[test]
fn missions_say_where_a_conducted_one_is() {
    let theatre = with_conducted_mission();
    let ran = theatre.run_with(&["missions"], &UTC);
    assert!(ran.out.contains("at rest (recovering)"), "{}", ran.out);
}

#[test]
fn a_report_tells_who_decided_what() {
    let theatre = with_conducted_mission();
    let ran = theatre.run_with(&["export", ID], &UTC);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let told = ran.out.split("## Conversation").next().expect("a beginning");
    insta::assert_snapshot!(told);
    // What a model wrote opens no heading and no comment of ours.
    assert!(!ran.out.contains("\n# Not a heading") && !ran.out.contains("<!--"), "{}", ran.out);
}

#[test]
fn agents_are_forced_steps_skipped_and_runs_tried_again_by_letter() {
    let theatre = with_conducted_mission();
    for arguments in [&["force", ID, "Tester"][..], &["skip", ID], &["retry", ID]] {
        let ran = theatre.run(&[&["mission"], arguments].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.out.starts_with("queued:"), "{}", ran.out);
    }
    assert_eq!(actions(&theatre), [r#"{"force":"tester"}"#, r#""skip""#, r#""retry""#]);
}

#[test]
fn an_agent_that_there_is_not_is_refused_with_those_that_there_are() {
    let theatre = with_conducted_mission();
    let ran = theatre.run(&["mission", "force", ID, "testr"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("did you mean tester?"), "{}", ran.err);
    let ran = theatre.run(&["mission", "force", ID, "wizard"]);
    assert!(ran.err.contains("there are planner, developer, tester, reviewer"), "{}", ran.err);
    assert_eq!(actions(&theatre), [] as [&str; 0]);
}

#[test]
fn a_council_is_not_forced() {
    let theatre = theatre();
    let ran = theatre.run(&DEMO);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let mission = theatre.mission();
    let journal = fs::read_to_string(mission.join("journal.jsonl")).expect("a journal");
    // The same mission before its end.
    let kept: Vec<&str> = journal.lines().take(12).collect();
    fs::write(mission.join("journal.jsonl"), kept.join("\n") + "\n").expect("written");
    let id = mission.file_name().expect("a name").to_string_lossy().into_owned();
    for arguments in [&["force", &id, "developer"][..], &["skip", &id], &["retry", &id]] {
        let ran = theatre.run(&[&["mission"], arguments].concat());
        assert_eq!(ran.code, Some(2), "{}", ran.out);
        assert!(ran.err.contains("is a council") && ran.err.contains("hint: "), "{}", ran.err);
    }
}

#[test]
fn only_the_conductor_makes_a_plan_beforehand() {
    let theatre = theatre();
    let ran = theatre.run(&["run", "--dry-run", "--task", "Sign in"]);
    assert_eq!(ran.code, Some(2), "{}", ran.out);
    assert!(ran.err.contains("hint: add --way conductor"), "{}", ran.err);
    let ran = theatre.run(&["run", "--way", "orchestra", "--task", "Sign in"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("conductor"), "{}", ran.err);
}
