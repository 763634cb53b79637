//! A journal's facts one by one, as a port gives them to a door: none that may not be shown yet.

use std::collections::VecDeque;

use mind::{Entry, MissionId};
use view::port::FactStream;
use view::refusal::JournalRefusal;

use crate::mission::fact_log::{FactTail, MissionJournal};
use crate::mission::refusal::journal_refusal;

/// The facts of `mission`, from the first on, as far as `shown` says.
pub(super) fn stream(
    mission: &MissionId,
    journal: &MissionJournal,
    shown: impl Fn() -> u64 + Send + 'static,
) -> Result<FactStream, JournalRefusal> {
    let tail = FactTail::open(journal).map_err(|error| journal_refusal(&error, mission))?;
    Ok(Box::new(Facts { mission: mission.clone(), tail, batch: VecDeque::new(), shown }))
}

struct Facts<S> {
    mission: MissionId,
    tail: FactTail,
    /// What was read of the journal and not given yet.
    batch: VecDeque<(u64, Entry)>,
    shown: S,
}

impl<S: Fn() -> u64> Iterator for Facts<S> {
    type Item = Result<(u64, Entry), JournalRefusal>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.batch.is_empty() {
            match self.tail.next() {
                Ok(batch) => self.batch = batch?.into(),
                Err(error) => return Some(Err(journal_refusal(&error, &self.mission))),
            }
        }
        let (seq, _) = self.batch.front()?;
        if *seq > (self.shown)() {
            return None;
        }
        self.batch.pop_front().map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use journal::{FileStore, JournalKey};
    use mind::fact::TalkFact;
    use mind::{Fact, Timestamp};

    use super::*;
    use crate::mission::fact_log::FactLog;

    #[test]
    fn no_fact_is_given_before_it_may_be_shown_and_none_is_given_twice() {
        let world = tempfile::tempdir().unwrap();
        let store = Arc::new(FileStore::new(JournalKey::new(&[7; 32])));
        let journal = MissionJournal::new(store, world.path().join("journal.jsonl"));
        let said = |inbox_id: &str| Fact::Talk(TalkFact::Received { inbox_id: inbox_id.into() });
        let entries = ["a", "b", "c"].map(|id| Entry { at: Timestamp(1), fact: said(id) });
        FactLog::create(&journal, "m-1", &entries).unwrap();
        let head = Arc::new(AtomicU64::new(2));
        let shown = Arc::clone(&head);
        let mission = MissionId("m-1".into());
        let mut facts = stream(&mission, &journal, move || shown.load(Ordering::SeqCst)).unwrap();
        let mut given = || facts.by_ref().map(|fact| fact.unwrap().0).collect::<Vec<u64>>();
        assert_eq!(given(), [1, 2]);
        assert_eq!(given(), [0; 0]);
        head.store(9, Ordering::SeqCst);
        assert_eq!(given(), [3]);
    }
}
