//! Text of agents and files for the screen: cleaned, broken into lines and styled.

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
