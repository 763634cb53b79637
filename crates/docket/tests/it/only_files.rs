//! What only files have: modes, links and pipes, folders in other places.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use docket::{Docket, DocketError};
use mind::petition::PetitionId;

use super::house::{House, NOON, agent, draft, later};

#[test]
fn folders_and_files_are_ours_alone() {
    let house = House::new();
    house.ask("a1");
    house.ask("b2");
    house.answer("a1", "auth", "yes").unwrap();
    house.docket.withdraw(&PetitionId::from("b2"), "", &agent(), NOON).unwrap();
    let mut folders = vec![house.queue()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().chain(fs::read_dir(house.home()).unwrap()) {
            let entry = entry.unwrap();
            let about = entry.metadata().unwrap();
            let expected = if about.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(about.permissions().mode() & 0o777, expected, "{:?}", entry.path());
            seen += 1;
            if about.is_dir() && entry.path().parent() == Some(&folder) {
                folders.push(entry.path());
            }
        }
    }
    assert!(seen > 10);
}

#[test]
fn two_folders_in_one_place_have_two_ledgers() {
    let house = House::new();
    house.ask("a1");
    let dockets = ["q", "other"].map(|name| Docket::at(house.home().join(name)));
    for docket in &dockets {
        docket.push(&draft("Other"), PetitionId::from("b2"), &agent(), NOON).unwrap();
        assert_eq!(docket.records(1).unwrap().len(), 1);
        assert_eq!(docket.verify(later(9_000)).unwrap(), []);
    }
    assert_eq!(house.docket.ledger_file(), house.home().join("ledger.jsonl"));
    assert_eq!(dockets[0].ledger_file(), house.home().join("q.ledger.jsonl"));
    assert_eq!(house.ledger(), ["a1 asked agent:ceo cli"]);
}

#[test]
fn another_folder_has_a_ledger_of_its_own() {
    let house = House::new();
    house.ask("a1");
    let other = Docket::at(house.home().join("elsewhere/petitions"));
    other.push(&draft("Other"), PetitionId::from("b2"), &agent(), NOON).unwrap();
    assert_eq!(other.ledger_file(), house.home().join("elsewhere/petitions.ledger.jsonl"));
    assert_eq!(other.records(1).unwrap().len(), 1);
    assert_eq!(house.ledger().len(), 1);
    assert!(matches!(house.docket.find("b2", NOON), Err(DocketError::Unknown { .. })));
    assert_eq!(other.verify(later(9_000)).unwrap(), []);
    house.assert_clean();
}

#[test]
fn what_is_no_file_or_nobodys_petition_is_left_alone() {
    let house = House::new();
    let kept = house.ask("a1");
    let text = house.text(&kept).replace("id: a1", "id: other");
    let pending = house.queue().join("pending");
    let pipe = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mkfifoat(rustix::fs::CWD, pending.join("pipe.md"), pipe).unwrap();
    fs::write(house.home().join("outside.md"), &text).unwrap();
    symlink(house.home().join("outside.md"), pending.join("link.md")).unwrap();
    fs::create_dir(pending.join("folder.md")).unwrap();
    fs::write(pending.join("large.md"), vec![b'a'; 1024 * 1024 + 1]).unwrap();
    fs::write(pending.join("bytes.md"), b"\xff\xfe\x00").unwrap();
    for name in [".hidden.md", "x.tmp-0123456789abcdef", "x.tmp-0123456789abcdef.md", "notes.txt"] {
        fs::write(pending.join(name), &text).unwrap();
    }
    let before = house.names("pending");
    let queue = house.docket.queue(NOON).unwrap();
    assert_eq!(queue.petitions.len(), 1);
    let mut faults: Vec<String> = queue
        .faults
        .iter()
        .map(|fault| format!("{} {}", fault.file.file_name().unwrap().to_str().unwrap(), fault.why))
        .collect();
    faults.sort();
    assert!(faults[0].starts_with("bytes.md "), "{faults:?}");
    assert_eq!(
        faults[1..],
        [
            "folder.md not a file",
            "large.md longer than 1048576 bytes",
            "link.md not a file",
            "pipe.md not a file"
        ]
    );
    assert_eq!(house.names("pending"), before);
    assert_eq!(house.ledger().len(), 1);
}

/// From here on, this thread may read what its user may: root too keeps to the rights of files.
#[cfg(target_os = "linux")]
fn lay_down_root() {
    use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
    let mut held = capabilities(None).expect("what is held can be asked");
    held.effective -= CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
    set_capabilities(None, held).expect("what is held can be laid down");
}

#[test]
fn a_file_that_nobody_may_read_keeps_nobody_from_anything() {
    let house = House::new();
    let kept = house.ask("a1");
    house.ask("b2");
    fs::set_permissions(&kept.file, fs::Permissions::from_mode(0o000)).unwrap();
    #[cfg(target_os = "linux")]
    lay_down_root();
    assert!(fs::read(&kept.file).is_err(), "nothing is hidden from this user");
    assert!(matches!(house.answer("a1", "auth", "yes"), Err(DocketError::Disk { .. })));
    // One whose file is not done, for the same reason.
    let applied = house.queue().join(".arbiter/applied");
    let noted = fs::read_to_string(&applied).unwrap();
    fs::write(&applied, noted.replace("\"unfinished\":[]", "\"unfinished\":[\"a1\"]")).unwrap();
    house.answer("b2", "auth", "yes").unwrap();
    house.answer("b2", "cache", "yes").unwrap();
    fs::set_permissions(&kept.file, fs::Permissions::from_mode(0o600)).unwrap();
    house.answer("a1", "auth", "yes").unwrap();
    house.assert_clean();
}
