//! The terminal: what a mission looks like, and what keys mean. It draws from the mission's state and from nothing else,
//! so a replay shows what the live screen showed. It knows no files, no providers and no clock.

pub mod composer;
pub mod decoration;
pub mod draw;
pub mod finder;
pub mod keys;
pub mod lines;
pub mod manner;
pub mod overlay;
pub mod picker;
pub mod screen;
pub mod terminal;
pub mod text;
pub mod theme;
pub mod transcript;
pub mod ui_command;
pub mod update;
pub mod view_model;
pub mod yes_no;
