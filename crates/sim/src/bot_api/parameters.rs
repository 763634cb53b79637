//! The parameters of a request, however they came: in the address, as a form, or as JSON. As in the real server a number may
//! come as a text, and an object as the text of its JSON.

use std::collections::BTreeMap;

use serde_json::Value;

use super::refusal::ApiRefusal;

/// What was asked with, by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct BotParameters(pub(super) BTreeMap<String, Value>);

impl BotParameters {
    /// Reads the query of the address and the body. What is in the body wins, which is unverified.
    pub(super) fn read(query: &str, kind: &str, body: &[u8]) -> Result<BotParameters, ApiRefusal> {
        let mut parameters = BotParameters::default();
        parameters.take_form(query.as_bytes());
        if kind.starts_with("application/json") && !body.is_empty() {
            match serde_json::from_slice(body) {
                Ok(Value::Object(object)) => parameters.0.extend(object),
                // Unverified: the text of the real one was not found.
                Ok(_) | Err(_) => return Err(ApiRefusal::bad("can't parse JSON object")),
            }
        } else if kind.starts_with("application/x-www-form-urlencoded") {
            parameters.take_form(body);
        }
        Ok(parameters)
    }

    fn take_form(&mut self, form: &[u8]) {
        for pair in form.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()) {
            let mut sides = pair.splitn(2, |byte| *byte == b'=');
            let (name, value) = (sides.next().unwrap_or_default(), sides.next().unwrap_or_default());
            self.0.insert(decoded(name), Value::String(decoded(value)));
        }
    }

    /// The parameter as a text; empty if there is none.
    pub(super) fn text(&self, name: &str) -> String {
        match self.0.get(name) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_))) => {
                other.to_string()
            }
        }
    }

    /// `get_integer_arg`: what is no number counts as not given.
    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        self.text(name).trim().parse().ok()
    }

    /// `to_bool`: "true", "yes" and "1".
    pub(super) fn truth(&self, name: &str) -> bool {
        matches!(self.text(name).to_ascii_lowercase().as_str(), "true" | "yes" | "1")
    }

    /// An object or a list, also as the text of its JSON. Fails with the text that could not be read.
    pub(super) fn json(&self, name: &str) -> Result<Option<Value>, String> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.is_empty() => Ok(None),
            Some(Value::String(text)) => serde_json::from_str(text).map(Some).map_err(|_| text.clone()),
            Some(other) => Ok(Some(other.clone())),
        }
    }
}

/// Undoes `%20` and `+`.
fn decoded(text: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = after;
        let hex = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        match (first, after) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, after @ ..]) if hex(&[*high, *low]).is_some() => {
                bytes.extend(hex(&[*high, *low]));
                rest = after;
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
