//! The docket holds petitions, the questions of agents to people: petition files, read and edited in place; the ledger
//! of who answered what; the lock, and the feed that reports changes. It does not know who will answer. What a petition
//! means and which changes it allows is decided in `mind`.
//!
//! Every call here blocks and is done in milliseconds; there is no task and no clock. Every change is a line of the
//! ledger first and a file second, under one lock for the whole docket, so that at most the last change can be half
//! done: the next process that takes the lock finishes it.

mod act;
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
mod waiting_counts;
pub mod yaml;

pub use damage::Mended;
pub use docket::{Docket, Fault, FaultKind, PetitionPlace, Pushed, Queue, StoredPetition, Summary};
pub use error::{DocketError, HeldLock};
pub use feed::{Became, DocketFeed, PetitionFollower, PetitionNews, QueueFollower, QueueNews, QueuePage};
pub use queue_index::QueueIndex;
pub use storage::LockHolder;
pub use storage::memory::MemoryStorage;
pub use waiting_counts::WaitingCounts;
