//! The client of the Bot API: one request and its answer. Each is bounded in time and bytes, redirects are not followed, and
//! the token stands in the address only: no error, no `Debug` and no log can show it.

use std::fmt;
use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Response, Url, redirect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::time::timeout;

use super::trouble::ApiTrouble;
use super::types::Answer;
use crate::limits::{
    TELEGRAM_ALIVE_EVERY, TELEGRAM_ANSWER_BYTES_MAX, TELEGRAM_CONNECT_TIME_MAX, TELEGRAM_IDLE_MAX,
    TROUBLE_CHARS_MAX,
};
use crate::telegram::TelegramError;
use crate::telegram::settings::BotToken;

/// Speaks with one Bot API for one bot. Clones share their connections.
#[derive(Clone)]
pub struct BotClient {
    http: Client,
    /// Without a `/` at its end, and without the token.
    api_url: String,
    token: BotToken,
}

impl fmt::Debug for BotClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BotClient").field("bot", &self.token.bot()).finish_non_exhaustive()
    }
}

impl BotClient {
    /// A client of the Bot API at `api_url`. Nothing is sent yet.
    pub fn new(token: &BotToken, api_url: &str) -> Result<BotClient, TelegramError> {
        let api_url = api_url.trim_end_matches('/').to_owned();
        let no_client = |why: String| TelegramError::NoClient { why };
        let url =
            Url::parse(&api_url).map_err(|error| no_client(format!("api_url is no address: {error}")))?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(no_client("api_url has to begin with https:// or http://".to_owned()));
        }
        // It fails only if it was called before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .connect_timeout(TELEGRAM_CONNECT_TIME_MAX)
            .pool_idle_timeout(TELEGRAM_IDLE_MAX)
            .tcp_keepalive(TELEGRAM_ALIVE_EVERY)
            .redirect(redirect::Policy::none())
            .referer(false)
            .user_agent(concat!("arbiter/", env!("CARGO_PKG_VERSION")));
        if is_loopback(&url) {
            // A request that stays on this machine must not reach a proxy.
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| no_client(last_cause(&error.without_url())))?;
        Ok(BotClient { http, api_url, token: token.clone() })
    }

    /// Calls a method, and waits `within` for the whole of its answer.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: &str,
        body: &impl Serialize,
        within: Duration,
    ) -> Result<T, ApiTrouble> {
        let body = serde_json::to_vec(body).map_err(|error| ApiTrouble::Rejected(self.hide(&error)))?;
        let called = timeout(within, self.exchange(method, body)).await;
        let (status, bytes) = called.unwrap_or(Err(ApiTrouble::TimedOut))?;
        self.understand(status, &bytes)
    }

    async fn exchange(&self, method: &str, body: Vec<u8>) -> Result<(u16, Vec<u8>), ApiTrouble> {
        let url = Url::parse(&format!("{}/bot{}/{method}", self.api_url, self.token.expose()));
        let url = url.map_err(|error| ApiTrouble::Unreachable(self.hide(&error)))?;
        let post = self.http.post(url).header(CONTENT_TYPE, "application/json").body(body);
        let broken =
            |error: reqwest::Error| ApiTrouble::Unreachable(self.hide(&last_cause(&error.without_url())));
        let mut response = post.send().await.map_err(broken)?;
        let status = response.status().as_u16();
        let bytes = self.bytes(&mut response).await?;
        Ok((status, bytes))
    }

    async fn bytes(&self, response: &mut Response) -> Result<Vec<u8>, ApiTrouble> {
        let mut bytes = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if bytes.len() + chunk.len() > TELEGRAM_ANSWER_BYTES_MAX => {
                    return Err(ApiTrouble::Unreadable(format!(
                        "it has more than {TELEGRAM_ANSWER_BYTES_MAX} bytes"
                    )));
                }
                Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
                Ok(None) => return Ok(bytes),
                Err(error) => {
                    return Err(ApiTrouble::Unreachable(self.hide(&last_cause(&error.without_url()))));
                }
            }
        }
    }

    fn understand<T: DeserializeOwned>(&self, status: u16, bytes: &[u8]) -> Result<T, ApiTrouble> {
        let Ok(answer) = serde_json::from_slice::<Answer<Box<RawValue>>>(bytes) else {
            return Err(ApiTrouble::of_status(status));
        };
        match (answer.ok, answer.result) {
            (true, Some(result)) => serde_json::from_str(result.get())
                .map_err(|_| ApiTrouble::Unreadable("the result is not of the right form".to_owned())),
            (true, None) => Err(ApiTrouble::Unreadable("it has no result".to_owned())),
            (false, _) => {
                let code = answer.error_code.unwrap_or_else(|| i64::from(status));
                let words = self.hide(&answer.description.unwrap_or_default());
                Err(ApiTrouble::of_answer(code, &words, answer.parameters.unwrap_or_default()))
            }
        }
    }

    /// A text of others without the token: a server can repeat what it was asked. It is hidden before anything is cut,
    /// since half a token would not be known again.
    fn hide(&self, text: &impl fmt::Display) -> String {
        let secret = self.token.expose().split_once(':').map_or(self.token.expose(), |(_, secret)| secret);
        let hidden = text.to_string().replace(secret, "(hidden)");
        mind::limits::cut(&hidden, TROUBLE_CHARS_MAX)
    }
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost" || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The last cause of an error, which says most.
fn last_cause(error: &dyn std::error::Error) -> String {
    let mut last = error;
    while let Some(source) = last.source() {
        last = source;
    }
    last.to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::net::TcpListener;

    use super::*;
    use crate::telegram::wire::types::User;

    #[tokio::test]
    async fn a_server_that_says_nothing_is_not_waited_for() {
        // It takes connections, and no program reads them.
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let api_url = format!("http://{}", listener.local_addr().unwrap());
        let client = BotClient::new(&BotToken::parse("1:abcdefgh").unwrap(), &api_url).unwrap();
        let called = client.call::<User>("getMe", &json!({}), Duration::from_millis(50)).await;
        assert_eq!(called, Err(ApiTrouble::TimedOut));
    }
}
