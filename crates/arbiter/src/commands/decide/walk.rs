//! One pass over a journal that stops at every move, with the mission as it stood when the move was asked for.

use mind::conductor::ConductorFact;
use mind::conductor::move_record::MoveRecord;
use mind::{Entry, Fact, State, Timestamp};

use crate::mission::fact_log::FactLogError;
use crate::mission::port::{FolderPort, MissionFiles as _};

/// A move, and what it was chosen from.
pub struct Made<'a> {
    /// The mission before it: as it was when a model was first asked, if one was.
    pub before: &'a State,
    /// When `before` stood.
    pub at: Timestamp,
    /// The move as it is recorded.
    pub record: &'a MoveRecord,
}

/// Shows every move to `see`, in order, and gives the mission as it stands at the end.
pub fn walk(port: &FolderPort, mut see: impl FnMut(Made<'_>)) -> Result<State, FactLogError> {
    let mut state = State::default();
    let mut asked: Option<(u32, State, Timestamp)> = None;
    let mut tail = port.tail()?;
    while let Some(entries) = tail.next()? {
        for (_, entry) in &entries {
            if let Some(number) = asked_number(entry)
                && asked.as_ref().is_none_or(|(known, ..)| *known != number)
            {
                asked = Some((number, state.clone(), entry.at));
            }
            if let Fact::Conductor(ConductorFact::Decided(record)) = &entry.fact {
                // What was spent on the asking itself was not known when the rules had their say.
                let then = asked.take().filter(|(number, ..)| *number == record.number);
                let (before, at) = then.as_ref().map_or((&state, entry.at), |(_, before, at)| (before, *at));
                see(Made { before, at, record });
            }
            state.apply(entry);
        }
    }
    Ok(state)
}

fn asked_number(entry: &Entry) -> Option<u32> {
    if let Fact::Conductor(ConductorFact::ModelAsked(asking)) = &entry.fact {
        Some(asking.number)
    } else {
        None
    }
}
