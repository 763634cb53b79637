//! Pushing a petition, once: the same id, the same key or the same content gives the petition that is there.

use std::sync::Arc;

use mind::Timestamp;
use mind::actor::Actor;
use mind::petition::{Petition, PetitionChange, PetitionDraft, PetitionId};

use crate::docket::{Docket, PetitionPlace, Pushed};
use crate::error::DocketError;
use crate::files::names;
use crate::index::mark;
use crate::ledger::append::{Asked, Entry};
use crate::ledger::sha256;
use crate::limits;
use crate::open_petition::{Missing, OpenPetition, requiring_human};
use crate::text::PetitionText;
use crate::transaction::{Transaction, unreadable};

/// Pushes a petition, unless the same one was pushed before.
pub(crate) fn push(
    docket: &Docket,
    draft: &PetitionDraft,
    id: PetitionId,
    by: &Actor,
    now: Timestamp,
) -> Result<Pushed, DocketError> {
    let mut transaction = Transaction::begin(docket, now)?;
    let now = transaction.now;
    let content = content(draft);
    if let Some(mut case) = again(&mut transaction, draft, &id, &content)? {
        if !case.agrees() {
            match transaction.commit_one(&mut case) {
                // It stands as it was asked; its file is brought in line later.
                Ok(()) | Err(DocketError::Recorded { .. } | DocketError::Disk { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        return Ok(Pushed { kept: case.stored(docket), again: true });
    }
    let petition = draft.petition(id.clone(), now);
    let sheet = PetitionText::write(&petition);
    let name = free_name(docket, &petition)?;
    if sheet.text().len() as u64 > limits::FILE_BYTES_MAX {
        let why = format!("it would be longer than {} bytes", limits::FILE_BYTES_MAX);
        return Err(DocketError::Malformed { file: docket.path(PetitionPlace::Pending, &name), why });
    }
    // Whatever an agent's text looks like: the person is shown what was asked, and nothing else.
    if *sheet.petition() != petition {
        let why = "what can be read from it is not what was asked".to_owned();
        return Err(DocketError::Malformed { file: docket.path(PetitionPlace::Pending, &name), why });
    }
    let stamp = transaction.stage(&name, sheet.text())?;
    let asked = Asked {
        file: Arc::clone(&name),
        agent: Arc::clone(&draft.agent),
        tag: Arc::clone(&draft.tag),
        priority: draft.priority,
        key: draft.key.clone(),
        content: Some(content),
        requires_human: requiring_human(&petition),
    };
    let entry = Entry {
        at: now,
        petition: id.clone(),
        change: PetitionChange::Asked,
        by: by.clone(),
        door: docket.door(by),
        asked: Some(asked),
    };
    let mut case = OpenPetition {
        id,
        name,
        place: PetitionPlace::Pending,
        target: PetitionPlace::Pending,
        bytes: sheet.text().as_bytes().to_vec(),
        stamp,
        known: Some(stamp),
        sheet,
        petition,
        history: Vec::new(),
        head: None,
        lines: vec![entry],
        notify: false,
    };
    transaction.ask(&mut case)?;
    Ok(Pushed { kept: case.stored(docket), again: false })
}

/// The petition that this draft repeats.
fn again(
    transaction: &mut Transaction<'_>,
    draft: &PetitionDraft,
    id: &PetitionId,
    content: &Arc<str>,
) -> Result<Option<OpenPetition>, DocketError> {
    if transaction.index.slot(id)?.is_some() {
        let case = transaction.by_id(id).map_err(|missing| unreadable(missing, id))?;
        let is_same = case.history.first().is_some_and(|asked| asked.content.as_ref() == Some(content));
        return if is_same { Ok(Some(case)) } else { Err(DocketError::Taken { id: id.clone() }) };
    }
    let (what, value) = match &draft.key {
        Some(key) => ("key", key),
        None => ("content", content),
    };
    let Some(known) = transaction.index.pushed(&mark(&draft.agent, what, value))? else { return Ok(None) };
    let case = match transaction.by_id(&known) {
        Ok(case) => case,
        // The file was removed: the petition is pushed anew.
        Err(Missing::Unknown | Missing::Gone(_) | Missing::Malformed(..)) => return Ok(None),
        Err(missing) => return Err(unreadable(missing, &known)),
    };
    let is_its = case.history.first().is_some_and(|asked| match &draft.key {
        Some(key) => asked.key.as_ref() == Some(key),
        None => asked.content.as_ref() == Some(content) && case.petition.closed.is_none(),
    });
    Ok(is_its.then_some(case))
}

/// What is asked, without the times: an agent that repeats a push reckons its deadlines anew.
fn content(draft: &PetitionDraft) -> Arc<str> {
    let mut draft = draft.clone();
    draft.key = None;
    draft.deadline = None;
    for decision in &mut draft.decisions {
        decision.deadline = None;
    }
    sha256(&serde_json::to_vec(&draft).unwrap_or_default())
}

/// A name that no other file has.
fn free_name(docket: &Docket, petition: &Petition) -> Result<Arc<str>, DocketError> {
    let (pending, completed) = (docket.place(PetitionPlace::Pending), docket.place(PetitionPlace::Completed));
    let folders = [pending, completed, docket.own("staged")];
    for attempt in 0..limits::NAME_TRIES {
        let name = names::file_name(petition, attempt);
        let mut is_free = true;
        for folder in &folders {
            is_free &= !docket.disk().is_there(&folder.join(&name))?;
        }
        if is_free {
            return Ok(Arc::from(name));
        }
    }
    // So many files of the same name are no accident: the whole id gives a name of its own.
    Ok(Arc::from(format!("petition-{}.md", sha256(petition.id.0.as_bytes()))))
}
