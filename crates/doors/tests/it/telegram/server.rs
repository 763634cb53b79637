//! A server on loopback whose answers the test gives one by one: nothing depends on time.

use std::time::Duration;

use doors::telegram::settings::BotToken;
use doors::telegram::wire::BotClient;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// How long anything here may take.
pub const PATIENCE: Duration = Duration::from_secs(60);
pub const TOKEN: &str = "4711:CANARY_secret-0123456789";

pub struct Server {
    pub api_url: String,
    calls: mpsc::UnboundedReceiver<Call>,
}

/// A request that waits for its answer. One that is dropped gets none: its connection is cut.
pub struct Call {
    pub method: String,
    pub path: String,
    pub body: Value,
    reply: oneshot::Sender<Vec<u8>>,
}

impl Call {
    pub fn ok(self, result: Value) {
        self.says(200, &json!({"ok": true, "result": result}).to_string());
    }

    pub fn refuse(self, code: u16, description: &str) {
        self.refuse_with(code, description, json!({}));
    }

    pub fn refuse_with(self, code: u16, description: &str, parameters: Value) {
        let answer =
            json!({"ok": false, "error_code": code, "description": description, "parameters": parameters});
        self.says(code, &answer.to_string());
    }

    pub fn says(self, status: u16, body: &str) {
        let length = body.len();
        self.writes(
            format!("HTTP/1.1 {status} Status\r\ncontent-length: {length}\r\n\r\n{body}").into_bytes(),
        );
    }

    /// These bytes. If they are no HTTP, or end with CUT, the connection is cut then.
    pub fn writes(self, bytes: Vec<u8>) {
        let _ = self.reply.send(bytes);
    }

    /// The chat, the message and the words of a request.
    pub fn told(&self) -> String {
        let text = self.body["text"].as_str().unwrap_or_default();
        format!("{} {} {} {text}", self.method, self.body["chat_id"], self.body["message_id"])
    }
}

impl Server {
    pub async fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback");
        let api_url = format!("http://{}", listener.local_addr().expect("an address"));
        let (sender, calls) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, sender.clone()));
            }
        });
        Server { api_url, calls }
    }

    pub fn client(&self) -> BotClient {
        BotClient::new(&token(), &self.api_url).expect("a client")
    }

    /// The next request.
    pub async fn next(&mut self) -> Call {
        timeout(PATIENCE, self.calls.recv()).await.expect("a request comes").expect("the server runs")
    }

    /// The next request, which calls this method.
    pub async fn expect(&mut self, method: &str) -> Call {
        let call = self.next().await;
        assert_eq!(call.method, method, "{}", call.body);
        call
    }

    /// Whether no request has come.
    pub fn is_quiet(&mut self) -> bool {
        self.calls.try_recv().is_err()
    }
}

pub fn token() -> BotToken {
    BotToken::parse(TOKEN).expect("a token")
}

async fn serve(mut stream: TcpStream, calls: mpsc::UnboundedSender<Call>) -> Option<()> {
    let (read, mut write) = stream.split();
    let mut read = BufReader::new(read);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if read.read_line(&mut head).await.ok()? == 0 {
                return None;
            }
        }
        let path = head.split(' ').nth(1)?.to_owned();
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
        });
        let mut body = vec![0; length.unwrap_or(0)];
        read.read_exact(&mut body).await.ok()?;
        let method = path.rsplit('/').next()?.to_owned();
        let (reply, answered) = oneshot::channel();
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        calls.send(Call { method, path, body, reply }).ok()?;
        let answer = answered.await.ok()?;
        write.write_all(&answer).await.ok()?;
        if !answer.starts_with(b"HTTP/1.1 ") || answer.ends_with(b"CUT") {
            return None;
        }
    }
}
