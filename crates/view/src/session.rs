//! One session in words: who it is, what it does now or waits for, how full its context is, what it cost.

use jiff::tz::TimeZone;
use mind::access::SandboxLevel;
use mind::session::{Gauge, Role, Session, WaitKind};
use mind::{SessionId, State, Timestamp};
use serde::Serialize;

use crate::actor::speaker_words;
use crate::amount::{money, tokens};
use crate::clean::clean;
use crate::status::StatusLine;
use crate::tone::Tone;
use crate::when;

/// A session; programs get the fields above `who`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionView {
    pub session: SessionId,
    pub role: Role,
    /// Its number among the Orchestrators; 0 for the Arbiter.
    pub number: u32,
    pub provider: String,
    /// The provider's own session id, with which a person can open the conversation by hand.
    pub key: String,
    /// It was not released.
    pub live: bool,
    /// A turn of it is in flight, and it works on it: it is not parked, and its process runs.
    pub busy: bool,
    pub gauge: Option<Gauge>,
    pub sandbox: SandboxView,
    /// The version of the program that its process runs, once it has named it.
    pub program_version: Option<String>,
    pub tool_calls: u32,
    pub cost_microusd: u64,
    #[serde(skip)]
    pub who: String,
    #[serde(skip)]
    pub role_words: &'static str,
    /// The provider, and the model if one was chosen.
    #[serde(skip)]
    pub made_of: String,
    /// What it does now or waits for.
    #[serde(skip)]
    pub doing: StatusLine,
    /// Why it waits for time to pass.
    #[serde(skip)]
    pub waits_because: Option<String>,
    #[serde(skip)]
    pub fullness: Option<FullnessView>,
    /// The tool that runs now, with what it works on.
    #[serde(skip)]
    pub tool: Option<String>,
    #[serde(skip)]
    pub cost: String,
}

/// What holds a session's process; no level before it was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SandboxView {
    pub level: Option<SandboxLevel>,
}

/// How full a context is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FullnessView {
    pub percent: u64,
    /// "38%", or "~38%" of a window that is only guessed.
    pub percent_words: String,
    /// By the mission's own warnings.
    pub tone: Tone,
    pub words: String,
    /// "76.0k of 200.0k".
    pub tokens: String,
    /// Which reading the numbers come from.
    pub source: String,
    /// "4.1k a turn: 12 more turns".
    pub forecast: Option<String>,
}

impl SessionView {
    #[must_use]
    pub fn of(session: &Session, state: &State, now: Timestamp) -> SessionView {
        let profile = &session.profile;
        SessionView {
            session: profile.session,
            role: profile.role,
            number: profile.number,
            provider: profile.provider.clone(),
            key: profile.key.clone(),
            live: session.live,
            busy: session.turns.current.is_some() && session.health.wait.is_none(),
            gauge: session.context.gauge.clone(),
            sandbox: SandboxView { level: session.sandbox },
            program_version: session.program_version.as_ref().map(|version| clean(version).into_owned()),
            tool_calls: session.tool_use.calls,
            cost_microusd: session.usage.cost_microusd,
            who: speaker_words(&profile.speaker()),
            role_words: role_words(profile.role),
            made_of: made_of(session),
            doing: doing(session, state, now),
            waits_because: session.health.wait.as_ref().map(|wait| clean(&wait.why).into_owned()),
            fullness: fullness(session, state),
            tool: tool(session),
            cost: money(session.usage.cost_microusd),
        }
    }

    /// The same where no process runs the mission: nothing is at work there, and nothing is tried again.
    #[must_use]
    pub fn without_process(session: &Session, state: &State, now: Timestamp) -> SessionView {
        let view = SessionView::of(session, state, now);
        let in_turn = session.live && state.ended.is_none() && session.turns.current.is_some();
        if !in_turn || session.awaits_person() {
            return SessionView { busy: false, ..view };
        }
        SessionView { busy: false, doing: StatusLine::new("stopped in mid-turn", Tone::Quiet), ..view }
    }
}

/// What a session does now, or waits for.
#[must_use]
pub fn doing(session: &Session, state: &State, now: Timestamp) -> StatusLine {
    if !session.live {
        return StatusLine::new("released", Tone::Quiet);
    }
    if state.ended.is_some() {
        return StatusLine::new("ended", Tone::Quiet);
    }
    if let Some(wait) = &session.health.wait {
        let left = when::span(wait.until.0.saturating_sub(now.0));
        return StatusLine::new(wait_words(wait.kind, &left), Tone::Warning);
    }
    if session.awaits_person() {
        return StatusLine::new("waits for you", Tone::Wanted);
    }
    let petition = session.waits_for_petition.as_ref().filter(|petition| state.is_open(petition));
    match (session.tool_use.running.last(), &session.turns.current, petition) {
        (Some(tool), _, _) => StatusLine::new(format!("at work on {}", clean(&tool.name)), Tone::Plain),
        (None, Some(_), None) => StatusLine::new("at work", Tone::Plain),
        (None, Some(_), Some(petition)) => {
            StatusLine::new(format!("at work, waits for petition {petition}"), Tone::Plain)
        }
        (None, None, Some(petition)) => {
            StatusLine::new(format!("waits for petition {petition}"), Tone::Wanted)
        }
        (None, None, None) => StatusLine::new("at rest", Tone::Quiet),
    }
}

/// How full a session's context is; nothing before the first reading.
#[must_use]
pub fn fullness(session: &Session, state: &State) -> Option<FullnessView> {
    let gauge = session.context.gauge.as_ref()?;
    let (about, percent_words) = (about(gauge), percent_words(gauge));
    let forecast = session.context.burn.zip(session.forecast()).map(|(burn, left)| {
        let turns = if left == 1 { "turn" } else { "turns" };
        format!("{} a turn: {left} more {turns}", tokens(burn))
    });
    Some(FullnessView {
        percent: gauge.percent(),
        tone: fullness_tone(gauge, state),
        words: format!("{percent_words} full"),
        percent_words,
        tokens: format!("{} of {about}{}", tokens(gauge.used), tokens(gauge.window)),
        source: clean(&gauge.source).into_owned(),
        forecast,
    })
}

/// How full a context is: "38%", or "~38%" where the window is only guessed.
#[must_use]
pub fn percent_words(gauge: &Gauge) -> String {
    format!("{}{}%", about(gauge), gauge.percent())
}

fn about(gauge: &Gauge) -> &'static str {
    if gauge.is_guess() { "~" } else { "" }
}

/// How a reading is meant, by the mission's own warnings. A guess warns of nothing.
#[must_use]
pub fn fullness_tone(gauge: &Gauge, state: &State) -> Tone {
    let Some(percent) = gauge.known_percent() else { return Tone::Quiet };
    let warnings = state.charter.as_ref().map(|charter| charter.warnings).unwrap_or_default();
    if percent >= u64::from(warnings.last) {
        Tone::Bad
    } else if percent >= u64::from(warnings.first) {
        Tone::Warning
    } else {
        Tone::Good
    }
}

/// What holds a process, in words: "bubblewrap", "off", "not known yet".
#[must_use]
pub fn sandbox_words(level: Option<SandboxLevel>) -> StatusLine {
    match level {
        Some(SandboxLevel::Off) => StatusLine::new("off", Tone::Bad),
        Some(level @ (SandboxLevel::Landlock | SandboxLevel::Bubblewrap)) => {
            StatusLine::new(level.to_string(), Tone::Plain)
        }
        None => StatusLine::new("not known yet", Tone::Quiet),
    }
}

fn role_words(role: Role) -> &'static str {
    match role {
        Role::Arbiter => "the manager",
        Role::Orchestrator => "a worker",
        Role::Verifier => "a verifier",
        Role::Agent => "an agent",
    }
}

fn made_of(session: &Session) -> String {
    let profile = &session.profile;
    let model = profile.model.as_ref().map(|model| format!(" {model}")).unwrap_or_default();
    let version = session.program_version.as_ref().map(|version| format!(" ({version})")).unwrap_or_default();
    clean(&format!("{}{model}{version}", profile.provider)).into_owned()
}

fn tool(session: &Session) -> Option<String> {
    let tool = session.tool_use.running.last()?;
    let words = format!("{} {}", clean(&tool.name), clean(&tool.detail));
    Some(words.trim_end().replace('\n', " "))
}

/// When a session that waits for time to pass goes on: "retrying in 0:12 (try 3)", "limit until 21:30, 5m".
#[must_use]
pub fn countdown(session: &Session, now: Timestamp, zone: &TimeZone) -> Option<String> {
    let wait = session.health.wait.as_ref()?;
    let left = when::left(wait.until, now);
    Some(match wait.kind {
        WaitKind::Backoff => {
            format!("{} (try {})", wait_words(wait.kind, &left), session.health.failures + 1)
        }
        WaitKind::Limit => {
            format!("limit until {}, {left}", when::at(wait.until, zone).strftime("%H:%M"))
        }
        WaitKind::Login | WaitKind::Revival => wait_words(wait.kind, &left),
    })
}

/// What a wait ends in, and how long it is until then: every door says it in these words.
#[must_use]
pub fn wait_words(kind: WaitKind, left: &str) -> String {
    match kind {
        WaitKind::Backoff | WaitKind::Limit => format!("retrying in {left}"),
        WaitKind::Login => "wants a login".to_owned(),
        WaitKind::Revival => format!("resuming in {left}"),
    }
}

/// The same for the model that a conducted mission cannot reach.
#[must_use]
pub fn model_wait_words(left: &str) -> String {
    format!("the model cannot be reached; retrying in {left}")
}
