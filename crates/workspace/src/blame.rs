//! Whose fault a failure is: that of this machine (a full disk, no process to be had), or that of what was found. Only
//! the second says anything about an agent's work.

use super::error::WorkspaceError;

/// The system's words for what a machine lacks, as the C library and git say them.
const LACKS: [&str; 15] = [
    "No space left on device",
    "Disk quota exceeded",
    "Input/output error",
    "Read-only file system",
    "Too many open files",
    "Cannot allocate memory",
    "Resource temporarily unavailable",
    "Stale file handle",
    "Structure needs cleaning",
    "File too large",
    "out of memory",
    // What git says where it does not repeat the system's words.
    "failed to write",
    "unable to write",
    "write error",
    ENDED,
];

/// How a git that was ended from outside is told.
pub(super) const ENDED: &str = "was ended by signal";

impl WorkspaceError {
    /// Whether git refused in words of its own. It says "not a git repository" and "bad object" of what cannot be read at
    /// the moment, too.
    #[must_use]
    pub fn is_gits(&self) -> bool {
        matches!(self, Self::Git { .. })
    }

    /// The same failure where nothing but ours was looked at: no agent has a part in it.
    pub(super) fn of_ours(self) -> Self {
        let Self::Git { doing, said } = self else { return self };
        Self::Ours { doing, said }
    }

    /// Whether the machine failed, and not what was looked at: then the same may well work later.
    #[must_use]
    pub fn is_machine_fault(&self) -> bool {
        match self {
            Self::NoGit
            | Self::Ours { .. }
            | Self::OldGit { .. }
            | Self::RefInTheWay { .. }
            | Self::LineBreak { .. }
            | Self::Unreadable { .. }
            | Self::Unheld { .. }
            | Self::InUse { .. }
            | Self::Slow { .. }
            | Self::NoRoom { .. }
            | Self::Misplaced { .. }
            | Self::HalfMoved { .. }
            | Self::Unkept { .. }
            | Self::Disk { .. } => true,
            Self::Git { said, .. } => is_lack(said),
            Self::NoRepository { .. }
            | Self::NoCommit { .. }
            | Self::Occupied { .. }
            | Self::Bent { .. }
            | Self::Conflicted { .. }
            | Self::TooMuch { .. }
            | Self::Engaged { .. }
            | Self::Interrupted { .. }
            | Self::Uncommitted { .. }
            | Self::Clash { .. }
            | Self::Nested { .. }
            | Self::EmptyCheck
            | Self::ShellCheck { .. } => false,
        }
    }
}

/// Whether git warns that the machine lacked something, though it succeeded. What others say beside it, such as a filter of the
/// user's, is not git's.
pub(super) fn tells_a_lack(said: &str) -> bool {
    let lines = said.lines().filter(|line| line.starts_with("warning: ") || line.starts_with("error: "));
    lines.into_iter().any(|line| LACKS.iter().any(|lack| line.contains(lack)))
}

/// Whether these words of the system tell of something that the machine lacks. A lock that another git holds, or left, is
/// no work of an agent's either: the folders where we let git write are ours.
pub(super) fn is_lack(said: &str) -> bool {
    let is_refused = said.contains("Permission denied") || said.contains("Operation not permitted");
    is_refused
        || LACKS.iter().any(|lack| said.contains(lack))
        || (said.contains(".lock'") && said.contains("File exists"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(said: &str) -> WorkspaceError {
        WorkspaceError::Git { doing: "fetch".into(), said: said.into() }
    }

    #[test]
    fn a_warning_of_the_disk_is_heard_though_git_succeeds() {
        assert!(tells_a_lack("hint: x\nwarning: could not open directory 'd/': Input/output error"));
        assert!(!tells_a_lack("lfs: write error, tried again: Too many open files"));
        assert!(!tells_a_lack("warning: LF will be replaced by CRLF"));
        // A folder that the user may not read is in many projects.
        assert!(!tells_a_lack("warning: could not open directory 'data/': Permission denied"));
    }

    #[test]
    fn what_the_machine_lacks_is_no_fault_of_the_work() {
        for said in [
            "error: unable to write file objects/pack/tmp: No space left on device",
            "Too many open files (os error 24)",
            "fatal: Unable to create '/p/.git/refs/arbiter/m.lock': File exists.",
            "git was ended by signal 9",
            "error: unable to open .git/objects/ab/cd: Permission denied",
        ] {
            assert!(git(said).is_machine_fault(), "{said}");
        }
        for said in ["fatal: bad object HEAD", "the clone moved on to c2 while c1 was fetched", ""] {
            assert!(!git(said).is_machine_fault(), "{said}");
        }
        assert!(!WorkspaceError::Bent { folder: "/c".into() }.is_machine_fault());
    }
}
