//! A mission printed again: as it was printed live, fact by fact, in parts, step by step, and while it runs.

use sim::Theatre;

use crate::{DEMO, theatre, wait_until};

/// What `replay` prints with these flags.
fn replayed(theatre: &Theatre, flags: &[&str]) -> Vec<String> {
    let id = theatre.mission_id();
    let ran = theatre.run(&[&["replay", &id], flags].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.out.lines().map(str::to_owned).collect()
}

/// The entry a line begins with.
fn number(line: &str) -> Option<u64> {
    line.split_whitespace().next()?.parse().ok()
}

#[test]
fn a_replay_is_what_was_printed_live() {
    let theatre = theatre();
    let live = theatre.run(&DEMO).out;
    let digits = theatre.entries(&theatre.mission()).len().to_string().len();
    let margin = digits + " 21:30:05 ".len();
    let lines = replayed(&theatre, &[]);
    let bare = lines.iter().filter(|line| !line.starts_with("-- "));
    let bare: Vec<&str> = bare.map(|line| line.get(margin..).unwrap_or_default()).collect();
    assert!(live.contains(&bare.join("\n")), "live:\n{live}\nreplayed:\n{}", lines.join("\n"));
    let numbers: Vec<u64> = lines.iter().filter_map(|line| number(line)).collect();
    assert!(numbers.len() > 50 && numbers.is_sorted(), "{numbers:?}");
}

#[test]
fn facts_and_json_tell_every_entry() {
    let theatre = theatre();
    let live = theatre.run(&["demo", "--headless", "--pace", "fast", "--json"]).out;
    let entries = theatre.entries(&theatre.mission());
    let json = replayed(&theatre, &["--json"]);
    let live: Vec<&str> = live.lines().filter(|line| !line.starts_with("{\"end\"")).collect();
    assert_eq!(json.len(), entries.len());
    assert_eq!(
        json[json.len() - live.len()..],
        live,
        "the opening is written before the first line is printed"
    );
    let facts = replayed(&theatre, &["--facts"]);
    let facts: Vec<&String> = facts.iter().filter(|line| !line.starts_with("-- ")).collect();
    assert_eq!(facts.len(), entries.len());
    for (line, entry) in facts.iter().zip(&entries) {
        assert!(line.ends_with(entry.fact.to_string().trim_end()), "{line}");
    }
}

#[test]
fn a_part_is_chosen_by_number_or_time() {
    let theatre = theatre();
    theatre.run(&DEMO);
    let numbers = |flags: &[&str]| -> Vec<u64> {
        replayed(&theatre, &[&["--facts"], flags].concat()).iter().filter_map(|line| number(line)).collect()
    };
    let count = theatre.entries(&theatre.mission()).len() as u64;
    assert_eq!(numbers(&["--from", "5", "--to", "9"]), [5, 6, 7, 8, 9]);
    assert_eq!(numbers(&["--from", "+0s"]).len() as u64, count);
    assert_eq!(numbers(&["--to", "+0s"])[0], 1);
    assert_eq!(numbers(&["--from", "2020-01-01T00:00", "--to", "+1h"]).len() as u64, count);
    assert_eq!(numbers(&["--from", "+1h"]), [0; 0]);
    let id = theatre.mission_id();
    let nothing = theatre.run(&["replay", &id, "--from", "9", "--to", "5"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(0), ""));
    assert!(nothing.err.contains(&format!("entries 1 to {count}")), "{}", nothing.err);
    let wrong = theatre.run(&["replay", &id, "--from", "noon"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("`+5m` from the opening"), "{}", wrong.err);
}

#[test]
fn a_running_mission_is_replayed_up_to_now() {
    let theatre = theatre();
    let mut child = theatre.start(&["demo", "--headless", "--pace", "human"]);
    wait_until("there is a mission", || !theatre.missions().is_empty());
    wait_until("something was done", || replayed(&theatre, &["--facts"]).len() > 8);
    assert_eq!(child.try_wait().expect("it can be asked"), None, "it still runs");
    assert!(!replayed(&theatre, &[]).is_empty());
    let id = theatre.mission_id();
    assert_eq!(theatre.run(&["mission", "cancel", &id]).code, Some(0));
    assert_eq!(child.wait().expect("it ends").code(), Some(4));
    assert!(replayed(&theatre, &[]).last().is_some_and(|line| line.contains("cancelled by")));
    let report = theatre.run(&["export", &id]).out;
    assert!(report.contains("| status | cancelled by tester, at the command line |"), "{report}");
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let theatre = theatre();
    theatre.run(&DEMO);
    let id = theatre.mission_id();
    for arguments in [&["replay", &id][..], &["replay", &id, "--json"], &["export", &id]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let ran = theatre.command(arguments).stdout(writer).output().expect("it starts");
        assert_eq!((ran.status.code(), ran.stderr), (Some(0), Vec::new()), "{arguments:?}");
    }
}

#[test]
fn steps_need_a_person() {
    let theatre = theatre();
    theatre.run(&DEMO);
    let ran = theatre.run(&["replay", &theatre.mission_id(), "--step"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("no terminal") && ran.err.contains("hint: leave --step out"), "{}", ran.err);
}

#[test]
fn a_person_steps_and_jumps() {
    let theatre = theatre();
    theatre.run(&DEMO);
    let count = theatre.entries(&theatre.mission()).len();
    let screen = typed(&theatre, &["--step", "--facts"], "\nn 100\n7\nwhat\n9999\nq\n");
    let at = |words: &str| screen.find(words).unwrap_or_else(|| panic!("{words} is not in\n{screen}"));
    assert!(at("Opened") < at(&format!("[1/{count}]>")), "the first step is shown at once: {screen}");
    assert!(screen.contains("Restarted run 1"), "Enter goes on: {screen}");
    let (before, after) = (at("> 100 "), at(">   7 "));
    assert!(before < after, "forward, then back: {screen}");
    assert!(!screen.contains(" 50 "), "what was jumped over is not shown: {screen}");
    assert!(
        after < at("Enter shows the next entries")
            && at("Enter shows the next entries") < at(&format!("ends at entry {count}")),
        "{screen}"
    );
    // The last step is followed by the end.
    let screen = typed(&theatre, &["--step", "--from", &count.to_string()], "\n");
    assert!(
        screen.contains("Done, and proven") && screen.contains(&format!("[{count}/{count}]>")),
        "{screen}"
    );
}

/// Runs `replay` at a terminal, types `words`, and returns what the terminal showed.
fn typed(theatre: &Theatre, flags: &[&str], words: &str) -> String {
    let id = theatre.mission_id();
    let ran = sim::typed(theatre.command(&[&["replay", &id], flags].concat()), words);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.out
}
