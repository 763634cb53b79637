//! A whole mission, from the scroll to the proof.

use mind::fact::{ContextFact, SessionFact, WorkFact};
use mind::session::TaskStatus;
use mind::{Fact, SessionId};
use providers::claude::versions::ClaudeVersion;
use serde_json::json;
use sim::api::{Block, Step, Usage, Voice};

use sim::real_stage::{RealStage, act, arbiter, bash, orchestrator, reports, says, subagents};

const CHECK: &str = "checks: [[\"grep\", \"-q\", \"stone\", \"bridge.txt\"]]\n";

fn usage(cache_read: u64) -> Usage {
    Usage { input: 10, cache_read, cache_creation: 90, output: 50 }
}

fn tool(name: &str, input: serde_json::Value) -> Block {
    Block::Tool { name: name.to_owned(), input }
}

#[test]
fn a_whole_mission_with_scouts_subagents_warnings_a_successor_and_an_audit() {
    whole_mission(sim::claude::chosen());
}

#[test]
fn a_whole_mission_in_the_newest_version() {
    whole_mission(sim::claude::newest());
}

fn whole_mission(version: ClaudeVersion) {
    let scout = Voice::new("scout", vec![Step::say("There is no bridge yet.").forever()])
        .system_contains("You are a read-only subagent")
        .agent(true);
    let helper = subagents([
        bash("printf 'stone\\n' > bridge.txt").usage(usage(190_000)),
        Step::say("It is written."),
    ]);
    let manager = arbiter([
        Step::tool(
            "Agent",
            json!({"subagent_type": "scout", "description": "look", "prompt": "Is there a bridge?"}),
        )
        .when("Study it and the code base"),
        says(json!({"intent": "address_human", "asks": "alignment", "message": "One file. Shall it begin?"}))
            .when("There is no bridge yet."),
        act("summon_orchestrator", "Let one come."),
        act("address_orchestrator", "Write bridge.txt.").when("Awaiting Input"),
        act("summon_orchestrator", "Let another take over.").when("Orchestrator I - Handoff"),
        act("address_orchestrator", "See whether it stands.").when("Awaiting Input"),
        says(json!({"intent": "summon_orchestrator", "agent": "verifier", "message": "Let one judge."}))
            .when("Orchestrator II - Handoff"),
        act("address_orchestrator", "Audit it.").when("Awaiting Input"),
        says(
            json!({"intent": "release_orchestrators", "claim": "complete", "message": "The bridge stands."}),
        )
        .when("Verdict: pass"),
    ]);
    let create = |subject: &str| tool("TaskCreate", json!({"subject": subject, "description": "d"}));
    let first = orchestrator(
        "I",
        [
            reports("introduction", "I am Orchestrator I."),
            Step::message([create("Write it"), create("Commit it")]).usage(usage(60_000)),
            Step::tool(
                "Agent",
                json!({"subagent_type": "general-purpose", "description": "write", "prompt": "Write bridge.txt"}),
            )
            .usage(usage(100_000)),
            Step::message([
                tool("TaskUpdate", json!({"taskId": "1", "status": "completed"})),
                tool("Bash", json!({"command": "git add bridge.txt && git commit -qm Bridge", "description": "c"})),
            ])
            .usage(usage(142_000)),
            bash("sleep 0.3; exit 3").usage(usage(145_000)),
            bash("sleep 0.3").usage(usage(171_000)),
            bash("sleep 0.3").usage(usage(172_000)),
            reports("handoff", "Written and committed; nothing else was begun.").usage(usage(173_000)),
        ],
    );
    let second = orchestrator(
        "II",
        [
            reports("introduction", "I am Orchestrator II."),
            bash("cat bridge.txt"),
            Step::tool("TaskUpdate", json!({"taskId": "2", "status": "completed"})),
            reports("handoff", "It stands."),
        ],
    );
    let verifier = orchestrator(
        "III",
        [
            reports("introduction", "I am the audit."),
            bash("grep stone bridge.txt"),
            says(json!({"kind": "handoff", "expects_response": true, "message": "Sound.", "verdict": "pass",
                        "findings": []})),
        ],
    );
    let voices = [scout, helper, manager, first, second, verifier];
    // The window of this model is the same in every version.
    let Some(stage) = RealStage::set_in_version(version, crate::BINARY, "claude-sonnet-4-6", CHECK, voices)
    else {
        return;
    };
    stage.begin().completes();

    // The journal knows what every session ran.
    for session in 1..=4 {
        assert_eq!(stage.count(&format!("ProgramVersion s{session} {version}")), 1, "{}", stage.story());
    }

    // The warnings reached the model itself, once each, and no subagent.
    for (words, percent) in [("Your context is 71% full", 70), ("Your context is 85% full", 85)] {
        assert_eq!(stage.heard_by("orchestrator I", words), 1, "{words}\n{}", stage.story());
        assert_eq!(stage.heard_by("subagent", words), 0);
        assert_eq!(stage.count(&format!("Warned s2 {percent}%")), 1, "{}", stage.story());
    }
    // The gauge is what the API counted, to the token, and subagents do not count.
    let gauges: Vec<(u64, u64)> = stage
        .facts()
        .iter()
        .filter_map(|fact| match fact {
            Fact::Session(SessionId(2), SessionFact::Context(ContextFact::Gauged(gauge))) => {
                Some((gauge.used, gauge.window))
            }
            Fact::Mission(_)
            | Fact::Talk(_)
            | Fact::Session(..)
            | Fact::Gate(..)
            | Fact::Docket(..)
            | Fact::Conductor(_) => None,
        })
        .collect();
    let expected = [60_150, 100_150, 142_150, 145_150, 171_150, 172_150, 173_150];
    for used in expected {
        assert!(gauges.contains(&(used, 200_000)), "{used}: {gauges:?}");
    }
    assert!(!gauges.iter().any(|(used, _)| *used > 173_150), "{gauges:?}");
    // The quest log is what the tools said; the successor found it and closed it.
    for (session, last) in [(2, TaskStatus::Pending), (3, TaskStatus::Done)] {
        let tasks = stage.facts().iter().rev().find_map(|fact| match fact {
            Fact::Session(SessionId(id), SessionFact::Work(WorkFact::Tasks(tasks))) if *id == session => {
                Some(tasks.clone())
            }
            Fact::Mission(_)
            | Fact::Talk(_)
            | Fact::Session(..)
            | Fact::Gate(..)
            | Fact::Docket(..)
            | Fact::Conductor(_) => None,
        });
        let tasks: Vec<(String, TaskStatus)> =
            tasks.expect("a checklist").iter().map(|task| (task.title.to_string(), task.status)).collect();
        let expected = [("Write it".to_owned(), TaskStatus::Done), ("Commit it".to_owned(), last)];
        assert_eq!(tasks, expected, "s{session}");
    }
    // It is proven, and the work lies in the project.
    let refs = stage.theatre.git(&["show", &format!("refs/arbiter/{}:bridge.txt", stage.id())]);
    assert_eq!(refs, "stone\n");
    assert_eq!(stage.count("Receipt"), 1, "{}", stage.story());
}
