//! What a client wants, read once. A call that no tool can make sense of is an error of the protocol; a petition with
//! faults is a matter for the agent, and is judged later.

use rmcp::ErrorData;
use rmcp::model::JsonObject;
use serde_json::Value;

use super::tools;
use crate::limits;

/// What a client wants.
#[derive(Debug)]
pub(super) enum Request {
    /// To ask a person.
    Push(JsonObject),
    /// To know where a petition stands.
    Status(Which),
    /// To have the answers.
    Get { which: Which, partial: bool },
    /// To wait for the first of these. `several` if it asked with a list, and so gets one.
    Await { ids: Vec<String>, several: bool, seconds: Option<u64> },
}

/// A petition as it is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Which {
    /// By its id.
    Id(String),
    /// The newest with this tag.
    Tag(String),
}

impl Request {
    pub(super) fn read(tool: &str, sent: JsonObject) -> Result<Request, ErrorData> {
        match tool {
            tools::PUSH => Ok(Request::Push(sent)),
            tools::STATUS => Arguments(tool, &sent).which().map(Request::Status),
            tools::GET => {
                let arguments = Arguments(tool, &sent);
                Ok(Request::Get { which: arguments.which()?, partial: arguments.flag("partial")? })
            }
            tools::AWAIT => {
                let arguments = Arguments(tool, &sent);
                let seconds = arguments.seconds()?;
                let (ids, several) = arguments.awaited()?;
                Ok(Request::Await { ids, several, seconds })
            }
            other => {
                let other = mind::limits::cut(other, mind::limits::NAME_CHARS_MAX);
                let why = format!("there is no tool `{other}`; there are {}", tools::NAMES.join(", "));
                Err(ErrorData::invalid_params(why, None))
            }
        }
    }
}

/// How long a call is to wait; none if it does not say.
pub(super) fn wait_seconds(sent: &JsonObject) -> Result<Option<u64>, &'static str> {
    let found = ["wait_seconds", "waitSeconds"].iter().find_map(|name| sent.get(*name));
    match found.filter(|value| !value.is_null()) {
        None => Ok(None),
        Some(value) => match value.as_f64() {
            Some(seconds) if seconds >= 0.0 => Ok(Some(seconds.ceil() as u64)),
            Some(_) | None => Err("`wait_seconds` must be a number of seconds, 0 or more"),
        },
    }
}

/// The arguments of one call.
struct Arguments<'a>(&'a str, &'a JsonObject);

impl Arguments<'_> {
    fn refuse(&self, why: &str) -> ErrorData {
        ErrorData::invalid_params(format!("{}: {why}", self.0), None)
    }

    fn find(&self, names: &[&str]) -> Option<&Value> {
        names.iter().find_map(|name| self.1.get(*name)).filter(|value| !value.is_null())
    }

    fn text(&self, names: &[&str]) -> Result<Option<String>, ErrorData> {
        let Some(value) = self.find(names) else { return Ok(None) };
        let text = value.as_str().map(str::to_owned).or_else(|| value.as_u64().map(|n| n.to_string()));
        match text.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
            Some(text) if is_long(text) => {
                let max = docket::limits::ID_CHARS_MAX;
                Err(self.refuse(&format!("`{}` is longer than {max} signs", names[0])))
            }
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(self.refuse(&format!("`{}` must be a text that is not empty", names[0]))),
        }
    }

    fn id(&self) -> Result<Option<String>, ErrorData> {
        self.text(&["id", "planId", "plan_id"])
    }

    fn which(&self) -> Result<Which, ErrorData> {
        match (self.id()?, self.text(&["tag"])?) {
            (Some(id), None) => Ok(Which::Id(id)),
            (None, Some(tag)) => Ok(Which::Tag(tag)),
            (None, None) => Err(self.refuse("which petition? give its `id`, or its `tag`")),
            (Some(_), Some(_)) => Err(self.refuse("give `id` or `tag`, and not both")),
        }
    }

    fn flag(&self, name: &str) -> Result<bool, ErrorData> {
        match self.find(&[name]) {
            None => Ok(false),
            Some(value) => {
                value.as_bool().ok_or_else(|| self.refuse(&format!("`{name}` must be true or false")))
            }
        }
    }

    fn seconds(&self) -> Result<Option<u64>, ErrorData> {
        wait_seconds(self.1).map_err(|why| self.refuse(why))
    }

    fn awaited(&self) -> Result<(Vec<String>, bool), ErrorData> {
        let list = self.find(&["ids"]);
        let list = match (self.id()?, list) {
            (Some(id), None) => return Ok((vec![id], false)),
            (None, Some(list)) => list,
            (None, None) => return Err(self.refuse("which petition? give its `id`, or several as `ids`")),
            (Some(_), Some(_)) => return Err(self.refuse("give `id` or `ids`, and not both")),
        };
        let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
        // Before anything else is done with it: a list may be as long as a message.
        if list.is_empty() || list.len() > limits::AWAITED_MAX {
            let why = format!("`ids` must be a list of 1 to {} ids", limits::AWAITED_MAX);
            return Err(self.refuse(&why));
        }
        let mut ids: Vec<String> = Vec::new();
        for item in list {
            match item.as_str().map(str::trim).filter(|id| !id.is_empty() && !is_long(id)) {
                Some(id) if ids.iter().any(|known| known == id) => {}
                Some(id) => ids.push(id.to_owned()),
                None => {
                    return Err(self
                        .refuse("each of `ids` must be a text that is not empty, and no longer than an id"));
                }
            }
        }
        Ok((ids, true))
    }
}

/// Nothing is called so: it need not be looked for, nor repeated.
fn is_long(name: &str) -> bool {
    name.chars().count() > docket::limits::ID_CHARS_MAX
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(tool: &str, sent: Value) -> String {
        let sent = sent.as_object().cloned().unwrap_or_default();
        Request::read(tool, sent).map(|request| format!("{request:?}")).unwrap_err().message.into_owned()
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_what_would() {
        let many: Vec<String> = (0..=limits::AWAITED_MAX).map(|n| n.to_string()).collect();
        for (tool, sent, why) in [
            (
                "arbiter_ask",
                json!({}),
                "there is no tool `arbiter_ask`; there are arbiter_push, arbiter_status, arbiter_get, arbiter_await",
            ),
            ("arbiter_status", json!({}), "arbiter_status: which petition? give its `id`, or its `tag`"),
            (
                "arbiter_status",
                json!({"id": "a", "tag": "b"}),
                "arbiter_status: give `id` or `tag`, and not both",
            ),
            ("arbiter_status", json!({"id": ["a"]}), "arbiter_status: `id` must be a text that is not empty"),
            (
                "arbiter_get",
                json!({"id": "a", "partial": "yes"}),
                "arbiter_get: `partial` must be true or false",
            ),
            (
                "arbiter_await",
                json!({"id": null}),
                "arbiter_await: which petition? give its `id`, or several as `ids`",
            ),
            ("arbiter_await", json!({"ids": []}), "arbiter_await: `ids` must be a list of 1 to 50 ids"),
            ("arbiter_await", json!({"ids": many}), "arbiter_await: `ids` must be a list of 1 to 50 ids"),
            (
                "arbiter_await",
                json!({"ids": [7]}),
                "arbiter_await: each of `ids` must be a text that is not empty, and no longer than an id",
            ),
            (
                "arbiter_await",
                json!({"ids": ["a", "x".repeat(257)]}),
                "arbiter_await: each of `ids` must be a text that is not empty, and no longer than an id",
            ),
            (
                "arbiter_get",
                json!({"planId": "x".repeat(1 << 20)}),
                "arbiter_get: `id` is longer than 256 signs",
            ),
            (
                "arbiter_await",
                json!({"id": "a", "wait_seconds": -1}),
                "arbiter_await: `wait_seconds` must be a number of seconds, 0 or more",
            ),
        ] {
            assert_eq!(refused(tool, sent), why);
        }
    }

    #[test]
    fn names_in_the_wild_are_understood() {
        let sent = json!({"planId": 7, "waitSeconds": 1.5});
        let read = Request::read(tools::AWAIT, sent.as_object().cloned().unwrap_or_default()).unwrap();
        assert!(matches!(&read, Request::Await { ids, several: false, seconds: Some(2) } if ids == &["7"]));
    }
}
