//! Streaming pieces: what an agent says bit by bit before it says it whole. They are told by their edges, so that a
//! long line costs no more than a short one.

use crate::view_model::{RawRecord, RecordDirection};

/// How much of a line's beginning is looked at.
const HEAD_BYTES: usize = 200;
/// The types of lines that are pieces.
const PIECES: [&str; 2] = ["stream_event", "live"];

/// The record is a piece of something that comes whole later.
pub(super) fn is_piece(record: &RawRecord) -> bool {
    record.direction == RecordDirection::Out && is_piece_line(&record.line)
}

fn is_piece_line(line: &str) -> bool {
    let head = &line[..line.floor_char_boundary(HEAD_BYTES)];
    let Some(inside) = head.trim_start().strip_prefix('{') else { return false };
    let first = typed(inside.trim_start());
    // Where names are sorted the type comes last. Only the type of the whole line stands right before its end.
    first.is_some_and(|rest| PIECES.iter().any(|piece| begins(rest, piece)))
        || PIECES.iter().any(|piece| ends(line, piece))
}

/// What comes after the name `"type"` and its colon.
fn typed(text: &str) -> Option<&str> {
    Some(text.strip_prefix("\"type\"")?.trim_start().strip_prefix(':')?.trim_start())
}

fn begins(text: &str, word: &str) -> bool {
    let rest = text.strip_prefix('"').and_then(|text| text.strip_prefix(word));
    rest.is_some_and(|rest| rest.starts_with('"'))
}

fn ends(line: &str, word: &str) -> bool {
    let before = line.trim_end().strip_suffix('}').map(str::trim_end);
    let before = before.and_then(|line| line.strip_suffix('"')?.strip_suffix(word)?.strip_suffix('"'));
    let before = before.and_then(|line| line.trim_end().strip_suffix(':'));
    before.is_some_and(|line| line.trim_end().ends_with("\"type\""))
}

#[cfg(test)]
mod tests {
    use super::is_piece_line;

    #[test]
    fn a_piece_is_told_by_its_edges() {
        let long = "x".repeat(1_000_000);
        let pieces = [
            r#"{"type":"live","text":"a few words"}"#.to_owned(),
            r#" { "type" : "live" , "text" : "" }"#.to_owned(),
            r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0}}"#.to_owned(),
            r#"{"type": "stream_event", "event": {"type": "message_stop"}}"#.to_owned(),
            r#"{"event":{"type":"message_start"},"parent_tool_use_id":null,"type":"stream_event"}"#
                .to_owned(),
            format!(r#"{{"type":"live","text":"{long}"}}"#),
            format!(r#"{{"text":"{long}","type":"live"}}"#),
        ];
        for line in pieces {
            assert!(is_piece_line(&line), "{}", &line[..line.len().min(100)]);
        }
    }

    #[test]
    fn what_only_speaks_of_pieces_is_none() {
        let others = [
            "",
            "{",
            "live",
            r#"["type":"live"]"#,
            r#"{"type":"lively"}"#,
            r#"{"type":"assistant","text":"live"}"#,
            r#"{"type":"assistant","text":"{\"type\":\"live\"}"}"#,
            r#"{"type":"assistant","message":{"type":"live"}}"#,
            r#"{"type":"assistant","text":"\"type\":\"stream_event\"}"#,
            r#"{"subtype":"live"}"#,
            "{\"type\":\"живой\u{301}\"}",
        ];
        for line in others {
            assert!(!is_piece_line(line), "{line}");
        }
        // A cut in the middle of a letter does no harm.
        for padding in 0..8 {
            assert!(!is_piece_line(&format!("{{{}{}", "x".repeat(padding), "漢".repeat(200))));
        }
    }
}
