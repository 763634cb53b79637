//! Who is on the stage in missions that do not go straight: errors, deaths, petitions, heirs, plans that are doubted. Each
//! is told in words, and its past shows the same.

use std::sync::Arc;
use std::time::{Duration, Instant};

use insta::assert_snapshot;
use mind::conductor::execution::RunStatus;
use mind::conductor::state::RunKind;
use mind::fact::{HaltCause, LifeFact, MissionFact, SessionFact, TalkFact};
use mind::session::Profile;
use mind::talk::{Listener, MessageKind, Speaker};
use mind::{Entry, Fact, MessageId, SessionId};
use tui::decoration::Scene;
use tui::decoration::inside::{Human, Pose, ScrollPlace, caption};
use tui::screen::Time;
use tui::view_model::{Attachment, ViewModel};
use view::stage_event::StageEventKind;

use crate::booth::Booth;
use crate::concert;

/// Who is on the stage, in words.
fn told(booth: &Booth) -> String {
    booth.scene().map_or("nobody".to_owned(), |scene| caption::tell(&scene).join("\n"))
}

fn poses(booth: &Booth) -> Vec<Pose> {
    booth.scene().map_or(Vec::new(), |scene| scene.demons.iter().map(|demon| demon.pose).collect())
}

/// How often the human was asked.
fn asked(booth: &Booth) -> usize {
    booth.stage_events().until(u64::MAX).iter().filter(|cue| cue.kind == StageEventKind::Asked).count()
}

#[test]
fn a_successor_does_not_speak_with_the_voice_of_the_one_before() {
    let mut booth = Booth::play("at work\nlater 1m\norchestrator handoff: I go.");
    assert_eq!(poses(&booth), [Pose::Speaks]);
    booth.happens("arbiter summon_orchestrator: Another.");
    assert_eq!(poses(&booth), [Pose::Spent, Pose::Thinks]);
    booth.happens("orchestrator introduction: I am.");
    assert_eq!(poses(&booth), [Pose::Spent, Pose::Speaks]);
}

#[test]
fn what_is_put_off_is_no_work() {
    for (trouble, over) in [
        ("orchestrator fails: 500", "alarm"),
        ("orchestrator unauthorised: who are you", "human resume"),
        ("lost orchestrator: it died", "alarm"),
    ] {
        let mut booth = Booth::play("at work\norchestrator tool Edit a.rs\nlater 9s");
        assert_eq!(poses(&booth), [Pose::Works]);
        booth.happens(trouble);
        assert_eq!(poses(&booth), [Pose::Waits], "{trouble}");
        assert!(!booth.is_alive(), "{trouble}: nothing happens until the wait is over");
        booth.happens(over);
        assert_eq!(poses(&booth), [Pose::Thinks], "{trouble}");
        assert!(booth.is_alive(), "{trouble}");
    }
}

#[test]
fn before_a_persons_word_nothing_boils() {
    let mut booth = Booth::play("at work\nlater 9s");
    assert!(booth.is_alive());
    booth.happens("orchestrator asks rm -rf build\nlater 9s");
    assert_eq!(poses(&booth), [Pose::Asks]);
    assert!(!booth.is_alive(), "it may wait all night");
}

#[test]
fn what_a_policy_says_is_said_by_nobody_on_the_stage() {
    let mut booth = Booth::play("at work\nlater 9s");
    let human = |booth: &Booth| booth.scene().map(|scene| scene.human);
    booth.happens("policy night: go on");
    assert_eq!(human(&booth), Some(Human::Looks));
    booth.happens("human: go on");
    assert_eq!(human(&booth), Some(Human::Speaks));
}

#[test]
fn a_pause_is_told() {
    let mut booth = Booth::play("at work\nlater 9s\nhuman pause");
    assert!(told(&booth).contains("The mission is paused."), "{}", told(&booth));
    booth.happens("human cancel");
    assert!(!told(&booth).contains("paused"), "{}", told(&booth));
}

#[test]
fn the_end_stands_where_no_smoke_is() {
    let done = Booth::play("claimed\nsurveyed c2\ncheck pass\nbrought");
    assert!(poses(&done).is_empty() && done.scene().is_some_and(|scene| scene.ending.is_some()));
    // Whoever was at work is dismissed with the mission.
    let cancelled = Booth::play("at work\nlater 9s\nhuman cancel");
    assert_eq!(poses(&cancelled), [Pose::Leaves(0)]);
}

#[test]
fn time_goes_on_and_back_on_the_scenes_own_page() {
    let mut booth = Booth::play("at work\nlater 9s").seated(Attachment::Replay);
    booth.press("v > > >");
    assert_eq!(booth.screen.time.map(|time| time.seq), Some(4));
    booth.press("< Space");
    assert_eq!(booth.screen.time, Some(Time { seq: 3, playing: true }));
    assert!(booth.screen.overlay.is_some());
}

#[test]
fn a_mission_that_was_halted_stands_still_in_the_past_too() {
    let mut booth = Booth::play("at work\nlater 9s");
    assert!(booth.scene().is_some_and(|scene| scene.boils));
    booth.told([Fact::Mission(MissionFact::Halted {
        why: Arc::from("no disk"),
        cause: HaltCause::Workspace,
    })]);
    assert!(booth.scene().is_some_and(|scene| !scene.boils));
}

#[test]
fn what_goes_to_the_docket_was_asked_already() {
    let mut booth =
        Booth::play("open docket\nsettled\narbiter address_human asks alignment: Shall it begin?");
    assert_eq!(asked(&booth), 1);
    booth.happens("unattended");
    assert_eq!(booth.state().open_petitions().count(), 1);
    assert_eq!(asked(&booth), 1);
}

#[test]
fn what_an_agent_asked_in_the_docket_is_seen_in_the_past_too() {
    let mut booth = Booth::play("at work\nlater 9s");
    let before = asked(&booth);
    booth.happens("orchestrator pleads push Which way? [left, right]");
    assert_eq!(asked(&booth), before + 1);
    let raised = booth.last();
    booth.happens("later 9s\norchestrator progress: I go on.");
    booth.screen.time = Some(Time { seq: raised, playing: false });
    assert_snapshot!(told(&booth), @"
    The Wanderer is wanted: 1 decision waits.
    Orchestrator I thinks.
    The Arbiter reads the spellbook.
    The cauldron boils.
    ");
}

#[test]
fn a_plan_that_its_maker_doubts_is_nothing_to_cheer_at() {
    let mut booth = Booth::play("at work\nlater 1m");
    booth.told([Fact::Mission(MissionFact::PlanOnly { confident: false })]);
    booth.happens("later 9s");
    assert_snapshot!(told(&booth), @"
    The plan is made, but its maker is not sure of it.
    The Arbiter rests.
    ");
    assert_eq!(booth.stage_events().until(u64::MAX).last().map(|cue| cue.kind), Some(StageEventKind::Failed));
}

#[test]
fn a_crowd_is_dismissed_in_one_sentence() {
    let mut booth = Booth::play("summoned");
    for number in 1..25 {
        booth.happens("arbiter summon_orchestrator: Another.\norchestrator introduction: I am.");
        // One in ten does something, so that this is no standstill.
        if number % 10 == 0 {
            booth.happens(&format!("orchestrator tasks [ ] Task {number}"));
        }
    }
    booth.happens("later 1m\nhuman release");
    assert_snapshot!(told(&booth), @"
    Orchestrator XXV and 24 before it are dismissed.
    The Arbiter thinks.
    The cauldron boils.
    ");
}

#[test]
fn an_heir_of_the_arbiter_changes_nothing_on_the_stage() {
    let mut booth = Booth::play("at work\nlater 9s");
    let before = booth.scene().map(|scene| (scene.demons, scene.crowd));
    let arbiters = booth.state().sessions.len();
    for _ in 0..9 {
        booth.happens("lost arbiter: it died\nalarm");
    }
    assert!(booth.state().sessions.len() > arbiters, "an heir came");
    assert_eq!(booth.scene().map(|scene| (scene.demons, scene.crowd)), before);
}

#[test]
fn whoever_comes_without_a_scroll_is_shown_without_one() {
    let mut booth = Booth::new(Attachment::House);
    let mut charter = concert::charter();
    charter.scroll.name = mind::charter::Requirements::NONE.to_owned();
    booth.told([Fact::Mission(MissionFact::Opened(Box::new(charter)))]);
    assert_eq!(booth.stage_events().until(u64::MAX), []);
    assert_eq!(booth.scene().map(|scene| scene.scroll), Some(ScrollPlace::Nowhere));
    assert!(!told(&booth).contains("scroll"));
}

#[test]
fn agents_that_take_turns_within_a_moment_are_no_successors() {
    let booth = concert::at_work();
    let (mut state, mut cues) = (booth.state().clone(), booth.stage_events().clone());
    let ended = concert::execution(4, "developer", Some(1), RunStatus::Success, "It answers.");
    let facts =
        concert::ends(ended, None).into_iter().chain(concert::begins(5, "tester", None, RunKind::Work));
    for (seq, fact) in (booth.last() + 1..).zip(facts) {
        let (before, entry) = (state.clone(), Entry { at: booth.state().now, fact });
        state.apply(&entry);
        cues.tell(seq, &entry, &before, &state);
    }
    let last = cues.until(u64::MAX).last().map(|cue| (cue.kind, cue.band, cue.crowd));
    assert_eq!(last, Some((StageEventKind::Summoned(SessionId(5)), SessionId(5), 1)));
}

/// A mission in which much goes wrong, line by line.
const ROUGH: &str = "
    open checks \"cargo test\"
    settled
    arbiter address_human asks alignment: Shall it begin?
    human: yes
    arbiter summon_orchestrator: I call one.
    orchestrator introduction: I am.
    arbiter address_orchestrator: Go.
    orchestrator tool Edit a.rs
    orchestrator asks curl x [curl]
    human yes q1
    orchestrator fails: 500
    alarm
    orchestrator limited +45m: usage limit reached
    alarm
    orchestrator handoff: I go.
    arbiter summon_orchestrator: Another.
    orchestrator introduction: I am.
    human release
    arbiter summon_orchestrator: A third.
    orchestrator introduction: I am.
    arbiter summon_orchestrator agent verifier: Judge.
    human pause
    human cancel
";

#[test]
fn a_rough_mission_is_the_same_in_its_past() {
    let mut live = Booth::new(Attachment::House);
    let mut seen: Vec<(u64, Option<Scene>)> = Vec::new();
    for line in ROUGH.lines().map(str::trim).filter(|line| !line.is_empty()) {
        live.happens(line);
        // At the moment of the fact: time has gone on since.
        let scene = live.looks(|model| Scene::of(&ViewModel { now: model.state.now, ..model }));
        seen.push((live.last(), scene));
    }
    assert!(live.state().ended.is_some(), "it was told to its end");
    let mut replay = live.seated(Attachment::Replay);
    for (seq, scene) in seen {
        for booth in [&mut live, &mut replay] {
            booth.screen.time = Some(Time { seq, playing: false });
            assert_eq!(booth.scene(), scene, "fact {seq}");
        }
    }
}

/// A mission with so many Orchestrators, each the successor of the one before, and so many words.
fn drawn_out(sessions: u32, words: u32) -> Booth {
    let mut booth = Booth::play("at work");
    let worker = booth.state().worker().expect("a worker").profile.clone();
    let first = worker.session.0;
    for number in first + 1..first + sessions {
        let profile = Profile { session: SessionId(number), ..Profile::clone(&worker) };
        booth.told([
            Fact::Session(SessionId(number), SessionFact::Life(LifeFact::Summoned(profile))),
            Fact::Session(SessionId(number - 1), SessionFact::Life(LifeFact::Released)),
        ]);
    }
    let said = booth.state().talk.len() as u32;
    booth.told((1..=words).map(|number| {
        Fact::Talk(TalkFact::Said {
            message: MessageId(said + number),
            from: Speaker::Orchestrator(1),
            to: Listener::Arbiter,
            kind: MessageKind::Plain,
            text: Arc::from("On and on."),
            asks: None,
            decisions: Vec::new(),
        })
    }));
    booth
}

/// How long it takes to know the stage a hundred times, at best.
fn cost(booth: &Booth) -> Duration {
    booth.looks(|model| {
        let rounds = (0..9).map(|_| {
            let began = Instant::now();
            assert!((0..100).all(|_| Scene::of(&model).is_some()));
            began.elapsed()
        });
        rounds.min().unwrap_or_default()
    })
}

#[test]
fn a_long_mission_is_known_as_soon_as_a_short_one() {
    let (short, long) = (drawn_out(30, 300), drawn_out(2_000, 20_000));
    assert_eq!(long.scene().map(|scene| (scene.crowd, scene.demons.len())), Some((2_000, 24)));
    let (short, long) = (cost(&short), cost(&long));
    assert!(long < short * 3, "a hundred times in {short:?}, in a long mission {long:?}");
}
