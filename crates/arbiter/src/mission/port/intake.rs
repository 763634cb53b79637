//! What lies in a mission's inbox becomes events of its loop. The system tells of new letters, and so does a sender over
//! the socket; a slow look at the folder finds what both missed. A letter stays until it is a fact, so it may come more
//! than once.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use mind::Event;
use tokio::sync::{Notify, mpsc};

use super::folder::watcher;
use super::inbox::{self, Arrival};
use crate::limits;
use crate::project::home::{MissionPlaces, make_folder};
use crate::terminal::console;

/// Sends the letters of a mission to its loop until that hears no more. `rung` wakes it.
pub async fn take_in(places: MissionPlaces, events: mpsc::Sender<Event>, rung: Arc<Notify>) {
    let folder = places.inbox();
    // A letter can only be seen coming in a folder that is there.
    let _ = make_folder(&folder);
    let bell = Arc::clone(&rung);
    let watcher = watcher(&folder, move || bell.notify_one());
    let sweep = if watcher.is_some() { limits::INBOX_SWEEP } else { limits::SWEEP_EVERY };
    let mut known = BTreeSet::new();
    while let Some(present) = look(&folder, &known, &events).await {
        known = present;
        tokio::select! {
            // A flood of letters is a few looks.
            () = rung.notified() => tokio::time::sleep(limits::INBOX_GATHER).await,
            () = tokio::time::sleep(sweep) => {}
            () = events.closed() => return,
        }
    }
}

/// Sends what is new, and says what lies there; nothing if the loop hears no more.
async fn look(
    folder: &Path,
    known: &BTreeSet<Arc<str>>,
    events: &mpsc::Sender<Event>,
) -> Option<BTreeSet<Arc<str>>> {
    // An inbox that cannot be read now is read at the next look; the letters stay in it.
    let arrivals = inbox::read_messages(folder).unwrap_or_default();
    let mut present = BTreeSet::new();
    for arrival in arrivals {
        match arrival {
            Arrival::Letter(letter) => {
                present.insert(letter.id.clone());
                if !known.contains(&letter.id) && events.send(Event::Human(letter.into())).await.is_err() {
                    return None;
                }
            }
            Arrival::Malformed(malformed) => {
                let name: Arc<str> = malformed.file.as_str().into();
                if present.insert(name.clone()) && !known.contains(&name) {
                    let (file, why) = (malformed.file, malformed.why);
                    console::remark(format!("note: {file} in the inbox is no letter: {why}"));
                }
            }
        }
    }
    Some(present)
}
