//! The report of a mission: whole, the same every time, and safe from what agents write.

use std::fs;
use std::path::Path;

use sim::Theatre;

use crate::{DEMO, theatre};

const ID: &str = "2026-11-15-k3f9";
const UTC: [(&str, &str); 1] = [("TZ", "UTC")];
const SECTIONS: [&str; 7] = [
    "## Conversation",
    "## Sessions",
    "## Questions",
    "## Receipts",
    "## Warnings",
    "## Turned back",
    "## Cost",
];

/// A world with one mission whose every byte is known: the demo, shortened, with hostile texts in it.
fn with_known_mission() -> Theatre {
    let theatre = theatre();
    let entries: Vec<String> = include_str!("export/mission.jsonl").lines().map(str::to_owned).collect();
    theatre.write_mission(ID, &entries);
    theatre
}

fn report(theatre: &Theatre) -> String {
    let ran = theatre.run_with(&["export", ID], &UTC);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.out
}

#[test]
fn a_report_tells_the_whole_mission() {
    let theatre = with_known_mission();
    let first = report(&theatre);
    insta::assert_snapshot!(first);
    assert_eq!(report(&theatre), first, "the same journal gives the same report");
}

/// The hostile text opens headings, a table, a fence that never closes, a comment, a definition.
#[test]
fn what_agents_write_does_not_break_the_report() {
    let report = report(&with_known_mission());
    assert!(report.starts_with("# The \\*lantern\\* \\| \\<b\\>\n"), "{report}");
    let ours: Vec<&str> = report.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(ours, SECTIONS);
    for words in ["never closed", "hidden", "http://e.org", "[2Jend", "USD 0 |"] {
        let lines = report.lines().filter(|line| line.contains(words) && line.contains("> "));
        assert!(lines.count() >= 2, "{words} is quoted in the conversation and in the handoff");
    }
    let outside = report.lines().filter(|line| !line.starts_with('>'));
    for line in outside {
        assert!(!line.contains("<!--") && !line.contains("```") && !line.contains("e.org"), "{line}");
    }
    assert!(!report.contains("<!--") && !report.contains('\u{1b}') && !report.contains('\r'));
    // Each row of a table has as many cells as its head.
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    let lines: Vec<&str> = report.lines().collect();
    for pair in lines.windows(2).filter(|pair| pair.iter().all(|line| line.starts_with('|'))) {
        assert_eq!(cells(pair[0]), cells(pair[1]), "{pair:?}");
    }
}

#[test]
fn the_costs_add_up() {
    let report = report(&with_known_mission());
    let (_, costs) = report.rsplit_once("\n## Cost\n").expect("a section");
    let micros = |line: &str| {
        let digits: String = line.split("USD ").nth(1)?.chars().filter(char::is_ascii_digit).collect();
        digits.parse::<u64>().ok()
    };
    let mut costs: Vec<u64> = costs.lines().filter_map(micros).collect();
    let total = costs.pop().expect("a total");
    assert!(total > 0 && costs.len() == 4, "{costs:?}");
    assert_eq!(costs.iter().sum::<u64>(), total);
    let each = report.lines().filter(|line| line.starts_with("| cost |")).filter_map(micros);
    assert_eq!(each.collect::<Vec<u64>>(), [vec![total], costs].concat(), "the same figures stand above");
}

#[test]
fn a_report_overwrites_nothing_unasked() {
    let theatre = with_known_mission();
    let export = |more: &[&str]| theatre.run_with(&[&["export", ID, "--output"], more].concat(), &UTC);
    let first = export(&["report.md"]);
    assert_eq!((first.code, first.out.as_str()), (Some(0), ""), "{}", first.err);
    assert!(first.err.contains("report.md"), "{}", first.err);
    let file = theatre.project().join("report.md");
    assert_eq!(fs::read_to_string(&file).expect("a file"), report(&theatre));
    fs::write(&file, "mine\n").expect("written");
    let second = export(&["report.md"]);
    assert_eq!(second.code, Some(2));
    assert!(second.err.contains("report.md is there already"), "{}", second.err);
    assert!(second.err.contains("hint: name another file, or overwrite it with --force"), "{}", second.err);
    assert_eq!(fs::read_to_string(&file).expect("a file"), "mine\n");
    assert_eq!(export(&["report.md", "--force"]).code, Some(0));
    assert_eq!(fs::read_to_string(&file).expect("a file"), report(&theatre));
    let nowhere = export(&["no/such/folder/report.md"]);
    assert_eq!(nowhere.code, Some(1));
    assert!(nowhere.err.contains("hint:"), "{}", nowhere.err);
}

#[test]
fn the_demo_is_reported() {
    let theatre = theatre();
    theatre.run(&DEMO);
    let mission = theatre.mission();
    let id = mission.file_name().expect("a name").to_string_lossy().into_owned();
    let ran = theatre.run(&["export", &id]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for words in [
        "| status | complete, proven |",
        "by the rehearsal's script",
        "no person said it",
        "the rehearsal's script, in the human's place to Arbiter",
        "; heard",
        "### s4: Orchestrator III, verifier",
        "Handoff, ",
        "Verdict pass on `",
        "| `skip` |",
        "| `sh test.sh` | passed (exit 0) |",
        "its context is past 70%",
        "no verifier has passed the work",
    ] {
        assert!(ran.out.contains(words), "{words} is missing in\n{}", ran.out);
    }
    damage(&mission.join("journal.jsonl"));
    for command in ["export", "replay"] {
        let ran = theatre.run(&[command, &id]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "nothing is printed of a damaged journal");
        assert!(
            ran.err.contains("is damaged") && ran.err.contains("hint: nothing was changed"),
            "{}",
            ran.err
        );
    }
}

/// Turns one sign in the middle into another.
fn damage(journal: &Path) {
    let mut bytes = fs::read(journal).expect("a journal");
    let middle = bytes.len() / 2;
    bytes[middle] = if bytes[middle] == b'x' { b'y' } else { b'x' };
    fs::write(journal, bytes).expect("written");
}
