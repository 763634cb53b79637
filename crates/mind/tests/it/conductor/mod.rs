//! The conductor: how decisions are read, ruled, fallen back on, remembered and made again.

mod cache;
mod fallback;
mod hall;
mod legal;
mod reading_laws;
mod replay;
mod replies;
mod rules;

mod briefs;
mod errors;
mod inputs;
mod laws;
mod prompts;
mod stage;
mod vectors;
