//! What a mission and a petition mean to a person. Every door lays out what stands here: it says what things mean, and
//! nothing of how they look. It knows no terminal, no page, no files and no clock.

pub mod agents;
pub mod answers;
pub mod clean;
pub mod near;
pub mod typed;
pub mod when;
