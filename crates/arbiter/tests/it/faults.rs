//! Every fault of the council's table once with real processes and real time, shortened by configuration: an actor that
//! fails, hangs, dies, floods its pipe. Each mission must come to its end, and nobody may be left.

use std::fs;
use std::process::Child;

use mind::fact::{LifeFact, SessionFact, TalkFact, TurnFact};
use mind::limits::BATCH_EVENTS_MAX;
use mind::session::{QueuedMessage, WaitKind};
use mind::{Entry, Fact, Timestamp};
use sim::{BridgeScript, Theatre};

use crate::BINARY;

/// A mission in a world of its own.
struct Mission {
    theatre: Theatre,
    house: Child,
}

/// The bridge, whose Orchestrator I first takes these steps.
fn bridge(steps: &str) -> BridgeScript {
    BridgeScript::new().with_human().does(steps).audited_by_hand()
}

/// Begins the bridge with these steps.
fn begin(steps: &str) -> Mission {
    begin_with("", bridge(steps))
}

fn begin_with(config: &str, script: BridgeScript) -> Mission {
    let theatre = Theatre::rehearsing(BINARY, script);
    theatre.configure(config);
    let house = theatre.start_rehearsal(&["--headless", "--yes"]);
    Mission { theatre, house }
}

impl Mission {
    /// Waits for the end: it must be a good one.
    fn complete(self) -> Past {
        let ended = self.house.wait_with_output().expect("it ends");
        let entries = self.theatre.entries(&self.theatre.mission());
        let err = String::from_utf8_lossy(&ended.stderr);
        let all: Vec<String> = entries.iter().map(|entry| entry.fact.to_string()).collect();
        assert_eq!(ended.status.code(), Some(0), "{err}\n{}", all.join("\n"));
        self.theatre.assert_nobody_left();
        Past { theatre: self.theatre, entries }
    }
}

/// What a mission has left behind.
struct Past {
    theatre: Theatre,
    entries: Vec<Entry>,
}

impl Past {
    /// All facts of these kinds, each as its first words: as many as its kind is given with.
    fn trail(&self, kinds: &[&str]) -> Vec<String> {
        let lines = self.entries.iter().map(|entry| entry.fact.to_string());
        let short = lines.filter_map(|line| {
            let kind = kinds.iter().find(|kind| line.starts_with(kind.trim_end_matches(" _")))?;
            Some(line.split(' ').take(kind.split(' ').count()).collect::<Vec<_>>().join(" "))
        });
        short.collect()
    }

    fn at(&self, pick: impl Fn(&SessionFact) -> bool) -> Timestamp {
        let found =
            self.entries.iter().find(|entry| matches!(&entry.fact, Fact::Session(_, fact) if pick(fact)));
        found.expect("such a fact").at
    }

    /// Until when a session waited, and why.
    fn wait(&self, kind: WaitKind) -> (Timestamp, String) {
        let waits = self.entries.iter().filter_map(|entry| match &entry.fact {
            Fact::Session(_, SessionFact::Life(LifeFact::Waits(wait))) if wait.kind == kind => {
                Some((wait.until, wait.why.to_string()))
            }
            Fact::Session(..)
            | Fact::Mission(_)
            | Fact::Talk(_)
            | Fact::Gate(..)
            | Fact::Docket(..)
            | Fact::Conductor(_) => None,
        });
        let waits: Vec<_> = waits.collect();
        assert_eq!(waits.len(), 1, "it waits once: {waits:?}");
        waits.into_iter().next().expect("there is one")
    }

    /// The Arbiter was told of a worker in these words.
    fn arbiter_was_told(&self, words: &str) -> bool {
        self.entries.iter().any(|entry| {
            matches!(&entry.fact, Fact::Talk(TalkFact::Queued { message: QueuedMessage::Report { text, .. } | QueuedMessage::Aside(text), .. })
                if text.contains(words))
        })
    }

    /// One prompt holds all these words.
    fn is_prompted(&self, words: &[&str]) -> bool {
        self.entries.iter().any(|entry| {
            matches!(&entry.fact, Fact::Session(_, SessionFact::Turn(TurnFact::Prompted { text, .. }))
                if words.iter().all(|words| text.contains(words)))
        })
    }

    fn notes(&self) -> String {
        fs::read_to_string(self.theatre.mission().join("notes.log")).unwrap_or_default()
    }
}

const WAITS: &[&str] = &["Waits _ _", "Retried _"];
const LIVES: &[&str] = &["SilenceWatched _ _ _", "Waits _ _", "Revived _"];

#[test]
fn a_transient_error_is_tried_again_after_a_moment() {
    let past = begin(r#"{fail: transient, why: "the line was cut"}"#).complete();
    assert_eq!(past.trail(WAITS), ["Waits s2 backoff", "Retried s2"]);
    let (until, why) = past.wait(WaitKind::Backoff);
    assert_eq!(why, "the line was cut");
    assert!(past.at(|fact| matches!(fact, SessionFact::Turn(TurnFact::Retried { .. }))) >= until);
}

#[test]
fn a_limit_is_waited_for_even_when_the_house_falls_meanwhile() {
    let mut mission = begin(r#"{fail: limit, why: "too many requests", after: 2s}"#);
    mission.theatre.waits_for("Waits s2 limit");
    mission.house.kill().expect("it can be killed");
    mission.house.wait().expect("it ends");
    let house = mission.theatre.start(&["resume", "--headless"]);
    let past = Mission { theatre: mission.theatre, house }.complete();
    let trail = past.trail(&["Waits _ _", "Retried _", "Restarted _ _"]);
    assert_eq!(trail, ["Restarted run 1", "Waits s2 limit", "Restarted run 2", "Retried s2"]);
    let (until, _) = past.wait(WaitKind::Limit);
    assert!(past.at(|fact| matches!(fact, SessionFact::Turn(TurnFact::Retried { .. }))) >= until);
}

#[test]
fn a_login_that_fails_ends_a_mission_without_a_person_and_the_next_start_tries_it_at_once() {
    let mut mission = begin(r#"{fail: login, why: "the key has expired"}"#);
    let ended = mission.house.wait().expect("it ends");
    assert_eq!(ended.code(), Some(5));
    let house = mission.theatre.start(&["resume", "--headless"]);
    let past = Mission { theatre: mission.theatre, house }.complete();
    let trail = past.trail(&["Waits _ _", "Retried _", "Halted _", "Restarted _ _"]);
    let expected = ["Restarted run 1", "Waits s2 login", "Halted provider:", "Restarted run 2", "Retried s2"];
    assert_eq!(trail, expected);
}

#[test]
fn a_refused_turn_is_for_the_arbiter_to_judge() {
    let told = r#"says: {intent: address_orchestrator, message: "Then go another way."}"#;
    let past = begin_with("", bridge(r#"{fail: refused, why: "not this"}"#).then(&[told])).complete();
    assert_eq!(past.trail(WAITS), [""; 0]);
    assert!(past.arbiter_was_told("Its provider refused the turn: not this"));
}

#[test]
fn a_session_that_hangs_is_nudged_interrupted_killed_and_goes_on() {
    let past = begin_with("silence: 2s\n", bridge("{hang: true}")).complete();
    let ladder = [
        "SilenceWatched s2 stage 1",
        "SilenceWatched s2 stage 2",
        "SilenceWatched s2 stage 3",
        "Waits s2 revival",
        "Revived s2",
    ];
    assert_eq!(past.trail(LIVES), ladder);
    assert!(past.arbiter_was_told("was taken up again"));
}

#[test]
fn a_session_that_dies_once_is_taken_up_again() {
    let past = begin("{die: 3}").complete();
    assert_eq!(past.trail(LIVES), ["Waits s2 revival", "Revived s2"]);
    let (_, why) = past.wait(WaitKind::Revival);
    assert_eq!(why, "the process is gone (exit status: 3)");
}

#[test]
fn a_session_that_always_dies_is_lost_and_another_comes() {
    let told = [
        "says: {intent: summon_orchestrator, message: Another.}",
        "says: {intent: address_orchestrator, message: Write bridge.txt.}",
    ];
    let lost = [
        "says: {kind: introduction, expects_response: true, message: I am doomed.}",
        "does: [{write: half.txt, text: half}, {die: 1, always: true}]\n\
         says: {kind: handoff, expects_response: true, message: Never.}",
    ];
    let script = bridge("{tool: Read, on: half.txt}").then(&told).preceded_by(&lost);
    let past = begin_with("silence: 2s\n", script).complete();
    let lives = ["Waits s2 revival", "Revived s2"].repeat(3);
    assert_eq!(past.trail(LIVES), lives);
    assert!(past.arbiter_was_told("It is lost: its process ended again and again"));
}

#[test]
fn a_flood_is_survived_in_bounded_batches() {
    let past = begin("{flood: 5000}").complete();
    assert_eq!(past.trail(&["ToolStarted s2 Flood"]).len(), 2500);
    for batch in past.theatre.batches(&past.theatre.mission()) {
        assert!(batch.len() <= 2 * BATCH_EVENTS_MAX, "{} facts at once", batch.len());
    }
}

#[test]
fn an_output_that_cannot_be_read_is_asked_for_again() {
    let past = begin("{malformed: true}").complete();
    assert_eq!(past.trail(&["Malformed _"]), ["Malformed s2:"]);
}

#[test]
fn a_rest_that_is_told_twice_counts_once() {
    let twice = "does: [{twice: true}]\nspent: {input: 1200, output: 90}";
    let past = begin_with("", bridge("{stir: true}, {stir: true}").introduced(twice)).complete();
    let rests = past.trail(&["Rested _ _"]);
    let mut once = rests.clone();
    once.dedup();
    assert_eq!(rests, once);
    assert_eq!(past.trail(&["Spent _ _"]), ["Spent s2 1200"], "what it took is booked once");
    assert!(past.notes().contains("which is not in flight"), "{}", past.notes());
    assert!(past.notes().contains("tells its usage"), "{}", past.notes());
    assert_eq!(past.trail(&["SignOfLife _"]), ["SignOfLife s2"], "once a minute is enough");
}

#[test]
fn waiting_for_a_person_is_no_silence() {
    let steps = "{awaits_human: true}, {run: [sleep, '3']}, {awaits_human: false}";
    let past = begin_with("silence: 1s\ntool_silence: 1s\n", bridge(steps)).complete();
    assert_eq!(past.trail(&["AwaitsHuman _ _ _"]), ["AwaitsHuman s2", "AwaitsHuman s2 no longer"]);
    assert_eq!(past.trail(LIVES), [""; 0]);
}

#[test]
fn an_overflowing_context_is_interrupted_and_asked_for_its_handoff() {
    let past = begin("{gauge: 190000}, {run: [sleep, '1']}").complete();
    let trail = past.trail(&["Overflowed _", "Interrupting _ _ _", "HandoffAsked _"]);
    assert_eq!(trail, ["Overflowed s2", "Interrupting s2 by policy:overflow", "HandoffAsked s2"]);
}

/// The bridge, whose Arbiter takes these turns instead of its summons and no more: an heir plays the rest.
fn inherited(last: &[&str]) -> BridgeScript {
    let came = "does: [{write: came, text: here}]";
    bridge("{tool: Read, on: came}").introduced(came).inherited_after(last)
}

const HEIR: &[&str] = &["TestamentAsked _", "Summoned _", "Revived _", "Released s1"];

/// The testament waits for the introduction of Orchestrator I, so that the heir finds it in its first prompt.
#[test]
fn the_arbiter_leaves_a_testament_and_its_heir_completes_the_mission() {
    let last = [
        "does: [{gauge: 150000}]\nsays: {intent: summon_orchestrator, message: Let one come.}",
        "does: [{run: [sh, -c, 'until test -f came; do sleep 0.1; done; sleep 0.5']}]\n\
         says: {intent: musings, message: The vision is a bridge.}",
    ];
    let past = begin_with("", inherited(&last)).complete();
    let course =
        ["Summoned s1", "Summoned s2", "TestamentAsked s1", "Released s1", "Summoned s3", "Summoned s4"];
    assert_eq!(past.trail(HEIR), course);
    assert!(past.is_prompted(&["The vision is a bridge.", "I am Orchestrator I."]), "the heir is told both");
}

#[test]
fn an_arbiter_that_always_dies_has_an_heir_who_completes_the_mission() {
    let last = [
        "says: {intent: summon_orchestrator, message: Let one come.}",
        "does: [{die: 1, always: true}]\nsays: {intent: musings, message: Never.}",
    ];
    let past = begin_with("silence: 2s\n", inherited(&last)).complete();
    let revived = ["Revived s1"].repeat(3);
    let course =
        [&["Summoned s1", "Summoned s2"], &revived[..], &["Released s1", "Summoned s3", "Summoned s4"]];
    assert_eq!(past.trail(HEIR), course.concat());
    assert!(past.is_prompted(&["it was lost before it could leave one", "I am Orchestrator I."]));
}
