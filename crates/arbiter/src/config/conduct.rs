//! What a conducted mission is configured with: `arbiter`, `agents`, `limits`, `memory` and the providers' routes. What a
//! provider cannot honour is refused.

use std::sync::Arc;
use std::time::Duration;

use mind::conductor::limits::DECISION_TOKENS_DEFAULT;
use mind::conductor::{Conducting, Decider, Keeping, Limits};

use super::error::{ConfigError, Place, shown};
use super::node::{Node, Value};
use super::reader::{Found, Reader};
use super::{Config, Setting, pick, some};

/// The keys of the section `arbiter`.
pub(super) const ARBITER_KEYS: &[&str] =
    &["provider", "model", "maxTokens", "temperature", "cache", "baseUrl", "kind"];
/// The keys of the section `agents`.
pub(super) const AGENTS_KEYS: &[&str] = &["default"];
/// The keys of the section `limits`.
pub(super) const LIMITS_KEYS: &[&str] =
    &["maxIterations", "maxFailures", "deadline", "budgetUsd", "budgetTokens"];
/// The keys of the section `memory`.
pub(super) const MEMORY_KEYS: &[&str] = &["keeper"];
pub(super) const JUDGES: [(&str, Judge); 4] = [
    ("api", Judge::Api),
    ("claude", Judge::Claude),
    ("rehearsal", Judge::Rehearsal),
    ("none", Judge::Nobody),
];
pub(super) const KINDS: [(&str, ApiKind); 2] =
    [("anthropic", ApiKind::Anthropic), ("openai", ApiKind::OpenAi)];
pub(super) const KEEPINGS: [(&str, Keeping); 3] =
    [("off", Keeping::Off), ("end", Keeping::End), ("each", Keeping::Each)];

/// Who works first if no file says so.
pub const AGENT_DEFAULT: &str = "planner";
/// The longest address of an API, in bytes.
const URL_BYTES_MAX: usize = 500;
/// Tokens of a decision: more than anybody needs.
const DECISION_TOKENS_MAX: u64 = 100_000;
/// Dollars of a mission: more than anybody means.
const USD_MAX: u64 = 1_000_000;

/// Who decides where rules do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// A model behind an API.
    Api,
    /// Claude Code, one short run for each decision.
    Claude,
    /// The rehearsal's script.
    Rehearsal,
    /// Nobody: the fixed order does.
    Nobody,
}

/// What an API speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ApiKind {
    /// The Messages API.
    #[default]
    Anthropic,
    /// What many servers speak, local ones too.
    OpenAi,
}

/// How an API is reached. The key is the environment's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Api {
    /// What it speaks.
    pub kind: ApiKind,
    /// Where it is; the vendor's own address if none.
    pub base_url: Option<String>,
    /// The model.
    pub model: String,
    /// Tokens of an answer.
    pub max_tokens: u32,
    /// In thousandths; the model's own if none.
    pub temperature_milli: Option<u32>,
}

/// What one file says of it.
#[derive(Debug, Default)]
pub(super) struct ConductLayer {
    pub(super) judge: Found<Judge>,
    pub(super) model: Found<String>,
    pub(super) max_tokens: Found<u64>,
    pub(super) temperature_milli: Found<u64>,
    pub(super) cache: Found<bool>,
    pub(super) base_url: Found<String>,
    pub(super) kind: Found<ApiKind>,
    pub(super) default_agent: Found<String>,
    pub(super) waiting_agent: Found<String>,
    pub(super) max_iterations: Found<u64>,
    pub(super) max_failures: Found<u64>,
    pub(super) deadline: Found<Duration>,
    pub(super) budget_microusd: Found<u64>,
    pub(super) budget_tokens: Found<u64>,
    pub(super) routes: Found<Vec<String>>,
    pub(super) keeping: Found<Keeping>,
    pub(super) by_api: Found<bool>,
}

/// What counts of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conduct {
    /// `arbiter.provider`: who decides; the mission's own provider if none.
    pub judge: Setting<Option<Judge>>,
    /// `arbiter.model`.
    pub model: Setting<Option<String>>,
    /// `arbiter.maxTokens`: tokens of a decision.
    pub max_tokens: Setting<u64>,
    /// `arbiter.temperature`, in thousandths.
    pub temperature_milli: Setting<Option<u64>>,
    /// `arbiter.cache`: whether equal inputs are decided once.
    pub cache: Setting<bool>,
    /// `arbiter.baseUrl`: where the API is. Only from the user's own file.
    pub base_url: Setting<Option<String>>,
    /// `arbiter.kind`: what the API speaks.
    pub kind: Setting<ApiKind>,
    /// `agents.default`: who works first.
    pub default_agent: Setting<String>,
    /// The same as the project says it, where that does not count.
    pub waiting_agent: Option<(String, Place)>,
    /// `limits.maxIterations`: runs of agents.
    pub max_iterations: Setting<u64>,
    /// `limits.maxFailures`: failures in a row.
    pub max_failures: Setting<u64>,
    /// `limits.deadline`: how long a mission may take.
    pub deadline: Setting<Option<Duration>>,
    /// `limits.budgetUsd`, in millionths of a dollar.
    pub budget_microusd: Setting<Option<u64>>,
    /// `limits.budgetTokens`.
    pub budget_tokens: Setting<Option<u64>>,
    /// `provider.routes`: providers in the order in which they are tried.
    pub routes: Setting<Vec<String>>,
    /// `memory.keeper`: when notes are taken.
    pub keeping: Setting<Keeping>,
    /// `provider.arbiter: api`: a council's Arbiter is spoken to over the API of `arbiter`. Only from the user's own file.
    pub by_api: Setting<bool>,
}

impl Conduct {
    pub(super) fn join(own: ConductLayer, user: ConductLayer) -> Conduct {
        let limits = Limits::default();
        Conduct {
            judge: pick(some(own.judge), some(user.judge), None),
            model: pick(some(own.model), some(user.model), None),
            max_tokens: pick(own.max_tokens, user.max_tokens, u64::from(DECISION_TOKENS_DEFAULT)),
            temperature_milli: pick(some(own.temperature_milli), some(user.temperature_milli), None),
            cache: pick(own.cache, user.cache, false),
            base_url: pick(some(own.base_url), some(user.base_url), None),
            kind: pick(own.kind, user.kind, ApiKind::default()),
            default_agent: pick(own.default_agent, user.default_agent, AGENT_DEFAULT.to_owned()),
            waiting_agent: own.waiting_agent,
            max_iterations: pick(own.max_iterations, user.max_iterations, u64::from(limits.max_iterations)),
            max_failures: pick(own.max_failures, user.max_failures, u64::from(limits.max_failures)),
            deadline: pick(some(own.deadline), some(user.deadline), None),
            budget_microusd: pick(some(own.budget_microusd), some(user.budget_microusd), None),
            budget_tokens: pick(some(own.budget_tokens), some(user.budget_tokens), None),
            routes: pick(own.routes, user.routes, Vec::new()),
            keeping: pick(own.keeping, user.keeping, Keeping::default()),
            by_api: pick(own.by_api, user.by_api, false),
        }
    }

    /// Whoever decides must be able to honour what is said of it, even if two files say it.
    pub(super) fn weigh(&self, faults: &mut Vec<ConfigError>) {
        let bad = |name: &str, faults: &[ConfigError]| faults.iter().any(|fault| fault.key() == Some(name));
        if bad("arbiter.provider", faults) {
            return;
        }
        let (who, honours): (&str, &[&str]) = match self.judge.value {
            Some(Judge::Api) => ("an API", ARBITER_KEYS),
            Some(Judge::Claude) => ("Claude Code", &["model", "cache"]),
            Some(Judge::Rehearsal) => ("a rehearsal", &["cache"]),
            Some(Judge::Nobody) => ("the fixed order", &[]),
            None => ("the mission's own provider", &["model", "cache"]),
        };
        let said = [
            ("model", self.model.origin.place()),
            ("maxTokens", self.max_tokens.origin.place()),
            ("temperature", self.temperature_milli.origin.place()),
            ("cache", self.cache.origin.place()),
            ("baseUrl", self.base_url.origin.place()),
            ("kind", self.kind.origin.place()),
        ];
        for (key, place) in said {
            let Some(place) = place.filter(|_| !honours.contains(&key)) else { continue };
            let hint = match self.judge.origin.place() {
                Some(at) => format!("`arbiter.provider: api` could ({at} says otherwise); else leave it out"),
                None => "`arbiter.provider: api` could; else leave it out".to_owned(),
            };
            let problem = format!("{who} cannot honour this");
            let (place, key) = (place.clone(), format!("arbiter.{key}"));
            faults.push(ConfigError::BadValue { place, key, problem, hint: Some(hint) });
        }
        let is_api = self.judge.value == Some(Judge::Api);
        if let Some(place) = self.by_api.origin.place().filter(|_| self.by_api.value && !is_api) {
            let (place, key) = (place.clone(), "provider.arbiter".to_owned());
            let problem = "nothing says which API that is".to_owned();
            let hint = Some("write `arbiter: { provider: api, model: NAME }` beside it".to_owned());
            faults.push(ConfigError::BadValue { place, key, problem, hint });
        }
        let Some(place) = self.judge.origin.place().filter(|_| is_api) else {
            return;
        };
        if self.model.value.is_none() && !bad("arbiter.model", faults) {
            let (key, problem) =
                ("arbiter.provider".to_owned(), "an API needs to be told the model".to_owned());
            let hint = Some("write `arbiter: { provider: api, model: claude-haiku-4-5 }`".to_owned());
            faults.push(ConfigError::BadValue { place: place.clone(), key, problem, hint });
        }
        let warmest = match self.kind.value {
            ApiKind::Anthropic => 1_000,
            ApiKind::OpenAi => 2_000,
        };
        if let (Some(milli), Some(place)) =
            (self.temperature_milli.value, self.temperature_milli.origin.place())
            && milli > warmest
        {
            let (key, hint) =
                ("arbiter.temperature".to_owned(), Some("write 0.3, or leave it out".to_owned()));
            let problem = format!("this API takes numbers from 0 to {}", warmest / 1_000);
            faults.push(ConfigError::BadValue { place: place.clone(), key, problem, hint });
        }
    }
}

impl Config {
    /// How a mission is conducted whose sessions `provider` makes.
    #[must_use]
    pub fn conducting(&self, dry_run: bool, provider: &str) -> Conducting {
        let conduct = &self.conduct;
        let judge = match conduct.judge.value {
            Some(Judge::Api) => Some("api"),
            Some(Judge::Claude) => Some("claude"),
            Some(Judge::Nobody) => None,
            // Without a script there is nothing to rehearse.
            Some(Judge::Rehearsal) | None => Some(provider),
        };
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let decider = judge.map(|judge| Decider {
            provider: Arc::from(judge),
            model: conduct.model.value.as_deref().map(Arc::from),
            max_tokens: small(conduct.max_tokens.value),
            temperature_milli: conduct.temperature_milli.value.map(small),
            cache: conduct.cache.value,
        });
        Conducting {
            default_agent: Arc::from(conduct.default_agent.value.as_str()),
            limits: Limits {
                max_iterations: small(conduct.max_iterations.value),
                max_failures: small(conduct.max_failures.value),
                deadline_ms: conduct.deadline.value.map(|deadline| deadline.as_millis() as u64),
                budget_microusd: conduct.budget_microusd.value,
                budget_tokens: conduct.budget_tokens.value,
            },
            decider,
            routes: conduct.routes.value.clone(),
            keeping: conduct.keeping.value,
            dry_run,
        }
    }

    /// How the API is reached, if one is configured.
    #[must_use]
    pub fn api(&self) -> Option<Api> {
        let conduct = &self.conduct;
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        conduct.model.value.clone().filter(|_| conduct.judge.value == Some(Judge::Api)).map(|model| Api {
            kind: conduct.kind.value,
            base_url: conduct.base_url.value.clone(),
            model,
            max_tokens: small(conduct.max_tokens.value),
            temperature_milli: conduct.temperature_milli.value.map(small),
        })
    }
}

impl Reader<'_> {
    pub(super) fn arbiter(&mut self, node: &Node, conduct: &mut ConductLayer) {
        for (key, node) in self.entries("arbiter", node) {
            let path = format!("arbiter.{key}");
            match key.as_str() {
                "provider" => conduct.judge = self.choice(&path, node, ["provider", "providers"], &JUDGES),
                "model" => conduct.model = self.model(&path, node),
                "maxTokens" => conduct.max_tokens = self.whole(&path, node, 1..=DECISION_TOKENS_MAX),
                "temperature" => conduct.temperature_milli = self.fraction(&path, node, 2, 1_000),
                "cache" => conduct.cache = self.truth(&path, node),
                "kind" => conduct.kind = self.choice(&path, node, ["kind", "kinds"], &KINDS),
                "baseUrl" if self.is_own(&path, node, "where your keys and prompts go") => {
                    conduct.base_url = self.address(&path, node);
                }
                _ => {}
            }
        }
    }

    pub(super) fn agents(&mut self, node: &Node, conduct: &mut ConductLayer) {
        for (_, node) in self.entries("agents", node) {
            let Value::Text(name) = &node.value else {
                self.bad_kind("agents.default", node, "the name of an agent", "`arbiter agents` lists them");
                continue;
            };
            conduct.default_agent = Some((name.clone(), self.place(node)));
        }
    }

    pub(super) fn limits(&mut self, node: &Node, conduct: &mut ConductLayer) {
        for (key, node) in self.entries("limits", node) {
            let path = format!("limits.{key}");
            match key.as_str() {
                "maxIterations" => conduct.max_iterations = self.whole(&path, node, 1..=100_000),
                "maxFailures" => conduct.max_failures = self.whole(&path, node, 1..=1_000),
                "deadline" => conduct.deadline = self.duration(&path, node),
                "budgetUsd" => {
                    conduct.budget_microusd = self.fraction(&path, node, USD_MAX, 1_000_000);
                    if conduct.budget_microusd.as_ref().is_some_and(|(budget, _)| *budget == 0) {
                        conduct.budget_microusd = None;
                        let hint = "without a budget leave it out".to_owned();
                        self.bad(&path, node, "nothing can be done for nothing".to_owned(), Some(hint));
                    }
                }
                _ => conduct.budget_tokens = self.whole(&path, node, 1..=u64::MAX),
            }
        }
    }

    pub(super) fn memory(&mut self, node: &Node, conduct: &mut ConductLayer) {
        for (_, node) in self.entries("memory", node) {
            conduct.keeping = self.choice("memory.keeper", node, ["value", "values"], &KEEPINGS);
        }
    }

    fn address(&mut self, key: &str, node: &Node) -> Found<String> {
        let hint = "write the beginning of its address: http://localhost:11434/v1";
        let Value::Text(written) = &node.value else {
            self.bad_kind(key, node, "an address", hint);
            return None;
        };
        let rest = written.strip_prefix("https://").or_else(|| written.strip_prefix("http://"));
        let is_address = rest
            .is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '['))
            && written.bytes().all(|sign| sign.is_ascii_graphic() && !b"\"<>\\^`{|}?#@".contains(&sign))
            && written.len() <= URL_BYTES_MAX;
        if !is_address {
            // What stands before an `@` may be a secret, and is not printed.
            let problem = match written.contains('@') {
                true => "a name or a password stands in it".to_owned(),
                false => format!("{} is not the address of an API", shown(written)),
            };
            self.bad(key, node, problem, Some(hint.to_owned()));
            return None;
        }
        Some((written.trim_end_matches('/').to_owned(), self.place(node)))
    }
}
