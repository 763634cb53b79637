//! Whole missions from a seed: the real mind and the real journal in one thread, with a virtual clock, a disk that
//! fails, scripted agents, a workspace and people. The same seed is the same world, to the last byte. Laws are checked
//! after every step; a breach panics.

mod again;
mod agents;
mod bounds;
mod clone;
mod conductor;
mod course;
mod damage;
mod dice;
mod docket;
mod fault;
mod house;
mod laws;
mod lines;
mod people;
mod performed;
mod permission;
mod pipe;
mod play;
mod recording;
mod rounds;
mod runner;
mod runs;
mod standstill;
mod usage;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use journal::faulty::Faulty;
use mind::charter::{Capabilities, Charter, Consent, WarningPolicy, Warnings, Way, WhenAway};
use mind::conductor::ConductorEvent;
use mind::effect::{DocketEffect, MissionEffect, SessionSpawn};
use mind::event::{HumanAction, WorkspaceEvent};
use mind::petition::PetitionId;
use mind::state::Ended;
use mind::{Address, Effect, Event, GateId, LoopMode, PermissionId, SessionId, State, Timestamp};

pub use self::again::{again, again_under};
use self::agents::{Act, Agent};
use self::bounds::Bounds;
use self::clone::Workplace;
use self::conductor::Desk;
use self::dice::Dice;
use self::docket::Docket;
use self::fault::Chaos;
pub use self::fault::{Fault, Tally};
use self::house::House;
use self::laws::Laws;
use self::people::People;
pub use self::play::Play;
use self::recording::Recording;
pub use self::recording::Told;
pub use self::runner::{Failure, run_seed, shrink};

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
/// A world that has not ended after so many steps is stuck.
const STEPS_MAX: u64 = 5_000;
/// The same in virtual time.
const DAYS_MAX: u64 = 3_000;
/// Lines of its story that a world keeps when asked to.
const STORY_MAX: usize = 60;
/// Every so many steps the journal is replayed beside the running mission.
const COMPARE_EVERY: u64 = 50;

/// One world in so many has a conductor; the others a council.
const CONDUCTED: u64 = 4;

/// What must hold after an event; a breach panics.
pub type Law = fn(&State, &Event);

/// What a world is made from.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    pub seed: u64,
    /// How many faults may strike, if it is not for the dice to say.
    pub budget: Option<u64>,
    /// Faults that do not strike.
    pub without: Vec<Fault>,
    /// Whether the last lines of its story are kept, and what the mind was told.
    pub told: bool,
    /// One more law, for tests of the worlds themselves.
    pub law: Option<Law>,
}

/// How a world ended.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub completed: bool,
    /// It was a conducted mission.
    pub conducted: bool,
    /// How it ended, in a word.
    pub end: &'static str,
    /// Every fault that was injected, and survived.
    pub tally: Tally,
    pub steps: u64,
    pub events: u64,
    /// Facts in the journal.
    pub facts: u64,
    /// How often the mission's process was started.
    pub lives: u64,
    /// How often a person resumed it after a limit had ended it.
    pub resumed: u64,
    /// Virtual time that passed, in milliseconds.
    pub passed_ms: u64,
}

/// Something that will happen.
#[derive(Debug, Clone)]
enum Happening {
    /// An agent does something, if it still lives.
    Act(Address, Act),
    /// An event that is on its way already.
    Emit(Event),
    /// The workspace reports, if the process that asked still runs.
    Gate(u64, GateId, Box<Event>),
    /// A person writes a letter.
    Write(HumanAction),
    /// A person answers whether a tool may run.
    Answer(PermissionId),
    /// The docket reports, if the process that follows it still runs.
    Docket(u64, Box<Event>),
    /// A background task of a conducted mission reports, if the process that started it still runs.
    Conductor(u64, Box<Event>),
    /// A person looks at a petition.
    Decide(PetitionId),
    /// A letter lies in the inbox.
    Post(Arc<str>),
    /// The mission's process is started.
    Start,
}

#[derive(Debug)]
pub struct World {
    dice: Dice,
    chaos: Chaos,
    began: u64,
    now: u64,
    serial: u64,
    queue: BTreeMap<(u64, u64), Happening>,
    disk: Faulty,
    lying: bool,
    house: Option<House>,
    life: u64,
    ended: Option<Ended>,
    agents: BTreeMap<SessionId, Agent>,
    place: Workplace,
    units: u64,
    people: People,
    docket: Docket,
    desk: Desk,
    /// No person is at the terminal from the start on: petitions go to the docket.
    headless: bool,
    bounds: Bounds,
    laws: Laws,
    law: Option<Law>,
    recording: Option<Recording>,
    steps: u64,
    events: u64,
    story: Option<VecDeque<String>>,
}

/// What the journals of all worlds are sealed with.
fn journal_key() -> journal::JournalKey {
    journal::JournalKey::new(b"the key of the worlds from seeds")
}

impl World {
    /// A world with its mission opened and nothing done yet.
    pub fn new(plan: &Plan) -> World {
        let mut dice = Dice::new(plan.seed);
        let chaos = Chaos::new(&mut dice, plan.budget, &plan.without);
        let units = dice.between(1, 6);
        let mut charter = charter(plan.seed, &mut dice);
        let bounds = Bounds::new(plan.seed, &mut charter);
        let headless = charter.away == WhenAway::Petition && dice.one_in(2);
        let began = 1_763_000_000_000;
        let mut world = World {
            dice,
            chaos,
            began,
            now: began,
            serial: 0,
            queue: BTreeMap::new(),
            disk: Faulty::new(),
            lying: false,
            house: None,
            life: 0,
            ended: None,
            agents: BTreeMap::new(),
            place: Workplace { commits: 0, dirty: false, left: units },
            units,
            people: People::default(),
            docket: Docket::default(),
            desk: Desk::default(),
            headless,
            bounds,
            laws: Laws::default(),
            law: plan.law,
            recording: plan.told.then(Recording::default),
            steps: 0,
            events: 0,
            story: plan.told.then(VecDeque::new),
        };
        world.open(charter);
        world
    }

    /// Runs to the end.
    ///
    /// # Panics
    ///
    /// When a law is broken.
    pub fn run(&mut self) -> Outcome {
        while self.ended.is_none() {
            self.steps += 1;
            assert!(self.steps < STEPS_MAX, "stuck: {STEPS_MAX} steps and no end");
            assert!(self.now - self.began < DAYS_MAX * DAY, "stuck: {DAYS_MAX} days and no end");
            self.step();
            self.nothing_decided_is_lost();
            if self.steps.is_multiple_of(COMPARE_EVERY) {
                self.compare();
            }
        }
        self.finish()
    }

    /// How many batches were taken so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The last lines of its story, if they were kept.
    pub fn story(&self) -> impl Iterator<Item = &str> {
        self.story.iter().flatten().map(String::as_str)
    }

    /// What the mind was told, if it was kept.
    pub fn told(&self) -> Vec<Told> {
        self.recording.as_ref().map(Recording::told).unwrap_or_default()
    }

    fn step(&mut self) {
        let state = self.house.as_ref().map(|house| house.state.clone());
        let due = self.queue.first_key_value().map(|((at, _), _)| *at);
        let deadline = state.as_ref().and_then(|state| state.deadline()).map(|at| at.0);
        let Some(next) = due.into_iter().chain(deadline).min() else {
            let Some(state) = state else { panic!("the mission is not started again") };
            return self.visit(&state);
        };
        self.now = self.now.max(next);
        let mut events = Vec::new();
        let horizon = self.now + self.dice.pick(&[0, 0, 0, 20, 2_000]);
        let most = self.dice.pick(&[1, 4, 256]);
        while events.len() < most
            && let Some(entry) = self.queue.first_entry()
            && entry.key().0 <= horizon
        {
            let ((at, _), happening) = entry.remove_entry();
            self.now = self.now.max(at);
            self.happen(happening, &mut events);
        }
        if self.house.is_none() {
            return;
        }
        self.meddle(&mut events);
        let due = self.house.as_ref().is_some_and(|house| house.state.is_due(Timestamp(self.now)));
        if due || !events.is_empty() {
            // A stop just when something halts or ends the mission is too rare by chance, and most worlds are calm when
            // they end: some hundred worlds are to see it.
            let stopped = match events.iter().map(stop_chance).min() {
                Some(StopChance::AtTheEnd) => self.chaos.stops_at_the_end(&mut self.dice),
                Some(StopChance::Likely) => self.strikes(Fault::Stopped, 2),
                Some(StopChance::Rare) | None => self.strikes(Fault::Stopped, 40),
            };
            self.take(events, if stopped { LoopMode::Stopping } else { LoopMode::Running });
        }
    }

    fn happen(&mut self, happening: Happening, events: &mut Vec<Event>) {
        match happening {
            Happening::Start => self.start(),
            Happening::Write(action) => self.write(action, events),
            Happening::Answer(ask) => self.answer_ask(ask, events),
            Happening::Decide(petition) => self.decide_petition(&petition),
            // No process runs the mission.
            _ if self.house.is_none() => {}
            Happening::Act(address, act) => self.resolve(address, act, events),
            Happening::Emit(event) => events.push(event),
            Happening::Gate(life, _, event)
            | Happening::Docket(life, event)
            | Happening::Conductor(life, event)
                if life == self.life =>
            {
                events.push(*event);
            }
            Happening::Gate(..) | Happening::Docket(..) | Happening::Conductor(..) => {}
            Happening::Post(letter) => {
                events.extend(self.people.inbox.get(&letter).cloned().map(Event::Human));
            }
        }
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Spawn(SessionSpawn { address, profile, resume, .. }) => {
                self.spawn(address, profile.role, resume);
            }
            Effect::Session(address, command) => self.instruct(address, command),
            Effect::Workspace(effect) => self.workspace(&effect),
            Effect::Docket(petition, DocketEffect::Push { draft }) => self.petition(petition, &draft),
            Effect::Docket(petition, DocketEffect::Withdraw { why }) => self.withdraw(&petition, &why),
            Effect::Conductor(effect) => self.assist(effect),
            Effect::Mission(MissionEffect::RemoveFromInbox { inbox_id }) => {
                self.people.inbox.remove(&inbox_id);
            }
            Effect::Mission(MissionEffect::Note { .. } | MissionEffect::Leave(_)) => {}
        }
    }

    /// The mission is over: what is on the disk is the whole truth, and it is sound.
    fn finish(&mut self) -> Outcome {
        drop(self.house.take());
        let opened = journal::Journal::open_on(Box::new(self.disk.clone()), &journal_key());
        let opened = opened.unwrap_or_else(|error| panic!("the finished journal is not believed: {error}"));
        self.house = Some(House::over(opened.journal));
        self.compare();
        let state = self.house.as_ref().map(|house| house.state.clone()).unwrap_or_default();
        self.laws.judge(&state);
        self.judge_docket(&state);
        if self.recording.is_some() {
            assert_eq!(again::state_after(&self.told()), state, "what the mind was told leads elsewhere");
        }
        let lost = state.kept.iter().find(|note| !self.desk.notes.contains_key(&note.title));
        assert!(lost.is_none() || self.laws.robbed, "a note is lost: {lost:?}");
        for letter in self.people.sent.keys() {
            let kept = state.received.contains(letter) || self.people.inbox.contains_key(letter);
            assert!(kept || self.laws.robbed, "letter {letter} is neither taken nor there");
        }
        let words =
            self.people.sent.iter().filter(|(letter, says)| **says && state.received.contains(*letter));
        let said = state.talk.iter().filter(|message| message.delivery.is_some()).count();
        let in_docket = docket::words_of(&state);
        assert_eq!(words.count() + in_docket, said, "words of people and words in the talk differ");
        Outcome {
            completed: matches!(state.ended, Some(Ended::Completed(_))),
            conducted: state.way() == Way::Conductor,
            end: match &state.ended {
                Some(Ended::Completed(_)) => "completed",
                Some(Ended::Failed(_)) => "without success",
                Some(Ended::Exhausted(_)) => "exhausted",
                Some(Ended::PlanOnly { .. }) => "only planned",
                Some(Ended::Cancelled(_)) | None => "cancelled",
            },
            tally: self.chaos.tally.clone(),
            steps: self.steps,
            events: self.events,
            facts: self.laws.facts() as u64,
            lives: self.life,
            resumed: self.bounds.resumed,
            passed_ms: self.now - self.began,
        }
    }

    fn later(&mut self, after_ms: u64, happening: Happening) {
        self.serial += 1;
        self.queue.insert((self.now + after_ms, self.serial), happening);
    }

    fn strikes(&mut self, fault: Fault, one_in: u64) -> bool {
        self.chaos.strikes(&mut self.dice, fault, one_in)
    }

    fn threatens(&mut self, fault: Fault, one_in: u64) -> bool {
        self.chaos.threatens(&mut self.dice, fault, one_in)
    }

    fn log(&mut self, line: impl FnOnce() -> String) {
        let Some(story) = &mut self.story else { return };
        if story.len() == STORY_MAX {
            story.pop_front();
        }
        let text: String = line().chars().take(300).collect();
        story.push_back(format!("{:>10} {text}", self.now - self.began));
    }
}

/// How likely a stop meets an event.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum StopChance {
    AtTheEnd,
    Likely,
    Rare,
}

fn stop_chance(event: &Event) -> StopChance {
    match event {
        // The last that is heard before a mission completes.
        Event::Workshop(WorkspaceEvent::Brought { .. }) => StopChance::AtTheEnd,
        Event::Workshop(WorkspaceEvent::Broken { .. } | WorkspaceEvent::Hindered { .. })
        | Event::Conductor(ConductorEvent::Hindered { .. }) => StopChance::Likely,
        Event::Human(human) if human.action == HumanAction::Cancel => StopChance::Likely,
        Event::Opened(_)
        | Event::LimitsSet(_)
        | Event::Started
        | Event::Human(_)
        | Event::Agent(..)
        | Event::Workshop(_)
        | Event::Conductor(_)
        | Event::Alarm
        | Event::Attended(_)
        | Event::Docket(..) => StopChance::Rare,
    }
}

fn charter(seed: u64, dice: &mut Dice) -> Charter {
    let checks = dice.pick(&[0, 1, 1, 2]);
    let policy = dice.pick(&[WarningPolicy::Warn, WarningPolicy::Silent, WarningPolicy::Off]);
    let mut charter = Charter {
        away: if dice.one_in(2) { WhenAway::Petition } else { WhenAway::Refuse },
        seed,
        consent: if dice.one_in(4) { Consent::Policy("night".to_owned()) } else { Consent::Ask },
        checks: (0..checks).map(|number| vec!["check".to_owned(), format!("{number}")]).collect(),
        providers: BTreeMap::from([(
            "world".to_owned(),
            Capabilities { steers: !dice.one_in(3), typed: true },
        )]),
        warnings: Warnings { policy, ..Warnings::default() },
        ..crate::charter("world", "world")
    };
    if dice.one_in(CONDUCTED) {
        conductor::conduct(&mut charter, dice);
    } else if dice.one_in(2) {
        charter.agents = mind::play::conductor::agents();
        conductor::limit_agents(&mut charter, dice);
    }
    charter
}
