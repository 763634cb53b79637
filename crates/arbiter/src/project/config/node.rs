//! YAML for files that people write: the tree of [`docket::yaml`] within the bounds of a configuration, so that all faults
//! can be reported and not only the first.

use docket::yaml::{self, YamlBounds, YamlStop};
pub(crate) use docket::yaml::{YamlNode as Node, YamlValue as Value};

use super::error::harmless;

/// How many nodes a file may have, its aliases followed.
const NODES_MAX: usize = 10_000;
const BOUNDS: YamlBounds = YamlBounds {
    depth_max: 16,
    nodes_max: NODES_MAX,
    anchored_max: 4 * NODES_MAX,
    aliased_max: NODES_MAX,
    // The reader reports a repeated key itself, with its line, and finds other faults too.
    unique_keys: false,
    known_tags: true,
};

/// Reads one YAML document; none for a file without any.
pub(crate) fn parse(text: &str) -> Result<Option<Node>, YamlStop> {
    yaml::parse(text, &BOUNDS).map_err(|stop| YamlStop { said: harmless(&stop.said), ..stop })
}

/// What a value is, in a person's words.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Whole(_) | Value::Number(_) => "a number",
        Value::Text(_) => "text",
        Value::List(_) => "a list",
        Value::Map(_) => "a map",
    }
}
