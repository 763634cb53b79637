//! What must hold after every event, at every effect, and after every fall. A breach panics; the runner names the seed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mind::fact::{GateFact, MissionFact, SessionFact, TalkFact};
use mind::session::{Role, Session, Tree, WaitKind};
use mind::state::Ended;
use mind::state::Step;
use mind::talk::{Delivery, Proof, Verdict};
use mind::{Address, Effect, Entry, Event, Fact, MessageId, Owner, SessionId, State, TurnId};

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
    performed: Performed,
}

/// What effects were performed under which ids.
#[derive(Debug, Default)]
struct Performed {
    texts: BTreeMap<TurnId, (SessionId, String, Arc<str>)>,
    lives: BTreeSet<Address>,
    checks: BTreeMap<(u32, u32), (Vec<String>, Arc<str>)>,
    brought: BTreeMap<u32, Arc<str>>,
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
        if let SessionFact::Prompted { .. } | SessionFact::Overtaken { .. } = fact {
            let busy = state.sessions.get(id).is_some_and(|session| session.turn.is_some());
            assert!(!busy, "a second turn in flight for {id}");
        }
        if let SessionFact::Prompted { .. } = fact {
            assert!(!state.paused, "a turn begins in a pause");
        }
    }

    /// What must hold after every event.
    pub(super) fn after_event(before: &State, state: &State, event: &Event, step: &Step) {
        assert!(!step.facts.is_empty() || !step.effects.is_empty(), "no fact and no effect: {event:?}");
        assert!(before.ended.is_none() || step.facts.is_empty(), "it changed a mission that is over");
        assert!(!state.is_stuck(), "nobody's step is next");
        every_wait_has_a_deadline(state);
        no_worker_is_forgotten(state);
        let workers = state.live_sessions().filter(|session| session.is_worker()).count();
        assert!(workers <= 1, "{workers} workers at once");
        match event {
            Event::Agent(address, _) => {
                let lives = before.live_sessions().any(|session| session.address() == *address);
                assert!(lives || step.facts.is_empty(), "a dead one was believed: {event:?}");
            }
            Event::Human(human) => {
                let twice = before.letters.contains(&human.letter) && !step.facts.is_empty();
                assert!(!twice, "a letter counts twice: {event:?}");
                let gone = step.effects.contains(&Effect::Discard { letter: human.letter.clone() });
                assert_eq!(gone, state.letters.contains(&human.letter), "a letter goes astray: {event:?}");
            }
            Event::Opened(_) | Event::Started | Event::Workshop(_) | Event::Alarm => {}
        }
        for effect in &step.effects {
            if let Effect::Ask { message } = effect {
                assert_eq!(state.question, Some(*message), "the human is asked what nobody waits for");
            }
        }
        if state.ended.is_none() {
            let wake = state.wake();
            assert_eq!(in_flight(state), delivered(&wake), "what is owed differs from what is in flight");
            for turn in delivered(&step.effects) {
                assert!(in_flight(state).contains(&turn), "{turn:?} is delivered but not in flight");
            }
            words_are_heard_or_on_their_way(state);
        }
    }

    /// An effect may be performed twice, but then under the same ids and with the same content.
    pub(super) fn performing(&mut self, effect: &Effect, state: &State) {
        let performed = &mut self.performed;
        match effect {
            Effect::Spawn { address, .. } => {
                assert!(performed.lives.insert(*address), "{address} is started twice");
            }
            Effect::Deliver { address, turn, key, text } | Effect::Steer { address, turn, key, text } => {
                let now = (address.session, key.clone(), text.clone());
                let first = performed.texts.entry(*turn).or_insert_with(|| now.clone());
                assert_eq!(first, &now, "{turn} means two things");
            }
            Effect::Check { gate, index, argv, commit, .. } => {
                let now = (argv.clone(), commit.clone());
                let first = performed.checks.entry((gate.0, *index)).or_insert_with(|| now.clone());
                assert_eq!(first, &now, "check {index} of {gate} means two things");
            }
            Effect::Bring { gate, commit } => {
                let first = performed.brought.entry(gate.0).or_insert_with(|| commit.clone());
                assert_eq!(first, commit, "{gate} brings two commits");
            }
            Effect::Discard { letter } => {
                assert!(state.letters.contains(letter), "{letter} goes before it is a fact");
            }
            Effect::Settle
            | Effect::Warn { .. }
            | Effect::Interrupt { .. }
            | Effect::End { .. }
            | Effect::Survey { .. }
            | Effect::FetchBack
            | Effect::Abandon { .. }
            | Effect::Ask { .. }
            | Effect::Note { .. }
            | Effect::Leave(_) => {}
        }
    }

    /// Reads the journal alone, at the end: letters and answers count once, and the end is earned.
    pub(super) fn judge(&self, state: &State) {
        let entries = self.acked.iter().map(|body| {
            let entry: Entry = serde_json::from_str(body).unwrap_or_else(|e| panic!("{body}: {e}"));
            entry.fact
        });
        let entries: Vec<Fact> = entries.collect();
        let (mut letters, mut answered) = (BTreeSet::new(), BTreeSet::new());
        for fact in &entries {
            if let Fact::Talk(TalkFact::Taken { letter }) = fact {
                assert!(letters.insert(letter.clone()), "{letter} is taken twice");
            }
            if let Fact::Mission(MissionFact::Consented { question: Some(question), .. }) = fact {
                assert!(answered.insert(*question), "{question} is answered twice");
            }
        }
        match &state.ended {
            Some(Ended::Completed(proof)) => {
                assert!(state.unheard.is_empty(), "completed over the human's words");
                completion_is_earned(&entries, *proof, state);
            }
            Some(Ended::Cancelled(_)) | None => {}
        }
    }
}

/// Whoever owns the next step is waited for until some time, unless it is a person.
fn every_wait_has_a_deadline(state: &State) {
    let Owner::Session(id) = state.owner() else { return };
    let by_person = state.sessions.get(&id).is_some_and(|session| session.awaits_human);
    assert!(by_person || state.paused || state.deadline().is_some(), "{id} is waited for without end");
}

/// A worker that rests without having been told to go on waits for somebody's word, and the Arbiter knows it.
fn no_worker_is_forgotten(state: &State) {
    if state.paused || state.ended.is_some() || state.halted.is_some() {
        return;
    }
    let Some(worker) = state.worker() else { return };
    let owed = worker.turn.is_some() || worker.awaits_reply || worker.is_called() || worker.wait.is_some();
    assert!(owed || !worker.steered.is_empty(), "a worker rests and nobody knows");
}

fn in_flight(state: &State) -> Vec<(Address, TurnId)> {
    let parked =
        |session: &&Session| session.wait.as_ref().is_some_and(|wait| wait.kind != WaitKind::Revival);
    let sessions = state.live_sessions().filter(|session| !parked(session));
    sessions.filter_map(|session| Some((session.address(), session.turn.as_ref()?.id))).collect()
}

fn delivered(effects: &[Effect]) -> Vec<(Address, TurnId)> {
    let deliveries = effects.iter().filter_map(|effect| {
        let Effect::Deliver { address, turn, .. } = effect else { return None };
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

/// What stood when the mission was called complete?
fn completion_is_earned(facts: &[Fact], proof: Proof, state: &State) {
    let mut judged: Option<(Verdict, Option<Arc<str>>)> = None;
    let mut surveyed: Option<Tree> = None;
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
            Fact::Session(_, SessionFact::Summoned(profile)) if profile.role != Role::Arbiter => {
                judged = None
            }
            Fact::Session(_, SessionFact::Judged { verdict, commit, .. }) => {
                // A fail sticks until another verifier comes.
                if !matches!(judged, Some((Verdict::Fail, _))) {
                    judged = Some((*verdict, commit.clone()));
                }
            }
            Fact::Mission(_) | Fact::Talk(_) | Fact::Session(..) => {}
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
