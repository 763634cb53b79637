//! A mission and the docket: what it asks while nobody is at the terminal is answered from the command line, over falls of
//! the house too, and once.

use std::fs;
use std::path::PathBuf;
use std::process::Child;

use mind::Fact;
use mind::fact::MissionFact;
use serde_json::Value;
use sim::{BridgeScript, Seat, Theatre};

use crate::{BINARY, wait_until};

/// The bridge with a decision beside the yes, whose Orchestrator first takes this step.
fn script(step: &str) -> BridgeScript {
    let yes = r#"says: {intent: address_human, asks: alignment, message: "Shall it begin?", decisions: [
  {id: stone, title: "Which stone?", options: [{key: granite, label: Hard}, {key: slate, label: Flat}]}]}"#;
    BridgeScript::new().opens_with(&[yes]).does(step)
}

/// One tool asks: `touch asked`.
fn bridge() -> Theatre {
    Theatre::rehearsing(BINARY, script("{ask: [touch, asked]}"))
}

fn start(theatre: &Theatre) -> Child {
    theatre.start_rehearsal(&["--headless"])
}

/// What waits in the docket, by id and title.
fn inbox(theatre: &Theatre) -> Vec<(String, String)> {
    let ran = theatre.run(&["inbox", "--list", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let told: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out));
    let petitions = told["petitions"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    petitions.iter().map(|petition| (text(&petition["id"]), text(&petition["title"]))).collect()
}

/// The id of the petition whose title has these words, once it is there.
fn asked(theatre: &Theatre, words: &str) -> String {
    let mut id = None;
    wait_until(words, || {
        id = inbox(theatre).into_iter().find(|(_, title)| title.contains(words)).map(|(id, _)| id);
        id.is_some()
    });
    id.expect("it was found")
}

fn answer(theatre: &Theatre, words: &[&str]) -> String {
    let ran = theatre.run(&[&["answer"], words].concat());
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    ran.out
}

fn begin(theatre: &Theatre) {
    let yes = asked(theatre, "asks for your yes");
    answer(theatre, &[&yes, "align", "yes"]);
    answer(theatre, &[&yes, "stone", "slate", "--submit"]);
}

fn is_clean(theatre: &Theatre) {
    assert_eq!(inbox(theatre), [], "nothing of the mission is left");
    let ran = theatre.run(&["audit", "verify"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    theatre.assert_nobody_left();
}

#[test]
fn a_headless_mission_is_led_from_the_docket() {
    let theatre = bridge();
    let mut house = start(&theatre);
    begin(&theatre);
    let tool = asked(&theatre, "May Orchestrator I run: touch asked");
    let shown = theatre.run(&["inbox", "--list"]).out;
    assert!(shown.contains("touch asked"), "{shown}");
    answer(&theatre, &[&tool, "allow", "yes", "--submit"]);
    assert!(house.wait().expect("it ends").success());
    let told = theatre.lines_of(&["Consented", "Answered"]);
    assert_eq!(told, ["Consented by human:cli:tester", "Answered s2 q1 yes by human:cli:tester"]);
    let words = theatre.lines_of(&["Said"]);
    assert!(words.iter().any(|said| said.contains("yes / Which stone?: slate (Flat)")), "{words:#?}");
    is_clean(&theatre);
    let audit = theatre.run(&["audit"]).out;
    assert!(audit.contains("the agent arbiter") && audit.contains("tester, at the command line"), "{audit}");
}

#[test]
fn an_answer_while_nobody_runs_the_mission_is_heard_when_it_goes_on() {
    let theatre = bridge();
    let mut house = start(&theatre);
    begin(&theatre);
    let tool = asked(&theatre, "May Orchestrator I run");
    house.kill().expect("it can be killed");
    house.wait().expect("it is gone");
    let ran = theatre.run(&["answer", &tool, "allow", "--custom", "not today", "--submit"]);
    let id = theatre.mission_id();
    assert!(
        ran.out.contains(&format!("mission {id} is not running; it hears this when it goes on")),
        "{}",
        ran.out
    );
    assert!(ran.err.contains(&format!("hint: arbiter resume {id}")), "{}", ran.err);
    let ran = theatre.run(&["resume", "--headless"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_eq!(theatre.lines_of(&["Answered"]), ["Answered s2 q1 no by human:cli:tester: not today"]);
    assert_eq!(theatre.lines_of(&["DocketAsked"]).len(), 2, "nothing was asked twice");
    is_clean(&theatre);
}

#[test]
fn an_answer_at_another_door_withdraws_the_petition() {
    let theatre = bridge();
    let mut house = start(&theatre);
    begin(&theatre);
    let tool = asked(&theatre, "May Orchestrator I run");
    let id = theatre.mission_id();
    assert_eq!(theatre.run(&["mission", "allow", &id, "q1"]).code, Some(0));
    assert!(house.wait().expect("it ends").success());
    let told = theatre.run(&["status", &tool]).out;
    assert!(told.contains("withdrawn"), "{told}");
    // Somebody who had it open answers all the same: it is kept, and told to be late.
    let late = theatre.run(&["answer", &tool, "allow", "no"]);
    assert!(late.out.contains("late") || late.err.contains("late"), "{}{}", late.out, late.err);
    is_clean(&theatre);
}

#[test]
fn a_mission_that_is_cancelled_leaves_nothing_in_the_docket() {
    let theatre = bridge();
    let mut house = start(&theatre);
    asked(&theatre, "asks for your yes");
    let id = theatre.mission_id();
    assert_eq!(theatre.run(&["mission", "cancel", &id]).code, Some(0));
    assert_eq!(house.wait().expect("it ends").code(), Some(4));
    is_clean(&theatre);
}

#[test]
fn what_could_not_be_withdrawn_at_the_end_is_withdrawn_when_somebody_asks_for_the_mission() {
    let theatre = bridge();
    let mut house = start(&theatre);
    asked(&theatre, "asks for your yes");
    let id = theatre.mission_id();
    let queue = theatre.path().join("home/.arbiter/queue");
    let (own, aside) = (queue.join(".arbiter"), queue.join("aside"));
    fs::rename(&own, &aside).expect("it can be moved");
    fs::write(&own, "no folder").expect("it can be written");
    assert_eq!(theatre.run(&["mission", "cancel", &id]).code, Some(0));
    assert_eq!(house.wait().expect("it ends").code(), Some(4), "a docket out of order holds no end up");
    fs::remove_file(&own).expect("it can be removed");
    fs::rename(&aside, &own).expect("it can be moved");
    assert_eq!(inbox(&theatre).len(), 1, "it could not be withdrawn");
    assert_eq!(theatre.run(&["resume", &id, "--headless"]).code, Some(2), "it is over");
    is_clean(&theatre);
}

#[test]
fn a_mission_that_is_discarded_takes_its_questions_along() {
    let theatre = bridge();
    let mut house = start(&theatre);
    asked(&theatre, "asks for your yes");
    house.kill().expect("it can be killed");
    house.wait().expect("it is gone");
    let id = theatre.mission_id();
    let ran = theatre.run(&["discard", &id, "--yes"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    is_clean(&theatre);
}

fn file_of(theatre: &Theatre, id: &str) -> PathBuf {
    let folder = theatre.path().join("home/.arbiter/queue/pending");
    let files = fs::read_dir(folder).expect("the docket").flatten().map(|entry| entry.path());
    files.into_iter().find(|file| file.display().to_string().contains(id)).expect("its file")
}

#[test]
fn a_command_that_was_changed_in_the_file_allows_nothing() {
    let theatre = bridge();
    let mut house = start(&theatre);
    begin(&theatre);
    let tool = asked(&theatre, "May Orchestrator I run");
    // Somebody makes it look harmless before the person answers.
    let file = file_of(&theatre, &tool);
    let text = fs::read_to_string(&file).expect("a petition").replace("touch asked", "cat README.md");
    fs::write(&file, text).expect("it can be written");
    answer(&theatre, &[&tool, "allow", "yes", "--submit"]);
    let mut again = String::new();
    wait_until("it is asked anew", || {
        let found =
            inbox(&theatre).into_iter().find(|(id, title)| *id != tool && title.contains("touch asked"));
        again = found.map(|(id, _)| id).unwrap_or_default();
        !again.is_empty()
    });
    assert_eq!(theatre.lines_of(&["Answered"]), [""; 0], "nothing was allowed");
    answer(&theatre, &[&again, "allow", "no", "--submit"]);
    assert!(house.wait().expect("it ends").success());
    assert_eq!(theatre.lines_of(&["Answered"]), ["Answered s2 q1 no by human:cli:tester"]);
    theatre.assert_nobody_left();
}

#[test]
fn a_hand_that_writes_a_yes_into_the_file_allows_nothing() {
    let theatre = bridge();
    let mut house = start(&theatre);
    begin(&theatre);
    let tool = asked(&theatre, "May Orchestrator I run");
    let file = file_of(&theatre, &tool);
    let text = fs::read_to_string(&file).expect("a petition");
    let text = text.replace("status: pending\nanswer: null", "status: answered\nanswer: yes");
    fs::write(&file, text).expect("it can be written");
    let ran = theatre.run(&["submit", &tool]);
    assert_ne!(ran.code, Some(0), "{}", ran.out);
    answer(&theatre, &[&tool, "allow", "no", "--submit"]);
    assert!(house.wait().expect("it ends").success());
    assert_eq!(theatre.lines_of(&["Answered"]), ["Answered s2 q1 no by human:cli:tester"]);
    is_clean(&theatre);
}

#[test]
fn agents_do_not_see_the_docket_wherever_it_lies() {
    let theatre = bridge().with_config("docket: { dir: ~/questions/queue, headless: refuse }\n");
    let home = theatre.path().join("home");
    let look = format!(
        "{{run: [sh, -c, 'cat {0}/questions/ledger.jsonl {0}/questions/queue/pending/* > seen; true']}}",
        home.display()
    );
    theatre.write_script(script(&look));
    let ran = theatre.run(&["ask", "Which way?", "-o", "left", "-o", "right"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = theatre.rehearse(&["--headless"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let ran = theatre.run(&["audit", "verify"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let id = theatre.mission_id();
    let seen = theatre.git(&["show", &format!("refs/arbiter/{id}:seen")]);
    assert_eq!(seen, "", "an agent read the docket");
}

#[test]
fn a_hand_that_also_takes_the_human_out_of_the_file_allows_nothing() {
    let theatre = bridge();
    let mut house = start(&theatre);
    begin(&theatre);
    let tool = asked(&theatre, "May Orchestrator I run");
    let file = file_of(&theatre, &tool);
    let text = fs::read_to_string(&file).expect("a petition").replace("requires: human\n", "");
    let text = text.replace("status: pending\nanswer: null", "status: answered\nanswer: yes");
    fs::write(&file, text).expect("it can be written");
    // The ledger remembers that a human is required, whatever the file says now.
    let ran = theatre.run(&["submit", &tool]);
    assert_ne!(ran.code, Some(0), "{}", ran.out);
    assert_eq!(theatre.lines_of(&["Answered"]), [""; 0], "nothing was allowed");
    answer(&theatre, &[&tool, "allow", "no", "--submit"]);
    assert!(house.wait().expect("it ends").success());
    assert_eq!(theatre.lines_of(&["Answered"]), ["Answered s2 q1 no by human:cli:tester"]);
    theatre.assert_nobody_left();
}

#[test]
fn a_tool_whose_petition_somebody_withdrew_is_refused_and_the_mission_goes_on() {
    let theatre = bridge();
    let mut house = start(&theatre);
    begin(&theatre);
    let tool = asked(&theatre, "May Orchestrator I run");
    let ran = theatre.run(&["withdraw", &tool]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(house.wait().expect("it ends").success());
    let told = theatre.lines_of(&["Answered"]);
    assert!(told[0].starts_with("Answered s2 q1 no by policy:headless"), "{told:?}");
    is_clean(&theatre);
}

#[test]
fn what_waits_in_the_docket_is_shown_with_the_mission_and_reported_with_its_answers() {
    let theatre = bridge();
    let mut house = start(&theatre);
    begin(&theatre);
    let tool = asked(&theatre, "May Orchestrator I run");
    let id = theatre.mission_id();
    let shown = theatre.run(&["show", &id]).out;
    assert!(shown.contains(&format!("petition  {tool} by arbiter: May Orchestrator I run")), "{shown}");
    assert!(shown.contains(&format!("answer with: arbiter inbox {tool}")), "{shown}");
    let told: Value = serde_json::from_str(&theatre.run(&["show", &id, "--json"]).out).expect("JSON");
    assert_eq!(told["petitions"][0]["id"], tool.as_str());
    answer(&theatre, &[&tool, "allow", "yes", "--submit"]);
    assert!(house.wait().expect("it ends").success());
    let report = theatre.run(&["export", &id]).out;
    let row = report.lines().find(|line| line.contains(&tool)).unwrap_or_else(|| panic!("{report}"));
    assert!(row.contains("tester, at the command line") && row.contains("`allow`"), "{row}");
    assert!(!theatre.run(&["show", &id]).out.contains("petition  "));
}

#[test]
fn who_is_away_from_the_terminal_finds_the_question_in_the_docket() {
    let theatre = bridge().with_config("docket: { away_after: 1s }\n");
    let mut seat = Seat::take(theatre.rehearsal(&[]));
    seat.sees("Shall it begin?");
    let yes = asked(&theatre, "asks for your yes");
    answer(&theatre, &[&yes, "align", "yes"]);
    answer(&theatre, &[&yes, "stone", "granite", "--submit"]);
    seat.sees("? q1");
    let tool = asked(&theatre, "May Orchestrator I run");
    // The person comes back and answers where they sit.
    seat.types("/yes q1");
    seat.completes();
    assert!(theatre.run(&["status", &tool]).out.contains("withdrawn"));
    let told = theatre.lines_of(&["Consented", "Answered"]);
    assert_eq!(told, ["Consented by human:cli:tester", "Answered s2 q1 yes by human:terminal:tester"]);
    is_clean(&theatre);
}

/// The docket's hints cannot be written: whatever was asked is asked all the same, and heard.
#[test]
fn a_mission_is_led_from_a_docket_that_can_only_just_be_written() {
    let theatre = bridge();
    let ran = theatre.run(&["ask", "Something else?", "-o", "a", "-o", "b"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    crate::docket::faulty::without_hints(&theatre);
    let mut house = start(&theatre);
    begin(&theatre);
    let tool = asked(&theatre, "May Orchestrator I run");
    // The answer comes while nobody runs the mission, and is heard when it goes on.
    house.kill().expect("it can be killed");
    house.wait().expect("it is gone");
    answer(&theatre, &[&tool, "allow", "yes", "--submit"]);
    let ran = theatre.run(&["resume", "--headless"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_eq!(theatre.lines_of(&["Answered"]), ["Answered s2 q1 yes by human:cli:tester"]);
    assert_eq!(theatre.lines_of(&["DocketAsked"]).len(), 2, "nothing was asked twice");
    theatre.assert_nobody_left();
}

fn clone_of(theatre: &Theatre) -> PathBuf {
    let folder = |entry: mind::Entry| {
        let Fact::Mission(MissionFact::CloneReady { folder, .. }) = entry.fact else { return None };
        Some(PathBuf::from(&*folder))
    };
    theatre.entries(&theatre.mission()).into_iter().find_map(folder).expect("it has a clone")
}

/// The docket is out of order while a tool asks: it is not refused, and asked under its one id when that is possible again,
/// also by another start of the mission.
#[test]
fn a_tool_that_cannot_be_asked_about_now_is_asked_about_later_under_the_same_id() {
    for killed in [false, true] {
        let waits = "{run: [sh, -c, 'until test -f go; do sleep 0.1; done']}, {ask: [touch, asked]}";
        let theatre = Theatre::rehearsing(BINARY, script(waits));
        let mut house = start(&theatre);
        begin(&theatre);
        theatre.waits_for("Consented");
        let queue = theatre.path().join("home/.arbiter/queue");
        let (own, aside) = (queue.join(".arbiter"), queue.join("aside"));
        fs::rename(&own, &aside).expect("it can be moved");
        fs::write(&own, "no folder").expect("it can be written");
        fs::write(clone_of(&theatre).join("go"), "").expect("it can be written");
        theatre.waits_for("cannot be put into the docket yet");
        if killed {
            house.kill().expect("it can be killed");
            house.wait().expect("it is gone");
        }
        fs::remove_file(&own).expect("it can be removed");
        fs::rename(&aside, &own).expect("it can be moved");
        if killed {
            house = theatre.start(&["resume", "--headless"]);
        }
        let tool = asked(&theatre, "May Orchestrator I run");
        answer(&theatre, &[&tool, "allow", "yes", "--submit"]);
        assert!(house.wait().expect("it ends").success());
        assert_eq!(theatre.lines_of(&["Answered"]), ["Answered s2 q1 yes by human:cli:tester"]);
        assert_eq!(theatre.lines_of(&["DocketAsked"]).len(), 2, "nothing was asked twice");
        is_clean(&theatre);
    }
}

/// A terminal that is open is where the person mends a login, however long ago the last key was.
#[test]
fn a_login_is_waited_for_at_an_open_terminal_though_no_key_comes() {
    let step = r#"{fail: login, why: "the key has expired"}"#;
    let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing().does(step))
        .with_config("docket: { away_after: 1s }\n");
    let mut seat = Seat::take(theatre.rehearsal(&["--yes"]));
    seat.sees("cannot log in: the key has expired");
    theatre.waits_for("Attended by no person");
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert_eq!(theatre.lines_of(&["Halted"]), [""; 0]);
    seat.types("/resume");
    seat.completes();
}
