//! Plays and laws of the mind: what the council's specification says, row by row (`rows.md` maps each to its play).

mod by_tools;
mod conductor;
mod contexts;
mod course;
mod deeds;
mod docket;
mod docket_doubt;
mod doubt;
mod draw;
mod faults;
mod forms;
mod gate;
mod gauge;
mod golden;
mod human;
mod laws;
mod malformed;
mod outputs;
mod permission;
mod petition;
mod policy;
mod prompts;
mod restart;
mod tasks;
mod who_talks;
mod work_log;
