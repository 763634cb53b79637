//! The fields that an asker may fill: of a petition, of a decision and of an option, one row each. The schemas of
//! `arbiter_push`, the reader of what agents send, its limits and the flags of `arbiter ask` all come from these rows.

mod rows;
mod schema;

pub use rows::{DECISION, PETITION};
pub use schema::push_schema;

pub(super) use rows::OPTION;

use std::sync::Arc;

use serde_json::{Map, Value};

use super::Priority;
use crate::id::Timestamp;
use crate::talk::DecisionOption;

/// One thing that may be said of a `T`.
#[derive(Debug)]
pub struct AskField<T> {
    /// Its name in schemas, in files and in faults.
    pub name: &'static str,
    /// Its flag of `arbiter ask`; none where flags cannot say it.
    pub flag: Option<AskFlag>,
    /// Other names that existing agents use for it.
    pub(super) aliases: &'static [&'static str],
    pub(super) kind: AskKind<T>,
    about: &'static str,
    required: bool,
    limit: AskLimit,
    offered: Offered,
}

/// A flag of `arbiter ask`.
#[derive(Debug, Clone, Copy)]
pub struct AskFlag {
    /// Its name, without the dashes.
    pub name: &'static str,
    /// What its value is called; empty if it takes none.
    pub value: &'static str,
    pub about: &'static str,
}

/// What a value looks like.
#[derive(Debug, Clone, Copy)]
pub enum AskForm {
    Text,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// True or false.
    YesNo,
    /// A list of names.
    Names,
    /// The ways to answer.
    Options,
    Decisions,
}

/// Where the asker is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedFrom {
    /// A session of a mission. The mission says who asks, and brings the answer back.
    Mission,
    Outside,
}

/// To whom a field is offered. It is read from every asker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Offered {
    ToAll,
    OutsideMissions,
    ToNobody,
}

/// How long a value may be.
#[derive(Debug, Clone, Copy)]
enum AskLimit {
    None,
    /// One line of so many signs.
    Line(usize),
    /// So many letters, digits and few other signs.
    Id(usize),
    /// Any text of so many bytes.
    Bytes(usize),
    /// A list with so many items.
    Items(usize),
}

/// How a value is read, and where it goes.
#[derive(Debug)]
pub(super) enum AskKind<T> {
    /// A text; empty if nothing is said.
    Text(Slot<T, Arc<str>>),
    /// A text that may look like a number.
    Scalar(Slot<T, Arc<str>>),
    Optional(Slot<T, Option<Arc<str>>>),
    /// A moment, or a span from now.
    Moment(Slot<T, Option<Timestamp>>),
    Priority(Slot<T, Priority>),
    YesNo(Slot<T, Option<bool>>),
    Switch(Slot<T, bool>),
    /// The word `human`; under its other names true or false.
    Human(Slot<T, bool>),
    Names(Slot<T, Vec<Arc<str>>>),
    Options(Slot<T, Vec<DecisionOption>>),
    /// It is read together with the whole draft.
    Apart(AskForm),
}

/// A place in a `T`.
#[derive(Debug)]
pub(super) struct Slot<T, V> {
    pub(super) get: fn(&T) -> &V,
    pub(super) put: fn(&mut T) -> &mut V,
}

impl<T> AskField<T> {
    const fn new(name: &'static str, kind: AskKind<T>, about: &'static str) -> AskField<T> {
        AskField {
            name,
            flag: None,
            aliases: &[],
            kind,
            about,
            required: false,
            limit: AskLimit::None,
            offered: Offered::ToAll,
        }
    }

    const fn required(mut self) -> AskField<T> {
        self.required = true;
        self
    }

    const fn also(mut self, aliases: &'static [&'static str]) -> AskField<T> {
        self.aliases = aliases;
        self
    }

    const fn within(mut self, limit: AskLimit) -> AskField<T> {
        self.limit = limit;
        self
    }

    const fn offered(mut self, offered: Offered) -> AskField<T> {
        self.offered = offered;
        self
    }

    const fn by_flag(self, name: &'static str, value: &'static str) -> AskField<T> {
        let about = self.about;
        self.by_flag_about(name, value, about)
    }

    /// By a flag that means something else than the field.
    const fn by_flag_about(
        mut self,
        name: &'static str,
        value: &'static str,
        about: &'static str,
    ) -> AskField<T> {
        self.flag = Some(AskFlag { name, value, about });
        self
    }

    /// What its value looks like.
    pub fn form(&self) -> AskForm {
        match &self.kind {
            AskKind::Text(_) | AskKind::Scalar(_) | AskKind::Optional(_) | AskKind::Moment(_) => {
                AskForm::Text
            }
            AskKind::Priority(_) => AskForm::OneOf(Priority::WORDS),
            AskKind::Human(_) => AskForm::OneOf(&["human"]),
            AskKind::YesNo(_) | AskKind::Switch(_) => AskForm::YesNo,
            AskKind::Names(_) => AskForm::Names,
            AskKind::Options(_) => AskForm::Options,
            AskKind::Apart(form) => *form,
        }
    }

    /// Everything it is called, its own name first.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + use<T> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Tells what is wrong with what `whole` says here.
    pub(super) fn faults(&self, whole: &T, mut fault: impl FnMut(String)) {
        let Some(text) = self.text(whole) else { return };
        let name = self.name;
        if self.required && text.trim().is_empty() {
            return fault(format!("`{name}` is missing or empty"));
        }
        match self.limit {
            AskLimit::Line(max) => {
                if text.contains(char::is_control) {
                    fault(format!("`{name}` must be one line of plain text"));
                }
                if text.chars().count() > max {
                    fault(format!("`{name}` is longer than {max} signs"));
                }
            }
            AskLimit::Id(max) => {
                if !text.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '-' | '_' | '.')) {
                    fault(format!("`{name}` may have letters, digits, `-`, `_` and `.` only"));
                }
                if text.chars().count() > max {
                    fault(format!("`{name}` is longer than {max} signs"));
                }
            }
            AskLimit::Bytes(max) if text.len() > max => {
                fault(format!("`{name}` is longer than {max} bytes"));
            }
            AskLimit::Bytes(_) | AskLimit::Items(_) | AskLimit::None => {}
        }
    }

    fn text<'a>(&self, whole: &'a T) -> Option<&'a str> {
        match &self.kind {
            AskKind::Text(slot) | AskKind::Scalar(slot) => Some(&**(slot.get)(whole)),
            AskKind::Optional(slot) => (slot.get)(whole).as_deref(),
            AskKind::Moment(_)
            | AskKind::Priority(_)
            | AskKind::YesNo(_)
            | AskKind::Switch(_)
            | AskKind::Human(_)
            | AskKind::Names(_)
            | AskKind::Options(_)
            | AskKind::Apart(_) => None,
        }
    }

    fn is_offered(&self, from: AskedFrom) -> bool {
        match self.offered {
            Offered::ToAll => true,
            Offered::OutsideMissions => from == AskedFrom::Outside,
            Offered::ToNobody => false,
        }
    }
}

/// Puts what flags say of a petition over what was sent, whatever it is called there.
pub fn replace(sent: &mut Map<String, Value>, flags: &Map<String, Value>) {
    for field in PETITION {
        if let Some(value) = flags.get(field.name) {
            field.names().for_each(|name| drop(sent.remove(name)));
            sent.insert(field.name.to_owned(), value.clone());
        }
    }
}

/// Says it where nothing is said.
pub fn fill_in(sent: &mut Map<String, Value>, name: &str, value: &str) {
    let said = sent.get(name).is_some_and(|said| !said.is_null() && said.as_str() != Some(""));
    if !said {
        sent.insert(name.to_owned(), Value::from(value));
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::json;

    use super::*;
    use crate::petition::{DraftDecision, PetitionDraft};

    fn held(whole: &impl Serialize) -> Vec<String> {
        let mut names: Vec<String> =
            json!(whole).as_object().into_iter().flat_map(Map::keys).cloned().collect();
        names.sort();
        names
    }

    fn rows<T>(fields: &[AskField<T>]) -> Vec<String> {
        let mut names: Vec<String> = fields.iter().map(|field| field.name.to_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn whatever_a_draft_holds_has_its_row() {
        let (word, some) = (|| Arc::from("x"), || Some(Arc::from("x")));
        let decision = DraftDecision {
            id: word(),
            title: word(),
            context: word(),
            options: Vec::new(),
            allow_custom: Some(true),
            multi: true,
            deadline: Some(Timestamp(1)),
            default: some(),
            requires_human: true,
            digest: some(),
            depends_on: vec![word()],
            assignee: some(),
        };
        let names: Vec<String> =
            held(&decision).iter().map(|name| name.replace("requires_human", "requires")).collect();
        assert_eq!(names, rows(DECISION));
        let draft = PetitionDraft {
            agent: word(),
            session: word(),
            tag: word(),
            title: word(),
            context: word(),
            priority: Priority::High,
            notify_session: some(),
            // Only a mission says that it is one.
            mission: None,
            blocks: some(),
            deadline: Some(Timestamp(1)),
            assignee: some(),
            escalate: vec![word()],
            key: some(),
            decisions: vec![decision],
        };
        assert_eq!(held(&draft), rows(PETITION));
    }

    #[test]
    fn no_name_and_no_flag_means_two_things() {
        let flags = PETITION.iter().filter_map(|field| field.flag);
        let flags = flags.chain(DECISION.iter().filter_map(|field| field.flag)).map(|flag| flag.name);
        let of_petition = PETITION.iter().flat_map(AskField::names);
        let of_decision = DECISION.iter().flat_map(AskField::names);
        for mut names in [flags.collect::<Vec<_>>(), of_petition.collect(), of_decision.collect()] {
            let all = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), all, "{names:?}");
        }
    }
}
