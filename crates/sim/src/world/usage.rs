//! The usage that agents report when a turn ends, well or badly, and its laws: a report is booked once, whole, to the
//! session that sent it, and the mission's cost is the sum of what was booked.

use std::collections::BTreeSet;
use std::sync::Arc;

use mind::conductor::ConductorFact;
use mind::fact::{SessionFact, WorkFact};
use mind::{Address, AgentEvent, Event, Fact, SessionId, State, TurnId};

use super::World;

/// Tokens read, tokens written, and millionths of a dollar.
pub(super) type Amounts = (u64, u64, u64);

impl World {
    /// What is told before a turn ends. A life that takes a turn up tells what an earlier one told, or what it took itself.
    pub(super) fn usage_of(&mut self, address: Address, turn: TurnId) -> Vec<AgentEvent> {
        if self.dice.one_in(3) {
            return Vec::new();
        }
        let report = if self.dice.one_in(2) { turn.to_string() } else { format!("{turn} in {address}") };
        let report: Arc<str> = Arc::from(report);
        let amounts = (self.dice.pick(&[0, 900]), self.dice.below(300), self.dice.pick(&[0, 5, 100]));
        let Some(agent) = self.living(address) else { return Vec::new() };
        let (input, output, cost_microusd) = *agent.reports.entry(report.clone()).or_insert(amounts);
        let spent = AgentEvent::Spent { report, input, output, cost_microusd };
        if self.dice.one_in(2) { vec![spent.clone(), spent] } else { vec![spent] }
    }
}

/// What is told first is booked, whole and to its session; nothing else changes what is booked.
pub(super) fn after_event(before: &State, state: &State, event: &Event) {
    let told = news(before, event);
    for (id, session) in &state.sessions {
        let was = before.sessions.get(id).map(|session| session.usage.clone()).unwrap_or_default();
        let (tokens, cost) = (was.tokens.unwrap_or_default(), was.cost_microusd);
        let news = told.filter(|(of, _)| of == id).map(|(_, amounts)| amounts).unwrap_or_default();
        let wanted = (tokens.0 + news.0, tokens.1 + news.1, cost + news.2);
        let (input, output) = session.usage.tokens.unwrap_or_default();
        let booked = (input, output, session.usage.cost_microusd);
        assert_eq!(booked, wanted, "{id} has other usage booked than it told: {event:?}");
    }
}

/// What a report of usage becomes.
pub(super) fn is_booking(fact: &Fact) -> bool {
    matches!(
        fact,
        Fact::Session(_, SessionFact::Work(WorkFact::Spent { .. }))
            | Fact::Conductor(ConductorFact::Spent { .. })
    )
}

/// The report of a session, told for the first time, also after its end or the mission's.
fn news(before: &State, event: &Event) -> Option<(SessionId, Amounts)> {
    let Event::Agent(address, AgentEvent::Spent { report, input, output, cost_microusd }) = event else {
        return None;
    };
    let session = before.sessions.get(&address.session)?;
    let counts = address.incarnation <= session.incarnation && !session.usage.reports.contains(report);
    counts.then_some((address.session, (*input, *output, *cost_microusd)))
}

/// Reads the journal alone: no report is in it twice, and the mission's cost is their sum, with what the decisions cost.
pub(super) fn cost_is_the_sum_of_reports(facts: &[Fact], state: &State) {
    let (mut booked, mut cost) = (BTreeSet::new(), 0);
    for fact in facts {
        match fact {
            Fact::Session(id, SessionFact::Work(WorkFact::Spent { report, cost_microusd, .. })) => {
                assert!(booked.insert((*id, report.clone())), "{report} of {id} is booked twice");
                cost += cost_microusd;
            }
            Fact::Conductor(ConductorFact::Spent { cost_microusd, .. }) => cost += cost_microusd,
            Fact::Mission(_)
            | Fact::Talk(_)
            | Fact::Session(..)
            | Fact::Gate(..)
            | Fact::Docket(..)
            | Fact::Conductor(_) => {}
        }
    }
    assert_eq!(state.cost_microusd(), cost, "the mission's cost is not the sum of its reports");
}
