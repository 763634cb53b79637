//! The two requests to the Bot API that a setup needs: who the bot is, and who writes to it. No error and no text of it has
//! the address, because the token is in that.

use std::sync::Arc;
use std::time::Duration;

use doors::telegram::settings::BotToken;
use doors::telegram::wire::types::{Update, User};
use reqwest::{Client, StatusCode, redirect};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::cli_error::with_sources;

/// How long the server may keep a poll open.
const POLL_SECONDS: u64 = 20;
/// How long one request may take beyond that.
const PATIENCE: Duration = Duration::from_secs(15);
/// The longest answer that is read, in bytes.
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The way to the bot.
pub(super) struct Bot {
    client: Client,
    api_url: Arc<str>,
    token: BotToken,
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum BotTrouble {
    #[error("Telegram does not know this token: {0}")]
    Refused(String),
    /// Another program polls for this bot, or a webhook is set.
    #[error("another program answers for this bot: {0}")]
    Taken(String),
    #[error("{api_url} cannot be reached: {why}")]
    Unreachable { api_url: Arc<str>, why: String },
    /// It is no Bot API, or it has a trouble of its own.
    #[error("{api_url} gives no sensible answer: {why}")]
    Strange { api_url: Arc<str>, why: String },
}

#[derive(Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct ApiAnswer<T> {
    ok: bool,
    #[serde(default)]
    description: String,
    result: Option<T>,
}

impl Bot {
    pub(super) fn new(api_url: Arc<str>, token: BotToken) -> Result<Bot, BotTrouble> {
        let is_here =
            ["http://127.", "http://localhost", "http://[::1]"].iter().any(|here| api_url.starts_with(here));
        let builder = Client::builder()
            .redirect(redirect::Policy::none())
            .referer(false)
            .user_agent(concat!("arbiter/", env!("CARGO_PKG_VERSION")));
        // A request that stays on this machine must not reach a proxy.
        let builder = if is_here { builder.no_proxy() } else { builder };
        match builder.build() {
            Ok(client) => Ok(Bot { client, api_url, token }),
            Err(error) => Err(BotTrouble::Unreachable { api_url, why: error.without_url().to_string() }),
        }
    }

    /// Who the bot is.
    pub(super) async fn me(&self) -> Result<User, BotTrouble> {
        self.ask("getMe", 0).await
    }

    /// What was written to it since `offset`; it waits a while for something.
    pub(super) async fn updates(&self, offset: i64) -> Result<Vec<Update>, BotTrouble> {
        let query =
            format!("getUpdates?timeout={POLL_SECONDS}&offset={offset}&allowed_updates=%5B%22message%22%5D");
        self.ask(&query, POLL_SECONDS).await
    }

    async fn ask<T: DeserializeOwned>(&self, method: &str, waits: u64) -> Result<T, BotTrouble> {
        let url = format!("{}/bot{}/{method}", self.api_url, self.token.expose());
        let limit = PATIENCE + Duration::from_secs(waits);
        let unreachable = |error: reqwest::Error| BotTrouble::Unreachable {
            api_url: Arc::clone(&self.api_url),
            why: with_sources(&error.without_url()),
        };
        let mut response = self.client.get(url).timeout(limit).send().await.map_err(unreachable)?;
        let status = response.status();
        let mut bytes = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(unreachable)? {
            bytes.extend_from_slice(&piece);
            if bytes.len() > ANSWER_BYTES_MAX {
                return Err(self.strange("the answer is too long".to_owned()));
            }
        }
        let answer: Result<ApiAnswer<T>, _> = serde_json::from_slice(&bytes);
        let said = match &answer {
            Ok(answer) if !answer.description.is_empty() => self.hidden(&answer.description),
            Ok(_) | Err(_) => status.to_string(),
        };
        match (status, answer) {
            // What is no token at all is no path of the server's.
            (StatusCode::UNAUTHORIZED | StatusCode::NOT_FOUND, Ok(_)) => Err(BotTrouble::Refused(said)),
            (StatusCode::CONFLICT, Ok(_)) => Err(BotTrouble::Taken(said)),
            (_, Ok(ApiAnswer { ok: true, result: Some(result), .. })) => Ok(result),
            (_, Ok(_) | Err(_)) => Err(self.strange(said)),
        }
    }

    fn strange(&self, why: String) -> BotTrouble {
        BotTrouble::Strange { api_url: Arc::clone(&self.api_url), why }
    }

    /// A server's own words: a server that repeats what it was asked must not make us tell the token.
    fn hidden(&self, said: &str) -> String {
        mind::limits::cut(&said.replace(self.token.expose(), "(hidden)"), 300)
    }
}
