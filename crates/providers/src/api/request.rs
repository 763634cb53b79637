//! A request to a model before it is put into a vendor's protocol, and what is read of the answer.

use mind::conductor::execution::RunTokens;
use serde_json::Value;

use super::memory::{Format, Manner};
use super::strict;
use crate::prices::{ModelPrice, TokenCounts};

/// One question, or a conversation that waits for its next answer.
#[derive(Debug, Clone)]
pub(super) struct Request<'a> {
    pub(super) model: &'a str,
    pub(super) max_tokens: u32,
    pub(super) temperature: Option<f32>,
    pub(super) system: &'a str,
    /// Texts of the user and of the model by turns; the first and the last are the user's.
    pub(super) texts: Vec<String>,
    pub(super) schema: &'a Value,
    /// Whether the same texts will be sent again with more, so that the server should cache them.
    pub(super) goes_on: bool,
}

impl Request<'_> {
    /// The system prompt, with the schema of the answer if the server cannot be told otherwise.
    pub(super) fn instructions(&self, manner: Manner) -> String {
        match manner.format {
            Format::Schema => self.system.to_owned(),
            Format::Object | Format::Prompt => format!(
                "{}\n\nAnswer with one JSON object and nothing around it. It must fit this JSON schema:\n{}",
                self.system, self.schema
            )
            .trim_start()
            .to_owned(),
        }
    }

    /// How many characters a model reads of it.
    pub(super) fn chars(&self) -> usize {
        let texts: usize = self.texts.iter().map(|text| text.chars().count()).sum();
        self.system.chars().count() + texts + self.schema.to_string().chars().count()
    }

    /// Each text with the role that says it.
    pub(super) fn speeches(&self) -> impl Iterator<Item = (&'static str, &str)> {
        ["user", "assistant"].into_iter().cycle().zip(self.texts.iter().map(String::as_str))
    }
}

/// The answer, as far as it was read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) text: String,
    /// Tokens read and written, if the server counted them; those of the cache are among those read.
    pub(super) input: Option<u64>,
    pub(super) output: Option<u64>,
    pub(super) cache_write: u64,
    pub(super) cache_read: u64,
    pub(super) stop: Option<Stop>,
    /// Whether the server said that no more comes.
    pub(super) is_over: bool,
    /// The characters that were sent to a server that may have read them.
    pub(super) sent_chars: usize,
}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The answer is complete.
    Said,
    /// The bound on its length was reached.
    Cut,
    /// The model, or a filter, refused to answer.
    Declined,
}

impl Reading {
    pub(super) fn tokens(&self) -> Option<RunTokens> {
        if self.input.is_none() && self.output.is_none() && self.sent_chars == 0 {
            return None;
        }
        let (input, output) = match self.is_estimated() {
            false => (self.input.unwrap_or(0), self.output.unwrap_or(0)),
            true => (tokens_in(self.sent_chars), tokens_in(self.text.chars().count())),
        };
        Some(RunTokens { input, output, total: input.saturating_add(output) })
    }

    /// Whether the server has counted nothing: the tokens are estimated by the length of what was sent and what came.
    fn is_estimated(&self) -> bool {
        self.input.is_none() && self.output.is_none()
    }

    /// The tokens with what they cost, at this price. Without one the cost is not known, and counts for nothing.
    pub(super) fn usage(&self, price: Option<ModelPrice>) -> Option<ApiUsage> {
        let tokens = self.tokens()?;
        let cached = self.cache_write.saturating_add(self.cache_read);
        let counts = TokenCounts {
            input: tokens.input.saturating_sub(cached),
            cache_write: self.cache_write,
            cache_read: self.cache_read,
            output: tokens.output,
        };
        let cost_microusd = price.map_or(0, |price| price.cost_microusd(counts));
        Some(ApiUsage { tokens, cost_microusd, is_estimated: self.is_estimated() })
    }
}

/// A token has about four characters.
fn tokens_in(chars: usize) -> u64 {
    chars.div_ceil(4) as u64
}

/// What one call used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ApiUsage {
    pub(super) tokens: RunTokens,
    pub(super) cost_microusd: u64,
    /// No server has counted them.
    pub(super) is_estimated: bool,
}

/// The typed output in a text, if the text is an object and nothing else. Some models put a fence around it.
pub(super) fn typed(text: &str, schema: &Value) -> Option<Value> {
    let text = text.trim();
    let fenced = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let text = fenced.map_or(text, |rest| rest.strip_prefix("json").unwrap_or(rest));
    let value: Value = serde_json::from_str(text).ok()?;
    value.is_object().then(|| strict::without_nulls(schema, value))
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;

    use super::*;
    use crate::api::memory::Length;

    pub(in super::super) fn manner(format: Format) -> Manner {
        Manner { format, length: Length::Plain, counts: true }
    }

    #[test]
    fn an_object_and_nothing_else_is_typed_output() {
        let schema = json!({"properties": {"b": {"type": "string"}}});
        assert_eq!(typed(" {\"a\": 1, \"b\": null}\n", &schema), Some(json!({"a": 1})));
        assert_eq!(typed("```json\n{\"a\": 1}\n```", &schema), Some(json!({"a": 1})));
        for text in ["", "[1]", "7", "{\"a\": 1", "Here: {\"a\": 1}", "{} {}", "```", "``````"] {
            assert_eq!(typed(text, &schema), None, "{text}");
        }
    }

    #[test]
    fn the_schema_stands_in_the_prompt_where_it_cannot_be_told_otherwise() {
        let schema = json!({"type": "object"});
        let request = Request {
            model: "m",
            max_tokens: 1,
            temperature: None,
            system: "Be brief.",
            texts: Vec::new(),
            schema: &schema,
            goes_on: false,
        };
        assert_eq!(request.instructions(manner(Format::Schema)), "Be brief.");
        for format in [Format::Object, Format::Prompt] {
            let told = request.instructions(manner(format));
            assert!(
                told.starts_with("Be brief.\n\nAnswer with one JSON")
                    && told.ends_with("{\"type\":\"object\"}")
            );
        }
    }
}
