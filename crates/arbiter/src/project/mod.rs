//! The files of a project and its user: configuration, trust, prompts, agents, notes, requirements, the paths of all folders
//! and the list of missions. Nothing here runs a mission.

pub mod agents;
pub mod bot_token;
pub mod config;
pub mod files;
pub mod home;
pub mod memory;
pub mod project_files;
pub mod registry;
pub mod requirements;
pub mod token_variable;
pub mod trust;
