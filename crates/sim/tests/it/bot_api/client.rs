//! A client as plain as can be: one request on one connection, and all that came back.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use sim::bot_api::BotApi;

/// What came back; status 0 if nothing did.
#[derive(Debug)]
pub struct Got {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Got {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// Sends a request as it stands and reads to its end.
pub fn send(api: &BotApi, line: &str, kind: &str, body: &str) -> Got {
    let mut stream = TcpStream::connect(api.url().trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let length = body.len();
    let head = format!(
        "{line} HTTP/1.1\r\nhost: bot\r\nconnection: close\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return Got { status: 0, head: text, body: String::new() };
    };
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Got { status, head: head.to_owned(), body: body.to_owned() }
}

pub fn post(api: &BotApi, method: &str, body: &Value) -> Got {
    let line = format!("POST /bot{}/{method}", api.token());
    send(api, &line, "application/json", &body.to_string())
}

/// The result of a request that goes well.
pub fn ok(api: &BotApi, method: &str, body: &Value) -> Value {
    let got = post(api, method, body);
    assert_eq!(got.status, 200, "{method}: {}", got.body);
    got.json()["result"].clone()
}

/// The code and the words of a refusal.
pub fn refused(api: &BotApi, method: &str, body: &Value) -> String {
    let got = post(api, method, body);
    let told = got.json();
    assert_eq!((told["ok"].as_bool(), told["error_code"].as_u64()), (Some(false), Some(got.status.into())));
    format!("{} {}", got.status, told["description"].as_str().unwrap())
}

/// Sends a text and returns the message.
pub fn sent(api: &BotApi, chat: i64, text: &str) -> i64 {
    ok(api, "sendMessage", &json!({ "chat_id": chat, "text": text }))["message_id"].as_i64().unwrap()
}

pub fn updates(api: &BotApi, body: &Value) -> Vec<Value> {
    ok(api, "getUpdates", body).as_array().unwrap().clone()
}
