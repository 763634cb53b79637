//! The rows as a JSON schema. It is plain on purpose: one type for each field and nothing nullable, because not every
//! client understands more. What is read is wider (`Draft::read`).

use serde_json::{Map, Value, json};

use super::rows::{DECISION, OPTION, PETITION};
use super::{AskField, AskForm, AskLimit, AskedFrom};

/// What `arbiter_push` takes from an asker here.
pub fn push_schema(from: AskedFrom) -> Value {
    object(PETITION, from)
}

fn object<T>(fields: &[AskField<T>], from: AskedFrom) -> Value {
    let offered = || fields.iter().filter(|field| field.is_offered(from));
    let properties: Map<String, Value> =
        offered().map(|field| (field.name.to_owned(), property(field, from))).collect();
    let required: Vec<&str> = offered().filter(|field| field.required).map(|field| field.name).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn property<T>(field: &AskField<T>, from: AskedFrom) -> Value {
    let mut schema = match field.form() {
        AskForm::Text => json!({"type": "string"}),
        AskForm::OneOf(words) => json!({"type": "string", "enum": words}),
        AskForm::YesNo => json!({"type": "boolean"}),
        AskForm::Names => json!({"type": "array", "items": {"type": "string"}}),
        AskForm::Options => json!({"type": "array", "items": object(OPTION, from)}),
        AskForm::Decisions => json!({"type": "array", "minItems": 1, "items": object(DECISION, from)}),
    };
    schema["description"] = json!(field.about);
    if let AskLimit::Items(max) = field.limit {
        schema["maxItems"] = json!(max);
    }
    schema
}
