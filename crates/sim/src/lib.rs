//! The room that breaks things: it runs the whole house, for tests only.
//!
//! A [`Theatre`] is a world of its own for the real binary: home, state folder, project. A [`Story`] is what must be
//! the same however often the house fell while it was told.

mod long;
mod story;
mod theatre;

pub use long::LongMission;
pub use story::Story;
pub use theatre::{Ran, Theatre};
