//! What happens on the stage, told by facts: somebody is summoned, a receipt comes, a decision waits. The scene shows what
//! happened a moment ago, and sounds are made of it. Each cue knows its fact, so any past is a beginning of the same list.

use mind::fact::{DocketFact, GateFact, MissionFact, SessionFact, TalkFact};
use mind::session::{Role, WaitKind};
use mind::talk::Speaker;
use mind::{Entry, Fact, SessionId, State, Timestamp};

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
}

/// What can be seen or heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The requirements arrived.
    Scroll,
    /// The Arbiter came, or its heir.
    Arrived(SessionId),
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
    /// The human decided something.
    Decided,
    /// A check ran.
    Receipt {
        /// It passed.
        passed: bool,
    },
    /// A claim of completion was turned back.
    TurnedBack,
    /// A session waits until a limit is lifted.
    Limited(SessionId),
    /// Done and verified.
    Completed,
    /// It ended otherwise.
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
            let band = self.band(what, entry.at, before);
            self.cues.push(Cue { seq, at: entry.at, what, band });
        }
    }

    /// What had happened after `head` facts.
    pub fn until(&self, head: u64) -> &[Cue] {
        &self.cues[..self.cues.partition_point(|cue| cue.seq <= head)]
    }

    /// Where the band begins that stands after `what`. One that is released to make room for its successor stays in it.
    fn band(&self, what: What, at: Timestamp, before: &State) -> SessionId {
        let band = self.cues.last().map_or(SessionId(0), |cue| cue.band);
        let (What::Summoned(session) | What::Inspects(session)) = what else { return band };
        let mut together = self.cues.iter().rev().take_while(|cue| cue.at == at);
        let succeeds = together.any(|cue| matches!(cue.what, What::Released(_)));
        let stand = before.live_sessions().any(|session| session.profile.role != Role::Arbiter);
        if succeeds || stand { band } else { session }
    }
}

/// What a fact shows. Whoever asks speaks too: that is two things.
fn read(fact: &Fact, state: &State) -> [Option<What>; 2] {
    match fact {
        Fact::Mission(fact) => [of_mission(fact), None],
        Fact::Talk(TalkFact::Said { from, asks, decisions, .. }) => {
            let spoke = match from {
                Speaker::Human(_) => Some(What::HumanSpoke),
                Speaker::Arbiter => Some(What::ArbiterSpoke),
                Speaker::Orchestrator(_) | Speaker::Agent(_) => Some(What::WorkerSpoke),
                Speaker::House => None,
            };
            [spoke, (asks.is_some() || !decisions.is_empty()).then_some(What::Asked)]
        }
        Fact::Talk(TalkFact::Taken { .. } | TalkFact::Posted { .. }) => [None, None],
        Fact::Session(id, fact) => [of_session(*id, fact, state), None],
        Fact::Gate(_, fact) => [of_gate(fact), None],
        Fact::Docket(_, fact) => [of_docket(fact), None],
        Fact::Conductor(_) => [None, None],
    }
}

fn of_mission(fact: &MissionFact) -> Option<What> {
    match fact {
        MissionFact::Opened(_) => Some(What::Scroll),
        MissionFact::Completed { .. } | MissionFact::Sketched { .. } => Some(What::Completed),
        MissionFact::Failed { .. } => Some(What::Failed),
        MissionFact::Cancelled { .. } => Some(What::Cancelled),
        MissionFact::Exhausted { .. } => Some(What::Exhausted),
        MissionFact::Consented { .. } => Some(What::Decided),
        MissionFact::Woken { .. }
        | MissionFact::Attended(_)
        | MissionFact::Settled { .. }
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
        DocketFact::Raised { .. } => Some(What::Asked),
        DocketFact::Decided { .. } => Some(What::Decided),
        DocketFact::Void { .. }
        | DocketFact::Withdrawn { .. }
        | DocketFact::Closed { .. }
        | DocketFact::Late(_) => None,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "of all that a session does, the stage shows little")]
fn of_session(id: SessionId, fact: &SessionFact, state: &State) -> Option<What> {
    match fact {
        SessionFact::Summoned(profile) => Some(match profile.role {
            Role::Arbiter => What::Arrived(id),
            Role::Orchestrator | Role::Agent => What::Summoned(id),
            Role::Verifier => What::Inspects(id),
        }),
        SessionFact::Released
            if state.sessions.get(&id).is_some_and(|known| known.profile.role != Role::Arbiter) =>
        {
            Some(What::Released(id))
        }
        SessionFact::Asked { .. } => Some(What::Asked),
        SessionFact::Answered { .. } => Some(What::Decided),
        SessionFact::Waits(wait) if wait.kind == WaitKind::Limit => Some(What::Limited(id)),
        _ => None,
    }
}
