//! Finds the repository and the commit that a new mission begins from, and decides about uncommitted files. It first
//! only reads; when nothing else can fail any more, it asks the person and makes what is needed.

use std::path::{Path, PathBuf};

use mind::MissionId;
use workspace::{Base, WorkspaceError, size};

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::{Dirty, RunArgs};
use crate::mission::opening::ignore_file;
use crate::mission::repo_location::RepoLocation;
use crate::project::home::{self, Project};
use crate::terminal::console;
use crate::{limits, terminal};

use super::CommandContext;

/// The folder in which `arbiter run` was typed, as git sees it.
#[derive(Debug)]
pub struct LaunchFolder {
    /// The project's top folder.
    pub root: PathBuf,
    found: Found,
}

#[derive(Debug)]
enum Found {
    Repository(Base),
    /// No repository, or one without a commit.
    Nothing(WorkspaceError),
}

impl LaunchFolder {
    /// Reads the repository around the folder in which the command was typed.
    pub async fn find(context: &CommandContext, args: &RunArgs) -> Result<LaunchFolder, CliError> {
        LaunchFolder::find_at(&context.here, args).await
    }

    /// Reads the repository around `here`.
    pub async fn find_at(here: &Path, args: &RunArgs) -> Result<LaunchFolder, CliError> {
        refuse_odd_ignore_file(here)?;
        let site = match workspace::preflight(here).await {
            Ok(base) => LaunchFolder { root: base.root.clone(), found: Found::Repository(base) },
            Err(error) if error.can_begin_one() && (args.init || args.in_place || can_ask(args)) => {
                let root = if let WorkspaceError::NoCommit { root } = &error { root.as_path() } else { here }
                    .to_path_buf();
                LaunchFolder { root, found: Found::Nothing(error) }
            }
            Err(error) => return Err(error.into()),
        };
        if site.root.to_str().is_none() {
            let cause = format!("the path {} is not UTF-8", site.root.display());
            return Err(CliError::new(ExitCode::Usage, cause).hint("rename the folder"));
        }
        let in_repository = matches!(site.found, Found::Repository(_))
            || matches!(site.found, Found::Nothing(WorkspaceError::NoCommit { .. }));
        if args.in_place && in_repository {
            let cause = format!("{} is a git repository already", site.root.display());
            return Err(CliError::new(ExitCode::Usage, cause).hint("leave out --in-place"));
        }
        Ok(site)
    }

    /// Decides by the flags, or by asking the person, where the mission begins. From here on a ref keeps the base commit.
    pub async fn prepare(
        self,
        context: &CommandContext,
        args: &RunArgs,
        mission: &MissionId,
    ) -> Result<RepoLocation, CliError> {
        let mut location = RepoLocation {
            project: self.root.clone(),
            source: self.root.clone(),
            base: String::new(),
            clone: context.places.clone_of(mission),
            scratch: false,
            snapshot: false,
            in_place: false,
            pace: args.pace,
        };
        match self.found {
            Found::Repository(base) => begin_from(base, args, &mut location).await?,
            Found::Nothing(error) => match begin_how(&self.root, error, args).await? {
                Beginning::Init => {
                    let (base, left) = workspace::init(&self.root).await?;
                    tell_left(&left);
                    location.base = base.commit;
                }
                Beginning::InPlace => {
                    home::make_private(&context.places.folders())?;
                    location.source = workspace::own_repository(&context.places.folders(), &self.root);
                    let snapshot = workspace::commit_in_place(&location.source, &self.root).await?;
                    tell_left(&snapshot.left);
                    location.base = snapshot.commit;
                    location.in_place = true;
                }
            },
        }
        if !location.in_place {
            tell_absent(&location).await?;
        }
        workspace::pin_base(&location.source, &location.base, &mission.0).await?;
        Ok(location)
    }
}

/// Sets the base in a repository: its last commit, or a new commit of the uncommitted changes.
async fn begin_from(base: Base, args: &RunArgs, location: &mut RepoLocation) -> Result<(), CliError> {
    let changes = changes(&base, args.file.as_deref());
    let answered = match args.dirty {
        Some(wish) => Some(wish),
        None if can_ask(args) && !args.yes && !changes.is_empty() => Some(ask_about(&changes)?),
        None => None,
    };
    let wish = answered.unwrap_or(Dirty::Leave);
    match wish {
        Dirty::Take if !base.dirty.is_empty() => {
            let taken = workspace::take_along(&base.root).await;
            let snapshot = taken.map_err(|error| {
                let mut cli_error = CliError::from(error);
                let other = "`--dirty leave` begins from the last commit without them";
                cli_error.hint.get_or_insert_with(|| other.to_owned());
                cli_error
            })?;
            tell_left(&snapshot.left);
            let short = snapshot.commit.get(..12).unwrap_or(&snapshot.commit);
            let many = base.dirty.len();
            console::remark(format!(
                "note: the mission starts from commit {short}, which holds {many} uncommitted change(s); your tree stays as it is"
            ));
            location.base = snapshot.commit;
            location.snapshot = true;
        }
        Dirty::Take | Dirty::Leave => {
            if !changes.is_empty() {
                let short = base.commit.get(..12).unwrap_or(&base.commit);
                let many = changes.len();
                let other = if answered.is_none() { "; `--dirty take` takes them along" } else { "" };
                console::remark(format!(
                    "note: the mission starts from commit {short}; {many} uncommitted change(s) stay in your tree only{other}"
                ));
            }
            location.base = base.commit;
        }
    }
    Ok(())
}

/// The uncommitted files, without those that reach the mission in another way: its requirements and `.arbiter/`.
fn changes(base: &Base, scroll: Option<&Path>) -> Vec<String> {
    let scroll = scroll.and_then(|file| file.canonicalize().ok());
    let root = base.root.canonicalize().unwrap_or_else(|_| base.root.clone());
    let is_scroll = |name: &str| scroll.as_ref().is_some_and(|scroll| root.join(name) == *scroll);
    let others = base.dirty.iter().filter(|name| !name.starts_with(".arbiter/") && !is_scroll(name));
    others.cloned().collect()
}

fn ask_about(changes: &[String]) -> Result<Dirty, CliError> {
    console::line(format!("{} change(s) in your tree are not committed:", changes.len()));
    for name in changes.iter().take(limits::CHANGES_SHOWN_MAX) {
        console::line(format!("  {}", console::printable(name)));
    }
    if let Some(more) = changes.len().checked_sub(limits::CHANGES_SHOWN_MAX).filter(|more| *more > 0) {
        console::line(format!("  and {more} more"));
    }
    let question = "Leave them and begin from the last commit, take them along as a commit, or quit? [L/t/q]";
    loop {
        match heard(question).as_deref() {
            Some("" | "l" | "leave") => return Ok(Dirty::Leave),
            Some("t" | "take") => return Ok(Dirty::Take),
            Some("q" | "quit") => {
                return Err(CliError::new(ExitCode::Cancelled, "stopped: nothing was changed"));
            }
            // Any other word is a slip, not an answer.
            Some(_) => console::line("Type l, t or q."),
            None => {
                console::line("");
                return Err(CliError::new(ExitCode::Cancelled, "stopped: nothing was changed"));
            }
        }
    }
}

enum Beginning {
    Init,
    InPlace,
}

/// Decides what happens in a folder without a commit: a flag says it, or the person is asked.
async fn begin_how(root: &Path, error: WorkspaceError, args: &RunArgs) -> Result<Beginning, CliError> {
    let is_new = matches!(error, WorkspaceError::NoRepository { .. });
    if is_new {
        refuse_wide(root)?;
    }
    match (args.init, args.in_place) {
        (true, _) => return Ok(Beginning::Init),
        (_, true) => return Ok(Beginning::InPlace),
        (false, false) => {}
    }
    let load = workspace::measure(root).await?;
    console::line(format!("{error}; it holds {} file(s), {}", load.files, size(load.bytes)));
    let question = if is_new {
        "Make one with a first commit of them (y), work in place without one (i), or stop? [y/i/N]"
    } else {
        "Make the first commit of them, or stop? [y/N]"
    };
    match answer(question).as_str() {
        "y" | "yes" => Ok(Beginning::Init),
        "i" if is_new => Ok(Beginning::InPlace),
        _ => Err(CliError::new(ExitCode::Cancelled, "stopped: nothing was changed")),
    }
}

/// Refuses to make a repository of the home folder or of `/`: it would commit everything the person has.
fn refuse_wide(folder: &Path) -> Result<(), CliError> {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    let home = std::env::var_os("HOME").map(PathBuf::from).and_then(|home| home.canonicalize().ok());
    if folder.parent().is_some() && home.is_none_or(|home| !home.starts_with(&folder)) {
        return Ok(());
    }
    let cause = format!("{} is not the folder of one project", folder.display());
    Err(CliError::new(ExitCode::Usage, cause).hint("make a folder for the project and run `arbiter` there"))
}

fn tell_left(left: &[String]) {
    for name in left {
        console::remark(format!(
            "note: {} is a repository of its own: what is uncommitted in it is not taken along",
            console::printable(name)
        ));
    }
}

/// Names the submodules that the mission will find empty.
async fn tell_absent(location: &RepoLocation) -> Result<(), CliError> {
    for absent in workspace::absent_submodules(&location.source, &location.base).await? {
        console::remark(format!("note: submodule {} {}", absent.path, absent.why));
        if absent.can_be_checked_out {
            console::remark(format!("hint: git submodule update --init --recursive -- {}", absent.path));
        }
    }
    Ok(())
}

/// Whether a person is at the terminal, and lines for people are printed there.
fn can_ask(args: &RunArgs) -> bool {
    terminal::is_there() && !args.headless && !args.json
}

/// Asks at the terminal; the end of the input counts as an empty answer, which means no.
pub(super) fn answer(question: &str) -> String {
    heard(question).unwrap_or_default()
}

/// Asks at the terminal; none at the end of the input.
fn heard(question: &str) -> Option<String> {
    let _ = console::ask(question);
    let mut answer = String::new();
    match std::io::stdin().read_line(&mut answer) {
        Ok(1..) => Some(answer.trim().to_lowercase()),
        Ok(0) | Err(_) => None,
    }
}

/// Refuses what is no file in the place of the one that hides our files: git reads that before it tells anything, and would
/// wait for a pipe.
fn refuse_odd_ignore_file(here: &Path) -> Result<(), CliError> {
    for folder in here.ancestors() {
        let file = ignore_file(&Project { root: folder.to_path_buf() });
        match std::fs::symlink_metadata(&file) {
            Ok(found) if !found.is_file() && !found.is_symlink() => {
                let cause = format!("{} is no plain file", file.display());
                return Err(CliError::new(ExitCode::Failed, cause)
                    .hint("move it away: git reads it, and Arbiter makes a file there"));
            }
            // One that cannot be looked at stops nothing: it only hides our files from git.
            Ok(_) | Err(_) => {}
        }
        let unseen =
            |error| CliError::new(ExitCode::Failed, format!("cannot look at {}: {error}", folder.display()));
        if host::files::is_there(&folder.join(".git")).map_err(unseen)? {
            break;
        }
    }
    Ok(())
}
