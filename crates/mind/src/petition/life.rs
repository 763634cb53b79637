//! What may become of a petition: answered, skipped, changed, handed over, submitted, withdrawn, expired. Each act is judged against the
//! petition as it is and gives changes, which the docket records first and then applies. The first answer stands; no
//! answer is never taken for one.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::actor::{Actor, Door};

use super::{ClosedPetition, Decision, GivenAnswer, Petition, PetitionEnd, SKIPPED};
use crate::id::Timestamp;
use crate::limits;

/// The name under which missions ask and withdraw.
const ARBITER: &str = "arbiter";

/// What an answer says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerChoice {
    /// An option's key, several of them, or a text of one's own.
    Answer(Arc<str>),
    /// The person leaves it to the asker.
    Skipped,
}

impl AnswerChoice {
    /// As files and lists write it.
    pub fn text(&self) -> &str {
        match self {
            AnswerChoice::Answer(text) => text,
            AnswerChoice::Skipped => SKIPPED,
        }
    }
}

/// What a person had before their eyes when they answered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeenQuestion {
    /// The digest of the question, if it was shown.
    pub question: Option<Arc<str>>,
    /// The answer that stood.
    pub answer: SeenAnswer,
    /// The assignee in whose place the person answers, as they said.
    pub instead_of: Option<Arc<str>>,
    /// Whether an assignment binds the person.
    pub assignment: AssignmentRule,
}

/// What an assignment is to a person who answers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum AssignmentRule {
    /// It is shown, and anybody answers.
    #[default]
    Shown,
    /// Only the assignee answers, and a person who says that they answer in the assignee's place.
    Binding {
        /// The names that the door knows the person by, beside the one that is recorded.
        names: Vec<Arc<str>>,
    },
}

/// The answer that a person saw.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SeenAnswer {
    #[default]
    None,
    /// This one, and it is to be changed.
    This(AnswerChoice),
    /// Whatever stands is to be changed.
    Any,
}

/// One thing that happened to a petition, as it is recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "did")]
pub enum PetitionChange {
    Asked,
    /// A decision was answered.
    Answered {
        decision: Arc<str>,
        choice: AnswerChoice,
        /// The question as it was shown.
        digest: Arc<str>,
        /// The assignee in whose place it was given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<Arc<str>>,
    },
    /// An answer was changed.
    Changed {
        decision: Arc<str>,
        choice: AnswerChoice,
        /// The question as it was shown.
        digest: Arc<str>,
        /// The assignee in whose place it was given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<Arc<str>>,
    },
    /// An answer came after the petition was closed: it is kept, and decides nothing.
    Late {
        decision: Arc<str>,
        choice: AnswerChoice,
        /// The question as it was shown.
        digest: Arc<str>,
        /// The assignee in whose place it was given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<Arc<str>>,
    },
    /// It was handed over: one decision, or all of it.
    Assigned {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decision: Option<Arc<str>>,
        /// Who is asked from now on.
        to: Arc<str>,
    },
    /// All answers were submitted.
    Submitted,
    /// The asker needs it no more.
    Withdrawn {
        why: Arc<str>,
    },
    /// Its deadline passed.
    Expired {
        /// What was still open.
        why: Arc<str>,
    },
}

/// Why an act was refused: one variant for each thing that a person is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum PetitionRefusal {
    /// There is no such decision.
    NoSuchDecision {
        /// Those that there are.
        known: Vec<Arc<str>>,
    },
    /// It has an answer already.
    AlreadyAnswered(GivenAnswer),
    /// It was submitted, withdrawn or has expired.
    Closed(ClosedPetition),
    /// The text is no option, and the asker wants no other.
    NotAnOption { keys: Vec<String> },
    /// There is no text.
    Empty,
    /// The text is longer than one answer may be.
    TooLong,
    /// It was changed after it was shown.
    QuestionChanged,
    /// Only a person at a door may answer.
    RequiresHuman,
    /// Another decision has to be made first.
    WaitsFor(Arc<str>),
    /// Something is still open.
    NotReady { open: Vec<Arc<str>> },
    /// Another person is asked, and assignments bind at this door.
    AssignedTo(Arc<str>),
    /// It is this person's already.
    AlreadyAssigned(Arc<str>),
    /// A person's name is one line of bounded length.
    NotAName,
    /// An agent says whom it asks when it asks; it hands nothing over.
    AgentAssigns,
}

/// Why a petition is not withdrawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unwithdrawn {
    /// It was submitted, withdrawn or has expired.
    Closed(ClosedPetition),
    /// An agent withdraws what it asked itself, and nothing else.
    NotYours,
}

impl Petition {
    /// An answer, or a skip, of `by`. After expiry or withdrawal it is late.
    pub fn answer(
        &self,
        id: &str,
        choice: AnswerChoice,
        seen: &SeenQuestion,
        by: &Actor,
    ) -> Result<PetitionChange, PetitionRefusal> {
        let known = || self.decisions.iter().map(|decision| Arc::clone(&decision.id)).collect();
        let decision = self.decision(id).ok_or_else(|| PetitionRefusal::NoSuchDecision { known: known() })?;
        let choice = decision.accept(choice)?;
        let digest = self.digest(decision);
        if seen.question.as_ref().is_some_and(|shown| *shown != digest) {
            return Err(PetitionRefusal::QuestionChanged);
        }
        // An agent asks; it never answers.
        let is_agent = matches!(by, Actor::Agent(_));
        if is_agent || decision.requires_human && (!by.is_human() || by.door() == Some(Door::File)) {
            return Err(PetitionRefusal::RequiresHuman);
        }
        let decision_id = Arc::clone(&decision.id);
        match self.closed.as_ref().map(|closed| (closed, closed.end)) {
            Some((closed, PetitionEnd::Completed)) => return Err(PetitionRefusal::Closed(closed.clone())),
            Some((_, PetitionEnd::Withdrawn | PetitionEnd::Expired)) => {
                return match &decision.answer {
                    Some(given) => Err(PetitionRefusal::AlreadyAnswered(given.clone())),
                    None => {
                        let instead_of = self.instead_of(decision, seen, by)?;
                        Ok(PetitionChange::Late { decision: decision_id, choice, digest, instead_of })
                    }
                };
            }
            None => {}
        }
        let undecided = |first: &&Arc<str>| self.decision(first).is_some_and(|first| !first.is_decided());
        if let Some(first) = decision.depends_on.iter().find(undecided) {
            return Err(PetitionRefusal::WaitsFor(Arc::clone(first)));
        }
        let is_change = match (&decision.answer, &seen.answer) {
            (None, _) => false,
            (Some(_), SeenAnswer::Any) => true,
            (Some(given), SeenAnswer::This(seen)) if given.choice == *seen => true,
            (Some(given), SeenAnswer::None | SeenAnswer::This(_)) => {
                return Err(PetitionRefusal::AlreadyAnswered(given.clone()));
            }
        };
        let (decision, instead_of) = (decision_id, self.instead_of(decision, seen, by)?);
        Ok(match is_change {
            false => PetitionChange::Answered { decision, choice, digest, instead_of },
            true => PetitionChange::Changed { decision, choice, digest, instead_of },
        })
    }

    /// The assignee in whose place `by` answers, if it is another person's decision and they said so.
    fn instead_of(
        &self,
        decision: &Decision,
        seen: &SeenQuestion,
        by: &Actor,
    ) -> Result<Option<Arc<str>>, PetitionRefusal> {
        let Some(assignee) = self.assignee(decision) else { return Ok(None) };
        let names: &[Arc<str>] = match &seen.assignment {
            AssignmentRule::Shown => &[],
            AssignmentRule::Binding { names } => names,
        };
        let is_theirs =
            matches!(by, Actor::Human { user, .. } if user == assignee) || names.contains(assignee);
        match (&seen.instead_of, &seen.assignment) {
            _ if is_theirs => Ok(None),
            (Some(said), _) if said == assignee => Ok(Some(Arc::clone(assignee))),
            (None, AssignmentRule::Shown) => Ok(None),
            // It was handed to somebody else after it was shown.
            (Some(_), _) | (None, AssignmentRule::Binding { .. }) => {
                Err(PetitionRefusal::AssignedTo(Arc::clone(assignee)))
            }
        }
    }

    /// Hands one decision, or all of it, to `to`. The person who hands it over need not be the assignee.
    pub fn assign(
        &self,
        decision: Option<&str>,
        to: &str,
        by: &Actor,
    ) -> Result<PetitionChange, PetitionRefusal> {
        if let Some(closed) = &self.closed {
            return Err(PetitionRefusal::Closed(closed.clone()));
        }
        let known = || self.decisions.iter().map(|decision| Arc::clone(&decision.id)).collect();
        let unknown = || PetitionRefusal::NoSuchDecision { known: known() };
        let decision = decision.map(|id| self.decision(id).ok_or_else(unknown)).transpose()?;
        if matches!(by, Actor::Agent(_)) {
            return Err(PetitionRefusal::AgentAssigns);
        }
        let to = to.trim();
        if to.is_empty() || to.contains(char::is_control) || to.chars().count() > limits::ASSIGNEE_CHARS_MAX {
            return Err(PetitionRefusal::NotAName);
        }
        let held_by = decision.map_or(self.assignee.as_ref(), |decision| decision.assignee.as_ref());
        match held_by.filter(|held_by| ***held_by == *to) {
            Some(held_by) => Err(PetitionRefusal::AlreadyAssigned(Arc::clone(held_by))),
            None => {
                let decision = decision.map(|decision| Arc::clone(&decision.id));
                Ok(PetitionChange::Assigned { decision, to: Arc::from(to) })
            }
        }
    }

    /// The answers are final.
    pub fn submit(&self) -> Result<PetitionChange, PetitionRefusal> {
        if let Some(closed) = &self.closed {
            return Err(PetitionRefusal::Closed(closed.clone()));
        }
        let open: Vec<Arc<str>> =
            self.decisions.iter().filter(|d| !d.is_decided()).map(|d| Arc::clone(&d.id)).collect();
        if open.is_empty() { Ok(PetitionChange::Submitted) } else { Err(PetitionRefusal::NotReady { open }) }
    }

    /// The asker needs it no more. A person may withdraw anything, an agent only what is its own.
    pub fn withdraw(&self, why: &str, by: &Actor) -> Result<PetitionChange, Unwithdrawn> {
        match &self.closed {
            Some(closed) => Err(Unwithdrawn::Closed(closed.clone())),
            None if !self.is_of(by) => Err(Unwithdrawn::NotYours),
            None => Ok(PetitionChange::Withdrawn { why: Petition::reason(why) }),
        }
    }

    /// The reason of a withdrawal as it is recorded.
    pub fn reason(why: &str) -> Arc<str> {
        Arc::from(limits::cut(why.trim(), limits::ANSWER_CHARS_MAX))
    }

    /// Whether `by` may withdraw it: a person or policy may, an agent its own, and a mission what missions asked.
    fn is_of(&self, by: &Actor) -> bool {
        match by {
            Actor::Human { .. } | Actor::Policy(_) => true,
            Actor::Agent(name) => *name == self.agent || (self.mission.is_some() && &**name == ARBITER),
        }
    }

    /// The next moment at which time alone changes something.
    pub fn due_at(&self) -> Option<Timestamp> {
        if self.closed.is_some() {
            return None;
        }
        let open = self.decisions.iter().filter(|decision| !decision.is_decided());
        let own = open.filter_map(|decision| decision.deadline);
        own.chain(self.deadline).min()
    }

    /// The changes that deadlines bring by `now`: the asker's defaults, each as a policy's answer; then the petition is
    /// submitted by policy if nothing is open and no person is required, else it expires.
    pub fn due(&self, now: Timestamp) -> Vec<(PetitionChange, Actor)> {
        let mut changes = Vec::new();
        let Some(due) = self.due_at().filter(|due| *due <= now) else { return changes };
        let whole = self.deadline.is_some_and(|deadline| deadline <= now);
        let mut after = self.clone();
        let is_due = |decision: &&Decision| {
            !decision.is_decided() && (whole || decision.deadline.is_some_and(|at| at <= now))
        };
        for decision in self.decisions.iter().filter(is_due) {
            let Some(default) = decision.default.clone() else { continue };
            let by = Actor::policy("default");
            let answered =
                after.answer(&decision.id, AnswerChoice::Answer(default), &SeenQuestion::default(), &by);
            if let Ok(change) = answered {
                after.apply(&change, &by, now);
                changes.push((change, by));
            }
        }
        let unmet = after.decisions.iter().find(is_due);
        let by = Actor::policy("deadline");
        if let Some(decision) = unmet {
            let why = format!("{} was open at its deadline", decision.id);
            changes.push((PetitionChange::Expired { why: Arc::from(why) }, by));
        } else if whole || after.decided() == after.decisions.len() {
            let needs_human = self.decisions.iter().any(|decision| decision.requires_human);
            changes.push(match (needs_human, after.submit()) {
                (false, Ok(submitted)) => (submitted, by),
                (true, _) => (
                    PetitionChange::Expired { why: Arc::from("nobody submitted it before its deadline") },
                    by,
                ),
                (false, Err(_)) => (
                    PetitionChange::Expired { why: Arc::from(format!("open at its deadline ({})", due.0)) },
                    by,
                ),
            });
        }
        changes
    }

    /// Applies one change that `answer`, `assign`, `submit`, `withdraw` or `due` gave.
    pub fn apply(&mut self, change: &PetitionChange, by: &Actor, at: Timestamp) {
        let (end, why) = match change {
            PetitionChange::Asked => return,
            PetitionChange::Answered { decision, choice, instead_of, .. }
            | PetitionChange::Changed { decision, choice, instead_of, .. }
            | PetitionChange::Late { decision, choice, instead_of, .. } => {
                let late = matches!(change, PetitionChange::Late { .. });
                self.updated_at = at;
                if let Some(decision) = self.decisions.iter_mut().find(|d| d.id == *decision) {
                    let by_text = Some(Arc::from(by.to_string()));
                    let choice = choice.clone();
                    let (instead_of, via) = (instead_of.clone(), by.door());
                    decision.answer =
                        Some(GivenAnswer { choice, at: Some(at), by: by_text, via, instead_of, late });
                }
                return;
            }
            PetitionChange::Assigned { decision, to } => {
                self.updated_at = at;
                let to = Some(Arc::clone(to));
                match decision {
                    None => self.assignee = to,
                    Some(id) => {
                        self.decisions
                            .iter_mut()
                            .filter(|d| d.id == *id)
                            .for_each(|d| d.assignee = to.clone());
                    }
                }
                return;
            }
            PetitionChange::Submitted => (PetitionEnd::Completed, None),
            PetitionChange::Withdrawn { why } => (PetitionEnd::Withdrawn, Some(Arc::clone(why))),
            PetitionChange::Expired { why } => (PetitionEnd::Expired, Some(Arc::clone(why))),
        };
        self.updated_at = at;
        self.closed = Some(ClosedPetition { end, at, why });
    }
}

impl Decision {
    /// The choice as it is recorded, if it is one.
    pub fn accept(&self, choice: AnswerChoice) -> Result<AnswerChoice, PetitionRefusal> {
        let AnswerChoice::Answer(text) = choice else { return Ok(AnswerChoice::Skipped) };
        if text.trim().is_empty() {
            return Err(PetitionRefusal::Empty);
        }
        if text.len() > limits::CUSTOM_BYTES_MAX {
            return Err(PetitionRefusal::TooLong);
        }
        let is_key = |text: &str| self.options.iter().any(|option| option.key == text);
        if is_key(&text) {
            return Ok(AnswerChoice::Answer(text));
        }
        if self.multi && text.split(',').all(|key| is_key(key.trim())) {
            let keys: Vec<&str> = text.split(',').map(str::trim).collect();
            return Ok(AnswerChoice::Answer(Arc::from(keys.join(", "))));
        }
        if self.takes_custom() {
            return Ok(AnswerChoice::Answer(text));
        }
        let keys = self.options.iter().map(|option| option.key.clone()).collect();
        Err(PetitionRefusal::NotAnOption { keys })
    }
}
