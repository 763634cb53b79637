//! What waits for a person, a row each, and the files that cannot be read. A row is made of plain values, so that a door
//! with the whole petition and a door with a summary of it say the same.

use mind::Timestamp;
use mind::petition::{Petition, PetitionId, PetitionStatus, Priority};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::amount::counted;
use crate::decision::due;
use crate::line::line;
use crate::petition::{held_up, urgency};
use crate::tone::Tone;
use crate::when::span;

/// A petition that waits, in plain values. For programs it is written as it is, under the names that agents know.
#[derive(Debug, Clone, Copy)]
pub struct WaitingPetition<'a> {
    pub id: &'a PetitionId,
    pub agent: &'a str,
    pub tag: &'a str,
    pub title: &'a str,
    pub priority: Priority,
    pub status: PetitionStatus,
    pub created_at: Timestamp,
    pub total: usize,
    pub decided: usize,
    pub mission: Option<&'a str>,
    pub blocks: Option<&'a str>,
    /// When time alone changes something next.
    pub due_at: Option<Timestamp>,
    pub assignee: Option<&'a str>,
    /// Where it lies, if that is known.
    pub file: Option<&'a str>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QueueView {
    /// "3 petitions wait: 1 urgent, 2 normal"
    pub text: String,
    pub rows: Vec<QueueRow>,
    pub unreadable: Vec<UnreadableFile>,
}

/// A petition in the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QueueRow {
    pub id: String,
    pub title: String,
    pub asker: String,
    pub tag: String,
    pub priority: Priority,
    pub urgency: Tone,
    /// "1/3": decided, of all.
    pub progress: String,
    /// All is decided; it only has to be submitted.
    pub ready: bool,
    /// "10m"
    pub age: String,
    /// "due in 5m"
    pub due: Option<String>,
    /// "mission m-1 waits"
    pub held_up: Option<String>,
}

/// A file that is no petition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnreadableFile {
    pub file: String,
    pub why: String,
}

/// What waits, in the order that is given; and files with what is wrong with each.
#[must_use]
pub fn queue<'a>(
    waiting: &[WaitingPetition<'a>],
    unreadable: impl IntoIterator<Item = (&'a str, &'a str)>,
    now: Timestamp,
) -> QueueView {
    QueueView {
        text: QueueCounts::of(waiting.iter().map(|petition| petition.priority)).text(),
        rows: waiting.iter().map(|petition| row(petition, now)).collect(),
        unreadable: unreadable.into_iter().map(|(file, why)| self::unreadable(file, why)).collect(),
    }
}

/// A petition in the queue.
#[must_use]
pub fn row(petition: &WaitingPetition<'_>, now: Timestamp) -> QueueRow {
    QueueRow {
        id: line(&petition.id.0),
        title: line(petition.title),
        asker: line(petition.agent),
        tag: line(petition.tag),
        priority: petition.priority,
        urgency: urgency(petition.priority),
        progress: format!("{}/{}", petition.decided, petition.total),
        ready: petition.status == PetitionStatus::Ready,
        age: span(now.0.saturating_sub(petition.created_at.0)),
        due: petition.due_at.map(|at| due(at, now)),
        held_up: held_up(petition.mission, petition.blocks).into_iter().next(),
    }
}

/// A file that is no petition, and what is wrong with it.
#[must_use]
pub fn unreadable(file: &str, why: &str) -> UnreadableFile {
    let why = line(why);
    UnreadableFile { file: line(file), why: why.strip_prefix("malformed: ").unwrap_or(&why).to_owned() }
}

/// How many wait with each priority: a door that shows one page of a long queue counts without rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueCounts {
    pub urgent: usize,
    pub high: usize,
    pub normal: usize,
    pub low: usize,
}

impl QueueCounts {
    #[must_use]
    pub fn of(waiting: impl IntoIterator<Item = Priority>) -> QueueCounts {
        let mut counts = QueueCounts::default();
        for priority in waiting {
            *match priority {
                Priority::Urgent => &mut counts.urgent,
                Priority::High => &mut counts.high,
                Priority::Normal => &mut counts.normal,
                Priority::Low => &mut counts.low,
            } += 1;
        }
        counts
    }

    #[must_use]
    pub fn total(self) -> usize {
        self.urgent + self.high + self.normal + self.low
    }

    /// The priorities that wait, the most urgent first.
    pub fn each(self) -> impl Iterator<Item = (Priority, usize)> {
        let each = [
            (Priority::Urgent, self.urgent),
            (Priority::High, self.high),
            (Priority::Normal, self.normal),
            (Priority::Low, self.low),
        ];
        each.into_iter().filter(|(_, count)| *count > 0)
    }

    /// "3 petitions wait: 1 urgent, 2 normal"
    #[must_use]
    pub fn text(self) -> String {
        let total = self.total();
        if total == 0 {
            return "nothing waits for you".to_owned();
        }
        let each: Vec<String> =
            self.each().map(|(priority, count)| format!("{count} {}", priority.word())).collect();
        let wait = if total == 1 { "waits" } else { "wait" };
        format!("{} {wait}: {}", counted(total, "petition"), each.join(", "))
    }
}

/// How many wait with this priority.
#[must_use]
pub fn count_of(waiting: &[WaitingPetition<'_>], priority: Priority) -> usize {
    waiting.iter().filter(|petition| petition.priority == priority).count()
}

impl<'a> From<&'a Petition> for WaitingPetition<'a> {
    fn from(petition: &'a Petition) -> WaitingPetition<'a> {
        WaitingPetition {
            id: &petition.id,
            agent: &petition.agent,
            tag: &petition.tag,
            title: &petition.title,
            priority: petition.priority,
            status: petition.status(),
            created_at: petition.created_at,
            total: petition.decisions.len(),
            decided: petition.decided(),
            mission: petition.mission.as_deref(),
            blocks: petition.blocks.as_deref(),
            due_at: petition.due_at(),
            assignee: petition.assignee.as_deref(),
            file: None,
        }
    }
}

impl Serialize for WaitingPetition<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("planId", self.id)?;
        map.serialize_entry("id", self.id)?;
        map.serialize_entry("title", self.title)?;
        map.serialize_entry("agent", self.agent)?;
        map.serialize_entry("tag", self.tag)?;
        map.serialize_entry("priority", self.priority.word())?;
        map.serialize_entry("status", self.status.word())?;
        map.serialize_entry("total", &self.total)?;
        map.serialize_entry("answered", &self.decided)?;
        map.serialize_entry("remaining", &self.total.saturating_sub(self.decided))?;
        map.serialize_entry("asked", self.assignee.unwrap_or("anyone"))?;
        map.serialize_entry("createdAt", &self.created_at.utc())?;
        let optional = [("file", self.file), ("mission", self.mission), ("blocks", self.blocks)];
        for (name, value) in optional {
            if let Some(value) = value {
                map.serialize_entry(name, value)?;
            }
        }
        if let Some(due) = self.due_at {
            map.serialize_entry("dueAt", &due.utc())?;
        }
        map.end()
    }
}
