//! The usage of one session: how full the context is, and tokens and cost. The context is what the last request of the
//! main thread held, with its answer. Tokens and cost are what a turn added to the process's own totals, which start at
//! zero with every process: what one process did not report, no other can.

use std::collections::BTreeMap;
use std::sync::Arc;

use mind::AgentEvent;

use super::wire::{ModelUsage, Usage};

/// The window of a model, by its name, until the process has said it.
pub fn window_of(model: Option<&str>) -> u64 {
    match model {
        Some(model) if !model.ends_with("[1m]") && model != "default" => 200_000,
        // Without a name the process takes its largest.
        Some(_) | None => 1_000_000,
    }
}

/// The context and the usage of one session.
#[derive(Debug)]
pub(super) struct Meter {
    window: u64,
    /// Whether the process itself has named the window.
    named: bool,
    model: Option<String>,
    used: Option<u64>,
    /// The size of the request whose answer streams.
    request: u64,
    /// Whether streamed counts come, which are better than those of whole blocks.
    streams: bool,
    total_microusd: u64,
    told_microusd: u64,
    /// Tokens read and written by the process so far, and how many of them were reported.
    total_tokens: (u64, u64),
    told_tokens: (u64, u64),
}

impl Meter {
    pub(super) fn new(window: u64) -> Meter {
        let (model, used) = (None, None);
        Meter {
            window,
            named: false,
            model,
            used,
            request: 0,
            streams: false,
            total_microusd: 0,
            told_microusd: 0,
            total_tokens: (0, 0),
            told_tokens: (0, 0),
        }
    }

    /// Another process starts: its totals start at zero.
    pub(super) fn restart(&mut self) {
        self.total_microusd = 0;
        self.told_microusd = 0;
        self.total_tokens = (0, 0);
        self.told_tokens = (0, 0);
    }

    /// A turn begins with this model.
    pub(super) fn begin(&mut self, model: &str) {
        if self.model.as_deref() != Some(model) {
            self.model = Some(model.to_owned());
            self.window = window_of(Some(model));
            self.named = false;
        }
    }

    /// An answer begins to stream. Its end may not tell the size of the request again.
    pub(super) fn streams(&mut self, usage: Option<Usage>) {
        self.streams = true;
        self.request = usage.map_or(0, |usage| usage.request());
    }

    /// An answer is complete, with its real count.
    pub(super) fn answered(&mut self, usage: Usage) -> Option<AgentEvent> {
        self.streams = true;
        self.gauge(usage.request().max(self.request).saturating_add(usage.output_tokens))
    }

    /// A block of an answer, whose count of output is only a placeholder.
    pub(super) fn block(&mut self, usage: Usage) -> Option<AgentEvent> {
        if self.streams { None } else { self.gauge(usage.request()) }
    }

    fn gauge(&mut self, used: u64) -> Option<AgentEvent> {
        (used > 0 && self.used.replace(used) != Some(used)).then(|| self.read(used))
    }

    fn read(&self, used: u64) -> AgentEvent {
        let source = if self.named { "claude, its own window" } else { "claude, window by the model's name" };
        AgentEvent::Gauged { used, window: self.window, source: Arc::from(source) }
    }

    /// A turn is over: the process names the window of each model.
    pub(super) fn named(&mut self, models: &BTreeMap<String, ModelUsage>) -> Option<AgentEvent> {
        let model = self.model.as_ref().and_then(|model| models.get(model))?;
        let window = model.context_window.filter(|window| *window > 0)?;
        if self.named && self.window == window {
            return None;
        }
        self.named = true;
        self.window = window;
        self.used.map(|used| self.read(used))
    }

    /// The process's total so far.
    pub(super) fn count(&mut self, total_usd: f64) {
        // Totals are small; what is not a number counts for nothing.
        self.total_microusd = self.total_microusd.max((total_usd * 1e6).round().max(0.0) as u64);
    }

    /// What every model of the process, those of subagents too, has taken so far.
    pub(super) fn took(&mut self, models: &BTreeMap<String, ModelUsage>) {
        let (mut input, mut output) = (0, 0);
        for usage in models.values() {
            let cached = usage.cache_read_input_tokens.saturating_add(usage.cache_creation_input_tokens);
            input = u64::saturating_add(input, usage.input_tokens.saturating_add(cached));
            output = u64::saturating_add(output, usage.output_tokens);
        }
        self.total_tokens = (self.total_tokens.0.max(input), self.total_tokens.1.max(output));
    }

    /// The tokens and the cost that were not reported yet, as a report of this name.
    pub(super) fn spent(&mut self, report: &str) -> Option<AgentEvent> {
        let input = self.total_tokens.0.saturating_sub(self.told_tokens.0);
        let output = self.total_tokens.1.saturating_sub(self.told_tokens.1);
        let cost_microusd = self.total_microusd.saturating_sub(self.told_microusd);
        self.told_tokens = self.total_tokens;
        self.told_microusd = self.total_microusd;
        let has_news = input > 0 || output > 0 || cost_microusd > 0;
        has_news.then(|| AgentEvent::Spent { report: Arc::from(report), input, output, cost_microusd })
    }
}
