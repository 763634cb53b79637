//! The council: a manager session and a chain of workers (spec: who talks to whom, a mission's course). What it shares with
//! the conductor stands in `decide`.

pub(crate) mod manager;
mod succession;
mod worker;

pub(crate) use succession::OVERFLOW;
