//! An HTTP server on loopback, in a thread of its own: tests with and without a runtime can use it. It ends when dropped.

mod plug;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::thread::{self, JoinHandle};

use axum::Router;
use tokio::sync::oneshot;

use self::plug::Socketed;
pub(crate) use self::plug::{Plug, Pull};

/// A running server. Its handlers get the [`Plug`] of their connection.
#[derive(Debug)]
pub(crate) struct LoopbackServer {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl LoopbackServer {
    /// Begins to serve; with port 0 on any free one.
    pub(crate) fn start(name: &str, port: u16, router: Router) -> io::Result<LoopbackServer> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let serving = thread::Builder::new().name(name.to_owned());
        let thread = serving.spawn(move || serve(listener, router, stopped))?;
        Ok(LoopbackServer { address, stop: Some(stop), thread: Some(thread) })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for LoopbackServer {
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
