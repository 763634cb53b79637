//! What is learned about a server while it is used: compatible servers differ in what they accept. A request is
//! first made in the richest form, and made simpler when the server rejects that; the next request begins with
//! the simpler form.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::options::ApiDialect;

/// The form of request that a server accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Manner {
    pub(super) format: Format,
    pub(super) length: Length,
    /// Whether it may be asked to count the tokens of a stream.
    pub(super) counts: bool,
}

/// How a server is told the schema of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// As a schema.
    Schema,
    /// As "a JSON object"; the schema stands in the prompt.
    Object,
    /// In the prompt alone.
    Prompt,
}

/// The name of the field that bounds an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    Plain,
    Completion,
}

impl Manner {
    /// The first form to try. OpenAI itself wants the newer name of the bound, compatible servers the older one.
    pub(super) fn first(is_openai: bool) -> Manner {
        let length = if is_openai { Length::Completion } else { Length::Plain };
        Manner { format: Format::Schema, length, counts: true }
    }

    /// The form to try after a rejection that names a part of the request; none if it names no part of ours.
    pub(super) fn after(self, kind: ApiDialect, status: u16, body: &str) -> Option<Manner> {
        if ![400, 422].contains(&status) {
            return None;
        }
        let said = body.to_lowercase();
        let names = |words: &[&str]| words.iter().any(|word| said.contains(word));
        match kind {
            ApiDialect::Anthropic => {
                let format = ["output_config", "output_format", "structured output", "json_schema", "schema"];
                (names(&format) && self.format == Format::Schema)
                    .then_some(Manner { format: Format::Prompt, ..self })
            }
            ApiDialect::OpenAi => {
                let sent = match self.length {
                    Length::Plain => "max_tokens",
                    Length::Completion => "max_completion_tokens",
                };
                if names(&[sent]) {
                    let length = match self.length {
                        Length::Plain => Length::Completion,
                        Length::Completion => Length::Plain,
                    };
                    return Some(Manner { length, ..self });
                }
                if names(&["stream_options", "include_usage"]) && self.counts {
                    return Some(Manner { counts: false, ..self });
                }
                let format = [
                    "response_format",
                    "json_schema",
                    "json_object",
                    "structured output",
                    "schema",
                    "grammar",
                ];
                match self.format {
                    _ if !names(&format) => None,
                    Format::Schema => Some(Manner { format: Format::Object, ..self }),
                    Format::Object => Some(Manner { format: Format::Prompt, ..self }),
                    Format::Prompt => None,
                }
            }
        }
    }
}

/// What was learned, and the open connections. All clones share both.
#[derive(Clone, Default)]
pub struct Memory(Arc<Inner>);

#[derive(Default)]
struct Inner {
    manner: Mutex<Option<Manner>>,
    client: OnceLock<reqwest::Client>,
}

impl Memory {
    pub(super) fn manner(&self) -> Option<Manner> {
        *self.0.manner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the form that the server accepted.
    pub(super) fn store(&self, manner: Manner) {
        *self.0.manner.lock().unwrap_or_else(PoisonError::into_inner) = Some(manner);
    }

    /// The HTTP client, made when it is first needed.
    pub(super) fn client<E>(
        &self,
        make: impl FnOnce() -> Result<reqwest::Client, E>,
    ) -> Result<reqwest::Client, E> {
        if let Some(client) = self.0.client.get() {
            return Ok(client.clone());
        }
        let made = make()?;
        Ok(self.0.client.get_or_init(|| made).clone())
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Memory").field(&self.manner()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Manner = Manner { format: Format::Schema, length: Length::Plain, counts: true };

    #[test]
    fn what_a_server_does_not_understand_is_left_out_step_by_step() {
        let after = |manner: Manner, said: &str| manner.after(ApiDialect::OpenAi, 400, said);
        let format = "response_format.type json_schema is not supported";
        let object = after(FIRST, format).unwrap();
        assert_eq!(object, Manner { format: Format::Object, ..FIRST });
        let prompt = after(object, "Response_Format: unknown").unwrap();
        assert_eq!(prompt, Manner { format: Format::Prompt, ..FIRST });
        assert_eq!(after(prompt, format), None);
        let newer = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
        let length = after(FIRST, newer).unwrap();
        assert_eq!(length, Manner { length: Length::Completion, ..FIRST });
        assert_eq!(after(length, "extra field: max_completion_tokens"), Some(FIRST));
        assert_eq!(after(FIRST, "unknown field stream_options"), Some(Manner { counts: false, ..FIRST }));
        assert_eq!(after(FIRST, "the model is not loaded"), None);
    }

    #[test]
    fn only_a_bad_request_teaches_anything() {
        for status in [401, 404, 429, 500] {
            assert_eq!(FIRST.after(ApiDialect::OpenAi, status, "response_format"), None);
        }
        let prompt =
            FIRST.after(ApiDialect::Anthropic, 400, "output_config: extra inputs are not permitted").unwrap();
        assert_eq!(prompt, Manner { format: Format::Prompt, ..FIRST });
        assert_eq!(prompt.after(ApiDialect::Anthropic, 400, "output_config"), None);
        assert_eq!(FIRST.after(ApiDialect::Anthropic, 400, "max_tokens: too large"), None);
    }
}
