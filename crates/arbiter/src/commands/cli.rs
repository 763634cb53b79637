//! The command line: what a person types, parsed once. Everything here is plain data. docs/commands.md is made of it
//! (`document`).

mod asked;
mod bring;
mod decide;
mod docket;
mod document;
mod serving;

use std::io::IsTerminal as _;
use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::commands::journal_position::NamedPosition;
use crate::mission::repo_location::RehearsalPace;
use crate::terminal::console;

pub use asked::AskFlags;
pub use bring::{AdoptArgs, DiscardArgs, MergeArgs};
pub use decide::{DecideCommand, RedecideArgs};
pub use docket::{AnswerArgs, AskArgs, AuditCommand, DocketCommand};
pub use document::document;
pub use serving::{ServeCommand, SetupCommand};

/// Hand it a requirements document; it drives a chain of coding-agent sessions to a verified end.
#[derive(Debug, Parser)]
#[command(name = "arbiter", version, max_term_width = 100)]
pub struct Cli {
    /// A file with the requirements: a mission begins with it, as with `arbiter run FILE`
    pub file: Option<PathBuf>,
    /// Continue the newest unfinished mission, as `arbiter resume` does
    #[arg(long)]
    pub resume: bool,
    /// Skip the opening ceremony and choose the requirements at once
    #[arg(long)]
    pub quick: bool,
    /// Print lines instead of drawing a screen: for screen readers, dumb terminals and files (also: ARBITER_PLAIN=1)
    #[arg(long, global = true)]
    pub plain: bool,
    /// Play no sound; `m` on the screen turns it on
    #[arg(long, global = true)]
    pub mute: bool,
    #[command(subcommand)]
    pub command: Option<CliCommand>,
}

impl Cli {
    pub fn read() -> Result<Cli, clap::Error> {
        let cli = Cli::try_parse()?;
        // Global flags may come before a command. A file, --resume and --quick begin a mission by themselves.
        let alone = cli.file.is_some() || cli.resume || cli.quick;
        if alone && cli.command.is_some() {
            let why =
                "a file, --resume and --quick begin a mission by themselves: no command may follow them";
            return Err(Cli::command().error(clap::error::ErrorKind::ArgumentConflict, why));
        }
        Ok(cli)
    }
}

#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Begin a mission over this repository
    #[command(after_help = "\
Examples:
  arbiter run spec.md
  arbiter run --task \"Add a --version flag, with a test\"
  arbiter run --way conductor --dry-run spec.md")]
    Run(RunArgs),
    /// Play a whole mission with the built-in rehearsal: it needs no account and no agent
    #[command(after_help = "\
Examples:
  arbiter demo --pace human
  arbiter demo --way conductor")]
    Demo(DemoArgs),
    /// Continue the newest unfinished mission, or the named one
    #[command(after_help = "\
Examples:
  arbiter resume
  arbiter resume 4f2a")]
    Resume(ResumeArgs),
    /// Watch a mission that runs in another terminal, and speak to it
    Attach {
        /// The mission: its id, or a unique beginning or end of it; without it, the newest running mission
        id: Option<String>,
    },
    /// List the missions of this project
    Missions {
        /// List the missions of all projects
        #[arg(long)]
        all: bool,
        /// Print one JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Show what a mission is and what it waits for
    Show {
        /// The mission: its id, or a unique beginning or end of it; without it, the newest mission
        id: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a mission again, fact by fact; prints lines with --plain, --facts, --json, --step or --to
    #[command(after_help = "\
Examples:
  arbiter replay 4f2a
  arbiter replay 4f2a --facts --from +5m --to +10m")]
    Replay(ReplayArgs),
    /// Write a report of a mission in Markdown
    #[command(after_help = "\
Examples:
  arbiter export 4f2a --output report.md")]
    Export(ExportArgs),
    /// Bring a mission's work onto the branch you are on
    #[command(after_help = "\
Examples:
  arbiter merge 4f2a
  arbiter merge 4f2a --patch work.patch")]
    Merge(MergeArgs),
    /// Remove a mission's clone; its work is kept in the ref refs/arbiter/salvage/ID
    Discard(DiscardArgs),
    /// Take up missions of a folder that the list of your missions does not have there
    #[command(after_help = "\
A mission of yours whose entry was lost, or whose project was moved, goes on as it is. A copy of a mission, and one of another
user's, becomes a new mission with the same requirements, settings and work; another user's only after a look and your yes.

Examples:
  arbiter adopt .
  arbiter adopt ../project/.arbiter/missions/2026-11-15-k3f9")]
    Adopt(AdoptArgs),
    /// Steer a running mission from another terminal
    #[command(after_help = "\
Examples:
  arbiter mission say 4f2a \"Use SQLite, not Postgres\"
  arbiter mission allow 4f2a q1 --for mission")]
    Mission {
        #[command(subcommand)]
        action: MissionAction,
    },
    /// Check and count the moves that the conductor chose
    Decide {
        #[command(subcommand)]
        command: DecideCommand,
    },
    #[command(flatten)]
    Docket(DocketCommand),
    /// Show the configuration and where each value comes from
    Config {
        #[command(subcommand)]
        command: Option<ConfigCommand>,
    },
    /// List the agents and the file that defines each
    Agents {
        #[command(subcommand)]
        command: Option<AgentsCommand>,
        /// Print one JSON object per line
        #[arg(long, global = true)]
        json: bool,
    },
    /// Show what this project's own files ask for (checks, commands, prompts, agents) and let it count
    Trust(TrustArgs),
    /// Serve the docket to agents over MCP, on stdin and stdout
    Mcp,
    /// Keep the doors open through which you decide from anywhere, such as Telegram; it stays in the foreground
    Serve {
        #[command(subcommand)]
        command: Option<ServeCommand>,
    },
    /// Set something up, step by step
    Setup {
        #[command(subcommand)]
        command: SetupCommand,
    },
    /// Check what a mission needs on this machine, and say how to fix what is missing
    Doctor,
    /// Print shell completions
    #[command(after_help = "\
Examples:
  arbiter completions bash > ~/.local/share/bash-completion/completions/arbiter")]
    Completions {
        /// The shell that will read them
        shell: clap_complete::Shell,
    },
    /// A step of the sandbox in which agents, checks and git run: not for people
    #[command(name = "__cage", hide = true)]
    Cage {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<std::ffi::OsString>,
    },
    /// An actor of the rehearsal: not for people
    #[command(name = "__actor", hide = true)]
    Actor {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<std::ffi::OsString>,
    },
    /// Print docs/commands.md: for `cargo xtask commands`
    #[command(name = "__commands", hide = true)]
    Commands,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// A Markdown file with the requirements
    #[arg(conflicts_with = "task")]
    pub file: Option<PathBuf>,
    /// The requirements as text, instead of a file
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// The way of working
    #[arg(long, value_enum, default_value_t = WayArg::Council)]
    pub way: WayArg,
    /// Only make a plan and print it, with the planner's confidence (with --way conductor)
    #[arg(long)]
    pub dry_run: bool,
    /// Ask nothing at the terminal: questions, also the one before the mission begins, wait in the docket (`arbiter inbox`)
    #[arg(long)]
    pub headless: bool,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
    /// Say yes beforehand; the journal records it as a policy's answer, not as yours
    #[arg(long)]
    pub yes: bool,
    /// The provider that runs all sessions
    #[arg(long, value_name = "NAME")]
    pub provider: Option<String>,
    /// Play this rehearsal script (implies --provider rehearsal)
    #[arg(long, value_name = "SCRIPT")]
    pub rehearsal: Option<PathBuf>,
    /// How fast a rehearsal plays
    #[arg(long, value_enum, default_value_t = RehearsalPace::Fast)]
    pub pace: RehearsalPace,
    /// What happens to uncommitted changes
    #[arg(long, value_enum)]
    pub dirty: Option<Dirty>,
    /// In a folder without a repository: make one, with a first commit of the files
    #[arg(long)]
    pub init: bool,
    /// In a folder without a repository: make none; `arbiter merge` writes the result into the folder
    #[arg(long, conflicts_with = "init")]
    pub in_place: bool,
    /// Begin without requirements: the Arbiter asks you what is to be done
    #[arg(long = "without-requirements", alias = "without-scroll", conflicts_with_all = ["file", "task"])]
    pub without_scroll: bool,
    /// The user wants `.arbiter/` in .gitignore, once the mission has begun
    #[arg(skip)]
    pub gitignore: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Dirty {
    /// The mission begins from the last commit; the changes stay in your tree only
    Leave,
    /// The mission begins from a commit of the changes; your branch, index and files stay as they are
    Take,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WayArg {
    /// An Arbiter session manages Orchestrators, one at a time
    Council,
    /// The conductor selects an agent, runs it, evaluates its work and chooses the next move
    Conductor,
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The way of working
    #[arg(long, value_enum, default_value_t = WayArg::Council)]
    pub way: WayArg,
    /// How fast the demo plays
    #[arg(long, value_enum, default_value_t = RehearsalPace::Fast)]
    pub pace: RehearsalPace,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
    /// Read nothing from the terminal
    #[arg(long)]
    pub headless: bool,
}

#[derive(Debug, Args, Default)]
pub struct ResumeArgs {
    /// The mission: its id, or a unique beginning or end of it
    pub id: Option<String>,
    /// Do not ask before continuing a mission that rested longer than `resume_limit` (a day)
    #[arg(long)]
    pub yes: bool,
    /// Ask nothing at the terminal: questions wait in the docket (`arbiter inbox`)
    #[arg(long)]
    pub headless: bool,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The mission: its id, or a unique beginning or end of it
    pub id: String,
    /// Begin here: an entry's number, `21:30`, `2026-11-15T21:30`, or `+5m` after the mission's beginning
    #[arg(long, value_name = "N|TIME")]
    pub from: Option<NamedPosition>,
    /// End here, this entry or moment included
    #[arg(long, value_name = "N|TIME")]
    pub to: Option<NamedPosition>,
    /// Print every fact as one line, instead of the conversation
    #[arg(long)]
    pub facts: bool,
    /// Print one JSON object per line
    #[arg(long, conflicts_with_all = ["facts", "step"])]
    pub json: bool,
    /// Wait for Enter after each step; a number or a time jumps there, `q` quits
    #[arg(long)]
    pub step: bool,
}

impl ReplayArgs {
    /// Whether lines are printed even where a screen could be shown.
    pub fn is_printed(&self) -> bool {
        self.facts || self.json || self.step || self.to.is_some()
    }
}

#[derive(Debug, Args)]
pub struct TrustArgs {
    /// Do not ask: for scripts
    #[arg(long, conflicts_with_all = ["list", "revoke"])]
    pub yes: bool,
    /// List the projects you trust
    #[arg(long, conflicts_with = "revoke")]
    pub list: bool,
    /// Stop trusting this project
    #[arg(long)]
    pub revoke: bool,
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The mission: its id, or a unique beginning or end of it
    pub id: String,
    /// Write the report into this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Overwrite the file if it exists
    #[arg(long, requires = "output")]
    pub force: bool,
}

#[derive(Debug, Subcommand)]
pub enum MissionAction {
    /// Send words to the Arbiter, or with --orchestrator to the active Orchestrator
    Say {
        /// The mission: its id, or a unique beginning or end of it
        id: String,
        /// Your words
        #[arg(required = true, trailing_var_arg = true)]
        text: Vec<String>,
        /// Send them to the active Orchestrator
        #[arg(long)]
        orchestrator: bool,
    },
    /// Begin no further turn until `arbiter mission resume`
    Pause {
        /// The mission: its id, or a unique beginning or end of it
        id: String,
    },
    /// Continue after a pause
    Resume {
        /// The mission: its id, or a unique beginning or end of it
        id: String,
    },
    /// Stop the running turn
    Interrupt {
        /// The mission: its id, or a unique beginning or end of it
        id: String,
    },
    /// End the active Orchestrator's session
    Release {
        /// The mission: its id, or a unique beginning or end of it
        id: String,
    },
    /// Stop the agent at work and let this one work next (in a conducted mission)
    Force {
        /// The mission: its id, or a unique beginning or end of it
        id: String,
        /// The agent's name, as `arbiter agents` lists it
        agent: String,
    },
    /// Leave the current step out (in a conducted mission)
    Skip {
        /// The mission: its id, or a unique beginning or end of it
        id: String,
    },
    /// Let the last agent try again (in a conducted mission)
    Retry {
        /// The mission: its id, or a unique beginning or end of it
        id: String,
    },
    /// End the mission
    Cancel {
        /// The mission: its id, or a unique beginning or end of it
        id: String,
    },
    /// Let tools run that wait for your permission; `arbiter show` lists them
    Allow {
        /// The mission: its id, or a unique beginning or end of it
        id: String,
        /// The permissions to give: q1 q2
        #[arg(required = true, value_name = "QUESTION")]
        questions: Vec<String>,
        /// Allow everything like it too, for this long
        #[arg(long = "for", value_enum, value_name = "HOW LONG")]
        lasts: Option<GrantScopeArg>,
    },
    /// Refuse tools that wait for your permission
    Deny {
        /// The mission: its id, or a unique beginning or end of it
        id: String,
        /// The permissions to refuse: q1 q2
        #[arg(required = true, value_name = "QUESTION")]
        questions: Vec<String>,
        /// The reason, which the model is told
        #[arg(long, default_value = "")]
        why: String,
    },
}

/// How far a permission reaches beyond the one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GrantScopeArg {
    /// For an hour
    Hour,
    /// Until the mission ends
    Mission,
}

#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Check the configuration and the agents' files, and say everything that is wrong
    Check,
    /// Print every key, what it means and who may set it
    Keys,
    /// Print a JSON schema of configuration files, for editors
    Schema,
}

#[derive(Debug, Subcommand)]
pub enum AgentsCommand {
    /// Print one agent in full, with its prompt
    Show {
        /// The agent's name
        name: String,
    },
}

/// Prints clap's error, or the help that was asked for, with the hint and the exit code that every error of ours has.
pub fn refuse(error: &clap::Error) -> std::process::ExitCode {
    if !error.use_stderr() {
        // Colours are for a terminal, which takes what it is given.
        let text = error.render();
        let text = if std::io::stdout().is_terminal() { text.ansi().to_string() } else { text.to_string() };
        let _ = console::print(text.as_bytes());
        return match console::unwritten() {
            Some(why) => crate::cli_error::unwritten(&why).tell(),
            None => std::process::ExitCode::SUCCESS,
        };
    }
    let text = error.render().to_string();
    let text = text.replace(
        "For more information, try '--help'.",
        "hint: add --help to see the command's arguments and flags",
    );
    eprint!("{text}");
    std::process::ExitCode::from(crate::cli_error::ExitCode::Usage as u8)
}
