//! Laws: whatever happens, in whatever order, these hold. Events are drawn against the live mission, good and bad ones.
//! The stage itself checks after every event that replay equals live, that every event leaves a fact or an effect,
//! that no session has two turns in flight, and that somebody's step is next (`play/invariants.rs`).

use std::sync::Arc;

use mind::actor::Actor;
use mind::charter::WhenAway;
use mind::effect::{MissionEffect, SessionCommand};
use mind::event::{AgentEvent, DocketEvent, HumanAction};
use mind::fact::{
    ContextFact, GateFact, LifeFact, MissionFact, PermissionFact, SessionFact, TalkFact, ToolFact, TurnFact,
    WorkFact,
};
use mind::petition::PetitionSubject;
use mind::play::Stage;
use mind::policy::GrantScope;
use mind::session::Role;
use mind::state::{Ended, Step};
use mind::talk::{Delivery, Proof, Speaker, Verdict};
use mind::{Effect, Event, Fact, MessageId, PermissionId, State};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::draw::{Dice, draw};

/// 256 cases, or PROPTEST_CASES. No regression file is kept: a case that a law finds becomes a play.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

fn dice() -> impl Strategy<Value = Vec<Dice>> {
    prop::collection::vec(any::<Dice>(), 1..60)
}

fn opening() -> impl Strategy<Value = String> {
    let consent = prop::sample::select(vec!["", " policy night"]);
    let checks =
        prop::sample::select(vec!["", " checks \"cargo test\"", " checks \"cargo test\" \"cargo fmt\""]);
    let steers = prop::sample::select(vec!["", " no-steer"]);
    let docket = prop::sample::select(vec!["", " docket"]);
    (consent, checks, steers, docket)
        .prop_map(|(consent, checks, steers, docket)| format!("open{consent}{checks}{steers}{docket}"))
}

/// Plays a random mission and shows every step of it to `law`, with the state before it.
fn each_step(opening: &str, dice: &[Dice], mut law: impl FnMut(&State, &Event, &Step, &Stage)) -> Stage {
    let mut stage = Stage::new();
    stage.perform(opening);
    for die in dice {
        let event = draw(&mut stage, *die);
        let before = stage.state.clone();
        let step = stage.happen(event.clone());
        law(&before, &event, &step, &stage);
    }
    stage
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_journal_alone_gives_the_same_state(opening in opening(), dice in dice()) {
        let stage = each_step(&opening, &dice, |_, _, _, _| {});
        let mut replayed = State::default();
        for entry in &stage.entries {
            replayed.apply(entry);
        }
        prop_assert_eq!(replayed, stage.state);
    }

    #[test]
    fn a_letter_is_taken_once(opening in opening(), dice in dice()) {
        each_step(&opening, &dice, |before, event, step, stage| {
            let Event::Human(human) = event else { return };
            if before.received.contains(&human.inbox_id) {
                assert!(step.facts.is_empty(), "{event:?} counted twice: {step:?}");
            }
            // Only a letter that became a fact, now or before, may go.
            let taken = stage.state.received.contains(&human.inbox_id);
            assert_eq!(step.effects.contains(&Effect::Mission(MissionEffect::RemoveFromInbox { inbox_id: human.inbox_id.clone() })), taken);
        });
    }

    #[test]
    fn stale_incarnations_change_nothing(opening in opening(), dice in dice()) {
        each_step(&opening, &dice, |before, event, step, stage| {
            let Event::Agent(address, _) = event else { return };
            if before.live_sessions().any(|session| session.address() == *address) {
                return;
            }
            assert_eq!(before, &stage.state);
            assert!(matches!(step.effects.as_slice(), [Effect::Mission(MissionEffect::Note { .. })]), "{step:?}");
        });
    }

    /// A tool runs only by a person's yes to exactly that, or to its shape; one yes lets one call run.
    #[test]
    fn nobody_but_a_person_lets_a_tool_run(opening in opening(), dice in dice()) {
        let mut yeses: Vec<(PermissionId, Arc<str>)> = Vec::new();
        let mut shapes: Vec<(Arc<str>, Option<u64>)> = Vec::new();
        let mut questions = std::collections::BTreeMap::new();
        each_step(&opening, &dice, |before, event, step, stage| {
            if let Event::Agent(_, AgentEvent::Asks { call, request }) = event {
                questions.insert(call.clone(), request.clone());
            }
            for fact in &step.facts {
                let Fact::Session(_, SessionFact::Permission(PermissionFact::Answered { permission, digest, allowed: true, by, scope, .. })) = fact
                else { continue };
                let actor = if let Event::Human(human) = event {
                    &human.actor
                } else if let Event::Docket(id, DocketEvent::Decided { answers }) = event {
                    let asked = before.petitions[id].petition(id);
                    assert_eq!(answers[0].digest, asked.digest(&asked.decisions[0]), "another question");
                    &answers[0].by
                } else {
                    panic!("allowed by {event:?}")
                };
                assert!(matches!(actor, Actor::Human { .. }) && actor == by, "{event:?}");
                yeses.push((*permission, digest.clone()));
                let (_, asked) = before.permission(*permission).expect("an open question");
                let until = (*scope == GrantScope::Hour).then_some(stage.state.now.0 + 60 * 60 * 1000);
                if *scope != GrantScope::Once {
                    shapes.extend(asked.request.shapes.iter().map(|shape| (shape.clone(), until)));
                }
            }
            for effect in &step.effects {
                let Effect::Session(_, SessionCommand::Permit { call, allowed: true, .. }) = effect else { continue };
                let question = &questions[call];
                let yes = yeses.iter().position(|(_, digest)| *digest == question.digest);
                let now = stage.state.now.0;
                let covers = |shape: &Arc<str>| {
                    shapes.iter().any(|(given, until)| given == shape && until.is_none_or(|until| now < until))
                };
                match yes {
                    Some(yes) => drop(yeses.remove(yes)),
                    None => assert!(
                        !question.shapes.is_empty() && question.shapes.iter().all(covers),
                        "nobody allowed {question:?}"
                    ),
                }
            }
        });
    }

    #[test]
    fn the_humans_words_are_never_lost(opening in opening(), dice in dice()) {
        let mut spoken = 0;
        let stage = each_step(&opening, &dice, |before, event, step, stage| {
            // What is answered in the docket is said by it.
            let answers = step.facts.iter().filter(|fact| matches!(fact, Fact::Docket(..))).count();
            let said = |fact: &&Fact| matches!(fact, Fact::Talk(TalkFact::Said { from: Speaker::Human(_), .. }));
            let words = step.facts.iter().filter(said).count();
            if matches!(event, Event::Docket(..)) {
                assert!(words <= answers.min(1), "{event:?}");
                spoken += words;
            }
            let Event::Human(human) = event else { return };
            let speaks = matches!(human.action, HumanAction::Say(_) | HumanAction::SayToOrchestrator(_));
            if speaks && before.ended.is_none() && !before.received.contains(&human.inbox_id) {
                spoken += 1;
            }
            all_words_are_heard_or_on_their_way(&stage.state);
        });
        let words = stage.state.talk.iter().filter(|message| message.delivery.is_some());
        prop_assert_eq!(words.count(), spoken);
    }

    #[test]
    fn what_waits_for_somebody_who_is_away_is_in_the_docket_once(opening in opening(), dice in dice()) {
        each_step(&opening, &dice, |before, event, step, stage| {
            let state = &stage.state;
            let waits = |subject: PetitionSubject| match subject {
                PetitionSubject::Question(message) => state.question == Some(message),
                PetitionSubject::Permission(ask) => state.open_permissions().any(|(_, open)| open.id == ask),
                PetitionSubject::Session(_) => state.ended.is_none(),
            };
            let open: Vec<PetitionSubject> = state.open_petitions().map(|(_, raised)| raised.subject).collect();
            for (at, subject) in open.iter().enumerate() {
                assert!(waits(*subject), "nobody needs the petition about {subject} after {event:?}");
                let own = matches!(subject, PetitionSubject::Session(_));
                assert!(own || !open[..at].contains(subject), "{subject} is asked twice after {event:?}");
            }
            let asked = |subject| state.petitions.values().any(|raised| raised.subject == subject);
            let docket = state.charter.as_ref().is_some_and(|charter| charter.away == WhenAway::Petition);
            if docket && state.unattended && state.ended.is_none() && state.halted.is_none() {
                let question = state.question.map(PetitionSubject::Question);
                let asks = state.open_permissions().map(|(_, ask)| PetitionSubject::Permission(ask.id));
                for subject in question.into_iter().chain(asks) {
                    assert!(asked(subject), "{subject} was never asked after {event:?}");
                }
            }
            // Whatever came before, an outcome is never replaced by another.
            for (id, raised) in &before.petitions {
                let after = &state.petitions[id].outcome;
                assert!(raised.outcome.is_none() || raised.outcome == *after, "{id} ended twice: {step:?}");
            }
        });
    }

    #[test]
    fn words_stay_on_their_way_whatever_comes(opening in opening(), dice in dice()) {
        each_step(&opening, &dice, |_, _, _, stage| all_words_are_heard_or_on_their_way(&stage.state));
    }

    #[test]
    fn done_is_made_from_a_verifiers_pass_and_receipts_only(opening in opening(), dice in dice()) {
        let stage = each_step(&opening, &dice, |_, _, _, _| {});
        completion_is_earned(&stage);
    }

    #[test]
    fn only_another_verifier_takes_a_fail_back(opening in opening(), dice in dice()) {
        each_step(&opening, &dice, |before, event, step, stage| {
            let word = |state: &State| state.judgement.as_ref().map(|judgement| judgement.verdict);
            let mut judged = word(before);
            for fact in &step.facts {
                match fact {
                    Fact::Session(_, SessionFact::Life(LifeFact::Summoned(profile))) if profile.role != Role::Arbiter => {
                        judged = None;
                    }
                    Fact::Session(_, SessionFact::Work(WorkFact::Judged { verdict, .. })) if judged != Some(Verdict::Fail) => {
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
            assert_eq!(word(&stage.state), judged, "{event:?}");
        });
    }

    #[test]
    fn nothing_happens_after_the_end(opening in opening(), dice in dice()) {
        each_step(&opening, &dice, |before, event, step, _| {
            if before.ended.is_some() {
                let books = |fact: &Fact| {
                    matches!(
                        fact,
                        Fact::Session(_, SessionFact::Work(WorkFact::Spent { .. }))
                            | Fact::Conductor(mind::conductor::ConductorFact::Spent { .. })
                    )
                };
                assert!(step.facts.iter().all(books), "{event:?} changed a mission that is over");
            }
        });
    }

    #[test]
    fn no_worker_is_summoned_without_a_yes(opening in opening(), dice in dice()) {
        each_step(&opening, &dice, |_, _, step, stage| {
            let summoned = step.facts.iter().any(|fact| {
                matches!(fact, Fact::Session(_, SessionFact::Life(LifeFact::Summoned(profile))) if profile.role != Role::Arbiter)
            });
            assert!(!summoned || stage.state.consent.is_some());
        });
    }

    #[test]
    fn each_warning_reaches_a_session_once(opening in opening(), dice in dice()) {
        let stage = each_step(&opening, &dice, |_, _, _, _| {});
        let mut warned = Vec::new();
        for entry in &stage.entries {
            let Fact::Session(id, SessionFact::Context(ContextFact::Warned { percent })) = &entry.fact else { continue };
            assert!(!warned.contains(&(*id, *percent)), "{id} was warned twice at {percent}");
            warned.push((*id, *percent));
        }
    }
}

/// Each message of the human is heard, or some session that lives has it before it, or the Arbiter does not exist yet.
fn all_words_are_heard_or_on_their_way(state: &State) {
    if state.ended.is_some() {
        return;
    }
    for message in state.talk.iter().filter(|message| message.delivery.is_some()) {
        let heard = message.delivery == Some(Delivery::Heard);
        assert_eq!(!heard, state.unheard.contains(&message.id), "{message:?}");
        let waits = state.arbiter().is_none();
        assert!(heard || waits || is_on_its_way(state, message.id), "lost: {message:?}");
    }
}

fn is_on_its_way(state: &State, id: MessageId) -> bool {
    state.live_sessions().any(|session| session.unheard_words().contains(&id))
}

/// Reads the journal by itself, without the state: what stood when the mission was called complete?
fn completion_is_earned(stage: &Stage) {
    let mut judged: Option<(Verdict, Option<Arc<str>>)> = None;
    let (mut surveyed, mut brought, mut passed) = (None, None, 0);
    for entry in &stage.entries {
        let Fact::Session(_, fact) = &entry.fact else {
            if let Fact::Gate(_, fact) = &entry.fact {
                match fact {
                    GateFact::Claimed { .. } => (surveyed, brought, passed) = (None, None, 0),
                    GateFact::Surveyed(tree) => surveyed = Some(tree.clone()),
                    GateFact::Brought { commit } => brought = Some(commit.clone()),
                    GateFact::Receipt { receipt, .. } => passed += u32::from(receipt.passed()),
                    GateFact::Refused { .. } => surveyed = None,
                }
            }
            let Fact::Mission(MissionFact::Completed { proof }) = &entry.fact else { continue };
            let tree = surveyed.as_ref().expect("no completion without a survey");
            assert!(!tree.dirty, "completed on uncommitted work");
            assert_eq!(brought.as_ref(), Some(&tree.commit), "completed without the work");
            assert_eq!(judged, Some((Verdict::Pass, Some(tree.commit.clone()))), "completed without a pass");
            let checks = stage.state.charter.as_ref().map_or(0, |charter| charter.checks.len() as u32);
            assert_eq!(passed, checks, "completed without every receipt");
            assert_eq!(*proof == Proof::Proven, checks > 0);
            assert_eq!(stage.state.ended, Some(Ended::Completed(*proof)));
            continue;
        };
        match fact {
            SessionFact::Life(LifeFact::Summoned(profile)) if profile.role != Role::Arbiter => judged = None,
            SessionFact::Work(WorkFact::Judged { verdict, commit, .. }) => {
                // A fail sticks until another verifier comes.
                if !matches!(judged, Some((Verdict::Fail, _))) {
                    judged = Some((*verdict, commit.clone()));
                }
            }
            SessionFact::Life(LifeFact::Summoned(_))
            | SessionFact::Work(WorkFact::Spent { .. })
            | SessionFact::Turn(TurnFact::Prompted { .. })
            | SessionFact::Turn(TurnFact::Interjected(_))
            | SessionFact::Turn(TurnFact::InterjectionBecameTurn { .. })
            | SessionFact::Turn(TurnFact::Heard { .. })
            | SessionFact::Tool(ToolFact::Started { .. })
            | SessionFact::Tool(ToolFact::Ended { .. })
            | SessionFact::Context(ContextFact::Gauged(_))
            | SessionFact::Context(ContextFact::WarningSet { .. })
            | SessionFact::Context(ContextFact::Warned { .. })
            | SessionFact::Work(WorkFact::Tasks(_))
            | SessionFact::Life(LifeFact::SignOfLife)
            | SessionFact::Life(LifeFact::AwaitsHuman(_))
            | SessionFact::Life(LifeFact::Sandboxed(_))
            | SessionFact::Life(LifeFact::ProgramVersion(_))
            | SessionFact::Permission(PermissionFact::Asked { .. })
            | SessionFact::Permission(PermissionFact::AskedAgain { .. })
            | SessionFact::Tool(ToolFact::Denied { .. })
            | SessionFact::Permission(PermissionFact::Answered { .. })
            | SessionFact::Permission(PermissionFact::AnswerGiven { .. })
            | SessionFact::Permission(PermissionFact::Covered { .. })
            | SessionFact::Permission(PermissionFact::Unasked { .. })
            | SessionFact::Life(LifeFact::WaitsForPetition { .. })
            | SessionFact::Life(LifeFact::Waits(_))
            | SessionFact::Turn(TurnFact::Retried { .. })
            | SessionFact::Life(LifeFact::Revived)
            | SessionFact::Life(LifeFact::SilenceWatched { .. })
            | SessionFact::Context(ContextFact::Overflowed)
            | SessionFact::Context(ContextFact::HandoffAsked)
            | SessionFact::Context(ContextFact::TestamentAsked)
            | SessionFact::Turn(TurnFact::Interrupting { .. })
            | SessionFact::Turn(TurnFact::Rested { .. })
            | SessionFact::Turn(TurnFact::Malformed { .. })
            | SessionFact::Work(WorkFact::Logged { .. })
            | SessionFact::Work(WorkFact::AwaitsReply)
            | SessionFact::Life(LifeFact::Released) => {}
        }
    }
}

/// The dice do reach the end: a law about completion that never sees one would prove nothing.
#[test]
fn random_missions_reach_every_end() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut completed, mut cancelled, mut halted, mut refused) = (0, 0, 0, 0);
    let (mut allowed, mut given, mut covered) = (0, 0, 0);
    for _ in 0..256 {
        let (opening, dice) = (opening(), dice());
        let opening = opening.new_tree(&mut runner).expect("a strategy").current();
        let dice = dice.new_tree(&mut runner).expect("a strategy").current();
        let stage = each_step(&opening, &dice, |_, _, _, _| {});
        match stage.state.ended {
            Some(Ended::Completed(_)) => completed += 1,
            Some(Ended::Cancelled(_)) => cancelled += 1,
            Some(Ended::Failed(_) | Ended::Exhausted(_) | Ended::PlanOnly { .. }) | None => {}
        }
        let has = |wanted: fn(&Fact) -> bool| stage.entries.iter().any(|entry| wanted(&entry.fact));
        halted += u32::from(has(|fact| matches!(fact, Fact::Mission(MissionFact::Halted { .. }))));
        refused += u32::from(has(|fact| matches!(fact, Fact::Gate(_, GateFact::Refused { .. }))));
        let yes = |fact: &Fact| {
            matches!(
                fact,
                Fact::Session(_, SessionFact::Permission(PermissionFact::Answered { allowed: true, .. }))
            )
        };
        allowed += u32::from(has(yes));
        given += u32::from(has(|fact| {
            matches!(fact, Fact::Session(_, SessionFact::Permission(PermissionFact::AnswerGiven { .. })))
        }));
        covered += u32::from(has(|fact| {
            matches!(fact, Fact::Session(_, SessionFact::Permission(PermissionFact::Covered { .. })))
        }));
    }
    println!("of 256: completed {completed}, cancelled {cancelled}, halted {halted}, refused {refused}");
    println!("questions: allowed {allowed}, given after a fall {given}, covered {covered}");
    assert!(completed >= 5 && cancelled >= 5 && halted >= 5 && refused >= 5);
    assert!(allowed >= 5 && given >= 1 && covered >= 1);
}
