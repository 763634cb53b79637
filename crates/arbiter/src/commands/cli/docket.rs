//! The docket's commands as they are typed. ID is a petition's id, or a unique beginning of it.

use std::time::Duration;

use clap::{Args, Subcommand};

use super::asked::AskFlags;
use crate::commands::moment;

/// What to do with the docket.
#[derive(Debug, Subcommand)]
pub enum DocketCommand {
    /// Ask a human: a question with --option, a Markdown or JSON file, or your editor
    Ask(Box<AskArgs>),
    /// Say where a petition stands
    Status {
        /// The petition
        #[arg(required_unless_present = "tag")]
        id: Option<String>,
        /// The newest petition with this tag
        #[arg(long, conflicts_with = "id")]
        tag: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a petition's answers, and who gave them
    Get {
        /// The petition
        id: String,
        /// The answers so far, although it is open
        #[arg(long)]
        partial: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Wait for a petition's answers
    Await {
        /// The petition
        id: String,
        /// How long: 90s, 30m, 1h30m, or a number of seconds; for ever if not given
        #[arg(long, value_name = "TIME", value_parser = patience)]
        timeout: Option<Duration>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// List what waits for you, and answer it
    Inbox {
        /// Answer this petition
        id: Option<String>,
        /// Only list
        #[arg(long, conflicts_with = "id")]
        list: bool,
        /// List as JSON
        #[arg(long, conflicts_with = "id")]
        json: bool,
    },
    /// Answer a decision
    Answer(AnswerArgs),
    /// Leave a decision to whoever asked
    Skip {
        /// The petition
        id: String,
        /// The decision
        decision: String,
        /// Although it is answered
        #[arg(long)]
        change: bool,
        /// Submit the petition if nothing is open then
        #[arg(long)]
        submit: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Make a petition's answers final and tell whoever asked
    Submit {
        /// The petition
        id: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Take a petition back: nobody needs its answers any more
    Withdraw {
        /// The petition
        id: String,
        /// Why
        #[arg(long, value_name = "TEXT", default_value = "")]
        why: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the ledger: who asked, answered and submitted what, when and through which door
    Audit {
        /// `verify` looks for anything that was changed, removed or reordered; `mend` begins a new ledger
        #[command(subcommand)]
        command: Option<AuditCommand>,
        /// Of this petition only
        #[arg(long, value_name = "ID")]
        petition: Option<String>,
        /// One JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Say how long answers take, and what waited longest
    Stats {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

/// What to do with the ledger.
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Look for anything that was changed, removed or reordered
    Verify {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Put a damaged ledger aside and begin a new one with the files as they stand
    Mend {
        /// Do not ask
        #[arg(long)]
        yes: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

/// What is asked.
#[derive(Debug, Args, Default)]
#[command(after_help = "\
Examples:
  arbiter ask \"Which database?\" --option pg=Postgres --option sqlite
  arbiter ask petition.md --wait
  echo '{\"title\": \"...\", \"decisions\": [...]}' | arbiter ask --json
  arbiter ask                       opens your editor")]
pub struct AskArgs {
    /// The question, if --option or --custom is given; else a Markdown or JSON file, or `-` for stdin
    pub what: Option<String>,
    /// What is asked, and how
    #[command(flatten)]
    pub flags: AskFlags,
    /// Wait for the answers
    #[arg(long)]
    pub wait: bool,
    /// How long to wait: 90s, 30m, 1h30m, or a number of seconds; for ever if not given
    #[arg(long, value_name = "TIME", value_parser = patience, requires = "wait")]
    pub timeout: Option<Duration>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// What is answered.
#[derive(Debug, Args)]
pub struct AnswerArgs {
    /// The petition
    pub id: String,
    /// The decision; without it you are told which there are
    pub decision: Option<String>,
    /// The option's key; several where several can be chosen
    #[arg(value_name = "KEY")]
    pub keys: Vec<String>,
    /// Your own words; `-` reads them from stdin
    #[arg(long, value_name = "TEXT", conflicts_with = "keys", allow_hyphen_values = true)]
    pub custom: Option<String>,
    /// Although it is answered
    #[arg(long)]
    pub change: bool,
    /// Submit the petition if nothing is open then
    #[arg(long)]
    pub submit: bool,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// How long a person or an agent wants to wait.
fn patience(written: &str) -> Result<Duration, &'static str> {
    if let Ok(seconds) = written.parse() {
        return Ok(Duration::from_secs(seconds));
    }
    let ms = moment::offset_ms(written).ok_or("write a number and a unit: 90s, 30m or 1h30m")?;
    Ok(Duration::from_millis(ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_is_a_span_or_seconds() {
        for (written, seconds) in [("0", 0), ("90", 90), ("90s", 90), ("30m", 1800), ("1h30m", 5400)] {
            assert_eq!(patience(written), Ok(Duration::from_secs(seconds)));
        }
        for written in ["", "soon", "-1", "5x", "1.5h", "99999999999999999999d"] {
            assert!(patience(written).is_err(), "{written}");
        }
    }
}
