//! The policy, as a table of calls and what becomes of them, and as laws over lines that nobody wrote.

mod casting;
mod forms;
mod laws;
mod table;
mod world;
