//! How far a mission may go, and whether it has gone so far. Council and conductor ask here; what follows is `decide/closing`.
//!
//! | limit | a conducted mission counts | a council counts |
//! | --- | --- | --- |
//! | iterations | runs of agents | Orchestrators summoned; exchanges in a row that changed nothing |
//! | failures | failed runs in a row | Orchestrators in a row that ended without a change |
//! | deadline, money, tokens | all of it, subagents too | the same |

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::conductor::limits::{FAILURES_DEFAULT, ITERATIONS_DEFAULT};
use crate::conductor::render::runs::took;
use crate::conductor::rules;
use crate::id::Timestamp;
use crate::limits;
use crate::session::{Role, Session};
use crate::state::State;

/// How far a mission may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Runs of agents; Orchestrators of a council.
    pub max_iterations: u32,
    /// Failures in a row: this one ends the mission.
    pub max_failures: u32,
    /// How long it may take, from its opening on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_ms: Option<u64>,
    /// What it may cost, in millionths of a dollar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_microusd: Option<u64>,
    /// Tokens it may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_tokens: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_iterations: ITERATIONS_DEFAULT,
            max_failures: FAILURES_DEFAULT,
            deadline_ms: None,
            budget_microusd: None,
            budget_tokens: None,
        }
    }
}

/// Which of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitKind {
    Iterations,
    Failures,
    Deadline,
    Money,
    Tokens,
}

impl LimitKind {
    /// The key of the configuration that sets it.
    pub fn key(self) -> &'static str {
        match self {
            LimitKind::Iterations => "limits.maxIterations",
            LimitKind::Failures => "limits.maxFailures",
            LimitKind::Deadline => "limits.deadline",
            LimitKind::Money => "limits.budgetUsd",
            LimitKind::Tokens => "limits.budgetTokens",
        }
    }
}

impl fmt::Display for LimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LimitKind::Iterations => "iterations",
            LimitKind::Failures => "failures",
            LimitKind::Deadline => "deadline",
            LimitKind::Money => "money",
            LimitKind::Tokens => "tokens",
        })
    }
}

/// A limit that was reached, and how far the mission has come, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReachedLimit {
    pub kind: LimitKind,
    pub why: String,
}

impl ReachedLimit {
    fn new(kind: LimitKind, why: String) -> ReachedLimit {
        ReachedLimit { kind, why }
    }
}

impl State {
    /// How far the mission may go: as it was opened, or as it was resumed. An old council may go as far as it likes.
    pub fn limits(&self) -> Option<Limits> {
        let charter = self.charter.as_ref()?;
        let opened = charter.conducting.as_ref().map(|conducting| conducting.limits).or(charter.limits);
        self.limits_since.or(opened)
    }

    /// Money or tokens of it are limited.
    pub(crate) fn is_budgeted(&self) -> bool {
        self.limits().is_some_and(|limits| limits.budget_microusd.is_some() || limits.budget_tokens.is_some())
    }

    /// The tokens that all sessions and model calls have taken, as far as they were reported.
    pub fn tokens_used(&self) -> u64 {
        let of = |session: &Session| {
            session.usage.tokens.map_or(0, |(input, output)| input.saturating_add(output))
        };
        match &self.conductor {
            None => self.sessions.values().fold(0, |sum: u64, session| sum.saturating_add(of(session))),
            // Runs that are over are in its own sum already.
            Some(conductor) => {
                let running = conductor.run.as_ref().and_then(|run| self.sessions.get(&run.session?));
                conductor.tokens.unwrap_or(0).saturating_add(running.map_or(0, |session| of(session)))
            }
        }
    }

    /// The limit of time, money or tokens that lets nothing more begin, if one does. Money and tokens stop before the
    /// budget is spent: a part of it is kept for the handoff.
    pub fn spent(&self, now: Timestamp) -> Option<ReachedLimit> {
        if let Some(closing) = &self.closing {
            return Some(ReachedLimit::new(closing.limit, closing.why.to_string()));
        }
        let limits = self.limits()?;
        self.overdue(now).or_else(|| self.overspent(&limits, true))
    }

    /// The limit for which a running turn has to stop: the deadline too keeps a part for the handoff.
    pub(crate) fn must_stop(&self, now: Timestamp) -> Option<ReachedLimit> {
        let limits = self.limits()?;
        let due = self.limit_due(&limits, limits::HANDOFF_MS_MAX).filter(|due| *due <= now);
        self.spent(now).or_else(|| {
            let most = limits.deadline_ms.filter(|_| due.is_some())?;
            let why = format!("the mission's deadline is near: it was given {}", took(most));
            Some(ReachedLimit::new(LimitKind::Deadline, why))
        })
    }

    /// Not even what was kept for the handoff is left.
    pub(crate) fn is_reserve_spent(&self, now: Timestamp) -> bool {
        let Some(limits) = self.limits() else { return false };
        self.overdue(now).or_else(|| self.overspent(&limits, false)).is_some()
    }

    /// When the deadline is; `early_ms` before it, or a tenth of it where that is less.
    pub(crate) fn limit_due(&self, limits: &Limits, early_ms: u64) -> Option<Timestamp> {
        let most = limits.deadline_ms?;
        Some(Timestamp(self.opened_at.0.saturating_add(most - reserve(most, early_ms))))
    }

    /// The deadline, if it has passed.
    pub(crate) fn overdue(&self, now: Timestamp) -> Option<ReachedLimit> {
        let elapsed = now.0.saturating_sub(self.opened_at.0);
        let most = self.limits()?.deadline_ms.filter(|most| elapsed >= *most)?;
        let why = format!("the mission's deadline has passed: it was given {}", took(most));
        Some(ReachedLimit::new(LimitKind::Deadline, why))
    }

    /// Money or tokens are used up; with `keeps`, all but what is kept for the handoff.
    fn overspent(&self, limits: &Limits, keeps: bool) -> Option<ReachedLimit> {
        let kept = |used: u64, most: u64| if used < most { "; the rest is kept for the handoff" } else { "" };
        if let Some(most) = limits.budget_microusd {
            let cost = self.cost_microusd();
            let reserve = if keeps { reserve(most, limits::HANDOFF_MICROUSD_MAX) } else { 0 };
            if cost >= most - reserve {
                let why = format!(
                    "the budget is spent: ${:.2} of ${:.2}{}",
                    usd(cost),
                    usd(most),
                    kept(cost, most)
                );
                return Some(ReachedLimit::new(LimitKind::Money, why));
            }
        }
        let most = limits.budget_tokens?;
        let used = self.tokens_used();
        let reserve = if keeps { self.tokens_kept(most) } else { 0 };
        (used >= most - reserve).then(|| {
            let why = format!("the tokens are used up: {used} of {most}{}", kept(used, most));
            ReachedLimit::new(LimitKind::Tokens, why)
        })
    }

    /// What of the tokens is kept for the handoff of what runs: it reads one context, and a turn goes forward in steps as
    /// large as that.
    fn tokens_kept(&self, budget: u64) -> u64 {
        let runs = |session: &&Session| session.works() && session.turns.current.is_some();
        let contexts = self.live_sessions().filter(runs).filter_map(|session| session.context.gauge.as_ref());
        let context = contexts.map(|gauge| gauge.used).max().unwrap_or(0);
        let most = percent_of(budget, limits::HANDOFF_CONTEXT_PERCENT);
        reserve(budget, limits::HANDOFF_TOKENS_MAX).max(context.min(most))
    }

    /// The limit that lets a council summon no further session of this role. Verifiers take no iteration.
    pub(crate) fn summons_spent(&self, role: Role) -> Option<ReachedLimit> {
        let limits = self.limits()?;
        let (fruitless, most) = (self.progress.fruitless, limits.max_failures.max(1));
        if fruitless >= most {
            let why = format!(
                "{fruitless} Orchestrators in a row ended without a change of tree or tasks: of {most}"
            );
            return Some(ReachedLimit::new(LimitKind::Failures, why));
        }
        let (summoned, most) = (self.progress.summoned, limits.max_iterations);
        (summoned >= most && role == Role::Orchestrator).then(|| {
            let why = format!("the iterations are used up: {summoned} Orchestrators of {most}");
            ReachedLimit::new(LimitKind::Iterations, why)
        })
    }

    /// The limit that lets the Arbiter and an Orchestrator of a council talk no further.
    pub(crate) fn exchanges_spent(&self) -> Option<ReachedLimit> {
        let most = self.limits()?.max_iterations.max(limits::EXCHANGES_MIN);
        let exchanges = self.progress.exchanges;
        (exchanges >= most).then(|| {
            let why = format!(
                "the iterations are used up: {exchanges} exchanges of {most} between the Arbiter and an \
                 Orchestrator changed neither tree nor tasks"
            );
            ReachedLimit::new(LimitKind::Iterations, why)
        })
    }

    /// The limit at which the mission would stop again at once, if it went on with `limits`.
    pub fn stops_again(&self, limits: &Limits, now: Timestamp) -> Option<ReachedLimit> {
        let raised = State { limits_since: Some(*limits), closing: None, ..self.clone() };
        let reached = raised.spent(now);
        match &raised.conductor {
            Some(conductor) => reached
                .or_else(|| rules::failures(conductor, limits))
                .or_else(|| rules::iterations(conductor, limits)),
            None => reached.or_else(|| match self.closing.as_ref().map(|closing| closing.limit) {
                Some(LimitKind::Iterations) => {
                    raised.exchanges_spent().or_else(|| raised.summons_spent(Role::Orchestrator))
                }
                Some(LimitKind::Failures) => raised.summons_spent(Role::Verifier),
                Some(LimitKind::Deadline | LimitKind::Money | LimitKind::Tokens) | None => None,
            }),
        }
    }
}

/// What of a budget is kept for the handoff: a tenth, and not more than one handoff can need.
fn reserve(budget: u64, most: u64) -> u64 {
    percent_of(budget, limits::HANDOFF_PERCENT).min(most)
}

fn percent_of(budget: u64, percent: u64) -> u64 {
    budget / 100 * percent + budget % 100 * percent / 100
}

fn usd(micro: u64) -> f64 {
    micro as f64 / 1e6
}
