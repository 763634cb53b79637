//! `serve` and `setup` as they are typed.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum ServeCommand {
    /// Print a systemd unit that keeps `arbiter serve` running for you
    #[command(after_help = "\
Examples:
  arbiter serve unit > ~/.config/systemd/user/arbiter.service
  systemctl --user daemon-reload && systemctl --user enable --now arbiter")]
    Unit,
}

#[derive(Debug, Subcommand)]
pub enum SetupCommand {
    /// Set up a Telegram bot: its token, who is let in, and what keeps it running
    Telegram,
}
