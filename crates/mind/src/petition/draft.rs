//! What an agent asks, before it is a petition. Reading is forgiving about names in the wild and strict about sense: every
//! fault is named at once, and with a single one nothing is asked.

mod slips;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Decision, Petition, PetitionId, Priority, SKIPPED};
use crate::id::Timestamp;
use crate::limits;
use crate::talk::DecisionOption;

/// What an agent asks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Draft {
    /// The agent.
    pub agent: Arc<str>,
    /// Its session; may be empty.
    pub session: Arc<str>,
    /// What it belongs to.
    pub tag: Arc<str>,
    /// What it is about.
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
    /// When nobody needs the answers any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    /// Who is asked; anybody if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<Arc<str>>,
    /// Pushing again with the same key, or without one the same content, gives the petition that is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Arc<str>>,
    /// The questions.
    pub decisions: Vec<DraftDecision>,
}

/// One question of a draft.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DraftDecision {
    /// Unique within its petition.
    pub id: Arc<str>,
    /// The question.
    pub title: Arc<str>,
    /// What the human needs to know.
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
    /// When nobody needs the answer any more.
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
    /// Who is asked; anybody if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<Arc<str>>,
}

fn nothing() -> Arc<str> {
    Arc::from("")
}

impl Draft {
    /// Reads what an agent sent. `when` understands a moment or a span, such as `2026-01-30T01:30:00Z` or `30m`.
    pub fn read(sent: &Value, when: &dyn Fn(&str) -> Option<Timestamp>) -> Result<Draft, Vec<String>> {
        let Some(map) = sent.as_object() else {
            return Err(vec!["a petition must be a JSON object".to_owned()]);
        };
        let mut reader = Reader { map, place: String::new(), when, faults: Vec::new() };
        let mut draft = Draft {
            agent: reader.text(&["agent"]),
            session: reader.text(&["session"]),
            tag: reader.scalar(&["tag"]),
            title: reader.text(&["title"]),
            context: reader.text(&["context"]),
            priority: reader.priority(),
            notify_session: reader.optional(&["notify_session", "notifySession", "notify"]),
            mission: None,
            blocks: reader.optional(&["blocks"]),
            deadline: reader.moment("deadline"),
            assignee: reader.optional(&["assignee"]),
            key: reader.optional(&["key", "idempotency_key", "idempotencyKey"]),
            decisions: Vec::new(),
        };
        if draft.tag.is_empty() {
            draft.tag = Arc::from("general");
        }
        let mut faults = reader.faults;
        faults.extend(slips::slips(map, slips::PETITION));
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

    /// Deadlines that nobody could keep: what they stand for would be over before it is asked.
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
        title("`title`", &self.title, &mut fault);
        let names = [("agent", &self.agent), ("session", &self.session), ("tag", &self.tag)];
        let more = [
            ("notify_session", &self.notify_session),
            ("assignee", &self.assignee),
            ("key", &self.key),
            ("blocks", &self.blocks),
        ];
        let more = more.iter().filter_map(|(name, text)| text.as_ref().map(|text| (*name, text)));
        for (name, text) in names.into_iter().chain(more) {
            // Sessions of others have long names.
            if text.chars().count() > 4 * limits::NAME_CHARS_MAX {
                fault(format!("`{name}` is longer than {} signs", 4 * limits::NAME_CHARS_MAX));
            }
            if text.contains(char::is_control) {
                fault(format!("`{name}` must be one line of plain text"));
            }
        }
        if self.context.len() > limits::CONTEXT_BYTES_MAX {
            fault(format!("`context` is longer than {} bytes", limits::CONTEXT_BYTES_MAX));
        }
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
        let mut reader = Reader { map, place, when, faults: Vec::new() };
        let decision = DraftDecision {
            id: reader.scalar(&["id"]),
            title: reader.text(&["title"]),
            context: reader.text(&["context"]),
            options: reader.options(),
            allow_custom: reader.flag(&["allow_custom", "allowCustom"]),
            multi: reader.flag(&["multi"]).unwrap_or(false),
            deadline: reader.moment("deadline"),
            default: reader.optional(&["default"]),
            requires_human: reader.requires_human(),
            digest: reader.optional(&["digest"]),
            depends_on: reader.names(&["depends_on", "dependsOn"]),
            assignee: reader.optional(&["assignee"]),
        };
        slips::slips(map, slips::DECISION).into_iter().for_each(|slip| reader.fault(slip));
        faults.append(&mut reader.faults);
        Some(decision)
    }

    fn faults(&self, at: usize, before: &[DraftDecision], fault: &mut impl FnMut(String)) {
        let name = if self.id.is_empty() { format!("{}", at + 1) } else { format!("{:?}", self.id) };
        let of = |what: &str| format!("decision {name}: {what}");
        if self.id.trim().is_empty() {
            fault(of("`id` is missing or empty"));
        } else if !self.id.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '-' | '_' | '.')) {
            fault(of("`id` may have letters, digits, `-`, `_` and `.` only"));
        } else if self.id.chars().count() > limits::NAME_CHARS_MAX {
            fault(of(&format!("`id` is longer than {} signs", limits::NAME_CHARS_MAX)));
        }
        title(&of("`title`"), &self.title, fault);
        if self.context.len() > limits::CONTEXT_BYTES_MAX {
            fault(of(&format!("`context` is longer than {} bytes", limits::CONTEXT_BYTES_MAX)));
        }
        if self.options.is_empty() && self.allow_custom != Some(true) {
            fault(of("it has no options, and `allow_custom` is not true: nobody could answer it"));
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

fn title(name: &str, text: &str, fault: &mut impl FnMut(String)) {
    if text.trim().is_empty() {
        fault(format!("{name} is missing or empty"));
    } else if text.contains(char::is_control) {
        fault(format!("{name} must be one line of plain text"));
    } else if text.chars().count() > limits::TITLE_CHARS_MAX {
        fault(format!("{name} is longer than {} signs", limits::TITLE_CHARS_MAX));
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

/// Reads fields one by one and remembers every fault.
struct Reader<'a> {
    map: &'a Map<String, Value>,
    place: String,
    when: &'a dyn Fn(&str) -> Option<Timestamp>,
    faults: Vec<String>,
}

impl<'a> Reader<'a> {
    fn find(&self, names: &[&str]) -> Option<(&'a str, &'a Value)> {
        let found = names.iter().find_map(|name| self.map.get_key_value(*name));
        found.map(|(name, value)| (name.as_str(), value)).filter(|(_, value)| !value.is_null())
    }

    fn fault(&mut self, what: String) {
        self.faults.push(format!("{}{what}", self.place));
    }

    fn optional(&mut self, names: &[&str]) -> Option<Arc<str>> {
        match self.find(names) {
            None => None,
            Some((_, Value::String(text))) if text.is_empty() => None,
            Some((_, Value::String(text))) => Some(Arc::from(text.as_str())),
            Some((name, _)) => {
                self.fault(format!("`{name}` must be a text"));
                None
            }
        }
    }

    fn text(&mut self, names: &[&str]) -> Arc<str> {
        self.optional(names).unwrap_or_else(nothing)
    }

    /// A text that may look like a number.
    fn scalar(&mut self, names: &[&str]) -> Arc<str> {
        match self.find(names) {
            Some((_, Value::Number(number))) => Arc::from(number.to_string()),
            Some(_) | None => self.text(names),
        }
    }

    fn flag(&mut self, names: &[&str]) -> Option<bool> {
        match self.find(names) {
            None => None,
            Some((_, Value::Bool(flag))) => Some(*flag),
            Some((name, _)) => {
                self.fault(format!("`{name}` must be true or false"));
                None
            }
        }
    }

    fn priority(&mut self) -> Priority {
        let word = self.text(&["priority"]);
        if word.is_empty() {
            return Priority::Normal;
        }
        Priority::of(&word).unwrap_or_else(|| {
            self.fault(format!("`priority` is {word:?}, but must be one of low, normal, high, urgent"));
            Priority::Normal
        })
    }

    fn moment(&mut self, name: &str) -> Option<Timestamp> {
        let text = self.optional(&[name])?;
        let moment = (self.when)(&text);
        if moment.is_none() {
            self.fault(format!(
                "`{name}` is {text:?}, but must be a time such as 2026-01-30T01:30:00Z or 30m"
            ));
        }
        moment
    }

    fn requires_human(&mut self) -> bool {
        let flag = self.find(&["requires_human", "requiresHuman"]);
        if let Some(flag) = flag.and_then(|(_, flag)| flag.as_bool()) {
            return flag;
        }
        let word = self.text(&["requires"]);
        if !word.is_empty() && &*word != "human" {
            self.fault(format!("`requires` is {word:?}, but can only be \"human\""));
        }
        &*word == "human"
    }

    fn names(&mut self, names: &[&str]) -> Vec<Arc<str>> {
        match self.find(names) {
            None => Vec::new(),
            Some((_, Value::String(one))) => vec![Arc::from(one.as_str())],
            Some((_, Value::Array(items))) if items.iter().all(Value::is_string) => {
                items.iter().filter_map(Value::as_str).map(Arc::from).collect()
            }
            Some((name, _)) => {
                self.fault(format!("`{name}` must be a list of texts"));
                Vec::new()
            }
        }
    }

    fn options(&mut self) -> Vec<DecisionOption> {
        let items = match self.find(&["options"]) {
            None => return Vec::new(),
            Some((_, Value::Array(items))) => items,
            Some(_) => {
                self.fault("`options` must be a list".to_owned());
                return Vec::new();
            }
        };
        let mut options = Vec::new();
        for item in items.iter().take(limits::OPTIONS_MAX + 1) {
            let slips = item.as_object().map(|map| slips::slips(map, slips::OPTION)).unwrap_or_default();
            slips.into_iter().for_each(|slip| self.fault(format!("an option: {slip}")));
            let text = |name: &str| item.get(name).and_then(Value::as_str).map(str::trim);
            // Some writers give a list of words.
            let (key, label) = (item.as_str().or_else(|| text("key")), text("label"));
            let Some(key) = key else {
                self.fault("each of `options` needs a `key`".to_owned());
                continue;
            };
            let label = label.filter(|label| !label.is_empty()).unwrap_or(key);
            let label = match text("note").filter(|note| !note.is_empty()) {
                Some(note) => format!("{label} ({note})"),
                None => label.to_owned(),
            };
            options.push(DecisionOption { key: key.to_owned(), label });
        }
        options
    }
}
