//! What the house hears when the API fails the real one: which kind of failure, soon, and that the session goes on.

use std::time::{Duration, Instant};

use mind::event::Failure;
use mind::{AgentEvent, TurnId};
use sim::api::{Block, How, Place, Step};

use crate::cast::{Real, output};
use crate::house::{House, world};

/// How long a failure may take to be told: its own two retries, on a busy machine.
const FAILS_WITHIN: Duration = Duration::from_secs(20);

fn kind(failure: &Failure) -> &'static str {
    match failure {
        Failure::Transient(_) => "transient",
        Failure::Limited { until: None, .. } => "limited",
        Failure::Limited { until: Some(_), .. } => "limited until",
        Failure::Unauthorised(_) => "unauthorised",
        Failure::Refused(_) => "refused",
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_failure_of_the_api_is_told_by_its_kind() {
    let say = || Block::Text("I was about to say".to_owned());
    let cases = [
        ("case-a", Step::status(429).header("retry-after", "300"), "limited until"),
        ("case-b", Step::status(429), "limited"),
        ("case-c", Step::status(529), "transient"),
        ("case-d", Step::status(500), "transient"),
        ("case-e", Step::status(401), "unauthorised"),
        ("case-f", Step::status(403), "unauthorised"),
        ("case-g", Step::status(400), "refused"),
        ("case-h", Step::status(413), "refused"),
        ("case-i", Step::message([say(), say()]).cut(Place::AfterBlock(1), How::Reset), "transient"),
    ];
    let works =
        Step::message([Block::Tool { name: "StructuredOutput".to_owned(), input: output("It works.") }]);
    let mut steps: Vec<Step> =
        cases.iter().map(|(when, step, _)| step.clone().when(*when).forever()).collect();
    // A text that failed stays in the conversation: what came last is looked at first.
    steps.push(works.when("does it work").forever());
    steps.reverse();
    let world = world();
    let Some(cast) = Real::answering(world.path(), steps) else { return };
    let mut house = House::with(world, cast, false);
    let mut turn = 0;
    for (text, _, expected) in cases {
        turn += 1;
        house.told.clear();
        house.deliver(turn, text);
        let began = Instant::now();
        let ends =
            |event: &AgentEvent| matches!(event, AgentEvent::Failed { .. } | AgentEvent::Rested { .. });
        let end = house.until("a failure", ends).await;
        let AgentEvent::Failed { turn: failed, failure } = end else {
            panic!("{text}: {end:?}\n{}", house.logbook())
        };
        assert_eq!(
            (failed, kind(&failure)),
            (TurnId(turn), expected),
            "{text}: {failure:?}\n{}",
            house.logbook()
        );
        assert!(began.elapsed() < FAILS_WITHIN, "{text}: {:?}", began.elapsed());
        if let Failure::Limited { until: Some(until), .. } = failure {
            let now = host::now_ms() / 1000;
            assert!((280..=301).contains(&(until.0 / 1000).saturating_sub(now)), "{until:?}");
        }
    }
    turn += 1;
    house.deliver(turn, "does it work");
    house.spoke(turn, "It works.").await;
    house.is_quiet().await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_login_it_says_that_there_is_none() {
    let world = world();
    let Some(cast) = Real::keyless(world.path()) else { return };
    let mut house = House::with(world, cast, false);
    house.deliver(1, "hello");
    let ends = |event: &AgentEvent| matches!(event, AgentEvent::Failed { .. } | AgentEvent::Lost { .. });
    let end = house.until("a failure", ends).await;
    let AgentEvent::Failed { turn: TurnId(1), failure } = end else { panic!("{end:?}\n{}", house.logbook()) };
    assert_eq!(kind(&failure), "unauthorised", "{failure:?}");
    house.close().await;
}
