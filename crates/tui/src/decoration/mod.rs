//! What adorns a mission and could be left out: the tile scene, the ceremony before it, and what is heard. All of it comes
//! from facts, keys and beats, and nothing of the mission depends on it.

pub mod ceremony;
pub mod cue;
pub mod scene;
pub mod sound;
pub mod tiles;
