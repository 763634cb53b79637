//! Answers that go wrong: cut, malformed, late, never.

use std::io::{ErrorKind, Read};
use std::time::{Duration, Instant};

use sim::api::{Act, Answer, Api, Block, End, How, Malformed, Place, Scenario, Step, Voice};

use crate::client::{ask, ask_body, open, question};

const PATIENCE: Duration = Duration::from_secs(10);

fn api(step: Step) -> Api {
    Api::start(Scenario::new([Voice::new("all", [step])]))
}

fn two_blocks() -> Step {
    Step::message([Block::Text("first".to_owned()), Block::Text("next".to_owned())])
}

#[test]
fn a_reset_comes_after_what_was_said_before_it() {
    let api = api(two_blocks().cut(Place::AfterBlock(1), How::Reset));
    let got = ask(&api, "s", "hello");
    assert_eq!(got.course(), "message_start ping start delta(first) stop");
    assert_eq!((got.whole, got.error), (false, Some(ErrorKind::ConnectionReset)));
    assert_eq!(api.requests()[0].answer, Answer::Cut(Place::AfterBlock(1), How::Reset));
}

#[test]
fn a_polite_end_in_the_middle_of_a_block_looks_whole() {
    let api = api(two_blocks().cut(Place::MidBlock(2), How::Close));
    let got = ask(&api, "s", "hello");
    assert_eq!(got.course(), "message_start ping start delta(first) stop start delta(ne)");
    assert_eq!((got.whole, got.error), (true, None));
}

#[test]
fn before_the_start_there_is_not_a_byte() {
    for (how, error) in [(How::Reset, Some(ErrorKind::ConnectionReset)), (How::Close, None)] {
        let api = api(two_blocks().cut(Place::BeforeStart, how).times(2));
        for stream in [true, false] {
            let got = ask_body(&api, &[], &question("hello", stream));
            assert_eq!((got.status, got.headers.as_str(), got.error), (0, "", error), "{how:?}");
        }
    }
}

#[test]
fn an_error_can_come_in_the_stream() {
    let api = api(two_blocks().cut(Place::AfterBlock(1), How::Overloaded).times(2));
    let got = ask(&api, "s", "hello");
    assert_eq!(got.course(), "message_start ping start delta(first) stop error");
    assert_eq!(ask_body(&api, &[], &question("hello", false)).status, 529);
}

#[test]
fn what_is_malformed_comes_with_status_200() {
    for (malformed, kind) in [
        (Malformed::Html, "text/html"),
        (Malformed::Empty, "text/event-stream"),
        (Malformed::BadJson, "text/event-stream"),
    ] {
        let got = ask(&api(Step::new(Act::Malformed(malformed))), "s", "hello");
        assert!(got.status == 200 && got.headers.contains(kind), "{malformed:?}: {got:?}");
        assert_eq!(got.body.is_empty(), malformed == Malformed::Empty);
        assert_eq!(got.body.contains("data: {"), malformed == Malformed::BadJson);
    }
}

#[test]
fn whoever_leaves_is_seen_to_leave() {
    let silent = two_blocks().cut(Place::AfterBlock(1), How::Silence);
    for step in [Step::new(Act::Hang), silent, Step::say("late").delay_ms(60_000)] {
        let api = api(step.clone());
        let client = open(&api, "POST /v1/messages", &[], &question("hello", true).to_string());
        let asked = api.wait_for(|request| request.heard() == "hello", PATIENCE).unwrap();
        assert_eq!(asked.end, End::Pending, "{step:?}");
        drop(client);
        assert!(api.wait_for(|request| request.end == End::ClientLeft, PATIENCE).is_some(), "{step:?}");
    }
}

#[test]
fn an_answer_takes_its_time() {
    let api = api(Step::say("abcd").delay_ms(100).chunks(4, 50));
    let began = Instant::now();
    assert_eq!(ask(&api, "s", "hello").text(), "abcd");
    assert!(began.elapsed() >= Duration::from_millis(300), "{:?}", began.elapsed());
    assert!(api.wait_for(|request| request.end == End::Sent, PATIENCE).is_some());
}

#[test]
fn an_api_with_clients_ends_when_it_is_dropped() {
    let api = api(Step::new(Act::Hang));
    let mut client = open(&api, "POST /v1/messages", &[], &question("hello", true).to_string());
    assert!(api.wait_for(|_| true, PATIENCE).is_some());
    drop(api);
    // The end or a reset, but not the end of our patience.
    let ended = client.read(&mut [0]).map_err(|error| error.kind());
    assert!(matches!(ended, Ok(0) | Err(ErrorKind::ConnectionReset)), "{ended:?}");
}
