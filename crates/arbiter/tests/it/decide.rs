//! Decisions of a conducted mission, made again and counted, by the real binary from a journal made by hand.

use std::fs;

use mind::play::Stage;
use serde_json::{Value, json};
use sim::Theatre;

use crate::theatre;

const ID: &str = "2026-11-16-c0nd";
const COUNCIL: &str = "2026-11-16-c0uk";

/// The facts of a mission: the planner is picked by rule, a model lets the developer work and go on, then it fails.
fn facts(conducted: bool) -> Vec<Value> {
    let mut stage = Stage::new();
    stage.perform("open");
    let charter = stage.state.charter.as_deref().expect("a charter");
    let mut charter = serde_json::to_value(charter).expect("JSON");
    if conducted {
        charter["agents"] = json!([
            {"name": "planner", "displayName": "Planner", "prompt": "", "part": "planner"},
            {"name": "developer", "displayName": "Developer", "prompt": ""},
        ]);
        charter["conducting"] = json!({"defaultAgent": "planner"});
    }
    let mut facts = vec![json!({"mission": {"opened": charter}})];
    if !conducted {
        return facts;
    }
    let pick = |mode: &str| json!({"type": "SELECT_MODE", "mode": mode, "reason": "it is next"});
    facts.extend(run(1, "planner", "success", decided(1, "select", 1, &pick("planner"), "rules", None)));
    facts.extend(run(
        2,
        "developer",
        "success",
        decided(2, "evaluate", 1, &pick("developer"), "model", Some(&pick("developer"))),
    ));
    let on = json!({"type": "CONTINUE", "reason": "well done"});
    facts.extend(run(3, "developer", "failure", decided(3, "evaluate", 2, &on, "model", Some(&on))));
    facts
}

fn decided(
    number: u32,
    call: &str,
    iteration: u32,
    decision: &Value,
    source: &str,
    said: Option<&Value>,
) -> Value {
    let replies: Vec<Value> =
        said.iter().map(|said| json!({"raw": said.to_string(), "latencyMs": 5})).collect();
    json!({"decided": {"number": number, "call": call, "iteration": iteration, "input": {}, "legal": [],
                       "replies": replies, "decision": decision, "source": source}})
}

/// A decision and the run that it leads to.
fn run(number: u32, agent: &str, status: &str, decided: Value) -> Vec<Value> {
    let run = json!({"number": number, "kind": "work", "agent": agent, "iteration": number, "beganAt": 1});
    let execution = json!({"seq": number, "agent": agent, "iteration": number, "status": status,
                           "duration_ms": 5, "output": {"summary": "it ran"}, "startedAt": 1});
    [
        decided,
        json!({"run_prepared": run}),
        json!({"run_began": {"session": number, "before": null, "deadline": null}}),
        json!({"run_ended": {"execution": execution}}),
    ]
    .into_iter()
    .map(|fact| json!({"conductor": fact}))
    .collect()
}

/// A world with this conducted mission and one of the council.
fn world() -> Theatre {
    let theatre = theatre();
    for (id, conducted) in [(ID, true), (COUNCIL, false)] {
        let entries: Vec<String> = (1..)
            .zip(facts(conducted))
            .map(|(at, fact)| {
                let entry = json!({"at": 1_000 * at, "fact": fact}).to_string();
                serde_json::from_str::<mind::Entry>(&entry).expect("an entry of ours");
                entry
            })
            .collect();
        theatre.write_mission(id, &entries);
    }
    theatre
}

fn policy(theatre: &Theatre, text: &str) -> String {
    let file = theatre.path().join("policy.yaml");
    fs::write(&file, text).expect("written");
    file.display().to_string()
}

#[test]
fn the_same_decisions_come_out_again() {
    let theatre = world();
    let ran = theatre.run(&["decide", "replay", ID]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    insta::assert_snapshot!(ran.out, @r"
    2026-11-16-c0nd: 3 moves, 0 differ
      by rules        1, 0 differ
      by the model    2, 0 differ
    ");
}

#[test]
fn another_policy_shows_where_and_why_it_differs() {
    let theatre = world();
    let file = policy(&theatre, "limits: {maxIterations: 2}\ntransitions: {planner: {onSuccess: planner}}\n");
    let ran = theatre.run(&["decide", "replay", ID, "--policy", &file]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{}", ran.out);
    insta::assert_snapshot!(ran.out, @r"
    move 2, after iteration 1
      then: developer works next, by the model: it is next
      now:  planner works next, by rules (this follows a success of planner): planner succeeded, and its rule says so
    move 3, after iteration 2
      then: developer goes on, by the model: well done
      now:  the mission is given up, by rules (a limit was reached): the iterations are used up: 2 of 2
    2026-11-16-c0nd: 3 moves, 2 differ
      by rules        1, 0 differ
      by the model    2, 2 differ
    ");
    let ran = theatre.run(&["decide", "replay", ID, "--policy", &file, "--json"]);
    assert_eq!(ran.code, Some(1));
    let told: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(told["bySource"]["model"], json!({"decisions": 2, "differ": 2}));
    assert_eq!(told["differences"][0]["number"], 2);
    assert_eq!(told["differences"][0]["after"]["decision"]["mode"], "planner");
    assert_eq!(told["differences"][1]["after"]["source"], "rules");
}

#[test]
fn what_followed_is_counted_by_source_and_call() {
    let theatre = world();
    let ran = theatre.run(&["decide", "stats", ID]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    insta::assert_snapshot!(ran.out, @r"
    chosen       asked          moves  runs  succeeded
    by rules     who works next     1     1   1 (100%)
    by the model how to go on       2     2    1 (50%)
    1 mission
    ");
    let all = theatre.run(&["decide", "stats", "--json"]);
    let told: Value = serde_json::from_str(&all.out).expect("JSON");
    assert_eq!(told["missions"], json!([ID]), "a council decides otherwise");
    assert_eq!(told["rows"][1]["succeeded"], 1);
}

#[test]
fn wrong_missions_and_wrong_policies_are_told_with_a_hint() {
    let theatre = world();
    let refused = |arguments: &[&str], words: &[&str]| {
        let ran = theatre.run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.err);
        for word in words {
            assert!(ran.err.contains(word), "{arguments:?}: {}", ran.err);
        }
    };
    refused(&["decide", "replay", "nowhere"], &["nowhere"]);
    refused(&["decide", "replay", COUNCIL], &["is a council's", "hint:", "arbiter replay"]);
    refused(&["decide", "stats", COUNCIL], &["is a council's"]);
    let file = policy(&theatre, "limit: {}");
    refused(&["decide", "replay", ID, "--policy", &file], &["policy.yaml", "limit", "hint: a policy has"]);
    let file = policy(&theatre, "agents: {default: wizard}");
    refused(&["decide", "replay", ID, "--policy", &file], &["wizard", "hint: it has planner, developer"]);
    refused(&["decide", "replay", ID, "--policy", "gone.yaml"], &["gone.yaml is not there"]);
    let empty = crate::theatre();
    let ran = empty.run(&["decide", "stats"]);
    assert_eq!((ran.code, ran.out.contains("no moves yet")), (Some(0), true));
}
