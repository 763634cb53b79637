//! The doors open to people and tools. They know the docket, and not one another.

pub mod limits;
pub mod mcp;
pub mod refusal;
pub mod telegram;
