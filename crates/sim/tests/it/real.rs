//! A test that needs what is missing here: how it is told, recorded and counted.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use sim::real::{SKIPS, at_hand, missing};

/// Runs the test of this name again, in a process of its own, with this variable beside `SKIPS`.
fn again(test: &str, folder: &Path, required: bool) -> Output {
    let mut command = Command::new(env::current_exe().expect("we know ourselves"));
    command.args(["--exact", test]).env("COMET", "1").env(SKIPS, folder).env_remove("ARBITER_REQUIRE_REAL");
    if required {
        command.env("ARBITER_REQUIRE_REAL", "1");
    }
    command.output().expect("we can be started")
}

fn records(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).expect("the folder is there").flatten();
    let mut records: Vec<_> = files.map(|file| fs::read_to_string(file.path()).expect("a record")).collect();
    records.sort();
    records
}

#[test]
fn what_is_missing_is_told_and_recorded() {
    if env::var_os("COMET").is_some() {
        return missing("a comet", "none\nis due");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let output = again("real::what_is_missing_is_told_and_recorded", folder.path(), false);
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        told.contains(
            "SKIPPED real::what_is_missing_is_told_and_recorded: a comet is missing: none is due\n"
        ),
        "{told}"
    );
    let record = "it\nreal::what_is_missing_is_told_and_recorded\na comet is missing: none is due\n";
    assert_eq!(records(folder.path()), [record]);
}

#[test]
fn where_everything_is_required_it_fails() {
    if env::var_os("COMET").is_some() {
        return missing("a comet", "none is due");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let output = again("real::where_everything_is_required_it_fails", folder.path(), true);
    assert!(!output.status.success());
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("a comet is missing, and ARBITER_REQUIRE_REAL=1: none is due"), "{told}");
    assert_eq!(records(folder.path()), [""; 0]);
}

#[test]
fn what_is_here_is_used_and_the_rest_is_missing() {
    if env::var_os("COMET").is_some() {
        let here = at_hand([("the sun", None), ("a comet", Some("none is due")), ("the moon", None)]);
        return assert_eq!(here, ["the sun", "the moon"]);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let output = again("real::what_is_here_is_used_and_the_rest_is_missing", folder.path(), false);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(records(folder.path()).len(), 1);
}
