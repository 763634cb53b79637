//! Uncommitted files as a commit: what is taken along, from where, and what stays.

use std::fs;
use std::path::Path;

use workspace::{Snapshot, take_along};

use super::{House, commit, git};

fn names(root: &Path, snapshot: &Snapshot) -> String {
    git(root, &["diff", "--name-status", "--no-renames", "HEAD", &snapshot.commit]).replace('\t', " ")
}

/// Adds a repository of its own at `name`, as a submodule with one commit.
fn add_submodule(house: &House, name: &str) {
    let root = house.source();
    let origin = house.folder.path().join(format!("{name}-origin"));
    fs::create_dir(&origin).unwrap();
    git(&origin, &["init", "--quiet", "-b", "main"]);
    commit(&origin, "code.txt", "1\n");
    let origin = origin.display().to_string();
    git(root, &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &origin, name]);
    git(root, &["commit", "--quiet", "-m", "a submodule"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_submodule_goes_along_by_its_commit_and_what_is_not_in_one_is_named() {
    let house = House::new().await;
    let root = house.source();
    add_submodule(&house, "moved");
    add_submodule(&house, "edited");
    let moved = commit(&root.join("moved"), "code.txt", "2\n");
    fs::write(root.join("edited/code.txt"), "3\n").unwrap();
    let snapshot = take_along(root).await.unwrap();
    assert_eq!(names(root, &snapshot), "M moved");
    assert_eq!(git(root, &["rev-parse", &format!("{}:moved", snapshot.commit)]), moved);
    assert_eq!(snapshot.left, ["edited"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repository_inside_is_left_out_and_named() {
    let house = House::new().await;
    let root = house.source();
    let nested = root.join("nested");
    fs::create_dir(&nested).unwrap();
    git(&nested, &["init", "--quiet"]);
    commit(&nested, "a.txt", "a\n");
    git(root, &["init", "--quiet", "with*out a commit"]);
    fs::write(root.join("mine.txt"), "mine\n").unwrap();
    let snapshot = take_along(root).await.unwrap();
    assert_eq!(names(root, &snapshot), "A mine.txt");
    assert_eq!(snapshot.left, ["nested", "with*out a commit"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_only_not_checked_out_are_not_taken_for_deleted() {
    let house = House::new().await;
    let root = house.source();
    commit(root, "top.txt", "1\n");
    git(root, &["sparse-checkout", "set", "--cone"]);
    assert!(!root.join("src/lib.rs").exists());
    fs::write(root.join("top.txt"), "2\n").unwrap();
    assert_eq!(names(root, &take_along(root).await.unwrap()), "M top.txt");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_split_index_and_a_linked_work_tree_stay_as_they_are() {
    let house = House::new().await;
    git(house.source(), &["config", "core.splitIndex", "true"]);
    let linked = house.folder.path().join("linked");
    git(house.source(), &["worktree", "add", "--quiet", &linked.display().to_string()]);
    fs::write(linked.join("staged.txt"), "1\n").unwrap();
    git(&linked, &["add", "staged.txt"]);
    fs::write(linked.join("new.txt"), "1\n").unwrap();
    let door = house.source().join(".git/worktrees/linked");
    let before = (fs::read(door.join("index")).unwrap(), count(&door), count(&house.source().join(".git")));
    let snapshot = take_along(&linked).await.unwrap();
    assert_eq!(names(&linked, &snapshot), "A new.txt\nA staged.txt");
    let after = (fs::read(door.join("index")).unwrap(), count(&door), count(&house.source().join(".git")));
    assert_eq!(after, before);
    assert_eq!(git(&linked, &["status", "--porcelain"]), "A  staged.txt\n?? new.txt");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_name_of_the_users_the_commit_carries_ours() {
    let house = House::new().await;
    git(house.source(), &["config", "user.useConfigOnly", "true"]);
    fs::write(house.source().join("new.txt"), "1\n").unwrap();
    let snapshot = take_along(house.source()).await.unwrap();
    let author = git(house.source(), &["log", "-1", "--format=%an", &snapshot.commit]);
    let known = std::process::Command::new("git").args(["config", "--get", "user.name"]).output().unwrap();
    let known = String::from_utf8(known.stdout).unwrap();
    assert_eq!(author, if known.is_empty() { "Arbiter" } else { known.trim() });
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}
