//! Petitions that are followed by name. Each is read once for all who follow it, and told to each of them once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mind::Timestamp;
use mind::petition::{End, PetitionId};

use super::{Became, PetitionNews, Tell};
use crate::docket::{Docket, StoredPetition};
use crate::error::DocketError;

#[derive(Debug, Default)]
pub(super) struct PetitionDesk {
    followers: BTreeMap<u64, Tell<PetitionNews>>,
    followed: BTreeMap<PetitionId, Followed>,
}

/// A petition and those who follow it.
#[derive(Debug)]
struct Followed {
    seen: Seen,
    /// How many of its records each follower knows.
    known: BTreeMap<u64, usize>,
}

/// What was seen of a petition last.
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

    /// One more follows a petition; what it does not know of it is told at once.
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
        self.look(docket, &id, now);
        // What others were told before, this one was not.
        let Some(followed) = self.followed.get_mut(&id) else { return };
        let is_told = !followed.seen.is_same(&before);
        let is_known = match &followed.seen {
            Seen::Stands(kept) => known == Some(kept.records.len()),
            Seen::Nothing | Seen::Unreadable(_) | Seen::Gone | Seen::Trouble(_) => false,
        };
        if !is_told && !is_known {
            tell(&mut self.followers, &id, followed, Some(number), true);
        }
        self.forget_what_is_over(&id);
    }

    /// Looks at petitions whose files have these names.
    pub(super) fn touch(&mut self, docket: &Docket, names: &BTreeSet<String>, now: Timestamp) {
        let is_meant = |followed: &Followed| match &followed.seen {
            Seen::Stands(kept) => {
                kept.file.file_name().and_then(|name| name.to_str()).is_none_or(|name| names.contains(name))
            }
            Seen::Nothing | Seen::Unreadable(_) | Seen::Gone | Seen::Trouble(_) => true,
        };
        let meant = self.followed.iter().filter(|(_, followed)| is_meant(followed));
        let ids: Vec<PetitionId> = meant.map(|(id, _)| id.clone()).collect();
        self.look_at(docket, &ids, now);
    }

    /// Looks at all of them.
    pub(super) fn sweep(&mut self, docket: &Docket, now: Timestamp) {
        let ids: Vec<PetitionId> = self.followed.keys().cloned().collect();
        self.look_at(docket, &ids, now);
    }

    /// When time changes something next, after `rung`.
    pub(super) fn due(&self, rung: Timestamp) -> Option<Timestamp> {
        let due = self.followed.values().filter_map(|followed| match &followed.seen {
            Seen::Stands(kept) => kept.petition.due_at(),
            Seen::Nothing | Seen::Unreadable(_) | Seen::Gone | Seen::Trouble(_) => None,
        });
        due.filter(|due| *due > rung).min()
    }

    fn look_at(&mut self, docket: &Docket, ids: &[PetitionId], now: Timestamp) {
        for id in ids {
            self.look(docket, id, now);
            self.forget_what_is_over(id);
        }
    }

    fn look(&mut self, docket: &Docket, id: &PetitionId, now: Timestamp) {
        let looked = match docket.look(id, now) {
            // Its place in the index can be lost; it is found again by a search, which also finds longer names.
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
        tell(&mut self.followers, id, followed, None, was_open);
    }

    /// Nothing more becomes of what was submitted, or is gone.
    fn forget_what_is_over(&mut self, id: &PetitionId) {
        let is_over = self.followed.get(id).is_some_and(|followed| match &followed.seen {
            Seen::Stands(kept) => {
                kept.petition.closed.as_ref().is_some_and(|closed| closed.end == End::Completed)
            }
            Seen::Gone => true,
            Seen::Nothing | Seen::Unreadable(_) | Seen::Trouble(_) => false,
        });
        if is_over {
            self.followed.remove(id);
        }
    }
}

/// Tells all who follow a petition what was seen of it, or only one of them.
fn tell(
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
    /// Nobody need be told.
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

    /// It was not seen closed.
    fn is_open(&self) -> bool {
        match self {
            Seen::Stands(kept) => kept.petition.closed.is_none(),
            Seen::Nothing | Seen::Unreadable(_) | Seen::Trouble(_) => true,
            Seen::Gone => false,
        }
    }
}
