//! The ledger: one line for everything that happened to a petition, chained by hashes. Nothing is ever taken out of it.
//! A line is JSON for people and programs; its last member is the hash of everything before it.

pub(crate) mod append;
mod follow;
pub(crate) mod scan;

pub use follow::LedgerReader;

use std::sync::Arc;

use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{PetitionChange, PetitionId, Priority};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerLine {
    /// Counted from 1.
    pub seq: u64,
    #[serde(serialize_with = "write_moment", deserialize_with = "read_moment")]
    pub at: Timestamp,
    pub petition: PetitionId,
    #[serde(flatten)]
    pub change: PetitionChange,
    pub by: Actor,
    /// The door through which the actor came.
    pub door: Door,
    /// The name of the petition's file; only on the first line of a petition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Arc<str>>,
    /// The agent that asks; only on the first line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Arc<str>>,
    /// Only on the first line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<Arc<str>>,
    /// Only on the first line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// The asker's own key, if it gave one; only on the first line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Arc<str>>,
    /// The SHA-256 of what was asked, if the docket wrote the file; only on the first line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Arc<str>>,
    /// The decisions that require a human; only on the first line, because an edit of the file does not change that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires_human: Vec<Arc<str>>,
    /// The offset of the petition's previous line in the ledger, in bytes; none for its first.
    pub back: Option<u64>,
    /// The hash of the previous line of the ledger; of nothing for the first.
    pub prev: Arc<str>,
    /// The SHA-256 of this line up to here.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub hash: Arc<str>,
}

/// A fault that `audit verify` found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discrepancy {
    /// A line of the ledger, or a petition's file.
    pub place: String,
    pub what: String,
}

impl LedgerLine {
    /// The line with its hash and its line end. Sets the record's hash.
    pub(crate) fn seal(&mut self) -> Result<Vec<u8>, serde_json::Error> {
        self.hash = Arc::from("");
        let mut line = serde_json::to_vec(self)?;
        line.pop();
        self.hash = sha256(&line);
        line.extend_from_slice(format!(",\"hash\":\"{}\"}}\n", self.hash).as_bytes());
        Ok(line)
    }

    /// Reads a line, without its line end, and checks its hash.
    pub(crate) fn read(line: &[u8]) -> Result<LedgerLine, &'static str> {
        let record: LedgerLine = serde_json::from_slice(line).map_err(|_| "it cannot be read")?;
        let end = format!(",\"hash\":\"{}\"}}", record.hash);
        let before = line.strip_suffix(end.as_bytes()).ok_or("it does not end with its hash")?;
        if sha256(before) == record.hash { Ok(record) } else { Err("it was changed") }
    }

    /// Whether this line closes its petition.
    pub(crate) fn closes(&self) -> bool {
        closes(&self.change)
    }

    /// Who is asked from this line on, for one decision or for all of it.
    pub(crate) fn assigned(&self) -> Option<(Option<&str>, &Arc<str>)> {
        match &self.change {
            PetitionChange::Assigned { decision, to } => Some((decision.as_deref(), to)),
            PetitionChange::Asked
            | PetitionChange::Answered { .. }
            | PetitionChange::Changed { .. }
            | PetitionChange::Late { .. }
            | PetitionChange::Submitted
            | PetitionChange::Withdrawn { .. }
            | PetitionChange::Expired { .. } => None,
        }
    }

    /// The decision that this line answers.
    pub(crate) fn decision(&self) -> Option<&Arc<str>> {
        match &self.change {
            PetitionChange::Answered { decision, .. }
            | PetitionChange::Changed { decision, .. }
            | PetitionChange::Late { decision, .. } => Some(decision),
            PetitionChange::Asked
            | PetitionChange::Assigned { .. }
            | PetitionChange::Submitted
            | PetitionChange::Withdrawn { .. }
            | PetitionChange::Expired { .. } => None,
        }
    }
}

/// Whether the petition takes no more answers after this change.
pub(crate) fn closes(change: &PetitionChange) -> bool {
    match change {
        PetitionChange::Submitted | PetitionChange::Withdrawn { .. } | PetitionChange::Expired { .. } => true,
        PetitionChange::Asked
        | PetitionChange::Answered { .. }
        | PetitionChange::Changed { .. }
        | PetitionChange::Late { .. }
        | PetitionChange::Assigned { .. } => false,
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> Arc<str> {
    Arc::from(mind::digest::of(bytes))
}

fn write_moment<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&at.utc())
}

fn read_moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    let text = String::deserialize(deserializer)?;
    let moment: jiff::Timestamp = text.parse().map_err(serde::de::Error::custom)?;
    let ms = u64::try_from(moment.as_millisecond()).map_err(serde::de::Error::custom)?;
    Ok(Timestamp(ms))
}

#[cfg(test)]
mod tests {
    use mind::petition::AnswerChoice;

    use super::*;

    /// Lines of real ledgers, one for each form: lines are added, never changed.
    const GOLDEN: &str = include_str!("../tests/it/ledger.golden.jsonl");
    /// Fields that not every line has.
    const OPTIONAL: [&str; 7] = ["file", "agent", "tag", "priority", "key", "content", "requires_human"];

    fn golden() -> Vec<LedgerLine> {
        let read =
            |line: &str| LedgerLine::read(line.as_bytes()).unwrap_or_else(|why| panic!("{why}: {line}"));
        GOLDEN.lines().map(read).collect()
    }

    #[test]
    fn every_released_line_is_read_and_written_again_as_it_was() {
        for (mut record, line) in golden().into_iter().zip(GOLDEN.lines()) {
            assert_eq!(String::from_utf8(record.seal().unwrap()).unwrap(), format!("{line}\n"));
        }
    }

    #[test]
    fn every_kind_of_line_has_a_golden_one() {
        let kind = |record: &LedgerLine| match (&record.change, record.door) {
            (PetitionChange::Asked, _) => "asked",
            (PetitionChange::Answered { choice: AnswerChoice::Answer(_), .. }, Door::Policy) => {
                "answered by a policy"
            }
            (PetitionChange::Answered { choice: AnswerChoice::Answer(_), .. }, Door::File) => {
                "answered in the file"
            }
            (PetitionChange::Answered { instead_of: Some(_), .. }, _) => "answered instead of the assignee",
            (PetitionChange::Answered { choice: AnswerChoice::Answer(_), .. }, _) => "answered",
            (PetitionChange::Answered { choice: AnswerChoice::Skipped, .. }, _) => "skipped",
            (PetitionChange::Changed { choice: AnswerChoice::Answer(_), .. }, _) => "changed",
            (PetitionChange::Changed { choice: AnswerChoice::Skipped, .. }, _) => "changed to skipped",
            (PetitionChange::Late { .. }, _) => "late",
            (PetitionChange::Assigned { decision: Some(_), .. }, _) => "assigned",
            (PetitionChange::Assigned { decision: None, .. }, _) => "assigned whole",
            (PetitionChange::Submitted, _) => "submitted",
            (PetitionChange::Withdrawn { .. }, _) => "withdrawn",
            (PetitionChange::Expired { .. }, _) => "expired",
        };
        let found: std::collections::BTreeSet<&str> = golden().iter().map(kind).collect();
        let all = [
            "answered",
            "answered by a policy",
            "answered in the file",
            "answered instead of the assignee",
            "asked",
            "assigned",
            "assigned whole",
            "changed",
            "changed to skipped",
            "expired",
            "late",
            "skipped",
            "submitted",
            "withdrawn",
        ];
        assert_eq!(found.into_iter().collect::<Vec<_>>(), all);
        let lines: Vec<serde_json::Value> =
            GOLDEN.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for field in OPTIONAL {
            let with = lines.iter().filter(|line| line.get(field).is_some()).count();
            assert!(with > 0 && with < lines.len(), "{field} is in {with} of {} lines", lines.len());
        }
    }

    fn record() -> LedgerLine {
        LedgerLine {
            seq: 7,
            at: Timestamp(1_769_736_600_250),
            petition: PetitionId::from("a\"b"),
            change: PetitionChange::Answered {
                decision: Arc::from("auth"),
                choice: AnswerChoice::Answer(Arc::from("line\nline")),
                digest: Arc::from("d"),
                instead_of: None,
            },
            by: Actor::human(Door::Cli, "ada"),
            door: Door::Cli,
            file: None,
            agent: None,
            tag: None,
            priority: None,
            key: None,
            content: None,
            requires_human: Vec::new(),
            back: Some(12),
            prev: sha256(b""),
            hash: Arc::from(""),
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let mut written = record();
        let line = written.seal().unwrap();
        assert_eq!(line.last(), Some(&b'\n'));
        assert_eq!(LedgerLine::read(&line[..line.len() - 1]), Ok(written));
        let text = String::from_utf8(line).unwrap();
        assert!(
            text.contains(r#""at":"2026-01-30T01:30:00.250Z","petition":"a\"b","did":"answered""#),
            "{text}"
        );
    }

    #[test]
    fn a_line_with_any_other_byte_is_refused() {
        let line = record().seal().unwrap();
        let line = &line[..line.len() - 1];
        for at in 0..line.len() {
            let mut other = line.to_vec();
            other[at] ^= 1;
            assert!(LedgerLine::read(&other).is_err(), "byte {at}");
        }
    }
}
