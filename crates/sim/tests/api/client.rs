//! A client as plain as can be: one request on one connection, and all that came back.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use sim::api::Api;

/// What came back.
#[derive(Debug)]
pub struct Got {
    pub status: u16,
    pub headers: String,
    /// The body without the marks of its chunks.
    pub body: String,
    /// Whether the body came to its end.
    pub whole: bool,
    /// How the connection ended, if not well.
    pub error: Option<io::ErrorKind>,
}

/// Asks for a message as a session, with one text of the user.
pub fn ask(api: &Api, session: &str, text: &str) -> Got {
    ask_body(api, &[("x-claude-code-session-id", session)], &question(text, true))
}

pub fn question(text: &str, stream: bool) -> Value {
    json!({ "model": "claude-test", "max_tokens": 10, "stream": stream,
            "messages": [{ "role": "user", "content": text }] })
}

pub fn ask_body(api: &Api, headers: &[(&str, &str)], body: &Value) -> Got {
    send(api, "POST /v1/messages?beta=true", headers, &body.to_string())
}

/// Sends a request and reads until the connection ends.
pub fn send(api: &Api, line: &str, headers: &[(&str, &str)], body: &str) -> Got {
    let mut stream = open(api, line, headers, body);
    let mut bytes = Vec::new();
    let error = stream.read_to_end(&mut bytes).err().map(|error| error.kind());
    let text = String::from_utf8(bytes).unwrap();
    let Some((headers, rest)) = text.split_once("\r\n\r\n") else {
        return Got { status: 0, headers: text, body: String::new(), whole: false, error };
    };
    let status = headers.split(' ').nth(1).unwrap().parse().unwrap();
    let chunked = headers.to_ascii_lowercase().contains("transfer-encoding: chunked");
    let (body, whole) = if chunked { unchunk(rest) } else { (rest.to_owned(), error.is_none()) };
    Got { status, headers: headers.to_owned(), body, whole, error }
}

/// Sends a request and leaves the connection open.
pub fn open(api: &Api, line: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(api.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    let head = format!(
        "{line} HTTP/1.1\r\nhost: api\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    stream
}

fn unchunk(mut rest: &str) -> (String, bool) {
    let mut body = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return (body, true);
        }
        body.push_str(&after[..size]);
        rest = &after[size + 2..];
    }
    (body, false)
}

impl Got {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// The data of the events, whose names are those of the types.
    pub fn events(&self) -> Vec<Value> {
        let events = self.body.split_terminator("\n\n").map(|event| {
            let (name, data) = event.split_once('\n').unwrap();
            let data: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
            assert_eq!(Some(name), data["type"].as_str().map(|kind| format!("event: {kind}")).as_deref());
            data
        });
        events.collect()
    }

    /// The events in a word each, with the text that is in them.
    pub fn course(&self) -> String {
        let words = self.events().into_iter().map(|event| {
            let part =
                ["text", "thinking", "partial_json"].iter().find_map(|key| event["delta"][key].as_str());
            let name = event["type"].as_str().unwrap().trim_start_matches("content_block_").to_owned();
            part.map(|part| format!("{name}({part})")).unwrap_or(name)
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// The text of the message, however it was sent.
    pub fn text(&self) -> String {
        if self.headers.contains("application/json") {
            return self.json()["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        }
        self.events().iter().filter_map(|event| event["delta"]["text"].as_str()).collect()
    }
}
