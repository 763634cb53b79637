//! Carries a branch and its work tree over to another commit: the files by `tree_move`, then the branch, then the index. Until
//! the branch has moved everything can be put back; from then on everything can be finished.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::desk::{Desk, MovePlan};
use super::error::WorkspaceError;
use super::git::Git;
use super::index;
use super::merge::refuse_changes;
use super::ref_marks;
use super::refs::find;
use super::snapshot::copy_index;
use super::submodule::is_there;
use super::tree_move::{
    FileKind, FileMove, change_places, is_full, misplaced, put_back, refuse_obstacles, write_beside,
};

/// The work tree that is carried over.
pub(super) struct CarriedTree<'a> {
    pub(super) git: &'a Git,
    pub(super) desk: &'a Desk,
    /// The work tree's own git folder.
    pub(super) door: &'a Path,
    /// The user's index.
    pub(super) index: &'a Path,
}

/// What was made of a merge whose process was killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarlierMerge {
    /// Its files are where they were.
    PutBack,
    /// It had moved the branch, and is whole now.
    Finished,
}

impl CarriedTree<'_> {
    /// Puts back or finishes what a killed process left.
    pub(super) async fn recover(&self) -> Result<Option<EarlierMerge>, WorkspaceError> {
        let (desk, root) = (self.desk, self.desk.root());
        ref_marks::sweep(self.git).await?;
        let Some(plan) = desk.unfinished()? else {
            desk.unlock_index(self.index)?;
            desk.clear()?;
            return Ok(None);
        };
        let stuck = |error: WorkspaceError| half_moved(root, &error);
        let done = match find(self.git, "HEAD").await? {
            Some(head) if head == plan.to => {
                desk.place_index(self.index).map_err(stuck)?;
                EarlierMerge::Finished
            }
            Some(head) if head == plan.from => {
                put_back(desk, &plan.moves).map_err(stuck)?;
                desk.unlock_index(self.index)?;
                EarlierMerge::PutBack
            }
            Some(_) | None => {
                let (root, desk) = (root.to_path_buf(), desk.folder().to_path_buf());
                return Err(WorkspaceError::Interrupted { root, desk });
            }
        };
        let kept = desk.make_durable().await;
        kept.map_err(|error| match done {
            EarlierMerge::Finished => unkept(root, &error),
            EarlierMerge::PutBack => error,
        })?;
        desk.clear()?;
        Ok(Some(done))
    }

    /// Carries over, with `words` in the branch's log. What fails is put back.
    pub(super) async fn carry_over(
        &self,
        from: &str,
        to: &str,
        moves: Vec<FileMove>,
        words: &str,
    ) -> Result<(), WorkspaceError> {
        let desk = self.desk;
        let (from, to) = (from.to_owned(), to.to_owned());
        let mut plan = MovePlan { from, to, moves };
        let ready = async {
            self.get_ready(&mut plan).await?;
            desk.make_durable().await?;
            desk.lock_index(self.index)
        };
        if let Err(error) = ready.await {
            let _ = desk.clear();
            return Err(is_full(desk.root(), error));
        }
        let mut asked = false;
        if let Err(error) = self.move_all(&plan, words, &mut asked).await {
            // A git that was killed may have moved the branch before.
            let head = if asked { find(self.git, "HEAD").await } else { Ok(Some(plan.from.clone())) };
            match head {
                Ok(Some(head)) if head == plan.to => {}
                Ok(Some(head)) if head == plan.from => {
                    let back = put_back(desk, &plan.moves).and_then(|()| desk.unlock_index(self.index));
                    back.map_err(|error| half_moved(desk.root(), &error))?;
                    let _ = desk.clear();
                    return Err(is_full(desk.root(), error));
                }
                Ok(_) => return Err(half_moved(desk.root(), &error)),
                Err(unknown) => return Err(half_moved(desk.root(), &unknown)),
            }
        }
        desk.place_index(self.index).map_err(|error| half_moved(desk.root(), &error))?;
        desk.make_durable().await.map_err(|error| unkept(desk.root(), &error))?;
        // What stays on the desk without a plan is in no one's way.
        let _ = desk.clear();
        Ok(())
    }

    /// All that can be found out and written before anything of the user's is touched.
    async fn get_ready(&self, plan: &mut MovePlan) -> Result<(), WorkspaceError> {
        let desk = self.desk;
        desk.make(desk.folder())?;
        copy_index(self.index, &desk.index())?;
        let own = self.git.clone().with_index(&desk.index());
        let hides = index::hides_files(self.door) != Some(false);
        let before = if hides { overlooked(self.git).await? } else { BTreeSet::new() };
        self.refuse_overlooked(&before, &plan.moves).await?;
        // A file that was touched and is the same would be taken for a changed one.
        own.ask("read the files", &["update-index", "-q", "--refresh"]).await?;
        let doing = "make the new index";
        if hides {
            // Only when git writes files does it say which of them the tree shows: here it writes them for nothing.
            let scrap = desk.folder().join("scrap");
            desk.make(&scrap)?;
            let git = Git::over(self.door, &scrap).with_index(&desk.index()).set("submodule.recurse=false");
            git.patient().run(doing, &["read-tree", "-m", "-u", &plan.from, &plan.to]).await?;
        } else {
            own.run(doing, &["read-tree", "-m", &plan.from, &plan.to]).await?;
        }
        if hides {
            // Files that the user's tree does not show now, and will not show, have no places to change.
            let after = overlooked(&own).await?;
            plan.moves.retain(|file| !before.contains(&file.path) && !after.contains(&file.path));
        }
        write_beside(desk, self.door, &plan.to, &plan.moves).await
    }

    /// A file that git is told to overlook, and that lies there, may hold anything: it stops the merge.
    async fn refuse_overlooked(
        &self,
        overlooked: &BTreeSet<PathBuf>,
        moves: &[FileMove],
    ) -> Result<(), WorkspaceError> {
        let root = self.desk.root();
        let mut files = Vec::new();
        for file in moves.iter().filter(|file| overlooked.contains(&file.path)) {
            if is_there(&root.join(&file.path)).await? {
                files.push(file.path.display().to_string());
            }
        }
        if files.is_empty() {
            return Ok(());
        }
        Err(WorkspaceError::Uncommitted { root: root.to_path_buf(), files, is_untracked: false })
    }

    /// Moves files and branch while the index is locked.
    async fn move_all(&self, plan: &MovePlan, words: &str, asked: &mut bool) -> Result<(), WorkspaceError> {
        let (git, root) = (self.git, self.desk.root());
        // Between the first look and the lock the person may have been at work.
        refuse_changes(git, root).await?;
        if find(git, "HEAD").await?.as_deref() != Some(plan.from.as_str()) {
            let said = "the branch moved in the meantime".to_owned();
            return Err(WorkspaceError::Git { doing: "move the branch".into(), said });
        }
        refuse_obstacles(root, &plan.moves)?;
        self.desk.begin(plan)?;
        change_places(self.desk, &plan.moves)?;
        let own = git.clone().with_index(&self.desk.index());
        verify(&own, self.desk, &plan.to, &plan.moves).await?;
        let doing = "move the branch";
        let branch = git.ask(doing, &["symbolic-ref", "--quiet", "HEAD"]).await?;
        let branch = if branch.is_yes(doing)? { branch.text() } else { "HEAD".to_owned() };
        let move_refs = async {
            git.run("keep the commit before", &["update-ref", "ORIG_HEAD", &plan.from]).await?;
            *asked = true;
            git.run(doing, &["update-ref", "-m", words, "HEAD", &plan.to, &plan.from]).await
        };
        ref_marks::while_locking(git, &["HEAD", "ORIG_HEAD", &branch], move_refs).await?;
        Ok(())
    }
}

/// Holds the moved files against the commit, by the index that `git` has.
pub(super) async fn verify(
    git: &Git,
    desk: &Desk,
    to: &str,
    moves: &[FileMove],
) -> Result<(), WorkspaceError> {
    // The times of the moved files go into the index; whether one differs is asked below.
    git.ask("read the moved files", &["update-index", "-q", "--refresh"]).await?;
    let mut files = misplaced(desk, moves)?;
    let doing = "compare the moved files";
    let differ = ["diff-files", "--name-only", "-z", "--ignore-submodules=all"];
    let answer = git.ask(doing, &differ).await?.succeeded(doing)?;
    let differ: BTreeSet<PathBuf> = paths(&answer.output).collect();
    let ours = moves.iter().filter(|file| file.new == FileKind::File && differ.contains(&file.path));
    files.extend(ours.map(|file| file.path.display().to_string()));
    if !git.ask(doing, &["diff-index", "--cached", "--quiet", to]).await?.is_yes(doing)? {
        files.push("the index".to_owned());
    }
    if files.is_empty() {
        return Ok(());
    }
    Err(WorkspaceError::Misplaced { root: desk.root().to_path_buf(), files })
}

/// The files that an index tells git to overlook.
async fn overlooked(git: &Git) -> Result<BTreeSet<PathBuf>, WorkspaceError> {
    let doing = "read the index";
    let answer = git.ask(doing, &["ls-files", "-v", "-z"]).await?.succeeded(doing)?;
    let entries = answer.output.split(|byte| *byte == 0);
    let hidden =
        entries.filter(|entry| entry.first().is_some_and(|tag| *tag == b'S' || tag.is_ascii_lowercase()));
    Ok(hidden.filter_map(|entry| paths(entry.get(2..)?).next()).collect())
}

fn paths(names: &[u8]) -> impl Iterator<Item = PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names.map(|name| PathBuf::from(std::ffi::OsStr::from_bytes(name)))
}

pub(super) fn half_moved(root: &Path, why: &WorkspaceError) -> WorkspaceError {
    WorkspaceError::HalfMoved { root: root.to_path_buf(), why: with_source(why) }
}

fn unkept(root: &Path, why: &WorkspaceError) -> WorkspaceError {
    WorkspaceError::Unkept { root: root.to_path_buf(), why: with_source(why) }
}

fn with_source(error: &WorkspaceError) -> String {
    let source = std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    format!("{error}{source}")
}
