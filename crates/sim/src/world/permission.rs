//! Permissions in a world: agents that ask and wait, people who answer late, twice, wrongly or never, and the law that
//! no other answer lets a tool run.

use std::sync::Arc;

use mind::actor::Actor;
use mind::effect::SessionCommand;
use mind::event::{DocketEvent, HumanAction};
use mind::fact::{PermissionFact, SessionFact};
use mind::petition::PetitionSubject;
use mind::policy::{GrantScope, PermissionRequest, Risk};
use mind::state::Step;
use mind::{Address, AgentEvent, Effect, Event, Fact, PermissionId, State, TurnId};

use super::agents::Act;
use super::fault::Fault;
use super::{DAY, HOUR, Happening, MINUTE, World};

impl World {
    /// A tool of the running turn waits for a yes; the turn goes on after the answer. Says whether it does.
    pub(super) fn ask_permission(&mut self, address: Address, turn: TurnId, at: u64) -> bool {
        if !self.strikes(Fault::AsksPermission, 12) {
            return false;
        }
        let number = self.dice.below(1 << 30);
        let call: Arc<str> = Arc::from(format!("{address}-{turn}-{number}"));
        let command = self.dice.pick(&["curl a", "curl b", "rm -rf build", "docker run x"]);
        let request = request(command);
        if let Some(agent) = self.living(address) {
            agent.asking = Some((turn, call.clone()));
        }
        self.act(at, address, Act::During(turn, AgentEvent::Asks { call: call.clone(), request }));
        if self.strikes(Fault::Unasks, 6) {
            // It thinks better of it, and goes on.
            let after = at + self.dice.between(1, HOUR);
            self.act(after, address, Act::Unasks(turn, call));
        }
        true
    }

    /// The answer comes to the process, which goes on if it still waits.
    pub(super) fn permitted(&mut self, address: Address, call: &str) {
        let Some(agent) = self.living(address) else { return };
        if let Some((turn, _)) = agent.asking.take_if(|(_, waiting)| **waiting == *call) {
            let after = self.dice.between(5, MINUTE);
            self.act(after, address, Act::Rests(turn));
        }
    }

    /// A person is asked whether a tool may run.
    pub(super) fn consult(&mut self, ask: PermissionId) {
        if self.only_in_docket() {
            // If nothing comes of that, a person comes to the terminal in the end.
            let after = self.dice.between(DAY, 3 * DAY);
            return self.later(after, Happening::Answer(ask));
        }
        let after = if self.strikes(Fault::NeverAnswers, 12) {
            self.dice.between(2 * DAY, 9 * DAY)
        } else if self.strikes(Fault::AnswersLate, 6) {
            self.dice.between(HOUR, 20 * HOUR)
        } else {
            self.dice.between(500, 5 * MINUTE)
        };
        if self.strikes(Fault::AnswersAnother, 8) {
            // The mission says that it was another question, and the person answers the right one later.
            let digest = Arc::from("sha256:something else");
            let wrong = HumanAction::Answer {
                permission: ask,
                digest,
                allowed: true,
                scope: GrantScope::Once,
                why: Arc::from(""),
            };
            self.later(after / 2, Happening::Write(wrong));
        }
        if self.strikes(Fault::AnswersTwice, 6) {
            let again = after + self.dice.between(0, 2_000);
            self.later(again, Happening::Answer(ask));
        }
        self.later(after, Happening::Answer(ask));
    }

    /// The person answers what the screen shows, and looks again later: an answer that is not allowed so is only told to
    /// be, and the question stands.
    pub(super) fn answer_ask(&mut self, ask: PermissionId, events: &mut Vec<Event>) {
        let Some(house) = &self.house else { return self.later(HOUR, Happening::Answer(ask)) };
        let Some((_, asked)) = house.state.permission(ask).filter(|(_, asked)| asked.answer.is_none()) else {
            return;
        };
        let digest = asked.request.digest.clone();
        let again = self.dice.between(MINUTE, HOUR);
        self.later(again, Happening::Answer(ask));
        let scope =
            self.dice.pick(&[GrantScope::Once, GrantScope::Once, GrantScope::Hour, GrantScope::Mission]);
        let allowed = !self.dice.one_in(3);
        self.write(
            HumanAction::Answer { permission: ask, digest, allowed, scope, why: Arc::from("") },
            events,
        );
    }

    /// The person leaves the terminal, or is back.
    pub(super) fn come_and_go(&mut self, events: &mut Vec<Event>) {
        if self.house.is_some() && !self.headless && self.strikes(Fault::Leaves, 120) {
            events.push(Event::Attended(false));
            let span = self.dice.pick(&[MINUTE, HOUR, DAY]);
            self.later(span, Happening::Emit(Event::Attended(true)));
        }
    }
}

/// The answer that a visitor gives to whatever waits.
pub(super) fn answer_of(state: &State) -> Option<HumanAction> {
    let (_, ask) = state.permissions().find(|(_, ask)| ask.answer.is_none() && ask.call.is_some())?;
    let digest = ask.request.digest.clone();
    Some(HumanAction::Answer {
        permission: ask.id,
        digest,
        allowed: true,
        scope: GrantScope::Once,
        why: Arc::from(""),
    })
}

fn request(command: &str) -> Arc<PermissionRequest> {
    let program = command.split_whitespace().next().unwrap_or_default();
    let shapes = if program == "docker" { Vec::new() } else { vec![Arc::from(program)] };
    Arc::new(PermissionRequest {
        tool: Arc::from("Bash"),
        what: Arc::from(command),
        folder: Arc::from("/clone"),
        why: Arc::from("it is not known"),
        risk: Risk::Unknown,
        shapes,
        digest: Arc::from(format!("sha256:{command}")),
    })
}

/// A tool runs by a person's yes to exactly that, by one that was kept for it, or by one that lasts and covers it.
#[expect(clippy::wildcard_enum_match_arm, reason = "no other fact lets a tool run")]
pub(super) fn only_a_person_lets_a_tool_run(before: &State, event: &Event, step: &Step) {
    let permits = step
        .effects
        .iter()
        .filter(|effect| matches!(effect, Effect::Session(_, SessionCommand::Permit { allowed: true, .. })));
    let reasons = step.facts.iter().filter(|fact| {
        let Fact::Session(_, fact) = fact else { return false };
        match fact {
            SessionFact::Permission(PermissionFact::Answered {
                permission,
                digest,
                allowed: true,
                by,
                ..
            }) => {
                let person = match event {
                    Event::Human(human) => human.actor == *by,
                    Event::Docket(id, DocketEvent::Decided { answers }) => {
                        let raised = before.petitions.get(id);
                        let shapes = |id| before.permission(id).map(|(_, ask)| ask.request.shapes.clone());
                        let about = raised.is_some_and(|raised| match raised.subject {
                            // A yes that lasts covers whatever waits and is alike.
                            PetitionSubject::Permission(asked) => {
                                asked == *permission || shapes(asked) == shapes(*permission)
                            }
                            PetitionSubject::Question(_) | PetitionSubject::Session(_) => false,
                        });
                        about && answers.iter().any(|answer| answer.by == *by)
                    }
                    Event::Opened(_)
                    | Event::Started
                    | Event::LimitsSet(_)
                    | Event::Agent(..)
                    | Event::Workshop(_)
                    | Event::Conductor(_)
                    | Event::Alarm
                    | Event::Attended(_)
                    | Event::Docket(..) => false,
                };
                assert!(
                    person && matches!(by, Actor::Human { .. }),
                    "{permission} is allowed by {by} in {event:?}"
                );
                let asked = before.permission(*permission).map(|(_, ask)| ask);
                assert!(
                    asked.is_some_and(|ask| ask.request.digest == *digest),
                    "{permission} is another question"
                );
                asked.is_some_and(|ask| ask.call.is_some())
            }
            SessionFact::Permission(PermissionFact::AnswerGiven { permission }) => {
                before.permission(*permission).is_some_and(|(_, ask)| matches!(ask.answer, Some((true, _))))
            }
            SessionFact::Permission(PermissionFact::Covered { request, .. }) => {
                let lasting = |shape: &Arc<str>| before.grants.iter().any(|grant| grant.shape == *shape);
                assert!(!request.shapes.is_empty() && request.shapes.iter().all(lasting), "{request:?}");
                true
            }
            _ => false,
        }
    });
    assert_eq!(permits.count(), reasons.count(), "tools are allowed without a reason: {step:?}");
}
