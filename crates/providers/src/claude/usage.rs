//! The usage of one session: how full the context is, and tokens and cost. The context is what the last request of the
//! main thread held, with its answer. Tokens and cost are what a turn added to the process's own totals, which start at
//! zero with every process: what one process did not report, no other can.

use std::collections::BTreeMap;
use std::sync::Arc;

use mind::AgentEvent;
use mind::session::Gauge;

use super::wire::{ModelUsage, Usage};

use crate::limits::{USAGE_REFUSALS_MAX, WINDOW_ASKED_AT_TOKENS, WINDOW_ASKS_MAX};

/// A guess at the window of a model, by its name. Newer versions give windows of a million tokens to models whose names
/// do not say so.
pub fn window_of(model: Option<&str>) -> u64 {
    match model {
        Some(model) if !model.ends_with("[1m]") && model != "default" => 200_000,
        // Without a name the process takes its largest.
        Some(_) | None => 1_000_000,
    }
}

/// Where a window is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WindowSource {
    /// The model's name, which can be wrong.
    Guess,
    /// An earlier process of the session.
    Remembered,
    /// The process that runs now.
    Named,
}

/// The context and the usage of one session.
#[derive(Debug)]
pub(super) struct Meter {
    window: u64,
    /// Where the window is known from.
    known: WindowSource,
    /// How often the process was asked for the window, and the request that it has not answered yet.
    asks: u32,
    asked: Option<String>,
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
    inside: InsideTurn,
}

/// The usage inside a turn: asked of the process after each answer of a model, where a budget counts it.
#[derive(Debug, Default)]
struct InsideTurn {
    is_watched: bool,
    /// A model has answered since the process was last asked.
    has_news: bool,
    /// The request that the process has not answered.
    asked: Option<String>,
    /// How often in a row the process refused to tell it.
    refusals: u32,
    /// The last answer of a subagent that was counted as news.
    message: Option<String>,
}

impl Meter {
    /// `window` is a guess by the model's name; `before` is what an earlier process of the session said last.
    pub(super) fn new(window: u64, before: Option<&Gauge>) -> Meter {
        let named = before.filter(|gauge| !gauge.is_guess()).map(|gauge| gauge.window);
        Meter {
            window: named.unwrap_or(window),
            known: named.map_or(WindowSource::Guess, |_| WindowSource::Remembered),
            asks: 0,
            asked: None,
            model: None,
            used: before.map(|gauge| gauge.used),
            request: 0,
            streams: false,
            total_microusd: 0,
            told_microusd: 0,
            total_tokens: (0, 0),
            told_tokens: (0, 0),
            inside: InsideTurn::default(),
        }
    }

    /// From now on the process is asked for its usage inside a turn.
    pub(super) fn watch(&mut self) {
        self.inside.is_watched = true;
    }

    /// A model has answered: one of the main thread, or one of a subagent by its id, which comes with each of its blocks.
    pub(super) fn answer_came(&mut self, of_subagent: Option<&str>) {
        let known = of_subagent.is_some() && self.inside.message.as_deref() == of_subagent;
        self.inside.has_news |= !known;
        self.inside.message = of_subagent.map(str::to_owned).or(self.inside.message.take());
    }

    /// Whether the process is to be asked now: one request at a time.
    pub(super) fn wants_usage(&self) -> bool {
        self.inside.is_watched
            && self.inside.has_news
            && self.inside.asked.is_none()
            && self.inside.refusals < USAGE_REFUSALS_MAX
    }

    /// The process was asked for its usage.
    pub(super) fn asks_usage(&mut self, request: String) {
        self.inside.has_news = false;
        self.inside.asked = Some(request);
    }

    /// Whether this answers the request for the usage.
    pub(super) fn is_usage(&mut self, request: &str) -> bool {
        self.inside.asked.take_if(|asked| asked == request).is_some()
    }

    /// The process told its usage inside a turn.
    pub(super) fn usage_told(&mut self) {
        self.inside.refusals = 0;
    }

    /// The process refused to tell it. It is asked again after the next answer of a model; returns whether this was the
    /// last time.
    pub(super) fn usage_refused(&mut self) -> bool {
        self.inside.refusals += 1;
        self.inside.refusals == USAGE_REFUSALS_MAX
    }

    /// Another process starts: its totals start at zero.
    pub(super) fn restart(&mut self) {
        (self.asks, self.asked) = (0, None);
        self.total_microusd = 0;
        self.told_microusd = 0;
        self.total_tokens = (0, 0);
        self.told_tokens = (0, 0);
        (self.inside.has_news, self.inside.asked, self.inside.refusals) = (false, None, 0);
    }

    /// A turn begins with this model.
    pub(super) fn begin(&mut self, model: &str) {
        if self.model.as_deref() == Some(model) {
            return;
        }
        // What an earlier process named was the window of the model that begins now: a session keeps its model.
        let is_first = self.model.replace(model.to_owned()).is_none();
        if !(is_first && self.known != WindowSource::Guess) {
            self.window = window_of(Some(model));
            self.known = WindowSource::Guess;
        }
    }

    /// Whether the process is to be asked for its window now: it has not named one, and the context is so full that the
    /// smallest window would matter soon.
    pub(super) fn wants_window(&self) -> bool {
        self.known != WindowSource::Named
            && self.asked.is_none()
            && self.asks < WINDOW_ASKS_MAX
            && self.used.is_some_and(|used| used >= WINDOW_ASKED_AT_TOKENS)
    }

    /// The process is asked for its window by this request.
    pub(super) fn asks(&mut self, request: &str) {
        self.asks += 1;
        self.asked = Some(request.to_owned());
    }

    /// Whether this request asked for the window; it is answered now. Without an answer it may be asked again.
    pub(super) fn is_answered(&mut self, request: &str) -> bool {
        self.asked.take_if(|asked| asked == request).is_some()
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
        let guessed = self.known == WindowSource::Guess;
        let source = if guessed { "claude, window by the model's name" } else { "claude, its own window" };
        AgentEvent::Gauged(Gauge { guessed, ..Gauge::named(used, self.window, source) })
    }

    /// A turn is over: the process names the window of each model.
    pub(super) fn named(&mut self, models: &BTreeMap<String, ModelUsage>) -> Option<AgentEvent> {
        let model = self.model.as_ref().and_then(|model| models.get(model))?;
        self.name(model.context_window)
    }

    /// The process says how large its window is.
    pub(super) fn name(&mut self, window: Option<u64>) -> Option<AgentEvent> {
        let window = window.filter(|window| *window > 0)?;
        let is_news = self.known == WindowSource::Guess || self.window != window;
        self.known = WindowSource::Named;
        self.window = window;
        self.used.filter(|_| is_news).map(|used| self.read(used))
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
