//! What a button means, and how it is written into the 64 bytes that Telegram carries with it. A button that decides
//! something names what stood there when it was drawn: a tap on an outdated one decides nothing.

mod data;
mod older;
mod revision;
mod start;

use mind::MissionId;
use mind::digest::Digest;
use mind::petition::PetitionId;

use crate::limits::TAP_ID_BYTES_MAX;
use crate::telegram::wire::UserId;

pub use data::TapData;
pub use older::{OlderAction, OlderTap};
pub use revision::Revision;
pub use start::{read_start_payload, start_payload};

/// How many signs of a digest stand for an id.
const DIGEST_SIGNS: usize = 20;

/// The petition of a button: its id where that is short and plain, else the beginning of its digest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PetitionRef {
    Id(PetitionId),
    Digest(String),
}

impl PetitionRef {
    #[must_use]
    pub fn of(id: &PetitionId) -> PetitionRef {
        if id.0.len() <= TAP_ID_BYTES_MAX && is_plain(&id.0) {
            PetitionRef::Id(id.clone())
        } else {
            PetitionRef::digest_of(id)
        }
    }

    /// Whether this petition is meant.
    #[must_use]
    pub fn names(&self, id: &PetitionId) -> bool {
        match self {
            PetitionRef::Id(own) => own == id,
            PetitionRef::Digest(_) => *self == PetitionRef::digest_of(id),
        }
    }

    fn digest_of(id: &PetitionId) -> PetitionRef {
        let mut digest = Digest::default();
        digest.add_part(&*id.0);
        PetitionRef::Digest(short(digest, DIGEST_SIGNS))
    }
}

/// What a button does. Decisions are named by their place from 0, options too; the revision says which they were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tap {
    Queue {
        page: usize,
    },
    Petition {
        petition: PetitionRef,
        page: usize,
    },
    /// The next open decision, or the review.
    Continue {
        petition: PetitionRef,
    },
    Decision {
        petition: PetitionRef,
        decision: usize,
        page: usize,
    },
    Choose {
        petition: PetitionRef,
        decision: usize,
        option: usize,
        revision: Revision,
        instead: bool,
    },
    Skip {
        petition: PetitionRef,
        decision: usize,
        revision: Revision,
        instead: bool,
    },
    OwnWords {
        petition: PetitionRef,
        decision: usize,
        revision: Revision,
        instead: bool,
    },
    /// The person answers what another one is asked.
    Instead {
        petition: PetitionRef,
        decision: usize,
        page: usize,
    },
    Review {
        petition: PetitionRef,
        page: usize,
    },
    Submit {
        petition: PetitionRef,
        revision: Revision,
    },
    /// To whom can it be handed? Without a decision the whole petition is meant.
    HandOver {
        petition: PetitionRef,
        decision: Option<usize>,
    },
    HandTo {
        petition: PetitionRef,
        decision: Option<usize>,
        person: UserId,
        revision: Revision,
    },
    Missions {
        page: usize,
    },
    Mission {
        mission: MissionId,
    },
    Pause {
        mission: MissionId,
    },
    Resume {
        mission: MissionId,
    },
    AskCancel {
        mission: MissionId,
    },
    Cancel {
        mission: MissionId,
    },
    /// A button that only tells something.
    Nothing,
}

/// Signs that stand in a button as they are.
fn is_plain(text: &str) -> bool {
    let plain = |sign: u8| sign.is_ascii_alphanumeric() || matches!(sign, b'_' | b'-');
    !text.is_empty() && text.bytes().all(plain)
}

/// The beginning of a digest, six bits a sign.
fn short(digest: Digest, signs: usize) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let hex = digest.hex();
    // Three hexadecimal digits are two signs.
    let thirds = hex.as_bytes().chunks_exact(3).map(|third| {
        third.iter().fold(0, |number, digit| number * 16 + char::from(*digit).to_digit(16).unwrap_or(0))
    });
    let numbers = thirds.flat_map(|number| [number >> 6, number & 63]);
    numbers.take(signs).map(|number| char::from(SIGNS[number as usize % SIGNS.len()])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_plain_id_stands_as_it_is_and_any_other_is_found_by_its_digest() {
        let of = |id: &str| PetitionRef::of(&PetitionId::from(id));
        assert_eq!(of("abc123"), PetitionRef::Id(PetitionId::from("abc123")));
        for id in ["", "a:b", "/../../x", "ação", "id with spaces", &"x".repeat(25), &"ж".repeat(100)] {
            let found = of(id);
            assert!(matches!(&found, PetitionRef::Digest(digest) if digest.len() == 20), "{id}");
            assert!(found.names(&PetitionId::from(id)) && !found.names(&PetitionId::from("other")), "{id}");
        }
    }

    /// Buttons outlive the program that drew them.
    #[test]
    fn a_reference_never_changes() {
        let of = PetitionRef::of(&PetitionId::from("a petition of ours"));
        insta::assert_debug_snapshot!(of, @r#"
        Digest(
            "MEe2iSlOVwlpEc2dL_j9",
        )
        "#);
    }
}
