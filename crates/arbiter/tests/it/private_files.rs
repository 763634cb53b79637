//! Whatever the umask says: what Arbiter keeps is for its user alone.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use sim::{BridgeScript, REHEARSAL, Theatre};

use crate::BINARY;

/// Runs the binary as a careless shell would.
fn carelessly(theatre: &Theatre, arguments: &[&str]) {
    let mut command = Command::new("sh");
    theatre.place(&mut command);
    command.args(["-c", "umask 0; exec \"$0\" \"$@\""]).arg(theatre.binary()).args(arguments);
    let ran = command.output().expect("a shell starts");
    assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// Everything below that others may look at or change. What lies in a closed folder is closed, whatever it says itself: the
/// tree of a clone has the modes that git gives it.
fn open_to_others(folder: &Path, is_closed: bool, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let (path, about) = (entry.path(), fs::symlink_metadata(entry.path()).expect("it is there"));
        let is_open = about.permissions().mode() & 0o077 != 0;
        let is_gits = is_closed
            && path.ancestors().any(|above| above.ends_with("clones") || above.ends_with("scratch"));
        if is_open && !about.is_symlink() && !is_gits {
            found.push(format!("{:o} {}", about.permissions().mode() & 0o7777, path.display()));
        }
        if about.is_dir() {
            open_to_others(&path, is_closed || !is_open, found);
        }
    }
}

#[test]
fn what_is_kept_is_for_the_user_alone() {
    let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing());
    carelessly(&theatre, &["ask", "Which bank?", "--id", "bank", "-o", "left", "-o", "right"]);
    carelessly(&theatre, &[&REHEARSAL[..], &["--headless", "--yes"]].concat());
    carelessly(&theatre, &["trust", "--yes"]);
    carelessly(&theatre, &["demo", "--headless", "--pace", "fast"]);
    // The world of the test wrote it, as the user's shell would.
    fs::remove_file(theatre.character()).expect("it is there");
    let mut found = Vec::new();
    for folder in [theatre.home(), theatre.project().join(".arbiter"), theatre.path().join("home/.local")] {
        open_to_others(&folder, false, &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
