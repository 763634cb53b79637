//! `arbiter merge`, `arbiter discard` and `arbiter adopt` as they are typed: what becomes of a mission and its work.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The mission: its id, or a unique beginning or end of it
    pub id: String,
    /// Change nothing: write the work as a patch for `git apply`, into FILE or to stdout
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-", conflicts_with = "squash")]
    pub patch: Option<PathBuf>,
    /// Make one commit of the work, with you as its author, instead of merging its history
    #[arg(long)]
    pub squash: bool,
    /// Merge even though the mission is still running
    #[arg(long)]
    pub anyway: bool,
}

#[derive(Debug, Args)]
pub struct DiscardArgs {
    /// The mission: its id, or a unique beginning or end of it
    pub id: String,
    /// Do not ask
    #[arg(long)]
    pub yes: bool,
    /// Remove the clone even if its work cannot be kept
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct AdoptArgs {
    /// A project, or the folder of one of its missions
    pub path: PathBuf,
    /// Do not ask: take up another user's mission with all that it would run
    #[arg(long)]
    pub yes: bool,
}
