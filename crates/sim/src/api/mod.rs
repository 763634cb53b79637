//! A Messages API on loopback that answers as a [`Scenario`] says, for runs of the real `claude`. It listens on a port
//! of its own, in a thread of its own, so that tests with and without a runtime can use it; it ends when dropped. A
//! client that speaks OpenAI's Chat Completions gets the same scenario in that protocol.
//!
//! ```yaml
//! voices:
//!   - name: scout
//!     agent: true
//!     steps:
//!       - message: [{ text: nothing there }]
//!         forever: true
//!   - name: second orchestrator
//!     system_contains: You are an Orchestrator
//!     nth: 2
//!     steps:
//!       - status: 529
//!         times: 2
//!       - message:
//!           - text: I look.
//!           - tool: Bash
//!             input: { command: cat notes }
//!         usage: { input: 5, cache_read: 3000, output: 40 }
//!       - when: buy milk
//!         message: [{ text: milk it is }]
//! ```

mod cast;
mod chat;
mod dialect;
mod limits;
mod log;
mod raw;
mod scenario;
mod server;
mod wire;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use self::log::Log;
pub use self::log::{Answer, End, Other, Request};
pub use self::scenario::{
    Act, Block, Cut, How, Malformed, Message, OffScript, Place, Refusal, Scenario, ScenarioError, Step,
    Times, Usage, Voice,
};
use self::server::Stage;
use crate::loopback::LoopbackServer;

/// A running API.
#[derive(Debug)]
pub struct Api {
    log: Arc<Log>,
    server: LoopbackServer,
}

impl Api {
    /// Begins to listen and to answer as `scenario` has it.
    ///
    /// # Panics
    ///
    /// Panics where there is no free port on loopback.
    pub fn start(scenario: Scenario) -> Api {
        let log = Arc::new(Log::begin());
        let router = server::router(Arc::new(Stage::new(scenario, Arc::clone(&log))));
        let server = LoopbackServer::start("messages-api", 0, router);
        Api { log, server: server.expect("a port on loopback is free") }
    }

    /// What `ANTHROPIC_BASE_URL` is to be.
    pub fn url(&self) -> String {
        format!("http://{}", self.address())
    }

    /// What the base URL of an OpenAI-compatible server is to be.
    pub fn chat_url(&self) -> String {
        format!("http://{}/v1", self.address())
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// How long it has listened: the clock of the log.
    pub fn elapsed(&self) -> Duration {
        self.log.elapsed()
    }

    /// All requests for messages so far, in the order of their arrival.
    pub fn requests(&self) -> Vec<Arc<Request>> {
        self.log.requests()
    }

    /// The requests for messages that no voice had a step for.
    pub fn off_script(&self) -> Vec<Arc<Request>> {
        let requests = self.log.requests().into_iter();
        requests.filter(|request| request.answer == Answer::OffScript).collect()
    }

    /// All other requests so far: counted tokens, `/`, and what was not found.
    pub fn others(&self) -> Vec<Other> {
        self.log.others()
    }

    /// The first request for a message that fits, as soon as there is one; none when the time is over. `fits` is asked
    /// again when an answer ends, so it may look at [`Request::end`].
    pub fn wait_for(&self, fits: impl Fn(&Request) -> bool, timeout: Duration) -> Option<Arc<Request>> {
        self.log.wait_for(fits, timeout)
    }
}
