//! The journal: one append-only file of JSON lines per mission, with one writer, durable batches and recovery after a
//! crash. It does not know what a fact means; an entry's body is an opaque JSON object on one line.
//!
//! # The form
//!
//! ```text
//! {"journal":2,"mission":"m-7","seal":"3f9a...","crc":"79c37ddc"}
//! {"seq":1,"left":1,"entry":{"said":"hello"},"crc":"f1fe0f40"}
//! {"seq":2,"left":0,"entry":{"said":"again"},"seal":"b2c1...","crc":"213def3a"}
//! ```
//!
//! The first line is the header: the number of the format and the mission's id. Another number is
//! refused, so the header begins and ends in this way in every format to come. Each further line is
//! one entry: `seq` counts from 1, `left` says how many entries of the same batch still follow, and
//! 0 closes the batch.
//!
//! Two chains run through it. `crc` finds accidents, in every line: the CRC-32 (lower-case hex) of
//! the previous line's eight `crc` characters (`00000000` before the header) followed by this line's
//! bytes before `,"crc"`. `seal` finds strangers, in the header and where a batch closes: the
//! HMAC-SHA-256 (lower-case hex), with the user's key, of the previous seal's 64 characters (zeros
//! before the header) followed by the batch's bytes before `,"seal"`. Any program can make a CRC, so
//! lines whose checksums hold and whose seal does not were not written with this key. The checksum
//! covers the seal, so a flipped bit in a seal is damage like any other.
//!
//! # The promises
//!
//! - A batch is whole or absent: it is written with one call, and readers see complete batches
//!   only.
//! - What [`Journal::sync`] confirmed stays. After a failed write or sync the journal takes nothing
//!   more.
//! - One process writes: a lock beside the journal (`journal.lock`) names it and counts the takings
//!   (the fence).
//! - Only a torn tail is ever cut, and it is kept beside first (`journal.cut`, `journal.cut.1`,
//!   ...). Torn means: after the last complete batch come whole entries of an unfinished batch,
//!   then bytes *without a newline*, as a write cut short (a prefix) or a lost page (NULs to the
//!   end) leaves them. A finished line that is wrong may have been confirmed: it is refused by
//!   its number, and the file stays untouched.
//! - What is read was written with the key, batch for batch, in this order. That the newest batches
//!   were taken away, or the whole file replaced by an older copy, no seal can say.

mod disk;
mod error;
pub mod faulty;
mod files;
mod key;
mod limits;
mod line;
mod lines;
mod lock;
mod medium;
mod memory;
mod reader;
mod recovery;
mod scan;
mod seat;
mod signal;
mod store;
mod writer;

pub use disk::Disk;
pub use error::JournalError;
pub use files::FileStore;
pub use key::JournalKey;
pub use lock::holder;
pub use medium::Medium;
pub use memory::MemoryStore;
pub use reader::{Batch, Bookmark, Reader, format_of, unsealed_beginning};
pub use recovery::Cut;
pub use scan::{Replay, ScannedEntry};
pub use signal::LogSignal;
pub use store::{LogReader, LogStore, LogWriter, OpenedLog, See};
pub use writer::{Journal, OpenedJournal};

/// What every call of this room returns.
pub type Result<T> = std::result::Result<T, JournalError>;
