//! Brings a mission's work onto the user's branch. The merge is made beside the work tree and moved in only when it is
//! whole (`carry`): what does not fit, or fails, leaves everything as it was. No hook runs.

use std::ffi::OsString;
use std::path::Path;

use super::carry::{CarriedTree, EarlierMerge};
use super::clone::work_ref;
use super::desk::Desk;
use super::error::WorkspaceError;
use super::folder::changed;
use super::git::Git;
use super::preflight::{path_of, root_of};
use super::refs::find;
use super::snapshot::commit_tree;
use super::submodule::is_there;
use super::tree_move::{FileKind, FileMove, moves, refuse_obstacles};

/// A mission's work as it lies in a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// The commit that `refs/arbiter/<mission>` shows.
    pub commit: String,
    /// How many commits it is ahead of its base.
    pub commits: u64,
    /// The files that differ from the base.
    pub files: Vec<String>,
}

/// What is to be merged, and how.
#[derive(Debug, Clone)]
pub struct Merge<'a> {
    /// Any folder of the work tree that receives the work.
    pub folder: &'a Path,
    pub mission: &'a str,
    /// The commit to merge.
    pub commit: &'a str,
    /// The message of the merge commit.
    pub message: &'a str,
    /// As one commit of the user's, without the history.
    pub squash: bool,
}

/// What a merge did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    pub branch: String,
    pub from: String,
    /// The same as `from` if the branch had all of it before.
    pub to: String,
    /// How many commits were merged.
    pub commits: u64,
    pub files: Vec<String>,
    /// Submodules that should show another commit; their own files were not touched.
    pub submodules: Vec<String>,
    /// The branch only moved forward; no merge commit was needed.
    pub is_forward: bool,
    /// A merge whose process was killed was put back or finished first.
    pub earlier: Option<EarlierMerge>,
}

/// The work of `mission` since `base`, if there is any ref of it.
pub async fn work_of(source: &Path, base: &str, mission: &str) -> Result<Option<Work>, WorkspaceError> {
    let git = Git::at(source);
    let Some(commit) = find(&git, &work_ref(mission)).await? else { return Ok(None) };
    let files = changed(&git, base, &commit).await?;
    let commits = count(&git, base, &commit).await?;
    Ok(Some(Work { commit, commits, files }))
}

/// Whether both folders belong to one repository.
pub async fn same_repository(one: &Path, other: &Path) -> bool {
    let (one, other) = (common(one).await, common(other).await);
    one.is_some() && one == other
}

/// Merges the work into the branch that the work tree is on.
pub async fn merge(wish: &Merge<'_>) -> Result<Merged, WorkspaceError> {
    let (root, bare) = root_of(wish.folder).await?;
    let engaged = |state: &str, instead: String| WorkspaceError::Engaged {
        root: root.clone(),
        state: state.to_owned(),
        instead,
    };
    let reference = work_ref(wish.mission);
    if bare {
        let instead =
            format!("`git branch NAME {reference}` gives it a name there, `--patch FILE` writes a patch");
        return Err(engaged("is a bare repository without files to merge into", instead));
    }
    let git = Git::at(&root).patient().set("submodule.recurse=false");
    let place = async |name: &[&str]| {
        let doing = "find the repository";
        let found = git.ask(doing, &[&["rev-parse"], name].concat()).await?.succeeded(doing)?;
        Ok::<_, WorkspaceError>(root.join(path_of(&found)))
    };
    let (door, index) = (place(&["--absolute-git-dir"]).await?, place(&["--git-path", "index"]).await?);
    let desk = Desk::take(&door, &root)?;
    let tree = CarriedTree { git: &git, desk: &desk, door: &door, index: &index };
    let earlier = tree.recover().await?;
    if let Some((state, instead)) = under_way(&git, &root).await? {
        return Err(engaged(state, instead.to_owned()));
    }
    let head = git.ask("read HEAD", &["symbolic-ref", "--quiet", "HEAD"]).await?.text();
    let Some(branch) = head.strip_prefix("refs/heads/").map(str::to_owned) else {
        let instead = "`git switch BRANCH` chooses the branch that takes the work".to_owned();
        return Err(engaged("is on no branch (HEAD is detached)", instead));
    };
    let Some(from) = find(&git, "HEAD").await? else {
        let instead = format!("`git reset --hard {reference}` takes the work as it is");
        return Err(engaged("is on a branch without a commit", instead));
    };
    refuse_changes(&git, &root).await?;
    let commits = count(&git, &from, wish.commit).await?;
    if commits == 0 {
        let (files, submodules) = (Vec::new(), Vec::new());
        return Ok(Merged {
            branch,
            to: from.clone(),
            from,
            commits,
            files,
            submodules,
            is_forward: true,
            earlier,
        });
    }
    let Some((to, is_forward)) = target(&git, wish, &branch, &from).await? else {
        // The history is another, the files are the same: it came over as one commit before.
        let (files, submodules) = (Vec::new(), Vec::new());
        return Ok(Merged {
            branch,
            to: from.clone(),
            from,
            commits,
            files,
            submodules,
            is_forward: false,
            earlier,
        });
    };
    let moves = moves(&git, &from, &to).await?;
    let named = |file: &FileMove| file.path.to_string_lossy().into_owned();
    let files = moves.iter().map(named).collect();
    let submodules = moves.iter().filter(|file| file.new == FileKind::Submodule).map(named).collect();
    refuse_obstacles(&root, &moves)?;
    tree.carry_over(&from, &to, moves, &format!("arbiter merge {}", wish.mission)).await?;
    Ok(Merged { branch, from, to, commits, files, submodules, is_forward, earlier })
}

/// Writes the difference between two commits into `file`, in a form that `git apply` takes, binary files included.
pub async fn write_patch(source: &Path, base: &str, commit: &str, file: &Path) -> Result<(), WorkspaceError> {
    let mut output = OsString::from("--output=");
    output.push(std::path::absolute(file).map_err(WorkspaceError::disk(file))?);
    let options = ["diff-tree", "-p", "-r", "--binary", "--full-index", "--no-color", "--no-ext-diff"];
    let mut arguments: Vec<OsString> = options.iter().map(OsString::from).collect();
    arguments.extend(["--no-textconv".into(), "--src-prefix=a/".into(), "--dst-prefix=b/".into(), output]);
    arguments.extend([base.into(), commit.into()]);
    Git::at(source).patient().run("write the patch", &arguments).await?;
    Ok(())
}

/// The commit that the branch is to show, which is a descendant of what it shows now; none if it would change nothing.
async fn target(
    git: &Git,
    wish: &Merge<'_>,
    branch: &str,
    from: &str,
) -> Result<Option<(String, bool)>, WorkspaceError> {
    let is_ahead = is_ancestor(git, from, wish.commit).await?;
    if is_ahead && !wish.squash {
        return Ok(Some((wish.commit.to_owned(), true)));
    }
    let doing = "merge the work";
    let arguments = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", from, wish.commit];
    let answer = git.ask(doing, &arguments).await?;
    let mut fields = answer.output.split(|byte| *byte == 0).filter(|field| !field.is_empty());
    let tree = fields.next().map(|tree| String::from_utf8_lossy(tree).into_owned());
    match (answer.is_success, tree) {
        (true, Some(tree)) => {
            let now = format!("{from}^{{tree}}");
            if git.run(doing, &["rev-parse", "--verify", &now]).await? == tree.trim() {
                return Ok(None);
            }
            let parents = [from, wish.commit];
            let parents = if wish.squash { &parents[..1] } else { &parents[..] };
            Ok(Some((commit_tree(git, tree.trim(), parents, wish.message).await?, false)))
        }
        // With conflicts it names a tree as well, and after it the files.
        (false, Some(_)) => {
            let mut files: Vec<String> =
                fields.map(|file| String::from_utf8_lossy(file).into_owned()).collect();
            files.dedup();
            Err(WorkspaceError::Clash { branch: branch.to_owned(), files })
        }
        (_, None) => Err(WorkspaceError::Git { doing: doing.into(), said: answer.said }),
    }
}

/// What the repository is in the middle of, and what ends it.
async fn under_way(git: &Git, root: &Path) -> Result<Option<(&'static str, &'static str)>, WorkspaceError> {
    const SIGNS: [(&str, &str, &str); 5] = [
        (
            "MERGE_HEAD",
            "is in the middle of a merge",
            "`git merge --continue` or `git merge --abort` ends it",
        ),
        (
            "rebase-merge",
            "is in the middle of a rebase",
            "`git rebase --continue` or `git rebase --abort` ends it",
        ),
        (
            "rebase-apply",
            "is in the middle of a rebase",
            "`git rebase --continue` or `git rebase --abort` ends it",
        ),
        (
            "CHERRY_PICK_HEAD",
            "is in the middle of a cherry-pick",
            "`git cherry-pick --continue` or `git cherry-pick --abort` ends it",
        ),
        (
            "REVERT_HEAD",
            "is in the middle of a revert",
            "`git revert --continue` or `git revert --abort` ends it",
        ),
    ];
    for (sign, state, instead) in SIGNS {
        let found = git.ask("read the state of the repository", &["rev-parse", "--git-path", sign]).await?;
        if is_there(&root.join(path_of(&found))).await? {
            return Ok(Some((state, instead)));
        }
    }
    Ok(None)
}

pub(super) async fn refuse_changes(git: &Git, root: &Path) -> Result<(), WorkspaceError> {
    let arguments = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=no"];
    let doing = "read the state of the files";
    let status = git.ask(doing, &arguments).await?.succeeded(doing)?;
    let files: Vec<String> = super::preflight::paths_of(&status).collect();
    if files.is_empty() {
        return Ok(());
    }
    Err(WorkspaceError::Uncommitted { root: root.to_path_buf(), files, is_untracked: false })
}

pub(super) async fn is_ancestor(git: &Git, old: &str, new: &str) -> Result<bool, WorkspaceError> {
    let arguments = ["merge-base", "--is-ancestor", old, new];
    let doing = "compare two commits";
    git.ask(doing, &arguments).await?.is_yes(doing)
}

async fn count(git: &Git, from: &str, to: &str) -> Result<u64, WorkspaceError> {
    let range = format!("{from}..{to}");
    let text = git.run("count the commits", &["rev-list", "--count", &range]).await?;
    Ok(text.parse().unwrap_or(0))
}

async fn common(folder: &Path) -> Option<std::path::PathBuf> {
    let arguments = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
    let found = Git::at(folder).ask("find the repository", &arguments).await.ok()?;
    found.is_success.then(|| path_of(&found)).and_then(|path| path.canonicalize().ok())
}
