//! What was asked of the server and what it answered, for tests to read.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use serde_json::Value;

use super::fault::BotFault;
use super::limits::REQUESTS_MAX;

/// A request to the fake.
#[derive(Debug, Clone, PartialEq)]
pub struct BotRequest {
    /// Counted from 1 in the order of arrival.
    pub number: usize,
    /// As it was spelled.
    pub method: String,
    pub parameters: BTreeMap<String, Value>,
    /// When it came, since the server began.
    pub at: Duration,
    /// When it was answered; none while it is not, and if the client left before.
    pub answered: Option<Duration>,
    /// The HTTP status; none if the connection was cut.
    pub status: Option<u16>,
    /// The whole answer; null if it was no JSON.
    pub answer: Value,
    pub fault: Option<BotFault>,
}

impl BotRequest {
    pub fn is_ok(&self) -> bool {
        self.answer["ok"] == true
    }

    /// What the server said when it refused.
    pub fn description(&self) -> &str {
        self.answer["description"].as_str().unwrap_or_default()
    }
}

#[derive(Debug, Default)]
pub(super) struct RequestLog {
    requests: VecDeque<BotRequest>,
    forgotten: usize,
}

impl RequestLog {
    /// Keeps a request and gives it its number.
    pub(super) fn add(&mut self, mut request: BotRequest) -> usize {
        if self.requests.len() == REQUESTS_MAX {
            self.requests.pop_front();
            self.forgotten += 1;
        }
        request.number = self.forgotten + self.requests.len() + 1;
        let number = request.number;
        self.requests.push_back(request);
        number
    }

    pub(super) fn answered(&mut self, number: usize, at: Duration, status: Option<u16>, answer: Value) {
        let place = number.checked_sub(self.forgotten + 1);
        if let Some(request) = place.and_then(|place| self.requests.get_mut(place)) {
            (request.answered, request.status, request.answer) = (Some(at), status, answer);
        }
    }

    /// How many there were so far.
    pub(super) fn count(&self) -> usize {
        self.forgotten + self.requests.len()
    }

    pub(super) fn all(&self) -> Vec<BotRequest> {
        self.requests.iter().cloned().collect()
    }

    /// From this number on.
    pub(super) fn since(&self, number: usize) -> Vec<BotRequest> {
        self.requests.iter().filter(|request| request.number >= number).cloned().collect()
    }
}
