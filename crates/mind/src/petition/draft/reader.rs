//! Reads what was sent, row by row of the fields, and remembers every fault.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::slips::slips;
use crate::id::Timestamp;
use crate::limits;
use crate::petition::Priority;
use crate::petition::fields::{AskField, AskKind, OPTION};
use crate::talk::DecisionOption;

/// One object that was sent.
pub(super) struct Reader<'a> {
    pub(super) map: &'a Map<String, Value>,
    /// Where it stands, for the faults.
    pub(super) place: String,
    pub(super) when: &'a dyn Fn(&str) -> Option<Timestamp>,
    pub(super) faults: Vec<String>,
}

impl<'a> Reader<'a> {
    /// Takes over whatever is said. What is not said stays as it was.
    pub(super) fn fill<T>(&mut self, whole: &mut T, fields: &[AskField<T>]) {
        for field in fields {
            if let Some((name, value)) = self.find(field) {
                self.take(field, whole, name, value);
            }
        }
        slips(self.map, fields).into_iter().for_each(|slip| self.fault(slip));
    }

    fn find<T>(&self, field: &AskField<T>) -> Option<(&'static str, &'a Value)> {
        field.names().find_map(|name| Some((name, self.map.get(name).filter(|value| !value.is_null())?)))
    }

    fn take<T>(&mut self, field: &AskField<T>, whole: &mut T, name: &str, value: &Value) {
        match &field.kind {
            AskKind::Text(slot) => *(slot.put)(whole) = self.text(name, value).unwrap_or_default(),
            AskKind::Scalar(slot) => *(slot.put)(whole) = self.scalar(name, value).unwrap_or_default(),
            AskKind::Optional(slot) => *(slot.put)(whole) = self.text(name, value),
            AskKind::Moment(slot) => *(slot.put)(whole) = self.moment(name, value),
            AskKind::Priority(slot) => *(slot.put)(whole) = self.priority(name, value),
            AskKind::YesNo(slot) => *(slot.put)(whole) = self.yes_no(name, value),
            AskKind::Switch(slot) => *(slot.put)(whole) = self.yes_no(name, value).unwrap_or(false),
            AskKind::Human(slot) => *(slot.put)(whole) = self.requires_human(field),
            AskKind::Names(slot) => *(slot.put)(whole) = self.names(name, value),
            AskKind::Options(slot) => *(slot.put)(whole) = self.options(name, value),
            AskKind::Apart(_) => {}
        }
    }

    fn fault(&mut self, what: String) {
        self.faults.push(format!("{}{what}", self.place));
    }

    fn text(&mut self, name: &str, value: &Value) -> Option<Arc<str>> {
        let Some(text) = value.as_str() else {
            self.fault(format!("`{name}` must be a text"));
            return None;
        };
        (!text.is_empty()).then(|| Arc::from(text))
    }

    /// A text that may look like a number.
    fn scalar(&mut self, name: &str, value: &Value) -> Option<Arc<str>> {
        match value.as_number() {
            Some(number) => Some(Arc::from(number.to_string())),
            None => self.text(name, value),
        }
    }

    fn yes_no(&mut self, name: &str, value: &Value) -> Option<bool> {
        let said = value.as_bool();
        if said.is_none() {
            self.fault(format!("`{name}` must be true or false"));
        }
        said
    }

    fn priority(&mut self, name: &str, value: &Value) -> Priority {
        let Some(word) = self.text(name, value) else { return Priority::Normal };
        Priority::of(&word).unwrap_or_else(|| {
            let words = Priority::WORDS.join(", ");
            self.fault(format!("`{name}` is {word:?}, but must be one of {words}"));
            Priority::Normal
        })
    }

    fn moment(&mut self, name: &str, value: &Value) -> Option<Timestamp> {
        let text = self.text(name, value)?;
        let moment = (self.when)(&text);
        if moment.is_none() {
            self.fault(format!(
                "`{name}` is {text:?}, but must be a time such as 2026-01-30T01:30:00Z or 30m"
            ));
        }
        moment
    }

    /// The word `human` under its own name; true or false under the others, which come first.
    fn requires_human<T>(&mut self, field: &AskField<T>) -> bool {
        if let Some(flag) = field.aliases.iter().find_map(|name| self.map.get(*name)?.as_bool()) {
            return flag;
        }
        let name = field.name;
        let Some(value) = self.map.get(name).filter(|value| !value.is_null()) else { return false };
        let Some(word) = self.text(name, value) else { return false };
        if &*word != "human" {
            self.fault(format!("`{name}` is {word:?}, but can only be \"human\""));
        }
        &*word == "human"
    }

    fn names(&mut self, name: &str, value: &Value) -> Vec<Arc<str>> {
        match value {
            Value::String(one) => vec![Arc::from(one.as_str())],
            Value::Array(items) if items.iter().all(Value::is_string) => {
                items.iter().filter_map(Value::as_str).map(Arc::from).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                self.fault(format!("`{name}` must be a list of texts"));
                Vec::new()
            }
        }
    }

    fn options(&mut self, name: &str, value: &Value) -> Vec<DecisionOption> {
        let Some(items) = value.as_array() else {
            self.fault(format!("`{name}` must be a list"));
            return Vec::new();
        };
        let mut options = Vec::new();
        for item in items.iter().take(limits::OPTIONS_MAX + 1) {
            let misspelt = item.as_object().map(|map| slips(map, OPTION)).unwrap_or_default();
            misspelt.into_iter().for_each(|slip| self.fault(format!("an option: {slip}")));
            let text = |name: &str| item.get(name).and_then(Value::as_str).map(str::trim);
            // Some writers give a list of words.
            let (key, label) = (item.as_str().or_else(|| text("key")), text("label"));
            let Some(key) = key else {
                self.fault(format!("each of `{name}` needs a `key`"));
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
