//! The charter: everything a mission was opened with. It is part of the first fact and never changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::conductor::{Agent, Conducting, Note};
use crate::id::MissionId;
use crate::mission_limits::Limits;
use crate::policy::Policy;

/// What a mission is opened with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Charter {
    pub mission: MissionId,
    /// Dice thrown once by the caller; session and turn ids are made from it.
    pub seed: u64,
    pub scroll: Requirements,
    /// Who may say yes to the Arbiter's plan.
    pub consent: Consent,
    /// The checks of the completion gate, each an argv.
    pub checks: Vec<Vec<String>>,
    /// How long one check may run.
    pub check_limit_ms: u64,
    /// Provider and model of each role.
    pub seats: RoleProviders,
    /// What each provider that may be named can do.
    pub providers: BTreeMap<String, Capabilities>,
    /// Where the warnings stand.
    pub warnings: Warnings,
    /// How long silence may last.
    #[serde(default)]
    pub patience: Patience,
    /// Prompt files of the project that replace ours, by file name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prompts: BTreeMap<String, Arc<str>>,
    /// How far sessions are trusted.
    #[serde(default, skip_serializing_if = "is_default")]
    pub policy: Policy,
    /// What becomes of questions while no person is at the terminal.
    #[serde(default, skip_serializing_if = "is_refusing")]
    pub away: WhenAway,
    /// The project's own rules for agents (CLAUDE.md, AGENTS.md), given as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Arc<str>>,
    /// The project's agents, for council and conductor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<Agent>,
    /// Notes of earlier missions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// How far a council may go; a conducted mission has its limits in its settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// Settings of a conducted mission; a mission without them is a council.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conducting: Option<Box<Conducting>>,
}

/// The way of working.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The Arbiter session talks with Orchestrators.
    Council,
    /// A state machine selects an agent, runs it and evaluates what it did.
    Conductor,
}

impl Charter {
    /// The way of working that it was opened with.
    pub fn way(&self) -> Way {
        if self.conducting.is_some() { Way::Conductor } else { Way::Council }
    }
}

/// The requirements document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Requirements {
    /// What the human calls it: a file name, or "task".
    pub name: String,
    /// Where agents find it, relative to the clone.
    pub path: String,
    pub text: Arc<str>,
}

impl Requirements {
    /// Its name where the human brought none: the Arbiter then asks what is to be done.
    pub const NONE: &str = "no scroll";

    /// The human brought it.
    pub fn is_brought(&self) -> bool {
        self.name != Requirements::NONE
    }
}

/// Who may say yes before the first summon.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Consent {
    /// A person must say it.
    Ask,
    /// No person is there, or the user said yes beforehand: recorded as this policy's yes, never as a person's.
    Policy(String),
}

/// What becomes of questions while no person is at the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhenAway {
    /// Tools that need a yes are refused. A question that the mission cannot go on without becomes a petition.
    #[default]
    Refuse,
    /// They become petitions of the docket, and wait there.
    Petition,
    /// A script plays the human and is never away: its questions wait for it, and tools that need a yes are refused.
    Scripted,
}

/// One provider and, perhaps, one model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProviderChoice {
    pub provider: String,
    /// The model; the provider's own default if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// The default seat of each role.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoleProviders {
    /// The manager session.
    pub arbiter: ProviderChoice,
    pub orchestrator: ProviderChoice,
    pub verifier: ProviderChoice,
}

/// What a provider can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capabilities {
    /// Words can be folded into a running turn.
    pub steers: bool,
    /// Every turn ends in a typed output. Without one, the Arbiter's text goes to the active Orchestrator or the human.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub typed: bool,
}

fn is_default(policy: &Policy) -> bool {
    *policy == Policy::default()
}

fn is_refusing(away: &WhenAway) -> bool {
    *away == WhenAway::Refuse
}

fn yes() -> bool {
    true
}

fn is_yes(typed: &bool) -> bool {
    *typed
}

/// Context thresholds, in percent of the real window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warnings {
    /// From this percent on a worker is told to conclude.
    pub first: u8,
    /// From this percent on a worker is told to stop and report.
    pub last: u8,
    /// When the worker is told.
    #[serde(default)]
    pub policy: WarningPolicy,
}

/// When a worker is told that its context fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningPolicy {
    /// The worker is warned in the middle of its work.
    #[default]
    Warn,
    /// Nothing is said until a clean boundary; there the handoff is asked for.
    Silent,
    /// Nothing is said before the overflow.
    Off,
}

/// How long a session with a turn in flight may be silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patience {
    /// Without any sign of life.
    pub silence_ms: u64,
    /// While a tool runs.
    pub tool_ms: u64,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { silence_ms: 10 * 60 * 1000, tool_ms: 30 * 60 * 1000 }
    }
}

impl Default for Warnings {
    fn default() -> Warnings {
        Warnings { first: 70, last: 85, policy: WarningPolicy::Warn }
    }
}
