//! `arbiter merge`: onto a branch, into a folder, into a patch; and everything that stops it before anything is changed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use arbiter::mission::fact_log::FactLog;
use sim::{Ran, Theatre};

use crate::mission::{
    CHECK, WORK, assert_refused, newest, picture, put, repository, run, run_in, run_unfinished,
};
use crate::theatre;

fn head(theatre: &Theatre) -> String {
    theatre.git(&["rev-parse", "HEAD"])
}

fn commit(theatre: &Theatre, name: &str, text: &str) {
    put(theatre, name, text);
    theatre.git(&["add", name]);
    theatre.git(&["commit", "--quiet", "-m", name]);
}

#[test]
fn the_branch_moves_forward_where_it_can() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    // Untracked files are in nobody's way, and the user's hooks are not ours to run.
    put(&theatre, "notes.txt", "notes\n");
    for hook in ["post-merge", "pre-merge-commit", "post-checkout", "reference-transaction"] {
        let hook = theatre.project().join(".git/hooks").join(hook);
        fs::write(&hook, "#!/bin/sh\ntouch ran\n").expect("a hook");
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("set");
    }
    theatre.git(&["config", "branch.main.mergeOptions", "--squash --no-commit"]);
    theatre.git(&["-c", "core.hooksPath=/dev/null", "status"]);
    let ran = theatre.run(&["merge", &id[id.len() - 4..]]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains(&format!("main has mission {id}: 1 commit(s), 1 file(s) changed, fast-forward"))
    );
    assert!(ran.err.contains("proven: 1 check(s) passed"), "{}", ran.err);
    assert!(!theatre.project().join("ran").exists());
    let _ = fs::remove_dir_all(theatre.project().join(".git/hooks"));
    assert_eq!(head(&theatre), theatre.git(&["rev-parse", &format!("refs/arbiter/{id}")]));
    assert_eq!(theatre.git(&["status", "--porcelain"]), "?? notes.txt\n");
    assert!(theatre.git(&["reflog", "-1"]).contains("arbiter merge"));
    let again = theatre.run(&["merge", &id]);
    assert!(again.out.contains("nothing to merge: main has all"), "{}", again.out);
}

#[test]
fn a_branch_that_moved_on_gets_a_merge_commit_or_one_of_its_own() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    commit(&theatre, "other.txt", "other\n");
    let before = head(&theatre);
    let ran = theatre.run(&["merge", &id]);
    assert!(ran.code == Some(0) && ran.out.contains("by a merge commit"), "{}{}", ran.out, ran.err);
    assert_eq!(theatre.git(&["rev-parse", "HEAD^1"]), before);
    assert_eq!(
        theatre.git(&["log", "-1", "--format=%s %an"]),
        format!("Merge mission {id}: Do the work. Tester\n")
    );
    assert_eq!(theatre.git(&["status", "--porcelain"]), "");
    theatre.git(&["reset", "--quiet", "--hard", before.trim()]);
    let ran = theatre.run(&["merge", &id, "--squash"]);
    assert!(ran.code == Some(0) && ran.out.contains("as one commit"), "{}{}", ran.out, ran.err);
    assert_eq!(theatre.git(&["log", "-1", "--format=%P"]), before);
    assert_eq!(theatre.git(&["status", "--porcelain"]), "");
    // It is all there, if by another history: an empty merge commit would tell nothing.
    let after = head(&theatre);
    for flags in [[].as_slice(), &["--squash"]] {
        let ran = theatre.run(&[["merge", id.as_str()].as_slice(), flags].concat());
        assert!(ran.code == Some(2) && ran.out.contains("nothing to merge"), "{}{}", ran.out, ran.err);
        assert_eq!(head(&theatre), after);
    }
}

#[test]
fn files_that_programs_obey_are_named_and_no_name_moves_the_cursor() {
    let theatre = repository();
    let steps = r#"{run: [sh, -c, 'mkdir -p sub/.claude .github/workflows; echo x > .envrc; \
        echo x > "sub/.claude/$(printf "a\\033[2J\\nerror: b")"; echo x > .github/workflows/ci.yml']},
        {write: work.txt, text: "done\n"}, {commit: "Do the work"}"#;
    let ran = run_in(&theatre, &theatre.project(), steps, CHECK, &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let id = newest(&theatre);
    let ran = theatre.run(&["merge", &id]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("note: the work changes .envrc and 2 more, which"), "{}", ran.err);
    // Something is in the way of the file with the strange name.
    theatre.git(&["reset", "--quiet", "--hard", "HEAD^"]);
    let strange = "sub/.claude/a\u{1b}[2J\nerror: b";
    put(&theatre, strange, "mine\n");
    let ran = theatre.run(&["merge", &id]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("a[2J") && !ran.err.contains('\u{1b}'), "{}", ran.err);
}

#[test]
fn a_conflict_changes_nothing() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    commit(&theatre, "work.txt", "mine\n");
    let before = picture(&theatre.project());
    let ran = theatre.run(&["merge", &id]);
    assert_refused(&ran, 1, &["work.txt", &format!("git merge refs/arbiter/{id}"), "--patch"]);
    assert_eq!(picture(&theatre.project()), before);
}

#[test]
fn what_is_in_the_way_is_named_and_kept() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    let refused = |words: &[&str]| {
        let before = picture(&theatre.project());
        assert_refused(&theatre.run(&["merge", &id]), 2, words);
        assert_eq!(picture(&theatre.project()), before);
    };
    put(&theatre, "README.md", "edited\n");
    refused(&["uncommitted changes", "README.md", "git stash"]);
    theatre.git(&["checkout", "--quiet", "README.md"]);
    put(&theatre, "work.txt", "mine\n");
    refused(&["in no commit are in the way", "work.txt"]);
    fs::remove_file(theatre.project().join("work.txt")).expect("removed");
    put(&theatre, ".git/MERGE_HEAD", &head(&theatre));
    refused(&["in the middle of a merge", "git merge --abort"]);
    fs::remove_file(theatre.project().join(".git/MERGE_HEAD")).expect("removed");
    fs::create_dir(theatre.project().join(".git/rebase-merge")).expect("a folder");
    refused(&["in the middle of a rebase", "git rebase --abort"]);
    fs::remove_dir(theatre.project().join(".git/rebase-merge")).expect("removed");
    theatre.git(&["checkout", "--quiet", "--detach"]);
    refused(&["HEAD is detached", "git switch"]);
    theatre.git(&["checkout", "--quiet", "--orphan", "fresh"]);
    theatre.git(&["rm", "-rfq", "--cached", "."]);
    refused(&["a branch without a commit"]);
}

#[test]
fn a_patch_carries_binary_files() {
    let theatre = repository();
    let steps = r#"{run: [sh, -c, 'printf "a\000b\377" > raw.bin; git mv plan.md moved.md']},
        {write: work.txt, text: "done\n"}, {commit: "Do the work"}"#;
    let ran = run_in(&theatre, &theatre.project(), steps, CHECK, &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let id = newest(&theatre);
    theatre.git(&["config", "diff.noprefix", "true"]);
    let file = theatre.path().join("the work.patch").display().to_string();
    let ran = theatre.run(&["merge", &id, "--patch", &file]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_refused(&theatre.run(&["merge", &id, "--patch", &file]), 2, &["exists already"]);
    let printed = theatre.command(&["merge", &id, "--patch"]).output().expect("it starts");
    assert_eq!(printed.stdout, fs::read(&file).expect("a patch"));
    theatre.git(&["config", "--unset", "diff.noprefix"]);
    theatre.git(&["apply", "--index", &file]);
    assert_eq!(fs::read(theatre.project().join("raw.bin")).expect("applied"), b"a\0b\xff");
    assert_eq!(
        theatre.git(&["write-tree"]),
        theatre.git(&["rev-parse", &format!("refs/arbiter/{id}^{{tree}}")])
    );
}

#[test]
fn what_is_not_verified_is_said_to_be_so() {
    let theatre = repository();
    let id = run_unfinished(&theatre, WORK);
    // A commit that the fallen house did not fetch is found.
    let clone = theatre.clone_of(&id);
    fs::write(clone.join("late.txt"), "late\n").expect("a file");
    theatre.git_in(&clone, &["add", "-A"]);
    theatre.git_in(&clone, &["commit", "--quiet", "-m", "late"]);
    let ran = theatre.run(&["merge", &id]);
    assert!(ran.code == Some(0) && ran.out.contains("2 commit(s)"), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("note: not verified: the mission is not complete"), "{}", ran.err);
    let empty = run_unfinished(&theatre, "{tool: Read, on: a.md}");
    assert_refused(&theatre.run(&["merge", &empty]), 2, &["has committed nothing yet"]);
}

#[test]
fn a_running_mission_is_merged_only_by_name() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    let lock = FactLog::open(&theatre.journal_of(&theatre.mission())).expect("held by us");
    assert_refused(&theatre.run(&["merge", &id]), 2, &["is running", "--anyway"]);
    assert_refused(&theatre.run(&["discard", &id, "--yes"]), 2, &["is running", "cancel"]);
    assert_eq!(theatre.run(&["merge", &id, "--anyway"]).code, Some(0));
    drop(lock);
}

#[test]
fn only_a_person_merges_and_only_their_own_missions() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    for command in [vec!["merge", &id], vec!["discard", &id, "--yes"]] {
        let ran = theatre.run_with(&command, &[("ARBITER_MARK_1", "1")]);
        assert_refused(&ran, 2, &["cannot speak for a human"]);
    }
    fs::remove_dir_all(theatre.path().join("home/.arbiter")).expect("the list is forgotten");
    for command in [vec!["merge", &id], vec!["discard", &id, "--yes"]] {
        assert_refused(&theatre.run(&command), 2, &["not begun by you"]);
    }
}

#[test]
fn a_bare_repository_keeps_the_work_until_a_work_tree_takes_it() {
    let theatre = repository();
    let world = theatre.path().to_path_buf();
    let origin = theatre.project().display().to_string();
    theatre.git_in(&world, &["clone", "--quiet", "--bare", &origin, "bare.git"]);
    let bare = world.join("bare.git");
    let ran = run_in(&theatre, &bare, WORK, CHECK, &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let id = newest(&theatre);
    let merge =
        |folder| Ran::from(theatre.command(&["merge", &id]).current_dir(folder).output().expect("it starts"));
    assert_refused(&merge(&bare), 2, &["bare repository", "git branch NAME"]);
    theatre.git_in(&bare, &["worktree", "add", "--quiet", "../linked", "-b", "side"]);
    let linked = world.join("linked");
    let ran = merge(&linked);
    assert!(ran.code == Some(0) && ran.out.contains("side has mission"), "{}{}", ran.out, ran.err);
    assert_eq!(fs::read_to_string(linked.join("work.txt")).expect("merged"), "done\n");
}

#[test]
fn work_in_place_is_written_into_the_folder() {
    let theatre = theatre();
    put(&theatre, "keep.txt", "keep\n");
    put(&theatre, "old.txt", "old\n");
    // Two things that git could stumble over: its own caution, and a repository inside that has no commit.
    theatre.git_in(theatre.path(), &["config", "--global", "safe.bareRepository", "explicit"]);
    theatre.git(&["init", "--quiet", "inside"]);
    let steps =
        r#"{write: work.txt, text: "done\n"}, {run: [git, rm, -q, old.txt]}, {commit: "Do the work"}"#;
    let before = picture(&theatre.project());
    let ran = run_in(&theatre, &theatre.project(), steps, CHECK, &["--in-place"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    assert!(ran.err.contains("inside is a repository of its own"), "{}", ran.err);
    assert_eq!(picture(&theatre.project()), before);
    assert!(!theatre.project().join(".git").exists());
    let id = newest(&theatre);
    put(&theatre, "old.txt", "changed\n");
    put(&theatre, "work.txt", "mine\n");
    assert_refused(&theatre.run(&["merge", &id]), 2, &["old.txt", "work.txt", "--patch"]);
    assert_eq!(fs::read_to_string(theatre.project().join("work.txt")).expect("kept"), "mine\n");
    // As if a merge had fallen half-way: what is written already is no hindrance.
    put(&theatre, "old.txt", "old\n");
    put(&theatre, "work.txt", "done\n");
    let ran = theatre.run(&["merge", &id]);
    assert!(ran.code == Some(0) && ran.out.contains("wrote 1 file(s)"), "{}{}", ran.out, ran.err);
    assert!(!theatre.project().join("old.txt").exists());
    assert_eq!(fs::read_to_string(theatre.project().join("keep.txt")).expect("kept"), "keep\n");
    let again = theatre.run(&["merge", &id]);
    assert!(again.out.contains("nothing to merge"), "{}", again.out);
    // The next mission begins from what is there now.
    let second = run(&theatre, &["--in-place"]);
    let ran = theatre.run(&["merge", &second]);
    assert_refused(&ran, 2, &["has committed nothing"]);
    let ran = theatre.run(&["discard", &id, "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let hint =
        ran.err.lines().find_map(|line| line.strip_prefix("hint: `git -C ")).expect("how to get it back");
    let (own, _) = hint.split_once(" branch NAME").expect("a command");
    let work = format!("refs/arbiter/salvage/{id}:work.txt");
    assert_eq!(theatre.git_in(std::path::Path::new(own), &["show", &work]), "done\n");
}

#[test]
fn work_that_would_write_over_what_we_keep_is_refused() {
    let theatre = theatre();
    put(&theatre, "a.txt", "a\n");
    let steps = r#"{write: work.txt, text: "done\n"},
        {run: [sh, -c, 'mkdir -p .arbiter; echo evil > .arbiter/.gitignore; echo x > .arbiter/config.yaml']},
        {run: [git, add, --force, .arbiter/.gitignore, .arbiter/config.yaml]}, {commit: "Do the work"}"#;
    let ran = run_in(&theatre, &theatre.project(), steps, CHECK, &["--in-place"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let id = newest(&theatre);
    assert_refused(&theatre.run(&["merge", &id]), 2, &[".arbiter/.gitignore"]);
    assert!(!theatre.project().join("work.txt").exists());
    let patch = theatre.run(&["merge", &id, "--patch"]);
    assert!(patch.err.contains("the work changes .arbiter/.gitignore and 1 more"), "{}", patch.err);
}

/// A patch that nobody reads to the end is no defect.
#[test]
fn a_reader_of_a_patch_may_go_away() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    let mut command: Command = theatre.command(&["merge", &id, "--patch"]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}
