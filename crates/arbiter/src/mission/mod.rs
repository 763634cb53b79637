//! What runs one mission: the loop, the hands that perform its effects, its journal and inbox, and the stage that joins
//! the rooms around it. It reads what a project says and never writes it; who watches is the terminal's.

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
