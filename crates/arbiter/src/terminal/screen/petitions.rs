//! The docket as a screen shows it: what waits there, and the answers given at the terminal, which go to the docket like
//! those of any other door.

use std::sync::Arc;
use std::sync::mpsc::Sender;

use docket::{Docket, DocketError, Fault, QueueFollower, QueueNews, StoredPetition};
use mind::actor::{Actor, Door};
use mind::petition::{AnswerChoice, Petition, PetitionId, SeenQuestion};
use tui::view_model::Unreadable;

use super::News;
use crate::cli_error::CliError;
use crate::{clock, limits, terminal};

/// The docket behind a screen.
#[derive(Debug, Clone)]
pub(super) struct Petitions {
    docket: Docket,
    by: Actor,
}

impl Petitions {
    pub(super) fn of(docket: Docket) -> Petitions {
        let by = terminal::person(Door::Terminal);
        Petitions { docket: docket.through(Door::Terminal), by }
    }

    /// Answers a decision; the petition as it stands then, or what the person should know.
    pub(super) fn decide(
        &self,
        id: &PetitionId,
        decision: &str,
        choice: AnswerChoice,
        seen: &SeenQuestion,
    ) -> Result<Petition, String> {
        told(self.docket.answer(id, decision, choice, seen, &self.by, clock::now()))
    }

    pub(super) fn submit(&self, id: &PetitionId) -> Result<Petition, String> {
        told(self.docket.submit(id, &self.by, clock::now()))
    }

    /// Tells a screen what waits, whenever that changes, until what is returned is dropped.
    pub(super) fn follow(&self, news: Sender<News>) -> Option<QueueFollower> {
        // Without a feed nothing is shown of it; `arbiter inbox` still does.
        let feed = self.docket.feed(clock::now).ok()?;
        let (docket, shown) = (self.docket.clone(), limits::PETITIONS_SHOWN_MAX);
        Some(feed.queue(shown, move |told| drop(news.send(shown_as(&docket, told)))))
    }
}

fn told(done: Result<StoredPetition, DocketError>) -> Result<Petition, String> {
    done.or_else(DocketError::recorded).map(|kept| kept.petition).map_err(|error| CliError::from(error).cause)
}

fn shown_as(docket: &Docket, told: QueueNews) -> News {
    match told {
        QueueNews::Waiting { petitions, faults, .. } => {
            let petitions = petitions.into_iter().map(Arc::unwrap_or_clone).collect();
            let faults = faults.iter().take(limits::PETITIONS_SHOWN_MAX);
            News::Petitions(petitions, faults.map(|fault| unreadable(docket, fault)).collect())
        }
        QueueNews::Trouble(error) => News::Remark(format!("the docket cannot be read: {error}")),
    }
}

fn unreadable(docket: &Docket, fault: &Fault) -> Unreadable {
    let at = docket.written_at(&fault.file);
    Unreadable { file: fault.file.display().to_string().into(), why: fault.why.as_str().into(), at }
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
    use super::*;

    #[test]
    fn a_petition_that_was_closed_is_shown_no_more() {
        let draft = mind::petition::PetitionDraft { title: Arc::from("t"), ..Default::default() };
        let petition = draft.petition(PetitionId::from("a"), mind::Timestamp(1));
        let mut shown = vec![petition.clone()];
        let mut closed = petition;
        closed.closed = Some(mind::petition::ClosedPetition {
            end: mind::petition::PetitionEnd::Completed,
            at: mind::Timestamp(2),
            why: None,
        });
        renewed(&mut shown, closed);
        assert!(shown.is_empty());
    }
}
