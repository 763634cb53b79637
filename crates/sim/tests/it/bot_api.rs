//! The rules of the fake Bot API, over real HTTP.

mod client;
mod faults;
mod people;
mod polling;
mod texts;
mod writing;
