//! Runs one mission: the mission loop (`house`), the effect runner (`hands`), the journal and the inbox, and `stage`, which
//! joins the rooms around them. It reads the project's files and never writes them; screens and prompts are `terminal`.

pub mod bridge;
pub mod chronicle;
pub mod die_at;
pub mod ground;
pub mod hands;
pub mod hold;
pub mod house;
pub mod journal_key;
pub mod last_session;
pub mod notes;
pub mod opening;
pub mod port;
pub mod receipts;
pub mod refusal;
pub mod scripted_human;
pub mod stage;
pub mod standstill;
