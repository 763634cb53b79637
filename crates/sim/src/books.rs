//! What a mission's journal says was used and what that cost: the mission, each session, each run and the calls of models.
//! A death may neither lose nor double any of it.

use std::collections::{BTreeMap, BTreeSet};

use mind::conductor::ConductorFact;
use mind::conductor::execution::RunTokens;
use mind::fact::{SessionFact, WorkFact};
use mind::{Entry, Fact, State};

/// Tokens read, tokens written, and millionths of a dollar.
pub type Amounts = (u64, u64, u64);

/// The books of one mission.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Books {
    /// What the mission cost, in millionths of a dollar.
    pub cost_microusd: u64,
    /// Its tokens, where it is conducted.
    pub tokens: Option<u64>,
    /// What each session used.
    pub sessions: BTreeMap<u32, Amounts>,
    /// The tokens of each run, by its number and agent.
    pub runs: Vec<(u32, String, Option<RunTokens>)>,
    /// What each booking of model calls and of runs aside had: tokens, and millionths of a dollar.
    pub calls: Vec<(u64, u64)>,
}

impl Books {
    /// Reads the books out of a journal.
    ///
    /// # Panics
    ///
    /// If a report was booked twice, or the parts do not add up to the whole.
    pub fn of(entries: &[Entry]) -> Books {
        let (mut state, mut books, mut reports) = (State::default(), Books::default(), BTreeSet::new());
        for entry in entries {
            state.apply(entry);
            match &entry.fact {
                Fact::Session(
                    id,
                    SessionFact::Work(WorkFact::Spent { report, input, output, cost_microusd }),
                ) => {
                    assert!(reports.insert((*id, report.clone())), "{report} of {id} is booked twice");
                    let (read, written, cost) = books.sessions.entry(id.0).or_default();
                    (*read, *written, *cost) = (*read + input, *written + output, *cost + cost_microusd);
                }
                Fact::Conductor(ConductorFact::Spent { tokens, cost_microusd }) => {
                    books.calls.push((*tokens, *cost_microusd));
                }
                Fact::Conductor(ConductorFact::RunEnded { execution: Some(run), .. }) => {
                    books.runs.push((run.seq, run.agent.to_string(), run.tokens));
                }
                Fact::Mission(_)
                | Fact::Talk(_)
                | Fact::Session(..)
                | Fact::Gate(..)
                | Fact::Docket(..)
                | Fact::Conductor(_) => {}
            }
        }
        books.cost_microusd = state.cost_microusd();
        books.tokens = state.conductor.as_ref().and_then(|conductor| conductor.tokens);
        books.assert_sums(&state);
        books
    }

    fn assert_sums(&self, state: &State) {
        let sessions: u64 = self.sessions.values().map(|(_, _, cost)| cost).sum();
        let calls: u64 = self.calls.iter().map(|(_, cost)| cost).sum();
        assert_eq!(self.cost_microusd, sessions + calls, "the mission's cost is not the sum: {self:?}");
        for (id, session) in &state.sessions {
            let (input, output) = session.usage.tokens.unwrap_or_default();
            let booked = self.sessions.get(&id.0).copied().unwrap_or_default();
            assert_eq!((input, output, session.usage.cost_microusd), booked, "{id}: {self:?}");
        }
        if let Some(tokens) = self.tokens {
            let runs: u64 = self.runs.iter().filter_map(|(_, _, tokens)| Some(tokens.as_ref()?.total)).sum();
            let calls: u64 = self.calls.iter().map(|(tokens, _)| tokens).sum();
            assert_eq!(tokens, runs + calls, "the mission's tokens are not the sum: {self:?}");
        }
    }
}
