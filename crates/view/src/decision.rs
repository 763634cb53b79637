//! One question of a petition, as a person answers it: the options with the letter that is typed for each, what holds for
//! an answer, and the answer that was given.

use std::sync::Arc;

use mind::Timestamp;
use mind::petition::{AnswerChoice, Decision, GivenAnswer, Petition};
use serde::Serialize;

use crate::clean::{clean, visible};
use crate::letters::letters;
use crate::line::{line, line_of};
use crate::provenance::source;
use crate::tone::Tone;
use crate::when::span;

/// Beside a decision with several answers.
pub const SEVERAL: &str = "several can be chosen";

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DecisionView {
    /// Its place among the questions of its petition, from 1.
    pub number: usize,
    pub of: usize,
    pub id: String,
    pub title: String,
    /// What the person has to know, with its lines.
    pub context: String,
    /// An answer approves exactly what is shown: no sign of it is left out, and hidden signs are written as escapes.
    pub exact: bool,
    pub terms: Vec<Term>,
    pub options: Vec<OptionView>,
    pub multi: bool,
    pub takes_own_words: bool,
    pub standing: DecisionStanding,
    pub answer: Option<AnswerView>,
}

/// Something that holds for a petition or a decision, in a few words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Term {
    pub text: String,
    pub tone: Tone,
}

/// One way to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OptionView {
    /// What is typed for it.
    pub letter: Option<char>,
    pub key: String,
    /// None if it says no more than the key.
    pub label: Option<String>,
    pub chosen: bool,
}

/// Where a decision stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionStanding {
    Open,
    Answered,
    /// The person leaves it to the asker.
    Skipped,
    /// The answer came after the petition was closed, and decides nothing.
    Late,
}

/// An answer that was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnswerView {
    /// The keys, a text of one's own in quotes, or "skipped": no text passes for an option.
    pub said: String,
    /// A text of the person's own, with its lines.
    pub own_words: Option<String>,
    pub late: bool,
    /// "by ada, in the terminal, 2m ago"; empty where the file does not say.
    pub source: String,
}

/// A decision, as it stands now.
#[must_use]
pub fn decision(petition: &Petition, decision: &Decision, now: Timestamp) -> DecisionView {
    let exact = decision.digest.is_some();
    let at = petition.decisions.iter().position(|other| other.id == decision.id);
    DecisionView {
        number: at.map_or(1, |at| at + 1),
        of: petition.decisions.len(),
        id: line(&decision.id),
        title: line(&decision.title),
        context: if exact {
            shown_exactly(petition, decision)
        } else {
            clean(&decision.context).into_owned()
        },
        exact,
        terms: terms(petition, decision, now),
        options: options(decision),
        multi: decision.multi,
        takes_own_words: decision.takes_custom(),
        standing: standing(decision),
        answer: decision.answer.as_ref().map(|given| answer(decision, given, now)),
    }
}

/// Where a decision stands.
#[must_use]
pub fn standing(decision: &Decision) -> DecisionStanding {
    match decision.answer.as_ref().map(|given| (&given.choice, given.late)) {
        None => DecisionStanding::Open,
        Some((_, true)) => DecisionStanding::Late,
        Some((AnswerChoice::Answer(_), false)) => DecisionStanding::Answered,
        Some((AnswerChoice::Skipped, false)) => DecisionStanding::Skipped,
    }
}

/// The answer that decides it; one that came too late decides nothing.
#[must_use]
pub fn decided(decision: &Decision) -> Option<&AnswerChoice> {
    decision.answer.as_ref().filter(|given| !given.late).map(|given| &given.choice)
}

/// The options that its answer names, by place.
#[must_use]
pub fn chosen(decision: &Decision) -> Vec<usize> {
    let Some(AnswerChoice::Answer(text)) = decided(decision) else { return Vec::new() };
    let names =
        |key: &str| **text == *key || decision.multi && text.split(',').any(|part| part.trim() == key);
    let options = decision.options.iter().enumerate();
    options.filter(|(_, option)| names(&option.key)).map(|(at, _)| at).collect()
}

/// The decisions that have to be made before this one, and are not, each with its place from 0.
pub fn first_of<'p>(
    petition: &'p Petition,
    decision: &'p Decision,
) -> impl Iterator<Item = (usize, &'p Decision)> {
    let place = move |id: &Arc<str>| petition.decisions.iter().position(|other| other.id == *id);
    let first = decision.depends_on.iter().filter_map(place);
    let first = first.filter_map(|at| Some((at, petition.decisions.get(at)?)));
    first.filter(|(_, first)| !first.is_decided())
}

/// Who is asked this, as the asker wrote the name: the decision's own, else the petition's; any person if none.
#[must_use]
pub fn asked_of<'p>(petition: &'p Petition, decision: &'p Decision) -> Option<&'p str> {
    let own = decision.assignee.as_deref().or(petition.assignee.as_deref());
    own.filter(|name| !name.trim().is_empty())
}

/// What was chosen, on one line: keys, or a text of one's own in quotes.
#[must_use]
pub fn said(decision: &Decision, choice: &AnswerChoice) -> String {
    match choice {
        AnswerChoice::Answer(text) if is_own(decision, text) => format!("\"{}\"", line(text)),
        AnswerChoice::Answer(_) | AnswerChoice::Skipped => choice_text(choice),
    }
}

/// What was chosen, on one line, where its decision is not at hand.
#[must_use]
pub fn choice_text(choice: &AnswerChoice) -> String {
    match choice {
        AnswerChoice::Answer(text) => line(text),
        AnswerChoice::Skipped => DecisionStanding::Skipped.word().to_owned(),
    }
}

/// How long there is time: "due in 5m".
#[must_use]
pub fn due(at: Timestamp, now: Timestamp) -> String {
    match at.0.saturating_sub(now.0) {
        0 => "due now".to_owned(),
        left => format!("due in {}", span(left)),
    }
}

impl DecisionStanding {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            DecisionStanding::Open => "open",
            DecisionStanding::Answered => "answered",
            DecisionStanding::Skipped => "skipped",
            DecisionStanding::Late => "late",
        }
    }
}

impl Term {
    pub(crate) fn new(text: impl Into<String>, tone: Tone) -> Term {
        Term { text: text.into(), tone }
    }
}

/// An answer as it was given.
fn answer(decision: &Decision, given: &GivenAnswer, now: Timestamp) -> AnswerView {
    let own_words = match &given.choice {
        AnswerChoice::Answer(text) if is_own(decision, text) => Some(clean(text).into_owned()),
        AnswerChoice::Answer(_) | AnswerChoice::Skipped => None,
    };
    AnswerView {
        said: said(decision, &given.choice),
        own_words,
        late: given.late,
        source: source(given, now),
    }
}

fn is_own(decision: &Decision, text: &str) -> bool {
    let is_key = |text: &str| decision.options.iter().any(|option| option.key == text);
    !(is_key(text) || decision.multi && text.split(',').all(|key| is_key(key.trim())))
}

/// The context of the petition belongs to what is approved.
fn shown_exactly(petition: &Petition, decision: &Decision) -> String {
    let texts = [&petition.context, &decision.context].into_iter().filter(|text| !text.is_empty());
    texts.map(|text| visible(text)).collect::<Vec<_>>().join("\n")
}

fn options(decision: &Decision) -> Vec<OptionView> {
    let (letters, chosen) = (letters(decision), chosen(decision));
    let options = decision.options.iter().zip(letters).enumerate();
    let view = options.map(|(at, (option, letter))| {
        let (key, label) = (line_of(decision, &option.key), line_of(decision, &option.label));
        let label = Some(label).filter(|label| !label.is_empty() && *label != key);
        OptionView { letter, key, label, chosen: chosen.contains(&at) }
    });
    view.collect()
}

fn terms(petition: &Petition, decision: &Decision, now: Timestamp) -> Vec<Term> {
    let mut terms = Vec::new();
    for (_, other) in first_of(petition, decision) {
        terms.push(Term::new(format!("comes after {}", line(&other.title)), Tone::Warning));
    }
    if petition.closed.is_none() && !decision.is_decided() {
        terms.extend(in_time(petition, decision, now));
    }
    if decision.requires_human {
        terms.push(Term::new("only a person may answer", Tone::Quiet));
    }
    if let Some(assignee) = &decision.assignee {
        terms.push(Term::new(format!("for {}", line(assignee)), Tone::Quiet));
    }
    terms
}

/// The deadline, and what is answered then.
fn in_time(petition: &Petition, decision: &Decision, now: Timestamp) -> Option<Term> {
    let default = decision.default.as_deref().map(|default| format!("{} is taken", line(default)));
    match (decision.deadline.map(|at| due(at, now)), default, petition.deadline) {
        (Some(due), Some(default), _) => Some(Term::new(format!("{due}, then {default}"), Tone::Warning)),
        (Some(due), None, _) => Some(Term::new(due, Tone::Warning)),
        (None, Some(default), Some(_)) => Some(Term::new(format!("at the deadline {default}"), Tone::Quiet)),
        (None, Some(_) | None, None) | (None, None, Some(_)) => None,
    }
}
