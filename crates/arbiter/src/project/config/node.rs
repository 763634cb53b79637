//! A configuration file as a tree in which every node knows its place, so that all faults can be told and not
//! only the first. What the keys mean is not known here.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{
    DuplicateKeyPolicy, MergeKeyPolicy, MessageFormatter, NonFiniteFloatPolicy, Spanned, UserMessageFormatter,
};

use super::error::harmless;

/// How deep lists and maps may nest.
const DEPTH_MAX: usize = 16;
/// How many nodes a file may have, its aliases followed.
const NODES_MAX: usize = 10_000;

/// A value and its place.
pub(crate) type Node = Spanned<Value>;

/// What a node holds.
#[derive(Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Whole(u64),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    /// In the order of the file; a key may stand here twice.
    Map(Vec<(Node, Node)>),
}

impl Value {
    /// What it is, in a person's words.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Whole(_) | Value::Number(_) => "a number",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }
}

/// Where the reader had to stop, and why.
pub(crate) struct Stop {
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) said: String,
}

/// Reads one YAML document; none for a file without any.
pub(crate) fn parse(text: &str) -> Result<Option<Node>, Stop> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEPTH_MAX,
            max_nodes: NODES_MAX,
            max_events: 4 * NODES_MAX,
            max_recorded_anchor_events: 4 * NODES_MAX,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: NODES_MAX,
            max_replay_stack_depth: DEPTH_MAX,
        },
        // The tree keeps the first and the last: the fault is ours to tell, and does not hide others.
        duplicate_keys: DuplicateKeyPolicy::LastWins,
        merge_keys: MergeKeyPolicy::AsOrdinary,
        strict_booleans: true,
        reject_unsupported_tags: true,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
    };
    match serde_saphyr::from_str_with_options::<Node>(text, options) {
        Ok(Node { value: Value::Null, .. }) => Ok(None),
        Ok(node) => Ok(Some(node)),
        Err(error) if matches!(error, serde_saphyr::Error::Eof { .. }) && is_blank(text) => Ok(None),
        Err(error) => {
            let place = error.location();
            Err(Stop {
                line: place.map_or(1, |place| place.line()),
                column: place.map_or(1, |place| place.column()),
                said: harmless(&UserMessageFormatter.format_message(&error)),
            })
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.lines().map(str::trim).all(|line| line.is_empty() || line.starts_with('#'))
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(Grow)
    }
}

struct Grow;

impl<'de> Visitor<'de> for Grow {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, word: bool) -> Result<Value, E> {
        Ok(Value::Bool(word))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Whole(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element()? {
            nodes.push(node);
        }
        Ok(Value::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Value::Map(entries))
    }
}
