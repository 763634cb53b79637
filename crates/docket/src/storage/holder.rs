//! Which process holds the lock of a file, as Linux tells it in `/proc/locks`. It is told to a person who waits for the
//! lock, and decides nothing.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::LockHolder;

/// None where the system does not tell, or the process is out of our sight.
pub(super) fn of(path: &Path) -> Option<LockHolder> {
    let about = fs::metadata(path).ok()?;
    let (major, minor) = (rustix::fs::major(about.dev()), rustix::fs::minor(about.dev()));
    let locks = fs::read_to_string("/proc/locks").ok()?;
    // Some file systems (Btrfs, overlays) name another device there than for the file itself.
    let (device, inode) = (format!("{major:02x}:{minor:02x}:{}", about.ino()), format!(":{}", about.ino()));
    let pid = pid_of(&locks, |place| place == device)
        .or_else(|| pid_of(&locks, |place| place.ends_with(&inode)))?;
    Some(LockHolder { pid, is_stopped: is_stopped(pid) })
}

/// `1: FLOCK  ADVISORY  WRITE 4711 08:01:393217 0 EOF`; who waits has an arrow after the number.
fn pid_of(locks: &str, is_it: impl Fn(&str) -> bool) -> Option<u32> {
    locks.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [_, "FLOCK", _, _, pid, place, ..] if is_it(place) => pid.parse().ok(),
            _ => None,
        }
    })
}

/// The state stands behind the name, which may hold anything.
fn is_stopped(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['T', 't']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_holder_is_told_and_who_waits_is_not() {
        let locks = "1: POSIX  ADVISORY  WRITE 11 08:01:7 0 EOF\n2: -> FLOCK  ADVISORY  WRITE 12 08:01:7 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 13 08:01:7 0 EOF\n";
        assert_eq!(pid_of(locks, |place| place == "08:01:7"), Some(13));
        assert_eq!(pid_of(locks, |place| place == "08:01:8"), None);
    }
}
