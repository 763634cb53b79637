//! What can be seen and heard of a mission, read from its facts: a session begins, a check passed, a question waits. A door
//! may draw it or sound it. Each event knows its fact, so the events of any past are a beginning of the same list.

use mind::actor::Actor;
use mind::charter::Way;
use mind::fact::{DocketFact, GateFact, LifeFact, MissionFact, PermissionFact, SessionFact, TalkFact};
use mind::petition::PetitionSubject;
use mind::session::{Role, WaitKind};
use mind::talk::Speaker;
use mind::{Entry, Fact, SessionId, State, Timestamp};
use serde::Serialize;

/// Events of the same moment among which a session's predecessor is looked for.
const TOGETHER_MAX: usize = 32;

/// The events of a mission so far.
#[derive(Debug, Clone, Default, Serialize)]
pub struct StageEvents {
    events: Vec<StageEvent>,
}

/// Something that can be seen or heard.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageEvent {
    /// The number of the fact it comes from.
    pub seq: u64,
    pub at: Timestamp,
    pub kind: StageEventKind,
    /// The first of the sessions that stand together since: a successor joins those before it.
    pub band: SessionId,
    /// How many sessions of the band were summoned so far. Sums stand here so that a long mission is not counted anew for
    /// each frame.
    pub crowd: u32,
    /// Checks that passed so far, and that did not.
    pub checks: (u32, u32),
}

/// What can be seen or heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StageEventKind {
    /// The requirements arrived.
    Scroll,
    /// A worker was summoned.
    Summoned(SessionId),
    /// A verifier was summoned.
    Inspects(SessionId),
    Released(SessionId),
    /// The human spoke.
    HumanSpoke,
    /// The Arbiter spoke.
    ArbiterSpoke,
    /// A worker spoke.
    WorkerSpoke,
    /// Something waits for the human.
    Asked,
    /// A check ran.
    Receipt {
        passed: bool,
    },
    /// A claim of completion was turned back.
    TurnedBack,
    /// A session waits until a limit is lifted.
    Limited(SessionId),
    /// Done and verified; or only a plan was wanted, and it stands.
    Completed,
    /// It cannot be done, or there is a plan that its maker is not sure of.
    Failed,
    /// A person cancelled.
    Cancelled,
    /// A limit of the mission was reached.
    Exhausted,
}

impl StageEvents {
    /// Adds what the fact of number `seq` shows, if it shows anything; `state` is after it.
    pub fn tell(&mut self, seq: u64, entry: &Entry, before: &State, state: &State) {
        for kind in read(&entry.fact, state).into_iter().flatten() {
            let (band, crowd) = self.band(kind, entry.at, before);
            let mut checks = self.events.last().map_or((0, 0), |event| event.checks);
            if let StageEventKind::Receipt { passed } = kind {
                *if passed { &mut checks.0 } else { &mut checks.1 } += 1;
            }
            self.events.push(StageEvent { seq, at: entry.at, kind, band, crowd, checks });
        }
    }

    /// What had happened after `head` facts.
    pub fn until(&self, head: u64) -> &[StageEvent] {
        &self.events[..self.events.partition_point(|event| event.seq <= head)]
    }

    /// What happened by the facts after `from` up to `head`.
    pub fn between(&self, from: u64, head: u64) -> &[StageEvent] {
        let events = self.until(head);
        &events[events.partition_point(|event| event.seq <= from)..]
    }

    /// Where the band begins that stands after `kind`, and how many are in it. One that is released to make room for its
    /// successor stays.
    fn band(&self, kind: StageEventKind, at: Timestamp, before: &State) -> (SessionId, u32) {
        let (band, crowd) = self.events.last().map_or((SessionId(0), 0), |event| (event.band, event.crowd));
        let (StageEventKind::Summoned(session) | StageEventKind::Inspects(session)) = kind else {
            return (band, crowd);
        };
        let mut together = self.events.iter().rev().take(TOGETHER_MAX).take_while(|event| event.at == at);
        let succeeds = together.any(|event| matches!(event.kind, StageEventKind::Released(_)));
        let stand = before.live_sessions().any(|session| session.profile.role != Role::Arbiter);
        // Agents of a conducted mission take turns: none is another's successor.
        if stand || succeeds && before.way() == Way::Council { (band, crowd + 1) } else { (session, 1) }
    }
}

/// What a fact shows. A question is spoken and waits: that is two things.
fn read(fact: &Fact, state: &State) -> [Option<StageEventKind>; 2] {
    match fact {
        Fact::Mission(fact) => [of_mission(fact), None],
        Fact::Talk(TalkFact::Said { from, asks, decisions, .. }) => {
            let spoke = match from {
                Speaker::Human(Actor::Human { .. }) => Some(StageEventKind::HumanSpoke),
                // What a policy says was said by no person.
                Speaker::Human(Actor::Policy(_) | Actor::Agent(_)) => None,
                Speaker::Arbiter => Some(StageEventKind::ArbiterSpoke),
                Speaker::Orchestrator(_) | Speaker::Agent(_) => Some(StageEventKind::WorkerSpoke),
                Speaker::House => None,
            };
            [spoke, (asks.is_some() || !decisions.is_empty()).then_some(StageEventKind::Asked)]
        }
        Fact::Talk(TalkFact::Received { .. } | TalkFact::Queued { .. }) => [None, None],
        Fact::Session(id, fact) => [of_session(*id, fact, state), None],
        Fact::Gate(_, fact) => [of_gate(fact), None],
        Fact::Docket(_, fact) => [of_docket(fact), None],
        Fact::Conductor(_) => [None, None],
    }
}

fn of_mission(fact: &MissionFact) -> Option<StageEventKind> {
    match fact {
        MissionFact::Opened(charter) => charter.scroll.is_brought().then_some(StageEventKind::Scroll),
        MissionFact::Completed { .. } | MissionFact::PlanOnly { confident: true } => {
            Some(StageEventKind::Completed)
        }
        MissionFact::Failed { .. } | MissionFact::PlanOnly { confident: false } => {
            Some(StageEventKind::Failed)
        }
        MissionFact::Cancelled { .. } => Some(StageEventKind::Cancelled),
        MissionFact::Exhausted { .. } => Some(StageEventKind::Exhausted),
        MissionFact::Restarted { .. }
        | MissionFact::Consented { .. }
        | MissionFact::Attended(_)
        | MissionFact::CloneReady { .. }
        | MissionFact::CloneRebuilt { .. }
        | MissionFact::Paused { .. }
        | MissionFact::Resumed { .. }
        | MissionFact::TurnedBack { .. }
        | MissionFact::AskedOnceMore { .. }
        | MissionFact::LimitReached { .. }
        | MissionFact::HandoffAtLimit { .. }
        | MissionFact::LimitsSet { .. }
        | MissionFact::Halted { .. } => None,
    }
}

fn of_gate(fact: &GateFact) -> Option<StageEventKind> {
    match fact {
        GateFact::Receipt { receipt, .. } => Some(StageEventKind::Receipt { passed: receipt.passed() }),
        GateFact::Refused { .. } => Some(StageEventKind::TurnedBack),
        GateFact::Claimed { .. } | GateFact::Surveyed(_) | GateFact::Brought { .. } => None,
    }
}

fn of_docket(fact: &DocketFact) -> Option<StageEventKind> {
    match fact {
        DocketFact::Asked { subject: PetitionSubject::Session(_), .. } => Some(StageEventKind::Asked),
        // The mission's own question, or a tool's: it was asked already, and is only carried elsewhere.
        DocketFact::Asked {
            subject: PetitionSubject::Question(_) | PetitionSubject::Permission(_), ..
        }
        | DocketFact::Decided { .. }
        | DocketFact::Void { .. }
        | DocketFact::Withdrawn { .. }
        | DocketFact::Closed { .. }
        | DocketFact::Late(_) => None,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "of all that a session does, the stage shows little")]
fn of_session(id: SessionId, fact: &SessionFact, state: &State) -> Option<StageEventKind> {
    match fact {
        SessionFact::Life(LifeFact::Summoned(profile)) => match profile.role {
            Role::Arbiter => None,
            Role::Orchestrator | Role::Agent => Some(StageEventKind::Summoned(id)),
            Role::Verifier => Some(StageEventKind::Inspects(id)),
        },
        SessionFact::Life(LifeFact::Released)
            if state.sessions.get(&id).is_some_and(|known| known.profile.role != Role::Arbiter) =>
        {
            Some(StageEventKind::Released(id))
        }
        SessionFact::Permission(PermissionFact::Asked { .. }) => Some(StageEventKind::Asked),
        SessionFact::Life(LifeFact::Waits(wait)) if wait.kind == WaitKind::Limit => {
            Some(StageEventKind::Limited(id))
        }
        _ => None,
    }
}
