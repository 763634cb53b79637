//! Tests of the room that breaks: its worlds.

mod worlds;
