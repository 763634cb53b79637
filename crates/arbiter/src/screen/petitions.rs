//! The docket as a screen shows it: what waits there, followed on a thread of its own, and the answers given at the
//! terminal, which go to the docket like those of any other door.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::time::SystemTime;

use docket::{Board, Docket, DocketError, Fault, Kept, Summary};
use mind::Timestamp;
use mind::petition::{By, Choice, Door, Petition, PetitionId, Seen};
use mind::talk::Actor;
use tui::sight::Unreadable;

use super::News;
use crate::complaint::Complaint;
use crate::{clock, limits, terminal};

/// The docket behind a screen.
#[derive(Debug, Clone)]
pub(super) struct Petitions {
    docket: Docket,
    by: By,
}

impl Petitions {
    pub(super) fn of(docket: Docket) -> Petitions {
        let by = match terminal::user() {
            Actor::Human { user, .. } => By::human(Door::Terminal, &user),
            policy @ Actor::Policy(_) => By::Actor(policy),
        };
        Petitions { docket: docket.through(Door::Terminal.word()), by }
    }

    /// Answers a decision; the petition as it stands then, or what the person should know.
    pub(super) fn decide(
        &self,
        id: &PetitionId,
        decision: &str,
        choice: Choice,
        seen: &Seen,
    ) -> Result<Petition, String> {
        told(self.docket.answer(id, decision, choice, seen, &self.by, clock::now()))
    }

    /// Submits it.
    pub(super) fn submit(&self, id: &PetitionId) -> Result<Petition, String> {
        told(self.docket.submit(id, &self.by, clock::now()))
    }

    /// Tells a screen what waits, whenever that changes, as long as the program runs.
    pub(super) fn follow(self, news: Sender<News>) {
        let name = "petitions".to_owned();
        // Without a thread nothing is shown of it; `arbiter inbox` still does.
        let _ = std::thread::Builder::new().name(name).spawn(move || {
            while !self.docket.folder().join("pending").is_dir() {
                // Most people have no docket yet, and nobody makes one by looking.
                std::thread::sleep(docket::limits::SWEEP_EVERY);
            }
            let mut shelf = Shelf { docket: self.docket, books: BTreeMap::new() };
            let mut told = None;
            // A docket that cannot be followed now may be mended; until then the person should know.
            while let Err(error) = shelf.follow(&news) {
                let text = format!("the docket cannot be read: {}", Complaint::from(error).cause);
                if told.as_ref() != Some(&text) && news.send(News::Remark(text.clone())).is_err() {
                    return;
                }
                told = Some(text);
                std::thread::sleep(docket::limits::SWEEP_EVERY);
            }
        });
    }
}

fn told(done: Result<Kept, DocketError>) -> Result<Petition, String> {
    done.map(|kept| kept.petition).map_err(|error| Complaint::from(error).cause)
}

/// The petitions that are shown, and what their files looked like when they were read.
struct Shelf {
    docket: Docket,
    books: BTreeMap<PetitionId, (Looks, Petition)>,
}

/// What a file looks like from outside.
type Looks = (Option<SystemTime>, u64);

impl Shelf {
    fn follow(&mut self, news: &Sender<News>) -> Result<(), DocketError> {
        let (tell, told) = channel();
        let _watch = self.docket.watch(move |news| drop(tell.send(news)))?;
        let mut board = self.docket.board(clock::now())?;
        board.refresh(&self.docket, clock::now())?;
        let mut shown = (Vec::new(), Vec::new());
        loop {
            let now = self.read(&board);
            if now != shown {
                shown.clone_from(&now);
                if news.send(News::Petitions(now.0, now.1)).is_err() {
                    return Ok(());
                }
            }
            let Ok(change) = told.recv() else { return Ok(()) };
            let looked = match change {
                docket::News::Files(names) => board.touch(&self.docket, names, clock::now()),
                docket::News::Sweep => board.refresh(&self.docket, clock::now()),
            };
            // What cannot be read now may be readable at the next look; until then the old picture stands.
            drop(looked);
        }
    }

    /// The first of what waits, in full; only files that changed are read.
    fn read(&mut self, board: &Board) -> (Vec<Petition>, Vec<Unreadable>) {
        let queue = board.queue();
        let first: Vec<&Summary> = queue.petitions.iter().take(limits::PETITIONS_SHOWN_MAX).collect();
        let mut books = BTreeMap::new();
        let mut petitions = Vec::new();
        for summary in first {
            let looks = looks(&summary.file);
            let book = match self.books.remove(&summary.id) {
                Some((before, petition)) if before == looks => Some(petition),
                _ => self.docket.look(&summary.id, clock::now()).ok().map(|kept| kept.petition),
            };
            if let Some(petition) = book {
                petitions.push(petition.clone());
                books.insert(summary.id.clone(), (looks, petition));
            }
        }
        self.books = books;
        let faults = queue.faults.iter().take(limits::PETITIONS_SHOWN_MAX);
        (petitions, faults.map(unreadable).collect())
    }
}

fn unreadable(fault: &Fault) -> Unreadable {
    let written = looks(&fault.file).0.and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
    let at = Timestamp(written.map_or(0, |since| since.as_millis() as u64));
    Unreadable { file: fault.file.display().to_string().into(), why: fault.why.as_str().into(), at }
}

fn looks(file: &Path) -> Looks {
    let about = fs::metadata(file).ok();
    (about.as_ref().and_then(|about| about.modified().ok()), about.map_or(0, |about| about.len()))
}

/// The petitions with one of them as it stands now.
pub(super) fn renewed(petitions: &mut Vec<Petition>, petition: Petition) {
    let at = petitions.iter().position(|known| known.id == petition.id);
    match (at, &petition.closed) {
        (Some(at), None) => petitions[at] = petition,
        (Some(at), Some(_)) => drop(petitions.remove(at)),
        (None, _) => {}
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_petition_that_was_closed_is_shown_no_more() {
        let draft = mind::petition::Draft { title: Arc::from("t"), ..Default::default() };
        let petition = draft.petition(PetitionId::from("a"), mind::Timestamp(1));
        let mut shown = vec![petition.clone()];
        let mut closed = petition;
        closed.closed = Some(mind::petition::Closed {
            end: mind::petition::End::Completed,
            at: mind::Timestamp(2),
            why: None,
        });
        renewed(&mut shown, closed);
        assert!(shown.is_empty());
    }
}
