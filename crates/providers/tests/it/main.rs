//! The tests of the providers, linked once.

mod cage;
mod claude;
#[path = "../../../sim/src/real.rs"]
mod real;
mod rehearsal;
mod workshop;
