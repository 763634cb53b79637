//! Petitions that are followed by id. Each is read once for all its followers, and sent to each of them once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mind::Timestamp;
use mind::petition::{PetitionEnd, PetitionId};

use super::{Became, PetitionNews, Tell};
use crate::docket::{Docket, StoredPetition};
use crate::error::DocketError;

#[derive(Debug, Default)]
pub(super) struct PetitionDesk {
    followers: BTreeMap<u64, Tell<PetitionNews>>,
    followed: BTreeMap<PetitionId, Followed>,
}

/// A petition and its followers.
#[derive(Debug)]
struct Followed {
    seen: Seen,
    /// How many of its ledger lines each follower knows.
    known: BTreeMap<u64, usize>,
}

/// What was last read of a petition.
#[derive(Debug, Clone)]
enum Seen {
    Nothing,
    Stands(Arc<StoredPetition>),
    Unreadable(Arc<str>),
    Gone,
    Trouble(Arc<DocketError>),
}

impl PetitionDesk {
    pub(super) fn hear(&mut self, number: u64, tell: Tell<PetitionNews>) {
        self.followers.insert(number, tell);
    }

    pub(super) fn leave(&mut self, number: u64) {
        self.followers.remove(&number);
        for followed in self.followed.values_mut() {
            followed.known.remove(&number);
        }
        self.followed.retain(|_, followed| !followed.known.is_empty());
    }

    pub(super) fn unfollow(&mut self, number: u64, id: &PetitionId) {
        if let Some(followed) = self.followed.get_mut(id) {
            followed.known.remove(&number);
            if followed.known.is_empty() {
                self.followed.remove(id);
            }
        }
    }

    /// Adds a follower to a petition, and sends it at once what it does not know.
    pub(super) fn follow(
        &mut self,
        docket: &Docket,
        number: u64,
        id: PetitionId,
        kept: Option<Arc<StoredPetition>>,
        now: Timestamp,
    ) {
        let known = kept.as_ref().map(|kept| kept.records.len());
        let seen = kept.map_or(Seen::Nothing, Seen::Stands);
        let followed = self.followed.entry(id.clone()).or_insert(Followed { seen, known: BTreeMap::new() });
        followed.known.insert(number, known.unwrap_or(0));
        let before = followed.seen.clone();
        self.reread(docket, &id, now);
        // News that other followers received before are new to this one.
        let Some(followed) = self.followed.get_mut(&id) else { return };
        let is_told = !followed.seen.is_same(&before);
        let is_known = match &followed.seen {
            Seen::Stands(kept) => known == Some(kept.records.len()),
            Seen::Nothing | Seen::Unreadable(_) | Seen::Gone | Seen::Trouble(_) => false,
        };
        if !is_told && !is_known {
            notify(&mut self.followers, &id, followed, Some(number), true);
        }
        self.forget_what_is_over(&id);
    }

    /// Rereads the followed petitions whose files have these names.
    pub(super) fn touch(&mut self, docket: &Docket, names: &BTreeSet<String>, now: Timestamp) {
        let is_meant = |followed: &Followed| match &followed.seen {
            Seen::Stands(kept) => {
                kept.file.file_name().and_then(|name| name.to_str()).is_none_or(|name| names.contains(name))
            }
            Seen::Nothing | Seen::Unreadable(_) | Seen::Gone | Seen::Trouble(_) => true,
        };
        let meant = self.followed.iter().filter(|(_, followed)| is_meant(followed));
        let ids: Vec<PetitionId> = meant.map(|(id, _)| id.clone()).collect();
        self.reread_all(docket, &ids, now);
    }

    /// Rereads all followed petitions.
    pub(super) fn sweep(&mut self, docket: &Docket, now: Timestamp) {
        let ids: Vec<PetitionId> = self.followed.keys().cloned().collect();
        self.reread_all(docket, &ids, now);
    }

    /// When a deadline changes a followed petition next, after `rung`.
    pub(super) fn due(&self, rung: Timestamp) -> Option<Timestamp> {
        let due = self.followed.values().filter_map(|followed| match &followed.seen {
            Seen::Stands(kept) => kept.petition.due_at(),
            Seen::Nothing | Seen::Unreadable(_) | Seen::Gone | Seen::Trouble(_) => None,
        });
        due.filter(|due| *due > rung).min()
    }

    fn reread_all(&mut self, docket: &Docket, ids: &[PetitionId], now: Timestamp) {
        for id in ids {
            self.reread(docket, id, now);
            self.forget_what_is_over(id);
        }
    }

    fn reread(&mut self, docket: &Docket, id: &PetitionId, now: Timestamp) {
        let looked = match docket.read(id, now) {
            // Its entry in the index can be lost; a search finds the petition again, and also finds longer ids.
            Err(DocketError::Unknown { typed }) => match docket.find(&id.0, now) {
                Ok(kept) if kept.petition.id != *id => Err(DocketError::Unknown { typed }),
                found => found,
            },
            looked => looked,
        };
        let seen = match looked {
            Ok(kept) => Seen::Stands(Arc::new(kept)),
            Err(DocketError::Malformed { why, .. }) => Seen::Unreadable(Arc::from(why)),
            Err(DocketError::Gone { .. } | DocketError::Unknown { .. }) => Seen::Gone,
            Err(error) => Seen::Trouble(Arc::new(error)),
        };
        let Some(followed) = self.followed.get_mut(id) else { return };
        if followed.seen.is_same(&seen) {
            return;
        }
        let was_open = followed.seen.is_open();
        followed.seen = seen;
        notify(&mut self.followers, id, followed, None, was_open);
    }

    /// Drops a petition that is submitted or gone: no more news can come of it.
    fn forget_what_is_over(&mut self, id: &PetitionId) {
        let is_over = self.followed.get(id).is_some_and(|followed| match &followed.seen {
            Seen::Stands(kept) => {
                kept.petition.closed.as_ref().is_some_and(|closed| closed.end == PetitionEnd::Completed)
            }
            Seen::Gone => true,
            Seen::Nothing | Seen::Unreadable(_) | Seen::Trouble(_) => false,
        });
        if is_over {
            self.followed.remove(id);
        }
    }
}

/// Sends what was read of a petition to all its followers, or to one of them.
fn notify(
    followers: &mut BTreeMap<u64, Tell<PetitionNews>>,
    id: &PetitionId,
    followed: &mut Followed,
    only: Option<u64>,
    was_open: bool,
) {
    for (number, known) in
        followed.known.iter_mut().filter(|(number, _)| only.is_none_or(|only| **number == only))
    {
        let became = match &followed.seen {
            Seen::Nothing => continue,
            Seen::Stands(kept) => {
                let before = std::mem::replace(known, kept.records.len());
                Became::Stands { kept: Arc::clone(kept), known: before }
            }
            Seen::Unreadable(why) => Became::Unreadable { why: Arc::clone(why) },
            Seen::Gone => Became::Gone { was_open },
            Seen::Trouble(error) => Became::Trouble(Arc::clone(error)),
        };
        if let Some(Tell(tell)) = followers.get_mut(number) {
            tell(PetitionNews { id: id.clone(), became });
        }
    }
}

impl Seen {
    /// Whether there is nothing new to send.
    fn is_same(&self, other: &Seen) -> bool {
        match (self, other) {
            (Seen::Nothing, Seen::Nothing) | (Seen::Gone, Seen::Gone) => true,
            (Seen::Stands(one), Seen::Stands(other)) => one == other,
            (Seen::Unreadable(one), Seen::Unreadable(other)) => one == other,
            (Seen::Trouble(one), Seen::Trouble(other)) => one.to_string() == other.to_string(),
            (
                Seen::Nothing | Seen::Gone | Seen::Stands(_) | Seen::Unreadable(_) | Seen::Trouble(_),
                Seen::Nothing | Seen::Gone | Seen::Stands(_) | Seen::Unreadable(_) | Seen::Trouble(_),
            ) => false,
        }
    }

    fn is_open(&self) -> bool {
        match self {
            Seen::Stands(kept) => kept.petition.closed.is_none(),
            Seen::Nothing | Seen::Unreadable(_) | Seen::Trouble(_) => true,
            Seen::Gone => false,
        }
    }
}
