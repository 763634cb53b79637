//! YAML of more than one line, as a tree in which every scalar knows its place. It is read within bounds, and a scalar
//! that looks like a number, a date or a truth value stays the text it was written as.

use std::ops::Range;

use super::{names, scalar};
use crate::limits;
use crate::yaml::{self, YamlBounds, YamlNode, YamlStop, YamlValue};

const BOUNDS: YamlBounds = YamlBounds {
    depth_max: limits::YAML_DEPTH_MAX,
    nodes_max: limits::YAML_NODES_MAX,
    anchored_max: limits::YAML_NODES_MAX,
    aliased_max: limits::YAML_ALIASED_MAX,
    unique_keys: true,
    known_tags: false,
};

/// A value and its place in the text that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    /// Where it stands; of a list or a map only the beginning is meant.
    pub(super) range: Range<usize>,
    pub(super) value: Value,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// Nothing, or a way to say so.
    Nothing,
    Text(String),
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
    if let Some(Node { value: Value::Map(mut entries), .. }) = parse(text)?
        && entries.len() == 1
    {
        return Ok(entries.pop().map(|(_, value)| value));
    }
    Err("it is not one entry".to_owned())
}

fn parse(text: &str) -> Result<Option<Node>, String> {
    let said = |stop: YamlStop| mind::limits::cut(&names::harmless(&stop.said), limits::WHY_CHARS_MAX);
    Ok(yaml::parse(text, &BOUNDS).map_err(said)?.map(|node| without_types(node, text)))
}

/// The node of a YAML node. A scalar that YAML reads as a number or a truth value becomes the text of its place again.
fn without_types(node: YamlNode, text: &str) -> Node {
    // The place where it is used: that of an alias, which is then replaced and not what it stands for.
    let span = node.referenced.span();
    let place = |number: Option<u64>| number.and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
    let start = place(span.byte_offset()).min(text.len());
    let end = (start + place(span.byte_len())).min(text.len());
    let value = match node.value {
        YamlValue::Null | YamlValue::Bool(_) | YamlValue::Whole(_) | YamlValue::Number(_) => {
            let source = text.get(start..end).unwrap_or("").trim();
            scalar::plain(source).map_or(Value::Nothing, Value::Text)
        }
        YamlValue::Text(said) if said == "None" && text.get(start..end) == Some("None") => Value::Nothing,
        YamlValue::Text(said) => Value::Text(said),
        YamlValue::List(nodes) => {
            Value::List(nodes.into_iter().map(|node| without_types(node, text)).collect())
        }
        YamlValue::Map(entries) => Value::Map(
            entries
                .into_iter()
                .map(|(key, value)| (without_types(key, text), without_types(value, text)))
                .collect(),
        ),
    };
    Node { range: start..end, value }
}
