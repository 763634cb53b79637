//! Taps as the data of buttons: `1c.abc123.0.2.Xy3_zA`: the version, a letter for what is done, and what it is done to. What
//! is read comes from outside and is judged by the desk, which acts on it; here it is only taken apart.

use mind::MissionId;
use mind::petition::PetitionId;

use super::older::OlderTap;
use super::revision::REVISION_SIGNS;
use super::{DIGEST_SIGNS, PetitionRef, Revision, Tap, is_plain};
use crate::limits::TAP_BYTES_MAX;
use crate::telegram::wire::UserId;

const VERSION: char = '1';
/// Before the digest of an id: no plain id has this sign.
const DIGEST_MARK: char = '~';
/// Where there is no number.
const NONE: &str = "-";

/// What the data of a button says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TapData {
    Ours(Tap),
    /// A button that the older program left in the chat.
    Older(OlderTap),
    /// Neither: forged, or of a program to come.
    Unknown,
}

impl TapData {
    #[must_use]
    pub fn read(data: &str) -> TapData {
        if data.len() > TAP_BYTES_MAX {
            return TapData::Unknown;
        }
        let ours = data.strip_prefix(VERSION).and_then(read);
        let older = || OlderTap::read(data).map(TapData::Older);
        ours.map(TapData::Ours).or_else(older).unwrap_or(TapData::Unknown)
    }
}

impl Tap {
    /// What Telegram carries with the button, at most 64 bytes.
    #[must_use]
    pub fn data(&self) -> String {
        let data = self.written();
        // Missions have short ids of our own making; a button with any other would be refused with its whole message.
        if data.len() > TAP_BYTES_MAX { Tap::Nothing.written() } else { data }
    }

    fn written(&self) -> String {
        match self {
            Tap::Queue { page } => put('q', [number(*page)]),
            Tap::Petition { petition, page } => put('p', [name(petition), number(*page)]),
            Tap::Continue { petition } => put('g', [name(petition)]),
            Tap::Decision { petition, decision, page } => {
                put('d', [name(petition), number(*decision), number(*page)])
            }
            Tap::Choose { petition, decision, option, revision, instead } => put(
                if *instead { 'C' } else { 'c' },
                [name(petition), number(*decision), number(*option), stood(revision)],
            ),
            Tap::Skip { petition, decision, revision, instead } => {
                put(if *instead { 'S' } else { 's' }, [name(petition), number(*decision), stood(revision)])
            }
            Tap::OwnWords { petition, decision, revision, instead } => {
                put(if *instead { 'W' } else { 'w' }, [name(petition), number(*decision), stood(revision)])
            }
            Tap::Instead { petition, decision, page } => {
                put('i', [name(petition), number(*decision), number(*page)])
            }
            Tap::Review { petition, page } => put('r', [name(petition), number(*page)]),
            Tap::Submit { petition, revision } => put('u', [name(petition), stood(revision)]),
            Tap::HandOver { petition, decision } => put('h', [name(petition), some_number(*decision)]),
            Tap::HandTo { petition, decision, person, revision } => {
                put('t', [name(petition), some_number(*decision), user(*person), stood(revision)])
            }
            Tap::Missions { page } => put('l', [number(*page)]),
            Tap::Mission { mission } => put('m', [mission.0.to_string()]),
            Tap::Pause { mission } => put('a', [mission.0.to_string()]),
            Tap::Resume { mission } => put('e', [mission.0.to_string()]),
            Tap::AskCancel { mission } => put('x', [mission.0.to_string()]),
            Tap::Cancel { mission } => put('X', [mission.0.to_string()]),
            Tap::Nothing => put('n', []),
        }
    }
}

fn put<const N: usize>(letter: char, parts: [String; N]) -> String {
    let parts = parts.into_iter().flat_map(|part| [".".to_owned(), part]);
    [VERSION, letter].into_iter().map(String::from).chain(parts).collect()
}

fn name(petition: &PetitionRef) -> String {
    let petition = match petition {
        PetitionRef::Id(id) => PetitionRef::of(id),
        PetitionRef::Digest(_) => petition.clone(),
    };
    match petition {
        PetitionRef::Id(id) => id.0.to_string(),
        PetitionRef::Digest(digest) => format!("{DIGEST_MARK}{digest}"),
    }
}

fn stood(revision: &Revision) -> String {
    revision.0.clone()
}

/// Thirteen digits at most, of thirty-six kinds.
fn number(number: usize) -> String {
    let mut digits = Vec::new();
    let mut left = number;
    loop {
        digits.push(char::from_digit((left % 36) as u32, 36).unwrap_or('0'));
        left /= 36;
        if left == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

/// People have positive numbers.
fn user(user: UserId) -> String {
    number(usize::try_from(user.0).unwrap_or_default())
}

fn some_number(some: Option<usize>) -> String {
    some.map_or_else(|| NONE.to_owned(), number)
}

/// What follows the version.
fn read(text: &str) -> Option<Tap> {
    let mut signs = text.chars();
    let letter = signs.next()?;
    let parts: Vec<&str> = match signs.as_str().strip_prefix('.') {
        Some(parts) => parts.split('.').collect(),
        None if signs.as_str().is_empty() => Vec::new(),
        None => return None,
    };
    Some(match (letter, parts.as_slice()) {
        ('q', [page]) => Tap::Queue { page: read_number(page)? },
        ('p', [petition, page]) => Tap::Petition { petition: read_name(petition)?, page: read_number(page)? },
        ('g', [petition]) => Tap::Continue { petition: read_name(petition)? },
        ('d', [petition, decision, page]) => Tap::Decision {
            petition: read_name(petition)?,
            decision: read_number(decision)?,
            page: read_number(page)?,
        },
        ('c' | 'C', [petition, decision, option, revision]) => Tap::Choose {
            petition: read_name(petition)?,
            decision: read_number(decision)?,
            option: read_number(option)?,
            revision: read_revision(revision)?,
            instead: letter == 'C',
        },
        ('s' | 'S', [petition, decision, revision]) => Tap::Skip {
            petition: read_name(petition)?,
            decision: read_number(decision)?,
            revision: read_revision(revision)?,
            instead: letter == 'S',
        },
        ('w' | 'W', [petition, decision, revision]) => Tap::OwnWords {
            petition: read_name(petition)?,
            decision: read_number(decision)?,
            revision: read_revision(revision)?,
            instead: letter == 'W',
        },
        ('i', [petition, decision, page]) => Tap::Instead {
            petition: read_name(petition)?,
            decision: read_number(decision)?,
            page: read_number(page)?,
        },
        ('r', [petition, page]) => Tap::Review { petition: read_name(petition)?, page: read_number(page)? },
        ('u', [petition, revision]) => {
            Tap::Submit { petition: read_name(petition)?, revision: read_revision(revision)? }
        }
        ('h', [petition, decision]) => {
            Tap::HandOver { petition: read_name(petition)?, decision: read_some_number(decision)? }
        }
        ('t', [petition, decision, person, revision]) => Tap::HandTo {
            petition: read_name(petition)?,
            decision: read_some_number(decision)?,
            person: read_user(person)?,
            revision: read_revision(revision)?,
        },
        ('l', [page]) => Tap::Missions { page: read_number(page)? },
        ('m', [mission]) => Tap::Mission { mission: read_mission(mission)? },
        ('a', [mission]) => Tap::Pause { mission: read_mission(mission)? },
        ('e', [mission]) => Tap::Resume { mission: read_mission(mission)? },
        ('x', [mission]) => Tap::AskCancel { mission: read_mission(mission)? },
        ('X', [mission]) => Tap::Cancel { mission: read_mission(mission)? },
        ('n', []) => Tap::Nothing,
        _ => return None,
    })
}

fn read_name(text: &str) -> Option<PetitionRef> {
    match text.strip_prefix(DIGEST_MARK) {
        Some(digest) => {
            (is_plain(digest) && digest.len() == DIGEST_SIGNS).then(|| PetitionRef::Digest(digest.to_owned()))
        }
        None => is_plain(text).then(|| PetitionRef::Id(PetitionId::from(text))),
    }
}

fn read_revision(text: &str) -> Option<Revision> {
    (is_plain(text) && text.len() == REVISION_SIGNS).then(|| Revision(text.to_owned()))
}

fn read_number(text: &str) -> Option<usize> {
    let is_digit = |sign: u8| sign.is_ascii_digit() || sign.is_ascii_lowercase();
    text.bytes().all(is_digit).then(|| usize::from_str_radix(text, 36).ok())?
}

fn read_user(text: &str) -> Option<UserId> {
    Some(UserId(i64::try_from(read_number(text)?).ok()?))
}

fn read_some_number(text: &str) -> Option<Option<usize>> {
    if text == NONE { Some(None) } else { read_number(text).map(Some) }
}

fn read_mission(text: &str) -> Option<MissionId> {
    is_plain(text).then(|| MissionId(text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn petitions() -> impl Strategy<Value = PetitionRef> {
        let id = prop_oneof!["[A-Za-z0-9_-]{1,24}", "\\PC{0,200}", "[a-z:/.~ ]{1,30}"];
        id.prop_map(|id| PetitionRef::of(&PetitionId::from(id.as_str())))
    }

    fn revisions() -> impl Strategy<Value = Revision> {
        "[A-Za-z0-9_-]{6}".prop_map(Revision)
    }

    fn missions() -> impl Strategy<Value = MissionId> {
        "[A-Za-z0-9_-]{1,60}".prop_map(|id| MissionId(id.as_str().into()))
    }

    fn taps() -> impl Strategy<Value = Tap> {
        let parts =
            (petitions(), any::<usize>(), any::<usize>(), any::<Option<usize>>(), revisions(), missions());
        (parts, 0..19, any::<bool>()).prop_map(|(parts, which, instead)| {
            let (petition, decision, page, some, revision, mission) = parts;
            match which {
                0 => Tap::Queue { page },
                1 => Tap::Petition { petition, page },
                2 => Tap::Continue { petition },
                3 => Tap::Decision { petition, decision, page },
                4 => Tap::Choose { petition, decision, option: page, revision, instead },
                5 => Tap::Skip { petition, decision, revision, instead },
                6 => Tap::OwnWords { petition, decision, revision, instead },
                7 => Tap::Instead { petition, decision, page },
                8 => Tap::Review { petition, page },
                9 => Tap::Submit { petition, revision },
                10 => Tap::HandOver { petition, decision: some },
                11 => Tap::HandTo { petition, decision: some, person: UserId((page >> 1) as i64), revision },
                12 => Tap::Missions { page },
                13 => Tap::Mission { mission },
                14 => Tap::Pause { mission },
                15 => Tap::Resume { mission },
                16 => Tap::AskCancel { mission },
                17 => Tap::Cancel { mission },
                _ => Tap::Nothing,
            }
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again_and_fits(tap in taps()) {
            let data = tap.data();
            prop_assert!(data.len() <= TAP_BYTES_MAX, "{data}");
            prop_assert_eq!(TapData::read(&data), TapData::Ours(tap), "{}", data);
        }

        #[test]
        fn garbage_is_read_as_something_or_nothing(data in prop_oneof!["\\PC{0,80}", "1[a-zA-Z][.~a-z0-9:-]{0,64}"]) {
            if let TapData::Ours(tap) = TapData::read(&data) {
                prop_assert!(tap.data().len() <= TAP_BYTES_MAX);
            }
        }
    }

    /// Buttons outlive the program that drew them.
    #[test]
    fn what_stands_in_old_messages_is_read_for_ever() {
        let petition = PetitionRef::Id(PetitionId::from("abc123"));
        let revision = Revision("Xy3_zA".to_owned());
        let tap = Tap::Choose { petition, decision: 0, option: 37, revision, instead: true };
        assert_eq!(tap.data(), "1C.abc123.0.11.Xy3_zA");
        assert_eq!(TapData::read("1C.abc123.0.11.Xy3_zA"), TapData::Ours(tap));
        for forged in
            ["1c.abc123.0.11", "1c.abc123.0.+1.Xy3_zA", "1q.", "1q.zzzzzzzzzzzzzz", "2q.0", "1", "1~.a", ""]
        {
            assert_eq!(TapData::read(forged), TapData::Unknown, "{forged}");
        }
    }

    #[test]
    fn a_mission_that_no_button_can_name_gets_a_button_that_does_nothing() {
        let tap = Tap::Mission { mission: MissionId("x".repeat(70).as_str().into()) };
        assert_eq!(tap.data(), "1n");
    }
}
