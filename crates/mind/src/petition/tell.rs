//! A petition as JSON for agents: the same on every door, with the field names that existing agents know.

use serde_json::{Map, Value, json};

use super::{AnswerChoice, Decision, GivenAnswer, Petition, PetitionStatus};
use crate::talk::DecisionOption;

/// What a push is answered with. `again` if it was there already.
pub fn pushed(petition: &Petition, file: Option<&str>, again: bool) -> Value {
    let mut told = json!({
        "planId": petition.id,
        "id": petition.id,
        "total": petition.decisions.len(),
        "status": petition.status().word(),
        "again": again,
        "hint": "arbiter_await waits for the answers; or go on with other work and look with arbiter_status",
    });
    if let Some(file) = file {
        told["file"] = json!(file);
    }
    told
}

/// Where it stands and who is being asked.
pub fn status(petition: &Petition) -> Value {
    let decisions: Map<String, Value> = petition
        .decisions
        .iter()
        .map(|decision| (decision.id.to_string(), decision_status(decision)))
        .collect();
    let mut told = json!({
        "planId": petition.id,
        "id": petition.id,
        "title": petition.title,
        "agent": petition.agent,
        "tag": petition.tag,
        "priority": petition.priority.word(),
        "status": petition.status().word(),
        "total": petition.decisions.len(),
        "answered": petition.decided(),
        "remaining": petition.decisions.len() - petition.decided(),
        "asked": petition.assignee.as_deref().unwrap_or("anyone"),
        "createdAt": petition.created_at.utc(),
        "decisions": decisions,
    });
    if !petition.context.is_empty() {
        told["context"] = json!(petition.context);
    }
    if let Some(deadline) = petition.deadline {
        told["deadline"] = json!(deadline.utc());
    }
    if !petition.escalate.is_empty() {
        told["escalate"] = json!(petition.escalate);
    }
    if let Some(mission) = &petition.mission {
        told["mission"] = json!(mission);
    }
    if let Some(closed) = &petition.closed {
        told["completedAt"] = json!(closed.at.utc());
        told["reason"] = json!(closed.why);
    }
    told
}

/// The answers with who gave them. While it is open they are told only if `partial`; otherwise an error says how it stands.
pub fn answers(petition: &Petition, partial: bool) -> Result<Value, Value> {
    let status = petition.status();
    let mut told = json!({
        "planId": petition.id,
        "id": petition.id,
        "status": status.word(),
    });
    if !status.is_closed() && !partial {
        told["error"] = json!(format!(
            "it is not completed: {} of {} are open",
            open(petition),
            petition.decisions.len()
        ));
        told["remaining"] = json!(open(petition));
        told["hint"] = json!("arbiter_await waits; with `partial` the answers so far are given");
        return Err(told);
    }
    let (mut answers, mut provenance, mut late) = (Map::new(), Map::new(), Map::new());
    let mut skipped = Vec::new();
    for decision in &petition.decisions {
        let Some(given) = &decision.answer else { continue };
        let id = decision.id.to_string();
        match (&given.choice, given.late) {
            (_, true) => drop(late.insert(id.clone(), json!(given.choice.text()))),
            (AnswerChoice::Answer(text), false) => drop(answers.insert(id.clone(), json!(text))),
            (AnswerChoice::Skipped, false) => skipped.push(id.clone()),
        }
        let mut source = source(given);
        source["digest"] = json!(petition.digest(decision));
        provenance.insert(id, source);
    }
    told["answers"] = Value::Object(answers);
    told["skipped"] = json!(skipped);
    told["provenance"] = Value::Object(provenance);
    if !late.is_empty() {
        told["late"] = Value::Object(late);
    }
    if let Some(closed) = &petition.closed {
        told["completedAt"] = json!(closed.at.utc());
        if status != PetitionStatus::Completed {
            told["reason"] = json!(closed.why);
        }
    }
    Ok(told)
}

/// The reply to an agent that waited for it: `pending` while it is open, which is never an answer.
pub fn awaited(petition: &Petition) -> Value {
    let (state, hint) = match petition.status() {
        PetitionStatus::Pending | PetitionStatus::InProgress | PetitionStatus::Ready => {
            return json!({
                "planId": petition.id,
                "id": petition.id,
                "state": "pending",
                "status": petition.status().word(),
                "total": petition.decisions.len(),
                "answered": petition.decided(),
                "remaining": open(petition),
                "hint": "no person has decided yet, and that is no answer: wait again with the same id, or go on with other \
                         work and look later",
            });
        }
        PetitionStatus::Completed => ("decided", "go on with the answers; what is skipped was not decided"),
        PetitionStatus::Expired => (
            "expired",
            "its deadline passed before everything was decided: take that for no answer, and ask again if it matters",
        ),
        PetitionStatus::Withdrawn => ("withdrawn", "it was taken back: nothing was decided"),
    };
    // A closed petition is never refused.
    let (Ok(mut told) | Err(mut told)) = answers(petition, true);
    told["state"] = json!(state);
    told["hint"] = json!(match told.get("late") {
        Some(_) =>
            "what stands under `late` came after it was closed and decides nothing: ask again if you want to go by it",
        None => hint,
    });
    told
}

fn open(petition: &Petition) -> usize {
    petition.decisions.len() - petition.decided()
}

/// How a decision stands, and all that one needs to answer it.
fn decision_status(decision: &Decision) -> Value {
    let given = decision.answer.as_ref().filter(|given| !given.late);
    let mut told = given.map_or_else(|| json!({}), source);
    let (status, answer) = match given.map(|given| &given.choice) {
        None => ("pending", Value::Null),
        Some(AnswerChoice::Answer(text)) => ("answered", json!(text)),
        Some(AnswerChoice::Skipped) => ("skipped", Value::Null),
    };
    told["status"] = json!(status);
    told["answer"] = answer;
    told["title"] = json!(decision.title);
    let option = |option: &DecisionOption| json!({"key": option.key, "label": option.label});
    told["options"] = decision.options.iter().map(option).collect();
    told["multi"] = json!(decision.multi);
    told["allowCustom"] = json!(decision.takes_custom());
    told["requiresHuman"] = json!(decision.requires_human);
    if !decision.context.is_empty() {
        told["context"] = json!(decision.context);
    }
    if !decision.depends_on.is_empty() {
        told["dependsOn"] = json!(decision.depends_on);
    }
    if let Some(assignee) = &decision.assignee {
        told["asked"] = json!(assignee);
    }
    if let Some(deadline) = decision.deadline {
        told["deadline"] = json!(deadline.utc());
    }
    if let Some(default) = &decision.default {
        told["default"] = json!(default);
    }
    told
}

/// Who gave it, how and when.
fn source(given: &GivenAnswer) -> Value {
    let mut told = json!({
        "by": given.by,
        "via": given.via.map(|door| door.word()),
        "at": given.at.map(|at| at.utc()),
    });
    if let Some(assignee) = &given.instead_of {
        told["insteadOf"] = json!(assignee);
    }
    told
}
