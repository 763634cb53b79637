//! Reads lines of bounded length from a pipe, whatever the other side writes.

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// One line, without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The text, with anything that is no UTF-8 replaced.
    pub(crate) text: String,
    /// How many bytes were dropped from its end.
    pub(crate) dropped: usize,
}

/// Reads the next line; `None` when the pipe is closed. What exceeds `bytes_max` is dropped.
pub(crate) async fn read(pipe: &mut (impl AsyncBufRead + Unpin), bytes_max: usize) -> Option<Line> {
    let mut bytes = Vec::new();
    let mut dropped = 0;
    loop {
        let Ok(chunk) = pipe.fill_buf().await else { return None };
        if chunk.is_empty() && bytes.is_empty() && dropped == 0 {
            return None;
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        let room = part.len().min(bytes_max - bytes.len());
        bytes.extend_from_slice(&part[..room]);
        dropped += part.len() - room;
        let used = end.map_or(chunk.len(), |end| end + 1);
        let is_over = end.is_some() || chunk.is_empty();
        pipe.consume(used);
        if is_over {
            let text = String::from_utf8_lossy(&bytes).trim_end_matches('\r').to_owned();
            return Some(Line { text, dropped });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(input: &str, bytes_max: usize) -> Vec<(String, usize)> {
        let mut pipe = tokio::io::BufReader::with_capacity(3, input.as_bytes());
        let mut lines = Vec::new();
        while let Some(line) = read(&mut pipe, bytes_max).await {
            lines.push((line.text, line.dropped));
        }
        lines
    }

    #[tokio::test]
    async fn a_line_too_long_is_cut_and_the_next_one_is_whole() {
        let expected = [("12345", 5), ("", 0), ("abc", 0), ("end", 0)];
        let expected: Vec<_> = expected.map(|(text, dropped)| (text.to_owned(), dropped)).into();
        assert_eq!(lines("1234567890\n\nabc\r\nend", 5).await, expected);
    }

    #[tokio::test]
    async fn an_empty_pipe_has_no_line() {
        assert_eq!(lines("", 5).await, []);
    }
}
