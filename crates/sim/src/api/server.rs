//! The HTTP server of the scripted API: routes, headers, the stream of an answer and how it breaks off.

use std::convert::Infallible;
use std::future::pending;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, DefaultBodyLimit, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use futures_core::Stream;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::cast::Cast;
use super::dialect::Dialect;
use super::limits::{BODY_BYTES_MAX, FLUSH, PIECES_MAX};
use super::log::{Answer, End, Log, Request};
use super::scenario::{Act, Block, How, Malformed, Message, OffScript, Place, Refusal, Scenario};
use super::wire::{self, Piece, Reply};
use crate::loopback::{Plug, Pull};

/// What all requests share.
pub(super) struct Stage {
    log: Arc<Log>,
    cast: Mutex<Cast>,
    off_script: OffScript,
    ids: String,
}

impl Stage {
    pub(super) fn new(scenario: Scenario, log: Arc<Log>) -> Stage {
        let Scenario { voices, off_script, ids } = scenario;
        Stage { log, cast: Mutex::new(Cast::new(voices)), off_script, ids }
    }
}

pub(super) fn router(stage: Arc<Stage>) -> Router {
    Router::new()
        .route("/v1/messages", post(message))
        .route("/v1/chat/completions", post(message))
        .route("/v1/messages/count_tokens", post(count))
        .fallback(other)
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .with_state(stage)
}

async fn count(State(stage): State<Arc<Stage>>, uri: Uri, body: Bytes) -> Response {
    stage.log.add_other("POST", &uri.to_string(), 200);
    json_response(StatusCode::OK, &json!({ "input_tokens": body.len() / 4 }))
}

async fn other(State(stage): State<Arc<Stage>>, method: Method, uri: Uri) -> Response {
    let asks_for_root = uri.path() == "/" && [Method::GET, Method::HEAD].contains(&method);
    let status = if asks_for_root { StatusCode::OK } else { StatusCode::NOT_FOUND };
    stage.log.add_other(method.as_str(), &uri.to_string(), status.as_u16());
    match asks_for_root {
        true => status.into_response(),
        false => json_response(status, &wire::error("not_found_error", "not found")),
    }
}

/// A request for a message: it is logged with its answer before a byte of that is sent.
async fn message(
    State(stage): State<Arc<Stage>>,
    ConnectInfo(plug): ConnectInfo<Plug>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Ok(body) = serde_json::from_slice::<Value>(&body) else {
        stage.log.add_other("POST", &uri.to_string(), 400);
        let dialect = Dialect::of(uri.path());
        let error = dialect.error("invalid_request_error", "the request is not JSON");
        return json_response(StatusCode::BAD_REQUEST, &error);
    };
    let dialect = Dialect::of(uri.path());
    let mut request = request(&stage.log, dialect, &uri, &headers, body);
    let (model, streaming) = (request.model.clone(), request.streaming);
    let counts = dialect.counts(&request.body);
    let (number, delay_ms, act) = {
        // One at a time from the choice of the line to the log, so that numbers and steps have the same order.
        let mut cast = stage.cast.lock().unwrap_or_else(PoisonError::into_inner);
        let line = cast.line(&request);
        request.voice = line.voice;
        let (delay_ms, act) = match line.step {
            Some((index, step)) => {
                request.step = Some(index);
                request.answer = answer(&step.act);
                (step.delay_ms, step.act)
            }
            None => (0, off_script(stage.off_script, &request)),
        };
        (stage.log.add(request), delay_ms, act)
    };
    let seat = Seat { log: Arc::clone(&stage.log), number, end: End::ClientLeft };
    pause(Duration::from_millis(delay_ms)).await;
    let house = House { dialect, counts, ids: &stage.ids, plug, streaming, model: &model };
    let mut response = house.perform(act, seat).await;
    if let Ok(id) = format!("req_{}_{number}", stage.ids).parse() {
        response.headers_mut().insert("request-id", id);
    }
    response
}

fn request(log: &Log, dialect: Dialect, uri: &Uri, headers: &HeaderMap, body: Value) -> Request {
    let readable = |value: &header::HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let all = headers.iter().map(|(name, value)| (name.as_str().to_owned(), readable(value)));
    let header = |name: &str| Some(headers.get(name)?.to_str().ok()?.to_owned());
    let tools = body["tools"].as_array().into_iter().flatten();
    Request {
        number: 0,
        at: log.elapsed(),
        voice: None,
        step: None,
        session: header("x-claude-code-session-id"),
        agent: header("x-claude-code-agent-id"),
        model: body["model"].as_str().unwrap_or_default().to_owned(),
        path: uri.path().to_owned(),
        headers: all.collect(),
        system: dialect.system(&body),
        tools: tools.filter_map(|tool| Some(tool["name"].as_str()?.to_owned())).collect(),
        streaming: body["stream"] == true,
        body,
        answer: Answer::OffScript,
        end: End::Pending,
        ended: None,
    }
}

fn answer(act: &Act) -> Answer {
    match act {
        Act::Message(Message { cut: Some(cut), .. }) => Answer::Cut(cut.place, cut.how),
        Act::Message(_) => Answer::Message,
        Act::Refusal(refusal) => Answer::Status(refusal.status),
        Act::Malformed(malformed) => Answer::Malformed(*malformed),
        Act::Hang => Answer::Hang,
    }
}

fn off_script(how: OffScript, request: &Request) -> Act {
    let text = match &request.voice {
        Some(voice) => format!("off script: voice {voice} has no step for this request"),
        None => "off script: no voice has a step for this request".to_owned(),
    };
    match how {
        OffScript::Say => Act::Message(Message { blocks: vec![Block::Text(text)], ..Message::default() }),
        OffScript::Error => {
            Act::Refusal(Refusal { status: 500, kind: None, message: Some(text), headers: Vec::new() })
        }
    }
}

/// Tells the log how an answer ended, also when it is dropped because the client went.
struct Seat {
    log: Arc<Log>,
    number: usize,
    end: End,
}

impl Seat {
    /// All was sent that was to be sent.
    fn sent(mut self) {
        self.end = End::Sent;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.log.end(self.number, self.end);
    }
}

/// Where one answer is given.
struct House<'a> {
    dialect: Dialect,
    counts: bool,
    ids: &'a str,
    plug: Plug,
    streaming: bool,
    model: &'a str,
}

impl House<'_> {
    async fn perform(&self, act: Act, seat: Seat) -> Response {
        match act {
            Act::Message(message) => self.say(message, seat).await,
            Act::Refusal(refusal) => {
                seat.sent();
                refuse(self.dialect, &refusal)
            }
            Act::Malformed(malformed) => {
                seat.sent();
                self.babble(malformed)
            }
            Act::Hang => pending().await,
        }
    }

    async fn say(&self, message: Message, seat: Seat) -> Response {
        let number = seat.number;
        let block_ids =
            (1..=message.blocks.len()).map(|block| format!("toolu_{}_{number}_{block}", self.ids));
        let id = format!("msg_{}_{number}", self.ids);
        let reply = Reply { id, model: self.model, message: &message, block_ids: block_ids.collect() };
        let cut = message.cut.map(|cut| cut.how);
        // Without streaming there is no middle to break off in.
        let unbegun = message.cut.is_some_and(|cut| cut.place == Place::BeforeStart) || !self.streaming;
        match cut.filter(|_| unbegun) {
            Some(How::Reset) => return self.vanish(Pull::Reset, seat).await,
            Some(How::Close) => return self.vanish(Pull::Close, seat).await,
            Some(How::Silence) => return pending().await,
            Some(How::Overloaded) | None => (),
        }
        if self.streaming {
            let pace = Duration::from_millis(message.chunk_delay_ms);
            return self.stream(self.dialect.pieces(&reply, self.counts), pace, cut, seat);
        }
        seat.sent();
        match cut {
            Some(_) => {
                refuse(self.dialect, &Refusal { status: 529, kind: None, message: None, headers: Vec::new() })
            }
            None => json_response(StatusCode::OK, &self.dialect.body(&reply)),
        }
    }

    /// Ends the connection before a byte was sent on it.
    async fn vanish(&self, pull: Pull, seat: Seat) -> Response {
        seat.sent();
        self.plug.pull(pull);
        pending().await
    }

    fn stream(&self, pieces: Vec<Piece>, pace: Duration, cut: Option<How>, seat: Seat) -> Response {
        let (sender, receiver) = mpsc::channel(PIECES_MAX);
        let (plug, dialect) = (self.plug.clone(), self.dialect);
        tokio::spawn(async move {
            for piece in pieces {
                if piece.paced {
                    pause(pace).await;
                }
                if sender.send(piece.text).await.is_err() {
                    return;
                }
            }
            match cut {
                None | Some(How::Close) => (),
                Some(How::Overloaded) => {
                    _ = sender.send(dialect.overloaded().text).await;
                }
                Some(How::Reset) => {
                    sleep(FLUSH).await;
                    plug.pull(Pull::Reset);
                }
                Some(How::Silence) => {
                    sender.closed().await;
                    return;
                }
            }
            seat.sent();
        });
        typed(StatusCode::OK, "text/event-stream; charset=utf-8", Body::from_stream(Pieces(receiver)))
    }

    fn babble(&self, malformed: Malformed) -> Response {
        let (kind, text) = match (malformed, self.streaming) {
            (Malformed::Html, _) => ("text/html", "<html><body><h1>502 Bad Gateway</h1></body></html>"),
            (Malformed::Empty, true) => ("text/event-stream", ""),
            (Malformed::Empty, false) => ("application/json", ""),
            (Malformed::BadJson, true) => ("text/event-stream", self.dialect.half_an_event()),
            (Malformed::BadJson, false) => ("application/json", "{\"type\": \"message\", \"cont"),
        };
        typed(StatusCode::OK, kind, Body::from(text))
    }
}

/// The body of a stream: what comes out of the channel.
struct Pieces(mpsc::Receiver<String>);

impl Stream for Pieces {
    type Item = Result<String, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|piece| piece.map(Ok))
    }
}

/// Sleeps, but not at all for no time: the timer would make a millisecond of it.
async fn pause(time: Duration) {
    if !time.is_zero() {
        sleep(time).await;
    }
}

fn refuse(dialect: Dialect, refusal: &Refusal) -> Response {
    let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = json_response(status, &dialect.refusal(refusal));
    for (name, value) in &refusal.headers {
        let name: header::HeaderName = name.parse().expect("a header of the scenario has a name");
        let value = value.parse().expect("a header of the scenario has a value");
        response.headers_mut().insert(name, value);
    }
    response
}

fn json_response(status: StatusCode, body: &Value) -> Response {
    typed(status, "application/json", Body::from(body.to_string()))
}

fn typed(status: StatusCode, kind: &'static str, body: Body) -> Response {
    (status, [(header::CONTENT_TYPE, kind)], body).into_response()
}
