//! The missions of this user for a door: through the registry and each mission's folder. Of a mission only its row and the
//! petitions that it waits for are kept, and it is read again only when its journal grew.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use doors::telegram::settings::MissionDirectory;
use mind::actor::Actor;
use mind::petition::PetitionId;
use mind::{MissionId, State};
use view::mission::{self, MissionRowView};
use view::port::MissionPort;

use super::limits::{MISSION_READ_EVERY, MISSIONS_FRESH, MISSIONS_SHOWN_MAX};
use crate::mission::journal_key;
use crate::mission::port::{FolderPort, holder};
use crate::project::home::{MissionPlaces, Project, UserFolders};
use crate::project::registry::{Presence, Registry, RegistryEntry};
use crate::terminal;

/// The registry as a list for doors.
pub struct RegisteredMissions {
    places: UserFolders,
    known: Mutex<KnownMissions>,
}

#[derive(Default)]
struct KnownMissions {
    looked: Option<Instant>,
    missions: BTreeMap<MissionId, KnownMission>,
    /// In the order in which they are shown.
    order: Vec<MissionId>,
    /// What missions that run wait for.
    awaited: BTreeSet<PetitionId>,
}

struct KnownMission {
    row: MissionRowView,
    awaited: Vec<PetitionId>,
    /// How long its journal was, and whether a process ran it.
    seen: (u64, bool),
    read: Instant,
}

impl RegisteredMissions {
    #[must_use]
    pub fn new(places: UserFolders) -> RegisteredMissions {
        RegisteredMissions { places, known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, KnownMissions> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.looked.is_none_or(|looked| looked.elapsed() >= MISSIONS_FRESH) {
            self.look(&mut known);
            known.looked = Some(Instant::now());
        }
        known
    }

    fn registry(&self) -> Registry {
        Registry::new(self.places.registry())
    }

    fn look(&self, known: &mut KnownMissions) {
        // A registry that cannot be read now shows what it showed before.
        let Ok(listing) = self.registry().list() else { return };
        let runs = |entry: &RegistryEntry| holder(&places_of(entry)).is_some();
        let mut entries: Vec<(bool, RegistryEntry)> =
            listing.entries.into_iter().map(|entry| (runs(&entry), entry)).collect();
        // The newest come first in the listing, and stay so among their like.
        entries.sort_by_key(|(running, _)| !running);
        entries.truncate(MISSIONS_SHOWN_MAX);
        let mut before = std::mem::take(&mut known.missions);
        known.order = entries.iter().map(|(_, entry)| entry.id.clone()).collect();
        for (running, entry) in entries {
            let length = fs::metadata(places_of(&entry).journal()).map_or(0, |journal| journal.len());
            let kept = before.remove(&entry.id).filter(|kept| {
                let is_same = kept.seen == (length, running) && length > 0;
                is_same || (kept.seen.1 == running && kept.read.elapsed() < MISSION_READ_EVERY)
            });
            let mission = kept.unwrap_or_else(|| self.read(&entry, length, running));
            known.missions.insert(entry.id, mission);
        }
        let running = known.missions.values().filter(|mission| mission.seen.1);
        known.awaited = running.flat_map(|mission| mission.awaited.iter().cloned()).collect();
    }

    fn read(&self, entry: &RegistryEntry, length: u64, running: bool) -> KnownMission {
        let places = places_of(entry);
        let row = |status: String, standing: String, title: String, at: u64| MissionRowView {
            id: entry.id.clone(),
            status,
            title,
            at,
            running,
            project: Some(entry.project.display().to_string()),
            standing,
            parked_until: None,
        };
        let untold = |why: String| row(why.clone(), why, entry.title.clone(), 0);
        let (row, awaited) = match entry.presence() {
            Presence::MissionGone => (untold("the mission is gone".to_owned()), Vec::new()),
            Presence::ProjectGone => (untold("the project is gone".to_owned()), Vec::new()),
            Presence::Here => match self.state(&places) {
                Ok(state) => {
                    let discarded = places.is_discarded().unwrap_or(false);
                    let status = mission::status_token(&state, running, discarded);
                    let standing = mission::standing(&state, running, discarded);
                    let row = row(status, standing, mission::title(&state), state.now.0);
                    let parked_until = mission::parked_until(&state).filter(|_| running);
                    (MissionRowView { parked_until, ..row }, awaited(&state))
                }
                Err(why) => (untold(format!("unreadable: {why}")), Vec::new()),
            },
        };
        KnownMission { row, awaited, seen: (length, running), read: Instant::now() }
    }

    fn state(&self, places: &MissionPlaces) -> Result<Arc<State>, String> {
        self.port_at(places, terminal::person(mind::actor::Door::Telegram))?
            .state()
            .map_err(|refused| refused.to_string())
    }

    fn port_at(&self, places: &MissionPlaces, person: Actor) -> Result<FolderPort, String> {
        // The key is looked for each time: the first mission of all makes it.
        let journals = journal_key::journals(&self.places).map_err(|error| error.to_string())?;
        Ok(FolderPort::at(places.clone(), journals).as_person(person))
    }
}

impl MissionDirectory for RegisteredMissions {
    fn list(&self) -> Vec<MissionRowView> {
        let known = self.known();
        known
            .order
            .iter()
            .filter_map(|id| known.missions.get(id))
            .map(|mission| mission.row.clone())
            .collect()
    }

    fn port(&self, mission: &MissionId, person: &Actor) -> Option<Arc<dyn MissionPort>> {
        let entry = self.registry().find(mission).ok()??.ok()?;
        if entry.presence() != Presence::Here {
            return None;
        }
        let port = self.port_at(&places_of(&entry), person.clone()).ok()?;
        Some(Arc::new(port))
    }

    fn waits_for(&self, petition: &PetitionId) -> bool {
        self.known().awaited.contains(petition)
    }
}

fn places_of(entry: &RegistryEntry) -> MissionPlaces {
    Project { root: entry.project.clone() }.mission(&entry.id)
}

fn awaited(state: &State) -> Vec<PetitionId> {
    let open = state.petitions.iter().filter(|(_, petition)| petition.outcome.is_none());
    open.map(|(id, _)| id.clone()).collect()
}
