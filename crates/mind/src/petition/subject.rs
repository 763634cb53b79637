//! The petition that a question of the Arbiter or a permission becomes, and what its answers mean to the mission.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{AnswerChoice, DraftDecision, PetitionDraft, Priority};
use crate::actor::Actor;
use crate::id::{MessageId, PermissionId, SessionId, Timestamp};
use crate::limits;
use crate::policy::{GrantScope, PermissionRequest, Risk};
use crate::talk::{Asks, DecisionAsked, DecisionOption, Message};

/// What a petition of a mission is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PetitionSubject {
    /// A message to the human that waits for an answer.
    Question(MessageId),
    /// May a tool run?
    Permission(PermissionId),
    /// An agent's own petition.
    Session(SessionId),
}

/// One answer of a petition, as it came back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    pub decision: Arc<str>,
    pub choice: AnswerChoice,
    pub by: Actor,
    pub at: Timestamp,
    /// The question as it was shown.
    pub digest: Arc<str>,
}

/// The decision that a permission is.
pub const ALLOW: &str = "allow";
/// The decision that the yes before the first summon is.
pub const ALIGN: &str = "align";
/// The decision of a question without options.
pub const REPLY: &str = "reply";

/// A question whether a tool may run. It shows exactly what would run, and only a person at a door can answer it.
pub fn permission(mission: &str, title: &str, who: &str, question: &PermissionRequest) -> PetitionDraft {
    let shown: Vec<String> = question.what.lines().map(|line| format!("    {line}")).collect();
    let lasting = if question.shapes.is_empty() {
        String::new()
    } else {
        let shapes: Vec<String> = question.shapes.iter().map(|shape| format!("    {shape}")).collect();
        format!("\n\nA yes that lasts would cover everything like this:\n\n{}", shapes.join("\n"))
    };
    let context = format!(
        "{who} wants to use {} in {}:\n\n{}\n\nWhy it is asked: {}{lasting}",
        question.tool,
        question.folder,
        shown.join("\n"),
        question.why,
    );
    let mut options = vec![option("yes", "Yes, this once")];
    if !question.shapes.is_empty() {
        options.push(option("hour", "Yes, and everything like it for an hour"));
        options.push(option("mission", "Yes, and everything like it to the mission's end"));
    }
    options.push(option("no", "No; other words than these are a no too, and its reason"));
    let priority = match question.risk {
        Risk::Grave => Priority::Urgent,
        Risk::Unknown | Risk::Network => Priority::High,
    };
    let decision = DraftDecision {
        id: Arc::from(ALLOW),
        title: Arc::from("May it run?"),
        // Never cut: what is too long to be shown whole is a fault of the draft, and is not asked.
        context: Arc::from(context),
        options,
        allow_custom: Some(true),
        requires_human: true,
        digest: Some(Arc::clone(&question.digest)),
        ..DraftDecision::default()
    };
    let asked = crate::show::line(&question.what);
    let headline = word(&format!("May {who} run: {asked}"), limits::TITLE_CHARS_MAX);
    draft(mission, title, &headline, "", priority, vec![decision])
}

/// What a yes or a no of a petition means.
pub fn verdict(choice: &AnswerChoice) -> (bool, GrantScope, Arc<str>) {
    let nothing = Arc::from("");
    match choice {
        AnswerChoice::Answer(text) => match &**text {
            "yes" => (true, GrantScope::Once, nothing),
            "hour" => (true, GrantScope::Hour, nothing),
            "mission" => (true, GrantScope::Mission, nothing),
            "no" => (false, GrantScope::Once, nothing),
            // Any other text is the reason of a no.
            reason => (false, GrantScope::Once, Arc::from(reason)),
        },
        AnswerChoice::Skipped => (false, GrantScope::Once, Arc::from("the human did not want to decide it")),
    }
}

/// The Arbiter's question to the human.
pub fn question(mission: &str, title: &str, message: &Message) -> PetitionDraft {
    let mut decisions: Vec<DraftDecision> = message.decisions.iter().map(asked).collect();
    let whole = message.text.len() <= limits::CONTEXT_BYTES_MAX;
    if message.asks == Some(Asks::Alignment) && whole {
        decisions.insert(0, alignment());
    } else if decisions.is_empty() {
        decisions.push(DraftDecision {
            id: Arc::from(REPLY),
            title: Arc::from("Your answer"),
            allow_custom: Some(true),
            ..DraftDecision::default()
        });
    }
    let headline = match message.asks {
        Some(Asks::Alignment) => "The Arbiter asks for your yes".to_owned(),
        None => {
            let first = crate::show::line(&message.text);
            word(&format!("{} asks: {first}", message.from), limits::TITLE_CHARS_MAX)
        }
    };
    let text = if whole {
        message.text.to_string()
    } else {
        // A yes to what was not shown whole is none.
        let first = limits::cut(&message.text, limits::CONTEXT_BYTES_MAX / 8);
        format!(
            "{first}\n\n(It is too long for the docket and was cut here. `arbiter attach {mission}` shows all of it; a \
             yes is given there, or with `arbiter mission say {mission} yes`.)"
        )
    };
    draft(mission, title, &headline, &text, Priority::High, decisions)
}

fn alignment() -> DraftDecision {
    DraftDecision {
        id: Arc::from(ALIGN),
        title: Arc::from("Shall the mission begin so?"),
        options: vec![option("yes", "Yes, begin")],
        allow_custom: Some(true),
        requires_human: true,
        ..DraftDecision::default()
    }
}

fn asked(decision: &DecisionAsked) -> DraftDecision {
    // A model's id may hold anything; a petition's may not.
    let plain = |sign: char| sign.is_alphanumeric() || matches!(sign, '-' | '_' | '.');
    let id: String = decision.id.trim().chars().map(|sign| if plain(sign) { sign } else { '-' }).collect();
    DraftDecision {
        id: Arc::from(id.chars().take(limits::NAME_CHARS_MAX).collect::<String>()),
        title: Arc::from(word(&crate::show::line(&decision.title), limits::TITLE_CHARS_MAX)),
        context: Arc::from(decision.context.as_str()),
        options: decision
            .options
            .iter()
            .map(|o| option(&key(&o.key, limits::NAME_CHARS_MAX), &key(&o.label, limits::LABEL_CHARS_MAX)))
            .collect(),
        allow_custom: Some(decision.allow_custom),
        ..DraftDecision::default()
    }
}

/// A text on one line, bounded, without signs that no line may have.
fn word(text: &str, chars_max: usize) -> String {
    let plain: String = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
    let plain: String = plain.trim().chars().take(chars_max).collect();
    plain.trim_end().to_owned()
}

/// A text as a key or a label may be: without what would end it in a file.
fn key(text: &str, chars_max: usize) -> String {
    word(&text.replace('`', "'"), chars_max)
}

fn option(key: &str, label: &str) -> DecisionOption {
    DecisionOption { key: key.to_owned(), label: label.to_owned() }
}

fn draft(
    mission: &str,
    title: &str,
    headline: &str,
    context: &str,
    priority: Priority,
    decisions: Vec<DraftDecision>,
) -> PetitionDraft {
    PetitionDraft {
        agent: Arc::from("arbiter"),
        session: Arc::from(format!("mission:{mission}")),
        tag: Arc::from(word(title, limits::NAME_CHARS_MAX)),
        title: Arc::from(headline),
        context: Arc::from(context),
        priority,
        mission: Some(Arc::from(mission)),
        blocks: Some(Arc::from(format!("mission {mission}"))),
        decisions,
        ..PetitionDraft::default()
    }
}

/// The answers to a question as the Arbiter hears them: the human's words.
pub fn words(draft: &PetitionDraft, answers: &[(Arc<str>, AnswerChoice)]) -> String {
    let mut lines = Vec::new();
    for (id, choice) in answers {
        let decision = draft.decisions.iter().find(|decision| decision.id == *id);
        let title = decision.map_or(&**id, |decision| &decision.title);
        let label = |text: &str| {
            let option = decision.and_then(|d| d.options.iter().find(|option| option.key == text));
            option.filter(|option| option.label != text).map(|option| format!(" ({})", option.label))
        };
        let said = match choice {
            AnswerChoice::Answer(text) if &**id == REPLY || &**id == ALIGN => text.to_string(),
            AnswerChoice::Answer(text) => format!("{title}: {text}{}", label(text).unwrap_or_default()),
            AnswerChoice::Skipped if &**id == REPLY || &**id == ALIGN => "I leave this to you.".to_owned(),
            AnswerChoice::Skipped => format!("{title}: I leave this to you."),
        };
        lines.push(said);
    }
    lines.join("\n")
}
