//! Joins the rooms into one program: command line, configuration, mission loop, effects, clock, exit codes. It knows every
//! room and none of the rules of the domain.

pub mod cli_error;
pub mod clock;
pub mod commands;
pub mod limits;
pub mod mission;
pub mod process_limits;
pub mod project;
pub mod serving;
pub mod terminal;
