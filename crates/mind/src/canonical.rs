//! Canonical JSON, as it is hashed and stored: equal values are equal text, in whatever order their keys came in.
//! Everything that is hashed over JSON goes through here, because any crate of the build can switch on
//! `serde_json/preserve_order`, and then a map keeps the order in which it was filled.

use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

/// The text of a value: keys in the order of their bytes, no spaces.
#[must_use]
pub fn json(value: &Value) -> String {
    json_without(value, &[])
}

/// The same without the fields of these names, however deep they lie.
#[must_use]
pub fn json_without(value: &Value, left_out: &[&str]) -> String {
    // A value is JSON already: there is nothing in it that cannot be written.
    serde_json::to_string(&Ordered { value, left_out }).unwrap_or_default()
}

/// A stored value with its keys in order, as a field's `serialize_with`.
pub(crate) fn store<S: Serializer>(value: &Arc<Value>, serializer: S) -> Result<S::Ok, S::Error> {
    Ordered { value, left_out: &[] }.serialize(serializer)
}

/// The same for a field that may be absent.
pub(crate) fn store_option<S: Serializer>(
    value: &Option<Arc<Value>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.as_ref().map(|value| Ordered { value, left_out: &[] }).serialize(serializer)
}

/// A value whose keys are written in order.
struct Ordered<'a> {
    value: &'a Value,
    left_out: &'a [&'a str],
}

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let deeper = |value| Ordered { value, left_out: self.left_out };
        match self.value {
            Value::Object(map) => {
                let kept = map.iter().filter(|(key, _)| !self.left_out.contains(&key.as_str()));
                let mut fields: Vec<(&String, &Value)> = kept.collect();
                fields.sort_unstable_by_key(|(key, _)| key.as_str());
                let mut written = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    written.serialize_entry(key, &deeper(value))?;
                }
                written.end()
            }
            Value::Array(list) => serializer.collect_seq(list.iter().map(deeper)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                self.value.serialize(serializer)
            }
        }
    }
}
