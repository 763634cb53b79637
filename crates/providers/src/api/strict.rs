//! JSON schemas in the strict form that the vendors enforce: closed objects, no bounds on values, and for OpenAI no
//! optional field. The answer is checked against the original schema afterwards, so nothing is lost by that.

use serde_json::{Map, Value, json};

/// Keywords about values that structured outputs do not know. The reader of the answer checks them anyway.
const UNKNOWN: [&str; 13] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];
/// Keywords that make a schema more than a tree of objects, lists and values.
const BEYOND: [&str; 8] =
    ["oneOf", "allOf", "not", "if", "$ref", "patternProperties", "prefixItems", "propertyNames"];

/// For Anthropic: fields may be left out, objects are closed.
pub(super) fn closed(schema: &Value) -> Value {
    close(schema, false)
}

/// For OpenAI: every field is required, and may be null where it was optional. None if the schema cannot be put so.
pub(super) fn complete(schema: &Value) -> Option<Value> {
    is_plain(schema).then(|| close(schema, true))
}

/// The answer without the nulls that [`complete`] asked for.
pub(super) fn without_nulls(schema: &Value, answer: Value) -> Value {
    match answer {
        Value::Object(fields) => {
            let required = names(schema);
            let kept = fields.into_iter().filter_map(|(name, value)| {
                let inner = &schema["properties"][&name];
                let is_empty = value.is_null() && !required.contains(&name.as_str()) && !allows_null(inner);
                (!is_empty).then(|| (name.clone(), without_nulls(inner, value)))
            });
            Value::Object(kept.collect())
        }
        Value::Array(items) => items.into_iter().map(|item| without_nulls(&schema["items"], item)).collect(),
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => plain,
    }
}

fn close(schema: &Value, whole: bool) -> Value {
    match schema {
        Value::Object(fields) => {
            let mut closed: Map<String, Value> = Map::new();
            for (name, value) in fields.iter().filter(|(name, _)| !UNKNOWN.contains(&name.as_str())) {
                let value = match (name.as_str(), value) {
                    ("properties", Value::Object(properties)) => {
                        let required = names(schema);
                        let field = |(name, value): (&String, &Value)| {
                            let mut inner = close(value, whole);
                            if whole && !required.contains(&name.as_str()) {
                                allow_null(&mut inner);
                            }
                            (name.clone(), inner)
                        };
                        Value::Object(properties.iter().map(field).collect())
                    }
                    ("items" | "anyOf" | "oneOf" | "allOf" | "$defs", value) => close(value, whole),
                    (_, value) => value.clone(),
                };
                closed.insert(name.clone(), value);
            }
            if let Some(properties) = fields.get("properties").and_then(Value::as_object) {
                closed.insert("additionalProperties".to_owned(), json!(false));
                if whole {
                    closed.insert("required".to_owned(), properties.keys().cloned().collect());
                }
            }
            Value::Object(closed)
        }
        Value::Array(parts) => parts.iter().map(|part| close(part, whole)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}

fn names(schema: &Value) -> Vec<&str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn allows_null(schema: &Value) -> bool {
    let kinds = &schema["type"];
    kinds == "null" || kinds.as_array().is_some_and(|kinds| kinds.contains(&json!("null")))
}

fn allow_null(schema: &mut Value) {
    if allows_null(schema) {
        return;
    }
    match schema.get("type") {
        Some(Value::String(kind)) => schema["type"] = json!([kind, "null"]),
        Some(Value::Array(kinds)) => {
            let kinds: Vec<Value> = kinds.iter().cloned().chain([json!("null")]).collect();
            schema["type"] = Value::Array(kinds);
        }
        _ => {
            *schema = json!({ "anyOf": [schema.take(), { "type": "null" }] });
            return;
        }
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    }
}

/// Whether every object in the schema lists its fields, and no other keyword adds to them.
fn is_plain(schema: &Value) -> bool {
    match schema {
        Value::Object(fields) => {
            let is_object = fields.get("type").is_some_and(|kind| kind == "object");
            let is_open = fields.get("additionalProperties").is_some_and(|more| *more != json!(false));
            let has_fields = fields.get("properties").is_some_and(Value::is_object);
            !BEYOND.iter().any(|word| fields.contains_key(*word))
                && !is_open
                && (!is_object || has_fields)
                && fields.iter().all(|(name, value)| match name.as_str() {
                    "properties" => value.as_object().is_some_and(|inner| inner.values().all(is_plain)),
                    "items" | "anyOf" => is_plain(value),
                    _ => true,
                })
        }
        Value::Array(parts) => parts.iter().all(is_plain),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use mind::session::Role;

    use super::*;

    #[test]
    fn a_schema_is_closed_for_one_and_whole_for_the_other() {
        let schema = json!({
            "type": "object",
            "properties": {
                "who": {"type": "string", "enum": ["coder", "tester"]},
                "sure": {"type": "integer", "minimum": 0, "maximum": 100},
                "minimum": {"type": "string"},
                "steps": {"type": "array", "minItems": 1, "items": {
                    "type": "object", "properties": {"text": {"type": "string"}}
                }}
            },
            "required": ["sure"]
        });
        let step = json!({"type": "object", "properties": {"text": {"type": "string"}}, "additionalProperties": false});
        assert_eq!(
            closed(&schema),
            json!({
                "type": "object",
                "properties": {
                    "who": {"type": "string", "enum": ["coder", "tester"]},
                    "sure": {"type": "integer"},
                    "minimum": {"type": "string"},
                    "steps": {"type": "array", "items": step}
                },
                "required": ["sure"], "additionalProperties": false
            })
        );
        let whole = complete(&schema).unwrap();
        assert_eq!(whole["required"], json!(["minimum", "steps", "sure", "who"]));
        assert_eq!(
            whole["properties"]["who"],
            json!({"type": ["string", "null"], "enum": ["coder", "tester", null]})
        );
        assert_eq!(whole["properties"]["sure"], json!({"type": "integer"}));
        assert_eq!(whole["properties"]["steps"]["type"], json!(["array", "null"]));
        assert_eq!(whole["properties"]["steps"]["items"]["required"], json!(["text"]));
    }

    #[test]
    fn nulls_that_we_asked_for_are_taken_out_again() {
        let schema = json!({
            "type": "object",
            "properties": {
                "who": {"type": "string"}, "gone": {"type": ["string", "null"]}, "must": {"type": "string"},
                "list": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}}
            },
            "required": ["must"]
        });
        let answer =
            json!({"who": null, "gone": null, "must": null, "list": [{"a": null}, {"a": "b"}], "more": 1});
        let expected = json!({"gone": null, "must": null, "list": [{}, {"a": "b"}], "more": 1});
        assert_eq!(without_nulls(&schema, answer), expected);
    }

    #[test]
    fn what_cannot_be_whole_is_not_made_so() {
        for schema in [
            json!({"type": "object"}),
            json!({"type": "object", "properties": {"a": {"type": "object"}}}),
            json!({"type": "object", "properties": {}, "additionalProperties": true}),
            json!({"oneOf": [{"type": "object", "properties": {}}]}),
        ] {
            assert_eq!(complete(&schema), None, "{schema}");
        }
        for role in [Role::Arbiter, Role::Orchestrator, Role::Verifier] {
            assert!(complete(&crate::schema::of(role)).is_some());
        }
        // Whatever stands in its place, it is no reason to fall.
        for odd in
            [json!(null), json!([1, {"properties": 7}]), json!({"properties": [], "required": {"a": 1}})]
        {
            let _ = (closed(&odd), complete(&odd), without_nulls(&odd, odd.clone()));
        }
    }
}
