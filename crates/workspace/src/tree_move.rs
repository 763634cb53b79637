//! Moves a work tree from one commit to another so that it is moved as a whole or stays as it was. All new files are
//! written beside first, by git itself, which shows that there is room for them and that they can be made; then files only
//! change places, old ones to the desk and new ones from it, and what fails is put back the same way. What is on the desk
//! tells a later process how far a killed one came.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::desk::Desk;
use super::error::WorkspaceError;
use super::git::Git;
use super::limits::{GIT_ANSWER_BYTES_MAX, MERGE_ROOM_BYTES_MIN};

/// One file that differs between the two commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileMove {
    /// Relative to the top folder.
    pub(super) path: PathBuf,
    /// What the tree shows before.
    pub(super) old: FileKind,
    /// What it shows afterwards.
    pub(super) new: FileKind,
}

/// What a commit has at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    Nothing,
    /// A file or a link.
    File,
    /// Another repository's place: a folder that is not ours to fill.
    Submodule,
}

/// The files that differ between two commits or trees.
pub(super) async fn moves(git: &Git, from: &str, to: &str) -> Result<Vec<FileMove>, WorkspaceError> {
    let doing = "compare two commits";
    let arguments = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--end-of-options", from, to];
    let answer = git.ask(doing, &arguments).await?.succeeded(doing)?;
    if answer.output.len() >= GIT_ANSWER_BYTES_MAX {
        return Err(WorkspaceError::Git { doing: doing.into(), said: "too many files differ".into() });
    }
    let fields: Vec<&[u8]> = answer.output.split(|byte| *byte == 0).collect();
    let (pairs, _) = fields.as_chunks::<2>();
    // `:MODE MODE NAME NAME LETTER`
    let kind = |mode: Option<&[u8]>| match mode {
        Some(b"000000") | None => FileKind::Nothing,
        Some(b"160000") => FileKind::Submodule,
        Some(_) => FileKind::File,
    };
    let read = |[change, path]: &[&[u8]; 2]| FileMove {
        path: PathBuf::from(std::ffi::OsStr::from_bytes(path)),
        old: kind(change.get(1..7)),
        new: kind(change.get(8..14)),
    };
    Ok(pairs.iter().map(read).collect())
}

/// Writes all new files to the desk with the git of `door`, as it would write them into the tree: line ends, filters,
/// rights. It fails before anything of the user's is touched.
pub(super) async fn write_beside(
    desk: &Desk,
    door: &Path,
    to: &str,
    moves: &[FileMove],
) -> Result<(), WorkspaceError> {
    let names: Vec<&Path> =
        moves.iter().filter(|file| file.new == FileKind::File).map(|file| file.path.as_path()).collect();
    desk.make(&desk.new_files())?;
    if !names.is_empty() {
        let mut list = Vec::new();
        for name in &names {
            list.extend(name.as_os_str().as_bytes());
            list.push(0);
        }
        let git = Git::over(door, &desk.new_files()).with_index(&desk.folder().join("trial"));
        let git = git.set("submodule.recurse=false").literal().patient();
        refuse_no_room(&git, desk, to, moves).await?;
        git.run("read the new commit", &["read-tree", to])
            .await
            .map_err(|error| is_full(desk.root(), error))?;
        let file = desk.folder().join("names");
        fs::write(&file, list).map_err(|error| no_room(desk.root(), error))?;
        let mut arguments: Vec<std::ffi::OsString> = [
            "restore",
            "--worktree",
            "--ignore-skip-worktree-bits",
            "--no-recurse-submodules",
            "--pathspec-file-nul",
        ]
        .iter()
        .map(Into::into)
        .collect();
        arguments.push(format!("--source={to}").into());
        let mut from = std::ffi::OsString::from("--pathspec-from-file=");
        from.push(&file);
        arguments.push(from);
        let written = git.run("write the files beside", &arguments).await;
        written.map_err(|error| is_full(desk.root(), error))?;
    }
    for name in names {
        let file = desk.new_files().join(name);
        let found = fs::symlink_metadata(&file).map_err(WorkspaceError::disk(&file))?;
        if found.is_dir() {
            return Err(WorkspaceError::disk(&file)(io::ErrorKind::IsADirectory.into()));
        }
    }
    // What is still to be written is small: an index, a line in a log.
    need(desk.root(), MERGE_ROOM_BYTES_MIN)
}

/// Holds the sizes of the new files against the room that there is. What filters make of them is seen when they are
/// written.
async fn refuse_no_room(git: &Git, desk: &Desk, to: &str, moves: &[FileMove]) -> Result<(), WorkspaceError> {
    let doing = "read the sizes of the files";
    let answer = git.ask(doing, &["ls-tree", "-r", "-l", "-z", "--full-tree", to]).await?.succeeded(doing)?;
    let wanted: BTreeSet<&Path> =
        moves.iter().filter(|file| file.new == FileKind::File).map(|file| file.path.as_path()).collect();
    let mut bytes = 2 * MERGE_ROOM_BYTES_MIN;
    // `MODE TYPE NAME SIZE<tab>PATH`
    for entry in answer.output.split(|byte| *byte == 0) {
        let Some(tab) = entry.iter().position(|byte| *byte == b'\t') else { continue };
        let path = Path::new(std::ffi::OsStr::from_bytes(&entry[tab + 1..]));
        if wanted.contains(path) {
            let head = String::from_utf8_lossy(&entry[..tab]);
            let size: u64 = head.split_whitespace().last().and_then(|size| size.parse().ok()).unwrap_or(0);
            bytes = bytes.saturating_add(size.next_multiple_of(4096));
        }
    }
    need(desk.root(), bytes)
}

fn need(root: &Path, bytes: u64) -> Result<(), WorkspaceError> {
    let room = rustix::fs::statvfs(root)
        .map_err(|error| WorkspaceError::Unreadable { path: root.to_path_buf(), source: error.into() })?;
    if room.f_bavail.saturating_mul(room.f_frsize) < bytes {
        return Err(no_room(root, io::ErrorKind::StorageFull.into()));
    }
    Ok(())
}

/// A git that found the disk full says so in the system's words.
pub(super) fn is_full(root: &Path, error: WorkspaceError) -> WorkspaceError {
    let words = ["No space left on device", "Disk quota exceeded", "File too large", "signal 25"];
    let is_full = matches!(&error, WorkspaceError::Git { said, .. } if words.iter().any(|word| said.contains(word)))
        || matches!(&error, WorkspaceError::Disk { source, .. } if source.kind() == io::ErrorKind::StorageFull);
    if is_full { no_room(root, io::ErrorKind::StorageFull.into()) } else { error }
}

fn no_room(root: &Path, source: io::Error) -> WorkspaceError {
    WorkspaceError::NoRoom { root: root.to_path_buf(), source }
}

/// Refuses what would be in the way: the tree is as the old commit has it, and nothing else lies where new files belong.
pub(super) fn refuse_obstacles(root: &Path, moves: &[FileMove]) -> Result<(), WorkspaceError> {
    let mut in_the_way = Vec::new();
    for FileMove { path, old, new } in moves {
        let is_old =
            |place: &Path| moves.iter().any(|file| file.old != FileKind::Nothing && file.path == place);
        // A link or a file on the way that no commit has would lead the new file elsewhere, or be lost.
        let leads = path.ancestors().skip(1).filter(|place| !place.as_os_str().is_empty());
        for place in leads.filter(|_| *new != FileKind::Nothing) {
            if look(&root.join(place))?.is_some_and(|found| !found.is_dir()) && !is_old(place) {
                in_the_way.push(place.display().to_string());
            }
        }
        let found = look(&root.join(path))?;
        if *old == FileKind::Nothing && *new == FileKind::File && found.is_some_and(|found| !found.is_dir()) {
            in_the_way.push(path.display().to_string());
        }
    }
    if in_the_way.is_empty() {
        return Ok(());
    }
    in_the_way.dedup();
    Err(WorkspaceError::Uncommitted { root: root.to_path_buf(), files: in_the_way, is_untracked: true })
}

/// Changes places: all old files to the desk, then all new ones into the tree.
pub(super) fn change_places(desk: &Desk, moves: &[FileMove]) -> Result<(), WorkspaceError> {
    for file in moves.iter().filter(|file| file.old == FileKind::File) {
        let (shown, aside) = (desk.root().join(&file.path), desk.old_files().join(&file.path));
        // In a tree that shows only a part of the commit, it need not be there.
        if look(&shown)?.is_some() {
            desk.make(aside.parent().unwrap_or(desk.folder()))?;
            rename(&shown, &aside)?;
        }
    }
    for file in moves.iter().filter(|file| file.old != FileKind::Nothing && file.new == FileKind::Nothing) {
        if file.old == FileKind::Submodule {
            // It stays if it holds anything.
            let _ = fs::remove_dir(desk.root().join(&file.path));
        }
        prune(desk.root(), &file.path);
    }
    for file in moves {
        let place = desk.root().join(&file.path);
        match file.new {
            FileKind::Nothing => {}
            FileKind::Submodule => desk.make(&place)?,
            FileKind::File => {
                desk.make(place.parent().unwrap_or(desk.root()))?;
                if look(&place)?.is_some_and(|found| found.is_dir()) {
                    // An empty folder is nothing; any other stops the move.
                    fs::remove_dir(&place).map_err(WorkspaceError::disk(&place))?;
                }
                rename(&desk.new_files().join(&file.path), &place)?;
            }
        }
    }
    Ok(())
}

/// Puts everything back that changed places, as far as it came. May be called again.
pub(super) fn put_back(desk: &Desk, moves: &[FileMove]) -> Result<(), WorkspaceError> {
    for file in moves.iter().filter(|file| file.new == FileKind::File) {
        let (beside, place) = (desk.new_files().join(&file.path), desk.root().join(&file.path));
        let is_moved = look(&beside)?.is_none();
        if is_moved && look(&place)?.is_some() && !is_put_back(desk, file)? {
            desk.make(beside.parent().unwrap_or(desk.folder()))?;
            rename(&place, &beside)?;
            prune(desk.root(), &file.path);
        }
    }
    for file in moves.iter().filter(|file| file.new == FileKind::Submodule && file.old == FileKind::Nothing) {
        let _ = fs::remove_dir(desk.root().join(&file.path));
        prune(desk.root(), &file.path);
    }
    for file in moves.iter().filter(|file| file.old == FileKind::Submodule && file.new != FileKind::Submodule)
    {
        desk.make(&desk.root().join(&file.path))?;
    }
    for file in moves.iter().filter(|file| file.old == FileKind::File) {
        let (aside, place) = (desk.old_files().join(&file.path), desk.root().join(&file.path));
        if look(&aside)?.is_some() {
            if look(&place)?.is_some_and(|found| found.is_dir()) {
                fs::remove_dir(&place).map_err(WorkspaceError::disk(&place))?;
            }
            desk.make(place.parent().unwrap_or(desk.root()))?;
            rename(&aside, &place)?;
        }
    }
    Ok(())
}

/// The names of files that are not as they should be after the move: old ones that are left, new ones that are missing.
pub(super) fn misplaced(desk: &Desk, moves: &[FileMove]) -> Result<Vec<String>, WorkspaceError> {
    let mut wrong = Vec::new();
    for FileMove { path, old, new } in moves {
        let found = look(&desk.root().join(path))?;
        let is_right = match new {
            FileKind::File => {
                found.is_some_and(|found| !found.is_dir()) && look(&desk.new_files().join(path))?.is_none()
            }
            FileKind::Submodule => true,
            FileKind::Nothing => *old == FileKind::Submodule || found.is_none_or(|found| found.is_dir()),
        };
        if !is_right {
            wrong.push(path.display().to_string());
        }
    }
    Ok(wrong)
}

/// An old file that is where it belongs again, though the new one is no longer on the desk: it is not taken for the new.
fn is_put_back(desk: &Desk, file: &FileMove) -> Result<bool, WorkspaceError> {
    Ok(file.old == FileKind::File && look(&desk.old_files().join(&file.path))?.is_none())
}

/// What is at a path; nothing where there is nothing. What the disk does not tell is an error.
fn look(path: &Path) -> Result<Option<fs::Metadata>, WorkspaceError> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(source) => Err(WorkspaceError::Unreadable { path: path.to_path_buf(), source }),
    }
}

fn rename(from: &Path, to: &Path) -> Result<(), WorkspaceError> {
    fs::rename(from, to).map_err(WorkspaceError::disk(to))
}

/// Removes the folders above `path` that are empty now, as git does.
fn prune(root: &Path, path: &Path) {
    for folder in path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
        if fs::remove_dir(root.join(folder)).is_err() {
            return;
        }
    }
}
