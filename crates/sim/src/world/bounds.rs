//! The limits of a council, and the person who raises them: a mission that a limit ended is resumed, with limits that let
//! it go on or with the same ones. The laws read the journal: a limit that is reached ends the mission, with one handoff
//! between, and a raised one lets it go on.

use std::sync::Arc;

use mind::charter::{Charter, Way};
use mind::fact::{ContextFact, LifeFact, MissionFact, SessionFact, TurnFact, WorkFact};
use mind::mission_limits::{LimitKind, Limits};
use mind::session::Role;
use mind::state::Ended;
use mind::{Address, AgentEvent, Entry, Event, Fact, State, Timestamp, TurnId};

use super::agents::Act;
use super::dice::Dice;
use super::{DAY, HOUR, World};

/// One council in so many has limits.
const LIMITED: u64 = 2;
/// The dice of limits are their own: what a world without limits sees does not depend on them.
const OWN_DICE: u64 = 0x11_3175;

/// The limits of this world's mission.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    dice: Dice,
    /// So often the person still resumes a mission that a limit ended.
    resumes: u64,
    /// So often they have.
    pub(super) resumed: u64,
    /// What they resume it with.
    now: Option<Limits>,
}

impl Bounds {
    /// Throws limits for some councils.
    pub(super) fn new(seed: u64, charter: &mut Charter) -> Bounds {
        let mut dice = Dice::new(seed ^ OWN_DICE);
        if charter.way() == Way::Council && dice.one_in(LIMITED) {
            charter.limits = Some(Limits {
                max_iterations: dice.pick(&[1, 3, 10, 50]),
                max_failures: dice.pick(&[1, 2, 3, 8]),
                deadline_ms: dice.pick(&[None, None, Some(HOUR), Some(2 * DAY)]),
                budget_microusd: dice.pick(&[None, None, Some(400), Some(3_000)]),
                budget_tokens: dice.pick(&[None, None, Some(8_000), Some(40_000)]),
            });
        }
        let resumes = dice.pick(&[0, 1, 1, 2, 4]);
        Bounds { dice, resumes, resumed: 0, now: None }
    }

    /// A mission that ended so will be resumed.
    pub(super) fn resumes(&self, ended: &Ended) -> bool {
        self.resumes > 0 && matches!(ended, Ended::Exhausted(_))
    }

    /// The limits that the person starts the mission with.
    pub(super) fn at_start(&mut self, state: &State, now: Timestamp) -> Option<Limits> {
        if state.ended.as_ref().is_some_and(|ended| self.resumes(ended)) {
            (self.resumes, self.resumed) = (self.resumes - 1, self.resumed + 1);
            self.now = state.limits().map(|limits| self.raised(limits, state, now));
        }
        self.now
    }

    /// Some or all of what was reached is raised, by little or by much; now and then nothing is.
    fn raised(&mut self, limits: Limits, state: &State, now: Timestamp) -> Limits {
        if self.dice.one_in(5) {
            return limits;
        }
        let (little, much) = (self.dice.between(1, 3) as u32, self.dice.pick(&[1, 20]));
        let elapsed = now.0.saturating_sub(state.opened_at.0);
        let grown = |limit: Option<u64>, used: u64, by: u64| limit.map(|limit| limit.max(used) + by * much);
        Limits {
            max_iterations: limits.max_iterations.max(state.progress.exchanges) + little,
            max_failures: limits.max_failures + little,
            deadline_ms: grown(limits.deadline_ms, elapsed, HOUR),
            budget_microusd: grown(limits.budget_microusd, state.cost_microusd(), 100),
            budget_tokens: grown(limits.budget_tokens, state.tokens_used(), 2_000),
        }
    }
}

impl World {
    /// A turn of a mission with a budget tells its usage while it runs, as often as it makes requests.
    pub(super) fn tell_usage_inside(&mut self, address: Address, turn: TurnId, from: u64, length: u64) {
        let limits = self.house.as_ref().and_then(|house| house.state.limits());
        if !limits.is_some_and(|limits| limits.budget_tokens.is_some() || limits.budget_microusd.is_some()) {
            return;
        }
        for number in 0..self.bounds.dice.below(4) {
            let report: Arc<str> = Arc::from(format!("{turn} request {number} of {address}"));
            let dice = &mut self.bounds.dice;
            let (input, output) = (dice.pick(&[300, 900, 3_000]), dice.below(300));
            let (cost_microusd, after) = (dice.pick(&[0, 20, 100]), from + dice.below(length + 1));
            let spent = AgentEvent::Spent { report, input, output, cost_microusd };
            self.act(after, address, Act::During(turn, spent));
        }
    }
}

/// After every event of a council: what is over its limits is being closed, or is over. Read from what was booked, with
/// nothing of the mind's own sums.
pub(super) fn after_event(state: &State, event: &Event, now: Timestamp) {
    // Nothing is done with new limits before the mission has started.
    let sets = matches!(event, Event::LimitsSet(_));
    let stops = sets || state.closing.is_some() || state.ended.is_some() || state.halted.is_some();
    let (Way::Council, Some(limits), false) = (state.way(), state.limits(), stops) else { return };
    let elapsed = now.0.saturating_sub(state.opened_at.0);
    assert!(limits.deadline_ms.is_none_or(|most| elapsed < most), "past its deadline, and it goes on");
    // A claim takes no tokens: it is judged first.
    if state.gate.is_some() {
        return;
    }
    let usages = || state.sessions.values().map(|session| &session.usage);
    let tokens: u64 = usages().filter_map(|usage| usage.tokens).map(|(input, output)| input + output).sum();
    let cost: u64 = usages().map(|usage| usage.cost_microusd).sum();
    assert!(limits.budget_tokens.is_none_or(|most| tokens < most), "{tokens} tokens, and it goes on");
    assert!(limits.budget_microusd.is_none_or(|most| cost < most), "{cost} spent, and it goes on");
}

/// Reads the journal of a council, when it is over.
pub(super) fn limits_end_and_raises_go_on(entries: &[Entry], state: &State) {
    if state.way() != Way::Council {
        return;
    }
    let mut limits = state.charter.as_ref().and_then(|charter| charter.limits);
    let mut course = LimitedCourse::default();
    let mut summoned = 0;
    for Entry { fact, .. } in entries {
        if let Fact::Mission(MissionFact::LimitsSet { limits: set }) = fact {
            limits = Some(*set);
        }
        if let Fact::Session(_, SessionFact::Life(LifeFact::Summoned(profile))) = fact
            && profile.role == Role::Orchestrator
        {
            summoned += 1;
            let most = limits.map(|limits| limits.max_iterations);
            assert!(most.is_none_or(|most| summoned <= most), "{summoned} Orchestrators of {most:?}");
        }
        course.goes_on(fact);
    }
    assert!(course.reached.is_none() || state.ended.is_some(), "a limit is reached, and nothing ends");
}

/// Where a mission stands between its limits.
#[derive(Default)]
struct LimitedCourse {
    /// The limit that was reached, until it is raised.
    reached: Option<LimitKind>,
    /// A handoff was asked for since.
    asked: bool,
    /// Requests since.
    requests: u32,
    /// It was raised, and nothing has happened since.
    raised: bool,
}

impl LimitedCourse {
    fn goes_on(&mut self, fact: &Fact) {
        match fact {
            Fact::Mission(MissionFact::LimitReached { limit, .. }) => {
                assert_eq!(self.reached, None, "a limit is reached behind another");
                // Time passes by itself, and a report may be late.
                let by_itself = matches!(limit, LimitKind::Deadline | LimitKind::Tokens | LimitKind::Money);
                assert!(by_itself || !self.raised, "raised, and reached again at once: {limit}");
                (self.reached, self.asked, self.requests) = (Some(*limit), false, 0);
            }
            Fact::Mission(MissionFact::LimitsSet { .. }) => {
                self.raised = self.reached.take().is_some();
            }
            Fact::Mission(MissionFact::HandoffAtLimit { .. }) => {
                assert!(self.reached.is_some() && !self.asked, "a second handoff, or one without a limit");
                self.asked = true;
            }
            Fact::Mission(MissionFact::Exhausted { .. }) => {
                assert!(self.reached.is_some(), "exhausted, and no limit was reached");
            }
            Fact::Session(id, fact) => self.session(&format!("{id}"), fact),
            Fact::Mission(_) | Fact::Talk(_) | Fact::Gate(..) | Fact::Docket(..) | Fact::Conductor(_) => {}
        }
    }

    fn session(&mut self, id: &str, fact: &SessionFact) {
        let is_over = self.reached.is_some();
        match fact {
            // An heir takes what an Arbiter left that was asked for it before; nothing is asked of it.
            SessionFact::Life(LifeFact::Summoned(profile)) => {
                assert!(!is_over || profile.role == Role::Arbiter, "{id} is summoned behind a limit");
            }
            SessionFact::Turn(TurnFact::Prompted { .. }) => {
                self.requests += 1;
                assert!(!is_over || self.asked && self.requests == 1, "{id} is asked more behind a limit");
                self.raised = false;
            }
            SessionFact::Turn(TurnFact::Retried { .. } | TurnFact::Interjected(_)) => {
                assert!(!is_over, "{id} is told more behind a limit");
            }
            SessionFact::Turn(TurnFact::Rested { .. } | TurnFact::Heard { .. }) => self.raised = false,
            SessionFact::Context(ContextFact::HandoffAsked)
            | SessionFact::Work(WorkFact::Spent { .. })
            | SessionFact::Life(_)
            | SessionFact::Turn(_)
            | SessionFact::Tool(_)
            | SessionFact::Permission(_)
            | SessionFact::Context(_)
            | SessionFact::Work(_) => {}
        }
    }
}

/// The person starts the mission: with limits, if they have raised some.
pub(super) fn first_events(limits: Option<Limits>) -> Vec<Event> {
    limits.map(Event::LimitsSet).into_iter().chain([Event::Started]).collect()
}
