//! `merge`: brings a mission's work onto the branch a person is on, into a folder without a repository, or into a patch.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mind::state::Ended;
use mind::talk::Proof;
use mind::{MissionId, State};
use providers::claude::files::PROJECT_FOLDER;
use workspace::{CloneLock, EarlierMerge, Merge, Merged, Work, WorkspaceError};

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::MergeArgs;
use crate::mission::fact_log::FactLog;
use crate::mission::port::{MissionFiles as _, MissionPort as _};
use crate::mission::repo_location::RepoLocation;
use crate::project::home::MissionPlaces;
use crate::terminal::console;

use super::{CommandContext, context, discard, ownership, resume, run};

pub fn merge(context: &CommandContext, args: &MergeArgs) -> Result<ExitCode, CliError> {
    context::refuse_agents()?;
    let (id, places) = context.named(&args.id)?;
    ownership::require_own(
        context,
        &id,
        &places,
        "its files may name anything; merge it by hand if you trust it",
    )?;
    discard::refuse_discarded(&id, &places)?;
    let state = context.port(&places)?.state()?;
    let location = RepoLocation::read(&places.folder)
        .map_err(|why| CliError::new(ExitCode::Failed, why).hint(by_hand(&id)))?;
    let running = resume::living_holder(&places);
    if let Some(pid) = running.filter(|_| !args.anyway) {
        return Err(CliError::new(ExitCode::Usage, format!("mission {id} is running in process {pid}"))
            .hint("wait for its end, or merge what it has committed so far with --anyway"));
    }
    let runtime = run::runtime()?;
    if running.is_none() && state.ended.is_none() {
        fetch_rest(context, &runtime, &id, &places, &location);
    }
    let work = runtime.block_on(workspace::work_of(&location.source, &location.base, &id.0))?;
    let Some(work) = work.filter(|work| work.commits > 0 || !work.files.is_empty()) else {
        return Err(CliError::new(ExitCode::Usage, format!("mission {id} has committed nothing yet"))
            .hint(format!("`arbiter show {id}` shows what it is doing and where its clone is")));
    };
    if let Some(file) = &args.patch {
        runtime.block_on(patch(&location, &work, file, &places.folder))?;
    } else if location.in_place {
        if !runtime.block_on(in_place(&location, &work, &id))? {
            return Ok(ExitCode::Usage);
        }
    } else if location.scratch {
        return Err(CliError::new(
            ExitCode::Usage,
            format!("mission {id} is a demo over a repository of its own"),
        )
        .hint(format!("its work is in {}", location.source.display())));
    } else {
        let message = format!("Merge mission {id}: {}", view::mission::title(&state));
        let merged = runtime.block_on(onto_branch(context, &location, &work, args, (&id, &message)))?;
        match merged.earlier {
            Some(EarlierMerge::PutBack) => {
                console::remark("note: a merge that was stopped half-way was put back first");
            }
            Some(EarlierMerge::Finished) => {
                console::remark("note: a merge that was stopped half-way was finished first");
            }
            None => {}
        }
        tell(&id, &merged, args.squash);
        if merged.from == merged.to {
            return Ok(ExitCode::Usage);
        }
    }
    warn_of(&work.files);
    console::remark(vouch(&state, &work.commit));
    Ok(ExitCode::Done)
}

/// Fetches commits that a killed process left in the clone. Holding the journal's lock keeps every other process from it.
fn fetch_rest(
    context: &CommandContext,
    runtime: &tokio::runtime::Runtime,
    id: &MissionId,
    places: &MissionPlaces,
    location: &RepoLocation,
) {
    let fetched = || {
        if !location.clone.try_exists().map_err(|error| error.to_string())? {
            return Ok(());
        }
        let journal = context.port(places).map_err(|error| error.to_string())?;
        let _held = FactLog::open(journal.journal()).map_err(|error| error.to_string())?;
        let _lock = CloneLock::take(&location.clone).map_err(|error| error.to_string())?;
        sandbox::strike_leftovers(&id.0);
        let sandbox = discard::cage_of(context, id, location);
        let fetched = async {
            workspace::mend_clone(&location.source, &location.clone, &id.0).await?;
            workspace::fetch_back(&location.source, &location.clone, &id.0, sandbox.as_ref()).await
        };
        runtime.block_on(fetched).map(drop).map_err(|error| error.to_string())
    };
    if let Err::<(), String>(why) = fetched() {
        console::remark(format!(
            "note: the clone could not be read, so only the work fetched before is merged: {why}"
        ));
    }
}

/// Folders whose files other programs obey without asking, and such files, in whatever folder.
const OBEYED_FOLDERS: [&str; 9] = [
    ".arbiter",
    PROJECT_FOLDER,
    ".vscode",
    ".idea",
    ".devcontainer",
    ".husky",
    ".githooks",
    ".git-hooks",
    ".cargo",
];
const OBEYED_FILES: [&str; 7] = [
    ".envrc",
    ".gitmodules",
    ".gitattributes",
    ".gitconfig",
    ".lfsconfig",
    ".mcp.json",
    ".pre-commit-config.yaml",
];

/// Names changed files that make programs do something on the person's machine or elsewhere.
fn warn_of(files: &[String]) {
    let obeyed: Vec<&String> = files.iter().filter(|file| is_obeyed(file)).collect();
    let Some(first) = obeyed.first() else { return };
    let more = match obeyed.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names = console::printable(first);
    console::remark(format!(
        "note: the work changes {names}{more}, which other programs obey without asking: check whether you want that"
    ));
}

fn is_obeyed(file: &str) -> bool {
    let (folders, name) = file.rsplit_once('/').unwrap_or(("", file));
    let is_obeyed = |folder: &str| OBEYED_FOLDERS.iter().any(|known| folder.eq_ignore_ascii_case(known));
    OBEYED_FILES.iter().any(|known| name.eq_ignore_ascii_case(known))
        || folders.split('/').any(is_obeyed)
        || [".github/workflows/", ".github/actions/"].iter().any(|known| file.starts_with(known))
}

async fn onto_branch(
    context: &CommandContext,
    location: &RepoLocation,
    work: &Work,
    args: &MergeArgs,
    (id, message): (&MissionId, &str),
) -> Result<Merged, CliError> {
    // A linked work tree of the same repository is where the person is; its branch is meant.
    let is_here = workspace::same_repository(&context.here, &location.source).await;
    let folder = if is_here { &context.here } else { &location.source };
    let wish = Merge { folder, mission: &id.0, commit: &work.commit, message, squash: args.squash };
    workspace::merge(&wish).await.map_err(|error| {
        let hint = if matches!(error, WorkspaceError::Clash { .. }) {
            Some(format!(
                "nothing was changed; `git merge refs/arbiter/{id}` lets you decide, \
                 `arbiter merge {id} --patch FILE` writes a patch"
            ))
        } else if matches!(error, WorkspaceError::Uncommitted { .. }) && location.snapshot {
            Some(format!(
                "the mission began from these changes: commit them or `git stash -u` them, \
                 or take only its own work with `arbiter merge {id} --patch FILE`"
            ))
        } else {
            None
        };
        with_hint(error, hint)
    })
}

/// Writes the files into a folder without a repository; false if there was nothing to write.
async fn in_place(location: &RepoLocation, work: &Work, id: &MissionId) -> Result<bool, CliError> {
    let written =
        workspace::write_in_place(&location.source, &location.project, &location.base, &work.commit).await;
    let files = written.map_err(|error| {
        let hint = matches!(error, WorkspaceError::Uncommitted { .. }).then(|| {
            format!("these files changed since the mission began; `arbiter merge {id} --patch FILE` writes its work as a patch")
        });
        with_hint(error, hint)
    })?;
    console::line(match files.len() {
        0 => format!("nothing to merge: the folder has all of mission {id}"),
        many => format!("wrote {many} file(s) of mission {id} into {}", location.project.display()),
    });
    Ok(!files.is_empty())
}

/// Writes the patch to stdout (`-`) or into a new file.
async fn patch(location: &RepoLocation, work: &Work, file: &Path, mission: &Path) -> Result<(), CliError> {
    let disk = |error: io::Error| {
        CliError::new(ExitCode::Failed, format!("cannot write {}: {error}", file.display()))
            .hint("is there room on the disk, and may you write there?")
    };
    let name = format!(".patch-{:016x}", host::dice());
    if file.as_os_str() == "-" {
        let scrap = mission.join(name);
        let written = workspace::write_patch(&location.source, &location.base, &work.commit, &scrap).await;
        let printed = fs::File::open(&scrap).and_then(console::print);
        let _ = fs::remove_file(&scrap);
        written?;
        // A reader may close the pipe early, as `head` does.
        return match printed {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(disk(error)),
            Ok(_) | Err(_) => Ok(()),
        };
    }
    let is_there = host::files::is_there(file).map_err(|error| {
        CliError::new(ExitCode::Failed, format!("cannot look at {}: {error}", file.display()))
            .hint("nothing was written; name another file")
    })?;
    if is_there {
        return Err(CliError::new(ExitCode::Usage, format!("{} exists already", file.display()))
            .hint("name another file, or remove this one first"));
    }
    let folder = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    let scrap: PathBuf = folder.unwrap_or(Path::new(".")).join(name);
    let written = workspace::write_patch(&location.source, &location.base, &work.commit, &scrap).await;
    if let Err(error) = written {
        let _ = fs::remove_file(&scrap);
        return Err(error.into());
    }
    fs::rename(&scrap, file).map_err(disk)?;
    console::line(format!("wrote {} file(s) as a patch to {}", work.files.len(), file.display()));
    console::remark(format!("hint: git apply --3way {}", file.display()));
    Ok(())
}

fn tell(id: &MissionId, merged: &Merged, squash: bool) {
    let Merged { branch, commits, files, .. } = merged;
    if merged.from == merged.to {
        return console::line(format!("nothing to merge: {branch} has all of mission {id}"));
    }
    let how = match (squash, merged.is_forward) {
        (true, _) => "as one commit",
        (false, true) => "fast-forward",
        (false, false) => "by a merge commit",
    };
    let short = |commit: &str| commit.get(..12).unwrap_or(commit).to_owned();
    console::line(format!(
        "{branch} has mission {id}: {commits} commit(s), {} file(s) changed, {how}",
        files.len()
    ));
    console::line(format!("{}..{}", short(&merged.from), short(&merged.to)));
    if let Some(path) = merged.submodules.first() {
        let (many, path) = (merged.submodules.len(), console::printable(path));
        console::remark(format!("note: {many} submodule(s) moved, such as {path}"));
        console::remark("hint: git submodule update --init --recursive");
    }
}

/// Says how the merged commit was verified.
fn vouch(state: &State, commit: &str) -> String {
    let short = commit.get(..12).unwrap_or(commit);
    let checked = state.receipts.iter().filter(|receipt| *receipt.commit == *commit).count();
    match &state.ended {
        Some(Ended::Completed(Proof::Proven)) if checked > 0 => {
            format!("proven: {checked} check(s) passed on commit {short}")
        }
        Some(Ended::Completed(Proof::VerifiedByAgent)) => {
            format!("note: commit {short} was verified by an agent only; no check is configured")
        }
        Some(Ended::Completed(Proof::Proven)) => {
            format!("note: commit {short} was not verified: the checks passed on another commit")
        }
        Some(Ended::Failed(_) | Ended::Exhausted(_) | Ended::PlanOnly { .. }) => {
            format!("note: not verified: the mission did not reach its end; {short} is what it left")
        }
        Some(Ended::Cancelled(_)) => {
            format!("note: not verified: the mission was cancelled; {short} is what it left")
        }
        None => format!("note: not verified: the mission is not complete; {short} is what there is so far"),
    }
}

fn with_hint(error: WorkspaceError, hint: Option<String>) -> CliError {
    let mut cli_error = CliError::from(error);
    cli_error.hint = hint.or(cli_error.hint);
    cli_error
}

fn by_hand(id: &MissionId) -> String {
    format!("its work is in refs/arbiter/{id}: `git merge refs/arbiter/{id}`")
}
