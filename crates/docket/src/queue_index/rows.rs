//! The rows of the queue by their files, and beside them the order in which petitions should be answered, the counts
//! and the deadlines. Each follows one row at a time, so a change costs the same with ten rows or a hundred thousand.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mind::Timestamp;
use mind::petition::{PetitionId, Priority};

use crate::docket::{FaultKind, Summary};
use crate::files::petition_file::Stamp;
use crate::waiting_counts::WaitingCounts;

#[derive(Debug, Clone)]
pub(super) struct Row {
    /// The file's stamp when it was read; none if it must be read again in any case.
    pub stamp: Option<Stamp>,
    /// The petition, or what is wrong with the file.
    pub says: Result<Summary, RowFault>,
    /// Why the file could not be brought in line with what is recorded.
    pub behind: Option<String>,
}

#[derive(Debug, Clone)]
pub(super) struct RowFault {
    pub kind: FaultKind,
    pub petition: Option<PetitionId>,
    pub why: String,
}

/// Where a petition stands in the queue: those that missions wait for come first, then by priority, then the oldest.
pub(crate) type QueuePlace = (Reverse<bool>, Reverse<Priority>, Timestamp, PetitionId);

/// Where this one stands.
pub(crate) fn place(summary: &Summary) -> QueuePlace {
    let blocks = summary.mission.is_some() || summary.blocks.is_some();
    (Reverse(blocks), Reverse(summary.priority), summary.created_at, summary.id.clone())
}

/// The rows by the names of their files. No row changes without its place, count and deadline.
#[derive(Debug, Clone, Default)]
pub(super) struct QueueRows {
    rows: BTreeMap<Arc<str>, Row>,
    order: BTreeSet<(QueuePlace, Arc<str>)>,
    counts: WaitingCounts,
    /// How many petitions change at which moment by time alone.
    due: BTreeMap<Timestamp, usize>,
    /// The files with which something is wrong.
    faulty: BTreeSet<Arc<str>>,
}

impl Row {
    pub fn faulty(kind: FaultKind, why: impl Into<String>) -> Row {
        Row { stamp: None, says: Err(RowFault { kind, petition: None, why: why.into() }), behind: None }
    }

    fn is_faulty(&self) -> bool {
        self.says.is_err() || self.behind.is_some()
    }
}

impl QueueRows {
    pub fn get(&self, name: &str) -> Option<&Row> {
        self.rows.get(name)
    }

    pub fn insert(&mut self, name: impl Into<Arc<str>>, row: Row) {
        let name = name.into();
        self.remove(&name);
        if let Ok(summary) = &row.says {
            self.order.insert((place(summary), Arc::clone(&name)));
            self.counts.total += 1;
            *self.counts.of_mut(summary.priority) += 1;
            if let Some(due) = summary.due_at {
                *self.due.entry(due).or_default() += 1;
            }
        }
        if row.is_faulty() {
            self.faulty.insert(Arc::clone(&name));
        }
        self.rows.insert(name, row);
    }

    pub fn remove(&mut self, name: &str) {
        let Some((name, row)) = self.rows.remove_entry(name) else { return };
        self.faulty.remove(&name);
        let Ok(summary) = row.says else { return };
        self.order.remove(&(place(&summary), name));
        self.counts.total -= 1;
        *self.counts.of_mut(summary.priority) -= 1;
        let Some(due) = summary.due_at else { return };
        if let Some(several) = self.due.get_mut(&due).filter(|several| **several > 1) {
            *several -= 1;
        } else {
            self.due.remove(&due);
        }
    }

    /// The names of all files.
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.rows.keys()
    }

    /// The petitions, in the order in which they should be answered.
    pub fn in_order(&self) -> impl Iterator<Item = &Summary> {
        self.order.iter().filter_map(|(_, name)| self.rows.get(name)?.says.as_ref().ok())
    }

    pub fn counts(&self) -> WaitingCounts {
        self.counts
    }

    /// The first deadline after `rung`.
    pub fn due_after(&self, rung: Timestamp) -> Option<Timestamp> {
        self.due.range(Timestamp(rung.0.saturating_add(1))..).next().map(|(due, _)| *due)
    }

    /// The rows with which something is wrong, by their names.
    pub fn faulty(&self) -> impl Iterator<Item = (&Arc<str>, &Row)> {
        self.faulty.iter().filter_map(|name| self.rows.get_key_value(name))
    }

    /// What is wrong with a file, to be told better.
    pub fn fault_mut(&mut self, name: &str) -> Option<&mut RowFault> {
        self.rows.get_mut(name)?.says.as_mut().err()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use mind::petition::{PetitionDraft, PetitionId};
    use proptest::prelude::*;

    use super::*;

    fn summary(id: u8, priority: u8, at: u64, due: Option<u64>) -> Summary {
        let priorities = [Priority::Low, Priority::Normal, Priority::High, Priority::Urgent];
        let draft = PetitionDraft {
            priority: priorities[usize::from(priority % 4)],
            blocks: (priority > 200).then(|| Arc::from("the build")),
            deadline: due.map(Timestamp),
            ..PetitionDraft::default()
        };
        let mut petition = draft.petition(PetitionId::from(&*format!("p{id}")), Timestamp(at));
        petition.decisions.push(mind::petition::Decision::default());
        Summary::of(&petition, PathBuf::new())
    }

    proptest! {
        #[test]
        fn the_order_the_counts_and_the_deadlines_are_those_of_the_rows(
            acts in prop::collection::vec((0_u8..12, any::<bool>(), any::<u8>(), 0_u64..5, prop::option::of(0_u64..5), any::<bool>()), 0..60),
        ) {
            let mut rows = QueueRows::default();
            let mut plain: BTreeMap<Arc<str>, Result<Summary, ()>> = BTreeMap::new();
            for (name, stays, priority, at, due, faulty) in acts {
                let file: Arc<str> = Arc::from(format!("{name}.md"));
                if !stays {
                    rows.remove(&file);
                    plain.remove(&file);
                } else if faulty {
                    rows.insert(Arc::clone(&file), Row::faulty(FaultKind::Malformed, "x"));
                    plain.insert(file, Err(()));
                } else {
                    let summary = summary(name, priority, at, due);
                    rows.insert(Arc::clone(&file), Row { stamp: None, says: Ok(summary.clone()), behind: None });
                    plain.insert(file, Ok(summary));
                }
            }
            let mut sound: Vec<Summary> = plain.values().filter_map(|row| row.clone().ok()).collect();
            sound.sort_by_cached_key(place);
            prop_assert_eq!(rows.in_order().cloned().collect::<Vec<_>>(), sound.clone());
            prop_assert_eq!(rows.counts().total, sound.len());
            prop_assert_eq!(rows.faulty().count(), plain.values().filter(|row| row.is_err()).count());
            for priority in [Priority::Low, Priority::Normal, Priority::High, Priority::Urgent] {
                let count = sound.iter().filter(|summary| summary.priority == priority).count();
                prop_assert_eq!(rows.counts().of(priority), count);
            }
            for rung in 0..5 {
                let due = sound.iter().filter_map(|summary| summary.due_at).filter(|due| due.0 > rung).min();
                prop_assert_eq!(rows.due_after(Timestamp(rung)), due);
            }
        }
    }
}
