//! Withdraws petitions that a mission left in the docket: because it was discarded, or because its process was killed
//! right after the mission's end.

use std::collections::BTreeSet;
use std::sync::Arc;

use docket::{Docket, DocketError};
use mind::actor::Actor;
use mind::effect::DocketEffect;
use mind::petition::PetitionId;
use mind::{Effect, State};

use crate::clock;
use crate::mission::repo_location;
use crate::project::home::MissionPlaces;
use crate::terminal::console;

use super::CommandContext;

/// Withdraws every petition that a finished or discarded mission still has in the docket.
pub(super) fn withdraw(context: &CommandContext, places: &MissionPlaces, state: &State) {
    let mut left: BTreeSet<(PetitionId, Arc<str>)> = BTreeSet::new();
    for effect in state.on_start() {
        if let Effect::Docket(petition, DocketEffect::Withdraw { why }) = effect {
            left.insert((petition, why));
        }
    }
    let why: Arc<str> = Arc::from("the mission is over");
    left.extend(state.open_petitions().map(|(id, _)| (id.clone(), Arc::clone(&why))));
    if left.is_empty() {
        return;
    }
    let docket = docket_of(context, places);
    let by = Actor::Agent(Arc::from("arbiter"));
    for (id, why) in left {
        match docket.withdraw(&id, &why, &by, clock::now()).or_else(DocketError::recorded) {
            // It was withdrawn or answered before, or never asked.
            Ok(_)
            | Err(DocketError::Refused { .. } | DocketError::Unknown { .. } | DocketError::Gone { .. }) => {}
            Err(error) => console::remark(format!("note: petition {id} could not be withdrawn: {error}")),
        }
    }
}

fn docket_of(context: &CommandContext, places: &MissionPlaces) -> Docket {
    let config =
        repo_location::ground_of(&places.folder).and_then(|location| context.config(&location.project));
    match config {
        Ok(config) => Docket::at(config.docket_dir.value),
        Err(_) => Docket::at(context.places.home.join("queue")),
    }
}
