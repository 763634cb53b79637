//! What a mission left in the docket: a house that fell right after the end, or a mission that is let go, leaves petitions
//! that nobody waits for any more.

use std::collections::BTreeSet;
use std::sync::Arc;

use docket::{Docket, DocketError};
use mind::actor::Actor;
use mind::effect::DocketEffect;
use mind::petition::PetitionId;
use mind::{Effect, State};

use crate::clock;
use crate::mission::ground;
use crate::project::home::MissionPlaces;
use crate::terminal::console;

use super::Desk;

/// Withdraws whatever a mission that is over, or that is let go, still has in the docket.
pub(super) fn withdraw(desk: &Desk, places: &MissionPlaces, state: &State) {
    let mut left: BTreeSet<(PetitionId, Arc<str>)> = BTreeSet::new();
    for effect in state.wake() {
        if let Effect::Docket(petition, DocketEffect::Withdraw { why }) = effect {
            left.insert((petition, why));
        }
    }
    let why: Arc<str> = Arc::from("the mission is over");
    left.extend(state.open_petitions().map(|(id, _)| (id.clone(), Arc::clone(&why))));
    if left.is_empty() {
        return;
    }
    let docket = docket_of(desk, places);
    let by = Actor::Agent(Arc::from("arbiter"));
    for (id, why) in left {
        match docket.withdraw(&id, &why, &by, clock::now()) {
            // It was withdrawn in time, answered before that, or never asked.
            Ok(_)
            | Err(DocketError::Refused { .. } | DocketError::Unknown { .. } | DocketError::Gone { .. }) => {}
            Err(error) => console::remark(format!("note: petition {id} could not be withdrawn: {error}")),
        }
    }
}

fn docket_of(desk: &Desk, places: &MissionPlaces) -> Docket {
    let config = ground::ground_of(&places.folder).and_then(|ground| desk.config(&ground.project));
    match config {
        Ok(config) => Docket::at(config.docket_dir.value),
        Err(_) => Docket::at(desk.places.home.join("queue")),
    }
}
