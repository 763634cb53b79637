//! Scripts that cannot be played: each says where and what to do.

use providers::rehearsal::{DEMO, RehearsalScript};

/// The line, the fault and the hint of a bad script.
fn fault(text: &str) -> String {
    let error = RehearsalScript::parse(text).unwrap_err();
    format!("{error} | {}", error.hint())
}

/// A script whose only turn of the Arbiter is `turn`, which begins on line 6.
fn with_turn(turn: &str) -> String {
    let turn = turn.replace('\n', "\n    ");
    format!("rehearsal: 1\ntitle: t\nscroll: s\nwindow: 1000\narbiter:\n  - {turn}\n")
}

const SAYS: &str = "says: {intent: address_human, message: hello}";

#[test]
fn the_demo_is_a_script() {
    let demo = RehearsalScript::parse(DEMO).unwrap();
    assert_eq!(demo.checks, [["sh", "test.sh"]]);
    assert_eq!(demo.human.len(), 2);
    assert!((12..=16).contains(&demo.arbiter.len()));
    assert_eq!(demo.orchestrators.len(), 3);
    assert!(demo.files.contains_key("README.md"));
}

#[test]
fn a_small_script_is_enough() {
    let script = RehearsalScript::parse(&with_turn(SAYS)).unwrap();
    assert_eq!((script.window, script.arbiter.len()), (1000, 1));
    assert!(script.part(mind::session::Role::Orchestrator, 0).is_empty());
    assert!(script.part(mind::session::Role::Orchestrator, 9).is_empty());
}

#[test]
fn faults_have_a_line_and_a_hint() {
    let table = [
        ("rehearsal: 1\ntitel: x\n".to_owned(), "line 2: unknown key `titel` | known here: rehearsal, title"),
        (
            "rehearsal: 2\ntitle: t\nscroll: s\narbiter: []\n".to_owned(),
            "line 1: this is a rehearsal of format 2 | write",
        ),
        ("rehearsal: 1\ntitle: t\narbiter: []\n".to_owned(), "line 3: `scroll` is missing"),
        (with_turn("sayz: {}"), "line 6: unknown key `sayz` | known here: does, says"),
        (with_turn("does: []"), "line 6: `says` is missing"),
        (
            with_turn("says: {intent: adress_human, message: m}"),
            "line 6: `says`: `intent` is \"adress_human\", but must be",
        ),
        (with_turn("says: {intent: musings}"), "line 6: `says`: `message` is missing"),
        (
            with_turn(&format!("does: [{{pause: 1}}, {{wait: 1}}]\n{SAYS}")),
            "line 6: unknown key `wait` | known here: tool",
        ),
        (
            with_turn(&format!("does:\n  - {{pause: 1}}\n  - {{}}\n{SAYS}")),
            "line 8: an empty step | a step is one of",
        ),
        (
            with_turn(&format!("does:\n  - {{pause: 1, gauge: 2}}\n{SAYS}")),
            "line 7: two steps in one | give each",
        ),
        (with_turn(&format!("does:\n  - {{write: a}}\n{SAYS}")), "line 7: `write` has no `text`"),
        (with_turn(&format!("does:\n  - {{on: a}}\n{SAYS}")), "line 7: `on` belongs to `tool`"),
        (with_turn(&format!("does:\n  - {{run: []}}\n{SAYS}")), "line 7: there is nothing to run"),
        (with_turn(&format!("does:\n  - {{commit: ''}}\n{SAYS}")), "line 7: `commit` has no message"),
        (with_turn(&format!("does:\n  - {{pause: 99999999}}\n{SAYS}")), "line 7: `pause` is longer"),
        (with_turn(&format!("does:\n  - {{write: ../a, text: b}}\n{SAYS}")), "line 7: `../a` leads out"),
        (
            with_turn(&format!("does:\n  - {{write: .git/config, text: b}}\n{SAYS}")),
            "line 7: `.git/config` leads out",
        ),
        (
            with_turn(&format!("does:\n  - {{tasks: [{{title: a, status: finished}}]}}\n{SAYS}")),
            "line 7: unknown word `finished`",
        ),
        (with_turn(&format!("does:\n  - {{gauge: many}}\n{SAYS}")), "line 7: invalid u64 | docs"),
        (
            with_turn(&format!("does:\n  - {{fail: badly}}\n{SAYS}")),
            "line 7: unknown word `badly` | known here: transient, limit, login, refused",
        ),
        (
            with_turn(&format!("does:\n  - {{die: 1, why: tired}}\n{SAYS}")),
            "line 7: `why` belongs to `fail`, `after` to `fail: limit` | {fail: limit",
        ),
        (with_turn(&format!("does:\n  - {{fail: login, after: 2s}}\n{SAYS}")), "line 7: `why` belongs"),
        (
            with_turn(&format!("does:\n  - {{die: 1, cost_microusd: 700}}\n{SAYS}")),
            "line 7: `cost_microusd` of a step belongs to `fail` | {fail: transient",
        ),
        (
            with_turn(&format!("does:\n  - {{fail: limit, after: soon}}\n{SAYS}")),
            "line 7: `after` is \"soon\", which is no time up to a day | such as 500ms, 2s",
        ),
        (with_turn(&format!("does:\n  - {{fail: limit, after: 25h}}\n{SAYS}")), "line 7: `after` is \"25h\""),
        (with_turn(&format!("does:\n  - {{fail: limit, after: s}}\n{SAYS}")), "line 7: `after` is \"s\""),
        (
            with_turn(&format!("does:\n  - {{hang: false}}\n{SAYS}")),
            "line 7: `hang` is false | write `hang: true`",
        ),
        (with_turn(&format!("does:\n  - {{die: 256}}\n{SAYS}")), "line 7:"),
        (with_turn(&format!("does:\n  - {{flood: 0}}\n{SAYS}")), "line 7: `flood` is 0 | from 1 to 100000"),
        (with_turn(&format!("does:\n  - {{die: 1, hang: true}}\n{SAYS}")), "line 7: two steps in one"),
        (
            with_turn(&format!("does:\n  - {{pause: 1, always: true}}\n{SAYS}")),
            "line 7: `always` belongs to what goes wrong | a step is one of",
        ),
        (
            with_turn(SAYS) + "heirs:\n  - - says: {intent: musings}\n",
            "line 8: `says`: `message` is missing or empty | an Arbiter says",
        ),
        (with_turn(&format!("when_warned: {{70: {{does: []}}}}\n{SAYS}")), "line 6: `says` is missing"),
        (
            with_turn(SAYS) + "orchestrators:\n  - - says: {kind: handoff, message: m}\n",
            "line 8: `says`: `expects_response`",
        ),
        (with_turn(SAYS) + "checks: [[]]\n", "line 7: a check is empty"),
        (with_turn(SAYS) + "title: again\n", "line 7:"),
        ("rehearsal: 1\n\ttitle: x\n".to_owned(), "line 1: while scanning"),
        (String::new(), "line 1:"),
    ];
    for (text, expected) in table {
        let fault = fault(&text);
        let fault = fault.strip_prefix("rehearsal script, ").unwrap_or(&fault);
        println!("{fault}");
        assert!(fault.starts_with(expected), "expected {expected:?}, got {fault:?} for\n{text}");
    }
}

#[test]
fn a_file_is_named_in_its_faults() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.yaml");
    let missing = RehearsalScript::load(&path).unwrap_err();
    assert!(missing.to_string().contains("mine.yaml"), "{missing}");
    std::fs::write(&path, "rehearsal: 1\nfoo: 2\n").unwrap();
    let wrong = RehearsalScript::load(&path).unwrap_err().to_string();
    assert!(wrong.contains("mine.yaml, line 2: unknown key `foo`"), "{wrong}");
    std::fs::write(&path, "#".repeat(2 << 20)).unwrap();
    assert!(RehearsalScript::load(&path).unwrap_err().to_string().contains("too long"));
}
