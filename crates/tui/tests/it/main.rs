//! The terminal's tests, in one binary.

mod canvas;
