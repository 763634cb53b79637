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
        let Some(what) = read(&entry.fact, state) else { return };
        let band = self.band(what, entry.at, before);
        self.cues.push(Cue { seq, at: entry.at, what, band });
    }

    /// What had happened after `head` facts.
    pub fn until(&self, head: u64) -> &[Cue] {
        &self.cues[..self.cues.partition_point(|cue| cue.seq <= head)]
    }

    /// Where the band begins that stands after `what`. One that is released to make room for its successor stays in it.
    fn band(&self, what: What, at: Timestamp, before: &State) -> SessionId {
        let last = self.cues.last();
        let band = last.map_or(SessionId(0), |cue| cue.band);
        let (What::Summoned(session) | What::Inspects(session)) = what else { return band };
        let succeeds = last.is_some_and(|cue| cue.at == at && matches!(cue.what, What::Released(_)));
        let stand = before.live_sessions().any(|session| session.profile.role != Role::Arbiter);
        if succeeds || stand { band } else { session }
    }
}

fn read(fact: &Fact, state: &State) -> Option<What> {
    match fact {
        Fact::Mission(fact) => match fact {
            MissionFact::Opened(_) => Some(What::Scroll),
            MissionFact::Completed { .. } => Some(What::Completed),
            MissionFact::Failed { .. } => Some(What::Failed),
            MissionFact::Cancelled { .. } => Some(What::Cancelled),
            MissionFact::Exhausted { .. } => Some(What::Exhausted),
            MissionFact::Sketched { .. } => Some(What::Completed),
            MissionFact::Consented { .. } => Some(What::Decided),
            MissionFact::Woken { .. }
            | MissionFact::Attended(_)
            | MissionFact::Settled { .. }
            | MissionFact::Paused { .. }
            | MissionFact::Resumed { .. }
            | MissionFact::TurnedBack { .. }
            | MissionFact::AskedOnceMore { .. }
            | MissionFact::Halted { .. } => None,
        },
        Fact::Talk(TalkFact::Said { from, asks, decisions, .. }) => Some(match from {
            _ if asks.is_some() || !decisions.is_empty() => What::Asked,
            Speaker::Human(_) => What::HumanSpoke,
            Speaker::Arbiter => What::ArbiterSpoke,
            Speaker::Orchestrator(_) | Speaker::Agent(_) => What::WorkerSpoke,
            Speaker::House => return None,
        }),
        Fact::Talk(TalkFact::Taken { .. } | TalkFact::Posted { .. }) => None,
        Fact::Session(id, fact) => of_session(*id, fact, state),
        Fact::Gate(_, GateFact::Receipt { receipt, .. }) => Some(What::Receipt { passed: receipt.passed() }),
        Fact::Gate(_, GateFact::Refused { .. }) => Some(What::TurnedBack),
        Fact::Gate(_, GateFact::Claimed { .. } | GateFact::Surveyed(_) | GateFact::Brought { .. }) => None,
        Fact::Docket(_, DocketFact::Raised { .. }) => Some(What::Asked),
        Fact::Docket(_, DocketFact::Decided { .. }) => Some(What::Decided),
        Fact::Docket(
            _,
            DocketFact::Void { .. }
            | DocketFact::Withdrawn { .. }
            | DocketFact::Closed { .. }
            | DocketFact::Late(_),
        ) => None,
        Fact::Conductor(_) => None,
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
