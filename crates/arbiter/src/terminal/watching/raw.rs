//! Turns one stored line of a logbook into one record of bounded size, whatever the line holds.

use std::borrow::Cow;
use std::sync::Arc;

use mind::{SessionId, Timestamp};
use serde::Deserialize;
use tui::view_model::{RawRecord, RecordDirection};

use super::limits::RECORD_BYTES_MAX;

/// The stored form.
#[derive(Deserialize)]
struct Stored<'a> {
    at: u64,
    dir: Way,
    #[serde(borrow)]
    line: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Way {
    In,
    Out,
    Err,
    Note,
}

/// The record of `line`, of which `dropped` more bytes were not kept. A line that cannot be parsed gets the
/// time of the one before it.
pub(super) fn record(session: SessionId, line: &[u8], dropped: u64, before: Timestamp) -> RawRecord {
    let mended = (dropped > 0).then(|| mend(line)).flatten();
    let stored = match &mended {
        Some(mended) => serde_json::from_slice::<Stored<'_>>(mended),
        None => serde_json::from_slice::<Stored<'_>>(line),
    };
    match stored {
        Ok(Stored { at, dir, line }) => {
            RawRecord { session, at: Timestamp(at), direction: direction(&dir), line: cut(&line, dropped) }
        }
        Err(_) => {
            let line = format!("not a record: {}", String::from_utf8_lossy(line));
            RawRecord { session, at: before, direction: RecordDirection::Note, line: cut(&line, dropped) }
        }
    }
}

fn direction(way: &Way) -> RecordDirection {
    match way {
        Way::In => RecordDirection::In,
        Way::Out => RecordDirection::Out,
        Way::Err => RecordDirection::Err,
        Way::Note => RecordDirection::Note,
    }
}

/// Closes a stored line whose end was dropped. The cut may lie within an escape or a character of at most twelve bytes.
fn mend(line: &[u8]) -> Option<Vec<u8>> {
    (0..=12).find_map(|back| {
        let mut mended = line.get(..line.len().checked_sub(back)?)?.to_vec();
        mended.extend_from_slice(br#""}"#);
        serde_json::from_slice::<Stored<'_>>(&mended).is_ok().then_some(mended)
    })
}

/// The beginning of a text, and how much more there was.
fn cut(text: &str, dropped: u64) -> Arc<str> {
    let end = text.floor_char_boundary(RECORD_BYTES_MAX);
    match (text.len() - end) as u64 + dropped {
        0 => Arc::from(text),
        more => Arc::from(format!("{} [{more} bytes more]", &text[..end])),
    }
}
