//! A running mission over a real journal: a batch is decided, appended, synced, performed. It may crash between any two
//! of these, and the disk may refuse; then the world builds it anew from the journal's bytes.

use journal::faulty::Syncs;
use journal::{Journal, JournalError};
use mind::state::Step;
use mind::{Entry, Event, Fact, LoopMode, Round, State, Timestamp, Witness};

use super::fault::Fault;
use super::laws::Laws;
use super::rounds::{BatchLaws, Turned};
use super::{Happening, MINUTE, World};

/// A mission that runs.
#[derive(Debug)]
pub(super) struct House {
    journal: Journal,
    pub(super) state: State,
}

impl House {
    /// The mission as its journal has it.
    pub(super) fn over(journal: Journal) -> House {
        let (_, state) = replay(&journal);
        House { journal, state }
    }
}

/// How a batch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The mission goes on.
    Up,
    /// It left, stopped or fell; the bytes that were not synced are as they are.
    Down,
}

impl World {
    /// Opens the mission: the journal with its first fact, durably, as `arbiter::mission::opening` does.
    pub(super) fn open(&mut self, charter: mind::Charter) {
        let mission = charter.mission.to_string();
        let journal = Journal::create_on(Box::new(self.disk.clone()), &mission, &super::journal_key());
        let journal = journal.unwrap_or_else(|error| panic!("no journal: {error}"));
        let mut house = House { journal, state: State::default() };
        let mut opened = vec![Event::Opened(Box::new(charter))];
        let round = self.turn(&mut house.state, &mut opened, LoopMode::Running).round;
        let bodies = bodies(&round.entries);
        self.laws.appending(&bodies, &house.state);
        let written = house.journal.append(0, &bodies).and_then(|_| house.journal.sync());
        written.unwrap_or_else(|error| panic!("no opening: {error}"));
        self.laws.synced(false);
        self.later(1, Happening::Start);
    }

    /// Takes one batch.
    pub(super) fn take(&mut self, events: Vec<Event>, mode: LoopMode) {
        let Some(mut house) = self.house.take() else { return };
        let end = self.process(&mut house, events, mode);
        if end == End::Up {
            self.house = Some(house);
            return;
        }
        drop(house);
        // Whatever was not lost in a crash reaches the platter in the end, and the next life finds a sound disk.
        self.disk.crash(usize::MAX);
        self.fall();
    }

    fn process(&mut self, house: &mut House, mut events: Vec<Event>, mode: LoopMode) -> End {
        let started = events.contains(&Event::Started);
        let batch = BatchLaws::of(&house.state, &events);
        let turned = self.turn(&mut house.state, &mut events, mode);
        batch.judge(&turned, &house.state, mode, Timestamp(self.now));
        let Round { entries, effects, leave } = turned.round;
        if self.crashes(Fault::CrashBeforeAppend, started) {
            return self.crash();
        }
        if !entries.is_empty() && self.append(house, &entries).is_err() {
            return End::Down;
        }
        if self.crashes(Fault::CrashBeforeSync, started) {
            return self.crash();
        }
        if self.sync(house).is_err() {
            return self.crash();
        }
        if self.crashes(Fault::CrashAfterSync, started) {
            return self.crash();
        }
        for effect in effects {
            self.laws.performed.performing(&effect, &house.state);
            self.perform(effect);
            if self.crashes(Fault::CrashAmongEffects, started) {
                return self.crash();
            }
        }
        if self.crashes(Fault::CrashAfterEffects, started) {
            return self.crash();
        }
        Laws::every_life_waits_by_its_own_word(&house.state, |address| {
            let agent = self.agents.get(&address.session);
            agent.is_some_and(|agent| agent.may_wait(address.incarnation))
        });
        self.ended = house.state.ended.clone();
        if leave.is_some() || mode == LoopMode::Stopping {
            return End::Down;
        }
        self.read_questions(&house.state);
        End::Up
    }

    /// Turns the mind's round, under the eyes of the laws.
    fn turn(&mut self, state: &mut State, events: &mut Vec<Event>, mode: LoopMode) -> Turned {
        let mut judge = LawWitness { world: self, happened: None, ended_by_person: false };
        let round = state.round(events, mode, Timestamp(judge.world.now), &mut judge);
        Turned { round, ended_by_person: judge.ended_by_person }
    }

    fn append(&mut self, house: &mut House, entries: &[Entry]) -> Result<(), JournalError> {
        let bodies = bodies(entries);
        let length: usize = bodies.iter().map(String::len).sum();
        let short = self.threatens(Fault::ShortWrite, 60);
        let full = self.threatens(Fault::DiskFull, 60);
        if short {
            let bytes = self.dice.below(length as u64) as usize;
            self.disk.shorten_next_write(bytes.max(1));
            self.chaos.count(Fault::ShortWrite);
        }
        if full {
            let room = self.dice.below(length as u64) as usize;
            self.disk.leave_space(room);
        }
        let stays = full && self.threatens(Fault::CutFails, 2);
        if stays {
            self.disk.refuse_truncation();
        }
        self.laws.appending(&bodies, &house.state);
        let head = house.journal.head();
        let Err(error) = house.journal.append(head, &bodies) else { return Ok(()) };
        assert!(full, "the disk refused without a cause: {error}");
        self.laws.append_failed();
        self.chaos.count(Fault::DiskFull);
        if stays {
            self.chaos.count(Fault::CutFails);
        }
        self.log(|| format!("!! {error}"));
        let again = house.journal.append(house.journal.head(), &["{}"]);
        assert!(matches!(again, Err(JournalError::Poisoned { .. })), "it goes on after a failure: {again:?}");
        // A person makes room.
        self.disk.crash(usize::MAX);
        Err(error)
    }

    fn sync(&mut self, house: &mut House) -> Result<(), JournalError> {
        let fails = self.threatens(Fault::SyncFails, 80);
        if fails {
            self.disk.answer_syncs(Syncs::Failing);
        } else if self.threatens(Fault::SyncLies, 80) {
            self.lying = true;
            self.disk.answer_syncs(Syncs::Lying);
        }
        let unsynced = self.disk.unsynced();
        match house.journal.sync() {
            Ok(()) => {
                if fails {
                    // There was nothing to sync.
                    self.disk.answer_syncs(if self.lying { Syncs::Lying } else { Syncs::Honest });
                }
                self.laws.synced(self.lying && unsynced > 0);
                Ok(())
            }
            Err(error) => {
                self.chaos.count(Fault::SyncFails);
                self.log(|| format!("!! {error}"));
                // The disk would say yes now; that would be a lie about what it dropped.
                self.disk.answer_syncs(Syncs::Lying);
                let again = house.journal.sync();
                assert!(
                    matches!(again, Err(JournalError::Poisoned { .. })),
                    "a failed sync is tried again: {again:?}"
                );
                Err(error)
            }
        }
    }

    fn crashes(&mut self, fault: Fault, started: bool) -> bool {
        let one_in = match (fault == Fault::CrashAmongEffects, started) {
            (true, _) => 150,
            (false, true) => 25,
            (false, false) => 90,
        };
        if !self.strikes(fault, one_in) {
            return false;
        }
        if started {
            self.chaos.count(Fault::CrashAtStart);
        }
        self.log(|| format!("!! {}", fault.name()));
        true
    }

    /// The power fails, or only the process is killed: then no byte is lost.
    fn crash(&mut self) -> End {
        let unsynced = self.disk.unsynced();
        let spared =
            if self.dice.one_in(3) { usize::MAX } else { self.dice.below(unsynced as u64 + 1) as usize };
        if spared < unsynced {
            self.chaos.count(Fault::BytesLost);
            self.log(|| format!("!! {} of {unsynced} unsynced bytes are lost", unsynced - spared));
        }
        self.disk.crash(spared);
        End::Down
    }

    /// The mission's process is gone, and all its children with it. It will be started again.
    pub(super) fn fall(&mut self) {
        self.lying = false;
        self.life += 1;
        self.agents.values_mut().for_each(super::agents::Agent::die);
        // A person raises the limit that ended it, and resumes it.
        self.ended.take_if(|ended| self.bounds.resumes(ended));
        if self.ended.is_none() {
            let after = self.dice.pick(&[10, 1_000, MINUTE, 600 * MINUTE]);
            self.later(after, Happening::Start);
        }
    }

    /// Builds the mission anew from the journal's bytes.
    pub(super) fn start(&mut self) {
        if self.house.is_some() {
            return;
        }
        if self.is_kept_from_opening() {
            return self.fall();
        }
        let unsafe_disk = self.threatens(Fault::RecoverySyncFails, 15);
        if unsafe_disk {
            self.disk.answer_syncs(Syncs::Failing);
            self.chaos.count(Fault::RecoverySyncFails);
        }
        let opened = match Journal::open_on(Box::new(self.disk.clone()), &super::journal_key()) {
            Ok(opened) => opened,
            Err(error) => {
                self.log(|| format!("!! {error}"));
                assert!(matches!(error, JournalError::Disk { .. }), "the journal is not believed: {error}");
                self.disk.crash(usize::MAX);
                return self.fall();
            }
        };
        assert!(!unsafe_disk, "it was opened on a disk that cannot keep what it found");
        if let Some(cut) = &opened.cut {
            self.chaos.count(Fault::TornTail);
            self.log(|| format!("!! cut {} bytes with {} entries", cut.bytes, cut.entries));
        }
        let (bodies, state) = replay(&opened.journal);
        if self.strikes(Fault::CrashInRecovery, 12) {
            self.log(|| "!! crash: during recovery".to_owned());
            let spared = self.disk.unsynced() / 2;
            self.disk.crash(spared);
            return self.fall();
        }
        if let Some(recording) = &mut self.recording {
            recording.drop_after(bodies.len());
        }
        if self.laws.reopened(bodies, &state) {
            self.chaos.count(Fault::SyncLies);
            // Sessions and their processes are counted anew: late words of the old ones would be taken for
            // words of the new ones.
            self.agents.clear();
            self.queue.retain(|_, happening| !matches!(happening, Happening::Act(..) | Happening::Emit(_)));
            // Petitions are numbered anew too.
            self.docket = super::Docket::default();
        }
        let limits = self.bounds.at_start(&state, Timestamp(self.now));
        self.house = Some(House { journal: opened.journal, state });
        let mut first = super::bounds::first_events(limits);
        if self.headless {
            first.push(Event::Attended(false));
        }
        self.take(first, LoopMode::Running);
        let letters: Vec<_> = self.people.inbox.keys().cloned().collect();
        for letter in letters {
            self.later(200, Happening::Post(letter));
        }
    }

    /// The journal alone gives the state that runs.
    pub(super) fn compare(&self) {
        let Some(house) = &self.house else { return };
        let (_, replayed) = replay(&house.journal);
        assert_eq!(replayed, house.state, "replay differs from the live state");
        assert!(self.laws.is_confirmed(&house.state), "the live state is not the synced one");
    }
}

pub(super) fn replay(journal: &Journal) -> (Vec<String>, State) {
    let mut state = State::default();
    let mut bodies = Vec::new();
    let mut lines = journal.replay().unwrap_or_else(|error| panic!("no replay: {error}"));
    while let Some(line) = lines.next_entry().unwrap_or_else(|error| panic!("no entry: {error}")) {
        let entry: Entry =
            serde_json::from_str(line.body).unwrap_or_else(|error| panic!("{}: {error}", line.body));
        state.apply(&entry);
        bodies.push(line.body.to_owned());
    }
    (bodies, state)
}

fn bodies(entries: &[Entry]) -> Vec<String> {
    let body = |entry| serde_json::to_string(entry).unwrap_or_else(|error| panic!("{entry:?}: {error}"));
    entries.iter().map(body).collect()
}

/// Looks on while the mind makes a round: tells the story and holds every step against the laws.
struct LawWitness<'a> {
    world: &'a mut World,
    /// The event that is being decided, and the state before it.
    happened: Option<(State, Event)>,
    ended_by_person: bool,
}

impl Witness for LawWitness<'_> {
    fn event(&mut self, state: &State, event: &Event) {
        self.world.log(|| format!("{event:?}"));
        self.world.events += 1;
        self.happened = Some((state.clone(), event.clone()));
    }

    fn fact(&mut self, state: &State, fact: &Fact) {
        self.world.log(|| format!("  + {fact}"));
        Laws::before_fact(state, fact);
    }

    fn decided(&mut self, state: &State, step: &Step) {
        let Some((before, event)) = self.happened.take() else { return };
        // A decision in the docket is a person's too.
        let person = matches!(event, Event::Human(_) | Event::Docket(..));
        self.ended_by_person |= before.ended.is_none() && state.ended.is_some() && person;
        if let Some(recording) = &mut self.world.recording {
            recording.add(Timestamp(self.world.now), &event, step.facts.len());
        }
        for effect in &step.effects {
            self.world.log(|| format!("  > {effect}"));
        }
        Laws::after_event(&before, state, &event, step, Timestamp(self.world.now));
        if let Some(law) = self.world.law {
            law(state, &event);
        }
    }
}
