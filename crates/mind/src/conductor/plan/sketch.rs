//! A plan as the planner answers it, and how it becomes the mission's plan: the first, or a new version that keeps the steps
//! that are done.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Plan, PlanNotes, PlanStatus, PlanStep, StepStatus};
use crate::conductor::limits;
use crate::id::Timestamp;
use crate::limits::cut;

/// A plan as it was answered: every step counts from 1 there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanSketch {
    /// The steps that are still to be done.
    pub steps: Vec<SketchStep>,
    /// How sure its maker is, in percent.
    pub confidence: Option<u8>,
    /// What it takes for granted.
    pub assumptions: Vec<Arc<str>>,
}

/// One step as it was answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SketchStep {
    pub description: Arc<str>,
    pub suggested_agent: Option<Arc<str>>,
    /// Steps of this sketch that must be done before, from 0.
    pub depends_on: Vec<u32>,
    pub instructions: Option<Arc<str>>,
    /// How to tell that it is done.
    pub acceptance_criteria: Vec<Arc<str>>,
    /// Commands that should pass then.
    pub checks: Vec<Vec<String>>,
    pub affected_files: Vec<Arc<str>>,
}

/// What a plan must look like.
pub fn schema() -> Value {
    let texts = |words: &str| json!({"type": "array", "items": {"type": "string"}, "description": words});
    json!({
        "type": "object",
        "description": "The plan: what is still to be done, in order.",
        "properties": {
            "steps": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "description": {"type": "string", "description": "What is to be done, in one line."},
                        "suggestedAgent": {"type": "string", "description": "Which agent should do it."},
                        "dependsOn": {
                            "type": "array", "items": {"type": "integer"},
                            "description": "Numbers of steps of this plan, from 1, that must be done before."
                        },
                        "instructions": {"type": "string"},
                        "acceptanceCriteria": texts("By what one knows that it is done."),
                        "checks": {
                            "type": "array", "items": {"type": "array", "items": {"type": "string"}},
                            "description": "Commands that should pass then, each a program and its arguments."
                        },
                        "affectedFiles": texts("Files that it is about.")
                    },
                    "required": ["description"]
                }
            },
            "confidence": {"type": "integer", "description": "How sure you are that this plan does the task, 0 to 100."},
            "assumptions": texts("What you take for granted.")
        },
        "required": ["steps", "confidence"]
    })
}

/// Reads a plan and names every fault.
pub fn read(plan: &Value, faults: &mut Vec<String>) -> Option<PlanSketch> {
    let before = faults.len();
    let Some(steps) = plan.get("steps").and_then(Value::as_array) else {
        faults.push("`plan.steps` must be a list".to_owned());
        return None;
    };
    if steps.is_empty() || steps.len() > limits::STEPS_MAX {
        faults.push(format!("`plan.steps` must have from 1 to {} steps", limits::STEPS_MAX));
        return None;
    }
    let steps = steps.iter().enumerate().map(|(at, value)| step(at, value, steps.len(), faults)).collect();
    let confidence = plan.get("confidence").and_then(Value::as_f64).map(|sure| {
        // Some write a share instead of percent.
        let percent = if sure > 0.0 && sure <= 1.0 { sure * 100.0 } else { sure };
        percent.clamp(0.0, 100.0) as u8
    });
    let sketch = PlanSketch { steps, confidence, assumptions: texts(plan.get("assumptions")) };
    let mut depended: Vec<&[u32]> = Vec::new();
    depended.extend(sketch.steps.iter().map(|step| step.depends_on.as_slice()));
    if let Some(at) = circle(&depended) {
        faults.push(format!("step {} of the plan depends on itself, by way of others", at + 1));
    }
    (faults.len() == before).then_some(sketch)
}

fn step(at: usize, value: &Value, count: usize, faults: &mut Vec<String>) -> SketchStep {
    let words = |name: &str| {
        let text = value.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())?;
        Some(Arc::from(cut(text, limits::WORDS_CHARS_MAX)))
    };
    let description = words("description");
    if description.is_none() {
        faults.push(format!("step {} of the plan has no `description`", at + 1));
    }
    let mut depends_on = Vec::new();
    for number in value.get("dependsOn").and_then(Value::as_array).into_iter().flatten() {
        match number.as_u64().filter(|number| *number >= 1 && *number <= count as u64) {
            Some(number) if number as usize != at + 1 => depends_on.push(number as u32 - 1),
            Some(_) | None => {
                faults
                    .push(format!("step {} depends on {number}, which is no other step of the plan", at + 1));
            }
        }
    }
    let argv = |value: &Value| -> Option<Vec<String>> {
        let words: Vec<String> =
            value.as_array()?.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<_>>()?;
        (!words.is_empty()).then_some(words)
    };
    let checks = value.get("checks").and_then(Value::as_array).into_iter().flatten();
    SketchStep {
        description: description.unwrap_or_else(|| Arc::from("")),
        suggested_agent: words("suggestedAgent"),
        depends_on,
        instructions: words("instructions"),
        acceptance_criteria: texts(value.get("acceptanceCriteria")),
        checks: checks.filter_map(argv).take(limits::ISSUES_MAX).collect(),
        affected_files: texts(value.get("affectedFiles")),
    }
}

fn texts(list: Option<&Value>) -> Vec<Arc<str>> {
    let items = list.and_then(Value::as_array).into_iter().flatten();
    let texts = items.filter_map(Value::as_str).filter(|text| !text.trim().is_empty());
    texts.take(limits::ISSUES_MAX).map(|text| Arc::from(cut(text, limits::WORDS_CHARS_MAX))).collect()
}

/// A step that waits for itself.
fn circle(depends_on: &[&[u32]]) -> Option<usize> {
    let mut done = vec![false; depends_on.len()];
    loop {
        let ready = |at: usize, done: &[bool]| {
            depends_on[at].iter().all(|index| done.get(*index as usize).copied().unwrap_or(true))
        };
        let next = (0..depends_on.len()).find(|at| !done[*at] && ready(*at, &done));
        match next {
            Some(at) => done[at] = true,
            None => return done.iter().position(|done| !done),
        }
    }
}

impl PlanSketch {
    /// The plan that this makes: first the steps of the earlier version that are over, then the new ones.
    pub fn plan(&self, before: Option<&Plan>, task: &Arc<str>, by: &Arc<str>, now: Timestamp) -> Plan {
        let mut steps: Vec<PlanStep> = Vec::new();
        let kept = before.into_iter().flat_map(|plan| &plan.steps).filter(|step| step.status.is_over());
        for step in kept {
            // Whatever it depended on is over as well.
            steps.push(PlanStep { index: steps.len() as u32, depends_on: Vec::new(), ..step.clone() });
        }
        let first = steps.len() as u32;
        for (at, sketched) in self.steps.iter().enumerate() {
            steps.push(PlanStep {
                index: first + at as u32,
                description: sketched.description.clone(),
                status: StepStatus::Pending,
                suggested_agent: sketched.suggested_agent.clone(),
                executed_by: None,
                depends_on: sketched.depends_on.iter().map(|index| first + index).collect(),
                instructions: sketched.instructions.clone(),
                acceptance_criteria: sketched.acceptance_criteria.clone(),
                checks: sketched.checks.clone(),
                affected_files: sketched.affected_files.clone(),
                output: None,
                error: None,
                started_at: None,
                completed_at: None,
            });
        }
        let version = before.map_or(1, |plan| plan.version + 1);
        let mut plan = Plan {
            id: before.map_or_else(|| Arc::from("plan-1"), |plan| plan.id.clone()),
            task: task.clone(),
            status: if first == 0 { PlanStatus::Draft } else { PlanStatus::InProgress },
            current_step_index: 0,
            version,
            created_at: before.map_or(now, |plan| plan.created_at),
            updated_at: now,
            created_by: by.clone(),
            metadata: PlanNotes { confidence: self.confidence, assumptions: self.assumptions.clone() },
            steps,
        };
        plan.current_step_index = plan.next().map_or(plan.steps.len() as u32, |step| step.index);
        plan
    }
}
