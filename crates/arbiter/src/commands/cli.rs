//! The command line: what a person types, parsed once. Everything here is plain data.

mod asked;
mod decide;
mod docket;

use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::commands::moment::Moment;
use crate::mission::ground::Pace;

pub use asked::AskFlags;
pub use decide::{DecideCommand, RedecideArgs};
pub use docket::{AnswerArgs, AskArgs, AuditCommand, DocketCommand};

/// Hand it a requirements document; it drives a chain of coding-agent sessions to a verified end.
#[derive(Debug, Parser)]
#[command(name = "arbiter", version, max_term_width = 100)]
pub struct Cli {
    /// The requirements scroll: runs a mission with it.
    pub file: Option<PathBuf>,
    /// Go on with the newest unfinished mission.
    #[arg(long)]
    pub resume: bool,
    /// Without ceremony: straight to the requirements.
    #[arg(long)]
    pub quick: bool,
    /// Print lines instead of drawing a screen: for screen readers, dumb terminals and files (also: ARBITER_PLAIN=1).
    #[arg(long, global = true)]
    pub plain: bool,
    /// Without sound; `m` on the screen turns it on.
    #[arg(long, global = true)]
    pub mute: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Cli {
    /// Reads what was typed.
    pub fn read() -> Result<Cli, clap::Error> {
        let cli = Cli::try_parse()?;
        // The flags of every command may stand before it; what begins a mission by itself may not.
        let alone = cli.file.is_some() || cli.resume || cli.quick;
        if alone && cli.command.is_some() {
            let why = "a file, --resume and --quick stand alone: a command cannot follow them";
            return Err(Cli::command().error(clap::error::ErrorKind::ArgumentConflict, why));
        }
        Ok(cli)
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a mission
    Run(RunArgs),
    /// Play a whole mission with the built-in rehearsal: no account, no agent needed
    Demo(DemoArgs),
    /// Go on with the newest unfinished mission, or with the named one
    Resume(ResumeArgs),
    /// Watch a mission that runs elsewhere, and speak to it
    Attach {
        /// The mission: its id, or a unique beginning or end of it; the newest that runs if none
        id: Option<String>,
    },
    /// List missions
    Missions {
        /// Of all projects, not only of this one
        #[arg(long)]
        all: bool,
        /// One JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Show what a mission is and what it waits for
    Show {
        /// The mission: its id, or a unique beginning or end of it
        id: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a mission again, fact by fact; printed as lines with --plain, or when a part or a form is asked for
    Replay(ReplayArgs),
    /// Write a report of a mission in Markdown
    Export(ExportArgs),
    /// Bring a mission's work onto the branch you are on
    Merge(MergeArgs),
    /// Remove a mission's clone; all of its work is kept in a ref
    Discard(DiscardArgs),
    /// Steer a running mission from another terminal
    Mission {
        /// What to do to it
        #[command(subcommand)]
        action: MissionAction,
    },
    /// Look at the decisions of conducted missions
    Decide {
        /// What to do with them
        #[command(subcommand)]
        command: DecideCommand,
    },
    /// The docket: decisions for a human
    #[command(flatten)]
    Docket(DocketCommand),
    /// Show the configuration and where each value comes from
    Config {
        /// `check` says everything that is wrong, `keys` what can be set, `schema` the same for editors
        #[command(subcommand)]
        command: Option<ConfigCommand>,
    },
    /// List the agents and where each comes from
    Agents {
        /// `show NAME` prints all of one
        #[command(subcommand)]
        command: Option<AgentsCommand>,
        /// One JSON object per line
        #[arg(long, global = true)]
        json: bool,
    },
    /// Let this project's own checks, commands, prompts and agents count, after a look at them
    Trust(TrustArgs),
    /// Speak MCP on stdin and stdout: the docket for agents
    Mcp,
    /// Say what is missing and how to mend it
    Doctor,
    /// Print shell completions
    Completions {
        /// For which shell
        shell: clap_complete::Shell,
    },
    /// A step of the cage in which agents, checks and git run: not for people
    #[command(name = "__cage", hide = true)]
    Cage {
        /// The orders, the program and its words
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<std::ffi::OsString>,
    },
    /// An actor of the rehearsal: not for people
    #[command(name = "__actor", hide = true)]
    Actor {
        /// What the provider passes
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<std::ffi::OsString>,
    },
}

/// How a mission is run.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The requirements scroll, a Markdown file
    #[arg(conflicts_with = "task")]
    pub file: Option<PathBuf>,
    /// The requirements as text
    #[arg(long)]
    pub task: Option<String>,
    /// The way of working
    #[arg(long, value_enum, default_value_t = Way::Council)]
    pub way: Way,
    /// Only make a plan and print it, with how sure its maker is (with --way conductor)
    #[arg(long)]
    pub dry_run: bool,
    /// Ask nobody at the terminal: what only a person can decide, the yes too, waits in the docket (`arbiter inbox`)
    #[arg(long)]
    pub headless: bool,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
    /// Say yes beforehand; recorded as policy, not as consent
    #[arg(long)]
    pub yes: bool,
    /// The provider of all sessions
    #[arg(long, value_name = "NAME")]
    pub provider: Option<String>,
    /// Play this rehearsal script (implies --provider rehearsal)
    #[arg(long, value_name = "SCRIPT")]
    pub rehearsal: Option<PathBuf>,
    /// How fast a rehearsal plays
    #[arg(long, value_enum, default_value_t = Pace::Fast)]
    pub pace: Pace,
    /// What becomes of uncommitted changes
    #[arg(long, value_enum)]
    pub dirty: Option<Dirty>,
    /// In a folder without a repository: make one, with a first commit of the files
    #[arg(long)]
    pub init: bool,
    /// In a folder without a repository: make none; `arbiter merge` writes the result into the folder
    #[arg(long, conflicts_with = "init")]
    pub in_place: bool,
    /// Without requirements: the Arbiter asks what is to be done
    #[arg(long, conflicts_with_all = ["file", "task"])]
    pub without_scroll: bool,
    /// The user wants `.arbiter/` in .gitignore, once the mission has begun
    #[arg(skip)]
    pub gitignore: bool,
}

/// What becomes of uncommitted changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Dirty {
    /// The mission begins from the last commit; they stay in your tree only
    Leave,
    /// The mission begins from a commit of them; your branch, index and files stay as they are
    Take,
}

/// The ways of working.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Way {
    /// An Arbiter session talks with Orchestrators
    Council,
    /// A machine selects an agent, runs it and evaluates what it did
    Conductor,
}

/// How the demo is played.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The way of working
    #[arg(long, value_enum, default_value_t = Way::Council)]
    pub way: Way,
    /// How fast it plays: `human` takes most of a minute
    #[arg(long, value_enum, default_value_t = Pace::Fast)]
    pub pace: Pace,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
    /// Read nothing from the terminal
    #[arg(long)]
    pub headless: bool,
}

/// Which mission to go on with.
#[derive(Debug, Args, Default)]
pub struct ResumeArgs {
    /// The mission: its id, or a unique beginning or end of it
    pub id: Option<String>,
    /// Go on with a mission older than a day without asking
    #[arg(long)]
    pub yes: bool,
    /// Ask nobody at the terminal: questions wait in the docket (`arbiter inbox`)
    #[arg(long)]
    pub headless: bool,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// What of a mission is printed again, and how.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The mission: its id, or a unique beginning or end of it
    pub id: String,
    /// Begin here: an entry's number, `21:30`, `2026-11-15T21:30`, or `+5m` from the opening
    #[arg(long, value_name = "N|TIME")]
    pub from: Option<Moment>,
    /// End here, this entry or moment included
    #[arg(long, value_name = "N|TIME")]
    pub to: Option<Moment>,
    /// Every fact as one line, instead of the conversation
    #[arg(long)]
    pub facts: bool,
    /// Print one JSON object per line
    #[arg(long, conflicts_with_all = ["facts", "step"])]
    pub json: bool,
    /// Wait for Enter after each step; a number or a time jumps, `q` leaves
    #[arg(long)]
    pub step: bool,
}

impl ReplayArgs {
    /// A part or a form is asked for that a screen has no place for.
    pub fn is_printed(&self) -> bool {
        self.facts || self.json || self.step || self.to.is_some()
    }
}

/// Which projects are trusted.
#[derive(Debug, Args)]
pub struct TrustArgs {
    /// Say yes without being asked: for scripts
    #[arg(long, conflicts_with_all = ["list", "revoke"])]
    pub yes: bool,
    /// List the projects you trust
    #[arg(long, conflicts_with = "revoke")]
    pub list: bool,
    /// Trust this project no longer
    #[arg(long)]
    pub revoke: bool,
}

/// What is brought over, and how.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The mission: its id, or a unique beginning or end of it
    pub id: String,
    /// Change nothing: write the work as a patch for `git apply`, into FILE or to stdout
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-", conflicts_with = "squash")]
    pub patch: Option<PathBuf>,
    /// As one commit of yours, without the history
    #[arg(long)]
    pub squash: bool,
    /// Although the mission is running
    #[arg(long)]
    pub anyway: bool,
}

/// What is let go.
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

/// Where a report goes.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The mission: its id, or a unique beginning or end of it
    pub id: String,
    /// Into this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Overwrite the file if it is there
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// What can be done to a running mission.
#[derive(Debug, Subcommand)]
pub enum MissionAction {
    /// Speak to the Arbiter, or with --orchestrator to the active Orchestrator
    Say {
        /// The mission
        id: String,
        /// The words
        #[arg(required = true, trailing_var_arg = true)]
        text: Vec<String>,
        /// To the active Orchestrator directly
        #[arg(long)]
        orchestrator: bool,
    },
    /// Let no further turn begin
    Pause {
        /// The mission
        id: String,
    },
    /// Go on after a pause
    Resume {
        /// The mission
        id: String,
    },
    /// Stop the running turn
    Interrupt {
        /// The mission
        id: String,
    },
    /// Sever the link to the active Orchestrator
    Release {
        /// The mission
        id: String,
    },
    /// Stop whoever is at work; this agent works next (in a conducted mission)
    Force {
        /// The mission
        id: String,
        /// The agent's name
        agent: String,
    },
    /// Leave the current step out (in a conducted mission)
    Skip {
        /// The mission
        id: String,
    },
    /// Let the last agent try again (in a conducted mission)
    Retry {
        /// The mission
        id: String,
    },
    /// End the mission
    Cancel {
        /// The mission
        id: String,
    },
    /// Let tools run that wait for a yes; `arbiter show` lists them
    Allow {
        /// The mission
        id: String,
        /// The questions: q1 q2
        #[arg(required = true, value_name = "QUESTION")]
        questions: Vec<String>,
        /// Everything like it too
        #[arg(long = "for", value_enum, value_name = "HOW LONG")]
        lasts: Option<GrantScopeArg>,
    },
    /// Refuse tools that wait for a yes
    Deny {
        /// The mission
        id: String,
        /// The questions: q1 q2
        #[arg(required = true, value_name = "QUESTION")]
        questions: Vec<String>,
        /// What the model is told
        #[arg(long, default_value = "")]
        why: String,
    },
}

/// How far a yes reaches beyond the one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GrantScopeArg {
    /// For an hour
    Hour,
    /// To the mission's end
    Mission,
}

/// What to do with the configuration.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Say everything that is wrong with it
    Check,
    /// Print every key, what it means and who may set it
    Keys,
    /// Print a JSON schema of configuration files, for editors
    Schema,
}

/// What to say of the agents.
#[derive(Debug, Subcommand)]
pub enum AgentsCommand {
    /// Print all of one agent, its prompt too
    Show {
        /// Its name
        name: String,
    },
}

/// What was typed cannot be understood, or asks for help: says so as every error of ours is said.
pub fn refuse(error: &clap::Error) -> std::process::ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return std::process::ExitCode::SUCCESS;
    }
    let text = error.render().to_string();
    let text = text
        .replace("For more information, try '--help'.", "hint: the same with --help tells what can be typed");
    eprint!("{text}");
    std::process::ExitCode::from(crate::complaint::Code::Usage as u8)
}
