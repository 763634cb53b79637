//! The docket's commands as they are typed.

use std::time::Duration;

use clap::{Args, Subcommand};

use super::asked::AskFlags;
use crate::commands::journal_position;

#[derive(Debug, Subcommand)]
pub enum DocketCommand {
    /// Ask a person: a question with --option, a Markdown or JSON file, or what you write in your editor
    Ask(Box<AskArgs>),
    /// Print whether a petition is open, answered, submitted or withdrawn
    Status {
        /// The petition: its id, or a unique beginning of it
        #[arg(required_unless_present = "tag")]
        id: Option<String>,
        /// Take the newest petition with this tag
        #[arg(long, conflicts_with = "id")]
        tag: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a petition's answers, and who gave them
    Get {
        /// The petition: its id, or a unique beginning of it
        id: String,
        /// Print the answers so far, even if the petition is still open
        #[arg(long)]
        partial: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Wait for a petition's answers
    Await {
        /// The petition: its id, or a unique beginning of it
        id: String,
        /// How long: 90s, 30m, 1h30m, or a number of seconds; without it, as long as it takes
        #[arg(long, value_name = "TIME", value_parser = patience)]
        timeout: Option<Duration>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List the petitions that wait for you, and answer them
    Inbox {
        /// Answer this petition: its id, or a unique beginning of it
        id: Option<String>,
        /// Only list them
        #[arg(long, conflicts_with = "id")]
        list: bool,
        /// List them as JSON
        #[arg(long, conflicts_with = "id")]
        json: bool,
    },
    /// Answer one decision of a petition
    #[command(after_help = "\
Examples:
  arbiter answer 7c1 database pg
  arbiter answer 7c1 name --custom \"Arbiter\" --submit")]
    Answer(AnswerArgs),
    /// Skip a decision: the asker decides
    Skip {
        /// The petition: its id, or a unique beginning of it
        id: String,
        /// The decision's key
        decision: String,
        /// Skip it in the place of the person who is asked; it is recorded
        #[arg(long, value_name = "NAME")]
        instead_of: Option<String>,
        /// Replace the answer that it has
        #[arg(long)]
        change: bool,
        /// Submit the petition if no decision is open any more
        #[arg(long)]
        submit: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Hand a petition, or one decision of it, to another person
    #[command(
        allow_missing_positional = true,
        after_help = "\
Examples:
  arbiter assign 7c1 sam
  arbiter assign 7c1 database sam"
    )]
    Assign {
        /// The petition: its id, or a unique beginning of it
        id: String,
        /// The decision's key; without it, all of the petition
        decision: Option<String>,
        /// Who is asked from now on
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Make a petition's answers final, and tell the asker
    Submit {
        /// The petition: its id, or a unique beginning of it
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Take a petition back, when its answers are not needed any more
    Withdraw {
        /// The petition: its id, or a unique beginning of it
        id: String,
        /// The reason, for the ledger
        #[arg(long, value_name = "TEXT", default_value = "")]
        why: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the ledger: who asked, answered and submitted what, when and through which door
    Audit {
        #[command(subcommand)]
        command: Option<AuditCommand>,
        /// Print only this petition's lines
        #[arg(long, value_name = "ID")]
        petition: Option<String>,
        /// Print one JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Print how long answers take, and which petitions waited longest
    Stats {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Look for anything that was changed, removed or reordered
    Verify {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Move a damaged ledger aside and begin a new one from the petition files
    Mend {
        /// Do not ask
        #[arg(long)]
        yes: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

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
    #[command(flatten)]
    pub flags: AskFlags,
    /// Wait for the answers
    #[arg(long)]
    pub wait: bool,
    /// How long to wait: 90s, 30m, 1h30m, or a number of seconds; without it, as long as it takes
    #[arg(long, value_name = "TIME", value_parser = patience, requires = "wait")]
    pub timeout: Option<Duration>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct AnswerArgs {
    /// The petition: its id, or a unique beginning of it
    pub id: String,
    /// The decision's key; without it, the petition's decisions are listed
    pub decision: Option<String>,
    /// The option's key; several where several can be chosen
    #[arg(value_name = "KEY")]
    pub keys: Vec<String>,
    /// Your own words; `-` reads them from stdin
    #[arg(long, value_name = "TEXT", conflicts_with = "keys", allow_hyphen_values = true)]
    pub custom: Option<String>,
    /// Answer in the place of the person who is asked; it is recorded
    #[arg(long, value_name = "NAME")]
    pub instead_of: Option<String>,
    /// Replace the answer that it has
    #[arg(long)]
    pub change: bool,
    /// Submit the petition if no decision is open any more
    #[arg(long)]
    pub submit: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A time to wait: seconds, or a span with units.
fn patience(written: &str) -> Result<Duration, &'static str> {
    if let Ok(seconds) = written.parse() {
        return Ok(Duration::from_secs(seconds));
    }
    let ms = journal_position::offset_ms(written).ok_or("write a number and a unit: 90s, 30m or 1h30m")?;
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
