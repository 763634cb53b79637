//! The human: answers late, twice or never; interjects, pauses, interrupts, releases, cancels. Each action is a letter
//! in the mission's inbox until the mission has recorded it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mind::actor::{Actor, Door};
use mind::charter::Way;
use mind::event::{HumanAction, HumanEvent};
use mind::{Event, MessageId, PermissionId, SessionId, State, Timestamp, WaitingOn, limits};

use super::fault::Fault;
use super::permission::answer_of;
use super::{DAY, HOUR, Happening, MINUTE, World};

/// A mission that stands still more often than this is cancelled.
const STANDSTILLS_MAX: u64 = 2;

/// The inbox, and everything that was ever put there.
#[derive(Debug, Clone, Default)]
pub(super) struct People {
    pub(super) inbox: BTreeMap<Arc<str>, HumanEvent>,
    /// Every letter, with whether it carries words.
    pub(super) sent: BTreeMap<Arc<str>, bool>,
    /// How often the human was asked something.
    asked: u64,
    /// How often a mission that stood still asked what to do.
    standstills: u64,
    /// The question that was last seen, in which life of the mission.
    seen: Option<(u64, MessageId)>,
    /// The sessions that wait for a login.
    seen_logins: BTreeSet<SessionId>,
    /// The calls that were seen waiting for a permission.
    seen_calls: BTreeSet<(PermissionId, Arc<str>)>,
}

impl People {
    /// A person who is asked again and again takes more and more time to answer: so many times longer than
    /// the first time.
    /// An agent that waits for a person for days is not outlasted by small talk.
    pub(super) fn hesitate(&mut self) -> u64 {
        self.asked += 1;
        (1 + self.asked / 4).pow(2)
    }
}

impl World {
    /// Puts a letter into the inbox; a running mission sees it at once.
    pub(super) fn write(&mut self, action: HumanAction, events: &mut Vec<Event>) {
        let letter: Arc<str> = Arc::from(format!("l{}", self.people.sent.len() + 1));
        let actor = Actor::human(Door::Cli, "ann");
        let speaks = matches!(action, HumanAction::Say(_) | HumanAction::SayToOrchestrator(_));
        let event = HumanEvent { inbox_id: letter.clone(), actor, written: Timestamp(self.now), action };
        self.people.sent.insert(letter.clone(), speaks);
        self.people.inbox.insert(letter.clone(), event.clone());
        if self.strikes(Fault::LateLetter, 8) {
            let after = self.dice.between(100, 10 * MINUTE);
            self.later(after, Happening::Post(letter));
        } else if self.house.is_some() {
            events.push(Event::Human(event.clone()));
            if self.strikes(Fault::TwinLetter, 8) {
                events.push(Event::Human(event));
            }
        }
    }

    /// No person is at the terminal, and the person who is asked opens the docket, at least this time.
    pub(super) fn only_in_docket(&mut self) -> bool {
        self.headless && !self.dice.one_in(3)
    }

    /// The human watches the state: what is newly asked there is answered, sooner or later.
    pub(super) fn read_questions(&mut self, state: &State) {
        let asked = state.question.map(|message| (self.life, message));
        if asked.is_some() && self.people.seen != asked {
            self.people.seen = asked;
            self.people.standstills += u64::from(state.progress.turns >= limits::TURNS_WITHOUT_CHANGE_MAX);
            // A person does not say yes for ever to sessions that get nowhere.
            if self.people.standstills > STANDSTILLS_MAX {
                let after = self.dice.between(500, HOUR);
                self.later(after, Happening::Write(HumanAction::Cancel));
            }
            self.ask();
        }
        self.see_logins(state);
        let waiting: Vec<_> =
            state.open_permissions().filter_map(|(_, ask)| Some((ask.id, ask.call.clone()?))).collect();
        for call in waiting {
            if self.people.seen_calls.insert(call.clone()) {
                self.consult(call.0);
            }
        }
    }

    /// However much is said meanwhile, a person who is told of a missing login mends it some day.
    fn see_logins(&mut self, state: &State) {
        let waiting = state.live_sessions().filter(|session| session.wants_login());
        let waiting: BTreeSet<_> = waiting.map(|session| session.profile.session).collect();
        for _ in waiting.difference(&self.people.seen_logins.clone()) {
            let after = self.dice.between(HOUR, 3 * DAY);
            self.later(after, Happening::Write(HumanAction::Resume));
        }
        self.people.seen_logins = waiting;
    }

    /// A question waits for the human.
    fn ask(&mut self) {
        if self.only_in_docket() {
            return;
        }
        let after = self.dice.between(500, 5 * MINUTE) * self.people.hesitate();
        let after = if self.strikes(Fault::NeverAnswers, 12) {
            self.dice.between(2 * DAY, 9 * DAY)
        } else if self.strikes(Fault::AnswersLate, 6) {
            self.dice.between(HOUR, 20 * HOUR)
        } else {
            after
        };
        let words = self.dice.pick(&["yes", "yes", "yes", "Yes.", "go ahead"]);
        self.later(after, Happening::Write(HumanAction::Say(Arc::from(words))));
        if self.strikes(Fault::AnswersTwice, 6) {
            let again = after + self.dice.between(0, 2_000);
            self.later(again, Happening::Write(HumanAction::Say(Arc::from("yes"))));
        }
    }

    /// Between two steps a person may do something unasked.
    pub(super) fn meddle(&mut self, events: &mut Vec<Event>) {
        self.come_and_go(events);
        if self.house.as_ref().is_some_and(|house| house.state.way() == Way::Conductor) {
            self.take_over(events);
        }
        if self.strikes(Fault::Interjects, 40) {
            let words = self.dice.pick(&["mind the gap", "yes", "no, the other way", "how far is it?"]);
            self.write(HumanAction::Say(Arc::from(words)), events);
        }
        if self.strikes(Fault::SpeaksToWorker, 60) {
            self.write(HumanAction::SayToOrchestrator(Arc::from("to the left")), events);
        }
        if self.strikes(Fault::Interrupts, 80) {
            self.write(HumanAction::Interrupt, events);
        }
        if self.strikes(Fault::Releases, 120) {
            self.write(HumanAction::Release, events);
        }
        if self.strikes(Fault::Cancels, 60) {
            self.write(HumanAction::Cancel, events);
        }
        if self.strikes(Fault::Pauses, 80) {
            self.write(HumanAction::Pause, events);
            let span = self.dice.pick(&[100, MINUTE, HOUR, 3 * DAY]);
            self.later(span, Happening::Write(HumanAction::Resume));
        }
    }

    /// Nothing is on its way and nothing is due: the mission must be waiting for a person, and here the person comes.
    pub(super) fn visit(&mut self, state: &State) {
        let owner = state.waiting_on();
        let waits_for_person = match owner {
            WaitingOn::Human => true,
            WaitingOn::Session(id) => {
                state.paused
                    || wants_login(state)
                    || self.agents.get(&id).is_some_and(|agent| agent.really_awaits_human(state, id))
            }
            WaitingOn::Program(_) | WaitingOn::Over => false,
        };
        assert!(waits_for_person, "nothing is on its way and nothing is due, but the next step is {owner:?}");
        let action = if state.paused || wants_login(state) {
            HumanAction::Resume
        } else if let Some(answer) = answer_of(state) {
            answer
        } else if state.question.is_some() {
            HumanAction::Say(Arc::from("yes"))
        } else {
            HumanAction::Interrupt
        };
        let after = self.dice.between(HOUR, 3 * DAY);
        self.later(after, Happening::Write(action));
    }
}

fn wants_login(state: &State) -> bool {
    state.live_sessions().any(mind::session::Session::wants_login)
}
