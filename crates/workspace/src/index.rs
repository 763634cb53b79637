//! Reads git's index file for two questions: does it tell git to overlook files, and is it whole? Git itself takes an index
//! that was cut off for a shorter one. Its bytes are an agent's: what is not understood here is left to git.

use std::path::Path;

use super::limits::INDEX_BYTES_MAX;
use host::untrusted_files;

/// The entry is taken for unchanged (`git update-index --assume-unchanged`).
const ASSUME_VALID: u16 = 0x8000;
/// More flags follow.
const EXTENDED: u16 = 0x4000;
/// Among those: the entry is not in the work tree (`--skip-worktree`).
const SKIP_WORKTREE: u16 = 0x4000;
/// An entry's fixed part but for the object's name: ten numbers and the flags.
const FIXED: usize = 40 + 2;
/// The length of an object's name, and of the checksum at the end, in a repository of SHA-1.
const SHA1: usize = 20;

/// Whether the index in this `.git` hides files from git; none where only git can tell.
pub(super) fn hides_files(door: &Path) -> Option<bool> {
    let bytes = untrusted_files::read(&door.join("index"), INDEX_BYTES_MAX).ok()?;
    read(&bytes)
}

/// Whether the index in this `.git`, where objects' names have so many bytes, was cut off or never written.
pub(super) fn is_torn(door: &Path, name: usize) -> bool {
    match untrusted_files::read(&door.join("index"), INDEX_BYTES_MAX) {
        Ok(bytes) => has_torn(&bytes, name),
        // One that cannot be read, or is larger than any that is read here, is git's to judge.
        Err(_) => false,
    }
}

fn has_torn(bytes: &[u8], name: usize) -> bool {
    let version = bytes.strip_prefix(b"DIRC").and_then(number);
    match version {
        None => true,
        // Version 4 shares the beginnings of names; git writes it only where a user asks for it.
        Some(2..=3) => walk(bytes, name).is_none(),
        Some(_) => false,
    }
}

fn read(bytes: &[u8]) -> Option<bool> {
    let version = number(bytes.strip_prefix(b"DIRC")?)?;
    if !(2..=3).contains(&version) {
        return None;
    }
    walk(bytes, SHA1).and_then(|(hides, is_all)| is_all.then_some(hides))
}

/// Whether entries are hidden, and whether all of them are here; nothing if the bytes do not come out even.
fn walk(bytes: &[u8], name: usize) -> Option<(bool, bool)> {
    let count = number(bytes.get(8..)?)?;
    let fixed = FIXED + name;
    let mut at = 12;
    let mut hides = false;
    for _ in 0..count {
        let flags = short(bytes.get(at + fixed - 2..)?)?;
        let mut names = at + fixed;
        if flags & EXTENDED != 0 {
            hides |= short(bytes.get(names..)?)? & SKIP_WORKTREE != 0;
            names += 2;
        }
        hides |= flags & ASSUME_VALID != 0;
        let length = bytes.get(names..)?.iter().position(|byte| *byte == 0)?;
        // One to eight zeros, so that the next entry begins at a multiple of eight.
        at += (names + length - at) / 8 * 8 + 8;
    }
    let mut rest = bytes.get(at..bytes.len().checked_sub(name)?)?;
    let mut is_all = true;
    while !rest.is_empty() {
        // A lower-case name is one that git must understand: a split or a sparse index has entries elsewhere.
        is_all &= rest.get(..4)?.first()?.is_ascii_uppercase();
        let length = number(rest.get(4..)?)? as usize;
        rest = rest.get(8..)?.get(length..)?;
    }
    Some((hides, is_all))
}

fn number(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().copied().map(u32::from_be_bytes)
}

fn short(bytes: &[u8]) -> Option<u16> {
    bytes.first_chunk().copied().map(u16::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn git(folder: &Path, arguments: &[&str]) {
        assert!(Command::new("git").args(arguments).current_dir(folder).status().unwrap().success());
    }

    #[test]
    fn files_that_git_overlooks_are_found_and_what_is_unknown_is_left_to_git() {
        let folder = tempfile::tempdir().unwrap();
        let (root, door) = (folder.path(), folder.path().join(".git"));
        git(root, &["init", "--quiet"]);
        assert_eq!(hides_files(&door), None, "there is none yet");
        for length in 1..40 {
            std::fs::write(root.join("n".repeat(length)), "text").unwrap();
        }
        git(root, &["add", "--all"]);
        assert_eq!(hides_files(&door), Some(false));
        git(root, &["update-index", "--assume-unchanged", "nnn"]);
        assert_eq!(hides_files(&door), Some(true));
        git(root, &["update-index", "--no-assume-unchanged", "nnn"]);
        git(root, &["update-index", "--skip-worktree", "nnnn"]);
        assert_eq!(hides_files(&door), Some(true));
        git(root, &["update-index", "--no-skip-worktree", "nnnn"]);
        assert_eq!(hides_files(&door), Some(false));
        git(root, &["update-index", "--split-index"]);
        assert_eq!(hides_files(&door), None, "its entries are elsewhere");
        git(root, &["update-index", "--no-split-index", "--index-version", "4"]);
        assert_eq!(hides_files(&door), None);
    }

    #[test]
    fn bytes_that_are_no_index_are_left_to_git() {
        for bytes in [&b""[..], b"DIRC", b"DIRC\0\0\0\x02\0\0\0\x05", b"DIRC\0\0\0\x02\xff\xff\xff\xff\0\0\0"]
        {
            assert_eq!(read(bytes), None);
        }
        let mut empty = b"DIRC\0\0\0\x02\0\0\0\0".to_vec();
        empty.extend([7; SHA1]);
        assert_eq!(read(&empty), Some(false));
    }

    #[test]
    fn an_index_that_was_cut_off_anywhere_is_torn_and_a_whole_one_is_not() {
        for (format, name) in [("sha1", SHA1), ("sha256", 32)] {
            let folder = tempfile::tempdir().unwrap();
            let (root, door) = (folder.path(), folder.path().join(".git"));
            git(root, &["init", "--quiet", &format!("--object-format={format}")]);
            for file in ["one", "two", "three"] {
                std::fs::write(root.join(file), file).unwrap();
            }
            git(root, &["add", "--all"]);
            assert!(!is_torn(&door, name));
            let whole = std::fs::read(door.join("index")).unwrap();
            for length in 0..whole.len() {
                assert!(has_torn(&whole[..length], name), "{format} {length}");
                assert!(has_torn(&vec![0; length], name), "{format} {length}");
            }
            for arguments in [["update-index", "--split-index"], ["update-index", "--index-version=4"]] {
                git(root, &arguments);
                assert!(!is_torn(&door, name), "{format} {arguments:?}");
            }
        }
    }
}
