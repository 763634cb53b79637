//! The feed's watch on the storage. Changes that the storage may miss are found by sweeps; how often a sweep is needed
//! depends on how reliable the storage is.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::FeedOrder;
use crate::docket::{Docket, PetitionPlace};
use crate::files::names;
use crate::limits;
use crate::storage::{Heard, Watching};

/// The watch on the docket's folders.
#[derive(Debug, Default)]
pub(super) struct FeedEars {
    watching: Option<Watching>,
    /// The folders that are watched.
    at: Vec<PathBuf>,
}

impl FeedEars {
    /// Watches the folders of petitions; while they are missing, the folder in which they will be made.
    pub(super) fn open(&mut self, docket: &Docket, orders: &Sender<FeedOrder>) {
        // Where it cannot be told, sweeps find the changes.
        let is_folder = |path: &Path| docket.disk().is_folder(path).unwrap_or(false);
        let folders = [docket.place(PetitionPlace::Pending), docket.place(PetitionPlace::Completed)];
        let are_there = folders.iter().all(|folder| is_folder(folder));
        let wanted = match are_there {
            true => folders.to_vec(),
            // Following a docket does not create its folders.
            false => {
                let beside = docket.folder().parent().map(Path::to_owned);
                let made_in = [Some(docket.folder().to_owned()), beside].into_iter().flatten();
                made_in.filter(|at| is_folder(at)).collect()
            }
        };
        if self.watching.is_some() && self.at == wanted {
            return;
        }
        let hear = orders.clone();
        self.watching = docket.disk().storage().watch(
            &wanted,
            Box::new(move |heard| {
                // The feed ends before this does.
                let _ = meant(heard, are_there).map(|order| hear.send(order));
            }),
        );
        self.at = wanted;
    }

    /// How long the feed may go without a sweep.
    pub(super) fn sweep_every(&self) -> Duration {
        let is_sure = self.watching.as_ref().is_some_and(|watching| watching.is_sure);
        if is_sure { limits::SWEEP_EVERY_SURE } else { limits::SWEEP_EVERY }
    }
}

/// What a change means to the feed, if it concerns petitions or missing folders.
fn meant(heard: Heard, are_there: bool) -> Option<FeedOrder> {
    match heard {
        Heard::Names(names) if are_there => {
            let names: Vec<String> = names.into_iter().filter(|name| names::is_petition(name)).collect();
            (!names.is_empty()).then_some(FeedOrder::Names(names))
        }
        Heard::Names(names) => {
            let is_folder = names.iter().any(|name| Path::new(name).extension().is_none());
            is_folder.then_some(FeedOrder::Lost)
        }
        Heard::Lost => Some(FeedOrder::Lost),
    }
}
