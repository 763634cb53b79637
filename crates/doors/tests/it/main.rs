//! The doors, from outside.

mod asking;
mod garbage;
mod house;
mod tools;
mod waiting;
