//! The last words of a run: how the mission ended, where its work is, and what can be done now.

use mind::State;
use mind::effect::Leave;
use tui::lines::{Line, LineInk};
use view::conducted::brief;
use view::ending::EndingView;
use view::plan::PlanView;

use crate::cli_error::{CliError, ExitCode};
use crate::terminal::console::{self, Style};

/// Signs of a text of the plan that are told.
const TEXT_CHARS: usize = 400;

/// Tells how it ended, and what can be done now.
pub fn say(
    leave: Option<Leave>,
    state: &State,
    mission: &str,
    style: Option<Style>,
    scratch: bool,
) -> Result<ExitCode, CliError> {
    let code = code(leave);
    let lines = match EndingView::of(leave, state, mission, scratch) {
        EndingView::Ill { why, hint } => return Err(CliError::new(code, why).hint(hint)),
        EndingView::Well { lines } => {
            lines.into_iter().map(|line| (LineInk::House, format!("  = {line}"))).collect()
        }
        EndingView::Planned { confident } => sketch(state, confident),
    };
    if style == Some(Style::Text) {
        console::patiently(move || drop(console::write(&lines)));
    }
    Ok(code)
}

fn code(leave: Option<Leave>) -> ExitCode {
    match leave {
        Some(Leave::Completed | Leave::PlanOnly { confident: true }) => ExitCode::Done,
        Some(Leave::Cancelled) | None => ExitCode::Cancelled,
        Some(Leave::ProviderFailed) => ExitCode::Provider,
        Some(Leave::Failed | Leave::WorkshopFailed | Leave::PlanOnly { confident: false }) => {
            ExitCode::Failed
        }
        Some(Leave::Exhausted) => ExitCode::Limit,
    }
}

/// The plan of a dry run, and how sure its maker is of it.
fn sketch(state: &State, confident: bool) -> Vec<Line> {
    let Some(plan) = state.conductor.as_ref().and_then(PlanView::of) else {
        return vec![(LineInk::Bad, "  ! no plan was made".to_owned())];
    };
    let mut lines = vec![(LineInk::Words, String::new()), (LineInk::Name, "The plan".to_owned())];
    for step in &plan.steps {
        let who = step.agent.as_ref().map(|agent| format!(" ({agent})")).unwrap_or_default();
        let description = brief(&step.description, TEXT_CHARS);
        lines.push((LineInk::Words, format!("  {}. {description}{who}", step.number)));
        for name in ["after", "done when"] {
            let details = step.detail(name).map(|text| brief(text, TEXT_CHARS));
            lines.extend(details.map(|text| (LineInk::Dim, format!("     {name} {text}"))));
        }
    }
    let assumed = plan.assumptions.iter().map(|text| brief(text, TEXT_CHARS));
    lines.extend(assumed.map(|text| (LineInk::House, format!("  = assumes: {text}"))));
    let sure = match plan.plan.metadata.confidence {
        Some(percent) => format!("confidence {percent}%"),
        None => "confidence not told".to_owned(),
    };
    lines.push(if confident {
        (LineInk::Good, format!("  = {sure}; nothing was done"))
    } else {
        (
            LineInk::Bad,
            format!("  ! {sure}: too little to begin with; say more in the requirements, or split them"),
        )
    });
    lines
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use mind::conductor::{ConductorState, Plan};

    use super::*;

    fn sketched(confidence: Option<u8>) -> State {
        let plan: Plan = serde_json::from_value(serde_json::json!({
            "id": "p1", "task": "Sign in", "status": "draft", "currentStepIndex": 0, "version": 1,
            "createdAt": 0, "updatedAt": 0, "createdBy": "planner",
            "metadata": {"confidence": confidence, "assumptions": ["no sessions are stored"]},
            "steps": [
                {"index": 0, "description": "Middleware", "status": "pending", "suggestedAgent": "developer"},
                {"index": 1, "description": "Login\nendpoint", "status": "pending", "dependsOn": [0],
                 "acceptanceCriteria": ["tokens expire"]},
            ],
        }))
        .expect("a plan");
        State {
            conductor: Some(ConductorState { plan: Some(Arc::new(plan)), ..ConductorState::default() }),
            ..State::default()
        }
    }

    fn told(state: &State, confident: bool) -> Vec<String> {
        sketch(state, confident).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_dry_run_prints_the_plan_and_how_sure_its_maker_is() {
        assert_eq!(
            told(&sketched(Some(82)), true),
            [
                "",
                "The plan",
                "  1. Middleware (developer)",
                "  2. Login endpoint",
                "     after 1",
                "     done when tokens expire",
                "  = assumes: no sessions are stored",
                "  = confidence 82%; nothing was done",
            ]
        );
        let unsure = told(&sketched(None), false);
        assert!(
            unsure.last().is_some_and(|line| line.contains("confidence not told: too little")),
            "{unsure:?}"
        );
        assert_eq!(told(&State::default(), false), ["  ! no plan was made"]);
    }
}
