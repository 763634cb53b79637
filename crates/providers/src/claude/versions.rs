//! Which versions of Claude Code are tested, and what changed between them. Every difference that is known stands in
//! [`CHANGES`] and nowhere else; `tested.versions` has the oldest and the newest that the tests run with.

use std::fmt;

/// The oldest version and the newest, a line each.
const TESTED: &str = include_str!("tested.versions");

/// A version of Claude Code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClaudeVersion(pub u64, pub u64, pub u64);

/// How a version stands to those that are tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionStanding {
    OlderThanTested,
    Tested,
    NewerThanTested,
}

/// Something that Claude Code does differently from a version on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VersionChange {
    /// The first version that does it.
    pub since: ClaudeVersion,
    /// What it does.
    pub does: &'static str,
    /// What Arbiter does about it.
    pub answer: &'static str,
}

/// Something that versions before another one cannot do, and that sessions miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VersionGap {
    /// The first version that can do it.
    pub until: ClaudeVersion,
    /// What breaks without it.
    pub breaks: &'static str,
}

/// What is known to break in versions before the tested range.
pub const GAPS: [VersionGap; 2] = [
    // It has no `CLAUDE_CODE_RETRY_WATCHDOG`.
    VersionGap { until: ClaudeVersion(2, 1, 116), breaks: "it does not say when a usage limit ends" },
    // It has no `PostToolBatch` hook.
    VersionGap { until: ClaudeVersion(2, 1, 118), breaks: "models are not warned when their context fills" },
];

/// What changed within the tested range, the oldest first.
pub const CHANGES: [VersionChange; 5] = [
    VersionChange {
        since: ClaudeVersion(2, 1, 206),
        does: "tells the life of every queued message in lines of its own",
        answer: "they are read and left alone",
    },
    VersionChange {
        since: ClaudeVersion(2, 1, 216),
        does: "runs a message again that is sent with the same id after a crash",
        answer: "the conversation on the disk says whether it is sent at all",
    },
    VersionChange {
        since: ClaudeVersion(2, 1, 233),
        does: "tells models of 15,000,000 tokens that are left",
        answer: "that reminder is switched off, and the prompts say that only Arbiter's warnings count",
    },
    VersionChange {
        since: ClaudeVersion(2, 1, 285),
        does: "gives more models a window of a million tokens, and does not say so in their names",
        answer: "the window is what the session itself last named",
    },
    // Not every later version does, and it can be switched from afar.
    VersionChange {
        since: ClaudeVersion(2, 1, 285),
        does: "may let a model judge tool calls, and the reports of subagents, where no permission mode is given",
        answer: "every session is given its mode",
    },
];

impl ClaudeVersion {
    /// Reads `2.1.197`; what follows a hyphen names a preview of that version.
    #[must_use]
    pub fn read(text: &str) -> Option<ClaudeVersion> {
        let mut parts = text.trim().split('-').next()?.split('.').map(|part| part.parse().ok());
        let version = ClaudeVersion(parts.next()??, parts.next()??, parts.next()??);
        parts.next().is_none().then_some(version)
    }

    #[must_use]
    pub fn standing(self) -> VersionStanding {
        match self {
            version if version < oldest() => VersionStanding::OlderThanTested,
            version if version > newest() => VersionStanding::NewerThanTested,
            _ => VersionStanding::Tested,
        }
    }

    /// What is known of it.
    pub fn changes(self) -> impl Iterator<Item = &'static VersionChange> {
        CHANGES.iter().filter(move |change| change.since <= self)
    }

    /// The warning about a version outside the tested range: what is known to break, or that nothing is known.
    #[must_use]
    pub fn warning(self) -> Option<String> {
        let range = format!("tested are {} to {}", oldest(), newest());
        match self.standing() {
            VersionStanding::Tested => None,
            VersionStanding::NewerThanTested => Some(format!("{self} is newer than tested ({range})")),
            VersionStanding::OlderThanTested => {
                let breaks: Vec<&str> =
                    GAPS.iter().filter(|gap| self < gap.until).map(|gap| gap.breaks).collect();
                let known =
                    if breaks.is_empty() { String::new() } else { format!(": {}", breaks.join("; ")) };
                Some(format!("{self} is older than tested ({range}){known}"))
            }
        }
    }
}

impl fmt::Display for ClaudeVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// The oldest version that the tests run with.
#[must_use]
pub fn oldest() -> ClaudeVersion {
    tested(0)
}

/// The newest version that the tests run with.
#[must_use]
pub fn newest() -> ClaudeVersion {
    tested(1)
}

fn tested(line: usize) -> ClaudeVersion {
    // A test reads the file; it is part of the binary.
    TESTED.lines().nth(line).and_then(ClaudeVersion::read).unwrap_or(ClaudeVersion(0, 0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> ClaudeVersion {
        ClaudeVersion::read(text).unwrap()
    }

    #[test]
    fn the_range_is_read_from_its_file() {
        assert_eq!(TESTED.lines().count(), 2);
        assert!(ClaudeVersion(2, 1, 0) < oldest() && oldest() < newest());
        assert_eq!(TESTED, format!("{}\n{}\n", oldest(), newest()));
    }

    #[test]
    fn the_document_knows_the_range_and_every_change() {
        let document = include_str!("../../../../docs/claude.md");
        assert!(document.contains(&format!("{} to {}", oldest(), newest())));
        for VersionChange { since, does, answer } in CHANGES {
            assert!(document.contains(&format!("| {since} | {does} | {answer} |\n")), "{since}");
        }
    }

    #[test]
    fn a_version_is_three_numbers() {
        assert_eq!(version("2.1.197"), ClaudeVersion(2, 1, 197));
        assert_eq!(version("2.1.197-dev.4"), ClaudeVersion(2, 1, 197));
        assert!(version("2.1.1000") > version("2.1.325"));
        for text in ["2.1", "2.1.197.1", "", "two", "2.1.x"] {
            assert_eq!(ClaudeVersion::read(text), None, "{text}");
        }
    }

    #[test]
    fn only_a_version_outside_the_range_is_warned_of() {
        for inside in [oldest(), version("2.1.250"), newest()] {
            assert_eq!((inside.standing(), inside.warning()), (VersionStanding::Tested, None));
        }
        let older = version("2.0.999").warning().unwrap();
        assert!(older.starts_with("2.0.999 is older than tested"), "{older}");
        let newer = version("2.2.0").warning().unwrap();
        assert!(newer.starts_with("2.2.0 is newer than tested"), "{newer}");
    }

    #[test]
    fn changes_are_in_order_and_hold_from_their_version_on() {
        assert!(CHANGES.is_sorted_by_key(|change| change.since));
        assert_eq!(oldest().changes().count(), 0);
        assert_eq!(version("2.1.205").changes().count(), 0);
        assert_eq!(version("2.1.206").changes().count(), 1);
        assert_eq!(newest().changes().count(), CHANGES.len());
    }
}
