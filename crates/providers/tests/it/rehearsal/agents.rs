//! The agents of a conducted mission, and the model that decides in it, as a script plays them.

use providers::rehearsal::RehearsalScript;
use providers::rehearsal::script::{ScriptedReply, Spent};
use serde_json::json;

use super::actor::{Actor, Theatre};

const SCRIPT: &str = "rehearsal: 1
title: t
scroll: s
agents:
  developer:
    - - does: [{write: a.txt, text: one}, {commit: One}]
        says: {outcome: success, summary: First., files: [a.txt]}
        spent: {input: 1200, output: 34}
        cost_microusd: 4500
    - - says: {outcome: failure, summary: Second., failure: no}
      - says: {outcome: success, summary: Once more.}
  tester:
    - - does: [{twice: true}]
        says: {outcome: success, summary: Tested., verdict: allPassed}
        spent: {output: 5}
decisions:
  - {number: 2, attempt: 1, text: 'no {', cut: true}
  - {says: {type: CONTINUE, reason: go}, spent: {input: 7}}
";

fn run(theatre: &Theatre, agent: &str, number: &str, key: &str) -> Actor {
    std::fs::write(theatre.path().join("script.yaml"), SCRIPT).unwrap();
    let mut command = theatre.command(&[]);
    // The last of two counts.
    command.args(["--role", "agent", "--agent", agent, "--number", number, "--key", key]);
    Actor::start(command)
}

fn lines(actor: &Actor, ends: usize) -> Vec<serde_json::Value> {
    let mut lines = Vec::new();
    while lines.iter().filter(|line: &&serde_json::Value| line["type"] == "rested").count() < ends {
        lines.push(actor.next().expect("it speaks"));
    }
    lines
}

#[test]
fn each_run_of_an_agent_plays_its_own_turns_and_says_what_they_took() {
    let theatre = Theatre::new("- says: {kind: handoff, expects_response: true, message: no}");
    let mut first = run(&theatre, "developer", "1", "k-1");
    first.deliver(1, "t-1");
    let said = lines(&first, 1);
    let spent = json!({"type": "spent", "report": "t-1", "input": 1200, "output": 34, "cost_microusd": 4500});
    assert_eq!(said[said.len() - 2], spent);
    let output = json!({"outcome": "success", "summary": "First.", "files": ["a.txt"]});
    assert_eq!(
        said[said.len() - 1],
        json!({"type": "rested", "turn": 1, "output": output, "text": "First."})
    );
    assert_eq!(theatre.commits(), 1);
    assert!(first.end().0.success());
    let mut second = run(&theatre, "developer", "2", "k-2");
    for (turn, text) in
        [(2, "Second."), (3, "Once more."), (4, "My part ends here; nothing more is rehearsed.")]
    {
        second.deliver(turn, &format!("t-{turn}"));
        let said = lines(&second, 1);
        assert_eq!(said.last().unwrap()["text"], text);
        assert!(said.iter().all(|line| line["type"] != "spent"), "nothing is written about tokens");
    }
    for (agent, number) in [("developer", "3"), ("nobody", "1"), ("developer", "0")] {
        let mut silent = run(&theatre, agent, number, &format!("k-{agent}-{number}"));
        silent.deliver(1, "t-1");
        assert_eq!(lines(&silent, 1).last().unwrap()["output"]["outcome"], "failure", "{agent} {number}");
    }
}

#[test]
fn what_a_turn_took_is_told_again_under_the_same_name() {
    let theatre = Theatre::new("- says: {kind: handoff, expects_response: true, message: no}");
    let mut tester = run(&theatre, "tester", "1", "k-1");
    tester.deliver(1, "t-1");
    let twice = lines(&tester, 2);
    let kinds: Vec<_> = twice.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["heard", "spent", "rested", "spent", "rested"]);
    assert_eq!(twice[1], twice[3]);
    assert!(tester.end().0.success());
    let mut again = theatre.command(&["--role", "agent", "--agent", "tester", "--resume"]);
    again.args(["--key", "k-1"]);
    let mut again = Actor::start(again);
    again.deliver(1, "t-1");
    let told = lines(&again, 1);
    assert_eq!(told[told.len() - 2], twice[1], "{told:?}");
}

#[test]
fn the_first_answer_that_fits_a_question_is_given() {
    let script = RehearsalScript::parse(SCRIPT).unwrap();
    assert!(script.arbiter.is_empty());
    let fitting = |number, attempt| {
        let found = script.decisions.iter().find(|one| one.fits(number, attempt, "whatever"));
        found.map(|one| one.reply.clone()).unwrap()
    };
    assert_eq!(fitting(2, 1), ScriptedReply::Text { text: "no {".to_owned(), cut: true });
    assert_eq!(fitting(2, 2), ScriptedReply::Says(json!({"type": "CONTINUE", "reason": "go"})));
    assert_eq!(script.decisions[1].spent, Some(Spent { input: 7, output: 0 }));
}

#[test]
fn faults_of_agents_and_decisions_have_a_line_and_a_hint() {
    let with = |rest: &str| format!("rehearsal: 1\ntitle: t\nscroll: s\n{rest}");
    let agent = |says: &str| with(&format!("agents:\n  tester:\n    - - says: {says}\n"));
    let decision = |entry: &str| with(&format!("agents: {{a: []}}\ndecisions:\n  - {entry}\n"));
    for (text, fault) in [
        (with(""), "line 1: `arbiter` is missing | the Arbiter's turns stand"),
        (
            agent("{outcome: done, summary: s}"),
            "line 6: `says`: `outcome` must be success or failure | an agent says",
        ),
        (agent("{outcome: success}"), "line 6: `says`: `summary` is missing or empty"),
        (agent("words"), "line 6: `says`: `outcome` must be success or failure; `summary`"),
        (decision("{number: 1}"), "line 6: a decision without an answer | a decision has one of"),
        (decision("{text: a, says: {}}"), "line 6: two answers in one"),
        (decision("{says: {}, cut: true}"), "line 6: `cut` belongs to `text`"),
        (decision("{text: a, why: b}"), "line 6: `why` belongs to `fail`"),
        (decision("{fail: limit, after: soon}"), "line 6: `after` is \"soon\""),
        (decision("{fail: never}"), "unknown word `never`"),
        (decision("{says: {}, wen: 3}"), "unknown key `wen` | known here: number, attempt"),
    ] {
        let error = RehearsalScript::parse(&text).unwrap_err();
        let told = format!("{error} | {}", error.hint());
        assert!(told.contains(fault), "{told}\n{text}");
    }
}
