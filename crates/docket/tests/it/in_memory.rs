//! The same suite over memory, where a crash drops what was not synced.

pub(crate) mod house {
    pub(crate) use crate::house::memory_fs as fs;
    pub(crate) use crate::house::*;

    pub(crate) type House = crate::house::House<InMemory>;
}

#[path = "acts.rs"]
mod acts;
#[path = "assigning.rs"]
mod assigning;
#[path = "audit.rs"]
mod audit;
#[path = "changed_questions.rs"]
mod changed_questions;
#[path = "damage.rs"]
mod damage;
#[path = "feed.rs"]
mod feed;
#[path = "hostile.rs"]
mod hostile;
#[path = "one_fault.rs"]
mod one_fault;
#[path = "queue.rs"]
mod queue;
#[path = "recovery.rs"]
mod recovery;
#[path = "strangers.rs"]
mod strangers;
#[path = "withdrawing.rs"]
mod withdrawing;
