//! The commands about decisions as they are typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// What to do with decisions.
#[derive(Debug, Subcommand)]
pub enum DecideCommand {
    /// Make every decision of a mission again, offline, and tell where it comes out differently (then exit 1)
    Replay(RedecideArgs),
    /// Count who decided, and how the runs that followed went
    Stats {
        /// The mission: its id, or a unique beginning or end of it; all of this project if none
        mission: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

/// What is decided again.
#[derive(Debug, Args)]
pub struct RedecideArgs {
    /// The mission: its id, or a unique beginning or end of it
    pub mission: String,
    /// A YAML file that changes limits, the default agent or transitions
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}
