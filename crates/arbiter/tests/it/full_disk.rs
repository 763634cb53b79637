//! The machine fails at the gate: the disk with the clones is full when a claim is examined. That is no fault of the work,
//! so no claim is spent and no session hears of it; the mission tries again, then stops and can be resumed.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use sim::{BridgeScript, Ran, Theatre, real, wait_until};

use crate::BINARY;

/// A small disk in the place of a folder, seen only by the commands that are run on it.
struct SmallDisk {
    /// Keeps the mounts; it ends when its stdin is closed.
    keeper: Child,
    folder: PathBuf,
}

impl SmallDisk {
    /// None where this machine lets nobody mount anything.
    fn at(folder: &Path) -> Option<SmallDisk> {
        fs::create_dir_all(folder).expect("a folder");
        let mount = format!("mount -t tmpfs -o size=8m tmpfs '{}' && echo mounted && cat", folder.display());
        let user = if rustix::process::geteuid().is_root() { "-m" } else { "-rm" };
        let mut keeper = Command::new("unshare")
            .args([user, "sh", "-c", &mount])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut said = String::new();
        let _ = BufReader::new(keeper.stdout.take()?).read_line(&mut said);
        if said != "mounted\n" {
            let _ = keeper.kill();
            let _ = keeper.wait();
            return None;
        }
        Some(SmallDisk { keeper, folder: folder.to_owned() })
    }

    /// The same command, which finds the small disk.
    fn see(&self, theatre: &Theatre, arguments: &[&str]) -> Command {
        let mut command = Command::new("nsenter");
        theatre.place(&mut command);
        command.args(["--target", &self.keeper.id().to_string(), "--mount"]);
        if !rustix::process::geteuid().is_root() {
            command.args(["--user", "--preserve-credentials"]);
        }
        command.args(["env", "-C"]).arg(theatre.project()).arg(theatre.binary()).args(arguments);
        command
    }

    /// A file on it, as it is seen from outside.
    fn seen_from_outside(&self, name: &str) -> PathBuf {
        let inside = self.folder.strip_prefix("/").expect("a whole path").join(name);
        Path::new("/proc").join(self.keeper.id().to_string()).join("root").join(inside)
    }

    fn fill(&self) {
        let mut file = fs::File::create(self.seen_from_outside("filler")).expect("a file");
        while file.write_all(&[7; 4096]).is_ok() {}
    }

    fn make_room(&self) {
        fs::remove_file(self.seen_from_outside("filler")).expect("removed");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}

/// What the auditor does: it waits until the test has filled the disk. The file is where no commit reaches.
const HELD: &str = r#"{run: [sh, -c, "touch .git/hold; while [ -e .git/hold ]; do sleep 0.05; done"]}"#;

/// A mission whose disk is full when its work is done and audited, and the claim is made.
fn about_to_claim() -> Option<(Theatre, SmallDisk, Child)> {
    let script = BridgeScript::new().asks_nothing().audited_with(HELD);
    let theatre = Theatre::rehearsing(BINARY, script);
    let Some(disk) = SmallDisk::at(&theatre.state().join("clones")) else {
        real::missing("a small disk", "nobody may mount one here");
        return None;
    };
    let script = theatre.script().display().to_string();
    let arguments = ["run", "--rehearsal", &script, "--headless", "--yes"];
    let house = disk.see(&theatre, &arguments).spawn().expect("the binary starts");
    theatre.waits_for("Orchestrator II");
    let hold = disk.seen_from_outside(&format!("{}/.git/hold", theatre.mission_id()));
    wait_until("the auditor is at work", || hold.exists());
    disk.fill();
    fs::remove_file(hold).expect("removed");
    Some((theatre, disk, house))
}

/// Waits for the end of a mission, and ends it if that does not come.
fn ended(mut house: Child) -> Ran {
    wait_until("the mission ends", || house.try_wait().expect("a child").is_some());
    Ran::from(house.wait_with_output().expect("it ended"))
}

fn gate_facts(theatre: &Theatre) -> Vec<String> {
    theatre.lines_of(&["Claimed", "Refused", "Receipt", "Halted", "Completed", "Failed"])
}

#[test]
fn a_full_disk_at_the_gate_stops_the_mission_and_spends_no_claim() {
    let Some((theatre, disk, house)) = about_to_claim() else { return };
    let ran = ended(house);
    let facts = gate_facts(&theatre);
    assert_eq!(ran.code, Some(1), "{}\n{facts:?}", ran.err);
    // The system's words, or git's own where it does not repeat them.
    let is_told = ["No space left on device", "failed to write"].iter().any(|words| ran.err.contains(words));
    assert!(is_told, "{}", ran.err);
    let id = theatre.mission_id();
    assert!(ran.err.contains(&format!("`arbiter resume {id}`")), "{}", ran.err);
    assert!(!facts.iter().any(|fact| fact.starts_with("Refused")), "{facts:?}");
    assert!(facts.last().is_some_and(|fact| fact.starts_with("Halted workshop")), "{facts:?}");
    disk.make_room();
    let resumed = Ran::from(disk.see(&theatre, &["resume", "--headless"]).output().expect("it runs"));
    let facts = gate_facts(&theatre);
    assert_eq!(resumed.code, Some(0), "{}\n{facts:?}", resumed.err);
    assert_eq!(facts.iter().filter(|fact| fact.starts_with("Claimed")).count(), 1, "{facts:?}");
    assert!(!facts.iter().any(|fact| fact.starts_with("Refused")), "{facts:?}");
    assert_eq!(facts.last().map(String::as_str), Some("Completed proven"));
}

#[test]
fn a_disk_that_has_room_again_in_time_is_not_even_noticed() {
    let Some((theatre, disk, house)) = about_to_claim() else { return };
    let notes = theatre.mission().join("notes.log");
    wait_until("a second try", || {
        fs::read_to_string(&notes).is_ok_and(|notes| notes.contains("is tried again"))
    });
    disk.make_room();
    let ran = ended(house);
    let facts = gate_facts(&theatre);
    assert_eq!(ran.code, Some(0), "{}\n{facts:?}", ran.err);
    assert!(!facts.iter().any(|fact| fact.starts_with("Refused") || fact.starts_with("Halted")), "{facts:?}");
}
