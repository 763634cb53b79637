//! What the mission asked in the docket: by whom, what came of it, and whose answer it was.

use mind::mission_petition::{MissionPetition, Outcome};
use mind::petition::{Answered, PetitionId};
use mind::state::State;

use super::markdown::{code, plain, table};
use super::report::moment;

/// Every petition with its answers, the oldest first; nothing if there was none.
pub(super) fn petitions(state: &State) -> Option<String> {
    let mut all: Vec<_> = state.petitions.iter().collect();
    all.sort_by_key(|(_, raised)| raised.at);
    let rows: Vec<Vec<String>> = all.into_iter().flat_map(|(id, raised)| rows(id, raised)).collect();
    let head = ["petition", "asked", "by", "what", "decision", "answer", "answered by", "time"];
    (!rows.is_empty()).then(|| table(&head, &rows))
}

fn rows(id: &PetitionId, raised: &MissionPetition) -> Vec<Vec<String>> {
    let asked = vec![code(&id.0), moment(raised.at), plain(&raised.draft.agent), plain(&raised.draft.title)];
    let row = |answer: &Answered| {
        let given = [
            code(&answer.decision),
            plain(answer.choice.text()),
            code(&answer.by.to_string()),
            moment(answer.at),
        ];
        [asked.clone(), given.to_vec()].concat()
    };
    let without = |what: String| {
        let nothing = [String::new(), plain(&what), String::new(), String::new()];
        vec![[asked.clone(), nothing.to_vec()].concat()]
    };
    match &raised.outcome {
        Some(Outcome::Decided { answers, .. }) => answers.iter().map(row).collect(),
        Some(Outcome::Void) => without("void: it was no answer to this".to_owned()),
        Some(Outcome::Withdrawn(why)) => without(format!("withdrawn: {why}")),
        Some(Outcome::Closed(why)) => without(format!("closed: {why}")),
        None => without("it waits for an answer".to_owned()),
    }
}
