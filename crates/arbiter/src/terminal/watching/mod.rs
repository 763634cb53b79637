//! Reads what a screen shows from the mission's folder, as any process could: nothing here writes or needs the mission loop.

mod book;
pub mod journal_view;
pub mod limits;
pub mod logbook;
mod raw;
mod walk;
