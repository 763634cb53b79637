//! Captures a stream of any length: keeps its beginning and its end, counts its bytes, and hashes all of it.

use mind::digest::Digest;
use tokio::io::{AsyncRead, AsyncReadExt};

use super::limits::CHUNK_BYTES;

/// What is kept of a stream.
#[derive(Debug)]
pub(super) struct Capture {
    head: Vec<u8>,
    head_max: usize,
    tail: Vec<u8>,
    tail_max: usize,
    bytes: u64,
    digest: Digest,
}

impl Capture {
    pub(super) fn new(head_max: usize, tail_max: usize) -> Self {
        Self { head: Vec::new(), head_max, tail: Vec::new(), tail_max, bytes: 0, digest: Digest::default() }
    }

    pub(super) fn push(&mut self, chunk: &[u8]) {
        self.bytes += chunk.len() as u64;
        self.digest.add(chunk);
        let (head, rest) = chunk.split_at(chunk.len().min(self.head_max - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend_from_slice(rest);
        // Cutting only when the tail has doubled moves each byte once, not once a chunk.
        if self.tail.len() > 2 * self.tail_max {
            self.cut_tail();
        }
    }

    /// Reads until the stream ends or fails. A failed read is an end: there is nothing more to be had.
    pub(super) async fn drain(&mut self, stream: &mut (impl AsyncRead + Unpin)) {
        let mut chunk = vec![0; CHUNK_BYTES];
        while let Ok(length @ 1..) = stream.read(&mut chunk).await {
            self.push(&chunk[..length]);
        }
    }

    /// How many bytes came, kept or not.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The SHA-256 of all bytes, in hexadecimal.
    pub(super) fn digest(&self) -> String {
        self.digest.clone().hex()
    }

    /// The beginning, as it came.
    pub(super) fn head(&self) -> &[u8] {
        &self.head
    }

    /// The beginning and the end as text for people, with a line between them that says how much was left out.
    pub(super) fn text(&mut self) -> String {
        self.cut_tail();
        let left_out = self.bytes - (self.head.len() + self.tail.len()) as u64;
        if left_out == 0 {
            return printable(&[self.head.as_slice(), &self.tail].concat());
        }
        let (head, tail) = (printable(&self.head), printable(&self.tail));
        format!("{head}\n[... {left_out} bytes left out ...]\n{tail}")
    }

    fn cut_tail(&mut self) {
        let surplus = self.tail.len().saturating_sub(self.tail_max);
        self.tail.drain(..surplus);
    }
}

/// Text that cannot move a terminal's cursor.
pub(super) fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().filter(|sign| !sign.is_control() || matches!(sign, '\n' | '\t')).collect()
}
