//! MCP for agents: four tools over the docket. A petition's id is all that an agent has to keep: with it a wait goes on
//! in another call, another process or after a restart. A wait that ends without an answer says `pending`, and is
//! neither an answer nor an error.

mod ears;
mod patience;
mod push;
mod request;
mod told;
mod tools;
mod wait;

use std::sync::Arc;
use std::time::Duration;

use docket::Docket;
use mind::Timestamp;
use mind::actor::Door;
use mind::petition::PetitionId;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Semaphore, watch};

use self::ears::Ears;
use self::request::Request;
use crate::limits;

/// What stands in a client's system prompt.
const INSTRUCTIONS: &str = "\
Ask a person for decisions. arbiter_push puts a batch of questions before the person and returns an id at once; \
arbiter_await waits for the answers. `pending` means that nobody has decided yet: it is never a yes. Then call \
arbiter_await again with the same id, or do work that does not depend on the answer and look later with arbiter_status. \
Put all the questions that you have now into one petition; give each clear options and whatever somebody needs to know \
who has not followed your work. Asking the same again gives the petition that is there, so repeating a call is safe. \
Answers stand under `answers` by decision id. What is `skipped`, `expired` or `withdrawn` was not decided.";

/// What the server is told about the world around it.
#[derive(Debug, Clone)]
pub struct McpSurroundings {
    /// The version of the program.
    pub version: String,
    /// The agent that asks, if it does not say; else the client's own name is taken.
    pub agent: Option<String>,
    /// The agent's session, if it does not say.
    pub session: Option<String>,
    pub now: fn() -> Timestamp,
    /// Draws an id for a new petition.
    pub draw: fn() -> PetitionId,
    /// Understands a moment, or a span from the time that is given with it.
    pub when: fn(&str, Timestamp) -> Option<Timestamp>,
    /// How often a waiting call tells its client that it still waits.
    pub progress_every: Duration,
}

/// Why a client could not be served.
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    /// What came was not the beginning of a conversation.
    #[error("the client does not speak MCP: {why}")]
    Stranger {
        /// What came instead.
        why: String,
    },
    /// A part of the server fell.
    #[error("the MCP server ended: {why}")]
    Fell {
        /// What the task said when it ended.
        why: String,
    },
}

/// The four tools over one docket.
#[derive(Debug, Clone)]
pub struct Mcp {
    docket: Docket,
    around: Arc<McpSurroundings>,
    waits: Arc<Semaphore>,
    visits: Arc<Semaphore>,
    gone: watch::Sender<bool>,
}

impl Mcp {
    /// The tools over `docket`.
    pub fn new(docket: Docket, around: McpSurroundings) -> Mcp {
        Mcp {
            docket: docket.through(Door::Mcp),
            around: Arc::new(around),
            waits: Arc::new(Semaphore::new(limits::WAITS_MAX)),
            visits: Arc::new(Semaphore::new(limits::VISITS_MAX)),
            gone: watch::Sender::new(false),
        }
    }

    /// Serves one client until it goes. Calls that wait end with it.
    pub async fn serve<R, W>(self, input: R, output: W) -> Result<(), McpError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let ears = Ears::new(input, self.gone.clone());
        let transport =
            AsyncRwTransport::new_server(ears, output).with_max_line_length(limits::MESSAGE_BYTES_MAX);
        let running = match ServiceExt::<RoleServer>::serve(self, transport).await {
            Ok(running) => running,
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(ServerInitializeError::ExpectedInitializeRequest(_)) => {
                return Err(McpError::Stranger { why: "it did not begin with `initialize`".to_owned() });
            }
            Err(error) => return Err(McpError::Stranger { why: error.to_string() }),
        };
        running.waiting().await.map(drop).map_err(|error| McpError::Fell { why: error.to_string() })
    }

    /// Serves the client at the other end of our standard input and output.
    pub async fn serve_stdio(self) -> Result<(), McpError> {
        let (input, output) = rmcp::transport::stdio();
        self.serve(input, output).await
    }

    /// Comes back when the client has gone.
    async fn is_gone(&self) {
        // We hold the other end ourselves, so it cannot be lost.
        let _ = self.gone.subscribe().wait_for(|gone| *gone).await;
    }

    fn now(&self) -> Timestamp {
        (self.around.now)()
    }
}

impl ServerHandler for Mcp {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new("arbiter", self.around.version.clone()).with_title("Arbiter"),
            )
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let told = match Request::read(&params.name, params.arguments.unwrap_or_default())? {
            Request::Push(sent) => self.push(sent, &context).await,
            Request::Status(which) => self.look_up(which).await.map(|kept| told::status(&kept.petition)),
            Request::Get { which, partial } => {
                self.look_up(which).await.and_then(|kept| told::answers(&kept.petition, partial))
            }
            Request::Await { ids, several, seconds } => {
                let waited = self.wait(&ids, seconds, &context).await;
                waited.map(|seen| if several { told::several(&seen) } else { told::one(&seen) })
            }
        };
        Ok(answer(told).into())
    }
}

/// As structure and as text: not every client knows both.
fn answer(told: Result<Value, Value>) -> CallToolResult {
    match told {
        Ok(told) => CallToolResult::structured(told),
        Err(told) => CallToolResult::structured_error(told),
    }
}
