//! Reads git's index file for one question: does it tell git to overlook files? Its bytes are an agent's: what is not
//! understood here is left to git itself.

use std::path::Path;

use super::limits::INDEX_BYTES_MAX;
use host::untrusted_files;

/// The entry is taken for unchanged (`git update-index --assume-unchanged`).
const ASSUME_VALID: u16 = 0x8000;
/// More flags follow.
const EXTENDED: u16 = 0x4000;
/// Among those: the entry is not in the work tree (`--skip-worktree`).
const SKIP_WORKTREE: u16 = 0x4000;
/// An entry's fixed part in a repository of SHA-1: ten numbers, the object's name, the flags.
const FIXED: usize = 40 + 20 + 2;
/// The checksum at the end.
const CHECKSUM: usize = 20;

/// Whether the index in this `.git` hides files from git; none where only git can tell.
pub(super) fn hides_files(door: &Path) -> Option<bool> {
    let bytes = untrusted_files::read(&door.join("index"), INDEX_BYTES_MAX).ok()?;
    read(&bytes)
}

fn read(bytes: &[u8]) -> Option<bool> {
    let version = number(bytes.strip_prefix(b"DIRC")?)?;
    let count = number(bytes.get(8..)?)?;
    if !(2..=3).contains(&version) {
        // Version 4 shares the beginnings of names; git writes it only where a user asks for it.
        return None;
    }
    let mut at = 12;
    let mut hides = false;
    for _ in 0..count {
        let flags = short(bytes.get(at + FIXED - 2..)?)?;
        let mut names = at + FIXED;
        if flags & EXTENDED != 0 {
            hides |= short(bytes.get(names..)?)? & SKIP_WORKTREE != 0;
            names += 2;
        }
        hides |= flags & ASSUME_VALID != 0;
        let length = bytes.get(names..)?.iter().position(|byte| *byte == 0)?;
        // One to eight zeros, so that the next entry begins at a multiple of eight.
        at += (names + length - at) / 8 * 8 + 8;
    }
    let mut rest = bytes.get(at..bytes.len().checked_sub(CHECKSUM)?)?;
    while !rest.is_empty() {
        let name = rest.get(..4)?;
        if !name.first()?.is_ascii_uppercase() {
            // One that git must understand: a split or a sparse index has entries elsewhere.
            return None;
        }
        let length = number(rest.get(4..)?)? as usize;
        rest = rest.get(8..)?.get(length..)?;
    }
    Some(hides)
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
        empty.extend([7; CHECKSUM]);
        assert_eq!(read(&empty), Some(false));
    }
}
