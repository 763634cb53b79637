//! The kinds of values that a key can have: how each is read from a file, shown to people, and described to editors. `table`
//! says which key has which kind.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value as Json, json};
use workspace::Check;

use super::duration;
use super::node::Node;
use super::reader::{Found, Reader};
use super::values::MODEL_BYTES_MAX;

/// A kind of values.
pub(super) trait Kind {
    type Value;

    /// Reads `node`; a wrong value becomes a fault of `key`.
    fn read(&self, reader: &mut Reader<'_>, key: &str, node: &Node) -> Found<Self::Value>;

    /// A value as people read it.
    fn show(&self, value: &Self::Value) -> ShownValue;

    /// The allowed values as JSON Schema.
    fn schema(&self) -> Json;
}

/// A value as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownValue {
    pub values: Vec<String>,
    pub is_list: bool,
}

impl ShownValue {
    pub(super) fn one(value: String) -> ShownValue {
        ShownValue { values: vec![value], is_list: false }
    }

    /// All of it in one line.
    pub(super) fn line(&self) -> String {
        let values = self.values.join(", ");
        if self.is_list { format!("[{values}]") } else { values }
    }
}

/// One of a few words. The noun, in singular and plural, is used in faults.
pub(super) struct Choice<T: 'static> {
    pub(super) noun: [&'static str; 2],
    pub(super) words: &'static [(&'static str, T)],
}

impl<T: Copy + PartialEq + 'static> Kind for Choice<T> {
    type Value = T;

    fn read(&self, reader: &mut Reader<'_>, key: &str, node: &Node) -> Found<T> {
        reader.choice(key, node, self.noun, self.words)
    }

    fn show(&self, value: &T) -> ShownValue {
        let word = self.words.iter().find(|(_, meant)| meant == value).map_or("", |(word, _)| word);
        ShownValue::one(word.to_owned())
    }

    fn schema(&self) -> Json {
        let words: Vec<&str> = self.words.iter().map(|(word, _)| *word).collect();
        json!({ "enum": words })
    }
}

/// A whole number within bounds.
pub(super) struct Whole(pub(super) RangeInclusive<u64>);

impl Kind for Whole {
    type Value = u64;

    fn read(&self, reader: &mut Reader<'_>, key: &str, node: &Node) -> Found<u64> {
        reader.whole(key, node, self.0.clone())
    }

    fn show(&self, value: &u64) -> ShownValue {
        ShownValue::one(value.to_string())
    }

    fn schema(&self) -> Json {
        match *self.0.end() {
            u64::MAX => json!({ "type": "integer", "minimum": self.0.start() }),
            most => json!({ "type": "integer", "minimum": self.0.start(), "maximum": most }),
        }
    }
}

/// A number up to `most` that may have a fraction, stored in parts of `parts`. If 0 is not allowed, `zero` is
/// its problem and hint.
pub(super) struct Fraction {
    pub(super) most: u64,
    pub(super) parts: u64,
    pub(super) zero: Option<(&'static str, &'static str)>,
}

impl Kind for Fraction {
    type Value = u64;

    fn read(&self, reader: &mut Reader<'_>, key: &str, node: &Node) -> Found<u64> {
        let found = reader.fraction(key, node, self.most, self.parts)?;
        if let Some((problem, hint)) = self.zero.filter(|_| found.0 == 0) {
            reader.bad(key, node, problem.to_owned(), Some(hint.to_owned()));
            return None;
        }
        Some(found)
    }

    fn show(&self, value: &u64) -> ShownValue {
        ShownValue::one((*value as f64 / self.parts as f64).to_string())
    }

    fn schema(&self) -> Json {
        let least = if self.zero.is_some() { "exclusiveMinimum" } else { "minimum" };
        json!({ "type": "number", least: 0, "maximum": self.most })
    }
}

type Read<T> = fn(&mut Reader<'_>, &str, &Node) -> Found<T>;

/// A value with its own functions to read, show and describe it.
pub(super) struct Form<T> {
    pub(super) read: Read<T>,
    pub(super) show: fn(&T) -> String,
    pub(super) schema: fn() -> Json,
}

impl<T> Kind for Form<T> {
    type Value = T;

    fn read(&self, reader: &mut Reader<'_>, key: &str, node: &Node) -> Found<T> {
        (self.read)(reader, key, node)
    }

    fn show(&self, value: &T) -> ShownValue {
        ShownValue::one((self.show)(value))
    }

    fn schema(&self) -> Json {
        (self.schema)()
    }
}

pub(super) const TRUTH: Form<bool> = Form {
    read: |reader, key, node| reader.truth(key, node),
    show: bool::to_string,
    schema: || json!({ "type": "boolean" }),
};
pub(super) const SPAN: Form<Duration> = Form {
    read: |reader, key, node| reader.duration(key, node),
    show: |span| duration::show(*span),
    schema: || json!({ "type": "string", "pattern": "^[0-9]+[smh]$" }),
};
/// How long a mission may rest: up to weeks.
pub(super) const REST: Form<Duration> =
    Form { read: |reader, key, node| reader.duration_up_to(REST_MAX, key, node), ..SPAN };
pub(super) const PERCENT: Form<u8> = Form {
    read: |reader, key, node| reader.percent(key, node),
    show: u8::to_string,
    schema: || json!({ "type": "integer", "minimum": 1, "maximum": 99 }),
};
pub(super) const PROVIDER: Form<String> =
    text(|reader, key, node| reader.provider_name(key, node), || json!({ "type": "string" }));
pub(super) const AGENT: Form<String> =
    text(|reader, key, node| reader.agent_name(key, node), || json!({ "type": "string" }));
pub(super) const MODEL: Form<String> = text(
    |reader, key, node| reader.model(key, node),
    || json!({ "type": "string", "pattern": "^[A-Za-z0-9][!-~]*$", "maxLength": MODEL_BYTES_MAX }),
);
pub(super) const ADDRESS: Form<String> = text(
    |reader, key, node| reader.address(key, node),
    || json!({ "type": "string", "pattern": "^https?://" }),
);
/// The address of a Bot API; nothing means the vendor's own.
pub(super) const BOT_API: Form<String> = text(
    |reader, key, node| reader.bot_api(key, node),
    || json!({ "type": ["string", "null"], "pattern": "^https?://" }),
);
pub(super) const PROGRAM: Form<PathBuf> = Form {
    read: |reader, key, node| reader.program(key, node),
    show: |path| path.display().to_string(),
    schema: || json!({ "type": "string", "pattern": "^/" }),
};
pub(super) const FOLDER: Form<PathBuf> = Form {
    read: |reader, key, node| reader.path(key, node).map(|path| (path, reader.place(node))),
    show: |path| path.display().to_string(),
    schema: path,
};
pub(super) const FILE: Form<PathBuf> = Form { ..FOLDER };

/// The longest `resume_limit`: a mission that rested for longer than a month is always asked about.
const REST_MAX: Duration = Duration::from_secs(30 * 24 * 60 * 60);

const fn text(read: Read<String>, schema: fn() -> Json) -> Form<String> {
    Form { read, show: String::clone, schema }
}

/// A list of values, each with its own functions.
pub(super) struct List<T> {
    read: Read<Vec<T>>,
    show: fn(&T) -> String,
    item: fn() -> Json,
}

impl<T> Kind for List<T> {
    type Value = Vec<T>;

    fn read(&self, reader: &mut Reader<'_>, key: &str, node: &Node) -> Found<Vec<T>> {
        (self.read)(reader, key, node)
    }

    fn show(&self, values: &Vec<T>) -> ShownValue {
        ShownValue { values: values.iter().map(self.show).collect(), is_list: true }
    }

    fn schema(&self) -> Json {
        json!({ "type": "array", "items": (self.item)() })
    }
}

pub(super) const ROUTES: List<String> = List {
    read: |reader, key, node| reader.routes(key, node),
    show: String::clone,
    item: || json!({ "type": "string" }),
};
pub(super) const CHECKS: List<Check> = List {
    read: |reader, key, node| reader.checks(key, node),
    show: |check| format!("{:?}", check.argv()),
    item: words,
};
pub(super) const ALLOWED: List<Vec<String>> = List {
    read: |reader, key, node| reader.allowed(key, node),
    show: |words| format!("{words:?}"),
    item: || json!({ "anyOf": [{ "type": "string" }, words()] }),
};
pub(super) const WRITABLE: List<PathBuf> = List {
    read: |reader, key, node| reader.writable(key, node),
    show: |path| format!("{path:?}"),
    item: path,
};
pub(super) const HIDDEN: List<PathBuf> = List {
    read: |reader, key, node| reader.paths(key, node, |reader, key, node| reader.path(key, node)),
    show: |path| format!("{path:?}"),
    item: path,
};
pub(super) const VARIABLES: List<String> = List {
    read: |reader, key, node| reader.variables(key, node),
    show: String::clone,
    item: || json!({ "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" }),
};

fn words() -> Json {
    json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 })
}

/// An absolute path, or one that begins with `~`; a bare `~` is null to YAML.
fn path() -> Json {
    json!({ "type": ["string", "null"], "pattern": "^(/|~(/|$))" })
}
