//! The machine's disk as every room needs it, each thing in one place. It knows no other room.

pub mod untrusted_files;
