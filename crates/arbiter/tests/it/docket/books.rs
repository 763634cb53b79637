//! `audit` and `stats`.

use std::fs;

use super::theatre;
use super::{asked, done, json, small, told};

#[test]
fn the_ledger_tells_who_did_what() {
    let (theatre, id) = asked();
    done(&theatre, &["answer", &id, "db", "pg"]);
    done(&theatre, &["answer", &id, "db", "node:22", "--change"]);
    done(&theatre, &["skip", &id, "name"]);
    done(&theatre, &["ask", "Another?", "-o", "y"]);
    let all = done(&theatre, &["audit"]);
    assert_eq!(all.lines().count(), 5, "{all}");
    let own = done(&theatre, &["audit", "--petition", &id]);
    let parts = [
        "asked  by the agent ceo, at the command line",
        "answered db = pg  by tester, at the command line",
        "changed db = node:22",
        "answered name: skipped",
    ];
    assert_eq!(own.lines().count(), parts.len(), "{own}");
    for (line, part) in own.lines().zip(parts) {
        assert!(line.contains(part), "{part}: {line}");
    }
    let lines = done(&theatre, &["audit", "--json"]);
    let first = json(lines.lines().next().expect("a line"));
    assert_eq!(
        (&first["seq"], &first["petition"], &first["did"]),
        (&1.into(), &id.as_str().into(), &"asked".into())
    );
}

#[test]
fn a_ledger_that_nobody_touched_is_clean() {
    let (theatre, id) = small();
    done(&theatre, &["answer", &id, "deploy", "yes", "--submit"]);
    let clean = done(&theatre, &["audit", "verify"]);
    assert!(clean.starts_with("clean: 3 lines about 1 petition"), "{clean}");
    assert_eq!(told(&theatre, &["audit", "verify", "--json"])["clean"], true);
    let empty = super::theatre();
    assert!(done(&empty, &["audit", "verify"]).starts_with("clean: 0 lines"));
    assert_eq!(done(&empty, &["audit"]), "the ledger is empty\n");
}

#[test]
fn a_changed_line_is_named() {
    let (theatre, id) = small();
    done(&theatre, &["answer", &id, "deploy", "yes", "--submit"]);
    let ledger = theatre.path().join("home/.arbiter/ledger.jsonl");
    let text = fs::read_to_string(&ledger).unwrap();
    fs::write(&ledger, text.replace("\"yes\"", "\"no\"")).unwrap();
    let ran = theatre.run(&["audit", "verify"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("! "), "{}", ran.out);
    let told = json(&theatre.run(&["audit", "verify", "--json"]).out);
    assert_eq!(told["clean"], false);
    assert!(told["faults"].as_array().is_some_and(|faults| !faults.is_empty()), "{told}");
}

#[test]
fn stats_of_an_empty_docket_are_nothing() {
    let theatre = theatre();
    assert_eq!(done(&theatre, &["stats"]), "0 open, 0 closed, 0 answered\n");
    assert_eq!(told(&theatre, &["stats", "--json"])["all"], serde_json::Value::Null);
}

#[test]
fn stats_count_by_agent_tag_priority_and_door() {
    let (theatre, id) = asked();
    done(&theatre, &["answer", &id, "db", "pg"]);
    done(&theatre, &["ask", "Wait?", "-o", "y", "--agent", "swe", "--blocks", "the build"]);
    let stats = told(&theatre, &["stats", "--json"]);
    assert_eq!((&stats["open"], &stats["answered"]), (&2.into(), &1.into()));
    for (group, key) in
        [("byAgent", "ceo"), ("byTag", "nft-marketplace"), ("byPriority", "high"), ("byDoor", "cli")]
    {
        assert_eq!(stats[group][key]["answers"], 1, "{group}: {stats}");
    }
    assert_eq!(stats["longest"][0]["id"], *id);
    let text = done(&theatre, &["stats"]);
    assert!(text.starts_with("2 open, 0 closed, 1 answered\n"), "{text}");
    assert!(text.contains("waited longest\n") && text.contains("(still open)"), "{text}");
}

#[test]
fn a_damaged_ledger_is_put_aside_by_a_person() {
    let (theatre, id) = small();
    done(&theatre, &["answer", &id, "deploy", "yes"]);
    assert!(done(&theatre, &["audit", "mend", "--yes"]).contains("nothing was changed"));
    let ledger = theatre.path().join("home/.arbiter/ledger.jsonl");
    let text = fs::read_to_string(&ledger).unwrap();
    fs::write(&ledger, text.replace("\"yes\"", "\"nobody\"")).unwrap();
    let ran = theatre.run(&["submit", &id]);
    assert!(ran.code == Some(1) && ran.err.contains("audit mend"), "{}", ran.err);
    let listed = told(&theatre, &["inbox", "--json"]);
    assert_eq!(listed["petitions"][0]["id"], *id, "{listed}");
    for agent in [("ARBITER_AGENT", "ceo"), ("ARBITER_MARK_X", "1")] {
        assert_eq!(theatre.run_with(&["audit", "mend", "--yes"], &[agent]).code, Some(2));
    }
    let ran = theatre.run(&["audit", "mend"]);
    assert!(ran.code == Some(2) && ran.err.contains("--yes"), "{}", ran.err);
    let mended = done(&theatre, &["audit", "mend", "--yes"]);
    assert!(mended.contains("ledger.damaged-") && mended.contains("begins with 1 petition"), "{mended}");
    assert!(done(&theatre, &["audit", "verify"]).starts_with("clean: 2 lines"));
    done(&theatre, &["submit", &id]);
}

#[test]
fn a_petition_whose_file_was_removed_is_settled() {
    let (theatre, id) = small();
    for entry in fs::read_dir(theatre.path().join("home/.arbiter/queue/pending")).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    assert_eq!(theatre.run(&["audit", "verify"]).code, Some(1));
    let ran = theatre.run_with(&["withdraw", &id], &[("ARBITER_AGENT", "bob")]);
    assert!(ran.code == Some(1) && ran.err.contains("only what it asked itself"), "{}", ran.err);
    done(&theatre, &["withdraw", &id]);
    assert!(done(&theatre, &["audit", "verify"]).starts_with("clean: 2 lines"));
}
