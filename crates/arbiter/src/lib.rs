//! Arbiter joins the rooms: command line, configuration, the main loop, hands, clock, exit codes. It knows every room
//! and none of the rules of the domain.

pub mod agents;
pub mod attendance;
pub mod bridge;
pub mod chronicle;
pub mod cli;
pub mod clock;
pub mod commands;
pub mod complaint;
pub mod config;
pub mod console;
pub mod die_at;
mod farewell;
pub mod files;
pub mod ground;
pub mod hands;
pub mod hold;
pub mod home;
pub mod house;
pub mod last_session;
pub mod letters;
pub mod limits;
pub mod memory;
pub mod moment;
pub mod notes;
pub mod opening;
pub mod papers;
pub mod receipts;
pub mod registry;
pub mod screen;
pub mod scroll;
pub mod signals;
pub mod stage;
pub mod terminal;
pub mod trust;
pub mod understudy;
pub mod watching;
