//! A petition as a person meets it: who asks for what since when, how far it is, and what holds for it.

use jiff::tz::TimeZone;
use mind::Timestamp;
use mind::petition::{Petition, PetitionStatus, Priority};
use serde::Serialize;

use crate::amount::counted;
use crate::clean::clean;
use crate::completion::{Completion, completion};
use crate::decision::{Term, due};
use crate::line::{line, some_line};
use crate::provenance::ago;
use crate::tone::Tone;
use crate::when;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PetitionView {
    pub id: String,
    pub title: String,
    pub asker: String,
    /// "asks for 3 decisions"
    pub asks: String,
    /// "2m ago"
    pub since: String,
    pub priority: Priority,
    /// "open, 1 of 3 decided"; for one that is closed, how it ended.
    pub standing: String,
    pub completion: Option<Completion>,
    pub terms: Vec<Term>,
    /// What the person has to know for all of it, with its lines.
    pub context: String,
}

/// A petition, as it stands now.
#[must_use]
pub fn petition(petition: &Petition, zone: &TimeZone, now: Timestamp) -> PetitionView {
    let completion = petition.closed.as_ref().map(|closed| completion(closed, None, now));
    PetitionView {
        id: line(&petition.id.0),
        title: line(&petition.title),
        asker: line(&petition.agent),
        asks: format!("asks for {}", counted(petition.decisions.len(), "decision")),
        since: ago(petition.created_at, now),
        priority: petition.priority,
        standing: completion.as_ref().map_or_else(|| standing(petition), |end| end.text.clone()),
        completion,
        terms: terms(petition, zone, now),
        context: clean(&petition.context).into_owned(),
    }
}

/// How a priority is meant.
#[must_use]
pub fn urgency(priority: Priority) -> Tone {
    match priority {
        Priority::Urgent => Tone::Bad,
        Priority::High => Tone::Wanted,
        Priority::Normal => Tone::Plain,
        Priority::Low => Tone::Quiet,
    }
}

/// What is told of a priority among other terms; nothing of a normal one.
#[must_use]
pub fn priority_term(priority: Priority) -> Option<Term> {
    let text = match priority {
        Priority::Urgent => "urgent",
        Priority::High => "high priority",
        Priority::Normal => return None,
        Priority::Low => "low priority",
    };
    Some(Term::new(text, urgency(priority)))
}

/// Who or what waits for it: "mission m-1 waits", "blocks: the build".
pub(crate) fn held_up(mission: Option<&str>, blocks: Option<&str>) -> Vec<String> {
    let mission = mission.map(|mission| format!("mission {} waits", line(mission)));
    let blocks = blocks.and_then(some_line).map(|blocks| format!("blocks: {blocks}"));
    mission.into_iter().chain(blocks).collect()
}

fn standing(petition: &Petition) -> String {
    match petition.status() {
        PetitionStatus::Ready => "all decided, not submitted".to_owned(),
        PetitionStatus::Pending => "open, nothing decided".to_owned(),
        PetitionStatus::InProgress
        | PetitionStatus::Completed
        | PetitionStatus::Withdrawn
        | PetitionStatus::Expired => {
            format!("open, {} of {} decided", petition.decided(), petition.decisions.len())
        }
    }
}

fn terms(petition: &Petition, zone: &TimeZone, now: Timestamp) -> Vec<Term> {
    let mut terms: Vec<Term> = priority_term(petition.priority).into_iter().collect();
    if let Some(tag) = some_line(&petition.tag) {
        terms.push(Term::new(format!("tag {tag}"), Tone::Quiet));
    }
    if let Some(deadline) = petition.deadline.filter(|_| petition.closed.is_none()) {
        let moment = when::at(deadline, zone).strftime("%Y-%m-%d %H:%M");
        terms.push(Term::new(format!("{} ({moment})", due(deadline, now)), Tone::Warning));
    }
    if let Some(assignee) = &petition.assignee {
        terms.push(Term::new(format!("for {}", line(assignee)), Tone::Quiet));
    }
    if !petition.escalate.is_empty() {
        let names: Vec<String> = petition.escalate.iter().map(|name| line(name)).collect();
        terms.push(Term::new(format!("escalates to {}", names.join(", then ")), Tone::Quiet));
    }
    let held_up = held_up(petition.mission.as_deref(), petition.blocks.as_deref());
    terms.extend(held_up.into_iter().map(|text| Term::new(text, Tone::Quiet)));
    terms
}
