//! The index: where each petition's file is and where its newest ledger line begins, divided into shards so that a
//! change costs the same with ten petitions or a hundred thousand. It is a hint: every entry is checked when it is
//! used, and the index can be rebuilt from the ledger at any time. A shard is a text of lines, each a key and a value,
//! so that one is found without reading all.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::petition::{PetitionChange, PetitionId};
use serde::{Deserialize, Serialize};

use crate::docket::{PetitionPlace, Summary};
use crate::error::DocketError;
use crate::files::Disk;
use crate::files::petition_file::Stamp;
use crate::ledger::{LedgerLine, sha256};
use crate::limits;

/// What the index knows of a petition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Slot {
    pub name: Arc<str>,
    pub place: PetitionPlace,
    /// Where its newest ledger line begins.
    pub head: u64,
    /// Whether the ledger does not say that it is closed.
    pub open: bool,
    /// The file as it was when it last agreed with the ledger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stamp: Option<Stamp>,
    /// The queue entry at that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<Summary>,
}

/// The index, as far as its shards were read.
#[derive(Debug)]
pub(crate) struct Index {
    folder: PathBuf,
    disk: Disk,
    shards: BTreeMap<u16, Shard>,
}

#[derive(Debug, Default)]
struct Shard {
    text: String,
    changed: bool,
}

impl Index {
    pub fn open(folder: &Path, disk: &Disk) -> Index {
        Index { folder: folder.to_owned(), disk: disk.clone(), shards: BTreeMap::new() }
    }

    pub fn slot(&mut self, id: &PetitionId) -> Result<Option<Slot>, DocketError> {
        let key = key_of(id);
        let found = self.shard(&key)?.get(&key).and_then(|value| serde_json::from_str(value).ok());
        Ok(found)
    }

    pub fn note(&mut self, id: &PetitionId, slot: &Slot) -> Result<(), DocketError> {
        let key = key_of(id);
        if let Ok(value) = serde_json::to_string(slot) {
            self.shard(&key)?.set(&key, &value);
        }
        Ok(())
    }

    /// The petition that was pushed with this mark.
    pub fn pushed(&mut self, mark: &str) -> Result<Option<PetitionId>, DocketError> {
        let key = key_of_push(mark);
        let found = self.shard(&key)?.get(&key).and_then(|value| serde_json::from_str(value).ok());
        Ok(found)
    }

    /// Stores the petition that was pushed with this mark.
    pub fn note_pushed(&mut self, mark: &str, id: &PetitionId) -> Result<(), DocketError> {
        let key = key_of_push(mark);
        if let Ok(value) = serde_json::to_string(id) {
            self.shard(&key)?.set(&key, &value);
        }
        Ok(())
    }

    /// Every petition in the index.
    pub fn slots(&mut self) -> Result<Vec<(PetitionId, Slot)>, DocketError> {
        let mut slots = Vec::new();
        for number in 0..limits::SHARDS {
            let shard = self.shard_of(number)?;
            for line in shard.text.lines().filter(|line| line.starts_with("\"petition:")) {
                let Some((key, value)) = line.split_once('\t') else { continue };
                let key = serde_json::from_str::<String>(key).unwrap_or_default();
                let Some(id) = key.strip_prefix("petition:") else { continue };
                if let Ok(slot) = serde_json::from_str(value) {
                    slots.push((PetitionId::from(id), slot));
                }
            }
        }
        Ok(slots)
    }

    /// Updates the index by one ledger line.
    pub fn follow(&mut self, offset: u64, record: &LedgerLine) -> Result<(), DocketError> {
        let id = &record.petition;
        let known = self.slot(id)?;
        let name = known.as_ref().map(|slot| Arc::clone(&slot.name)).or_else(|| record.file.clone());
        let open = known.as_ref().is_none_or(|slot| slot.open) && !record.closes();
        let place = if open { PetitionPlace::Pending } else { PetitionPlace::Completed };
        let name = name.unwrap_or_else(|| Arc::from(""));
        let slot = Slot { name, place, head: offset, open, stamp: None, summary: None };
        if record.change == PetitionChange::Asked {
            for mark in marks(record) {
                self.note_pushed(&mark, id)?;
            }
        }
        self.note(id, &slot)
    }

    /// Rebuilds the index from the whole ledger.
    pub fn rebuild(&mut self, records: &[(u64, LedgerLine)]) -> Result<(), DocketError> {
        let there: BTreeSet<String> = self.disk.names(&self.folder)?.into_iter().collect();
        let anew = |number| (number, Shard { text: String::new(), changed: there.contains(&name(number)) });
        self.shards = (0..limits::SHARDS).map(anew).collect();
        let mut last: BTreeMap<&PetitionId, (Arc<str>, u64, bool)> = BTreeMap::new();
        for (offset, record) in records {
            let name = || record.file.clone().unwrap_or_else(|| Arc::from(""));
            let known = last.entry(&record.petition).or_insert_with(|| (name(), *offset, true));
            known.1 = *offset;
            known.2 &= !record.closes();
            if record.change == PetitionChange::Asked {
                for mark in marks(record) {
                    self.note_pushed(&mark, &record.petition)?;
                }
            }
        }
        for (id, (name, head, open)) in last {
            let place = if open { PetitionPlace::Pending } else { PetitionPlace::Completed };
            let slot = Slot { name, place, head, open, stamp: None, summary: None };
            self.note(id, &slot)?;
        }
        Ok(())
    }

    /// Writes the shards that changed.
    pub fn write(&mut self) -> Result<(), DocketError> {
        for (number, shard) in &mut self.shards {
            if shard.changed {
                self.disk.put(&path(&self.folder, *number), shard.text.as_bytes())?;
                shard.changed = false;
            }
        }
        Ok(())
    }

    fn shard(&mut self, key: &str) -> Result<&mut Shard, DocketError> {
        let hash = sha256(key.as_bytes());
        self.shard_of(u16::from_str_radix(&hash[..4], 16).unwrap_or(0) % limits::SHARDS)
    }

    fn shard_of(&mut self, number: u16) -> Result<&mut Shard, DocketError> {
        let path = path(&self.folder, number);
        match self.shards.entry(number) {
            std::collections::btree_map::Entry::Occupied(known) => Ok(known.into_mut()),
            std::collections::btree_map::Entry::Vacant(new) => {
                let text = match self.disk.read(&path) {
                    Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
                    Err(error) => return Err(DocketError::disk(&path)(error)),
                };
                Ok(new.insert(Shard { text, changed: false }))
            }
        }
    }
}

impl Shard {
    fn get(&self, key: &str) -> Option<&str> {
        self.text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('\t'))
    }

    fn set(&mut self, key: &str, value: &str) {
        let mut begin = 0;
        for line in self.text.split_inclusive('\n') {
            if line.strip_prefix(key).is_some_and(|rest| rest.starts_with('\t')) {
                self.text.replace_range(begin..begin + line.len(), "");
                break;
            }
            begin += line.len();
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(key);
        self.text.push('\t');
        self.text.push_str(value);
        self.text.push('\n');
        self.changed = true;
    }
}

fn path(folder: &Path, number: u16) -> PathBuf {
    folder.join(name(number))
}

fn name(number: u16) -> String {
    format!("{number:03}.lines")
}

/// A key as it begins its line: a JSON string, in which neither a tab nor a line end can stand.
fn key_of(id: &PetitionId) -> String {
    serde_json::to_string(&format!("petition:{id}")).unwrap_or_default()
}

fn key_of_push(mark: &str) -> String {
    serde_json::to_string(&format!("push:{mark}")).unwrap_or_default()
}

/// The marks by which a repeated push is recognised: the asker with its key, and the asker with the content.
pub(crate) fn marks(asked: &LedgerLine) -> Vec<Arc<str>> {
    let agent = asked.agent.as_deref().unwrap_or("");
    let key = asked.key.iter().map(|key| mark(agent, "key", key));
    let content = asked.content.iter().map(|content| mark(agent, "content", content));
    key.chain(content).collect()
}

pub(crate) fn mark(agent: &str, what: &str, value: &str) -> Arc<str> {
    sha256(serde_json::json!([agent, what, value]).to_string().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(head: u64) -> Slot {
        let name = Arc::from("a.md");
        Slot { name, place: PetitionPlace::Pending, head, open: true, stamp: None, summary: None }
    }

    #[test]
    fn what_was_noted_is_found_whatever_the_id_is() {
        let folder = tempfile::tempdir().unwrap();
        let ids = ["a", "a\tb", "a\nb", "\"a\"", "", "/../../x", "petition:a", "\u{2028}"];
        let mut index = Index::open(folder.path(), &Disk::default());
        for (head, id) in ids.iter().enumerate() {
            index.note(&PetitionId::from(*id), &slot(head as u64)).unwrap();
            index.note(&PetitionId::from(*id), &slot(head as u64 + 100)).unwrap();
        }
        index.write().unwrap();
        let mut index = Index::open(folder.path(), &Disk::default());
        for (head, id) in ids.iter().enumerate() {
            let found = index.slot(&PetitionId::from(*id)).unwrap();
            assert_eq!(found, Some(slot(head as u64 + 100)), "{id:?}");
        }
        assert_eq!(index.slots().unwrap().len(), ids.len());
    }

    #[test]
    fn a_shard_full_of_nonsense_knows_nothing() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..limits::SHARDS {
            std::fs::write(path(folder.path(), number), b"\xff\xfe\n\"petition:a\"\t{\n\"petition").unwrap();
        }
        let mut index = Index::open(folder.path(), &Disk::default());
        assert_eq!(index.slot(&PetitionId::from("a")).unwrap(), None);
        assert_eq!(index.slots().unwrap(), Vec::new());
        index.note(&PetitionId::from("a"), &slot(3)).unwrap();
        assert_eq!(index.slot(&PetitionId::from("a")).unwrap(), Some(slot(3)));
    }
}
