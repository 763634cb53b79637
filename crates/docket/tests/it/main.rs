//! The docket's tests, in one binary.

mod text;
