//! A petition as text: read, edited in place, written anew. Pure. Whatever is not touched stays byte for byte.
//!
//! Reading is forgiving about how others write and bounded in size and time. An edit is read again before it counts: if
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
mod write;

pub use moment::moment;
pub use notice::path_part;

use mind::Timestamp;
use mind::petition::{By, Change, End, Petition};

use crate::limits;

/// Why a text is no petition, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

fn malformed(why: &str) -> Malformed {
    Malformed(why.to_owned())
}

/// A petition file's text and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    text: String,
    petition: Petition,
    claims: Option<End>,
    file_time: Timestamp,
}

impl Sheet {
    /// Reads a file's bytes. `file_time` stands in where the file does not say when it was made.
    pub fn read(bytes: &[u8], file_time: Timestamp) -> Result<Sheet, Malformed> {
        if bytes.len() as u64 > limits::FILE_BYTES_MAX {
            return Err(malformed("the file is larger than 1 MiB"));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| malformed("the file is not UTF-8 text"))?;
        Sheet::of(text.to_owned(), file_time)
    }

    fn of(text: String, file_time: Timestamp) -> Result<Sheet, Malformed> {
        let read::Reading { petition, claims, .. } = read::read(&text, file_time)?;
        Ok(Sheet { text, petition, claims, file_time })
    }

    /// The text of a new petition. What it says is what is read from it; for one that came from a draft that is the same.
    pub fn write(petition: &Petition) -> Sheet {
        let text = write::write(petition);
        let claims = petition.closed.as_ref().map(|closed| closed.end);
        let unread =
            |text| Sheet { text, petition: petition.clone(), claims, file_time: petition.created_at };
        Sheet::of(text.clone(), petition.created_at).unwrap_or_else(|_| unread(text))
    }

    /// What it says.
    pub fn petition(&self) -> &Petition {
        &self.petition
    }

    /// The text, byte for byte.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How the file itself says that the petition ended. It counts in [`Petition::closed`] only if the decisions agree: a
    /// file that says `completed` while something is open is not believed.
    pub fn claims(&self) -> Option<End> {
        self.claims
    }

    /// The same with one change, made in place: the lines of its decision and the counters, and nothing else.
    pub fn with(&self, change: &Change, by: &By, at: Timestamp) -> Result<Sheet, Malformed> {
        let mut after = self.petition.clone();
        after.apply(change, by, at);
        let decision = match change {
            Change::Asked => return Ok(self.clone()),
            Change::Answered { decision, .. }
            | Change::Changed { decision, .. }
            | Change::Late { decision, .. } => Some(&**decision),
            Change::Submitted | Change::Withdrawn { .. } | Change::Expired { .. } => None,
        };
        self.edited(decision, after)
    }

    /// The same without the answer of a decision: an edit of the file that does not count is taken back.
    pub fn without_answer(&self, decision: &str, at: Timestamp) -> Result<Sheet, Malformed> {
        let mut after = self.petition.clone();
        after.updated_at = at;
        if let Some(decision) = after.decisions.iter_mut().find(|other| *other.id == *decision) {
            decision.answer = None;
        }
        if after.decided() < after.decisions.len() {
            // It cannot have been submitted.
            after.closed = after.closed.filter(|closed| closed.end != End::Completed);
        }
        self.edited(Some(decision), after)
    }

    /// The text of `after`, of which only this decision's answer, or nothing but the frontmatter, is new.
    fn edited(&self, decision: Option<&str>, mut after: Petition) -> Result<Sheet, Malformed> {
        let unsafely = |why: &str| Malformed(format!("could not be edited safely: {why}"));
        let reading = read::read(&self.text, self.file_time)?;
        let text = match decision {
            None => edit::front(&self.text, &reading, &after),
            Some(id) => {
                let at = after.decisions.iter().position(|decision| *decision.id == *id);
                let at = at.ok_or_else(|| Malformed(format!("there is no decision `{id}`")))?;
                edit::answer(&self.text, &reading, at, &after)
            }
        };
        let text = text.ok_or_else(|| unsafely("two changes are in one place"))?;
        let edited = Sheet::of(text, self.file_time).map_err(|why| unsafely(&why.0))?;
        if !edited.says_updated()? {
            // A file that says neither when it was made nor when it changed is not taught to.
            after.updated_at = edited.petition.updated_at;
        }
        if edited.petition != after {
            return Err(unsafely("something else would have changed"));
        }
        Ok(edited)
    }

    fn says_updated(&self) -> Result<bool, Malformed> {
        let lines = lines::split(&self.text);
        let front = front::read(&self.text, &lines)?;
        Ok(!front.entries("updated_at").is_empty())
    }
}

/// The notification that the asker's session finds when its petition is closed: its file name and its text. None while it
/// is open, or if no session wants to hear of it.
pub fn notification(petition: &Petition) -> Option<(String, String)> {
    notice::notification(petition)
}
