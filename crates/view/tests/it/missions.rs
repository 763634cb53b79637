//! A mission as programs and as people get it, both from one value: a council with a permission to give, and a conducted
//! mission after every fact of the golden file.

use mind::conductor::ConductorFact;
use mind::fact::MissionFact;
use mind::play::Stage;
use mind::{Entry, Fact, MissionId, State, Timestamp};
use view::mission::{MissionMoment, MissionView};
use view::tone::Tone;

/// Every form of a fact.
const FACTS: &str = include_str!("../../../mind/tests/it/facts.golden.jsonl");

const AT_WORK: &str = r##"
    open checks "cargo test" scroll "# Sign in"
    restart
    settled
    arbiter housed bubblewrap
    arbiter gauge 9000/200000
    arbiter raw {"intent":"address_human","message":"Shall I begin?","asks":"alignment"}
    human: yes
    arbiter heard
    arbiter summon_orchestrator: So it shall be.
    orchestrator heard
    orchestrator housed bubblewrap
    orchestrator gauge 150000/200000
    orchestrator introduction: Shared session store or stateless?
    arbiter address_orchestrator: Stateless.
    orchestrator tasks [x] Read the scroll | [~] Google sign-in
    orchestrator heard
    orchestrator asks curl https://api.github.com/meta [curl]
"##;

fn council() -> State {
    let mut stage = Stage::new();
    for line in AT_WORK.lines().map(str::trim).filter(|line| !line.is_empty()) {
        stage.set_up(line);
    }
    stage.state
}

/// A conducted mission with everything the golden file knows of a conductor, before it ended.
fn conducted() -> State {
    let facts: Vec<Fact> =
        FACTS.lines().map(|line| serde_json::from_str(line).expect("a golden line is a fact")).collect();
    let opens = |fact: &&Fact| matches!(fact, Fact::Mission(MissionFact::Opened(charter)) if charter.conducting.is_some());
    let clone = |fact: &&Fact| matches!(fact, Fact::Mission(MissionFact::CloneReady { .. }));
    let runs = |fact: &&Fact| matches!(fact, Fact::Conductor(ConductorFact::RunPrepared(_)));
    let conductor = facts.iter().filter(|fact| matches!(fact, Fact::Conductor(_)));
    let first = facts.iter().find(opens).into_iter().chain(facts.iter().find(clone));
    let mut state = State::default();
    // The last run of the file is ended there; here another is at work.
    for (at, fact) in (1..).zip(first.chain(conductor).chain(facts.iter().find(runs))) {
        state.apply(&Entry { at: Timestamp(at * 1000), fact: fact.clone() });
    }
    state
}

fn view(state: &State, process: Option<u32>) -> MissionView {
    let id = MissionId("2026-11-18-k3f9".into());
    let now = Timestamp(state.now.0 + 5_000);
    MissionView::of(MissionMoment { id: &id, state, process, discarded: false, now })
}

#[test]
fn programs_get_the_names_and_values_that_they_know() {
    let value = serde_json::to_value(view(&council(), Some(77))).expect("it is data");
    insta::assert_snapshot!(serde_json::to_string_pretty(&value).expect("text"));
    let value = serde_json::to_value(view(&conducted(), Some(77))).expect("it is data");
    insta::assert_snapshot!(serde_json::to_string_pretty(&value).expect("text"));
}

#[test]
fn people_get_sentences() {
    let mut text = String::new();
    for view in [view(&council(), Some(77)), view(&council(), None), view(&conducted(), Some(77))] {
        text.push_str(&format!("{}: {}\n{}\n", view.title, view.standing, view.now.text));
        text.push_str(&format!("yes: {:?}, tools: {:?}, work: {:?}\n", view.yes, view.tools, view.work));
        for session in &view.sessions {
            let full = session.fullness.as_ref().map(|full| format!("{} {:?}", full.words, full.tone));
            let (who, role, doing) = (&session.who, session.role_words, &session.doing);
            text.push_str(&format!("{who}, {role}: {} {:?} {full:?}\n", doing.text, doing.tone));
        }
        for task in &view.tasks {
            text.push_str(&format!("{}: {}\n", task.owner, task.title));
        }
        for owed in &view.owed {
            text.push_str(&format!("owed by {}: {}\n", owed.by, owed.what));
        }
        if let Some(conductor) = &view.conductor {
            text.push_str(&format!("run {:?}, error {:?}\n", conductor.run, conductor.error));
            for step in conductor.plan.iter().flat_map(|plan| &plan.steps) {
                text.push_str(&format!("step {} {}: {}\n", step.number, step.description, step.standing));
            }
            if let Some(made) = &conductor.last_decision {
                let (words, by, why, when) = (&made.words, &made.by, &made.why, &made.when);
                text.push_str(&format!("move {words}, {by}, {when}: {why} {:?}\n", made.because));
            }
            for limit in &conductor.spent {
                text.push_str(&format!("{} {}\n", limit.name, limit.words()));
            }
            text.extend(conductor.objections.iter().map(|objection| objection.counted() + "\n"));
        }
        text.push('\n');
    }
    insta::assert_snapshot!(text);
}

/// What a door far from the desk shows at a glance.
#[test]
fn the_last_words_are_those_of_others() {
    let mut stage = Stage::new();
    AT_WORK.lines().map(str::trim).filter(|line| !line.is_empty()).for_each(|line| stage.set_up(line));
    let said = view(&stage.state, Some(77)).last_words.expect("words");
    assert_eq!((said.from.as_str(), &*said.text), ("Arbiter", "Stateless."));
    stage.set_up("human: Go on, please.");
    let view = view(&stage.state, Some(77));
    assert_eq!(view.last_words, Some(said), "the person knows what they said");
    assert!(!view.paused && !view.took.is_empty());
}

/// A person who cancels is named in words, and in the token that programs know.
#[test]
fn a_cancelled_mission_names_who_cancelled() {
    let mut state = council();
    let by = mind::actor::Actor::human(mind::actor::Door::Cli, "ada");
    state.apply(&Entry { at: state.now, fact: Fact::Mission(MissionFact::Cancelled { by }) });
    let view = view(&state, None);
    assert_eq!(view.status, "cancelled by human:cli:ada");
    assert_eq!(view.standing, "cancelled by ada, at the command line");
    assert_eq!(view.now.text, "Cancelled by ada, at the command line.");
}

/// "At work" is said of a session that works, and of no other.
#[test]
fn a_session_that_does_not_work_is_not_told_as_at_work() {
    let doing = |lines: &[&str], process| {
        let mut stage = Stage::new();
        lines.iter().for_each(|line| stage.set_up(line));
        let view = view(&stage.state, process);
        let session = view.sessions.last().expect("a session");
        (session.doing.text.clone(), session.busy)
    };
    let told = |text: &str, busy| (text.to_owned(), busy);
    assert_eq!(doing(&["at work"], Some(77)), told("at work", true));
    assert_eq!(doing(&["at work"], None), told("stopped in mid-turn", false));
    let limited = ["at work", "orchestrator limited +1h: usage limit"];
    assert_eq!(doing(&limited, Some(77)), told("retrying in 59m", false));
    assert_eq!(doing(&limited, None), told("stopped in mid-turn", false));
    let waits = ["open docket", "at work", "unattended", "orchestrator pleads push Which stone?"];
    let asked = [&waits[..], &["orchestrator pleads await 1"]].concat();
    let (text, busy) = doing(&asked, Some(77));
    assert!(text.starts_with("at work, waits for petition m") && busy, "{text}");
    let (text, busy) = doing(&[&asked[..], &["orchestrator progress: I rest."]].concat(), Some(77));
    assert!(text.starts_with("waits for petition m") && !busy, "{text}");
}

/// What is only guessed is shown as that, and alarms nobody.
#[test]
fn a_guessed_window_is_shown_as_a_guess() {
    for (line, words, tokens, tone) in [
        ("orchestrator gauge 190000/~200000", "~95% full", "190.0k of ~200.0k", Tone::Quiet),
        ("orchestrator gauge 190000/200000", "95% full", "190.0k of 200.0k", Tone::Bad),
    ] {
        let mut stage = Stage::new();
        ["at work", line].iter().for_each(|line| stage.set_up(line));
        let view = view(&stage.state, Some(77));
        let full = view.sessions.last().and_then(|session| session.fullness.clone()).expect("a gauge");
        assert_eq!((full.words.as_str(), full.tokens.as_str(), full.tone), (words, tokens, tone));
    }
}
