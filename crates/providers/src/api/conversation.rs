//! The conversation of an `api` session, as it is stored on disk: written whole before each call and after each answer,
//! so that the next process goes on where the last one stopped.

use std::io;
use std::path::{Path, PathBuf};

use mind::conductor::execution::RunTokens;
use serde::{Deserialize, Serialize};

use super::request::ApiUsage;
use crate::limits::API_CONVERSATION_BYTES_MAX;
use host::untrusted_files;

/// The version of the file's form.
const VERSION: u32 = 1;
/// What the model is told of a text whose answer was interrupted.
const STOPPED: &str = "(You were stopped before you answered this.)";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Conversation {
    version: u32,
    /// The session's own key.
    key: String,
    turns: Vec<Turn>,
}

/// A text, and the answer to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Turn {
    key: String,
    text: String,
    /// Words that go with the text and are no part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beside: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    /// The tokens of the answer, if the server counted them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tokens: Option<RunTokens>,
    /// What they cost, in millionths of a dollar; none if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cost_microusd: Option<u64>,
    /// No server has counted the tokens.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    estimated: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    stopped: bool,
}

/// The file of a conversation: beside the logbook.
pub(super) fn place(logbook: &Path) -> PathBuf {
    logbook.with_extension("api.json")
}

impl Conversation {
    /// An empty conversation.
    pub(super) fn new(key: &str) -> Conversation {
        Conversation { version: VERSION, key: key.to_owned(), turns: Vec::new() }
    }

    /// Reads the conversation in this file; none if there is none of this session.
    pub(super) fn open(path: &Path, key: &str) -> Result<Option<Conversation>, String> {
        let bytes = match untrusted_files::read(path, API_CONVERSATION_BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let kept: Conversation = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
        if kept.version != VERSION {
            return Err(format!("it has version {}, and this arbiter reads version {VERSION}", kept.version));
        }
        Ok((kept.key == key).then_some(kept))
    }

    /// Writes the conversation whole, readable for this user only.
    pub(super) fn save(&self, path: &Path) -> io::Result<()> {
        let bytes = serde_json::to_vec(self)?;
        if bytes.len() > API_CONVERSATION_BYTES_MAX {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the conversation is too long"));
        }
        if let Some(folder) = path.parent() {
            host::files::make_folder(folder)?;
        }
        host::files::replace(path, &bytes)
    }

    /// The answer to a text that was given before, and what it used.
    pub(super) fn answer(&self, key: &str) -> Option<(&str, Option<ApiUsage>)> {
        let turn = self.turns.iter().find(|turn| turn.key == key)?;
        let cost_microusd = turn.cost_microusd.unwrap_or(0);
        let is_estimated = turn.estimated;
        let usage = turn.tokens.map(|tokens| ApiUsage { tokens, cost_microusd, is_estimated });
        turn.answer.as_deref().map(|answer| (answer, usage))
    }

    /// Adds a text that waits for its answer. A text that waits already, under this key or an older one, is
    /// not added twice.
    pub(super) fn say(&mut self, key: &str, text: &str, beside: Option<&str>, is_again: bool) {
        self.turns.retain(|turn| turn.key != key);
        if is_again {
            let waits = |turn: &mut Turn| turn.answer.is_none() && turn.text == text;
            self.turns.pop_if(waits);
        }
        let beside = beside.map(str::to_owned);
        let (key, text) = (key.to_owned(), text.to_owned());
        self.turns.push(Turn {
            key,
            text,
            beside,
            answer: None,
            tokens: None,
            cost_microusd: None,
            estimated: false,
            stopped: false,
        });
    }

    /// Adds the answer of a text.
    pub(super) fn answered(&mut self, key: &str, answer: &str, usage: Option<ApiUsage>) {
        if let Some(turn) = self.turns.iter_mut().find(|turn| turn.key == key) {
            turn.tokens = usage.map(|usage| usage.tokens);
            turn.cost_microusd = usage.map(|usage| usage.cost_microusd).filter(|cost| *cost > 0);
            turn.estimated = usage.is_some_and(|usage| usage.is_estimated);
            turn.answer = Some(answer.to_owned());
        }
    }

    /// Marks a text as interrupted, without an answer.
    pub(super) fn stopped(&mut self, key: &str) {
        if let Some(turn) = self.turns.iter_mut().find(|turn| turn.key == key) {
            turn.stopped = true;
        }
    }

    /// The messages that are sent: ours and the model's by turns, whatever was left without an answer.
    pub(super) fn texts(&self) -> Vec<String> {
        let mut texts = Vec::new();
        let mut ours: Vec<&str> = Vec::new();
        for turn in &self.turns {
            ours.push(&turn.text);
            ours.extend(turn.beside.as_deref());
            if turn.stopped {
                ours.push(STOPPED);
            }
            if let Some(answer) = turn.answer.as_deref().filter(|answer| !answer.trim().is_empty()) {
                texts.push(std::mem::take(&mut ours).join("\n\n"));
                texts.push(answer.to_owned());
            }
        }
        if !ours.is_empty() {
            texts.push(ours.join("\n\n"));
        }
        texts
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_conversation_outlives_its_process_and_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = place(&folder.path().join("sessions/1.jsonl"));
        assert!(path.ends_with("sessions/1.api.json"));
        assert_eq!(Conversation::open(&path, "s"), Ok(None));
        let mut conversation = Conversation::new("s");
        conversation.say("a", "hello", None, false);
        conversation.save(&path).unwrap();
        conversation.answered("a", "hi", None);
        conversation.save(&path).unwrap();
        assert_eq!(Conversation::open(&path, "s"), Ok(Some(conversation)));
        assert_eq!(Conversation::open(&path, "of another"), Ok(None));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no draft is left");
        for text in ["{\"version\":", "[]", "{\"version\":9,\"key\":\"s\",\"turns\":[]}"] {
            fs::write(&path, text).unwrap();
            Conversation::open(&path, "s").unwrap_err();
        }
    }

    #[test]
    fn a_text_is_in_it_once_however_often_it_is_given() {
        let mut conversation = Conversation::new("s");
        conversation.say("a", "hello", None, false);
        conversation.say("a", "hello", None, true);
        conversation.say("b", "hello", None, true);
        assert_eq!(conversation.texts(), ["hello"]);
        conversation.say("b", "hello", Some("the context fills up"), true);
        assert_eq!(conversation.texts(), ["hello\n\nthe context fills up"]);
        conversation.say("d", "hello", None, true);
        conversation.say("b", "hello", None, true);
        conversation.answered("b", "hi", None);
        assert_eq!((conversation.answer("a"), conversation.answer("b")), (None, Some(("hi", None))));
        conversation.say("c", "hello", None, true);
        assert_eq!(conversation.texts(), ["hello", "hi", "hello"], "what was answered is said anew");
    }

    #[test]
    fn what_has_no_answer_is_said_with_the_next_text() {
        let mut conversation = Conversation::new("s");
        conversation.say("a", "build it", None, false);
        conversation.stopped("a");
        conversation.say("b", "no, paint it", None, false);
        let told = format!("build it\n\n{STOPPED}\n\nno, paint it");
        assert_eq!(conversation.texts(), std::slice::from_ref(&told));
        conversation.answered("b", " ", None);
        conversation.say("c", "well?", None, false);
        assert_eq!(conversation.texts(), [format!("{told}\n\nwell?")], "an empty word is none");
        conversation.say("a", "build it", None, true);
        assert!(conversation.texts()[0].ends_with("well?\n\nbuild it"));
    }
}
