//! Texts that others wrote, made harmless, broken into lines and given a look.

pub mod clean;
pub mod diff;
pub mod highlight;
pub mod markdown;
pub mod wrap;
