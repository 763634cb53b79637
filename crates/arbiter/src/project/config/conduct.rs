//! The conductor's settings and the API's. Settings that the chosen provider of moves cannot honour are refused.

use std::sync::Arc;

use mind::conductor::{Conducting, Decider, Limits};

use providers::Provider;
use providers::prices::{self, ModelPrice};

use super::Config;
use super::error::{ConfigError, ConfigPlace};
use super::words::{ApiKind, Judge};

/// How an API is reached. Its key comes from the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Api {
    /// The API's protocol.
    pub kind: ApiKind,
    /// Without it, the vendor's own address.
    pub base_url: Option<String>,
    pub model: String,
    /// The most tokens of one reply.
    pub max_tokens: u32,
    /// In thousandths; the model's own if none.
    pub temperature_milli: Option<u32>,
    /// The user's own price, over the list's.
    pub price: Option<ModelPrice>,
}

impl Config {
    /// The provider that chooses moves must be able to honour its settings, also those of another file.
    pub(super) fn check_judge(&self, faults: &mut Vec<ConfigError>) {
        if is_bad("arbiter.provider", faults) {
            return;
        }
        self.weigh_honours(faults);
        let is_api = self.judge.value == Some(Judge::Api);
        if let Some(place) = self.by_api.origin.place().filter(|_| self.by_api.value && !is_api) {
            let hint = "write `arbiter: { provider: api, model: NAME }` beside it";
            faults.push(place.refuse("provider.arbiter", "no API is configured", hint));
        }
        if let Some(place) = self.judge.origin.place().filter(|_| is_api) {
            self.weigh_api(place, faults);
            self.weigh_price(faults);
        }
    }

    /// An API honours everything in its section.
    fn weigh_honours(&self, faults: &mut Vec<ConfigError>) {
        let (who, honours): (&str, &[&str]) = match self.judge.value {
            Some(Judge::Api) => return,
            Some(Judge::Claude) => ("Claude Code", &["model", "cache"]),
            Some(Judge::Rehearsal) => ("a rehearsal", &["cache"]),
            Some(Judge::FixedOrder) => ("the fixed order", &[]),
            None => ("the mission's own provider", &["model", "cache"]),
        };
        let hint = match self.judge.origin.place() {
            Some(at) => format!("`arbiter.provider: api` could ({at} says otherwise); else leave it out"),
            None => "`arbiter.provider: api` could; else leave it out".to_owned(),
        };
        for (key, _, origin) in self.values() {
            let Some(name) = key.strip_prefix("arbiter.") else { continue };
            if let Some(place) = origin.place().filter(|_| name != "provider" && !honours.contains(&name)) {
                faults.push(place.refuse(key, &format!("{who} cannot honour this"), &hint));
            }
        }
    }

    /// Checks the settings of an API, which was chosen at `chosen`.
    fn weigh_api(&self, chosen: &ConfigPlace, faults: &mut Vec<ConfigError>) {
        if self.judge_model.value.is_none() && !is_bad("arbiter.model", faults) {
            let hint = "write `arbiter: { provider: api, model: claude-haiku-4-5 }`";
            faults.push(chosen.refuse("arbiter.provider", "an API needs a model", hint));
        }
        let warmest = match self.judge_kind.value {
            ApiKind::Anthropic => 1_000,
            ApiKind::OpenAi => 2_000,
        };
        let temperature = &self.judge_temperature_milli;
        if let Some(place) = temperature.origin.place()
            && temperature.value.is_some_and(|milli| milli > warmest)
        {
            let problem = format!("this API takes numbers from 0 to {}", warmest / 1_000);
            faults.push(place.refuse("arbiter.temperature", &problem, "write 0.3, or leave it out"));
        }
    }

    /// The conductor's settings for a mission whose sessions run with `provider`.
    #[must_use]
    pub fn conducting(&self, dry_run: bool, provider: &str) -> Conducting {
        let judge = match self.judge.value {
            Some(Judge::Api) => Some(Provider::Api.name()),
            Some(Judge::Claude) => Some(Provider::Claude.name()),
            Some(Judge::FixedOrder) => None,
            // Without a script there is nothing to rehearse.
            Some(Judge::Rehearsal) | None => Some(provider),
        };
        let decider = judge.map(|judge| Decider {
            provider: Arc::from(judge),
            model: self.judge_model.value.as_deref().map(Arc::from),
            max_tokens: small(self.judge_max_tokens.value),
            temperature_milli: self.judge_temperature_milli.value.map(small),
            cache: self.judge_cache.value,
        });
        Conducting {
            default_agent: Arc::from(self.default_agent.value.as_str()),
            limits: self.limits(),
            decider,
            routes: self.routes.value.clone(),
            keeping: self.keeping.value,
            dry_run,
        }
    }

    /// How far a mission may go, whichever way it works.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            max_iterations: small(self.max_iterations.value),
            max_failures: small(self.max_failures.value),
            deadline_ms: self.deadline.value.map(|deadline| deadline.as_millis() as u64),
            budget_microusd: self.budget_microusd.value,
            budget_tokens: self.budget_tokens.value,
        }
    }

    /// How the API is reached, if one is configured.
    #[must_use]
    pub fn api(&self) -> Option<Api> {
        self.judge_model.value.clone().filter(|_| self.judge.value == Some(Judge::Api)).map(|model| Api {
            kind: self.judge_kind.value,
            base_url: self.judge_base_url.value.clone(),
            model,
            max_tokens: small(self.judge_max_tokens.value),
            temperature_milli: self.judge_temperature_milli.value.map(small),
            price: self.own_price(),
        })
    }

    /// The price that the user wrote; input and output stand in it, or it is a fault.
    fn own_price(&self) -> Option<ModelPrice> {
        let (input, output) = self.price_input.value.zip(self.price_output.value)?;
        Some(ModelPrice {
            input,
            output,
            cache_write: self.price_cache_write.value.unwrap_or(input),
            cache_read: self.price_cache_read.value.unwrap_or(input),
        })
    }

    /// A limit in money counts only what has a price.
    fn weigh_price(&self, faults: &mut Vec<ConfigError>) {
        let written = [
            ("arbiter.price.input", &self.price_input),
            ("arbiter.price.output", &self.price_output),
            ("arbiter.price.cacheWrite", &self.price_cache_write),
            ("arbiter.price.cacheRead", &self.price_cache_read),
        ];
        let first = written.iter().find_map(|(key, setting)| Some((key, setting.origin.place()?)));
        if let Some((key, place)) = first.filter(|_| self.own_price().is_none()) {
            let hint = "write `arbiter: { price: { input: 3, output: 15 } }`, in dollars per million tokens";
            return faults.push(place.refuse(key, "a price needs `input` and `output`", hint));
        }
        let budget = self.budget_microusd.origin.place().filter(|_| self.budget_microusd.value.is_some());
        let Some((place, model)) = budget.zip(self.judge_model.value.as_deref()) else { return };
        if self.own_price().is_none() && prices::listed(model).is_none() {
            let problem = format!(
                "the price of {model} is not known (the list is of {}), so this limit cannot count its calls",
                prices::as_of()
            );
            let hint = "look on the vendor's page, and write `arbiter: { price: { input: 3, output: 15 } }` into your own \
                        configuration, in dollars per million tokens (0 for a server of your own)";
            faults.push(place.refuse("limits.budgetUsd", &problem, hint));
        }
    }
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Whether a fault of `name` was reported already.
fn is_bad(name: &str, faults: &[ConfigError]) -> bool {
    faults.iter().any(|fault| fault.key() == Some(name))
}
