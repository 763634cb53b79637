//! Tests of the room that breaks: its worlds, the fake Bot API, plays that a world once printed, what may be missing.

#[cfg(feature = "api")]
mod bot_api;
mod plays;
mod real;
#[cfg(feature = "binary")]
mod shrinking;
mod torture;
mod worlds;
