//! Texts that others wrote, made harmless, broken into lines and given a look.

pub mod diff;
pub mod highlight;
mod inline;
mod language;
#[cfg(test)]
mod laws;
pub mod markdown;
mod sheet;
mod source;
mod table;
pub mod wrap;
