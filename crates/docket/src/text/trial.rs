//! The laws of petition texts as functions that panic when one is broken: for tests that mutate files and for fuzzing.

use std::collections::HashSet;
use std::sync::Arc;

use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{AnswerChoice, Petition, PetitionChange};

use super::{MalformedPetition, PetitionText, notification};
use crate::limits;

const FILE_TIME: Timestamp = Timestamp(1_700_000_000_000);
const NOW: Timestamp = Timestamp(1_800_000_000_123);

/// Texts that a person could answer with to break a file.
const ANSWERS: [&str; 6] = [
    "jwt",
    "null",
    "two\r\nlines\n---\n## Decision 9: x\nid: x\nstatus: answered",
    "\"quoted\" and \\back\\slashed\\",
    "__skipped__",
    " # \u{2028}\u{0}\u{1f402}`",
];

/// What edits came to.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Came {
    /// Edits that were made.
    pub made: usize,
    /// Edits that were refused as unsafe.
    pub refused: usize,
}

/// Reads any bytes. A petition that comes of it keeps every promise of a petition; a fault is one sentence.
pub fn read(bytes: &[u8]) -> Option<PetitionText> {
    match PetitionText::read(bytes, FILE_TIME) {
        Ok(sheet) => {
            assert_eq!(sheet.text().as_bytes(), bytes, "an untouched text is what was read");
            promises(sheet.petition());
            rewritten(sheet.petition());
            Some(sheet)
        }
        Err(MalformedPetition(why)) => {
            assert!(!why.is_empty() && !why.contains(char::is_control), "a fault is one line: {why:?}");
            assert!(why.chars().count() < 600, "a fault is short: {why}");
            None
        }
    }
}

fn promises(petition: &Petition) {
    assert!(!petition.id.0.trim().is_empty());
    assert!((1..=mind::limits::PETITION_DECISIONS_MAX).contains(&petition.decisions.len()));
    let ids: HashSet<&str> = petition.decisions.iter().map(|decision| &*decision.id).collect();
    assert_eq!(ids.len(), petition.decisions.len(), "ids are unique");
    for decision in &petition.decisions {
        assert!(decision.options.len() <= limits::OPTIONS_READ_MAX);
    }
}

/// What was read can be written anew, and asks the same.
fn rewritten(petition: &Petition) {
    let written = PetitionText::write(petition);
    if written.text().len() as u64 > limits::FILE_BYTES_MAX {
        return;
    }
    let again = match PetitionText::read(written.text().as_bytes(), FILE_TIME) {
        Ok(again) => again,
        Err(why) => panic!("what was written cannot be read: {why}\n{}", written.text()),
    };
    let asked = |petition: &Petition| {
        let of = petition.decisions.iter().map(|decision| {
            let choice = decision.answer.as_ref().map(|given| given.choice.clone());
            (Arc::clone(&decision.id), Arc::clone(&decision.context), choice)
        });
        (petition.id.clone(), Arc::clone(&petition.context), of.collect::<Vec<_>>())
    };
    assert_eq!(asked(again.petition()), asked(petition), "what is written anew asks the same");
    let _ = notification(petition);
}

/// Edits any petition in every way. Each edit that is made is what was meant and can be taken back.
pub fn edit(bytes: &[u8]) -> Came {
    let mut came = Came::default();
    let Some(sheet) = read(bytes) else { return came };
    let by = Actor::human(Door::Telegram, "93533553");
    let petition = sheet.petition();
    for (at, decision) in petition.decisions.iter().take(3).enumerate() {
        for nth in 0..2 {
            let text = ANSWERS[(at + nth + bytes.len()) % ANSWERS.len()];
            let choice = if (at + nth + bytes.len()) % 4 == 3 {
                AnswerChoice::Skipped
            } else {
                AnswerChoice::Answer(Arc::from(text))
            };
            let digest = petition.digest(decision);
            let change = PetitionChange::Answered {
                decision: Arc::clone(&decision.id),
                choice,
                digest,
                instead_of: None,
            };
            let Some(answered) = made(&sheet, &change, &by, &mut came) else { continue };
            taken_back(&answered, &decision.id, &mut came);
            handed_over(&answered, Some(&decision.id), text, &by, &mut came);
            ended(&answered, &by, &mut came);
        }
    }
    handed_over(&sheet, None, ANSWERS[bytes.len() % ANSWERS.len()], &by, &mut came);
    came
}

/// Who is asked is a line of its own: nothing else is another then.
fn handed_over(sheet: &PetitionText, decision: Option<&str>, to: &str, by: &Actor, came: &mut Came) {
    let Ok(change) = sheet.petition().assign(decision, to, by) else { return };
    let Some(after) = made(sheet, &change, by, came) else { return };
    let answers = |sheet: &PetitionText| {
        let decisions = sheet.petition().decisions.iter();
        decisions.map(|decision| decision.answer.clone()).collect::<Vec<_>>()
    };
    assert_eq!(answers(&after), answers(sheet), "an answer stays, whoever is asked");
}

/// One edit: what it says is what the change makes of what was there.
fn made(sheet: &PetitionText, change: &PetitionChange, by: &Actor, came: &mut Came) -> Option<PetitionText> {
    let after = match sheet.with(change, by, NOW) {
        Ok(after) => after,
        Err(MalformedPetition(why)) => {
            assert!(why.starts_with("could not be edited safely"), "{why}");
            came.refused += 1;
            return None;
        }
    };
    came.made += 1;
    let mut meant = sheet.petition().clone();
    meant.apply(change, by, NOW);
    meant.updated_at = after.petition().updated_at;
    assert_eq!(*after.petition(), meant, "an edit is what was meant");
    let again = PetitionText::read(after.text().as_bytes(), FILE_TIME);
    assert_eq!(again.as_ref(), Ok(&after), "an edit is read as it was made");
    Some(after)
}

fn taken_back(answered: &PetitionText, id: &str, came: &mut Came) {
    let Ok(back) = answered.without_answer(id, NOW) else {
        came.refused += 1;
        return;
    };
    came.made += 1;
    for (after, before) in back.petition().decisions.iter().zip(&answered.petition().decisions) {
        if *after.id == *id {
            assert_eq!(after.answer, None, "what is taken back is gone");
        } else {
            assert_eq!(after, before, "another decision stays");
        }
    }
}

fn ended(sheet: &PetitionText, by: &Actor, came: &mut Came) {
    if let Ok(change) = sheet.petition().submit() {
        made(sheet, &change, by, came);
    }
    let Ok(change) = sheet.petition().withdraw("two\n---\nlines", by) else { return };
    let Some(gone) = made(sheet, &change, by, came) else { return };
    if let Some(open) = gone.petition().decisions.iter().find(|decision| decision.answer.is_none()) {
        let (decision, choice) = (Arc::clone(&open.id), AnswerChoice::Answer(Arc::from("late\n---")));
        let digest = gone.petition().digest(open);
        made(&gone, &PetitionChange::Late { decision, choice, digest, instead_of: None }, by, came);
    }
}
