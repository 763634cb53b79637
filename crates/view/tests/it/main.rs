//! What the room says of every fact, of petitions, and of amounts.

mod amounts;
mod completion;
mod decision;
mod petition;
mod petitions;
mod provenance;
mod queue;
mod review;
mod status;
mod told;
