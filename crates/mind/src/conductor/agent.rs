//! An agent: a named role with a prompt, tool limits and transitions, for council and conductor. The crate `arbiter` reads
//! agents from their files.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::charter::ProviderChoice;

/// A named role.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    /// A letter, then letters, digits, `_`, `-`; unique.
    pub name: Arc<str>,
    /// How people call it.
    pub display_name: Arc<str>,
    /// When it is the right one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when_to_use: Option<Arc<str>>,
    /// Its system prompt.
    pub prompt: Arc<str>,
    /// Its duty for the machine, if it has one; never guessed from its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<AgentDuty>,
    /// What it may use.
    #[serde(default)]
    pub tools: AgentTools,
    /// Who comes after it.
    #[serde(default)]
    pub transitions: Transitions,
    /// How far one run of it may go.
    #[serde(default)]
    pub limits: AgentLimits,
    /// What its sessions are made of.
    #[serde(default)]
    pub provider: AgentProvider,
    /// Its typed verdict, as a JSON schema of an object.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "crate::canonical::store_option"
    )]
    pub response: Option<Arc<Value>>,
    /// Whether notes of earlier missions are told to it.
    #[serde(default = "yes")]
    pub memory: bool,
    /// How much of the mission a decision about it is told.
    #[serde(default)]
    pub input: Richness,
    /// It is never offered to the arbiter.
    #[serde(default)]
    pub internal: bool,
}

impl Agent {
    /// The words of its verdict; none if it has no such.
    pub fn verdicts(&self) -> Vec<&str> {
        if self.part == Some(AgentDuty::Verifier) {
            return vec!["pass", "fail"];
        }
        let verdict = self.response.as_deref().and_then(|schema| schema.pointer("/properties/verdict/enum"));
        verdict.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// It judges the work of others.
    pub fn bears_verdicts(&self) -> bool {
        self.part == Some(AgentDuty::Verifier)
            || self.response.as_deref().is_some_and(|schema| schema.pointer("/properties/verdict").is_some())
    }

    /// It does the work itself: it may change files, gives no verdicts and has no other part.
    pub fn writes(&self) -> bool {
        self.part.is_none() && !self.tools.read_only() && !self.bears_verdicts()
    }

    /// The transition of a verdict.
    pub fn after(&self, verdict: &str) -> Option<&VerdictTransition> {
        self.transitions.custom.iter().find(|custom| custom.when.as_ref() == verdict)
    }

    /// Whether a verdict speaks against the work: no claim passes while it stands.
    pub fn objects(&self, verdict: &str) -> bool {
        const GOOD: [&str; 4] = ["approved", "allPassed", "noTests", "pass"];
        let completes = self.after(verdict).is_some_and(|custom| custom.target == TransitionTarget::Complete);
        !completes && !GOOD.contains(&verdict)
    }
}

/// A verdict, as people say it: agents' files write `someFailures`.
#[must_use]
pub fn verdict_in_words(written: &str) -> String {
    let mut words = String::with_capacity(written.len() + 4);
    let mut signs = written.chars().peekable();
    let mut last = None;
    while let Some(sign) = signs.next() {
        let begins_word = sign.is_uppercase() && last.is_some_and(|last: char| !last.is_uppercase());
        match sign {
            '_' | '-' => words.push(' '),
            // An acronym keeps its capitals.
            _ if begins_word => {
                words.push(' ');
                match signs.peek() {
                    Some(next) if next.is_lowercase() => words.extend(sign.to_lowercase()),
                    Some(_) | None => words.push(sign),
                }
            }
            _ if sign.is_uppercase()
                && signs.peek().is_some_and(|next| next.is_lowercase())
                && last.is_some() =>
            {
                words.push(' ');
                words.extend(sign.to_lowercase());
            }
            _ => words.push(sign),
        }
        last = Some(sign);
    }
    words
}

/// What a session plays: its casting, and the prompt that follows the role's own.
pub type SessionAssignment = (Arc<AgentAssignment>, Arc<str>);

impl Agent {
    /// What its sessions are started with.
    pub fn cast(&self) -> SessionAssignment {
        let schema = Arc::new(super::answer::schema(self));
        (
            Arc::new(AgentAssignment { name: self.name.clone(), tools: self.tools.clone(), schema }),
            self.prompt.clone(),
        )
    }

    /// What its sessions are made of, where nothing but its own file says otherwise.
    pub fn seat(&self, default: &ProviderChoice) -> ProviderChoice {
        let provider = self.provider.name.clone().unwrap_or_else(|| default.provider.clone());
        let inherited = default.model.clone().filter(|_| provider == default.provider);
        ProviderChoice { model: self.provider.model.clone().or(inherited), provider }
    }
}

/// A duty that the machine gives an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AgentDuty {
    /// Its typed answer is the plan.
    Planner,
    /// Its typed answer is notes for later missions.
    Keeper,
    /// Its typed answer is the verdict that a claim without checks rests on.
    Verifier,
}

/// What an agent may use.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AgentTools {
    /// These alone; everything that its provider offers if none are named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<Vec<Arc<str>>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<Arc<str>>,
    #[serde(default, skip_serializing_if = "BashLimits::is_unlimited")]
    pub bash: BashLimits,
}

/// Commands by their first words. Every command of a line counts, not the first alone.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BashLimits {
    /// These alone, if any are named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<Vec<Arc<str>>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deny: Vec<Vec<Arc<str>>>,
}

impl BashLimits {
    /// It limits nothing.
    pub fn is_unlimited(&self) -> bool {
        self.allow.is_empty() && self.deny.is_empty()
    }
}

/// Tools that change files.
pub const WRITERS: [&str; 4] = ["Edit", "Write", "NotebookEdit", "MultiEdit"];

impl AgentTools {
    /// Whether a tool of this name may be used.
    pub fn allows(&self, tool: &str) -> bool {
        let named = |names: &[Arc<str>]| names.iter().any(|name| name.as_ref() == tool);
        !named(&self.blocked) && self.allowed.as_deref().is_none_or(named)
    }

    /// Nothing that it may use changes files: its commands may not either, and its clone must be as it was.
    pub fn read_only(&self) -> bool {
        WRITERS.iter().all(|tool| !self.allows(tool))
    }
}

/// Which agent comes after this one.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Transitions {
    /// After a success without a verdict of its own.
    #[serde(default)]
    pub on_success: TransitionTarget,
    /// After a failure.
    #[serde(default)]
    pub on_failure: TransitionTarget,
    /// When it has had its iterations.
    #[serde(default)]
    pub on_max_iterations: TransitionTarget,
    /// After a verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom: Vec<VerdictTransition>,
}

/// Who comes after a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VerdictTransition {
    pub when: Arc<str>,
    pub target: TransitionTarget,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Arc<str>>,
}

/// Where a transition leads.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum TransitionTarget {
    /// To this agent.
    Agent(Arc<str>),
    /// To the completion gate.
    Complete,
    /// To the model that chooses moves, or to the fallback.
    #[default]
    Arbiter,
}

impl From<String> for TransitionTarget {
    fn from(word: String) -> TransitionTarget {
        match word.as_str() {
            "complete" => TransitionTarget::Complete,
            "arbiter" => TransitionTarget::Arbiter,
            _ => TransitionTarget::Agent(Arc::from(word)),
        }
    }
}

impl From<TransitionTarget> for String {
    fn from(target: TransitionTarget) -> String {
        target.to_string()
    }
}

impl fmt::Display for TransitionTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TransitionTarget::Agent(name) => f.write_str(name),
            TransitionTarget::Complete => f.write_str("complete"),
            TransitionTarget::Arbiter => f.write_str("arbiter"),
        }
    }
}

/// How far one run of an agent may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentLimits {
    /// Runs of it in one mission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
    /// How long a run may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// Tokens of one run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Tool calls of one run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tool_calls: Option<u32>,
}

/// What an agent's sessions are made of.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentProvider {
    /// The provider; the mission's own if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The model; the provider's own default if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Providers in the order in which they are tried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub routes: Vec<String>,
}

/// How much a decision is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Richness {
    /// Everything the input has room for.
    #[default]
    Full,
    /// Summaries alone: no full outputs.
    Lean,
}

/// What of an agent a session is started with; kept in its profile, so that a resume passes the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentAssignment {
    pub name: Arc<str>,
    /// What it may use.
    pub tools: AgentTools,
    /// What its turn ends in, as a JSON schema.
    #[serde(serialize_with = "crate::canonical::store")]
    pub schema: Arc<Value>,
}

fn yes() -> bool {
    true
}
