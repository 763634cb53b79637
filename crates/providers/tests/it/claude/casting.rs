//! A session that plays an agent: its tools, its answer, its limits, and what it took.

use std::sync::Arc;

use mind::conductor::agent::{AgentAssignment, AgentTools};
use mind::event::TurnEnd;
use mind::session::{Profile, Role};
use mind::{AgentEvent, SessionId};
use providers::claude::launch::ClaudeLaunch;
use providers::claude::{Routing, Settings};
use serde_json::{Value, json};

use super::conversation::{deliver, hear, ready, told};

fn cast(role: Role, tools: Option<AgentTools>, routing: Routing) -> ClaudeLaunch {
    let schema = json!({"type": "object", "properties": {"outcome": {"type": "string"}}});
    let casting = tools
        .map(|tools| Arc::new(AgentAssignment { name: "reviewer".into(), tools, schema: Arc::new(schema) }));
    let profile = Profile {
        session: SessionId(1),
        role,
        number: 1,
        provider: "claude".into(),
        model: None,
        key: "k".into(),
        prompt: "You review.".into(),
        scout: Some("You read.".into()),
        casting,
    };
    ClaudeLaunch::new(&profile, "m", Settings::Isolated, routing)
}

fn tools(allowed: Option<&[&str]>, blocked: &[&str]) -> AgentTools {
    let names = |names: &[&str]| names.iter().map(|name| (*name).into()).collect();
    AgentTools { allowed: allowed.map(names), blocked: names(blocked), ..AgentTools::default() }
}

fn listed(cast: &ClaudeLaunch) -> Vec<String> {
    let at = cast.argv.iter().position(|word| word == "--tools").expect("it has tools");
    cast.argv[at + 1].split(',').map(str::to_owned).collect()
}

#[test]
fn an_agent_has_the_tools_of_its_limits_and_those_it_names() {
    let reader = tools(
        Some(&["Read", "Grep", "Bash", "Agent", "LSP", "StructuredOutput", "mcp__x__y,Write"]),
        &["Bash"],
    );
    let cast_of = |tools| cast(Role::Agent, tools, Routing::Typed);
    assert_eq!(listed(&cast_of(Some(reader.clone()))), ["Read", "Grep", "Task", "LSP"]);
    let all = listed(&cast_of(Some(AgentTools::default())));
    assert_eq!(all, listed(&cast(Role::Orchestrator, None, Routing::Typed)));
    let no_writing = listed(&cast_of(Some(tools(None, &["Edit", "Write", "NotebookEdit", "MultiEdit"]))));
    assert!(!no_writing.iter().any(|tool| ["Edit", "Write", "NotebookEdit"].contains(&tool.as_str())));
    let scout = &cast_of(Some(reader)).initialize["agents"]["scout"]["tools"];
    assert_eq!(scout, &json!(["Read", "Grep"]));
    assert_eq!(cast_of(Some(tools(None, &["Task"]))).initialize.get("agents"), None);
    assert_eq!(listed(&cast_of(Some(tools(Some(&[]), &[])))), [""], "none at all");
    // A verifier of the council stays one, whatever its agent names.
    let verifier = cast(Role::Verifier, Some(tools(Some(&["Read", "Write"]), &[])), Routing::Typed);
    assert_eq!(listed(&verifier), ["Read"]);
}

#[test]
fn an_agents_answer_is_typed_whatever_the_routing_and_the_councils_outputs_stay() {
    for routing in [Routing::Typed, Routing::Tools] {
        let schema = cast(Role::Agent, Some(AgentTools::default()), routing).initialize["jsonSchema"].clone();
        assert_eq!(schema["properties"]["outcome"]["type"], "string");
        assert_eq!(cast(Role::Agent, None, routing).initialize["jsonSchema"]["type"], "object");
    }
    let plain = cast(Role::Orchestrator, None, Routing::Typed).initialize["jsonSchema"].clone();
    let playing =
        cast(Role::Orchestrator, Some(AgentTools::default()), Routing::Typed).initialize["jsonSchema"]
            .clone();
    assert_eq!(plain, playing);
    assert_eq!(
        cast(Role::Orchestrator, Some(AgentTools::default()), Routing::Tools).initialize.get("jsonSchema"),
        None
    );
}

fn result(text: &str, output: Option<Value>, opus: u64, haiku: u64) -> Value {
    let used = |tokens: u64| {
        json!({"inputTokens": tokens, "outputTokens": tokens / 10, "cacheReadInputTokens": 5,
               "cacheCreationInputTokens": 1, "contextWindow": 200_000})
    };
    let mut result = json!({"type": "result", "subtype": "success", "is_error": false, "result": text,
                            "usage": {"input_tokens": 3, "output_tokens": 4},
                            "total_cost_usd": opus as f64 / 1e3,
                            "modelUsage": {"opus": used(opus), "haiku": used(haiku)}});
    if let Some(output) = output {
        result["structured_output"] = output;
    }
    result
}

#[test]
fn a_turn_tells_what_it_took_before_it_rests_and_nothing_twice() {
    let mut conversation = ready(Role::Agent);
    conversation.obey(deliver(1, "Work.", None));
    let answer = json!({"outcome": "success", "summary": "Done."});
    let deeds = hear(&mut conversation, &result("", Some(answer.clone()), 100, 20));
    let [
        AgentEvent::Spent { input: 132, output: 12, cost_microusd: 100_000, .. },
        AgentEvent::Rested { end, .. },
    ] = told(&deeds)[..]
    else {
        panic!("{deeds:?}")
    };
    assert_eq!(*end, TurnEnd::Spoke { output: Some(answer), text: "".into() });
    conversation.obey(deliver(2, "More.", None));
    let deeds = hear(&mut conversation, &result("plain words", None, 150, 20));
    let [
        AgentEvent::Spent { input: 50, output: 5, cost_microusd: 50_000, .. },
        AgentEvent::Rested { end, .. },
    ] = told(&deeds)[..]
    else {
        panic!("{deeds:?}")
    };
    assert_eq!(*end, TurnEnd::Spoke { output: None, text: "plain words".into() });
    conversation.obey(deliver(3, "More.", None));
    let deeds = hear(&mut conversation, &result("nothing new", None, 150, 20));
    assert!(matches!(told(&deeds)[..], [AgentEvent::Rested { .. }]), "{deeds:?}");
}
