//! The journal remembers: one append-only file of JSON lines per mission. It does not know what a
//! fact means; an entry's body is an opaque JSON object on one line.
//!
//! # The form
//!
//! ```text
//! {"journal":1,"mission":"m-7","crc":"79c37ddc"}
//! {"seq":1,"left":1,"entry":{"said":"hello"},"crc":"f1fe0f40"}
//! {"seq":2,"left":0,"entry":{"said":"again"},"crc":"213def3a"}
//! ```
//!
//! The first line is the header: the number of the format and the mission's id. A newer number is
//! refused, so the header keeps this form in every format to come. Each further line is one entry:
//! `seq` counts from 1, `left` says how many entries of the same batch still follow, and 0 closes
//! the batch. `crc` is the CRC-32 (lower-case hex) of the previous line's eight `crc` characters
//! (`00000000` before the header) followed by this line's bytes before `,"crc"`.
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

mod disk;
mod error;
pub mod faulty;
mod limits;
mod line;
mod lines;
mod lock;
mod medium;
mod reader;
mod recovery;
mod scan;
mod writer;

pub use disk::Disk;
pub use error::JournalError;
pub use lock::holder;
pub use medium::Medium;
pub use reader::{Batch, Bookmark, Reader};
pub use recovery::Cut;
pub use scan::{Entry, Replay};
pub use writer::{Journal, Opened};

/// What every call of this room returns.
pub type Result<T> = std::result::Result<T, JournalError>;
