//! A petition file's text: read, edited in place, written anew. Pure. What an edit does not concern stays byte
//! for byte.
//!
//! Reading is forgiving about how other programs write and bounded in size and time. An edit is read again before it counts: if
//! anything else than what was meant had changed, there is no edit.

mod body;
mod context;
mod decision;
mod edit;
mod front;
mod lines;
mod list;
mod moment;
mod names;
mod notice;
mod option;
mod read;
mod scalar;
mod tree;
#[doc(hidden)]
pub mod trial;
mod write;

pub use moment::moment;
pub use notice::path_part;

use std::collections::BTreeMap;
use std::sync::Arc;

use mind::Timestamp;
use mind::actor::Actor;
use mind::petition::{Petition, PetitionChange, PetitionEnd};

use crate::limits;

/// Why a text is no petition, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MalformedPetition(pub String);

fn malformed(why: &str) -> MalformedPetition {
    MalformedPetition(why.to_owned())
}

/// A petition file's text and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PetitionText {
    text: String,
    petition: Petition,
    claims: Option<PetitionEnd>,
    file_time: Timestamp,
}

impl PetitionText {
    /// Reads a file's bytes. `file_time` stands in where the file does not say when it was made.
    pub fn read(bytes: &[u8], file_time: Timestamp) -> Result<PetitionText, MalformedPetition> {
        if bytes.len() as u64 > limits::FILE_BYTES_MAX {
            return Err(malformed("the file is larger than 1 MiB"));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| malformed("the file is not UTF-8 text"))?;
        PetitionText::of(text.to_owned(), file_time)
    }

    fn of(text: String, file_time: Timestamp) -> Result<PetitionText, MalformedPetition> {
        let read::Reading { petition, claims, .. } = read::read(&text, file_time)?;
        Ok(PetitionText { text, petition, claims, file_time })
    }

    /// The text of a new petition. What it says is what is read from it; for one that came from a draft that is the same.
    pub fn write(petition: &Petition) -> PetitionText {
        let text = write::write(petition);
        let claims = petition.closed.as_ref().map(|closed| closed.end);
        let unread =
            |text| PetitionText { text, petition: petition.clone(), claims, file_time: petition.created_at };
        PetitionText::of(text.clone(), petition.created_at).unwrap_or_else(|_| unread(text))
    }

    pub fn petition(&self) -> &Petition {
        &self.petition
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// How the file itself says that the petition ended. It counts in [`Petition::closed`] only if the decisions agree: a
    /// file that says `completed` while something is open is not believed.
    pub fn claims(&self) -> Option<PetitionEnd> {
        self.claims
    }

    /// The same text with one change, made in place: the lines of its decision and the counters, and nothing else.
    pub fn with(
        &self,
        change: &PetitionChange,
        by: &Actor,
        at: Timestamp,
    ) -> Result<PetitionText, MalformedPetition> {
        self.edited(&[Edit::Write { change: change.clone(), by: by.clone(), at }])
    }

    /// The same text without the answer of a decision: an edit of the file that does not count is undone.
    pub fn without_answer(&self, decision: &str, at: Timestamp) -> Result<PetitionText, MalformedPetition> {
        self.edited(&[Edit::Erase { decision: Arc::from(decision), at }])
    }

    /// The same text with all of these edits, read once and checked once.
    pub(crate) fn edited(&self, edits: &[Edit]) -> Result<PetitionText, MalformedPetition> {
        let unsafely = |why: &str| MalformedPetition(format!("could not be edited safely: {why}"));
        let mut after = self.petition.clone();
        let mut touched = Touched::default();
        let edits =
            edits.iter().filter(|edit| !matches!(edit, Edit::Write { change: PetitionChange::Asked, .. }));
        let mut any = false;
        for edit in edits {
            any = true;
            edit.touch(&mut touched);
            edit.apply(&mut after);
        }
        if !any {
            return Ok(self.clone());
        }
        let Touched { decisions, assignee } = touched;
        let mut places = BTreeMap::new();
        for (id, parts) in decisions {
            let place = after.decisions.iter().position(|decision| decision.id == *id);
            let unknown = || MalformedPetition(format!("there is no decision `{id}`"));
            places.insert(place.ok_or_else(unknown)?, parts);
        }
        let reading = read::read(&self.text, self.file_time)?;
        let text = edit::edit(&self.text, &reading, &places, assignee, &after);
        let text = text.ok_or_else(|| unsafely("two changes are in one place"))?;
        let edited = PetitionText::of(text, self.file_time).map_err(|why| unsafely(&why.0))?;
        if !edited.says_updated()? {
            // A file that says neither when it was made nor when it changed is not taught to.
            after.updated_at = edited.petition.updated_at;
        }
        if edited.petition != after {
            return Err(unsafely("something else would have changed"));
        }
        Ok(edited)
    }

    fn says_updated(&self) -> Result<bool, MalformedPetition> {
        let lines = lines::split(&self.text);
        let front = front::read(&self.text, &lines)?;
        Ok(!front.entries("updated_at").is_empty())
    }
}

/// One edit of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Edit {
    /// A change of the ledger is written into the text.
    Write { change: PetitionChange, by: Actor, at: Timestamp },
    /// An answer that does not count is undone.
    Erase { decision: Arc<str>, at: Timestamp },
}

/// What edits change, beside the frontmatter's counters and end.
#[derive(Debug, Default)]
struct Touched<'a> {
    decisions: BTreeMap<&'a Arc<str>, edit::Parts>,
    /// Who is asked for all of it.
    assignee: bool,
}

impl Edit {
    /// Notes whose lines it changes.
    fn touch<'a>(&'a self, touched: &mut Touched<'a>) {
        match self {
            Edit::Erase { decision, .. } => touched.decisions.entry(decision).or_default().answer = true,
            Edit::Write { change, .. } => match change {
                PetitionChange::Answered { decision, .. }
                | PetitionChange::Changed { decision, .. }
                | PetitionChange::Late { decision, .. } => {
                    touched.decisions.entry(decision).or_default().answer = true;
                }
                PetitionChange::Assigned { decision: Some(decision), .. } => {
                    touched.decisions.entry(decision).or_default().assignee = true;
                }
                PetitionChange::Assigned { decision: None, .. } => touched.assignee = true,
                PetitionChange::Asked
                | PetitionChange::Submitted
                | PetitionChange::Withdrawn { .. }
                | PetitionChange::Expired { .. } => {}
            },
        }
    }

    fn apply(&self, petition: &mut Petition) {
        match self {
            Edit::Write { change, by, at } => petition.apply(change, by, *at),
            Edit::Erase { decision, at } => {
                petition.updated_at = *at;
                if let Some(decision) = petition.decisions.iter_mut().find(|other| other.id == *decision) {
                    decision.answer = None;
                }
                if petition.decided() < petition.decisions.len() {
                    // It cannot have been submitted.
                    petition.closed =
                        petition.closed.take().filter(|closed| closed.end != PetitionEnd::Completed);
                }
            }
        }
    }
}

/// The notification that the asker's session finds when its petition is closed: its file name and its text. None while
/// the petition is open, or if no session wants to hear of it.
pub fn notification(petition: &Petition) -> Option<(String, String)> {
    notice::notification(petition)
}
