//! A docket in a temporary folder, the server over it, and a client that is the library's own.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use docket::Docket;
use doors::mcp::{Mcp, McpError, McpSurroundings};
use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{AnswerChoice, PetitionId, SeenQuestion};
use rmcp::model::{
    CallToolRequestParams, ClientConfig, ClientRequest, Implementation, ProgressNotificationParam, Request,
    ServerResult,
};
use rmcp::service::{
    NotificationContext, PeerRequestOptions, RequestHandle, RoleClient, RunningService, ServiceError,
};
use rmcp::{ClientHandler, ServiceExt};
use serde_json::{Value, json};
use tokio::io::duplex;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How long anything here may take.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub struct House {
    pub folder: tempfile::TempDir,
    pub docket: Docket,
    pub around: McpSurroundings,
}

/// A client in its conversation.
pub struct Client {
    pub running: RunningService<RoleClient, Listener>,
    pub progress: mpsc::UnboundedReceiver<ProgressNotificationParam>,
    pub server: JoinHandle<Result<(), McpError>>,
}

/// Tells of itself, and hears of progress.
pub struct Listener(ClientConfig, mpsc::UnboundedSender<ProgressNotificationParam>);

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        self.0.clone()
    }

    async fn on_progress(&self, told: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let _ = self.1.send(told);
    }
}

pub fn now() -> Timestamp {
    Timestamp(host::now_ms())
}

fn draw() -> PetitionId {
    static DRAWN: AtomicU64 = AtomicU64::new(1);
    PetitionId::from(format!("p{}", DRAWN.fetch_add(1, Ordering::Relaxed)).as_str())
}

/// Seconds from now are understood, and nothing else.
fn when(text: &str, now: Timestamp) -> Option<Timestamp> {
    let seconds: u64 = text.strip_suffix('s')?.parse().ok()?;
    Some(Timestamp(now.0 + seconds * 1000))
}

/// A petition with one decision.
pub fn auth() -> Value {
    json!({"title": "Login", "decisions": [{"id": "auth", "title": "How?", "options": [
        {"key": "jwt", "label": "Tokens"}, {"key": "session", "label": "Sessions"}]}]})
}

impl House {
    pub fn new() -> House {
        let folder = tempfile::tempdir().expect("a folder");
        let docket = Docket::at(folder.path().join("queue"));
        let around = McpSurroundings {
            version: "1.2.3".to_owned(),
            agent: None,
            session: None,
            now,
            draw,
            when,
            progress_every: Duration::from_millis(40),
        };
        House { folder, docket, around }
    }

    pub async fn client(&self, name: &str) -> Client {
        let (theirs, ours) = duplex(64 * 1024);
        let (input, output) = tokio::io::split(ours);
        let mcp = Mcp::new(self.docket.clone(), self.around.clone());
        let server = tokio::spawn(mcp.serve(input, output));
        let (told, progress) = mpsc::unbounded_channel();
        let config = ClientConfig::new(Default::default(), Implementation::new(name, "1"));
        let running = Listener(config, told).serve(theirs).await.expect("a conversation");
        Client { running, progress, server }
    }

    /// A person answers a decision of a petition.
    pub fn answer(&self, id: &str, decision: &str, choice: &str) {
        let choice = AnswerChoice::Answer(choice.into());
        self.docket
            .answer(&PetitionId::from(id), decision, choice, &SeenQuestion::default(), &ada(), now())
            .expect("it is done");
    }

    /// A person submits it.
    pub fn submit(&self, id: &str) {
        self.docket.submit(&PetitionId::from(id), &ada(), now()).expect("it is done");
    }

    /// How many petitions wait.
    pub fn pending(&self) -> usize {
        self.docket.queue(now()).expect("a queue").petitions.len()
    }
}

pub fn ada() -> Actor {
    Actor::human(Door::Cli, "ada")
}

impl Client {
    /// Calls a tool that must be able to answer.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        let (is_error, told) = self.call_raw(tool, arguments).await.expect("a result");
        assert!(!is_error, "{told}");
        told
    }

    /// Calls a tool that must refuse.
    pub async fn refused(&self, tool: &str, arguments: Value) -> Value {
        let (is_error, told) = self.call_raw(tool, arguments).await.expect("a result");
        assert!(is_error, "{told}");
        told
    }

    /// Calls a tool: whether it is an error, and what is told.
    pub async fn call_raw(&self, tool: &str, arguments: Value) -> Result<(bool, Value), ServiceError> {
        let result = self.running.call_tool(params(tool, arguments)).await?;
        let told = result.structured_content.expect("structure");
        let text = result.content[0].as_text().expect("text").text.clone();
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), told, "the text says the same");
        Ok((result.is_error == Some(true), told))
    }

    /// Begins a call that can be cancelled.
    pub async fn begin(&self, tool: &str, arguments: Value) -> RequestHandle<RoleClient> {
        let request = ClientRequest::CallToolRequest(Request::new(params(tool, arguments)));
        let options = PeerRequestOptions::no_options();
        self.running.send_cancellable_request(request, options).await.expect("it is sent")
    }

    /// The end of a call that was begun.
    pub async fn finish(&self, call: RequestHandle<RoleClient>) -> Value {
        let told = tokio::time::timeout(PATIENCE, call.await_response())
            .await
            .expect("in time")
            .expect("a response");
        let ServerResult::CallToolResult(told) = told else { panic!("{told:?}") };
        told.structured_content.expect("structure")
    }

    pub async fn push(&self, petition: Value) -> String {
        self.call("arbiter_push", petition).await["id"].as_str().expect("an id").to_owned()
    }
}

fn params(tool: &str, arguments: Value) -> CallToolRequestParams {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments)
}
