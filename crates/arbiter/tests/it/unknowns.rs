//! A name that cannot be looked at is no name that is free: nothing is written over it, and nothing untrue is told of it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use sim::{BridgeScript, REHEARSAL, Theatre};

use crate::BINARY;

/// A link that leads nowhere is there too: what it names is not ours to make.
#[test]
fn a_link_in_the_place_of_the_gitignore_is_left_alone() {
    let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing());
    let elsewhere = theatre.path().join("elsewhere");
    fs::create_dir_all(theatre.project().join(".arbiter")).expect("a folder");
    symlink(&elsewhere, theatre.project().join(".arbiter/.gitignore")).expect("a link");
    let ran = theatre.rehearse(&["--headless", "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!elsewhere.exists(), "it was written through the link");
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod traced {
    use std::path::PathBuf;
    use std::process::Command;

    use sim::faults::{self, CallOrder, CallWatcher, TracedCall, TracedEnd, TracedProcess};

    use super::*;

    /// "Input/output error".
    const EIO: i32 = 5;

    /// A name at which the disk fails to look: calls that ask what it is, or open it to read.
    struct Unreadable(PathBuf);

    impl CallWatcher for Unreadable {
        fn follows(&self, process: &TracedProcess) -> bool {
            process.is_root
        }

        fn entering(&mut self, call: &TracedCall) -> CallOrder {
            let writes = ["rename", "link", "unlink"].iter().any(|change| call.call.starts_with(change));
            // O_CREAT makes a file, and looks at none.
            let makes = call.call == "openat" && call.arguments[2] & 0o100 != 0;
            if !call.path.ends_with(&self.0) || writes || makes {
                CallOrder::Go
            } else {
                CallOrder::Fail(EIO)
            }
        }

        fn left(&mut self, _call: &TracedCall, _result: i64) -> CallOrder {
            CallOrder::Go
        }
    }

    fn without_sight_of(theatre: &Theatre, name: &str, arguments: &[&str]) -> TracedEnd {
        let mut command = Command::new(theatre.binary());
        theatre.place(&mut command);
        command.args(arguments);
        let out = tempfile::NamedTempFile::new().expect("a file");
        let mut unreadable = Unreadable(PathBuf::from(name));
        let ran = faults::trace(&command, out.path(), Duration::from_secs(60), &mut unreadable);
        ran.expect("it can be traced")
    }

    fn kept(path: &Path) -> String {
        fs::read_to_string(path).expect("it is there")
    }

    #[test]
    fn a_file_of_the_users_that_cannot_be_looked_at_is_not_overwritten() {
        let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing());
        let hidden = theatre.project().join(".arbiter/.gitignore");
        fs::create_dir_all(theatre.project().join(".arbiter")).expect("a folder");
        fs::write(&hidden, "mine\n").expect("a file");
        let ran =
            without_sight_of(&theatre, ".gitignore", &[&REHEARSAL[..], &["--headless", "--yes"]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!(kept(&hidden), "mine\n");
        let id = theatre.mission_id();
        let patch = theatre.path().join("precious.patch");
        fs::write(&patch, "mine\n").expect("a file");
        let name = patch.display().to_string();
        let ran = without_sight_of(&theatre, "precious.patch", &["merge", &id, "--patch", &name]);
        assert_eq!(kept(&patch), "mine\n", "{}", ran.err);
        assert!(ran.code == Some(1) && ran.err.contains("precious.patch"), "{:?} {}", ran.code, ran.err);
        assert!(ran.err.contains("hint: "), "{}", ran.err);
    }

    /// Kills everything as soon as the clone stands, before the mission notes it.
    struct DeathAtClone;

    impl CallWatcher for DeathAtClone {
        fn follows(&self, process: &TracedProcess) -> bool {
            process.is_root
        }

        fn entering(&mut self, _call: &TracedCall) -> CallOrder {
            CallOrder::Go
        }

        fn left(&mut self, call: &TracedCall, result: i64) -> CallOrder {
            let clones =
                call.to.as_deref().and_then(Path::parent).is_some_and(|folder| folder.ends_with("clones"));
            if call.call.starts_with("rename") && clones && result == 0 {
                CallOrder::KillTree
            } else {
                CallOrder::Go
            }
        }
    }

    /// A clone of ours whose mark cannot be read is not told as another's, and what is excluded there stays so.
    #[test]
    fn a_clone_whose_files_cannot_be_read_is_still_ours_and_keeps_them() {
        let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing());
        let command = theatre.rehearsal(&["--headless", "--yes"]);
        let out = tempfile::NamedTempFile::new().expect("a file");
        let ran = faults::trace(&command, out.path(), Duration::from_secs(60), &mut DeathAtClone);
        assert!(ran.expect("it can be traced").killed);
        let id = theatre.mission_id();
        let excluded = theatre.clone_of(&id).join(".git/info/exclude");
        let with_mine = format!("{}mine\n", kept(&excluded));
        fs::write(&excluded, &with_mine).expect("a file");
        let resume = ["resume", &id, "--headless", "--yes"];
        let ran = without_sight_of(&theatre, "info/exclude", &resume);
        assert_eq!((ran.code, kept(&excluded)), (Some(1), with_mine), "{}", ran.err);
        let ran = without_sight_of(&theatre, "arbiter-base", &resume);
        assert!(!ran.err.contains("did not make it"), "{}", ran.err);
        assert!(ran.code == Some(1) && ran.err.contains("arbiter-base"), "{:?} {}", ran.code, ran.err);
        assert!(ran.err.contains(&format!("`arbiter resume {id}`")), "{}", ran.err);
        assert_eq!(theatre.run(&resume).code, Some(0));
    }
}
