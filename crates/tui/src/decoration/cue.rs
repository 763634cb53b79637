//! What happens on the stage, told by facts: somebody is summoned, a receipt comes, a decision waits. The scene shows what
//! happened a moment ago, and sounds are made of it. Each cue knows its fact, so any past is a beginning of the same list.

use mind::actor::Actor;
use mind::charter::Way;
use mind::fact::{DocketFact, GateFact, LifeFact, MissionFact, PermissionFact, SessionFact, TalkFact};
use mind::petition::PetitionSubject;
use mind::session::{Role, WaitKind};
use mind::talk::Speaker;
use mind::{Entry, Fact, SessionId, State, Timestamp};

use super::scene::limits::TOGETHER_MAX;
use super::sound::{self, SoundEffect};

/// What happened so far.
#[derive(Debug, Clone, Default)]
pub struct Cues {
    cues: Vec<Cue>,
}

/// Something that can be seen or heard.
#[derive(Debug, Clone, PartialEq)]
pub struct Cue {
    /// The fact it comes from.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// What.
    pub what: What,
    /// The first of the demons that stand together since: a successor joins those before it.
    pub band: SessionId,
    /// How many of them were summoned so far. Sums stand here so that nobody has to count a long mission for each frame.
    pub crowd: u32,
    /// Checks that passed so far, and that did not.
    pub checks: (u32, u32),
}

/// What can be seen or heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The requirements arrived.
    Scroll,
    /// A worker was summoned.
    Summoned(SessionId),
    /// A verifier was.
    Inspects(SessionId),
    /// A session was released.
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
        /// It passed.
        passed: bool,
    },
    /// A claim of completion was turned back.
    TurnedBack,
    /// A session waits until a limit is lifted.
    Limited(SessionId),
    /// Done and verified; or only a plan was wanted, and it stands.
    Completed,
    /// It ended otherwise: it cannot be done, or there is a plan that its maker is not sure of.
    Failed,
    /// Somebody cancelled.
    Cancelled,
    /// A limit of the mission was reached.
    Exhausted,
}

impl Cues {
    /// Adds what the fact of number `seq` shows, if it shows anything; `state` is after it.
    pub fn tell(&mut self, seq: u64, entry: &Entry, before: &State, state: &State) {
        for what in read(&entry.fact, state).into_iter().flatten() {
            let (band, crowd) = self.band(what, entry.at, before);
            let mut checks = self.cues.last().map_or((0, 0), |cue| cue.checks);
            if let What::Receipt { passed } = what {
                *if passed { &mut checks.0 } else { &mut checks.1 } += 1;
            }
            self.cues.push(Cue { seq, at: entry.at, what, band, crowd, checks });
        }
    }

    /// What had happened after `head` facts.
    pub fn until(&self, head: u64) -> &[Cue] {
        &self.cues[..self.cues.partition_point(|cue| cue.seq <= head)]
    }

    /// What is heard of the facts after `from` up to `head`.
    pub fn effects(&self, from: u64, head: u64) -> impl Iterator<Item = SoundEffect> {
        let cues = self.until(head);
        cues[cues.partition_point(|cue| cue.seq <= from)..].iter().filter_map(|cue| sound::of(cue.what))
    }

    /// Where the band begins that stands after `what`, and how many are in it. One that is released to make room for its
    /// successor stays.
    fn band(&self, what: What, at: Timestamp, before: &State) -> (SessionId, u32) {
        let (band, crowd) = self.cues.last().map_or((SessionId(0), 0), |cue| (cue.band, cue.crowd));
        let (What::Summoned(session) | What::Inspects(session)) = what else { return (band, crowd) };
        let mut together = self.cues.iter().rev().take(TOGETHER_MAX).take_while(|cue| cue.at == at);
        let succeeds = together.any(|cue| matches!(cue.what, What::Released(_)));
        let stand = before.live_sessions().any(|session| session.profile.role != Role::Arbiter);
        // Agents of a conducted mission take turns: none is another's successor.
        if stand || succeeds && before.way() == Way::Council { (band, crowd + 1) } else { (session, 1) }
    }
}

/// What a fact shows. Whoever asks speaks too: that is two things.
fn read(fact: &Fact, state: &State) -> [Option<What>; 2] {
    match fact {
        Fact::Mission(fact) => [of_mission(fact), None],
        Fact::Talk(TalkFact::Said { from, asks, decisions, .. }) => {
            let spoke = match from {
                Speaker::Human(Actor::Human { .. }) => Some(What::HumanSpoke),
                // What a policy says was said by no person.
                Speaker::Human(Actor::Policy(_) | Actor::Agent(_)) => None,
                Speaker::Arbiter => Some(What::ArbiterSpoke),
                Speaker::Orchestrator(_) | Speaker::Agent(_) => Some(What::WorkerSpoke),
                Speaker::House => None,
            };
            [spoke, (asks.is_some() || !decisions.is_empty()).then_some(What::Asked)]
        }
        Fact::Talk(TalkFact::Received { .. } | TalkFact::Queued { .. }) => [None, None],
        Fact::Session(id, fact) => [of_session(*id, fact, state), None],
        Fact::Gate(_, fact) => [of_gate(fact), None],
        Fact::Docket(_, fact) => [of_docket(fact), None],
        Fact::Conductor(_) => [None, None],
    }
}

fn of_mission(fact: &MissionFact) -> Option<What> {
    match fact {
        MissionFact::Opened(charter) => charter.scroll.is_brought().then_some(What::Scroll),
        MissionFact::Completed { .. } | MissionFact::PlanOnly { confident: true } => Some(What::Completed),
        MissionFact::Failed { .. } | MissionFact::PlanOnly { confident: false } => Some(What::Failed),
        MissionFact::Cancelled { .. } => Some(What::Cancelled),
        MissionFact::Exhausted { .. } => Some(What::Exhausted),
        MissionFact::Restarted { .. }
        | MissionFact::Consented { .. }
        | MissionFact::Attended(_)
        | MissionFact::CloneReady { .. }
        | MissionFact::Paused { .. }
        | MissionFact::Resumed { .. }
        | MissionFact::TurnedBack { .. }
        | MissionFact::AskedOnceMore { .. }
        | MissionFact::Halted { .. } => None,
    }
}

fn of_gate(fact: &GateFact) -> Option<What> {
    match fact {
        GateFact::Receipt { receipt, .. } => Some(What::Receipt { passed: receipt.passed() }),
        GateFact::Refused { .. } => Some(What::TurnedBack),
        GateFact::Claimed { .. } | GateFact::Surveyed(_) | GateFact::Brought { .. } => None,
    }
}

fn of_docket(fact: &DocketFact) -> Option<What> {
    match fact {
        DocketFact::Asked { subject: PetitionSubject::Session(_), .. } => Some(What::Asked),
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
fn of_session(id: SessionId, fact: &SessionFact, state: &State) -> Option<What> {
    match fact {
        SessionFact::Life(LifeFact::Summoned(profile)) => match profile.role {
            Role::Arbiter => None,
            Role::Orchestrator | Role::Agent => Some(What::Summoned(id)),
            Role::Verifier => Some(What::Inspects(id)),
        },
        SessionFact::Life(LifeFact::Released)
            if state.sessions.get(&id).is_some_and(|known| known.profile.role != Role::Arbiter) =>
        {
            Some(What::Released(id))
        }
        SessionFact::Permission(PermissionFact::Asked { .. }) => Some(What::Asked),
        SessionFact::Life(LifeFact::Waits(wait)) if wait.kind == WaitKind::Limit => Some(What::Limited(id)),
        _ => None,
    }
}
