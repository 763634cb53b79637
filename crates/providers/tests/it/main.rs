//! The tests of the providers, linked once.

mod cage;
mod claude;
mod rehearsal;
mod workshop;
