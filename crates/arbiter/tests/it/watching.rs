//! What a screen sees of a mission's folder.

mod feed;
mod logbook;
