//! `getUpdates`: the long poll, and the one poller that may hold it (telegram-bot-api, Client.cpp, commit 025884a:
//! `process_get_updates_query`, `do_get_updates`, `abort_long_poll`, `fail_query_conflict`).

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout_at};

use super::limits::{CONFLICT_PAUSE, POLL_HASTY, POLL_REPEATED, POLL_TIMEOUT_S_MAX, POLL_UPDATES_MAX};
use super::parameters::BotParameters;
use super::refusal::ApiRefusal;
use super::state::{BotState, SharedState};

/// Who polls, and what was polled before.
#[derive(Debug, Default)]
pub(super) struct PollState {
    /// Counts the long polls: only the newest one holds the place.
    newest: u64,
    ended_by: EndedBy,
    offset: Option<i64>,
    began: Option<Instant>,
    next_conflict: Option<Instant>,
}

#[derive(Debug, Clone, Copy, Default)]
enum EndedBy {
    #[default]
    Poller,
    Webhook,
}

impl PollState {
    /// Nothing is known of earlier polls, and none holds the place.
    pub(super) fn ended(&self) -> PollState {
        PollState { newest: self.newest + 1, ..PollState::default() }
    }

    /// A webhook is set: the long poll ends.
    pub(super) fn end_for_webhook(&mut self) {
        self.newest += 1;
        self.ended_by = EndedBy::Webhook;
    }
}

/// What a poll is to wait for.
struct Poll {
    offset: i64,
    limit: usize,
    until: Instant,
    number: u64,
}

pub(super) async fn get_updates(
    shared: &Arc<SharedState>,
    parameters: &BotParameters,
) -> Result<Value, ApiRefusal> {
    let mut bell = shared.bell();
    let begun = shared.change(|state| begin(state, parameters));
    let poll = match begun {
        Begun::Answered(updates) => return Ok(json!(updates)),
        Begun::HasWebhook => {
            return Err(conflict(shared, "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first").await);
        }
        Begun::Waits(poll) => poll,
    };
    loop {
        let rang = timeout_at(poll.until, bell.changed()).await;
        let ended = shared.read(|state| (state.polls.newest != poll.number).then_some(state.polls.ended_by));
        match ended {
            Some(EndedBy::Poller) => {
                let text =
                    "terminated by other getUpdates request; make sure that only one bot instance is running";
                return Err(conflict(shared, text).await);
            }
            Some(EndedBy::Webhook) => return Err(conflict(shared, "terminated by setWebhook request").await),
            None => (),
        }
        let updates = shared.read(|state| state.updates.len() > 0).then(|| {
            shared.change(|state| {
                let now_ms = state.now_ms();
                state.updates.take(poll.offset, poll.limit, now_ms)
            })
        });
        let updates = updates.unwrap_or_default();
        if !updates.is_empty() || rang.is_err() {
            return Ok(json!(updates));
        }
    }
}

enum Begun {
    Answered(Vec<Value>),
    HasWebhook,
    Waits(Poll),
}

fn begin(state: &mut BotState, parameters: &BotParameters) -> Begun {
    if !state.webhook.is_empty() {
        return Begun::HasWebhook;
    }
    let now = Instant::now();
    let offset = parameters.integer("offset").unwrap_or_default();
    let mut limit = parameters.integer("limit").unwrap_or(POLL_UPDATES_MAX).clamp(1, POLL_UPDATES_MAX);
    let seconds = parameters.integer("timeout").unwrap_or_default().clamp(0, POLL_TIMEOUT_S_MAX);
    let mut patience = Duration::from_secs(seconds.unsigned_abs());
    if let Ok(Some(Value::Array(kinds))) = parameters.json("allowed_updates") {
        let kinds: Vec<String> = kinds.iter().filter_map(|kind| Some(kind.as_str()?.to_owned())).collect();
        state.updates.allow(&kinds);
    }
    // Who repeats a poll at once is slowed down.
    if let (true, Some(began)) = (state.polls.offset == Some(offset), state.polls.began) {
        let since = now.saturating_duration_since(began);
        if since < POLL_REPEATED {
            patience = patience.max(POLL_REPEATED);
        }
        if since < POLL_HASTY {
            limit = 1;
        }
    }
    (state.polls.offset, state.polls.began) = (Some(offset), Some(now));
    let limit = usize::try_from(limit).unwrap_or(1);
    let now_ms = state.now_ms();
    let updates = state.updates.take(offset, limit, now_ms);
    if !updates.is_empty() || patience.is_zero() {
        return Begun::Answered(updates);
    }
    // The older one is terminated, not this one.
    state.polls.newest += 1;
    state.polls.ended_by = EndedBy::Poller;
    // What a negative offset forgets, it forgot by now.
    Begun::Waits(Poll { offset: offset.max(0), limit, until: now + patience, number: state.polls.newest })
}

/// The first conflict is told at once, further ones within three seconds are told late.
async fn conflict(shared: &SharedState, text: &str) -> ApiRefusal {
    let now = Instant::now();
    let is_late = shared.change(|state| {
        let is_late = state.polls.next_conflict.is_some_and(|next| now < next);
        if !is_late {
            state.polls.next_conflict = Some(now + CONFLICT_PAUSE);
        }
        is_late
    });
    if is_late {
        sleep(CONFLICT_PAUSE).await;
    }
    ApiRefusal::conflict(text)
}
