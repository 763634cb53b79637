//! What the room says of every fact, of petitions, of every refusal, and of amounts.

mod actors;
mod amounts;
mod completion;
mod decision;
mod missions;
mod moves;
mod petition;
mod petitions;
mod provenance;
mod queue;
mod refusal;
mod review;
mod status;
mod told;
