//! The terminal's tests, in one binary.

mod booth;
mod canvas;
mod cast;
mod ceremony;
mod concert;
mod conducted;
mod cues;
mod frames;
mod laws;
mod manners;
mod overlay;
mod plays;
mod scene;
