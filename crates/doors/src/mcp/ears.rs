//! Hears the client go. The library below lets calls that wait run on for seconds after the end of the input; with this
//! they learn of it at once.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::watch;

/// The client's words, and word of its end.
#[derive(Debug)]
pub(super) struct Ears<R> {
    input: R,
    gone: watch::Sender<bool>,
}

impl<R> Ears<R> {
    pub(super) fn new(input: R, gone: watch::Sender<bool>) -> Ears<R> {
        Ears { input, gone }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Ears<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let room = buffer.remaining();
        let read = Pin::new(&mut self.input).poll_read(context, buffer);
        let ended = match &read {
            Poll::Ready(Ok(())) => room > 0 && buffer.filled().len() == before,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if ended {
            self.gone.send_replace(true);
        }
        read
    }
}
