//! The conductor: what decisions and agents are told, and what is decided.

mod briefs;
mod errors;
mod inputs;
mod laws;
mod prompts;
mod stage;
mod vectors;
