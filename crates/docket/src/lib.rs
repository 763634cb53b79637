//! The docket keeps questions: petition files, read and edited in place; the ledger of who answered what; locks and watch.
//! It does not know who will answer. What a petition means and what may become of it is the mind's.
//!
//! Everything here blocks and is done in milliseconds; there is no task and no clock. Every change is a line of the ledger
//! first and a file second, under one lock for the whole docket, so that at most the last change can be half done: whoever
//! takes the lock next finishes it.

mod damage;
mod docket;
mod error;
mod feed;
mod files;
mod find;
mod gone;
mod index;
pub mod ledger;
pub mod limits;
mod open_petition;
mod push;
mod queue_index;
mod reconcile;
mod recovery_mark;
mod storage;
pub mod text;
mod transaction;
mod verify;
pub mod yaml;

pub use damage::Mended;
pub use docket::{Docket, Fault, Place, Pushed, Queue, StoredPetition, Summary};
pub use error::DocketError;
pub use feed::{Became, DocketFeed, PetitionFollower, PetitionNews, QueueFollower, QueueNews};
pub use queue_index::QueueIndex;
pub use storage::memory::MemoryStorage;
