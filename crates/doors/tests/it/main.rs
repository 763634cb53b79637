//! The doors, from outside.

mod asking;
mod house;
mod tools;
mod waiting;
