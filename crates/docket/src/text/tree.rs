//! YAML that is more than one line, as a tree in which every scalar knows its place. It is read within bounds, and what
//! looks like a number, a date or a truth stays the text it was written as.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{
    DuplicateKeyPolicy, MergeKeyPolicy, MessageFormatter, NonFiniteFloatPolicy, Spanned, UserMessageFormatter,
};

use super::{names, scalar};
use crate::limits;

/// A value and its place in the text that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    /// Where it stands; of a list or a map only the beginning is meant.
    pub(super) range: Range<usize>,
    /// What it is.
    pub(super) value: Value,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// Nothing, or a way to say so.
    Nothing,
    /// Any scalar.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// In the order of the file.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// It as one text: a scalar, or a list of them with commas between.
    pub(super) fn words(&self) -> Option<String> {
        match &self.value {
            Value::Nothing | Value::Map(_) => None,
            Value::Text(text) => Some(text.clone()),
            Value::List(nodes) => {
                let words: Vec<String> = nodes.iter().filter_map(Node::words).collect();
                Some(words.join(", "))
            }
        }
    }
}

/// The value of an entry `key: value`; ranges count from the beginning of `text`.
pub(super) fn entry(text: &str) -> Result<Option<Node>, String> {
    let node = parse(text)?;
    if let Value::Map(mut entries) = node.value
        && entries.len() == 1
    {
        return Ok(entries.pop().map(|(_, value)| value));
    }
    Err("it is not one entry".to_owned())
}

fn parse(text: &str) -> Result<Node, String> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: limits::YAML_DEPTH_MAX,
            max_nodes: limits::YAML_NODES_MAX,
            max_events: 4 * limits::YAML_NODES_MAX,
            max_recorded_anchor_events: limits::YAML_NODES_MAX,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: limits::YAML_ALIASED_MAX,
            max_replay_stack_depth: limits::YAML_DEPTH_MAX,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::AsOrdinary,
        strict_booleans: true,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
    };
    match serde_saphyr::from_str_with_options::<Spanned<Raw>>(text, options) {
        Ok(raw) => Ok(settle(raw, text)),
        Err(error) => {
            let said = names::harmless(&UserMessageFormatter.format_message(&error));
            Err(mind::limits::cut(&said, limits::WHY_CHARS_MAX))
        }
    }
}

/// What the reader hands over. What is no text for it is looked up in the source.
enum Raw {
    Unlike,
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<Raw>, Spanned<Raw>)>),
}

fn settle(node: Spanned<Raw>, text: &str) -> Node {
    // The place where it is used: that of an alias, which is then replaced and not what it stands for.
    let span = node.referenced.span();
    let place = |number: Option<u64>| number.and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
    let start = place(span.byte_offset()).min(text.len());
    let end = (start + place(span.byte_len())).min(text.len());
    let value = match node.value {
        Raw::Unlike => {
            let source = text.get(start..end).unwrap_or("").trim();
            scalar::plain(source).map_or(Value::Nothing, Value::Text)
        }
        Raw::Text(said) if said == "None" && text.get(start..end) == Some("None") => Value::Nothing,
        Raw::Text(said) => Value::Text(said),
        Raw::List(nodes) => Value::List(nodes.into_iter().map(|node| settle(node, text)).collect()),
        Raw::Map(entries) => Value::Map(
            entries.into_iter().map(|(key, value)| (settle(key, text), settle(value, text))).collect(),
        ),
    };
    Node { range: start..end, value }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_any(Grow)
    }
}

struct Grow;

impl<'de> Visitor<'de> for Grow {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Unlike)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Raw, E> {
        Ok(Raw::Unlike)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Raw, E> {
        Ok(Raw::Unlike)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Raw, E> {
        Ok(Raw::Unlike)
    }

    fn visit_u128<E>(self, _: u128) -> Result<Raw, E> {
        Ok(Raw::Unlike)
    }

    fn visit_i128<E>(self, _: i128) -> Result<Raw, E> {
        Ok(Raw::Unlike)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Raw, E> {
        Ok(Raw::Unlike)
    }

    fn visit_str<E>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Raw, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element()? {
            nodes.push(node);
        }
        Ok(Raw::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Raw::Map(entries))
    }
}
