//! What the room says of every fact, and of amounts.

mod amounts;
mod status;
mod told;
