//! Runs one mission: the loop (`mission_loop`), the `effect_runner`, the journal (`fact_log`) and the port to it, and `run`,
//! which joins the rooms around them. It reads the project's files and never writes them; screens and prompts are `terminal`.

pub mod clone_setup;
pub mod die_at;
pub mod docket_link;
pub mod effect_runner;
pub mod fact_log;
pub mod journal_key;
pub mod last_session;
pub mod lost_clone;
pub mod mission_loop;
pub mod notes;
pub mod opening;
pub mod port;
pub mod receipts;
pub mod refusal;
pub mod repo_location;
pub mod run;
pub mod sandbox_choice;
pub mod scripted_human;
pub mod standstill;
