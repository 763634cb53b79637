//! A conducted mission in a play: who there is, what a model decides, what an agent answers.
//!
//! | line | event |
//! | --- | --- |
//! | `open conducted [no-model] [cache] [keeper] [most 5] [dry] [failures 3] [deadline 10m] [tokens 100] [budget MICROUSD] [runs NAME 2] [timeout] [calls 3] [routes A B]` | a conducted mission is opened |
//! | `prepared [NAME, NAME] [faults: WHY]`, `inspected [FILE FILE]` | a run can begin, with these agents of old; what it changed |
//! | `decides [took TOKENS for MICROUSD] JSON`, `decides text: WORDS`, `decides cut: WORDS`, `decides unavailable [+5m]: WHY`, `decides refused: WHY` | the model answers |
//! | `agent success: WORDS`, `agent failure: WORDS`, `agent VERDICT: WORDS \| ISSUE \| ISSUE` | an agent's turn ends |
//! | `agent plan [sure 40]: STEP @AGENT \| STEP @AGENT <1` | the planner's turn ends |
//! | `agent spent 100 20` and whatever any session does | reports |
//! | `human force NAME`, `human skip`, `human retry` | actions |

use std::sync::Arc;

use serde_json::{Value, json};

use crate::charter::Charter;
use crate::conductor::agent::{
    Agent, AgentDuty, AgentLimits, AgentProvider, AgentTools, Richness, TransitionTarget, Transitions,
    VerdictTransition,
};
use crate::conductor::execution::RunTokens;
use crate::conductor::memory::{Importance, Note};
use crate::conductor::move_record::{ModelReply, ReplyEnd};
use crate::conductor::{Conducting, ConductorEvent, Decider, Limits, NoteKeeping};
use crate::event::Event;
use crate::id::Timestamp;

use super::Stage;
use super::line::span_ms;

/// The agents of a play: small, but with the parts and verdicts of the real ones.
pub fn agents() -> Vec<Agent> {
    let mut planner = agent("planner");
    planner.part = Some(AgentDuty::Planner);
    planner.tools = reads();
    planner.transitions.on_success = TransitionTarget::Agent(Arc::from("developer"));
    let developer = agent("developer");
    let mut tester = judge("tester", &["allPassed", "someFailures", "allFailed", "noTests"]);
    tester.transitions.custom = vec![turn("someFailures", "developer"), turn("allFailed", "developer")];
    let mut reviewer = judge("reviewer", &["approved", "needsChanges", "blocked"]);
    reviewer.tools = reads();
    reviewer.transitions.custom = vec![turn("approved", "complete"), turn("needsChanges", "developer")];
    let mut verifier = agent("verifier");
    verifier.part = Some(AgentDuty::Verifier);
    verifier.tools = reads();
    verifier.internal = true;
    vec![planner, developer, tester, reviewer, verifier]
}

/// The keeper of notes.
pub fn keeper() -> Agent {
    let mut keeper = agent("memory-keeper");
    keeper.part = Some(AgentDuty::Keeper);
    keeper.tools = reads();
    keeper.internal = true;
    keeper
}

/// A note of an earlier mission.
pub fn note(title: &str, text: &str) -> Note {
    Note {
        title: Arc::from(title),
        when_to_use: None,
        tags: Vec::new(),
        importance: Importance::High,
        discovered_at: None,
        discovered_by: None,
        text: Arc::from(text),
    }
}

/// How a play is conducted.
pub fn conducting() -> Conducting {
    Conducting {
        default_agent: Arc::from("planner"),
        limits: Limits::default(),
        decider: Some(Decider {
            provider: Arc::from("rehearsal"),
            model: None,
            max_tokens: 1024,
            temperature_milli: None,
            cache: false,
        }),
        routes: Vec::new(),
        keeping: NoteKeeping::End,
        dry_run: false,
    }
}

/// An agent without anything special.
pub fn agent(name: &str) -> Agent {
    Agent {
        name: Arc::from(name),
        display_name: Arc::from(name),
        when_to_use: None,
        prompt: Arc::from(format!("You are the {name}.")),
        part: None,
        tools: AgentTools::default(),
        transitions: Transitions::default(),
        limits: AgentLimits::default(),
        provider: AgentProvider::default(),
        response: None,
        memory: true,
        input: Richness::Full,
        internal: false,
    }
}

fn judge(name: &str, verdicts: &[&str]) -> Agent {
    let response = json!({"type": "object", "properties": {"verdict": {"type": "string", "enum": verdicts}}});
    Agent { response: Some(Arc::new(response)), ..agent(name) }
}

fn reads() -> AgentTools {
    let allowed = ["Read", "Glob", "Grep", "Bash"].map(Arc::from).into();
    AgentTools { allowed: Some(allowed), ..AgentTools::default() }
}

fn turn(when: &str, target: &str) -> VerdictTransition {
    VerdictTransition {
        when: Arc::from(when),
        target: TransitionTarget::from(target.to_owned()),
        reason: None,
    }
}

/// One word of an `open` line, and those that belong to it. Says whether it is a word of a conducted mission.
pub(super) fn open(charter: &mut Charter, word: &str, mut next: impl FnMut() -> String) -> bool {
    if word == "conducted" {
        charter.agents = agents();
        charter.conducting = Some(Box::new(conducting()));
        return true;
    }
    let Some(conducting) = &mut charter.conducting else { return false };
    match word {
        "no-model" => conducting.decider = None,
        "cache" => conducting.decider.iter_mut().for_each(|decider| decider.cache = true),
        "keeper" => charter.agents.push(keeper()),
        "dry" => conducting.dry_run = true,
        "most" | "failures" | "deadline" | "tokens" | "budget" => {
            super::charter::set_limit(&mut conducting.limits, word, &next());
        }
        "routes" => conducting.routes = vec![next(), next()],
        "runs" => {
            let (name, most) = (next(), super::line::number(&next()));
            let named = charter.agents.iter_mut().filter(|agent| *agent.name == *name);
            named.for_each(|agent| agent.limits.max_iterations = Some(most));
        }
        "timeout" => charter.agents.iter_mut().for_each(|agent| agent.limits.timeout_ms = Some(60_000)),
        "calls" => {
            let most = super::line::number(&next());
            charter.agents.iter_mut().for_each(|agent| agent.limits.max_tool_calls = Some(most));
        }
        _ => return false,
    }
    true
}

impl Stage {
    /// `prepared`, `inspected` and `decides`.
    pub(super) fn conductor_event(&self, line: &str) -> Event {
        let conductor =
            self.state.conductor.as_ref().unwrap_or_else(|| panic!("nothing is conducted: {line:?}"));
        let run = conductor.run.as_ref().map_or(conductor.runs, |run| run.number);
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let event = match verb {
            "prepared" => {
                let (names, fault) = rest.split_once("faults: ").unwrap_or((rest, ""));
                let names: Vec<&str> =
                    names.split(", ").map(str::trim).filter(|name| !name.is_empty()).collect();
                let named = |agent: &&Agent| names.contains(&agent.name.as_ref());
                let some = conductor.agents.iter().filter(named).cloned().collect();
                ConductorEvent::Prepared {
                    run,
                    agents: (!names.is_empty()).then_some(some),
                    notes: None,
                    faults: Some(fault)
                        .filter(|fault| !fault.is_empty())
                        .map(Arc::from)
                        .into_iter()
                        .collect(),
                    tree: self.tree.clone(),
                }
            }
            "inspected" => ConductorEvent::Inspected {
                run,
                tree: self.tree.clone(),
                files: rest.split_whitespace().map(Arc::from).collect(),
            },
            "uninspected:" => ConductorEvent::Hindered { run, why: Arc::from(rest) },
            _ => self.model_answers(rest),
        };
        Event::Conductor(event)
    }

    fn model_answers(&self, text: &str) -> ConductorEvent {
        let asking = self.state.conductor.as_ref().and_then(|conductor| conductor.asking.clone());
        let (number, attempt) = asking.map_or((0, 0), |asking| (asking.number, asking.attempt));
        let (tokens, cost_microusd, text) = taken(text);
        let (head, words) = text.split_once(": ").unwrap_or((text, ""));
        let said = |output, cut| ReplyEnd::Said { output, text: Arc::from(words), cut };
        let end = match head {
            "text" => said(None, false),
            "cut" => said(None, true),
            "refused" => ReplyEnd::Refused { why: Arc::from(words) },
            _ if head.starts_with("unavailable") => ReplyEnd::Unavailable {
                why: Arc::from(words),
                until: head.split_once('+').map(|(_, span)| Timestamp(self.now().0 + span_ms(span))),
            },
            _ => {
                let output: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{text}: {e}"));
                ReplyEnd::Said { output: Some(output), text: Arc::from(""), cut: false }
            }
        };
        ConductorEvent::Answered {
            number,
            attempt,
            answer: ModelReply { end, latency_ms: 5, tokens, cost_microusd },
        }
    }
}

/// What a reply took, and the rest of its line.
fn taken(text: &str) -> (Option<RunTokens>, u64, &str) {
    let Some(rest) = text.strip_prefix("took ") else { return (None, 0, text) };
    let mut words = rest.splitn(4, ' ');
    let (total, _, cost, text) = (words.next(), words.next(), words.next(), words.next());
    let number =
        |word: Option<&str>| word.and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{rest}"));
    let total: u64 = number(total);
    (Some(RunTokens { input: total, output: 0, total }), number(cost), text.unwrap_or_default())
}

/// What an agent answers: `success`, `failure`, `plan` or a verdict, and the words.
pub(super) fn answer(verb: &str, text: &str) -> Value {
    let mut parts = text.split(" | ");
    let summary = parts.next().unwrap_or_default();
    match verb.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["success"] => json!({"outcome": "success", "summary": summary}),
        ["notes"] => json!({
            "outcome": "success", "summary": "noted",
            "notes": text.split(" | ").map(|note| json!({"title": note, "text": note})).collect::<Vec<Value>>()
        }),
        ["failure"] => json!({"outcome": "failure", "summary": summary, "failure": summary}),
        ["plan", sure @ ..] => {
            let confidence = sure.last().map_or(90, |sure| super::line::number::<u32>(sure));
            let steps: Vec<Value> = text.split(" | ").map(step).collect();
            json!({"outcome": "success", "summary": "A plan.", "plan": {"steps": steps, "confidence": confidence}})
        }
        verdict => json!({
            "outcome": "success", "summary": summary, "verdict": verdict.join(" "),
            "issues": parts.collect::<Vec<&str>>()
        }),
    }
}

fn step(text: &str) -> Value {
    let (text, depends_on) = match text.split_once(" <") {
        Some((text, on)) => (text, vec![super::line::number::<u32>(on)]),
        None => (text, Vec::new()),
    };
    let (description, agent) = text.split_once(" @").unwrap_or((text, ""));
    let mut step = json!({"description": description, "dependsOn": depends_on});
    if !agent.is_empty() {
        step["suggestedAgent"] = json!(agent);
    }
    step
}
