//! YAML as a tree in which every node knows its place, read within bounds: the one reader for every YAML text that
//! people write. What keys and values mean is not known here.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{
    DuplicateKeyPolicy, MergeKeyPolicy, MessageFormatter, NonFiniteFloatPolicy, Spanned, UserMessageFormatter,
};

/// A value and its place.
pub type YamlNode = Spanned<YamlValue>;

/// What a node holds.
#[derive(Debug)]
pub enum YamlValue {
    /// Nothing, or a word that says so.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Whole(u64),
    /// Any other number.
    Number(f64),
    /// Text, with or without quotes.
    Text(String),
    List(Vec<YamlNode>),
    /// In the order of the file; a key may stand here twice where that is allowed.
    Map(Vec<(YamlNode, YamlNode)>),
}

/// How much is read, and what is refused at once.
#[derive(Debug, Clone, Copy)]
pub struct YamlBounds {
    /// How deep lists and maps may nest.
    pub depth_max: usize,
    /// How many nodes there may be.
    pub nodes_max: usize,
    /// How much of it may stand behind anchors.
    pub anchored_max: usize,
    /// How many nodes aliases may add.
    pub aliased_max: usize,
    /// A key that stands twice stops the reader; else the tree has both.
    pub unique_keys: bool,
    /// A tag that means nothing to us stops the reader; else the value counts without it.
    pub known_tags: bool,
}

/// Where the reader stopped, and why, in words that may repeat what was written.
#[derive(Debug)]
pub struct YamlStop {
    /// Counted from 1.
    pub line: u64,
    /// Counted from 1.
    pub column: u64,
    pub said: String,
}

/// Reads one document; none from a text without any.
pub fn parse(text: &str, bounds: &YamlBounds) -> Result<Option<YamlNode>, YamlStop> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: bounds.depth_max,
            max_nodes: bounds.nodes_max,
            max_events: 4 * bounds.nodes_max,
            max_recorded_anchor_events: bounds.anchored_max,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: bounds.aliased_max,
            max_replay_stack_depth: bounds.depth_max,
        },
        duplicate_keys: if bounds.unique_keys { DuplicateKeyPolicy::Error } else { DuplicateKeyPolicy::LastWins },
        merge_keys: MergeKeyPolicy::AsOrdinary,
        strict_booleans: true,
        reject_unsupported_tags: bounds.known_tags,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
    };
    match serde_saphyr::from_str_with_options::<YamlNode>(text, options) {
        Ok(YamlNode { value: YamlValue::Null, .. }) => Ok(None),
        Ok(node) => Ok(Some(node)),
        Err(error) if matches!(error, serde_saphyr::Error::Eof { .. }) && is_blank(text) => Ok(None),
        Err(error) => {
            let (line, column) = error.location().map_or((1, 1), |place| (place.line(), place.column()));
            Err(YamlStop { line, column, said: UserMessageFormatter.format_message(&error).into_owned() })
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.lines().map(str::trim).all(|line| line.is_empty() || line.starts_with('#'))
}

impl<'de> Deserialize<'de> for YamlValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<YamlValue, D::Error> {
        deserializer.deserialize_any(Grow)
    }
}

struct Grow;

impl<'de> Visitor<'de> for Grow {
    type Value = YamlValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<YamlValue, E> {
        Ok(YamlValue::Null)
    }

    fn visit_bool<E>(self, word: bool) -> Result<YamlValue, E> {
        Ok(YamlValue::Bool(word))
    }

    fn visit_u64<E>(self, number: u64) -> Result<YamlValue, E> {
        Ok(YamlValue::Whole(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<YamlValue, E> {
        Ok(YamlValue::Number(number as f64))
    }

    fn visit_u128<E>(self, number: u128) -> Result<YamlValue, E> {
        Ok(YamlValue::Number(number as f64))
    }

    fn visit_i128<E>(self, number: i128) -> Result<YamlValue, E> {
        Ok(YamlValue::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<YamlValue, E> {
        Ok(YamlValue::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<YamlValue, E> {
        Ok(YamlValue::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<YamlValue, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element()? {
            nodes.push(node);
        }
        Ok(YamlValue::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<YamlValue, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(YamlValue::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: YamlBounds = YamlBounds {
        depth_max: 4,
        nodes_max: 20,
        anchored_max: 20,
        aliased_max: 10,
        unique_keys: false,
        known_tags: false,
    };

    #[test]
    fn every_node_knows_its_place() {
        let root = parse("a: [yes, 3]\nb: &x 1.5\nb: *x\n", &BOUNDS).unwrap().unwrap();
        let YamlValue::Map(entries) = root.value else { panic!("{root:?}") };
        let place = |node: &YamlNode| (node.referenced.line(), node.referenced.column());
        let places: Vec<_> = entries.iter().map(|(key, value)| (place(key), place(value))).collect();
        assert_eq!(places, [((1, 1), (1, 4)), ((2, 1), (2, 7)), ((3, 1), (3, 4))]);
        let huge = parse("18446744073709551616", &BOUNDS).unwrap().unwrap();
        assert!(
            matches!(huge.value, YamlValue::Number(_)),
            "too much for a whole number is one all the same"
        );
        for blank in ["", "# nothing\n\n", "~\n"] {
            assert!(parse(blank, &BOUNDS).unwrap().is_none(), "{blank:?}");
        }
    }

    #[test]
    fn what_is_out_of_bounds_or_no_yaml_stops_the_reader_at_its_place() {
        let strict = YamlBounds { unique_keys: true, known_tags: true, ..BOUNDS };
        let stop = parse("a: 1\na: 2\n", &strict).unwrap_err();
        assert_eq!((stop.line, stop.column), (2, 1), "{}", stop.said);
        for text in ["[[[[[1]]]]]", &"- 1\n".repeat(21), "a: !odd 1", "a: ["] {
            assert!(parse(text, &strict).is_err(), "{text}");
        }
        assert!(parse("a: !odd 1", &BOUNDS).is_ok());
    }
}
