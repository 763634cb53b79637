//! The tests of the providers, linked once.

mod rehearsal;
mod workshop;
