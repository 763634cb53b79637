//! Who is on the stage, and what they do there, from the facts and from what happened a moment ago. Nothing of it says
//! where they stand or how they are drawn.

use mind::SessionId;
use mind::charter::Way;
use mind::petition::PetitionSubject;
use mind::session::{Role, Session, WaitKind};
use mind::state::Ended;

use super::limits::{DEMONS_MAX, LEAVE_MS, NAME_CHARS_MAX, SCROLL_MS, SEALS_MAX};
use super::moment::Moment;
use crate::draw::clockwork;
use crate::manner::Character;
use crate::view_model::{Attachment, ViewModel};

/// The stage at one moment. Beats do not change it: they only move what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// What the Arbiter does.
    pub arbiter: Arbiter,
    /// It is a conductor, not the Arbiter, who stands there.
    pub conducted: bool,
    /// As whom the human is shown.
    pub character: Character,
    /// What the human does.
    pub human: Human,
    /// A session is at work: fire and cauldron are awake.
    pub boils: bool,
    /// The newest of those who were summoned and stand together, the newest last.
    pub demons: Vec<Demon>,
    pub crowd: usize,
    pub scroll: ScrollPlace,
    /// A receipt is held up: it says whether the check passed.
    pub receipt: Option<bool>,
    /// A claim was turned back a moment ago.
    pub turned_back: bool,
    /// The newest receipts, the newest last.
    pub seals: Vec<bool>,
    /// Checks that passed, and that did not.
    pub checks: (u32, u32),
    /// No further turn begins.
    pub paused: bool,
    pub ending: Option<SceneEnding>,
    /// Something is to be seen for a moment only.
    pub passing: bool,
}

/// What the Arbiter does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arbiter {
    Rests,
    /// A turn of its own runs.
    Thinks,
    /// It spoke a moment ago.
    Speaks,
    /// It reads in its book what a worker does.
    Reads,
    /// It sleeps until a limit is lifted.
    Sleeps,
}

/// What the human does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Human {
    Looks,
    /// Spoke a moment ago.
    Speaks,
    /// Is wanted: so many decisions wait.
    Wanted(usize),
    /// Is glad of the end.
    Cheers,
    /// Is sad of it.
    Mourns,
}

/// A session that was summoned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demon {
    /// Which session it is.
    pub session: SessionId,
    /// What it is called.
    pub name: String,
    /// Which of its skins it wears: an agent that comes again is known again.
    pub skin: usize,
    /// It judges and changes nothing.
    pub verifier: bool,
    /// What it does.
    pub pose: Pose,
}

/// What a demon does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pose {
    /// A tool of its runs.
    Works,
    /// Its turn runs.
    Thinks,
    /// It spoke a moment ago.
    Speaks,
    /// No turn of its runs, or the turn is put off.
    Waits,
    /// It waits for the human.
    Asks,
    /// It sleeps until a limit is lifted.
    Sleeps,
    /// It was released, and a successor stands beside it.
    Spent,
    /// It is dismissed: how far it has gone, from 0 to 2.
    Leaves(u8),
}

/// Where the requirements are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScrollPlace {
    /// In the air: how far they came, of a hundred.
    Comes(u8),
    /// By the Arbiter.
    Lies,
    /// The human came without any.
    Nowhere,
}

/// How a mission ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SceneEnding {
    /// Done and verified.
    Done,
    /// Only a plan was wanted, and it is made.
    Planned,
    /// The same, but its maker is not sure of it.
    Unsure,
    /// It cannot be done.
    Failed,
    Cancelled,
    /// A limit of the mission was reached.
    Exhausted,
}

impl Scene {
    /// What is on the stage; nothing before the mission is opened.
    pub fn of(model: &ViewModel<'_>) -> Option<Scene> {
        let state = model.state;
        let charter = state.charter.as_ref()?;
        let moment = Moment::of(model);
        let (demons, crowd) = demons(model, &moment);
        let asked = state.conductor.as_ref().is_some_and(|conductor| conductor.asking.is_some());
        let turns = state.live_sessions().any(is_at_it);
        let checks = model.stage_events.until(model.head).last().map_or((0, 0), |event| event.checks);
        let newest = state.receipts.len().saturating_sub(SEALS_MAX);
        Some(Scene {
            arbiter: arbiter(model, &moment),
            conducted: state.way() == Way::Conductor,
            character: model.manner.character,
            human: human(model, &moment),
            boils: state.ended.is_none() && state.halted.is_none() && is_run(model) && (turns || asked),
            demons,
            crowd,
            scroll: match moment.scroll {
                Some(age) if state.ended.is_none() => ScrollPlace::Comes(moment.part(age, SCROLL_MS)),
                Some(_) | None if charter.scroll.is_brought() => ScrollPlace::Lies,
                Some(_) | None => ScrollPlace::Nowhere,
            },
            receipt: moment.receipt,
            turned_back: moment.turned_back,
            seals: state.receipts.iter().skip(newest).map(|receipt| receipt.passed()).collect(),
            checks,
            paused: state.paused && state.ended.is_none(),
            ending: state.ended.as_ref().map(ending),
            passing: moment.passing,
        })
    }
}

fn arbiter(model: &ViewModel<'_>, moment: &Moment) -> Arbiter {
    let state = model.state;
    if state.ended.is_some() {
        return if moment.arbiter_spoke { Arbiter::Speaks } else { Arbiter::Rests };
    }
    let worked = state.live_sessions().any(|session| session.profile.role != Role::Arbiter);
    let own = state.arbiter();
    match own {
        Some(session) if sleeps(session) => Arbiter::Sleeps,
        _ if moment.arbiter_spoke => Arbiter::Speaks,
        _ if worked => Arbiter::Reads,
        Some(session) if is_at_it(session) && is_run(model) => Arbiter::Thinks,
        None if state.conductor.as_ref().is_some_and(|conductor| conductor.asking.is_some()) => {
            Arbiter::Thinks
        }
        Some(_) | None => Arbiter::Rests,
    }
}

fn human(model: &ViewModel<'_>, moment: &Moment) -> Human {
    match model.state.ended.as_ref().map(ending) {
        Some(SceneEnding::Done | SceneEnding::Planned) => return Human::Cheers,
        Some(SceneEnding::Unsure) => return Human::Looks,
        Some(SceneEnding::Failed | SceneEnding::Cancelled | SceneEnding::Exhausted) => return Human::Mourns,
        None => {}
    }
    match clockwork::waiting_here(model) + asked_then(model) {
        0 if moment.human_spoke => Human::Speaks,
        0 => Human::Looks,
        count => Human::Wanted(count),
    }
}

/// The docket has no past; what the mission's own agents asked there is told by facts.
fn asked_then(model: &ViewModel<'_>) -> usize {
    if passes(model) {
        return 0;
    }
    let asked = model.state.open_petitions().map(|(_, raised)| raised.subject);
    asked.filter(|subject| matches!(subject, PetitionSubject::Session(_))).count()
}

/// Those who stand together now, as far as they are told apart, and how many they are.
fn demons(model: &ViewModel<'_>, moment: &Moment) -> (Vec<Demon>, usize) {
    let state = model.state;
    let events = model.stage_events.until(model.head);
    let Some((band, crowd)) =
        events.last().map(|event| (event.band, event.crowd)).filter(|(_, crowd)| *crowd > 0)
    else {
        return (Vec::new(), 0);
    };
    // They go when the last of them is released, or with the mission.
    let stands = state.live_sessions().any(|session| session.profile.role != Role::Arbiter);
    let gone = if stands { None } else { moment.released };
    let left = match state.ended {
        Some(_) if stands => moment.ended,
        // Where the end stands there is no smoke.
        Some(_) => None,
        None => gone,
    };
    let leaves = left.map(|at| model.now.0.saturating_sub(at.0)).filter(|age| *age < LEAVE_MS);
    if leaves.is_none() && (!stands || state.ended.is_some()) {
        return (Vec::new(), 0);
    }
    let step = leaves.map(|age| if moment.reduced { 1 } else { (age * 3 / LEAVE_MS) as u8 });
    let crowd = crowd as usize;
    let since = state.sessions.range(band..).rev().map(|(_, session)| session.as_ref());
    let newest = since.filter(|session| session.profile.role != Role::Arbiter);
    let demon = |session: &Session| Demon {
        session: session.profile.session,
        name: mind::limits::cut(&session.profile.speaker().to_string(), NAME_CHARS_MAX),
        skin: skin(session),
        verifier: session.profile.role == Role::Verifier,
        pose: step.map_or_else(|| pose(session, moment), Pose::Leaves),
    };
    let mut demons: Vec<Demon> = newest.take(crowd.min(DEMONS_MAX)).map(demon).collect();
    demons.reverse();
    (demons, crowd)
}

fn skin(session: &Session) -> usize {
    match session.profile.role {
        Role::Agent => session.profile.agent().bytes().map(usize::from).sum(),
        Role::Arbiter | Role::Orchestrator | Role::Verifier => session.profile.session.0 as usize,
    }
}

fn pose(session: &Session, moment: &Moment) -> Pose {
    if !session.live {
        Pose::Spent
    } else if sleeps(session) {
        Pose::Sleeps
    } else if session.awaits_person() {
        Pose::Asks
    } else if moment.worker_spoke {
        Pose::Speaks
    } else if !is_at_it(session) {
        Pose::Waits
    } else if session.tool_use.running.is_empty() {
        Pose::Thinks
    } else {
        Pose::Works
    }
}

/// Its turn runs, and is not put off: after an error, a death or a limit nothing happens until the wait is over, and before a
/// person's word nothing does either.
fn is_at_it(session: &Session) -> bool {
    session.turns.current.is_some() && session.health.wait.is_none() && !session.awaits_person()
}

fn sleeps(session: &Session) -> bool {
    session.health.wait.as_ref().is_some_and(|wait| wait.kind == WaitKind::Limit)
}

fn ending(ended: &Ended) -> SceneEnding {
    match ended {
        Ended::Completed(_) => SceneEnding::Done,
        Ended::PlanOnly { confident: true } => SceneEnding::Planned,
        Ended::PlanOnly { confident: false } => SceneEnding::Unsure,
        Ended::Failed(_) => SceneEnding::Failed,
        Ended::Cancelled(_) => SceneEnding::Cancelled,
        Ended::Exhausted(_) => SceneEnding::Exhausted,
    }
}

/// A process runs the mission, or did at the time that is shown.
fn is_run(model: &ViewModel<'_>) -> bool {
    model.runs || !passes(model)
}

/// Time goes on by itself: not in the past.
pub(super) fn passes(model: &ViewModel<'_>) -> bool {
    !model.is_past() && model.seat != Attachment::Replay
}
