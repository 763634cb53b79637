//! A draft: what an agent asks, before it is a petition. The reader takes several names for a field and checks all values:
//! every fault is named at once, and a draft with a fault is not asked.

mod reader;
mod slips;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::reader::Reader;
use super::{Decision, Petition, PetitionId, Priority, SKIPPED, fields};
use crate::id::Timestamp;
use crate::limits;
use crate::talk::DecisionOption;

/// What an agent asks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PetitionDraft {
    pub agent: Arc<str>,
    /// Its session; may be empty.
    pub session: Arc<str>,
    /// What it belongs to.
    pub tag: Arc<str>,
    pub title: Arc<str>,
    /// What the human needs to know for all of it.
    pub context: Arc<str>,
    /// How much it matters.
    pub priority: Priority,
    /// The session that hears of the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notify_session: Option<Arc<str>>,
    /// The mission that asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mission: Option<Arc<str>>,
    /// What waits for it, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Arc<str>>,
    /// After this the asker needs the answers no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    /// Who is asked; any person if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<Arc<str>>,
    /// Whom and what a door turns to, one after the other, while it is open: people and channels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub escalate: Vec<Arc<str>>,
    /// Pushing again with the same key, or without one the same content, gives the petition that is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Arc<str>>,
    pub decisions: Vec<DraftDecision>,
}

/// One question of a draft.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DraftDecision {
    /// Unique within its petition.
    pub id: Arc<str>,
    pub title: Arc<str>,
    #[serde(default = "nothing", skip_serializing_if = "str::is_empty")]
    pub context: Arc<str>,
    /// The ways to answer.
    pub options: Vec<DecisionOption>,
    /// Whether free text is an answer too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_custom: Option<bool>,
    /// Several options can be chosen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub multi: bool,
    /// After this the asker needs the answer no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    /// What a policy answers at the deadline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Arc<str>>,
    /// No policy may answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub requires_human: bool,
    /// What the answer is bound to: the digest of what will run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Arc<str>>,
    /// Decisions that have to be made first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<Arc<str>>,
    /// Who is asked; any person if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<Arc<str>>,
}

fn nothing() -> Arc<str> {
    Arc::from("")
}

impl PetitionDraft {
    /// Reads what an agent sent. `when` understands a moment or a span, such as `2026-01-30T01:30:00Z` or `30m`.
    pub fn read(
        sent: &Value,
        when: &dyn Fn(&str) -> Option<Timestamp>,
    ) -> Result<PetitionDraft, Vec<String>> {
        let Some(map) = sent.as_object() else {
            return Err(vec!["a petition must be a JSON object".to_owned()]);
        };
        let mut draft = PetitionDraft::default();
        let mut faults = draft.fill(map, when);
        match map.get("decisions") {
            Some(Value::Array(items)) => {
                for (at, item) in items.iter().enumerate().take(limits::PETITION_DECISIONS_MAX + 1) {
                    draft.decisions.extend(DraftDecision::read(at, item, when, &mut faults));
                }
            }
            None | Some(Value::Null) => {}
            Some(_) => faults.push("`decisions` must be a list".to_owned()),
        }
        faults.extend(draft.faults());
        faults.dedup();
        if faults.is_empty() { Ok(draft) } else { Err(faults) }
    }

    /// Takes over whatever is said of the whole, and tells what is wrong with it. What is not said stays as it was.
    pub fn fill(
        &mut self,
        said: &Map<String, Value>,
        when: &dyn Fn(&str) -> Option<Timestamp>,
    ) -> Vec<String> {
        let mut reader = Reader { map: said, place: String::new(), when, faults: Vec::new() };
        reader.fill(self, fields::PETITION);
        if self.tag.is_empty() {
            self.tag = Arc::from("general");
        }
        reader.faults
    }

    /// Deadlines that have passed already: the petition would expire before it could be answered.
    pub fn overdue(&self, now: Timestamp) -> Vec<String> {
        let is_past = |deadline: Option<Timestamp>| deadline.is_some_and(|deadline| deadline <= now);
        let whole = is_past(self.deadline).then(|| "`deadline` is in the past".to_owned());
        let each = self.decisions.iter().filter(|decision| is_past(decision.deadline));
        let each = each.map(|decision| format!("decision {:?}: `deadline` is in the past", decision.id));
        whole.into_iter().chain(each).collect()
    }

    /// Everything that is wrong with it, whenever it is asked.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut fault = |what: String| faults.push(what);
        fields::PETITION.iter().for_each(|field| field.faults(self, &mut fault));
        if self.decisions.is_empty() {
            fault("there is no decision: `decisions` must hold at least one".to_owned());
        }
        if self.decisions.len() > limits::PETITION_DECISIONS_MAX {
            fault(format!("there are more than {} decisions", limits::PETITION_DECISIONS_MAX));
        }
        for (at, decision) in self.decisions.iter().enumerate() {
            if self.decisions[..at].iter().any(|other| other.id == decision.id) {
                fault(format!("decision {:?} stands twice", decision.id));
            }
            decision.faults(at, &self.decisions[..at], &mut fault);
        }
        if self.escalate.len() > limits::ESCALATE_MAX {
            fault(format!("`escalate` has more than {} names", limits::ESCALATE_MAX));
        }
        let is_name = |name: &Arc<str>| {
            !name.trim().is_empty()
                && !name.contains(char::is_control)
                && name.chars().count() <= limits::ASSIGNEE_CHARS_MAX
        };
        if let Some(name) = self.escalate.iter().find(|name| !is_name(name)) {
            let name = limits::cut(name, limits::NAME_CHARS_MAX);
            fault(format!("`escalate` names {name:?}, which is no name of a person or a channel"));
        }
        if self.bytes() > limits::PETITION_BYTES_MAX {
            fault(format!("all texts together are longer than {} bytes", limits::PETITION_BYTES_MAX));
        }
        faults
    }

    fn bytes(&self) -> usize {
        let of = |decision: &DraftDecision| {
            let options: usize = decision.options.iter().map(|o| o.key.len() + o.label.len()).sum();
            decision.id.len() + decision.title.len() + decision.context.len() + options
        };
        self.title.len() + self.context.len() + self.decisions.iter().map(of).sum::<usize>()
    }

    /// The petition that it becomes.
    pub fn petition(&self, id: PetitionId, at: Timestamp) -> Petition {
        Petition {
            id,
            agent: Arc::clone(&self.agent),
            session: Arc::clone(&self.session),
            tag: Arc::clone(&self.tag),
            title: one_line(&self.title),
            priority: self.priority,
            closed: None,
            created_at: at,
            updated_at: at,
            notify_session: self.notify_session.clone(),
            mission: self.mission.clone(),
            blocks: self.blocks.clone(),
            deadline: self.deadline,
            assignee: self.assignee.clone(),
            escalate: self.escalate.clone(),
            context: tidy(&self.context),
            decisions: self.decisions.iter().map(DraftDecision::decision).collect(),
        }
    }
}

impl DraftDecision {
    fn read(
        at: usize,
        item: &Value,
        when: &dyn Fn(&str) -> Option<Timestamp>,
        faults: &mut Vec<String>,
    ) -> Option<DraftDecision> {
        let place = format!("decision {}: ", at + 1);
        let Some(map) = item.as_object() else {
            faults.push(format!("{place}it must be an object"));
            return None;
        };
        let mut decision = DraftDecision::default();
        let mut reader = Reader { map, place, when, faults: Vec::new() };
        reader.fill(&mut decision, fields::DECISION);
        faults.append(&mut reader.faults);
        Some(decision)
    }

    fn faults(&self, at: usize, before: &[DraftDecision], fault: &mut impl FnMut(String)) {
        let name = if self.id.is_empty() { format!("{}", at + 1) } else { format!("{:?}", self.id) };
        let of = |what: &str| format!("decision {name}: {what}");
        fields::DECISION.iter().for_each(|field| field.faults(self, |what| fault(of(&what))));
        if self.options.is_empty() && self.allow_custom != Some(true) {
            fault(of("it has no options, and `allow_custom` is not true: it could not be answered"));
        }
        if self.options.len() > limits::OPTIONS_MAX {
            fault(of(&format!("it has more than {} options", limits::OPTIONS_MAX)));
        }
        for (nth, option) in self.options.iter().enumerate() {
            let key = &option.key;
            if self.options[..nth].iter().any(|other| other.key == *key) {
                fault(of(&format!("two options have the key {key:?}")));
            }
            if key.trim().is_empty() || key.trim() != key {
                fault(of(&format!("an option's key must be a word: {key:?}")));
            } else if key.chars().any(|sign| sign.is_control() || sign == '`') || key == SKIPPED {
                fault(of(&format!("{key:?} cannot be an option's key")));
            } else if key.chars().count() > limits::NAME_CHARS_MAX {
                fault(of(&format!("an option's key is longer than {} signs", limits::NAME_CHARS_MAX)));
            } else if self.multi && key.contains(',') {
                fault(of(&format!("with `multi` an option's key has no comma: {key:?}")));
            }
            if option.label.chars().any(|sign| sign.is_control()) {
                fault(of(&format!("the label of {key:?} must be one line of plain text")));
            } else if option.label.chars().count() > limits::LABEL_CHARS_MAX {
                fault(of(&format!("the label of {key:?} is longer than {} signs", limits::LABEL_CHARS_MAX)));
            }
        }
        if let Some(default) = &self.default {
            let is_key = self.options.iter().any(|option| *option.key == **default);
            if !is_key && (self.allow_custom == Some(false) || default.trim().is_empty()) {
                fault(of(&format!("`default` is {default:?}, which is none of its options")));
            }
            if self.requires_human {
                fault(of("`default` is a policy's answer, and it requires a human"));
            }
        }
        for first in &self.depends_on {
            if !before.iter().any(|other| other.id == *first) {
                fault(of(&format!("`depends_on` names {first:?}, which is no earlier decision")));
            }
        }
    }

    fn decision(&self) -> Decision {
        Decision {
            id: Arc::clone(&self.id),
            title: one_line(&self.title),
            context: tidy(&self.context),
            options: self.options.clone(),
            allow_custom: self.allow_custom,
            multi: self.multi,
            deadline: self.deadline,
            default: self.default.clone(),
            requires_human: self.requires_human,
            digest: self.digest.clone(),
            depends_on: self.depends_on.clone(),
            assignee: self.assignee.clone(),
            answer: None,
        }
    }
}

fn one_line(text: &str) -> Arc<str> {
    Arc::from(text.trim())
}

/// A text as a file gives it back: one kind of line end, nothing but words at both ends.
fn tidy(text: &str) -> Arc<str> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    Arc::from(lines.join("\n").trim_matches('\n'))
}
