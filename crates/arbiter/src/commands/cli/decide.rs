//! `arbiter decide replay` and `arbiter decide stats` as they are typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum DecideCommand {
    /// Choose every move of a mission again, offline, and print where the choice differs (exit code 1 if one does)
    #[command(after_help = "\
Examples:
  arbiter decide replay 4f2a
  arbiter decide replay 4f2a --policy stricter.yaml")]
    Replay(RedecideArgs),
    /// Count what chose the moves (rules, model, fixed order), and how the runs that followed went
    Stats {
        /// The mission: its id, or a unique beginning or end of it; without it, all missions of this project
        mission: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub struct RedecideArgs {
    /// The mission: its id, or a unique beginning or end of it
    pub mission: String,
    /// A YAML file that changes limits, the default agent or transitions
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
