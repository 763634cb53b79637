//! The docket's tests, in one binary.

mod acts;
mod audit;
mod house;
mod queue;
mod recovery;
mod strangers;
mod text;
