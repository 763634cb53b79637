//! Server-sent events: bytes go in as they come, the data of each event comes out. A torn last line is never read.

use std::collections::VecDeque;

/// Cuts a stream into the data of its events.
#[derive(Debug)]
pub(super) struct Events {
    line_bytes_max: usize,
    /// The line that is not whole yet.
    line: Vec<u8>,
    /// The data of the event that is not whole yet.
    data: Option<String>,
    whole: VecDeque<String>,
}

/// A line or an event is longer than its bound.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

impl Events {
    pub(super) fn new(line_bytes_max: usize) -> Events {
        Events { line_bytes_max, line: Vec::new(), data: None, whole: VecDeque::new() }
    }

    /// Adds bytes that came.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        let mut parts = bytes.split(|byte| *byte == b'\n');
        let first = parts.next().unwrap_or_default();
        self.grow(first)?;
        for part in parts {
            self.end_line()?;
            self.grow(part)?;
        }
        Ok(())
    }

    /// The stream is over: an event without its closing empty line counts if its lines are whole.
    pub(super) fn end(&mut self) {
        self.line.clear();
        self.dispatch();
    }

    /// The data of the next whole event.
    pub(super) fn next(&mut self) -> Option<String> {
        self.whole.pop_front()
    }

    fn grow(&mut self, part: &[u8]) -> Result<(), TooLong> {
        if self.line.len() + part.len() > self.line_bytes_max {
            return Err(TooLong);
        }
        self.line.extend_from_slice(part);
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), TooLong> {
        let bytes = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&bytes);
        let text = text.strip_suffix('\r').unwrap_or(&text);
        if text.is_empty() {
            self.dispatch();
        } else if let Some(data) = text.strip_prefix("data:") {
            let data = data.strip_prefix(' ').unwrap_or(data);
            match &mut self.data {
                None => self.data = Some(data.to_owned()),
                Some(before) if before.len() + data.len() >= self.line_bytes_max => return Err(TooLong),
                Some(before) => {
                    before.push('\n');
                    before.push_str(data);
                }
            }
        }
        // Names, ids and comments add nothing to the data.
        Ok(())
    }

    fn dispatch(&mut self) {
        self.whole.extend(self.data.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(parts: &[&[u8]]) -> Vec<String> {
        let mut events = Events::new(40);
        let mut read = Vec::new();
        for part in parts {
            events.push(part).unwrap();
            read.extend(std::iter::from_fn(|| events.next()));
        }
        events.end();
        read.extend(std::iter::from_fn(|| events.next()));
        read
    }

    #[test]
    fn events_are_the_same_however_they_are_cut() {
        let stream =
            "event: a\ndata: {\"grüße\": 1}\n\n: ping\n\nid: 7\r\ndata:two\r\ndata: lines\r\n\r\n".as_bytes();
        let whole = read(&[stream]);
        assert_eq!(whole, ["{\"grüße\": 1}", "two\nlines"]);
        for at in 0..stream.len() {
            let (front, back) = stream.split_at(at);
            assert_eq!(read(&[front, back]), whole, "cut at {at}");
        }
        let bytes: Vec<&[u8]> = stream.chunks(1).collect();
        assert_eq!(read(&bytes), whole);
    }

    #[test]
    fn half_a_line_is_never_read() {
        assert_eq!(read(&[b"data: one\n\ndata: tw"]), ["one"]);
        assert_eq!(read(&[b"data: one\n"]), ["one"], "a whole line at the very end");
        assert_eq!(read(&[b"\xff\xfe\n\ndata: \xff\n\n"]), ["\u{fffd}"]);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut events = Events::new(40);
        assert_eq!(events.push(&[b'x'; 40]), Ok(()));
        assert_eq!(events.push(b"x"), Err(TooLong));
        let mut events = Events::new(40);
        let many = "data: 1234567\n".repeat(10);
        assert_eq!(events.push(many.as_bytes()), Err(TooLong));
    }
}
