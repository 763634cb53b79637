//! The petitions of a mission in a report: what was asked by whom, what became of it, and whose answer it was.

use mind::mission_petition::MissionPetition;
use mind::petition::PetitionId;
use mind::state::State;
use view::completion::{OutcomeRow, outcome};

use super::markdown::{code, plain, table};
use super::report::moment;

/// Every petition with its answers, the oldest first; none if nothing was asked.
pub(super) fn petitions(state: &State) -> Option<String> {
    let mut all: Vec<_> = state.petitions.iter().collect();
    all.sort_by_key(|(_, asked)| asked.at);
    let rows: Vec<Vec<String>> = all.into_iter().flat_map(|(id, asked)| rows(id, asked)).collect();
    let head = ["petition", "asked", "by", "what", "decision", "answer", "answered by", "time"];
    (!rows.is_empty()).then(|| table(&head, &rows))
}

fn rows(id: &PetitionId, asked: &MissionPetition) -> Vec<Vec<String>> {
    let question = [code(&id.0), moment(asked.at), plain(&asked.draft.agent), plain(&asked.draft.title)];
    let row = |row: OutcomeRow| {
        let answer = [
            row.decision.map(|decision| code(&decision)).unwrap_or_default(),
            plain(&row.text),
            row.by.map(|by| plain(&by)).unwrap_or_default(),
            row.at.map(moment).unwrap_or_default(),
        ];
        [&question[..], &answer[..]].concat()
    };
    outcome(asked).into_iter().map(row).collect()
}
