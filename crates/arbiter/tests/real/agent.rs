//! A session of the real program that plays an agent: it has the agent's tools and no others, its limits hold in every
//! command, and its turn ends in the agent's own answer.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mind::access::{Access, AccessMap};
use mind::conductor::agent::{AgentAssignment, AgentTools, BashLimits};
use mind::effect::SessionCommand;
use mind::event::TurnEnd;
use mind::policy::{Policy, PolicyMode};
use mind::session::{Profile, Role};
use mind::{AgentEvent, SessionId, TurnId};
use providers::claude::{Claude, ClaudeOptions, Routing, Settings};
use providers::{NoteSink, SessionProvider as _};
use serde_json::json;
use sim::SessionSeed;
use sim::api::{Api, Scenario, Step, Voice};
use tokio::sync::mpsc;

use sim::real_stage::{bash, says};

/// A reviewer: it reads, and runs what it may.
fn reviewer() -> AgentAssignment {
    let words = |line: &str| line.split(' ').map(Into::into).collect();
    let tools = AgentTools {
        allowed: Some(["Read", "Bash"].map(Into::into).to_vec()),
        blocked: Vec::new(),
        bash: BashLimits { allow: vec![words("ls"), words("git log"), words("touch")], deny: Vec::new() },
    };
    let schema = json!({
        "type": "object",
        "properties": {
            "outcome": {"type": "string", "enum": ["success", "failure"]},
            "summary": {"type": "string"},
            "verdict": {"type": "string", "enum": ["approved", "needsChanges"]}
        },
        "required": ["outcome", "summary", "verdict"]
    });
    AgentAssignment { name: "reviewer".into(), tools, schema: Arc::new(schema) }
}

/// All the trust there is: what is denied then is denied by the agent's own limits.
fn trusting(world: &Path) -> (Policy, AccessMap) {
    let place = |name: &str| world.join(name).display().to_string();
    let views = [(place("clone"), Access::Write)].into();
    let lay = AccessMap { clone: place("clone"), home: place("home"), views };
    (Policy { mode: PolicyMode::Open, ..Policy::default() }, lay)
}

/// Plays one turn and gives everything that was told, up to its end.
async fn turn(options: &ClaudeOptions, world: &Path, casting: AgentAssignment) -> Vec<AgentEvent> {
    let profile = Profile {
        session: SessionId(1),
        role: Role::Agent,
        number: 1,
        provider: "claude".into(),
        model: Some("claude-opus-4-8".into()),
        key: "0b8f3a50-0000-4000-8000-000000000001".into(),
        prompt: "You are the reviewer.".into(),
        scout: None,
        casting: Some(Arc::new(casting)),
    };
    let (policy, lay) = trusting(world);
    let seed = SessionSeed {
        profile,
        mission: "real-agent".into(),
        policy,
        lay,
        ..SessionSeed::new(world, Role::Agent)
    };
    let (events, mut inbox) = mpsc::channel(64);
    let mut session = Claude::new(options.clone(), NoteSink::default()).start(seed.start(), events);
    let deliver = SessionCommand::Deliver {
        turn: TurnId(1),
        key: "0b8f3a50-0000-4000-8000-000000000002".into(),
        text: "Review it.".into(),
        again: None,
    };
    session.try_order(deliver).expect("it can be told");
    let mut told = Vec::new();
    let all = async {
        while let Some(event) = inbox.recv().await {
            let is_over = matches!(
                event,
                AgentEvent::Rested { .. } | AgentEvent::Failed { .. } | AgentEvent::Lost { .. }
            );
            told.push(event);
            if is_over {
                break;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), all).await.expect("the turn ends");
    session.try_order(SessionCommand::End).expect("it can be told");
    session.ended().await;
    told
}

#[test]
fn an_agent_has_its_tools_its_limits_and_its_answer() {
    let Some(program) = sim::claude::real() else { return };
    let world = tempfile::tempdir().expect("a folder can be made");
    let answer = json!({"outcome": "success", "summary": "Sound.", "verdict": "approved"});
    let steps = [
        bash("ls && touch made && git log --oneline"),
        bash("ls; git commit --allow-empty -m mine"),
        bash("ls $(rm -rf README.md)"),
        Step::tool("Write", json!({"file_path": "made", "content": "x"})),
        says(answer.clone()),
    ];
    let voice = Voice::new("reviewer", steps).system_contains("You are the reviewer.");
    let api = Api::start(Scenario::new([voice]));
    let env = sim::claude::sandboxed_env(world.path(), &api.url());
    let options = ClaudeOptions { program, settings: Settings::Isolated, routing: Routing::Tools, env };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let told = runtime.block_on(async {
        let clone = world.path().join("clone");
        workspace::scratch(&clone, &[("README.md", "a river\n")]).await.expect("a repository can be made");
        turn(&options, world.path(), reviewer()).await
    });
    let denied: Vec<&str> = told
        .iter()
        .filter_map(|event| if let AgentEvent::Denied { why, .. } = event { Some(&**why) } else { None })
        .collect();
    assert_eq!(denied.len(), 3, "{told:#?}");
    // It may run touch, but may not change the clone with it.
    assert!(denied[0].contains("this agent changes nothing"), "{}", denied[0]);
    assert!(
        denied[1].contains("this agent changes nothing") && denied[1].contains("may not run git"),
        "{}",
        denied[1]
    );
    assert!(denied[2].contains("this agent may not run rm: its commands are `ls`, `git log` and `touch`"));
    assert!(world.path().join("clone/README.md").exists() && !world.path().join("clone/made").exists());
    let Some(AgentEvent::Rested { end: TurnEnd::Spoke { output, .. }, .. }) = told.last() else {
        panic!("{told:#?}")
    };
    assert_eq!(output.as_ref(), Some(&answer));
    assert!(
        told.iter().any(|event| matches!(event, AgentEvent::Spent { input: 1.., output: 1.., .. })),
        "{told:#?}"
    );
    let request = &api.requests()[0];
    let tools = request.body["tools"].as_array().cloned().unwrap_or_default();
    let mut tools: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    tools.retain(|name| !name.starts_with("mcp__arbiter__"));
    tools.sort_unstable();
    assert_eq!(tools, ["Bash", "Read", "StructuredOutput"]);
    assert!(api.off_script().is_empty());
}
