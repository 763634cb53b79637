//! The HTTP side: addresses, tokens, the record of each request, and the faults that befall it. After telegram-bot-api's
//! HttpConnection.cpp and Query.cpp.

use std::future::pending;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::fault::BotFault;
use super::limits::BODY_BYTES_MAX;
use super::parameters::BotParameters;
use super::polling::get_updates;
use super::refusal::ApiRefusal;
use super::request_log::BotRequest;
use super::state::SharedState;
use crate::loopback::{Plug, Pull};

pub(super) fn router(shared: Arc<SharedState>) -> Router {
    Router::new().fallback(request).layer(DefaultBodyLimit::max(BODY_BYTES_MAX)).with_state(shared)
}

async fn request(
    State(shared): State<Arc<SharedState>>,
    ConnectInfo(plug): ConnectInfo<Plug>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let parameters = BotParameters::read(uri.query().unwrap_or_default(), kind, &body);
    let path = uri.path().strip_prefix("/bot").and_then(|path| path.split_once('/'));
    let (token, method) = path.unwrap_or(("", uri.path()));
    let (number, fault) = record(&shared, method, parameters.as_ref().ok());
    let method = method.to_ascii_lowercase();
    let judged = match path {
        None => Err(ApiRefusal::not_found()),
        Some(_) => judge_token(&shared, token).and(parameters),
    };
    let call = Call { shared: &shared, plug, number };
    match judged {
        Ok(parameters) => call.answer(fault, &method, &parameters).await,
        Err(refusal) => call.send(Err(refusal)),
    }
}

fn record(
    shared: &SharedState,
    method: &str,
    parameters: Option<&BotParameters>,
) -> (usize, Option<BotFault>) {
    let at = shared.elapsed();
    shared.change(|state| {
        let fault = state.faults.take(&method.to_ascii_lowercase());
        let request = BotRequest {
            number: 0,
            method: method.to_owned(),
            parameters: parameters.map(|parameters| parameters.0.clone()).unwrap_or_default(),
            at,
            answered: None,
            status: None,
            answer: Value::Null,
            fault: fault.clone(),
        };
        (state.log.add(request), fault)
    })
}

/// What is no token at all is not found at api.telegram.org; a server of one's own says 401 with other words
/// (ClientManager.cpp). One that is none any more is refused.
fn judge_token(shared: &SharedState, token: &str) -> Result<(), ApiRefusal> {
    let looks_right = token.split_once(':').is_some_and(|(id, secret)| {
        id.parse::<i64>().is_ok_and(|id| id > 0) && !secret.is_empty() && token.len() <= 80
    });
    match looks_right {
        false => Err(ApiRefusal::not_found()),
        true if shared.read(|state| state.is_revoked || state.token != token) => {
            Err(ApiRefusal::unauthorized())
        }
        true => Ok(()),
    }
}

/// One request that is being answered.
struct Call<'a> {
    shared: &'a Arc<SharedState>,
    plug: Plug,
    number: usize,
}

impl Call<'_> {
    async fn answer(&self, fault: Option<BotFault>, method: &str, parameters: &BotParameters) -> Response {
        match fault {
            None => self.send(self.perform(method, parameters).await),
            Some(BotFault::ResetBefore) => self.cut(Pull::Reset).await,
            Some(BotFault::CloseBefore) => self.cut(Pull::Close).await,
            Some(BotFault::ResetAfter) => {
                _ = self.perform(method, parameters).await;
                self.cut(Pull::Reset).await
            }
            Some(BotFault::CloseAfter) => {
                _ = self.perform(method, parameters).await;
                self.cut(Pull::Close).await
            }
            Some(BotFault::BadGateway) => {
                let page = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n\
                            <center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n";
                self.page(StatusCode::BAD_GATEWAY, "text/html", page)
            }
            Some(BotFault::SlowBefore(time)) => {
                sleep(time).await;
                self.send(self.perform(method, parameters).await)
            }
            Some(BotFault::SlowAfter(time)) => {
                let answer = self.perform(method, parameters).await;
                sleep(time).await;
                self.send(answer)
            }
            Some(BotFault::Garbage) => {
                _ = self.perform(method, parameters).await;
                self.page(StatusCode::OK, "application/json", "{\"ok\":true,\"result\":{\"mess")
            }
            Some(BotFault::TooMany(seconds)) => self.send(Err(ApiRefusal::too_many(seconds))),
            Some(BotFault::Refused { code, description }) => {
                self.send(Err(ApiRefusal { code, description, parameters: None }))
            }
        }
    }

    async fn perform(&self, method: &str, parameters: &BotParameters) -> Result<Value, ApiRefusal> {
        match method {
            "getupdates" => get_updates(self.shared, parameters).await,
            _ => self.shared.change(|state| state.perform(method, parameters)),
        }
    }

    fn send(&self, answer: Result<Value, ApiRefusal>) -> Response {
        let (code, body, retry_after) = match answer {
            Ok(result) => (200, json!({ "ok": true, "result": result }), None),
            Err(refusal) => (refusal.code, refusal.body(), refusal.retry_after()),
        };
        let status = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = self.page(status, "application/json", &body.to_string());
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }

    fn page(&self, status: StatusCode, kind: &'static str, body: &str) -> Response {
        let answer = serde_json::from_str(body).unwrap_or_default();
        self.ended(Some(status.as_u16()), answer);
        (status, [(header::CONTENT_TYPE, kind)], Body::from(body.to_owned())).into_response()
    }

    /// Ends the connection before a byte was sent on it.
    async fn cut(&self, pull: Pull) -> Response {
        self.ended(None, Value::Null);
        self.plug.pull(pull);
        pending().await
    }

    fn ended(&self, status: Option<u16>, answer: Value) {
        let at = self.shared.elapsed();
        self.shared.change(|state| state.log.answered(self.number, at, status, answer));
    }
}
