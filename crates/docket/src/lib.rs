//! The docket keeps questions: petition files, read and edited in place; the ledger of who answered what; locks and watch.
//! It does not know who will answer. What a petition means and what may become of it is the mind's.
//!
//! Everything here blocks and is done in milliseconds; there is no task and no clock. Every change is a line of the ledger
//! first and a file second, under one lock for the whole docket, so that at most the last change can be half done: whoever
//! takes the lock next finishes it.

mod applied;
mod board;
mod case;
mod damage;
mod docket;
mod error;
mod files;
mod find;
mod gone;
mod index;
pub mod ledger;
pub mod limits;
mod lock;
mod push;
mod reconcile;
pub mod text;
mod transaction;
mod verify;
mod watch;

pub use board::Board;
pub use damage::Mended;
pub use docket::{Docket, Fault, Kept, Place, Pushed, Queue, Summary};
pub use error::DocketError;
pub use watch::{News, Watch};
