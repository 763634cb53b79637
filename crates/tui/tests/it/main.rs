//! The terminal's tests, in one binary.

mod booth;
mod canvas;
mod frames;
mod overlay;
mod plays;
