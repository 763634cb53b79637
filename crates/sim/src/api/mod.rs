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
mod plug;
mod raw;
mod scenario;
mod server;
mod wire;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use tokio::sync::oneshot;

use self::log::Log;
pub use self::log::{Answer, End, Other, Request};
use self::plug::{Plug, Socketed};
pub use self::scenario::{
    Act, Block, Cut, How, Malformed, Message, OffScript, Place, Refusal, Scenario, ScenarioError, Step,
    Times, Usage, Voice,
};
use self::server::Stage;

/// A running API.
#[derive(Debug)]
pub struct Api {
    address: SocketAddr,
    log: Arc<Log>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Api {
    /// Begins to listen and to answer as `scenario` has it.
    ///
    /// # Panics
    ///
    /// Panics where there is no free port on loopback.
    pub fn start(scenario: Scenario) -> Api {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port on loopback is free");
        listener.set_nonblocking(true).expect("a listener can be asked not to block");
        let address = listener.local_addr().expect("a listener has an address");
        let log = Arc::new(Log::begin());
        let router = server::router(Arc::new(Stage::new(scenario, Arc::clone(&log))));
        let (stop, stopped) = oneshot::channel();
        let serving = thread::Builder::new().name("messages-api".to_owned());
        let thread =
            serving.spawn(move || serve(listener, router, stopped)).expect("a thread can be started");
        Api { address, log, stop: Some(stop), thread: Some(thread) }
    }

    /// What `ANTHROPIC_BASE_URL` is to be.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What the base URL of an OpenAI-compatible server is to be.
    pub fn chat_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
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

impl Drop for Api {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // Whatever went wrong in there was printed by the thread itself.
            _ = thread.join();
        }
    }
}

fn serve(listener: TcpListener, router: Router, stopped: oneshot::Receiver<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime can be built");
    runtime.block_on(async move {
        let listener =
            Socketed(tokio::net::TcpListener::from_std(listener).expect("the listener does not block"));
        let serving = axum::serve(listener, router.into_make_service_with_connect_info::<Plug>());
        tokio::select! {
            _ = serving => (),
            _ = stopped => (),
        }
    });
}
