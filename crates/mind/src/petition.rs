//! A petition: a batch of decisions that an agent wants from a human. This is the value; `life` says what may become of
//! it, and the crate `docket` stores it as a file.

mod draft;
pub mod fields;
mod life;
pub mod subject;
pub mod tell;
pub mod tools;
mod when;

pub use draft::{DraftDecision, PetitionDraft};
pub use life::{
    AnswerChoice, AssignmentRule, PetitionChange, PetitionRefusal, SeenAnswer, SeenQuestion, Unwithdrawn,
};
pub use subject::{Answered, PetitionSubject};
pub use when::when;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::actor::Door;
use crate::digest::Digest;
use crate::id::Timestamp;
use crate::talk::DecisionOption;

/// A petition's name, unique in its docket. It is text, whatever it looks like.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PetitionId(pub Arc<str>);

impl fmt::Display for PetitionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for PetitionId {
    fn from(text: &str) -> PetitionId {
        PetitionId(Arc::from(text))
    }
}

/// What an answer says that skips a decision, for programs that know no skipping.
pub const SKIPPED: &str = "__skipped__";

/// A batch of decisions from one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Petition {
    pub id: PetitionId,
    /// The agent that asks.
    pub agent: Arc<str>,
    /// The agent's session; may be empty.
    pub session: Arc<str>,
    /// What it belongs to; may be empty.
    pub tag: Arc<str>,
    pub title: Arc<str>,
    /// How much it matters.
    pub priority: Priority,
    /// How it was closed, if it was.
    pub closed: Option<ClosedPetition>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// The session that hears of the end.
    pub notify_session: Option<Arc<str>>,
    /// The mission that asks.
    pub mission: Option<Arc<str>>,
    /// What waits for it, in words.
    pub blocks: Option<Arc<str>>,
    /// After this the asker needs the answers no more.
    pub deadline: Option<Timestamp>,
    /// Who is asked; any person if none.
    pub assignee: Option<Arc<str>>,
    /// Whom and what a door turns to, one after the other, while it is open: people and channels.
    pub escalate: Vec<Arc<str>>,
    /// What the human needs to know for all of it.
    pub context: Arc<str>,
    /// The questions, in order.
    pub decisions: Vec<Decision>,
}

/// How much a petition matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// It can wait.
    Low,
    #[default]
    Normal,
    High,
    Urgent,
}

impl Priority {
    const ALL: [Priority; 4] = [Priority::Low, Priority::Normal, Priority::High, Priority::Urgent];
    /// The words of all of them.
    pub const WORDS: &'static [&'static str] =
        &[Self::ALL[0].word(), Self::ALL[1].word(), Self::ALL[2].word(), Self::ALL[3].word()];

    pub const fn word(self) -> &'static str {
        match self {
            Priority::Low => "low",
            Priority::Normal => "normal",
            Priority::High => "high",
            Priority::Urgent => "urgent",
        }
    }

    /// The priority of this word.
    pub fn of(word: &str) -> Option<Priority> {
        Priority::ALL.into_iter().find(|priority| priority.word() == word)
    }
}

/// How and when a petition was closed. A closed petition takes no answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClosedPetition {
    pub end: PetitionEnd,
    pub at: Timestamp,
    /// Why, for one that was not submitted.
    pub why: Option<Arc<str>>,
}

/// How a petition ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PetitionEnd {
    /// The answers were submitted.
    Completed,
    /// The asker needs them no more.
    Withdrawn,
    /// Its deadline passed.
    Expired,
}

/// Where a petition stands, counted from its decisions. What the file says of its status is ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PetitionStatus {
    /// Nothing is decided.
    Pending,
    InProgress,
    /// All is decided and can be submitted.
    Ready,
    Completed,
    Withdrawn,
    Expired,
}

impl PetitionStatus {
    /// Its word, as doors say it.
    pub fn word(self) -> &'static str {
        match self {
            PetitionStatus::Pending => "pending",
            PetitionStatus::InProgress => "in_progress",
            PetitionStatus::Ready => "ready",
            PetitionStatus::Completed => "completed",
            PetitionStatus::Withdrawn => "withdrawn",
            PetitionStatus::Expired => "expired",
        }
    }

    /// It takes no answers any more.
    pub fn is_closed(self) -> bool {
        match self {
            PetitionStatus::Pending | PetitionStatus::InProgress | PetitionStatus::Ready => false,
            PetitionStatus::Completed | PetitionStatus::Withdrawn | PetitionStatus::Expired => true,
        }
    }
}

/// One question of a petition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decision {
    /// Unique within its petition.
    pub id: Arc<str>,
    pub title: Arc<str>,
    pub context: Arc<str>,
    /// The ways to answer.
    pub options: Vec<DecisionOption>,
    /// Whether free text is an answer too: said so, forbidden, or nothing said (then it is offered).
    pub allow_custom: Option<bool>,
    /// Several options can be chosen; the answer names their keys, with a comma between.
    pub multi: bool,
    /// After this the asker needs the answer no more.
    pub deadline: Option<Timestamp>,
    /// What a policy answers at the deadline; never recorded as a person's.
    pub default: Option<Arc<str>>,
    /// No policy may answer, and no edit of the file counts as an answer.
    pub requires_human: bool,
    /// What the answer is bound to, for approvals: the digest of what will run.
    pub digest: Option<Arc<str>>,
    /// Decisions that have to be made first.
    pub depends_on: Vec<Arc<str>>,
    /// Who is asked; the petition's assignee if none.
    pub assignee: Option<Arc<str>>,
    pub answer: Option<GivenAnswer>,
}

/// An answer that was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GivenAnswer {
    /// What it is.
    pub choice: AnswerChoice,
    /// When; unknown where another program wrote none.
    pub at: Option<Timestamp>,
    /// Who gave it, as the file says: `human:cli:ada`.
    pub by: Option<Arc<str>>,
    /// The door it came through.
    pub via: Option<Door>,
    /// The assignee in whose place it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<Arc<str>>,
    /// It came after the petition was closed.
    pub late: bool,
}

impl Petition {
    /// Its status, counted from its decisions.
    pub fn status(&self) -> PetitionStatus {
        match self.closed.as_ref().map(|closed| closed.end) {
            Some(PetitionEnd::Completed) => PetitionStatus::Completed,
            Some(PetitionEnd::Withdrawn) => PetitionStatus::Withdrawn,
            Some(PetitionEnd::Expired) => PetitionStatus::Expired,
            None if self.decided() == self.decisions.len() => PetitionStatus::Ready,
            None if self.decided() > 0 => PetitionStatus::InProgress,
            None => PetitionStatus::Pending,
        }
    }

    /// How many decisions are answered or skipped.
    pub fn decided(&self) -> usize {
        self.decisions.iter().filter(|decision| decision.is_decided()).count()
    }

    /// One of its decisions, by its exact id.
    pub fn decision(&self, id: &str) -> Option<&Decision> {
        self.decisions.iter().find(|decision| *decision.id == *id)
    }

    /// Who is asked for a decision of it; any person if none.
    pub fn assignee<'p>(&'p self, decision: &'p Decision) -> Option<&'p Arc<str>> {
        decision.assignee.as_ref().or(self.assignee.as_ref())
    }

    /// What an answer to a decision is bound to: the SHA-256 of everything that is shown with it. The answers that stand
    /// already are no part of it.
    pub fn digest(&self, decision: &Decision) -> Arc<str> {
        let mut digest = Digest::default();
        let mut part = |text: &str| digest.add_part(text);
        part(&self.id.0);
        part(&self.title);
        part(&self.context);
        part(&decision.id);
        part(&decision.title);
        part(&decision.context);
        part(decision.digest.as_deref().unwrap_or(""));
        for option in &decision.options {
            part(&option.key);
            part(&option.label);
        }
        Arc::from(digest.hex())
    }
}

impl Decision {
    /// It is answered or skipped. An answer that came too late decided nothing.
    pub fn is_decided(&self) -> bool {
        self.answer.as_ref().is_some_and(|given| !given.late)
    }

    /// Free text is an answer unless the asker forbade it.
    pub fn takes_custom(&self) -> bool {
        self.allow_custom != Some(false)
    }
}
