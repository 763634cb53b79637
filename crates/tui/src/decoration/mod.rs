//! What adorns a mission and could be left out: the tile scene, the ceremony before it, and what is heard. All of it comes
//! from facts, keys and beats, and nothing of the mission depends on it. What stands below is all that the rest may name.

mod ceremony;
mod scene;
mod sound;
mod tiles;

pub use self::ceremony::{Ceremony, CeremonyOutcome, CeremonyStep};
pub use self::scene::Scene;
pub use self::sound::{SoundEffect, Tune, effects};

/// What this crate's own tests see of the inside. Tidy lets nothing else name it.
#[doc(hidden)]
pub mod inside {
    pub use super::ceremony::{forest, growing, limits};
    pub use super::scene::{Human, Pose, ScrollPlace, caption};
}
