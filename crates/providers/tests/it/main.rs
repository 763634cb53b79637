//! The tests of the providers, linked once.

mod claude;
mod rehearsal;
