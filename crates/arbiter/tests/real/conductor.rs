//! Whole conducted missions: agents and decisions are the real program's, each told apart by its system prompt.

mod ask;
mod cancel;
mod contexts;
mod falls;
mod limits;
mod moments;
mod replies;
mod tools;
mod troubles;
mod whole;

use std::fs;

use mind::Fact;
use mind::conductor::fact::ConductorFact;
use mind::conductor::move_record::MoveRecord;
use serde_json::{Value, json};
use sim::api::{Act, Step, Voice};

use sim::real_stage::{RealMission, RealStage, bash, says};

/// A check that we run ourselves, and nobody who takes notes.
const CONFIG: &str = "checks: [[\"grep\", \"-q\", \"stone\", \"bridge.txt\"]]\nmemory: { keeper: off }\n";
/// The developer begins, and there is no plan: whatever follows is decided by the model.
const ALONE: &str = "agents: { default: developer }\n";
/// The name of the model that decides.
const DECIDER: &str = "decider";

/// Begins the mission, conducted and headless.
fn begin(stage: &RealStage) -> RealMission<'_> {
    stage.start(&["run", "--way", "conductor", "--headless", "scroll.md"])
}

/// The model that decides; each decision is a conversation of its own.
fn decider(steps: impl IntoIterator<Item = Step>) -> Voice {
    Voice::new(DECIDER, steps).system_contains("You are the arbiter of mission").agent(false)
}

/// An agent; its steps are those of all its runs.
fn agent(name: &str, steps: impl IntoIterator<Item = Step>) -> Voice {
    Voice::new(name, steps).system_contains(format!("# The {name}\n")).agent(false)
}

/// A plan of one step for the developer.
fn planner() -> Voice {
    agent("planner", [plans(&[("Build the bridge", "developer")])])
}

fn plans(steps: &[(&str, &str)]) -> Step {
    let step = |(what, who): &(&str, &str)| json!({"description": what, "suggestedAgent": who});
    let steps: Vec<Value> = steps.iter().map(step).collect();
    says(
        json!({"outcome": "success", "summary": "It is planned.", "plan": {"steps": steps, "confidence": 90}}),
    )
}

fn build() -> Step {
    bash("printf 'stone\n' > bridge.txt && git add -A && git commit -qm Bridge")
}

fn done(summary: &str) -> Step {
    says(json!({"outcome": "success", "summary": summary}))
}

fn judges(verdict: &str, issues: &[&str]) -> Step {
    says(json!({"outcome": "success", "summary": "It was looked at.", "verdict": verdict, "issues": issues}))
}

/// A decision as the schema wants it: what it has no use for is null.
fn decides(kind: &str, fields: Value) -> Step {
    let mut decision = json!({"type": kind, "mode": null, "reason": null, "guidance": null, "summary": null,
                              "question": null, "options": null});
    for (name, value) in fields.as_object().into_iter().flatten() {
        decision[name] = value.clone();
    }
    says(decision)
}

fn selects(agent: &str) -> Step {
    decides("SELECT_MODE", json!({"mode": agent, "reason": format!("{agent} is next")}))
}

fn claims() -> Step {
    decides("COMPLETE", json!({"summary": "The bridge stands."}))
}

fn hangs() -> Step {
    Step::new(Act::Hang)
}

/// Every decision of the mission.
fn decisions(stage: &RealStage) -> Vec<MoveRecord> {
    let facts = stage.facts().into_iter();
    facts
        .filter_map(|fact| match fact {
            Fact::Conductor(ConductorFact::Decided(record)) => Some(*record),
            Fact::Conductor(_)
            | Fact::Mission(_)
            | Fact::Talk(_)
            | Fact::Session(..)
            | Fact::Gate(..)
            | Fact::Docket(..) => None,
        })
        .collect()
}

/// The decisions as "who: what", with the agent that is named.
fn decided(stage: &RealStage) -> Vec<String> {
    let told = |record: &MoveRecord| {
        let named = serde_json::to_value(&record.decision).unwrap_or_default();
        let named = named["mode"].as_str().map(|mode| format!(" {mode}")).unwrap_or_default();
        format!("{}: {}{named}", record.source, record.decision.kind())
    };
    decisions(stage).iter().map(told).collect()
}

/// The request of a voice with which a run of an agent begins, counted from 1.
fn brief(stage: &RealStage, voice: &str, nth: usize) -> String {
    let requests = stage.requests_of(voice);
    let begins = |request: &&std::sync::Arc<sim::api::Request>| request.heard().contains("Do your step now");
    let request = requests.iter().filter(begins).nth(nth - 1);
    request.unwrap_or_else(|| panic!("no run {nth} of {voice}:\n{}", stage.story())).heard()
}

/// What `arbiter show --json` says of the mission.
fn shown(stage: &RealStage) -> Value {
    let output = stage.command(&["show", "--json", &stage.id()]).output().expect("the binary starts");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// An agent of the user's own, which counts without any trust.
fn with_agent(stage: &RealStage, name: &str, frontmatter: &str) {
    let folder = stage.home().join(".config/arbiter/agents");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let text = format!("---\nname: {name}\n{frontmatter}\n---\n# The {name}\n\nYou work.\n");
    fs::write(folder.join(format!("{name}.md")), text).expect("a file can be written");
}

/// Whatever was decided is decided again alike.
fn replays(stage: &RealStage) {
    stage.tell(&["decide", "replay", &stage.id()]);
}

fn is_proven(stage: &RealStage) {
    assert_eq!(stage.count("Completed proven"), 1, "{}", stage.story());
    assert!(stage.count("Receipt") >= 1, "{}", stage.story());
    let built = stage.theatre.git(&["show", &format!("refs/arbiter/{}:bridge.txt", stage.id())]);
    assert_eq!(built, "stone\n");
    replays(stage);
}
