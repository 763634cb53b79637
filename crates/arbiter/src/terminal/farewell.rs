//! The last words of a run: how the mission ended, where its work is, and what can be done now.

use mind::State;
use mind::conductor::plan::shown;
use mind::effect::Leave;
use mind::state::Ended;
use tui::lines::{Ink, Line};
use view::conducted::brief;

use crate::complaint::{Code, Complaint};
use crate::terminal::console::{self, Style};

/// Tells how it ended, and what can be done now.
pub fn say(
    leave: Option<Leave>,
    state: &State,
    mission: &str,
    style: Option<Style>,
    scratch: bool,
) -> Result<Code, Complaint> {
    let again = format!("`arbiter resume {mission}` goes on from here; nothing is lost");
    match leave {
        Some(Leave::Completed) => {
            if style == Some(Style::Text) {
                let lines = closing(state, mission, scratch);
                console::patiently(move || drop(console::write(&lines)));
            }
            Ok(Code::Done)
        }
        Some(Leave::Cancelled) => {
            if let (Some(Style::Text), Some(settled)) = (style, &state.settled) {
                let kept = format!("  = the work so far is in {}", settled.folder);
                let rest = format!("  = `arbiter show {mission}` tells who decided what");
                let lines = [(Ink::House, kept), (Ink::House, rest)];
                console::patiently(move || drop(console::write(&lines)));
            }
            Ok(Code::Cancelled)
        }
        Some(Leave::ProviderFailed) => Err(Complaint::new(Code::Provider, why_halted(state)).hint(again)),
        Some(Leave::Failed) => Err(Complaint::new(Code::Failed, why_ended(state))
            .hint(format!(
                "`arbiter show {mission}` tells who decided what; the work so far is kept: `arbiter merge {mission}` \
                 brings it over"
            ))),
        Some(Leave::Exhausted) => Err(Complaint::new(Code::Limit, why_ended(state))
            .hint(format!(
                "the work so far is kept: `arbiter merge {mission}` brings it over, and a new mission can go on from \
                 there with higher `limits`; `arbiter show {mission}` tells how far it came"
            ))),
        Some(Leave::PlanOnly { confident }) => {
            if style == Some(Style::Text) {
                let lines = sketch(state, confident);
                console::patiently(move || drop(console::write(&lines)));
            }
            Ok(if confident { Code::Done } else { Code::Failed })
        }
        Some(Leave::WorkshopFailed) => Err(Complaint::new(Code::Failed, why_halted(state)).hint(again)),
        None => Err(Complaint::new(Code::Cancelled, "stopped before the mission was over").hint(again)),
    }
}

fn why_ended(state: &State) -> String {
    match &state.ended {
        Some(Ended::Failed(why)) => format!("the mission failed: {why}"),
        Some(Ended::Exhausted(why)) => format!("a limit was reached: {why}"),
        Some(Ended::Completed(_) | Ended::Cancelled(_) | Ended::PlanOnly { .. }) | None => {
            "the mission is over".to_owned()
        }
    }
}

fn why_halted(state: &State) -> String {
    state.halted.as_ref().map_or_else(|| "the mission halted".to_owned(), |(_, why)| why.to_string())
}

fn closing(state: &State, mission: &str, scratch: bool) -> Vec<Line> {
    let ink = Ink::House;
    let mut lines = Vec::new();
    if let Some(settled) = &state.settled {
        let commit = state.receipts.last().map(|receipt| receipt.commit.get(..12).unwrap_or("").to_owned());
        let at = commit.map(|commit| format!(" at {commit}")).unwrap_or_default();
        let place = if scratch { String::new() } else { format!("refs/arbiter/{mission}{at}, and in ") };
        lines.push((ink, format!("  = the work is in {place}{}", settled.folder)));
    }
    if !scratch {
        lines.push((ink, format!("  = `arbiter merge {mission}` brings it over")));
    }
    lines.push((ink, format!("  = `arbiter show {mission}` tells who decided what")));
    lines
}

/// The plan of a dry run, and how sure its maker is of it.
fn sketch(state: &State, confident: bool) -> Vec<Line> {
    let plan = state.podium.as_ref().and_then(|podium| podium.plan.as_deref());
    let Some(plan) = plan else {
        return vec![(Ink::Bad, "  ! no plan was made".to_owned())];
    };
    let mut lines = vec![(Ink::Words, String::new()), (Ink::Name, "The plan".to_owned())];
    for step in &plan.steps {
        let who = step.suggested_agent.as_ref().map(|agent| format!(" ({agent})")).unwrap_or_default();
        let number = shown(step.index);
        lines.push((Ink::Words, format!("  {number}. {}{who}", brief(&step.description, 400))));
        if !step.depends_on.is_empty() {
            let needs: Vec<String> = step.depends_on.iter().map(|index| shown(*index).to_string()).collect();
            lines.push((Ink::Dim, format!("     after {}", needs.join(", "))));
        }
        let criteria = step.acceptance_criteria.iter();
        lines.extend(criteria.map(|text| (Ink::Dim, format!("     done when {}", brief(text, 400)))));
    }
    let assumed = plan.metadata.assumptions.iter();
    lines.extend(assumed.map(|text| (Ink::House, format!("  = assumes: {}", brief(text, 400)))));
    let sure = match plan.metadata.confidence {
        Some(percent) => format!("confidence {percent}%"),
        None => "confidence not told".to_owned(),
    };
    lines.push(if confident {
        (Ink::Good, format!("  = {sure}; nothing was done"))
    } else {
        (Ink::Bad, format!("  ! {sure}: too little to begin with; say more in the scroll, or split it"))
    });
    lines
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use mind::conductor::{Plan, Podium};

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
        State { podium: Some(Podium { plan: Some(Arc::new(plan)), ..Podium::default() }), ..State::default() }
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
