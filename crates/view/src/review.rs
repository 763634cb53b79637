//! All decisions of a petition at a glance: what was answered, skipped, is open, or came too late.

use mind::Timestamp;
use mind::petition::Petition;
use serde::Serialize;

use crate::decision::{AnswerView, DecisionStanding, decision, standing};

/// All decisions of a petition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReviewView {
    pub rows: Vec<ReviewRow>,
    /// "2 answered, 1 open"
    pub counts: String,
}

/// One decision among the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReviewRow {
    /// Its place, from 1: a person types it to change the answer.
    pub number: usize,
    pub id: String,
    pub title: String,
    pub standing: DecisionStanding,
    pub answer: Option<AnswerView>,
}

/// All decisions, as they stand now.
#[must_use]
pub fn review(petition: &Petition, now: Timestamp) -> ReviewView {
    let rows = petition.decisions.iter().map(|asked| {
        let view = decision(petition, asked, now);
        ReviewRow {
            number: view.number,
            id: view.id,
            title: view.title,
            standing: view.standing,
            answer: view.answer,
        }
    });
    ReviewView { rows: rows.collect(), counts: counts(petition) }
}

/// How many decisions stand where: "2 answered, 1 skipped, 1 open".
#[must_use]
pub fn counts(petition: &Petition) -> String {
    let count = |wanted: DecisionStanding| {
        let number = petition.decisions.iter().filter(|decision| standing(decision) == wanted).count();
        (number > 0).then(|| format!("{number} {}", wanted.word()))
    };
    let each = [
        DecisionStanding::Answered,
        DecisionStanding::Skipped,
        DecisionStanding::Open,
        DecisionStanding::Late,
    ];
    each.into_iter().filter_map(count).collect::<Vec<_>>().join(", ")
}
