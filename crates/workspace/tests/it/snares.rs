//! Snares that an agent can lay in its clone for whoever looks at it later: nothing of the agent's runs, nothing of the
//! user's is written, and nobody waits for ever.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tokio::time::timeout;
use workspace::{WorkspaceError, inspect, prepare, salvage, stand_at};

use super::{House, commit, git};

const PATIENCE: Duration = Duration::from_secs(20);

/// A program that leaves a trace.
fn program(house: &House) -> (String, PathBuf) {
    let (program, trace) = (house.folder.path().join("evil.sh"), house.folder.path().join("trace"));
    fs::write(&program, format!("#!/bin/sh\necho ran >> '{}'\ntimeout 2 cat\n", trace.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (program.display().to_string(), trace)
}

fn pipe(path: &Path) {
    let _ = fs::remove_file(path);
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Every file and link below `folder`.
fn picture(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
            match entry.file_type().unwrap() {
                kind if kind.is_dir() => folders.push(entry.path()),
                kind if kind.is_symlink() => {
                    let target = fs::read_link(entry.path()).unwrap();
                    files.insert(entry.path(), target.into_os_string().into_encoded_bytes());
                }
                _ => _ = files.insert(entry.path(), fs::read(entry.path()).unwrap()),
            }
        }
    }
    files
}

/// A repository inside the clone, whose own configuration names `program` for everything.
fn nested(house: &House, program: &str) -> PathBuf {
    let place = house.clone.folder.join("nested");
    fs::create_dir(&place).unwrap();
    git(&place, &["init", "--quiet"]);
    commit(&place, "a.txt", "a\n");
    git(&house.clone.folder, &["add", "nested"]);
    commit(&house.clone.folder, "b.txt", "b\n");
    fs::write(place.join(".git/info/attributes"), "* filter=evil diff=evil\n").unwrap();
    for key in ["filter.evil.clean", "diff.external", "diff.evil.command", "diff.evil.textconv"] {
        git(&place, &["config", key, program]);
    }
    // Another time than in the index: whoever asks has to read it.
    fs::write(place.join("a.txt"), "z\n").unwrap();
    place
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clone_that_lacks_objects_asks_nobody_for_them() {
    let house = House::new().await;
    let (program, trace) = program(&house);
    let config = house.clone.folder.join(".git/config");
    let url = format!("ext::{program}");
    for (key, value) in [
        ("core.repositoryformatversion", "1"),
        ("extensions.partialClone", "evil"),
        ("remote.evil.promisor", "true"),
        ("remote.evil.url", &url),
        ("protocol.ext.allow", "always"),
        ("protocol.allow", "always"),
    ] {
        git(house.folder.path(), &["config", "--file", &config.display().to_string(), key, value]);
    }
    fs::write(house.clone.folder.join(".git/HEAD"), format!("{}\n", "1234".repeat(10))).unwrap();
    house.fetch_back().await.unwrap_err();
    inspect(&house.clone.folder).await.unwrap_err();
    salvage(house.source(), &house.clone.folder, "m1", None).await.unwrap_err();
    assert!(!trace.exists(), "a program of the agent's ran");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repository_inside_the_clone_is_not_entered() {
    let house = House::new().await;
    let (program, trace) = program(&house);
    let place = nested(&house, &program);
    let refused = salvage(house.source(), &house.clone.folder, "m1", None).await.unwrap_err();
    assert!(matches!(refused, WorkspaceError::Nested { .. }), "{refused}");
    assert!(!trace.exists(), "its filter ran");

    git(&place, &["-c", "filter.evil.clean=cat", "commit", "--quiet", "--all", "--message", "moved"]);
    let _ = fs::remove_file(&trace);
    for (key, value) in [("diff.submodule", "diff"), ("status.submoduleSummary", "true")] {
        git(&house.clone.folder, &["config", key, value]);
    }
    assert!(inspect(&house.clone.folder).await.unwrap().dirty);
    assert!(!trace.exists(), "its difference was shown by its own program");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_salvage_writes_nothing_in_the_clone_nor_through_it() {
    let house = House::new().await;
    let folder = &house.clone.folder;
    commit(folder, "work.txt", "done\n");
    fs::write(folder.join("open.txt"), "half\n").unwrap();
    let precious = house.folder.path().join("bashrc");
    fs::write(&precious, "mine\n").unwrap();
    git(folder, &["config", "user.name", "$(touch ~/P)"]);
    git(folder, &["config", "core.logAllRefUpdates", "always"]);
    fs::create_dir_all(folder.join(".git/logs/refs/heads")).unwrap();
    for name in ["refs/arbiter-salvage", "refs/heads/salvage"] {
        symlink(&precious, folder.join(".git/logs").join(name)).unwrap();
    }
    let before = picture(folder);
    let kept = salvage(house.source(), folder, "m1", None).await.unwrap();
    assert!(kept.has_uncommitted);
    assert_eq!(fs::read_to_string(&precious).unwrap(), "mine\n");
    assert_eq!(picture(folder), before);
    let show = |name: &str| git(house.source(), &["show", &format!("{}:{name}", kept.reference)]);
    assert_eq!((show("work.txt").as_str(), show("open.txt").as_str()), ("done", "half"));
    git(house.source(), &["fsck", "--strict", "--connectivity-only", &kept.commit]);
    assert!(!git(house.source(), &["log", "-1", "--format=%an", &kept.commit]).contains("touch"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_submodule_is_salvaged_by_the_commit_that_it_shows() {
    let house = House::new().await;
    let module = house.folder.path().join("module");
    fs::create_dir(&module).unwrap();
    git(&module, &["init", "--quiet"]);
    let old = commit(&module, "a.txt", "1\n");
    let new = commit(&module, "a.txt", "2\n");
    let from = module.display().to_string();
    git(house.source(), &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &from, "lib"]);
    git(&house.source().join("lib"), &["checkout", "--quiet", &old]);
    let base = commit(house.source(), "b.txt", "b\n");
    let clone = prepare(house.source(), &base, &house.folder.path().join("clones/m4"), "m4").await.unwrap();
    let inside = clone.folder.join("lib");
    assert_eq!(git(&inside, &["rev-parse", "HEAD"]), old);
    let kept = salvage(house.source(), &clone.folder, "m4", None).await.unwrap();
    assert_eq!((kept.has_uncommitted, &kept.commit), (false, &base));
    git(&inside, &["checkout", "--quiet", &new]);
    let kept = salvage(house.source(), &clone.folder, "m4", None).await.unwrap();
    assert!(kept.has_uncommitted);
    assert_eq!(git(house.source(), &["rev-parse", &format!("{}:lib", kept.reference)]), new);
    fs::remove_dir_all(&inside).unwrap();
    let kept = salvage(house.source(), &clone.folder, "m4", None).await.unwrap();
    let files = git(house.source(), &["ls-tree", "--name-only", &kept.reference]);
    assert!(!files.lines().any(|name| name == "lib"), "{files}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clone_with_a_cut_history_is_salvaged() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::new().await;
    commit(house.source(), "more.txt", "more\n");
    let source = folder.path().join("shallow");
    let url = format!("file://{}", house.source().display());
    git(folder.path(), &["clone", "--quiet", "--depth=1", &url, "shallow"]);
    let base = git(&source, &["rev-parse", "HEAD"]);
    let clone = prepare(&source, &base, &folder.path().join("clones/m3"), "m3").await.unwrap();
    commit(&clone.folder, "work.txt", "done\n");
    fs::write(clone.folder.join("open.txt"), "half\n").unwrap();
    let kept = salvage(&source, &clone.folder, "m3", None).await.unwrap();
    assert_eq!(git(&source, &["show", &format!("{}:open.txt", kept.reference)]), "half");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pipe_in_the_place_of_a_mark_keeps_nobody_waiting() {
    let house = House::new().await;
    let stand = house.stand(&house.base.commit);
    stand_at(&stand).await.unwrap();
    pipe(&stand.folder.join(".git/arbiter-proof"));
    timeout(PATIENCE, stand_at(&stand)).await.expect("it does not wait").unwrap();
    pipe(&house.clone.folder.join(".git/arbiter-base"));
    let again = prepare(house.source(), &house.base.commit, &house.clone.folder, "m1");
    let refused = timeout(PATIENCE, again).await.expect("it does not wait").unwrap_err();
    assert!(matches!(refused, WorkspaceError::Occupied { .. }), "{refused}");
}
