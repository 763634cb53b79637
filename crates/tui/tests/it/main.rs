//! What the terminal shows of a mission, and what its keys mean.

mod overlay;
