//! Finds the petition and the decision that a button or a link means, as they stand now.

use docket::{DocketError, StoredPetition};
use mind::petition::{Decision, PetitionId};
use view::refusal::{RefusalReader, refusal};

use super::Desk;
use super::reply::Turn;
use crate::refusal::docket_refusal;
use crate::telegram::screen::ScreenKey;
use crate::telegram::tap::PetitionRef;

impl Desk {
    /// The petition of a button. One that is gone is told, and the person is back at the queue.
    pub(super) fn find(&self, petition: &PetitionRef) -> Result<StoredPetition, Turn> {
        let id = match petition {
            PetitionRef::Id(id) => id.clone(),
            PetitionRef::Digest(_) => self.by_digest(petition).ok_or_else(not_found)?,
        };
        self.read(&id)
    }

    pub(super) fn read(&self, id: &PetitionId) -> Result<StoredPetition, Turn> {
        match self.docket.read(id, self.now()) {
            Ok(found) => Ok(found),
            Err(DocketError::Recorded { kept, .. }) => Ok(*kept),
            Err(DocketError::Unknown { .. } | DocketError::Gone { .. }) => Err(not_found()),
            // The screen of the petition says what is wrong with it, and offers to look again.
            Err(error @ DocketError::Malformed { .. }) => {
                let key = ScreenKey::Petition { petition: id.clone(), page: 0 };
                Err(Turn::to(key).warning(self.in_words(&error)))
            }
            Err(error) => Err(Turn::to(ScreenKey::Queue { page: 0 }).warning(self.in_words(&error))),
        }
    }

    /// The decision at this place, if there is one.
    pub(super) fn decision(stored: &StoredPetition, at: usize) -> Result<&Decision, Turn> {
        stored.petition.decisions.get(at).ok_or_else(|| {
            let key = ScreenKey::Petition { petition: stored.petition.id.clone(), page: 0 };
            Turn::to(key).warning("This decision is no longer in its petition.")
        })
    }

    /// An id that is too long for a button is known by the beginning of its digest.
    fn by_digest(&self, petition: &PetitionRef) -> Option<PetitionId> {
        let known = self.open.iter().map(|open| &open.id).find(|id| petition.names(id)).cloned();
        let shown = || {
            self.memory.read(|state| {
                let shown = state.chats.values().flat_map(|chat| &chat.shown);
                let ids = shown.filter_map(|(_, key)| key.petition());
                ids.chain(state.announced.keys()).find(|id| petition.names(id)).cloned()
            })
        };
        let all = || {
            let queue = self.docket.queue(self.now()).ok()?;
            queue.petitions.into_iter().map(|summary| summary.id).find(|id| petition.names(id))
        };
        known.or_else(shown).or_else(all)
    }

    pub(super) fn in_words(&self, error: &DocketError) -> String {
        refusal(&docket_refusal(error, self.now()), RefusalReader::Person).to_string()
    }
}

fn not_found() -> Turn {
    Turn::to(ScreenKey::Queue { page: 0 }).under("❌ Plan not found").saying("Plan not found")
}
