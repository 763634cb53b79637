//! How a mission ended or why it stopped, where its work is, and what a person can do next.

use mind::State;
use mind::effect::Leave;
use mind::state::Ended;
use serde::Serialize;

use crate::amount;
use crate::clean::clean;
use crate::login::{login_hint, wants_login};
use crate::receipt::short_commit;
use crate::status::ended_words;

/// The end of one run of a mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EndingView {
    /// It went as wanted: where the work is, and the commands that help now.
    Well { lines: Vec<String> },
    /// It did not: why, and what helps.
    Ill { why: String, hint: String },
    /// Only a plan was wanted.
    Planned { confident: bool },
}

impl EndingView {
    /// The end of a run. A rehearsal leaves nothing behind that could be merged.
    #[must_use]
    pub fn of(leave: Option<Leave>, state: &State, mission: &str, rehearsal: bool) -> EndingView {
        let resume = format!("`arbiter resume {mission}` continues; nothing is lost");
        let show = format!("`arbiter show {mission}` tells who decided what");
        let merge = format!("`arbiter merge {mission}` brings it over");
        match leave {
            Some(Leave::Completed) => {
                let mut lines: Vec<String> = work(state, mission, rehearsal).into_iter().collect();
                lines.extend((!rehearsal).then_some(merge));
                lines.push(show);
                EndingView::Well { lines }
            }
            Some(Leave::Cancelled) => {
                let so_far = state
                    .clone_place
                    .as_ref()
                    .map(|settled| format!("the work so far is in {}", settled.folder));
                EndingView::Well {
                    lines: so_far.into_iter().flat_map(|so_far| [so_far, show.clone()]).collect(),
                }
            }
            Some(Leave::PlanOnly { confident }) => EndingView::Planned { confident },
            Some(Leave::ProviderFailed | Leave::WorkshopFailed) => {
                let hint = match wants_login(state) {
                    Some(session) => format!("{}; then {resume}", login_hint(&session.profile.provider)),
                    None => resume,
                };
                EndingView::Ill { why: why_halted(state), hint }
            }
            Some(Leave::Failed) => EndingView::Ill {
                why: why_ended(state),
                hint: format!("{show}; the work so far is kept: {merge}"),
            },
            Some(Leave::Exhausted) => EndingView::Ill {
                why: why_ended(state),
                hint: format!(
                    "{}`arbiter resume {mission}` continues once {} is raised in your configuration; the work so far is \
                     kept: {merge}; `arbiter show {mission}` tells how far it came",
                    used_words(state),
                    limit_key(state)
                ),
            },
            None => EndingView::Ill { why: "stopped before the mission was over".to_owned(), hint: resume },
        }
    }
}

fn work(state: &State, mission: &str, rehearsal: bool) -> Option<String> {
    let settled = state.clone_place.as_ref()?;
    let at = state.receipts.last().map(|receipt| format!(" at {}", short_commit(&receipt.commit)));
    let place = match rehearsal {
        true => String::new(),
        false => format!("refs/arbiter/{mission}{}, and in ", at.unwrap_or_default()),
    };
    Some(format!("the work is in {place}{}", settled.folder))
}

fn why_ended(state: &State) -> String {
    match &state.ended {
        Some(ended @ Ended::Failed(_)) => format!("the mission {}", ended_words(ended)),
        Some(ended @ Ended::Exhausted(_)) => ended_words(ended),
        Some(Ended::Completed(_) | Ended::Cancelled(_) | Ended::PlanOnly { .. }) | None => {
            "the mission is over".to_owned()
        }
    }
}

/// What was used up until then.
fn used_words(state: &State) -> String {
    let (tokens, cost) = (state.tokens_used(), state.cost_microusd());
    match (tokens, cost) {
        (0, 0) => String::new(),
        (tokens, 0) => format!("used so far: {} tokens; ", amount::tokens(tokens)),
        (0, cost) => format!("used so far: {}; ", amount::money(cost)),
        (tokens, cost) => {
            format!("used so far: {} tokens, {}; ", amount::tokens(tokens), amount::money(cost))
        }
    }
}

/// The key that sets the limit that was reached.
#[must_use]
pub fn limit_key(state: &State) -> String {
    let kind = state.closing.as_ref().map(|closing| closing.limit);
    kind.map_or_else(|| "the limit".to_owned(), |kind| format!("`{}`", kind.key()))
}

fn why_halted(state: &State) -> String {
    state.halted.as_ref().map_or_else(|| "the mission stopped".to_owned(), |(_, why)| clean(why).into_owned())
}
