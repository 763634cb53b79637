//! The ways of other people's git: configurations that would change what Arbiter does, versions that cannot, and programs
//! that do not answer. Each is told as what it is, or does not matter.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Instant;

use sim::{DEMO, Ran, Theatre};

use crate::mission::{CHECK, WORK, assert_refused, newest, put, repository, run, run_in, write_script};

/// Writes the user's own git configuration.
fn configure(theatre: &Theatre, text: &str) {
    fs::write(theatre.path().join("home/.gitconfig"), text).expect("a file");
}

/// A `PATH` that begins with a git of this script, in which `$GIT` is the real one.
pub fn path_with(theatre: &Theatre, script: &str) -> String {
    let path = std::env::var("PATH").expect("a path");
    let real = std::env::split_paths(&path).map(|place| place.join("git")).find(|file| file.is_file());
    let folder = theatre.path().join("bin");
    fs::create_dir_all(&folder).expect("a folder");
    let git = folder.join("git");
    let real = real.expect("git is installed");
    fs::write(&git, format!("#!/bin/sh\nGIT={}\n{script}\n", real.display())).expect("a script");
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).expect("set");
    format!("{}:{path}", folder.display())
}

/// A mission of the project, and the demo.
fn begin(theatre: &Theatre, environment: &[(&str, &str)]) -> [Ran; 2] {
    [theatre.rehearsal(&["--headless"]), theatre.command(&DEMO)].map(|mut command| {
        Ran::from(command.envs(environment.iter().copied()).output().expect("the binary starts"))
    })
}

#[test]
fn a_broken_configuration_is_told_as_that() {
    let theatre = repository();
    write_script(&theatre);
    configure(&theatre, "[broken\n");
    let words = ["bad config line 1", "home/.gitconfig", "correct that file"];
    for ran in begin(&theatre, &[]) {
        assert_refused(&ran, 1, &words);
        assert!(!ran.err.contains("not in a git repository"), "{}", ran.err);
    }
    let doctor = theatre.run(&["doctor"]);
    assert!(doctor.out.contains("FAIL  git") && doctor.out.contains(words[2]), "{}", doctor.out);
    assert!(!doctor.out.contains("install git"), "{}", doctor.out);
    assert_eq!(theatre.missions(), Vec::<PathBuf>::new());
}

#[test]
fn a_git_that_is_too_old_is_named_before_anything_is_made() {
    let theatre = repository();
    write_script(&theatre);
    let path = path_with(
        &theatre,
        r#"case "$*" in *version*) echo "git version 1.8.3.1";; *) exec $GIT "$@";; esac"#,
    );
    let environment = [("PATH", path.as_str())];
    let words = ["git version 1.8.3.1 is too old", "install git 2.38"];
    for ran in begin(&theatre, &environment) {
        assert_refused(&ran, 2, &words);
    }
    let doctor = theatre.run_with(&["doctor"], &environment);
    assert!(words.iter().all(|word| doctor.out.contains(word)), "{}", doctor.out);
    assert_eq!(doctor.code, Some(1));
    assert_eq!(theatre.missions(), Vec::<PathBuf>::new());
    assert_eq!(theatre.git(&["for-each-ref", "refs/arbiter", "refs/arbiter-base"]), "");
    // One that cannot be held back from fetching works, and is told of.
    let path = path_with(
        &theatre,
        r#"case "$*" in *version*) echo "git version 2.39.5";; *) exec $GIT "$@";; esac"#,
    );
    let doctor = theatre.run_with(&["doctor"], &[("PATH", &path)]);
    assert!(doctor.out.contains("warn  git            git version 2.39.5"), "{}", doctor.out);
}

#[test]
fn a_git_that_does_not_answer_is_told_of_and_given_up() {
    let theatre = repository();
    let path = path_with(&theatre, "exec sleep 600");
    let began = Instant::now();
    let ran = theatre.run_with(&DEMO, &[("PATH", &path)]);
    assert_refused(&ran, 1, &["git has not ended after 5 s", "took more than 10 s", "command -v git"]);
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
    theatre.assert_nobody_left();
}

#[test]
fn settings_that_would_stop_a_mission_do_not_matter() {
    let theatre = repository();
    let hooks = theatre.path().join("template/hooks");
    fs::create_dir_all(&hooks).expect("a folder");
    let ran = theatre.path().join("ran");
    for hook in ["reference-transaction", "post-checkout", "post-index-change", "post-commit"] {
        let file = hooks.join(hook);
        fs::write(&file, format!("#!/bin/sh\necho {hook} >> {}\n", ran.display())).expect("a hook");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("set");
    }
    let world = theatre.path().display();
    configure(
        &theatre,
        &format!(
            "[core]\n\thooksPath = {world}/template/hooks\n[protocol]\n\tallow = never\n[protocol \"file\"]\n\tallow = never\n\
             [url \"https://nowhere.invalid/\"]\n\tinsteadOf = /\n\tinsteadOf = {world}/\n\
             [init]\n\ttemplateDir = {world}/template\n\tdefaultRefFormat = reftable\n\
             [clone]\n\trejectShallow = true\n[fetch]\n\tprune = true\n\twriteCommitGraph = true\n"
        ),
    );
    let id = run(&theatre, &[]);
    assert!(!ran.exists(), "a hook ran: {}", fs::read_to_string(&ran).unwrap_or_default());
    let merged = theatre.run(&["merge", &id]);
    assert_eq!(merged.code, Some(0), "{}", merged.err);
    let second = run_in(&theatre, &theatre.project(), WORK, CHECK, &[]);
    assert_eq!(second.code, Some(0), "{}", second.err);
    let ran_by = theatre.run(&["discard", &newest(&theatre), "--yes"]);
    assert_eq!(ran_by.code, Some(0), "{}", ran_by.err);
    assert!(!ran.exists(), "a hook ran: {}", fs::read_to_string(&ran).unwrap_or_default());
}

#[test]
fn line_ends_of_the_users_liking_do_not_change_what_is_checked() {
    let theatre = repository();
    // The sum is that of "text\n", and its own file must be read as it was committed too.
    put(&theatre, "sums", "b9e68e1bea3e5b19ca6b2f98b73a54b73daafaa250484902e09982e07a12e733  README.md\n");
    theatre.git(&["add", "sums"]);
    theatre.git(&["commit", "--quiet", "-m", "sums"]);
    configure(&theatre, "[core]\n\tautocrlf = true\n\teol = crlf\n");
    let check = r#"["sha256sum", "--check", "--strict", "sums"]"#;
    let ran = run_in(&theatre, &theatre.project(), WORK, check, &[]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let id = newest(&theatre);
    let clone = theatre.clone_of(&id);
    assert_eq!(fs::read(clone.join("README.md")).expect("a file"), b"text\n");
    // In the user's own tree the user's liking counts, and the tree is clean.
    let merged = theatre.run(&["merge", &id]);
    assert_eq!(merged.code, Some(0), "{}", merged.err);
    assert_eq!(fs::read(theatre.project().join("work.txt")).expect("a file"), b"done\r\n");
    assert_eq!(theatre.git(&["status", "--porcelain", "--untracked-files=no"]), "");
}

#[test]
fn a_line_break_in_the_folders_name_is_told_before_anything_is_made() {
    let theatre = repository();
    let folder = theatre.path().join("two\nlines");
    fs::rename(theatre.project(), &folder).expect("renamed");
    fs::create_dir(theatre.project()).expect("a folder");
    let ran = run_in(&theatre, &folder, WORK, CHECK, &[]);
    assert_refused(&ran, 2, &["line break", "rename the folder"]);
    assert!(!folder.join(".arbiter/missions").exists());
}

#[test]
fn a_ref_with_the_name_of_our_folder_is_told_before_anything_is_made() {
    for reference in ["refs/arbiter", "refs/arbiter-base"] {
        let theatre = repository();
        theatre.git(&["update-ref", reference, "HEAD"]);
        let ran = run_in(&theatre, &theatre.project(), WORK, CHECK, &[]);
        assert_refused(&ran, 2, &[&format!("has a ref named {reference}"), "update-ref -d"]);
        assert_eq!(theatre.missions(), Vec::<PathBuf>::new());
        theatre.git(&["update-ref", "-d", reference]);
        run(&theatre, &[]);
    }
}
