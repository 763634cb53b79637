//! Values without what differs from run to run: ids, times, folders and digests become words, spans become 1. Names and types
//! stay as they were printed.

use serde_json::Value;

use crate::Theatre;

/// From here on a number is a moment, in milliseconds since 1970.
const MOMENT_MS_MIN: u64 = 1_500_000_000_000;
/// Numbers that a clock, the system or the length of a user's name gives.
const MEASURED: [&str; 8] =
    ["process", "duration_ms", "latencyMs", "medianMs", "p90Ms", "waitedMs", "idleMs", "back"];

/// What is replaced, and by what.
#[derive(Debug)]
pub struct Steady {
    names: Vec<(String, String)>,
    /// Fields whose text is written for a model, and is no value for a program.
    pub prose: &'static [&'static str],
}

impl Steady {
    pub fn of(theatre: &Theatre) -> Steady {
        let world = (theatre.path().display().to_string(), "WORLD".to_owned());
        Steady { names: vec![world], prose: &["prompt"] }
    }

    /// This text is called so from now on.
    pub fn call(&mut self, text: &str, name: &str) {
        self.names.push((text.to_owned(), name.to_owned()));
    }

    pub fn value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Number(number) if number.as_u64().is_some_and(|number| number >= MOMENT_MS_MIN) => {
                1.into()
            }
            Value::Array(items) => items.into_iter().map(|item| self.value(item)).collect(),
            Value::Object(fields) => {
                let steady = |(name, value): (String, Value)| {
                    let value = if value.is_number() && MEASURED.contains(&name.as_str()) {
                        1.into()
                    } else if value.is_string() && self.prose.contains(&name.as_str()) {
                        "PROSE".into()
                    } else {
                        self.value(value)
                    };
                    (self.text(&name), value)
                };
                Value::Object(fields.into_iter().map(steady).collect())
            }
            same @ (Value::Null | Value::Bool(_) | Value::Number(_)) => same,
        }
    }

    fn text(&self, text: &str) -> String {
        let named = self.names.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
        let mut steady = String::new();
        let mut rest = named.as_str();
        while !rest.is_empty() {
            let word = rest.find(|sign| !is_in_word(sign)).unwrap_or(rest.len());
            if word == 0 {
                let next = rest.find(is_in_word).unwrap_or(rest.len());
                steady.push_str(&rest[..next]);
                rest = &rest[next..];
                continue;
            }
            let ending = rest[..word].trim_end_matches(['.', ':']);
            steady.push_str(placeholder(ending).unwrap_or(ending));
            steady.push_str(&rest[ending.len()..word]);
            rest = &rest[word..];
        }
        steady
    }
}

fn is_in_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '-' | ':' | '.')
}

/// The word for a moment, an age, a UUID or a digest.
fn placeholder(word: &str) -> Option<&'static str> {
    let is_hex = |word: &str| word.bytes().all(|sign| matches!(sign, b'0'..=b'9' | b'a'..=b'f'));
    let shape: String = word.chars().map(|sign| if sign.is_ascii_digit() { '0' } else { sign }).collect();
    match word.len() {
        _ if shape.starts_with("0000-00-00T00:00") => Some("TIME"),
        _ if shape.starts_with("ledger.damaged-") => Some("ledger.damaged-TIME.jsonl"),
        _ if shape.len() > 1 && shape.trim_start_matches('0') == "s" => Some("AGE"),
        40 if is_hex(word) => Some("COMMIT"),
        64 if is_hex(word) => Some("SHA256"),
        36 if word.split('-').map(str::len).eq([8, 4, 4, 4, 12]) && word.split('-').all(is_hex) => {
            Some("UUID")
        }
        _ => None,
    }
}
