//! The log of the scripted API: requests and their answers, for tests to read and wait on.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::limits::BODIES_MAX;
use super::scenario::{How, Malformed, Place};

/// A request for a message.
#[derive(Debug, Clone)]
pub struct Request {
    /// Its number, counted from 1 in the order of arrival.
    pub number: usize,
    /// When it came, since the API began.
    pub at: Duration,
    /// The voice it belongs to.
    pub voice: Option<String>,
    /// The step of that voice it took, counted from 0; none if it is off script.
    pub step: Option<usize>,
    /// The header `x-claude-code-session-id`.
    pub session: Option<String>,
    /// Header `x-claude-code-agent-id`: a subagent asks.
    pub agent: Option<String>,
    /// Where it was asked.
    pub path: String,
    /// All headers, with their names in lower case.
    pub headers: Vec<(String, String)>,
    /// The model that was asked for.
    pub model: String,
    /// The system prompt, its blocks joined by newlines.
    pub system: String,
    /// The names of the tools on offer.
    pub tools: Vec<String>,
    /// Whether the answer was to be streamed.
    pub streaming: bool,
    /// The whole request; null for all but the latest thousand.
    pub body: Value,
    /// What it was answered.
    pub answer: Answer,
    /// How far the answer got.
    pub end: End,
    /// When it ended, since the API began: its last byte was given to the connection, or the client went.
    pub ended: Option<Duration>,
}

/// What a request was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// A whole message.
    Message,
    /// A message that breaks off.
    Cut(Place, How),
    Status(u16),
    /// Something that is no message.
    Malformed(Malformed),
    Hang,
    /// No voice had a step for it.
    OffScript,
}

/// How far an answer got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It is on its way.
    Pending,
    /// All of it was sent, to where it was to break off.
    Sent,
    /// The client went before that.
    ClientLeft,
}

/// A request for anything else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Other {
    /// When it came, since the API began.
    pub at: Duration,
    pub method: String,
    /// Its path with its query.
    pub path: String,
    /// What it was answered.
    pub status: u16,
}

impl Request {
    /// The conversation as it was sent.
    pub fn messages(&self) -> &Value {
        &self.body["messages"]
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The text of the first message of the user.
    pub fn prompt(&self) -> String {
        let first = entries(&self.body).iter().find(|message| message["role"] == "user");
        first.map(|message| text_of(&message["content"])).unwrap_or_default()
    }

    /// The text of all that came since the model spoke last: tool results, reminders, the user.
    pub fn heard(&self) -> String {
        let messages = entries(&self.body);
        let new = messages.iter().rposition(|message| message["role"] == "assistant").map_or(0, |at| at + 1);
        let texts: Vec<String> = messages[new..].iter().map(|message| text_of(&message["content"])).collect();
        texts.join("\n")
    }
}

fn entries(body: &Value) -> &[Value] {
    body["messages"].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The words in a content, which is a text, or blocks of text and of tool results with a content of their own.
pub(super) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().map(text_of).collect::<Vec<_>>().join("\n"),
        Value::Object(block) => match (block.get("text"), block.get("content")) {
            (Some(text), _) => text_of(text),
            (None, Some(content)) => text_of(content),
            (None, None) => String::new(),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

/// The log. It is only held for as long as it takes to read or write a line.
#[derive(Debug)]
pub(super) struct Log {
    began: Instant,
    pages: Mutex<Pages>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Pages {
    requests: Vec<Arc<Request>>,
    others: Vec<Other>,
    /// Grows with every change, so that a waiting test sees that there was one.
    version: u64,
}

impl Log {
    pub(super) fn begin() -> Log {
        Log { began: Instant::now(), pages: Mutex::default(), changed: Condvar::new() }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    pub(super) fn requests(&self) -> Vec<Arc<Request>> {
        self.lock().requests.clone()
    }

    pub(super) fn others(&self) -> Vec<Other> {
        self.lock().others.clone()
    }

    /// Keeps a request and gives it its number.
    pub(super) fn add(&self, mut request: Request) -> usize {
        let mut pages = self.lock();
        request.number = pages.requests.len() + 1;
        let number = request.number;
        pages.requests.push(Arc::new(request));
        if let Some(old) = number.checked_sub(BODIES_MAX + 1) {
            Arc::make_mut(&mut pages.requests[old]).body = Value::Null;
        }
        self.publish(pages);
        number
    }

    pub(super) fn add_other(&self, method: &str, path: &str, status: u16) {
        let mut pages = self.lock();
        let (method, path) = (method.to_owned(), path.to_owned());
        pages.others.push(Other { at: self.elapsed(), method, path, status });
        self.publish(pages);
    }

    pub(super) fn end(&self, number: usize, end: End) {
        let ended = self.elapsed();
        let mut pages = self.lock();
        let request = Arc::make_mut(&mut pages.requests[number - 1]);
        request.end = end;
        request.ended = Some(ended);
        self.publish(pages);
    }

    /// Waits for a request, past ones included, and asks `fits` without holding the log.
    pub(super) fn wait_for(
        &self,
        fits: impl Fn(&Request) -> bool,
        timeout: Duration,
    ) -> Option<Arc<Request>> {
        let until = Instant::now() + timeout;
        loop {
            let (requests, version) = {
                let pages = self.lock();
                (pages.requests.clone(), pages.version)
            };
            if let Some(found) = requests.into_iter().find(|request| fits(request)) {
                return Some(found);
            }
            let left = until.checked_duration_since(Instant::now())?;
            let pages = self.lock();
            let waited = self.changed.wait_timeout_while(pages, left, |pages| pages.version == version);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, mut pages: MutexGuard<'_, Pages>) {
        pages.version += 1;
        drop(pages);
        self.changed.notify_all();
    }
}
