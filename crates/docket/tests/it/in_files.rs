//! The suite over files, and what only files have: modes, links, pipes, folders elsewhere.

pub(crate) mod house {
    pub(crate) use std::fs;

    pub(crate) use crate::house::*;

    pub(crate) type House = crate::house::House<InFiles>;
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
#[path = "only_files.rs"]
mod only_files;
#[path = "queue.rs"]
mod queue;
#[path = "recovery.rs"]
mod recovery;
#[path = "strangers.rs"]
mod strangers;
#[path = "withdrawing.rs"]
mod withdrawing;
