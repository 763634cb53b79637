//! What a project and its user say to us, and where everything lies: configuration, trust, prompts and agents, notes,
//! requirements, the folders and the list of missions. Nothing here runs a mission.

pub mod agents;
pub mod config;
pub mod files;
pub mod home;
pub mod memory;
pub mod papers;
pub mod registry;
pub mod scroll;
pub mod trust;
