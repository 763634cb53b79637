//! The configuration as `arbiter config` prints it: each value and where it comes from, and beside it what does not count.

use mind::charter::WarningPolicy;

use super::{Config, Origin, claude, conduct, docket, duration, policy};

impl Config {
    /// One line for each key: `key = value  (origin)`; what of the project's file does not count follows its key.
    #[must_use]
    pub fn describe(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (key, value, origin) in self.values() {
            lines.push(format!("{key} = {value}  ({origin})"));
            lines.extend(self.passed_over(key));
        }
        for prompt in self.loosenings.iter().filter(|loosening| loosening.line.is_none()) {
            let told =
                || format!("{} = {}  (project file {})", prompt.key, prompt.value(), prompt.whereabouts());
            lines.push(self.passed_over(&prompt.key).next().unwrap_or_else(told));
        }
        lines
    }

    /// What the project says of `key` in vain.
    fn passed_over(&self, key: &str) -> impl Iterator<Item = String> {
        let ignored = self.ignored().iter().filter(move |loosening| loosening.key == key);
        ignored.map(|ignored| {
            let (value, file) = (ignored.value(), ignored.whereabouts());
            format!("{} = {value}  (not counted: project file {file}, {})", ignored.key, self.standing)
        })
    }

    fn values(&self) -> Vec<(&'static str, String, &Origin)> {
        let warning_policy = match self.warning_policy.value {
            WarningPolicy::Warn => "warn",
            WarningPolicy::Silent => "silent",
            WarningPolicy::Off => "off",
        };
        let program = self.claude_program.value.as_ref().map(|program| program.display().to_string());
        let model = self.claude_model.value.as_deref().unwrap_or("its own default");
        let settings = claude::word(&claude::SETTINGS, &self.claude_settings.value);
        let routing = claude::word(&claude::ROUTINGS, &self.claude_routing.value);
        let mode = claude::word(&policy::MODES, &self.policy_mode.value);
        let headless = claude::word(&docket::HEADLESS, &self.headless.value);
        let mut values = vec![
            ("provider.default", self.provider.value.clone(), &self.provider.origin),
            (
                "claude.program",
                program.unwrap_or_else(|| "claude on PATH".to_owned()),
                &self.claude_program.origin,
            ),
            ("claude.settings", settings.to_owned(), &self.claude_settings.origin),
            ("claude.routing", routing.to_owned(), &self.claude_routing.origin),
            ("claude.model", model.to_owned(), &self.claude_model.origin),
            ("policy.mode", mode.to_owned(), &self.policy_mode.origin),
            ("policy.allow", format!("{:?}", self.policy_allow.value), &self.policy_allow.origin),
        ];
        values.extend(self.sandbox.values());
        values.extend([
            ("checks", format!("{:?}", self.check_argvs()), &self.checks.origin),
            ("check_limit", duration::show(self.check_limit.value), &self.check_limit.origin),
            ("warnings.first", self.first_warning.value.to_string(), &self.first_warning.origin),
            ("warnings.last", self.last_warning.value.to_string(), &self.last_warning.origin),
            ("warnings.policy", warning_policy.to_owned(), &self.warning_policy.origin),
            ("silence", duration::show(self.silence.value), &self.silence.origin),
            ("tool_silence", duration::show(self.tool_silence.value), &self.tool_silence.origin),
            ("docket.dir", self.docket_dir.value.display().to_string(), &self.docket_dir.origin),
            ("docket.away_after", duration::show(self.away_after.value), &self.away_after.origin),
            ("docket.headless", headless.to_owned(), &self.headless.origin),
        ]);
        values.extend(self.conduct_values());
        values.extend(self.terminal.values());
        values
    }

    fn conduct_values(&self) -> Vec<(&'static str, String, &Origin)> {
        let conduct = &self.conduct;
        let judge = conduct.judge.value.map(|judge| claude::word(&conduct::JUDGES, &judge).to_owned());
        let or = |value: Option<String>, otherwise: &str| value.unwrap_or_else(|| otherwise.to_owned());
        let parts = |value: Option<u64>, parts: u64| value.map(|value| shown_parts(value, parts));
        vec![
            ("arbiter.provider", or(judge, "the mission's own"), &conduct.judge.origin),
            ("arbiter.model", or(conduct.model.value.clone(), "its own default"), &conduct.model.origin),
            ("arbiter.maxTokens", conduct.max_tokens.value.to_string(), &conduct.max_tokens.origin),
            (
                "arbiter.temperature",
                or(parts(conduct.temperature_milli.value, 1_000), "its own default"),
                &conduct.temperature_milli.origin,
            ),
            ("arbiter.cache", conduct.cache.value.to_string(), &conduct.cache.origin),
            (
                "arbiter.baseUrl",
                or(conduct.base_url.value.clone(), "the vendor's own"),
                &conduct.base_url.origin,
            ),
            (
                "arbiter.kind",
                claude::word(&conduct::KINDS, &conduct.kind.value).to_owned(),
                &conduct.kind.origin,
            ),
            ("agents.default", conduct.default_agent.value.clone(), &conduct.default_agent.origin),
            (
                "limits.maxIterations",
                conduct.max_iterations.value.to_string(),
                &conduct.max_iterations.origin,
            ),
            ("limits.maxFailures", conduct.max_failures.value.to_string(), &conduct.max_failures.origin),
            (
                "limits.deadline",
                or(conduct.deadline.value.map(duration::show), "none"),
                &conduct.deadline.origin,
            ),
            (
                "limits.budgetUsd",
                or(parts(conduct.budget_microusd.value, 1_000_000), "none"),
                &conduct.budget_microusd.origin,
            ),
            (
                "limits.budgetTokens",
                or(conduct.budget_tokens.value.map(|tokens| tokens.to_string()), "none"),
                &conduct.budget_tokens.origin,
            ),
            (
                "provider.arbiter",
                if conduct.by_api.value { "api" } else { "default" }.to_owned(),
                &conduct.by_api.origin,
            ),
            ("provider.routes", format!("[{}]", conduct.routes.value.join(", ")), &conduct.routes.origin),
            (
                "memory.keeper",
                claude::word(&conduct::KEEPINGS, &conduct.keeping.value).to_owned(),
                &conduct.keeping.origin,
            ),
        ]
    }
}

/// A number of parts as the number it was written as.
pub(super) fn shown_parts(value: u64, parts: u64) -> String {
    (value as f64 / parts as f64).to_string()
}
