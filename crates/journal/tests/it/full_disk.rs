//! A real full disk: a tmpfs of 64 KiB. Needs the right to mount.

use std::{fs, path::Path, process::Command};

use journal::{Journal, JournalError};
use tempfile::TempDir;

use crate::{key, real, replay};

/// A mounted tmpfs; dropping it unmounts, also when a test fails.
struct SmallDisk {
    folder: TempDir,
}

impl SmallDisk {
    fn mount() -> Option<SmallDisk> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
            .arg(folder.path())
            .output();
        let why = match mounted {
            Ok(output) if output.status.success() => return Some(SmallDisk { folder }),
            Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
            Err(error) => error.to_string(),
        };
        real::missing("a full disk", format!("no tmpfs can be mounted: {why}"));
        None
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let done = Command::new("umount").arg("-l").arg(self.path()).status();
        if !done.is_ok_and(|status| status.success()) {
            eprintln!("could not unmount {}", self.path().display());
        }
    }
}

fn is_full(error: &JournalError) -> bool {
    matches!(error, JournalError::Disk { .. })
}

#[test]
fn on_a_full_disk_it_stops_whole_and_goes_on_once_there_is_space() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let path = disk.path().join("journal.jsonl");
    let ballast = disk.path().join("ballast");
    fs::write(&ballast, [0; 20 << 10]).unwrap();

    let mut journal = Journal::create(&path, "m", &key()).unwrap();
    let batch: Vec<_> = (0..7).map(|n| format!(r#"{{"n":{n},"text":"{}"}}"#, "x".repeat(150))).collect();
    let mut written = Vec::new();
    let error = loop {
        match journal.append(journal.head(), &batch).and_then(|_| journal.sync()) {
            Ok(()) => written.extend(batch.clone()),
            Err(error) => break error,
        }
    };
    assert!(is_full(&error), "{error}");
    assert!(written.len() > 100);
    assert!(matches!(journal.append(journal.head(), &batch), Err(JournalError::Poisoned { .. })));
    assert_eq!(fs::read(&path).unwrap().last(), Some(&b'\n'));
    drop(journal);

    // Still full: it opens and reads all the same.
    let opened = Journal::open(&path, &key()).unwrap();
    assert_eq!(opened.cut, None);
    assert_eq!(replay(&opened.journal), written);
    drop(opened);

    fs::remove_file(ballast).unwrap();
    let mut journal = Journal::open(&path, &key()).unwrap().journal;
    journal.append(journal.head(), &batch).unwrap();
    journal.sync().unwrap();
}

#[test]
fn a_torn_tail_that_cannot_be_kept_is_not_cut() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let path = disk.path().join("journal.jsonl");
    drop(Journal::create(&path, "m", &key()).unwrap());
    let mut file = fs::read(&path).unwrap();
    file.extend_from_slice(format!(r#"{{"seq":1,"left":0,"entry":{{"{}"#, "x".repeat(5000)).as_bytes());
    fs::write(&path, &file).unwrap();
    let ballast = disk.path().join("ballast");
    fs::write(&ballast, [0; 64 << 10]).unwrap_err();

    let error = Journal::open(&path, &key()).unwrap_err();
    assert!(is_full(&error), "{error}");
    assert_eq!(fs::read(&path).unwrap(), file);
    assert!(!disk.path().join("journal.cut").exists());

    fs::remove_file(ballast).unwrap();
    assert!(Journal::open(&path, &key()).unwrap().cut.is_some());
    assert!(disk.path().join("journal.cut").exists());
}
