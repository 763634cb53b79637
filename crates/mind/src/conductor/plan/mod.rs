//! The plan: steps that the conductor has done one after another. Positions are counted from 0 inside and shown from 1 ([`shown`]).

pub mod sketch;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::id::Timestamp;

/// What is to be done, step by step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Its name, unique in the mission.
    pub id: Arc<str>,
    pub task: Arc<str>,
    pub status: PlanStatus,
    /// In order; `steps[i].index == i`.
    pub steps: Vec<PlanStep>,
    /// The step that is worked on, or the number of steps at the end.
    pub current_step_index: u32,
    /// Which version this is, from 1.
    pub version: u32,
    /// When the first version was made.
    pub created_at: Timestamp,
    /// When this one last changed.
    pub updated_at: Timestamp,
    pub created_by: Arc<str>,
    /// What else is known of it.
    #[serde(default, skip_serializing_if = "PlanNotes::is_empty")]
    pub metadata: PlanNotes,
}

/// What else is known of a plan.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanNotes {
    /// How sure its maker is, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
    /// What it takes for granted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Arc<str>>,
}

impl PlanNotes {
    fn is_empty(&self) -> bool {
        *self == PlanNotes::default()
    }
}

/// How far a plan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    /// Nothing of it has begun.
    Draft,
    /// It is worked on.
    InProgress,
    /// Every step is complete or skipped.
    Complete,
    /// The mission ended before it was done.
    Failed,
    /// Another version is being made.
    Replanning,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanStep {
    pub index: u32,
    pub description: Arc<str>,
    pub status: StepStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_agent: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executed_by: Option<Arc<str>>,
    /// Steps that must be complete or skipped before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Arc<str>>,
    /// How to tell that it is done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acceptance_criteria: Vec<Arc<str>>,
    /// Commands that should pass then; told to the agent, never a proof.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub affected_files: Vec<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Timestamp>,
}

/// How far a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    Pending,
    /// Being worked on.
    InProgress,
    Complete,
    /// Tried, and not done.
    Failed,
    /// Left out on purpose: who depends on it takes it as done.
    Skipped,
}

impl StepStatus {
    /// Nothing more is to be done.
    pub fn is_over(self) -> bool {
        matches!(self, StepStatus::Complete | StepStatus::Skipped)
    }
}

/// A position as people and models read it: counted from 1.
pub fn shown(index: u32) -> u32 {
    index.saturating_add(1)
}

impl Plan {
    /// The step to be done next: the first of all that are not over whose dependencies are.
    pub fn next(&self) -> Option<&PlanStep> {
        let over = |index: &u32| self.steps.get(*index as usize).is_none_or(|step| step.status.is_over());
        let mut open =
            self.steps.iter().filter(|step| !step.status.is_over() && step.status != StepStatus::Failed);
        open.find(|step| step.depends_on.iter().all(over))
    }

    /// The step at this place.
    pub fn step(&self, index: u32) -> Option<&PlanStep> {
        self.steps.get(index as usize)
    }

    /// The step that something is decided about: one that failed, else the next.
    pub fn current(&self) -> Option<&PlanStep> {
        self.steps.iter().find(|step| step.status == StepStatus::Failed).or_else(|| self.next())
    }

    /// How far its steps are.
    pub fn reached(&self) -> PlanStatus {
        let begun = self.steps.iter().any(|step| step.status != StepStatus::Pending);
        if self.is_done() {
            PlanStatus::Complete
        } else if begun || self.version > 1 {
            PlanStatus::InProgress
        } else {
            PlanStatus::Draft
        }
    }

    /// Every step is complete or skipped.
    pub fn is_done(&self) -> bool {
        self.steps.iter().all(|step| step.status.is_over())
    }
}
