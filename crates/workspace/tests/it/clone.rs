//! The clone and its source.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use workspace::{WorkspaceError, fetch_back, inspect, leave_out, preflight, prepare, put_scroll, scratch};

use super::{House, commit, git};

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_without_repository_gets_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    for place in [folder.path().to_path_buf(), folder.path().join("missing")] {
        let error = preflight(&place).await.unwrap_err();
        assert!(matches!(error, WorkspaceError::NoRepository { .. }), "{error}");
        assert!(error.hint().unwrap().contains("git init"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repository_without_commit_gets_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "--quiet"]);
    let error = preflight(folder.path()).await.unwrap_err();
    assert!(matches!(error, WorkspaceError::NoCommit { .. }), "{error}");
    assert!(error.hint().unwrap().contains("git commit"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dirty_tree_is_named_file_by_file() {
    let house = House::new().await;
    assert!(house.base.dirty.is_empty());
    fs::write(house.source().join("readme.md"), "changed\n").unwrap();
    fs::write(house.source().join("new file.txt"), "new\n").unwrap();
    let base = preflight(&house.source().join("src")).await.unwrap();
    assert_eq!(base.root, house.source());
    assert_eq!(base.dirty, ["readme.md", "new file.txt"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clone_is_on_its_own_branch_at_the_base() {
    let house = House::new().await;
    assert_eq!(house.clone.branch, "arbiter/m1");
    assert_eq!(git(&house.clone.folder, &["symbolic-ref", "--short", "HEAD"]), "arbiter/m1");
    assert_eq!(git(&house.clone.folder, &["rev-parse", "HEAD"]), house.base.commit);
    assert_eq!(git(&house.clone.folder, &["status", "--porcelain"]), "");
    assert_eq!(git(&house.clone.folder, &["remote"]), "", "a push must not find the user's branches");
    assert_eq!(fs::read_to_string(house.clone.folder.join("src/lib.rs")).unwrap(), "//! x\n");
    git(&house.clone.folder, &["config", "user.name"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clone_takes_over_the_name_set_in_the_source() {
    let house = House::new().await;
    git(house.source(), &["config", "user.name", "Ada"]);
    let folder = house.folder.path().join("clones/m2");
    prepare(house.source(), &house.base.commit, &folder, "m2").await.unwrap();
    assert_eq!(git(&folder, &["config", "--local", "user.name"]), "Ada");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_clone_is_left_as_it_is() {
    let house = House::new().await;
    let work = commit(&house.clone.folder, "work.txt", "done\n");
    fs::write(house.clone.folder.join("open.txt"), "half\n").unwrap();
    let before = inspect(&house.clone.folder).await.unwrap();
    let again = prepare(house.source(), &house.base.commit, &house.clone.folder, "m1").await.unwrap();
    assert_eq!(again, house.clone);
    assert_eq!(inspect(&house.clone.folder).await.unwrap(), before);
    assert_eq!(before.commit, work);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_before_the_rename_is_mended() {
    let house = House::new().await;
    let making = house.clone.folder.with_file_name(".m1.making");
    fs::rename(&house.clone.folder, &making).unwrap();
    fs::remove_file(making.join(".git/HEAD")).unwrap();
    let again = prepare(house.source(), &house.base.commit, &house.clone.folder, "m1").await.unwrap();
    assert_eq!(again, house.clone);
    assert!(!making.exists());
    assert_eq!(inspect(&again.folder).await.unwrap().commit, house.base.commit);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_somebody_else_put_there_is_not_overwritten() {
    let house = House::new().await;
    let folder = house.folder.path().join("clones/m2");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("mine.txt"), "keep\n").unwrap();
    let error = prepare(house.source(), &house.base.commit, &folder, "m2").await.unwrap_err();
    assert!(matches!(error, WorkspaceError::Occupied { .. }), "{error}");
    let error = scratch(&folder, &[]).await.unwrap_err();
    assert!(matches!(error, WorkspaceError::Occupied { .. }), "{error}");
    assert_eq!(fs::read_to_string(folder.join("mine.txt")).unwrap(), "keep\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scratch_repository_is_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("demo");
    let first = scratch(&place, &[("a/b.txt", "1\n")]).await.unwrap();
    assert_eq!(git(&place, &["symbolic-ref", "--short", "HEAD"]), "main");
    let moved = commit(&place, "more.txt", "2\n");
    let second = scratch(&place, &[("a/b.txt", "other\n")]).await.unwrap();
    assert_eq!((first.dirty.len(), second.dirty.len()), (0, 0));
    assert_eq!(second.commit, moved);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_work_comes_back_and_the_users_tree_stays() {
    let house = House::new().await;
    fs::write(house.source().join("readme.md"), "my edit\n").unwrap();
    fs::write(house.source().join("staged.txt"), "staged\n").unwrap();
    git(house.source(), &["add", "staged.txt"]);
    let before = picture(house.source());
    preflight(house.source()).await.unwrap();
    let folder = house.folder.path().join("clones/m2");
    prepare(house.source(), &house.base.commit, &folder, "m2").await.unwrap();
    put_scroll(&folder, "scroll\n").await.unwrap();
    let work = commit(&folder, "work.txt", "done\n");
    inspect(&folder).await.unwrap();
    assert_eq!(fetch_back(house.source(), &folder, "m2", None).await.unwrap(), work);
    assert_eq!(git(house.source(), &["rev-parse", "refs/arbiter/m2"]), work);
    assert_eq!(git(house.source(), &["rev-parse", "refs/arbiter/m1"]), house.base.commit);
    assert_eq!(picture(house.source()), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn thrown_away_work_stays_in_the_log_of_the_ref() {
    let house = House::new().await;
    let work = commit(&house.clone.folder, "work.txt", "done\n");
    house.fetch_back().await.unwrap();
    git(&house.clone.folder, &["reset", "--quiet", "--hard", &house.base.commit]);
    assert_eq!(house.fetch_back().await.unwrap(), house.base.commit);
    assert_eq!(git(house.source(), &["rev-parse", "refs/arbiter/m1@{1}"]), work);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_base_survives_the_collection_of_garbage() {
    let house = House::new().await;
    git(house.source(), &["commit", "--quiet", "--amend", "--message", "rewritten"]);
    git(&house.clone.folder, &["checkout", "--quiet", "--orphan", "fresh"]);
    git(&house.clone.folder, &["commit", "--quiet", "--message", "no parent"]);
    git(&house.clone.folder, &["branch", "--quiet", "--force", "arbiter/m1"]);
    house.fetch_back().await.unwrap();
    git(house.source(), &["reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all"]);
    git(house.source(), &["gc", "--quiet", "--prune=now"]);
    git(house.source(), &["cat-file", "-e", &house.base.commit]);
    git(&house.clone.folder, &["fsck", "--connectivity-only"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_sees_every_kind_of_change() {
    let house = House::new().await;
    let folder = &house.clone.folder;
    let mut seen = vec![inspect(folder).await.unwrap()];
    assert!(!seen[0].dirty);
    assert_eq!(inspect(folder).await.unwrap(), seen[0]);

    fs::write(folder.join("readme.md"), "one\n").unwrap();
    seen.push(inspect(folder).await.unwrap());
    fs::write(folder.join("readme.md"), "two\n").unwrap();
    seen.push(inspect(folder).await.unwrap());
    fs::write(folder.join("new.txt"), "1\n").unwrap();
    seen.push(inspect(folder).await.unwrap());
    fs::write(folder.join("new.txt"), "12\n").unwrap();
    seen.push(inspect(folder).await.unwrap());
    git(folder, &["add", "--all"]);
    seen.push(inspect(folder).await.unwrap());
    assert!(seen[1..].iter().all(|tree| tree.dirty && tree.commit == house.base.commit));

    let commit = commit(folder, "new.txt", "12\n");
    seen.push(inspect(folder).await.unwrap());
    assert_eq!((seen[6].dirty, &seen[6].commit), (false, &commit));
    let mut fingerprints: Vec<&String> = seen.iter().map(|tree| &tree.fingerprint).collect();
    fingerprints.sort();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), seen.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_a_repository_names_is_run() {
    let house = House::new().await;
    let folder = &house.clone.folder;
    let trace = house.folder.path().join("trace");
    let program = house.folder.path().join("program");
    let script = format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat\n", trace.display());
    write_program(&program, &script);
    let hooks =
        ["post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc", "fsmonitor-watchman"];
    for (place, hook) in [house.source(), folder].iter().flat_map(|place| hooks.map(|hook| (place, hook))) {
        write_program(&place.join(".git/hooks").join(hook), &script);
    }
    fs::write(folder.join(".git/info/attributes"), "* filter=a=b diff=x\n").unwrap();
    let program = program.display().to_string();
    let keys = [
        "core.fsmonitor",
        "filter.a=b.clean",
        "filter.a=b.process",
        "diff.x.textconv",
        "diff.x.command",
        "diff.external",
    ];
    for key in keys {
        let config = folder.join(".git/config").display().to_string();
        git(house.folder.path(), &["config", "--file", &config, key, &program]);
    }
    let config = folder.join(".git/config").display().to_string();
    git(house.folder.path(), &["config", "--file", &config, "filter.a=b.required", "true"]);
    fs::write(folder.join("readme.md"), "changed\n").unwrap();

    assert!(inspect(folder).await.unwrap().dirty);
    house.fetch_back().await.unwrap();
    preflight(house.source()).await.unwrap();
    prepare(house.source(), &house.base.commit, &house.folder.path().join("clones/m2"), "m2").await.unwrap();
    assert_eq!(fs::read_to_string(&trace).unwrap_or_default(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clone_bent_to_the_users_repository_is_refused() {
    let house = House::new().await;
    let door = house.clone.folder.join(".git");
    fs::rename(&door, house.folder.path().join("away")).unwrap();
    fs::write(&door, format!("gitdir: {}\n", house.source().join(".git").display())).unwrap();
    assert!(matches!(inspect(&house.clone.folder).await, Err(WorkspaceError::Bent { .. })));
    fs::remove_file(&door).unwrap();
    symlink(house.source().join(".git"), &door).unwrap();
    assert!(matches!(inspect(&house.clone.folder).await, Err(WorkspaceError::Bent { .. })));
    assert!(matches!(house.fetch_back().await, Err(WorkspaceError::Bent { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_scroll_stays_inside_the_clone() {
    let house = House::new().await;
    put_scroll(&house.clone.folder, "one\n").await.unwrap();
    put_scroll(&house.clone.folder, "two\n").await.unwrap();
    assert_eq!(fs::read_to_string(house.clone.folder.join(".arbiter/scroll.md")).unwrap(), "two\n");
    assert!(!inspect(&house.clone.folder).await.unwrap().dirty);

    let outside = house.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::remove_dir_all(house.clone.folder.join(".arbiter")).unwrap();
    symlink(&outside, house.clone.folder.join(".arbiter")).unwrap();
    assert!(matches!(put_scroll(&house.clone.folder, "three\n").await, Err(WorkspaceError::Bent { .. })));
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}

fn write_program(path: &Path, script: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, script).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// All that is the user's: files, index, HEAD, branches, configuration. Objects and our own refs are ours to add.
fn picture(source: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![source.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let text = entry.to_string_lossy().into_owned();
            if [".git/objects", "refs/arbiter"].iter().any(|ours| text.contains(ours)) {
                continue;
            }
            if entry.is_dir() {
                folders.push(entry);
            } else {
                files.insert(entry.clone(), fs::read(&entry).unwrap());
            }
        }
    }
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn what_programs_leave_in_the_clone_is_in_no_commit() {
    let house = House::new().await;
    let folder = &house.clone.folder;
    fs::create_dir_all(folder.join(".tool")).unwrap();
    commit(folder, ".tool/settings.json", "{}\n");
    for _ in 0..2 {
        leave_out(folder, &["/.tool/trees/", "/.tool/settings.json", "/.tool/local.json"]).unwrap();
    }
    let excluded = fs::read_to_string(folder.join(".git/info/exclude")).unwrap();
    assert_eq!(excluded.matches("/.tool/trees/").count(), 1, "{excluded}");
    assert_eq!(excluded.matches("/.arbiter/").count(), 1, "{excluded}");

    git(folder, &["worktree", "add", "--quiet", "-b", "aside", ".tool/trees/one"]);
    fs::write(folder.join(".tool/local.json"), "{}\n").unwrap();
    assert!(!inspect(folder).await.unwrap().dirty, "leavings make no tree dirty");
    // What the project tracks is still its own.
    fs::write(folder.join(".tool/settings.json"), "{\"a\": 1}\n").unwrap();
    assert!(inspect(folder).await.unwrap().dirty);
    git(folder, &["add", "--all"]);
    let staged = git(folder, &["diff", "--cached", "--name-only"]);
    assert_eq!(staged, ".tool/settings.json");
}
