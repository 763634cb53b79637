//! What a screen needs to see, read from the mission's folder as any process could read it: nothing here writes, and
//! nothing needs the house.

mod book;
pub mod feed;
pub mod limits;
pub mod logbook;
mod raw;
mod walk;
