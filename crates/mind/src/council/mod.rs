//! The council: the Arbiter session and a chain of Orchestrators, one at a time. What it shares with the conductor stands
//! in `decide`.

mod agent_limits;
pub(crate) mod manager;
mod succession;
mod worker;

pub(crate) use succession::OVERFLOW;
