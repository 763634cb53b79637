//! What can be seen and heard comes from facts, and so does who is on the stage: both are told in words here.

use std::sync::Arc;

use insta::assert_snapshot;
use mind::conductor::execution::RunStatus;
use mind::conductor::state::RunKind;
use mind::fact::MissionFact;
use mind::{Fact, Timestamp};
use tui::decoration::inside::{Pose, ScrollPlace, caption};
use tui::manner::{Character, Motion};
use tui::screen::Time;
use tui::view_model::Attachment;

use crate::booth::Booth;
use crate::{concert, plays};

/// The cues since the fact `from`: each with the band that stands after it.
fn cues(booth: &Booth, from: u64) -> String {
    let since = booth.stage_events().until(booth.last()).iter().filter(|cue| cue.seq > from);
    since.map(|cue| format!("{:?} band {}\n", cue.kind, cue.band.0)).collect()
}

/// The cues of what happens next.
fn happens(booth: &mut Booth, script: &str) -> String {
    let known = booth.last();
    booth.happens(script);
    cues(booth, known)
}

/// Who is on the stage, in words.
fn told(booth: &Booth) -> String {
    booth.scene().map_or("nobody".to_owned(), |scene| caption::tell(&scene).join("\n"))
}

#[test]
fn the_requirements_arrive_and_then_lie_there() {
    let mut booth = Booth::new(Attachment::House);
    assert_eq!(told(&booth), "nobody");
    assert_snapshot!(happens(&mut booth, "open"), @"Scroll band 0");
    assert_eq!(booth.scene().map(|scene| scene.scroll), Some(ScrollPlace::Comes(0)));
    booth.happens("later 1s");
    assert_eq!(booth.scene().map(|scene| scene.scroll), Some(ScrollPlace::Comes(25)));
    booth.happens("later 3s");
    assert_eq!(booth.scene().map(|scene| scene.scroll), Some(ScrollPlace::Lies));
}

#[test]
fn the_arbiter_speaks_and_the_human_is_wanted() {
    let mut booth = Booth::play("open\nsettled");
    assert_snapshot!(told(&booth), @"
    The Arbiter thinks.
    A scroll arrives.
    The cauldron boils.
    ");
    let asks = "arbiter address_human asks alignment: Shall it begin?";
    assert_snapshot!(happens(&mut booth, asks), @"
    ArbiterSpoke band 0
    Asked band 0
    ");
    assert_snapshot!(told(&booth), @"
    The Wanderer is wanted: 1 decision waits.
    The Arbiter speaks.
    A scroll arrives.
    ");
    booth.happens("later 3s");
    assert_snapshot!(told(&booth), @"
    The Wanderer is wanted: 1 decision waits.
    The Arbiter rests.
    A scroll arrives.
    ");
    assert_snapshot!(happens(&mut booth, "human: yes"), @"HumanSpoke band 0");
    assert_snapshot!(told(&booth), @"
    The Wanderer speaks.
    The Arbiter thinks.
    A scroll arrives.
    The cauldron boils.
    ");
}

#[test]
fn an_orchestrator_is_summoned_works_speaks_and_waits() {
    let mut booth = Booth::play("aligned");
    assert_snapshot!(happens(&mut booth, "arbiter summon_orchestrator: I call one."), @"
    ArbiterSpoke band 0
    Summoned(SessionId(2)) band 2
    ");
    booth.happens("later 9s");
    assert_snapshot!(told(&booth), @"
    Orchestrator I thinks.
    The Arbiter reads the spellbook.
    The cauldron boils.
    ");
    assert_snapshot!(happens(&mut booth, "orchestrator introduction: I am."), @"WorkerSpoke band 2");
    assert_snapshot!(told(&booth), @"
    Orchestrator I speaks.
    The Arbiter reads the spellbook.
    The cauldron boils.
    ");
    booth.happens("later 9s");
    assert_snapshot!(told(&booth), @"
    Orchestrator I waits.
    The Arbiter reads the spellbook.
    The cauldron boils.
    ");
    booth.happens("arbiter address_orchestrator: Go.\norchestrator tool Edit a.rs\nlater 9s");
    assert_snapshot!(told(&booth), @"
    Orchestrator I works.
    The Arbiter reads the spellbook.
    The cauldron boils.
    ");
}

#[test]
fn a_successor_joins_those_before_it() {
    let mut booth = Booth::play("handed off\nlater 1m");
    assert_snapshot!(happens(&mut booth, "arbiter summon_orchestrator: Another."), @"
    ArbiterSpoke band 2
    Released(SessionId(2)) band 2
    Summoned(SessionId(3)) band 2
    ");
    booth.happens("later 9s");
    assert_snapshot!(told(&booth), @"
    Orchestrator II thinks.
    Orchestrator I is spent.
    The Arbiter reads the spellbook.
    The cauldron boils.
    ");
    for _ in 0..4 {
        booth.happens("orchestrator introduction: I am.\narbiter summon_orchestrator: Another.");
    }
    booth.happens("later 9s");
    assert_snapshot!(told(&booth), @"
    Orchestrator VI thinks.
    5 before it are spent.
    The Arbiter reads the spellbook.
    The cauldron boils.
    ");
    let scene = booth.scene().expect("a scene");
    assert_eq!((scene.crowd, scene.demons.len()), (6, 6));
}

#[test]
fn those_who_are_released_are_dismissed_and_the_next_one_begins_anew() {
    let mut booth = Booth::play("handed off\narbiter summon_orchestrator: Another.\nlater 1m");
    assert_snapshot!(happens(&mut booth, "human release"), @"Released(SessionId(3)) band 2");
    let poses = |booth: &Booth| {
        let scene = booth.scene().expect("a scene");
        scene.demons.iter().map(|demon| demon.pose).collect::<Vec<_>>()
    };
    assert_eq!(poses(&booth), [Pose::Leaves(0), Pose::Leaves(0)]);
    booth.happens("later 1s");
    assert_eq!(poses(&booth), [Pose::Leaves(1), Pose::Leaves(1)]);
    booth.happens("later 2s");
    assert_eq!(poses(&booth), []);
    assert_snapshot!(happens(&mut booth, "later 1m\narbiter summon_orchestrator: A third."), @"
    ArbiterSpoke band 2
    Summoned(SessionId(4)) band 4
    ");
    assert_eq!(poses(&booth).len(), 1);
}

#[test]
fn a_verifier_looks() {
    let mut booth = Booth::play("handed off\nlater 1m");
    let summons = "arbiter summon_orchestrator agent verifier: Let fresh eyes judge.";
    assert_snapshot!(happens(&mut booth, summons), @"
    ArbiterSpoke band 2
    Released(SessionId(2)) band 2
    Inspects(SessionId(3)) band 2
    ");
    booth.happens("later 9s");
    assert_snapshot!(told(&booth), @"
    Orchestrator II, the verifier, looks twice.
    Orchestrator I is spent.
    The Arbiter reads the spellbook.
    The cauldron boils.
    ");
}

#[test]
fn receipts_are_held_up_and_leave_their_seals() {
    let mut booth =
        Booth::play("open checks \"cargo test\" \"cargo fmt\"\nclaimed\nsurveyed c2\nbrought\nlater 1m");
    assert_snapshot!(happens(&mut booth, "check pass"), @"Receipt { passed: true } band 2");
    assert_snapshot!(told(&booth), @"
    A check passed.
    The Arbiter rests.
    ");
    assert_snapshot!(happens(&mut booth, "check fail 101: no"), @"
    Receipt { passed: false } band 2
    TurnedBack band 2
    ");
    assert_snapshot!(told(&booth), @"
    A check failed.
    The claim was turned back.
    The Arbiter thinks.
    The cauldron boils.
    Of 2 checks 1 failed.
    ");
    booth.happens("later 9s");
    assert_snapshot!(told(&booth), @"
    The Arbiter thinks.
    The cauldron boils.
    Of 2 checks 1 failed.
    ");
    assert_eq!(booth.scene().map(|scene| scene.seals), Some(vec![true, false]));
}

#[test]
fn a_tool_that_needs_a_yes_wants_the_human() {
    let mut booth = Booth::play("at work\nlater 9s");
    assert_snapshot!(happens(&mut booth, "orchestrator asks curl x [curl]"), @"Asked band 2");
    assert_snapshot!(told(&booth), @"
    The Wanderer is wanted: 1 decision waits.
    Orchestrator I waits for your word.
    The Arbiter reads the spellbook.
    ");
    assert_snapshot!(happens(&mut booth, "human yes q1"), @"");
    assert_snapshot!(told(&booth), @"
    Orchestrator I thinks.
    The Arbiter reads the spellbook.
    The cauldron boils.
    ");
}

#[test]
fn a_limit_puts_it_to_sleep() {
    let mut booth = Booth::play("at work\nlater 9s");
    assert_snapshot!(happens(&mut booth, "orchestrator limited +45m: usage limit reached"), @"Limited(SessionId(2)) band 2");
    assert_snapshot!(told(&booth), @"
    Orchestrator I sleeps until the limit is lifted.
    The Arbiter reads the spellbook.
    ");
    assert!(!booth.is_alive());
}

#[test]
fn every_end_is_seen() {
    let mut booth = Booth::play("claimed\nsurveyed c2\ncheck pass\nlater 1m");
    assert_snapshot!(happens(&mut booth, "brought"), @"
    ArbiterSpoke band 2
    Completed band 2
    ");
    assert_snapshot!(told(&booth), @"
    It is done and verified.
    The Wanderer cheers.
    The Arbiter speaks.
    ");
    let mut booth = Booth::play("at work\nlater 1m");
    assert_snapshot!(happens(&mut booth, "human cancel"), @"Cancelled band 2");
    assert_snapshot!(told(&booth), @"
    It was cancelled.
    The Wanderer lies down.
    Orchestrator I is dismissed.
    The Arbiter rests.
    ");
    booth.happens("later 9s");
    assert_snapshot!(told(&booth), @"
    It was cancelled.
    The Wanderer lies down.
    The Arbiter rests.
    ");
    for (fact, word) in [
        (MissionFact::Failed { why: Arc::from("no") }, "It failed."),
        (MissionFact::Exhausted { why: Arc::from("dear") }, "A limit of the mission was reached."),
        (MissionFact::PlanOnly { confident: true }, "The plan is made."),
    ] {
        let mut booth = Booth::play("at work\nlater 1m");
        booth.told([Fact::Mission(fact)]);
        assert_eq!(told(&booth).lines().next(), Some(word));
    }
}

#[test]
fn each_run_of_a_conducted_mission_is_a_demon() {
    let mut booth = concert::at_work();
    assert_snapshot!(cues(&booth, 0), @"
    Scroll band 0
    Summoned(SessionId(1)) band 1
    Released(SessionId(1)) band 1
    Summoned(SessionId(2)) band 2
    Released(SessionId(2)) band 2
    Summoned(SessionId(3)) band 3
    Released(SessionId(3)) band 3
    Summoned(SessionId(4)) band 4
    ");
    booth.happens("later 1m");
    assert_snapshot!(told(&booth), @"
    The developer works.
    The conductor reads the spellbook.
    The cauldron boils.
    ");
    let known = booth.last();
    booth.told(concert::ends(
        concert::execution(4, "developer", Some(1), RunStatus::Success, "It answers."),
        None,
    ));
    booth.happens("later 1s");
    booth.told(concert::begins(5, "tester", None, RunKind::Work));
    assert_snapshot!(cues(&booth, known), @"
    Released(SessionId(4)) band 4
    Summoned(SessionId(5)) band 5
    ");
    booth.happens("later 1m");
    assert_snapshot!(told(&booth), @"
    The tester waits.
    The conductor reads the spellbook.
    ");
}

#[test]
fn the_name_of_an_agent_is_only_text() {
    let mut booth = Booth::new(Attachment::House);
    booth.told([Fact::Mission(MissionFact::Opened(Box::new(concert::charter())))]);
    booth.told(concert::begins(1, &format!("a\u{1b}[2J\n\u{202e}{}", "x".repeat(900)), None, RunKind::Work));
    let words = told(&booth);
    assert!(!words.contains(['\u{1b}', '\u{202e}']), "{words:?}");
    assert!(words.lines().all(|line| line.len() < 80), "{words:?}");
}

#[test]
fn any_past_is_a_beginning_of_the_same() {
    let script: Vec<&str> = plays::AT_WORK.lines().chain(plays::QUESTION.lines()).collect();
    let mut live = Booth::new(Attachment::House);
    let mut seen = Vec::new();
    for line in script {
        live.happens(line);
        if live.at_fact() {
            seen.push((live.last(), live.stage_events().until(u64::MAX).to_vec(), live.scene()));
        }
    }
    assert!(seen.len() > 10);
    let mut replay = live.seated(Attachment::Replay);
    for (seq, cues, scene) in seen.iter().rev().filter(|(seq, ..)| *seq > 0) {
        assert_eq!(replay.stage_events().until(*seq), cues);
        replay.screen.time = Some(Time { seq: *seq, playing: false });
        assert_eq!(replay.scene(), *scene, "fact {seq}");
    }
    assert_eq!(live.stage_events().until(0), []);
}

#[test]
fn the_stage_is_alive_while_a_turn_runs_or_something_is_there_for_a_moment() {
    let mut booth = Booth::new(Attachment::House);
    assert!(!booth.is_alive());
    booth.happens("at work");
    booth.happens("later 1m");
    assert!(booth.is_alive());
    booth.manner.motion = Motion::Reduced;
    assert!(!booth.is_alive());
    booth.manner.motion = Motion::Full;
    booth.runs = false;
    assert!(!booth.is_alive(), "nobody runs it");
    booth.runs = true;
    booth.happens("human cancel");
    assert!(booth.is_alive());
    booth.happens("later 9s");
    assert!(!booth.is_alive());
    // What was there for a moment stands still in the past.
    booth.screen.time = Some(Time { seq: booth.last(), playing: false });
    assert!(!booth.seated(Attachment::Replay).is_alive());
}

#[test]
fn where_motion_is_reduced_things_are_there_at_once() {
    let mut booth = Booth::play("open");
    booth.manner.motion = Motion::Reduced;
    assert_eq!(booth.scene().map(|scene| scene.scroll), Some(ScrollPlace::Comes(100)));
    booth.happens("later 3s");
    assert_eq!(booth.scene().map(|scene| scene.scroll), Some(ScrollPlace::Comes(100)));
    // It will lie there in a moment, and that is to be drawn.
    assert!(booth.is_alive());
    booth.happens("at work\nlater 1m\nhuman release");
    let leaves = |booth: &Booth| booth.scene().and_then(|scene| Some(scene.demons.first()?.pose));
    assert_eq!(leaves(&booth), Some(Pose::Leaves(1)));
    booth.happens("later 1900ms");
    assert_eq!(leaves(&booth), Some(Pose::Leaves(1)));
    booth.happens("later 1s");
    assert_eq!(leaves(&booth), None);
    booth.happens("later 9s");
    assert!(!booth.is_alive(), "the Arbiter's turn runs, but nothing moves");
}

#[test]
fn the_person_is_shown_as_whom_they_chose() {
    let mut booth = Booth::play("open\nsettled\nhuman: Hello");
    booth.manner.character = Character::Cat;
    assert_eq!(told(&booth).lines().next(), Some("The Cat speaks."));
}

#[test]
fn a_clock_that_went_back_breaks_nothing() {
    let mut booth = Booth::play("at work");
    booth.told_at(Timestamp(0), Fact::Mission(MissionFact::Failed { why: Arc::from("no") }));
    assert!(told(&booth).starts_with("It failed."));
}
