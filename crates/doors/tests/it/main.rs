//! The doors, from outside.

mod asking;
mod garbage;
mod house;
mod telegram;
mod tools;
mod waiting;
