//! The smaller commands: lists, pictures of a mission, configuration, doctor, completions.

use sim::{DeathWalk, Theatre};

use crate::{DEMO, theatre};

#[test]
fn missions_and_show_tell_what_was() {
    let theatre = theatre();
    let none = theatre.run(&["missions"]);
    assert!(none.out.contains("no missions"), "{}", none.out);
    theatre.run(&DEMO);
    let id = theatre.mission_id();
    let listed = theatre.run(&["missions"]);
    assert!(listed.out.contains(&id) && listed.out.contains("complete, proven"), "{}", listed.out);
    let everywhere = theatre.run(&["missions", "--all", "--json"]);
    let row: serde_json::Value = serde_json::from_str(everywhere.out.trim()).expect("one JSON row");
    assert_eq!(row["id"], id.as_str());
    // The last four characters are enough.
    let shown = theatre.run(&["show", &id[id.len() - 4..]]);
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    for word in [
        "complete, proven",
        "yes by    the rehearsal's script",
        "now       Done, and proven by receipts.",
        "receipt",
        "verdict   pass",
        "Orchestrator II",
        "(by rehearsal)",
    ] {
        assert!(shown.out.contains(word), "{word} is missing in\n{}", shown.out);
    }
    let json = theatre.run(&["show", &id, "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(shown["receipts"][0]["status"]["exited"], 0);
    assert!(shown["sessions"][0]["sandbox"]["level"].is_string(), "{}", shown["sessions"][0]);
}

#[test]
fn a_project_that_is_gone_is_told_so() {
    let theatre = theatre();
    theatre.run(&DEMO);
    std::fs::rename(theatre.project().join(".arbiter"), theatre.path().join("aside")).expect("moved");
    let listed = theatre.run(&["missions", "--all"]);
    assert!(listed.out.contains("the mission is gone"), "{}", listed.out);
    std::fs::rename(theatre.project(), theatre.path().join("elsewhere")).expect("moved");
    std::fs::create_dir(theatre.path().join("other")).expect("a folder");
    let mut command = theatre.command(&["missions", "--all"]);
    let listed = command.current_dir(theatre.path().join("other")).output().expect("it starts");
    let out = String::from_utf8_lossy(&listed.stdout);
    assert!(out.contains("the project is gone"), "{out}");
}

#[test]
fn an_unknown_mission_is_named_with_those_there_are() {
    let theatre = theatre();
    theatre.run(&DEMO);
    let ran = theatre.run(&["show", "nosuch"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("nosuch") && ran.err.contains("hint: there are"), "{}", ran.err);
}

#[test]
fn a_finished_mission_cannot_be_resumed() {
    let theatre = theatre();
    theatre.run(&DEMO);
    let ran = theatre.run(&["resume"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("no unfinished mission") && ran.err.contains("hint:"), "{}", ran.err);
    assert_eq!(theatre.run(&["--resume"]).code, Some(2));
}

#[test]
fn config_is_described_and_checked() {
    let theatre = theatre();
    let described = theatre.run(&["config"]);
    assert!(described.out.contains("warnings.first = 70"), "{}", described.out);
    assert_eq!(theatre.run(&["config", "check"]).code, Some(0));
    std::fs::create_dir(theatre.project().join(".arbiter")).expect("a folder");
    std::fs::write(theatre.project().join(".arbiter/config.yaml"), "check: [[\"true\"]]\n").expect("a file");
    let bad = theatre.run(&["config", "check"]);
    assert_eq!(bad.code, Some(2));
    assert!(bad.err.contains("config.yaml:1:1") && bad.err.contains("hint:"), "{}", bad.err);
}

#[test]
fn the_keys_and_their_schema_are_printed_whatever_is_configured() {
    let theatre = theatre();
    std::fs::create_dir(theatre.project().join(".arbiter")).expect("a folder");
    std::fs::write(theatre.project().join(".arbiter/config.yaml"), "nonsense: [\n").expect("a file");
    let keys = theatre.run(&["config", "keys"]);
    assert_eq!(keys.code, Some(0), "{}", keys.err);
    assert!(
        keys.out.contains("\ncheck_limit: 20m              # how long one check may run"),
        "{}",
        keys.out
    );
    let schema = theatre.run(&["config", "schema"]);
    assert_eq!(schema.code, Some(0), "{}", schema.err);
    assert!(schema.out.starts_with("{\n") && schema.out.contains("\"check_limit\": {"), "{}", schema.out);
}

#[test]
fn the_doctor_says_how_to_mend() {
    let theatre = theatre();
    let config = theatre.path().join("home/.config/arbiter");
    std::fs::create_dir_all(&config).expect("a folder");
    std::fs::write(config.join("config.yaml"), "provider: { default: rehearsal }\n").expect("a file");
    let well = theatre.run(&["doctor"]);
    assert_eq!(well.code, Some(0), "{}", well.out);
    assert!(!theatre.project().join(".arbiter").exists(), "looking leaves nothing behind");
    let ill = theatre.run_with(&["doctor"], &[("PATH", "/nowhere")]);
    assert_eq!(ill.code, Some(1));
    assert!(ill.out.contains("FAIL  git") && ill.out.contains("hint: install git"), "{}", ill.out);
}

#[test]
fn the_document_of_the_commands_is_what_the_program_prints() {
    let kept = include_str!("../../../../docs/commands.md");
    let printed = theatre().run(&["__commands"]).out;
    let first = kept.lines().zip(printed.lines()).find(|(kept, printed)| kept != printed);
    assert!(kept == printed, "docs/commands.md is older, first in {first:?}: run `cargo xtask commands`");
}

#[test]
fn completions_are_printed_for_each_shell() {
    for shell in ["bash", "zsh", "fish"] {
        let ran = theatre().run(&["completions", shell]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.out.contains("arbiter") && !ran.out.contains("thread"), "{shell}");
    }
}

#[test]
fn an_old_mission_is_resumed_only_after_a_yes() {
    let theatre = theatre();
    DeathWalk::die_at(theatre.command(&DEMO), "9:after-sync");
    if theatre.run(&["show"]).out.contains("complete") {
        return sim::real::missing("a binary that dies on demand", "it was built without the feature die-at");
    }
    age(&theatre);
    let ran = theatre.run(&["resume", "--headless"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("has rested for") && ran.err.contains("--yes"), "{}", ran.err);
    assert_eq!(theatre.run(&["resume", "--headless", "--yes"]).code, Some(0));
}

#[test]
fn how_old_a_mission_may_be_is_the_users_to_say() {
    let theatre = theatre();
    DeathWalk::die_at(theatre.command(&DEMO), "9:after-sync");
    if theatre.run(&["show"]).out.contains("complete") {
        return sim::real::missing("a binary that dies on demand", "it was built without the feature die-at");
    }
    age(&theatre);
    let theatre = theatre.with_config("resume_limit: 200h\n");
    let ran = theatre.run(&["resume", "--headless"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

/// Writes the journal anew as if it were a week old.
fn age(theatre: &Theatre) {
    theatre.rewrite_mission(&theatre.mission(), |entry| entry.at.0 -= 7 * 24 * 60 * 60 * 1000);
}
