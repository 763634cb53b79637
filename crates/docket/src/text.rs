//! A petition as text: read, edited in place, written anew. Pure. Whatever is not touched stays byte for byte.

use mind::Timestamp;
use mind::petition::{By, Change, Petition};

/// Why a text is no petition, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

/// A petition file's text and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    text: String,
    petition: Petition,
}

impl Sheet {
    /// Reads a file's bytes. `file_time` stands in where the file does not say when it was made.
    pub fn read(bytes: &[u8], file_time: Timestamp) -> Result<Sheet, Malformed> {
        let _ = (bytes, file_time);
        Err(Malformed("not written yet".to_owned()))
    }

    /// The text of a new petition.
    pub fn write(petition: &Petition) -> Sheet {
        Sheet { text: String::new(), petition: petition.clone() }
    }

    /// What it says.
    pub fn petition(&self) -> &Petition {
        &self.petition
    }

    /// The text, byte for byte.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same with one change, made in place: the lines of its decision and the counters, and nothing else.
    pub fn with(&self, change: &Change, by: &By, at: Timestamp) -> Result<Sheet, Malformed> {
        let _ = (change, by, at);
        Err(Malformed("not written yet".to_owned()))
    }

    /// The same without the answer of a decision: an edit of the file that does not count is taken back.
    pub fn without_answer(&self, decision: &str, at: Timestamp) -> Result<Sheet, Malformed> {
        let _ = (decision, at);
        Err(Malformed("not written yet".to_owned()))
    }
}

/// The notification that the asker's session finds when its petition is closed.
pub fn notification(petition: &Petition) -> Option<(String, String)> {
    let _ = petition;
    None
}
