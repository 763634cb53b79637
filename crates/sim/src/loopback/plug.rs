//! Connections that can be cut: an HTTP server only knows polite ends; the network knows others.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// Pulls one connection out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plug(Arc<Mutex<Socket>>);

#[derive(Debug, Default)]
struct Socket {
    pulled: Option<Pull>,
    waker: Option<Waker>,
}

/// How a connection is pulled out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pull {
    /// The client sees a reset.
    Reset,
    /// The client sees the end of the stream.
    Close,
}

/// Listens for connections with plugs.
pub(crate) struct Socketed(pub(crate) TcpListener);

/// A connection with a plug.
pub(crate) struct Wire {
    stream: TcpStream,
    plug: Plug,
}

impl Plug {
    /// Ends the connection, whatever is still to be said on it.
    pub(crate) fn pull(&self, pull: Pull) {
        let waker = {
            let mut socket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            socket.pulled = Some(pull);
            socket.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// The task of the connection looks whether it is still in, and will be woken when it is not.
    fn check(&self, context: &Context<'_>) -> Option<Pull> {
        let mut socket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        socket.waker = Some(context.waker().clone());
        socket.pulled
    }
}

impl Wire {
    fn check(&self, context: &Context<'_>) -> io::Result<()> {
        match self.plug.check(context) {
            None => return Ok(()),
            // Without a time to linger the kernel sends a reset when the socket is dropped.
            Some(Pull::Reset) => self.stream.set_zero_linger()?,
            Some(Pull::Close) => (),
        }
        Err(io::ErrorKind::ConnectionAborted.into())
    }
}

impl Listener for Socketed {
    type Io = Wire;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Wire, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.0).await;
        // Small events must not wait for one another. Where that cannot be had, they do.
        _ = stream.set_nodelay(true);
        (Wire { stream, plug: Plug::default() }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

impl Connected<IncomingStream<'_, Socketed>> for Plug {
    fn connect_info(stream: IncomingStream<'_, Socketed>) -> Plug {
        stream.io().plug.clone()
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
