//! The laws that must hold after every event, at every effect, and after every crash. A breach panics; the
//! runner names the seed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mind::actor::Actor;
use mind::effect::{MissionEffect, SessionCommand};
use mind::event::{AgentEvent, DocketEvent, HumanAction};
use mind::fact::{
    DocketFact, GateFact, HaltCause, LifeFact, MissionFact, SessionFact, TalkFact, TurnFact, WorkFact,
};
use mind::mission_petition::Outcome;
use mind::petition::{PetitionSubject, subject};
use mind::session::{CloneTree, Role, Session, Wait, WaitKind};
use mind::state::Ended;
use mind::state::Step;
use mind::talk::{Asks, Delivery, Proof, Verdict};
use mind::{
    Address, Effect, Entry, Event, Fact, MessageId, SessionId, State, Timestamp, TurnId, WaitingOn, limits,
};

use super::bounds;
use super::course;
use super::performed::Performed;
use super::permission::only_a_person_lets_a_tool_run;
use super::standstill;
use super::usage;

/// What the laws remember of the world.
#[derive(Debug, Default)]
pub(super) struct Laws {
    /// Bodies that a sync confirmed.
    acked: Vec<String>,
    /// So many of them by a disk that did not lie.
    sworn: usize,
    /// The state that they add up to.
    confirmed: State,
    /// Appended, but not confirmed, and the state with it.
    pending: Option<(Vec<String>, State)>,
    /// The disk lied about a sync since the last fall.
    lied: bool,
    /// The disk's lie has cost something: what was lost is excused.
    pub(super) robbed: bool,
    pub(super) performed: Performed,
}

impl Laws {
    pub(super) fn appending(&mut self, bodies: &[String], state: &State) {
        self.pending = Some((bodies.to_vec(), state.clone()));
    }

    /// The write failed as a whole: nothing of it may ever be seen.
    pub(super) fn append_failed(&mut self) {
        self.pending = None;
    }

    pub(super) fn synced(&mut self, lying: bool) {
        if let Some((bodies, state)) = self.pending.take() {
            self.acked.extend(bodies);
            self.confirmed = state;
        }
        if lying {
            self.lied = true;
        } else {
            self.sworn = self.acked.len();
        }
    }

    /// The journal was opened again and adds up to `state`. Says whether a lie of the disk came to light.
    pub(super) fn reopened(&mut self, bodies: Vec<String>, state: &State) -> bool {
        let (lied, pending) = (std::mem::take(&mut self.lied), self.pending.take());
        if bodies == self.acked {
            assert_eq!(state, &self.confirmed, "replay differs from what was synced");
            self.sworn = self.acked.len();
            return false;
        }
        let mut whole = self.acked.clone();
        let with_pending = pending.map(|(more, with)| {
            whole.extend(more);
            with
        });
        if bodies == whole {
            assert_eq!(Some(state), with_pending.as_ref(), "replay differs from what was appended");
        } else {
            assert!(lied, "of {} synced facts {} are there", self.acked.len(), bodies.len());
            assert!(bodies.len() >= self.sworn, "facts are lost that an honest sync confirmed");
            assert!(whole.starts_with(&bodies), "the journal tells another story");
            self.robbed = true;
            self.performed = Performed::default();
        }
        let robbed = bodies.len() < self.acked.len();
        self.acked = bodies;
        self.sworn = self.acked.len();
        self.confirmed = state.clone();
        robbed
    }

    pub(super) fn is_confirmed(&self, state: &State) -> bool {
        &self.confirmed == state
    }

    pub(super) fn facts(&self) -> usize {
        self.acked.len()
    }

    /// A turn begins only where none is in flight, and never in a pause.
    pub(super) fn before_fact(state: &State, fact: &Fact) {
        let Fact::Session(id, fact) = fact else { return };
        if let SessionFact::Turn(TurnFact::Prompted { .. })
        | SessionFact::Turn(TurnFact::InterjectionBecameTurn { .. }) = fact
        {
            let busy = state.sessions.get(id).is_some_and(|session| session.turns.current.is_some());
            assert!(!busy, "a second turn in flight for {id}");
        }
        if let SessionFact::Turn(TurnFact::Prompted { .. }) = fact {
            assert!(!state.paused, "a turn begins in a pause");
        }
    }

    /// What must hold after every event.
    pub(super) fn after_event(before: &State, state: &State, event: &Event, step: &Step, now: Timestamp) {
        assert!(!step.facts.is_empty() || !step.effects.is_empty(), "no fact and no effect: {event:?}");
        let raised = matches!((&before.ended, event), (Some(Ended::Exhausted(_)), Event::LimitsSet(_)));
        let over = before.ended.is_some() && !raised;
        let is_usage = step.facts.iter().all(usage::is_booking);
        assert!(!over || is_usage, "it changed a mission that is over");
        assert!(!state.is_stuck(), "no step is next");
        every_wait_has_a_deadline(state);
        no_turn_passes_its_agents_limit(state);
        no_worker_is_forgotten(state);
        consent_is_a_yes_to_the_question(before, event, step);
        judgement_is_the_last_verifiers(before, state, step);
        only_a_person_lets_a_tool_run(before, event, step);
        decisions_count_once(before, event, step);
        course::after_event(before, state, step);
        usage::after_event(before, state, event);
        bounds::after_event(state, event, now);
        let workers = state.live_sessions().filter(|session| session.is_worker()).count();
        assert!(workers <= 1, "{workers} workers at once");
        // A limit may be due by now, whoever speaks: the word of a session that never was has the same effect.
        let is_due = || {
            let nobody = Address { session: SessionId(u32::MAX), incarnation: 1 };
            before.decide(Event::Agent(nobody, AgentEvent::Stirred), now).facts == step.facts
        };
        match event {
            Event::Agent(address, _) => {
                let lives = before.live_sessions().any(|session| session.address() == *address);
                // What it used was paid for, also where it is told late.
                let books = step.facts.first().is_some_and(usage::is_booking);
                assert!(
                    lives || step.facts.is_empty() || books || is_due(),
                    "a dead one was believed: {event:?}"
                );
            }
            Event::Human(human) => {
                let again = before.received.contains(&human.inbox_id);
                assert!(!again || step.facts.is_empty() || is_due(), "a letter counts twice: {event:?}");
                let gone = step.effects.contains(&Effect::Mission(MissionEffect::RemoveFromInbox {
                    inbox_id: human.inbox_id.clone(),
                }));
                assert_eq!(gone, state.received.contains(&human.inbox_id), "a letter goes astray: {event:?}");
            }
            Event::Started => waits_outlive_a_start(before, state),
            Event::Opened(_)
            | Event::LimitsSet(_)
            | Event::Workshop(_)
            | Event::Conductor(_)
            | Event::Alarm
            | Event::Attended(_)
            | Event::Docket(..) => {}
        }
        if let Some(question) = state.question {
            assert!(state.message(question).is_some(), "the human is asked what was never said");
        }
        if state.ended.is_none() {
            let wake = state.on_start();
            assert_eq!(in_flight(state), delivered(&wake), "what is owed differs from what is in flight");
            for turn in delivered(&step.effects) {
                assert!(in_flight(state).contains(&turn), "{turn:?} is delivered but not in flight");
            }
            words_are_heard_or_on_their_way(state);
        }
    }

    /// One that waits for its next life may still be heard; its next life has to say it anew.
    pub(super) fn every_life_waits_by_its_own_word(state: &State, said: impl Fn(Address) -> bool) {
        let waiting =
            state.live_sessions().filter(|session| session.awaits_human && session.health.wait.is_none());
        for address in waiting.map(Session::address) {
            assert!(said(address), "a life is not watched for what an earlier one said: {address}");
        }
    }

    /// Reads the journal alone, at the end: letters and answers count once, and the end is earned.
    pub(super) fn judge(&self, state: &State) {
        let entries = self.acked.iter().map(|body| {
            let entry: Entry = serde_json::from_str(body).unwrap_or_else(|e| panic!("{body}: {e}"));
            entry
        });
        let entries: Vec<Entry> = entries.collect();
        tries_take_longer_and_longer(&entries, state);
        bounds::limits_end_and_raises_go_on(&entries, state);
        let entries: Vec<Fact> = entries.into_iter().map(|entry| entry.fact).collect();
        usage::cost_is_the_sum_of_reports(&entries, state);
        standstill::turns_without_news_are_bounded(&entries, state);
        let (mut letters, mut answered) = (BTreeSet::new(), BTreeSet::new());
        for fact in &entries {
            if let Fact::Talk(TalkFact::Received { inbox_id }) = fact {
                assert!(letters.insert(inbox_id.clone()), "{inbox_id} is taken twice");
            }
            if let Fact::Mission(MissionFact::Consented { question: Some(question), .. }) = fact {
                assert!(answered.insert(*question), "{question} is answered twice");
            }
        }
        match &state.ended {
            Some(Ended::Completed(proof)) => {
                assert!(state.unheard.is_empty(), "completed over the human's words");
                match state.conductor {
                    Some(_) => course::completion_is_earned(&entries, *proof, state),
                    None => completion_is_earned(&entries, *proof, state),
                }
            }
            Some(Ended::Cancelled(_) | Ended::Failed(_) | Ended::Exhausted(_) | Ended::PlanOnly { .. })
            | None => course::end_is_told(state),
        }
    }
}

/// The owner of the next step is waited for until some time, unless it is a person.
fn every_wait_has_a_deadline(state: &State) {
    let WaitingOn::Session(id) = state.waiting_on() else { return };
    let by_person =
        state.sessions.get(&id).is_some_and(|session| session.awaits_person() || session.wants_login());
    assert!(by_person || state.paused || state.deadline().is_some(), "{id} is waited for without end");
}

/// A verifier's word is void with every new worker, and the verifier cannot take a fail back.
fn judgement_is_the_last_verifiers(before: &State, state: &State, step: &Step) {
    let word = |state: &State| state.judgement.as_ref().map(|judgement| judgement.verdict);
    let mut judged = word(before);
    for fact in &step.facts {
        match fact {
            Fact::Session(_, SessionFact::Life(LifeFact::Summoned(profile)))
                if profile.role != Role::Arbiter =>
            {
                judged = None;
            }
            Fact::Session(_, SessionFact::Work(WorkFact::Judged { verdict, .. }))
                if judged != Some(Verdict::Fail) =>
            {
                judged = Some(*verdict);
            }
            Fact::Mission(_)
            | Fact::Talk(_)
            | Fact::Session(..)
            | Fact::Gate(..)
            | Fact::Docket(..)
            | Fact::Conductor(_) => {}
        }
    }
    assert_eq!(word(state), judged, "the judgement that stands is not the last verifier's");
}

/// A new start is no reason to try earlier than at the time that was named.
fn waits_outlive_a_start(before: &State, state: &State) {
    for session in before.live_sessions() {
        let outlives = |wait: &&Wait| match wait.kind {
            WaitKind::Backoff | WaitKind::Limit => true,
            // A start is what a person does who mended it.
            WaitKind::Login => before.paused && session.turns.current.is_some(),
            WaitKind::Revival => false,
        };
        let Some(wait) = session.health.wait.as_ref().filter(outlives) else { continue };
        let now =
            state.sessions.get(&session.profile.session).and_then(|session| session.health.wait.as_ref());
        assert_eq!(now, Some(wait), "a start forgot what was waited for");
    }
}

/// Only a plain yes, written after the question for alignment and while it stood, is a person's consent.
fn consent_is_a_yes_to_the_question(before: &State, event: &Event, step: &Step) {
    let by_person = step.facts.iter().find_map(|fact| {
        let Fact::Mission(MissionFact::Consented { by: Actor::Human { .. }, question }) = fact else {
            return None;
        };
        Some(*question)
    });
    let Some(answered) = by_person else { return };
    let (text, written) = match (event, said_in_docket(before, event)) {
        (_, Some(said)) => said,
        (Event::Human(human), None) => {
            let (HumanAction::Say(text) | HumanAction::SayToOrchestrator(text)) = &human.action else {
                panic!("no words: {event:?}")
            };
            (text.clone(), human.written)
        }
        (_, None) => panic!("no person spoke, and yet there is a consent: {event:?}"),
    };
    assert!(["yes", "Yes.", "go ahead"].contains(&text.as_ref()), "{text:?} was taken for a yes");
    let asked = before.question.and_then(|id| before.message(id)).filter(|asked| asked.at <= written);
    let asked = asked.filter(|asked| asked.asks == Some(Asks::Alignment)).map(|asked| asked.id);
    assert!(asked.is_some() && asked == answered, "a yes to what was not asked: {event:?}");
}

/// What a person answered in the docket to the question that stands.
fn said_in_docket(before: &State, event: &Event) -> Option<(Arc<str>, Timestamp)> {
    let Event::Docket(id, DocketEvent::Decided { answers }) = event else { return None };
    let raised = before.petitions.get(id)?;
    assert_eq!(
        before.question.map(PetitionSubject::Question),
        Some(raised.subject),
        "{id} is about something else"
    );
    let answer = answers.iter().find(|answer| &*answer.decision == subject::ALIGN)?;
    Some((Arc::from(answer.choice.text()), answer.at))
}

/// What was decided in the docket counts once, and at once; what was decided is not asked again.
fn decisions_count_once(before: &State, event: &Event, step: &Step) {
    let outcome = |id| before.petitions.get(id).and_then(|raised| raised.outcome.as_ref());
    for fact in &step.facts {
        let Fact::Docket(id, fact) = fact else { continue };
        match fact {
            DocketFact::Asked { subject, .. } => {
                assert!(!before.petitions.contains_key(id), "{id} is raised twice");
                let decided = |raised: &Arc<mind::mission_petition::MissionPetition>| {
                    raised.subject == *subject && matches!(raised.outcome, Some(Outcome::Decided { .. }))
                };
                let again =
                    before.petitions.values().any(decided) && !matches!(subject, PetitionSubject::Session(_));
                assert!(!again, "{subject:?} was decided, and is asked again");
            }
            DocketFact::Decided { .. }
            | DocketFact::Void { .. }
            | DocketFact::Withdrawn { .. }
            | DocketFact::Closed { .. } => assert_eq!(outcome(id), None, "{id} ends twice: {event:?}"),
            DocketFact::Late(_) => assert!(outcome(id).is_some(), "{id} is open: {event:?}"),
        }
    }
    if let Event::Docket(id, DocketEvent::Decided { .. }) = event
        && before.ended.is_none()
        && before.petitions.contains_key(id)
        && outcome(id).is_none()
    {
        let taken = step.facts.iter().any(|fact| {
            matches!(fact, Fact::Docket(of, DocketFact::Decided { .. } | DocketFact::Void { .. }) if of == id)
        });
        assert!(taken, "an answer to {id} is lost");
    }
}

/// A worker that rests without having been told to go on waits for an answer, and the Arbiter knows it.
fn no_worker_is_forgotten(state: &State) {
    if state.paused || state.ended.is_some() || state.halted.is_some() {
        return;
    }
    let Some(worker) = state.worker() else { return };
    let owed = worker.turns.current.is_some()
        || worker.work.awaits_reply
        || worker.is_called()
        || worker.health.wait.is_some();
    let rests = worker.waits_for_petition.as_ref().is_some_and(|petition| state.is_open(petition));
    assert!(
        owed || rests || !worker.turns.steered.is_empty(),
        "a worker rests and the Arbiter does not know"
    );
}

/// A turn of a summoned agent is stopped when it has called more tools than its agent may.
fn no_turn_passes_its_agents_limit(state: &State) {
    let (Some(charter), Some(worker)) = (&state.charter, state.worker()) else { return };
    // Behind a limit of the mission the turn that runs is the handoff that was asked for.
    let watches = state.ended.is_none() && state.closing.is_none();
    let Some(turn) = worker.turns.current.as_ref().filter(|_| watches) else { return };
    let Some(casting) = &worker.profile.casting else { return };
    let agent = charter.agents.iter().find(|agent| agent.name == casting.name);
    let Some(most) = agent.and_then(|agent| agent.limits.max_tool_calls) else { return };
    // What waits for its next try has no process that could be stopped.
    let (calls, stopped) = (turn.calls, turn.interrupted_by.is_some() || worker.health.wait.is_some());
    assert!(calls <= most || stopped, "a turn of {} calls {calls} tools, of {most}", casting.name);
}

fn in_flight(state: &State) -> Vec<(Address, TurnId)> {
    let parked =
        |session: &&Session| session.health.wait.as_ref().is_some_and(|wait| wait.kind != WaitKind::Revival);
    let sessions = state.live_sessions().filter(|session| !parked(session));
    sessions.filter_map(|session| Some((session.address(), session.turns.current.as_ref()?.id))).collect()
}

fn delivered(effects: &[Effect]) -> Vec<(Address, TurnId)> {
    let deliveries = effects.iter().filter_map(|effect| {
        let Effect::Session(address, SessionCommand::Deliver { turn, .. }) = effect else { return None };
        Some((*address, *turn))
    });
    deliveries.collect()
}

/// Each message of the human is heard, or some session that lives has it before it, or there is no Arbiter yet.
fn words_are_heard_or_on_their_way(state: &State) {
    let heard =
        |id: &MessageId| state.message(*id).is_some_and(|message| message.delivery == Some(Delivery::Heard));
    for id in &state.unheard {
        assert!(!heard(id), "{id} is heard and is not");
        let carried = state.live_sessions().any(|session| session.unheard_words().contains(id));
        assert!(carried || state.arbiter().is_none(), "the human's words {id} are lost");
    }
    let unheard = state
        .talk
        .iter()
        .filter(|message| message.delivery.is_some_and(|delivery| delivery != Delivery::Heard));
    assert_eq!(unheard.count(), state.unheard.len(), "words of the human are neither heard nor unheard");
}

/// From one completed turn of a session to the next, each further error or death is waited for longer, and there are
/// only so many deaths.
fn tries_take_longer_and_longer(entries: &[Entry], state: &State) {
    let patience_ms = state.charter.as_ref().map_or(u64::MAX, |charter| charter.patience.silence_ms);
    let mut gone_wrong: BTreeMap<SessionId, (u32, usize)> = BTreeMap::new();
    let mut machine_failed = false;
    for Entry { at, fact } in entries {
        machine_failed |=
            matches!(fact, Fact::Mission(MissionFact::Halted { cause: HaltCause::Workspace, .. }));
        let restarted = matches!(fact, Fact::Mission(MissionFact::Restarted { .. }));
        if restarted && std::mem::take(&mut machine_failed) {
            // A person has mended the machine.
            gone_wrong.values_mut().for_each(|(_, deaths)| *deaths = 0);
        }
        let Fact::Session(id, fact) = fact else { continue };
        let (failures, deaths) = gone_wrong.entry(*id).or_default();
        if let SessionFact::Turn(TurnFact::Rested { interrupted: false, .. }) = fact {
            (*failures, *deaths) = (0, 0);
        }
        let SessionFact::Life(LifeFact::Waits(wait)) = fact else { continue };
        let least = match wait.kind {
            WaitKind::Revival => {
                let Some(after) = limits::REVIVALS_MS.get(*deaths) else {
                    panic!("{id} is taken up again without end")
                };
                *deaths += 1;
                patience_ms.min(*after)
            }
            WaitKind::Backoff if *failures < limits::BACKOFFS_MAX => {
                (limits::BACKOFF_MS << *failures).min(limits::BACKOFF_MS_MAX)
            }
            WaitKind::Backoff => limits::PROBES_MS[0],
            WaitKind::Limit => limits::BACKOFF_MS,
            // No time ends it.
            WaitKind::Login => 0,
        };
        *failures += u32::from(wait.kind != WaitKind::Revival);
        assert!(wait.until.0 - at.0 >= least, "{id} is tried again too soon");
    }
}

/// What stood when the mission was called complete?
fn completion_is_earned(facts: &[Fact], proof: Proof, state: &State) {
    let mut judged: Option<(Verdict, Option<Arc<str>>)> = None;
    let mut surveyed: Option<CloneTree> = None;
    let (mut brought, mut passed) = (None, Vec::new());
    for fact in facts {
        match fact {
            Fact::Gate(_, GateFact::Claimed { .. }) => {
                (surveyed, brought) = (None, None);
                passed.clear();
            }
            Fact::Gate(_, GateFact::Surveyed(tree)) => surveyed = Some(tree.clone()),
            Fact::Gate(_, GateFact::Brought { commit }) => brought = Some(commit.clone()),
            Fact::Gate(_, GateFact::Receipt { index, receipt }) => {
                if receipt.passed() {
                    passed.push((*index, receipt.argv.clone(), receipt.commit.clone()));
                }
            }
            Fact::Gate(_, GateFact::Refused { .. }) => surveyed = None,
            Fact::Session(_, SessionFact::Life(LifeFact::Summoned(profile)))
                if profile.role != Role::Arbiter =>
            {
                judged = None
            }
            Fact::Session(_, SessionFact::Work(WorkFact::Judged { verdict, commit, .. })) => {
                // A fail sticks until another verifier comes.
                if !matches!(judged, Some((Verdict::Fail, _))) {
                    judged = Some((*verdict, commit.clone()));
                }
            }
            Fact::Mission(_) | Fact::Talk(_) | Fact::Session(..) | Fact::Docket(..) | Fact::Conductor(_) => {}
        }
    }
    let Some(tree) = surveyed else { panic!("completed without a survey") };
    assert!(!tree.dirty, "completed on uncommitted work");
    assert_eq!(brought.as_ref(), Some(&tree.commit), "completed without the work");
    assert_eq!(judged, Some((Verdict::Pass, Some(tree.commit.clone()))), "completed without a pass");
    let checks = state.charter.as_ref().map_or(&[][..], |charter| &charter.checks[..]);
    let wanted: Vec<_> =
        (0..).zip(checks).map(|(at, argv)| (at, argv.clone(), tree.commit.clone())).collect();
    assert_eq!(passed, wanted, "completed without every receipt");
    assert_eq!(proof == Proof::Proven, !checks.is_empty(), "the proof is another");
}
