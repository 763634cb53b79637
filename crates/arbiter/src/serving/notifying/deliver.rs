//! One try of one channel: a program that gets the JSON on stdin, or an address that it is posted to.

use std::process::Stdio;
use std::sync::OnceLock;

use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, redirect};
use sandbox::ChildGuard;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use tokio::time::timeout;

use crate::project::config::{AlsoChannel, WebhookUrl};
use crate::serving::limits::NOTIFY_TIME_MAX;
use crate::serving::service_manager;

/// Delivers to one channel.
pub(super) struct Deliverer {
    channel: AlsoChannel,
    /// Made when it is first needed.
    client: OnceLock<Client>,
}

impl Deliverer {
    pub(super) fn new(channel: AlsoChannel) -> Deliverer {
        Deliverer { channel, client: OnceLock::new() }
    }

    /// Delivers once, or says why not. Nothing secret is in the words.
    pub(super) async fn deliver(&self, json: &str) -> Result<(), String> {
        let tried = async {
            match &self.channel {
                AlsoChannel::Command(argv) => run(argv, json).await,
                AlsoChannel::Webhook(url) => self.post(url, json).await,
            }
        };
        match timeout(NOTIFY_TIME_MAX, tried).await {
            Ok(tried) => tried,
            Err(_) => Err(format!("no answer within {} s", NOTIFY_TIME_MAX.as_secs())),
        }
    }

    async fn post(&self, url: &WebhookUrl, json: &str) -> Result<(), String> {
        let client = match self.client.get() {
            Some(client) => client,
            None => {
                let made = client()?;
                self.client.get_or_init(|| made)
            }
        };
        let request = client.post(url.expose()).header(CONTENT_TYPE, "application/json");
        // The address can hold a secret.
        let told = |error: reqwest::Error| crate::cli_error::with_sources(&error.without_url());
        let response = request.body(json.to_owned()).send().await.map_err(told)?;
        match response.status() {
            status if status.is_success() => Ok(()),
            status => Err(format!("it answers {status}")),
        }
    }
}

fn client() -> Result<Client, String> {
    let builder = Client::builder()
        .redirect(redirect::Policy::none())
        .referer(false)
        .user_agent(concat!("arbiter/", env!("CARGO_PKG_VERSION")));
    builder.build().map_err(|error| error.to_string())
}

/// Runs the program with the JSON on its stdin. What it leaves behind ends with it.
async fn run(argv: &[String], json: &str) -> Result<(), String> {
    let [program, arguments @ ..] = argv else { return Err("it names no program".to_owned()) };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    for name in service_manager::VARIABLES {
        command.env_remove(name);
    }
    let mut guard = ChildGuard::spawn(command).map_err(|error| error.to_string())?;
    if let Some(mut stdin) = guard.child().stdin.take() {
        // A program that reads nothing may still succeed.
        let _ = stdin.write_all(json.as_bytes()).await;
        let _ = stdin.write_all(b"\n").await;
    }
    let status = guard.wait().await.map_err(|error| error.to_string())?;
    guard.end().await;
    if status.success() { Ok(()) } else { Err(format!("it ends with {status}")) }
}
