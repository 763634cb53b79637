//! The Arbiter's session within one life.

use std::time::{Duration, Instant};

use mind::charter::Capabilities;
use mind::effect::SessionCommand;
use mind::event::{Failure, TurnEnd};
use mind::session::{Gauge, Role};
use mind::{AgentEvent, TurnId};
use providers::Provider;
use providers::api::{ApiDialect, ModelOptions};
use providers::prices::ModelPrice;
use serde_json::json;
use sim::api::{Act, End, How, Place, Step, Usage};

use crate::house::House;
use crate::world::{KINDS, PATIENCE, SECRET, api, ending, options, refusing};

/// What a call takes here: 900 tokens read, 100 of the cache, 50 written.
const USED: Usage = Usage { input: 900, cache_read: 100, cache_creation: 0, output: 50 };
/// Two dollars for a million tokens read, a tenth of one for those of the cache, five for those written.
const PRICE: ModelPrice =
    ModelPrice { input: 2_000_000, cache_write: 3_000_000, cache_read: 100_000, output: 5_000_000 };

/// A typed output of the Arbiter.
pub fn speech(message: &str) -> String {
    json!({"intent": "address_human", "message": message}).to_string()
}

pub fn says(message: &str) -> Step {
    Step::say(speech(message))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_turns_are_one_conversation() {
    assert_eq!(Provider::Api.entry().capabilities, Capabilities { steers: false, typed: true });
    for kind in KINDS {
        let api = api([says("Hello.").usage(USED), says("Go left.")]);
        let mut house = House::open(ModelOptions { price: Some(PRICE), ..options(kind, &api) });
        house.deliver(1, "the first text");
        let TurnEnd::Spoke { output, text } = house.rested(1).await else { panic!("it was not stopped") };
        assert_eq!(output, Some(json!({"intent": "address_human", "message": "Hello."})));
        assert_eq!(*text, *speech("Hello."));
        let gauge = Gauge::named(1050, 200_000, "api, window by the model's name");
        let before = [
            AgentEvent::Heard(TurnId(1)),
            AgentEvent::Gauged(Gauge { guessed: true, ..gauge }),
            AgentEvent::Spent {
                report: "key-1".into(),
                input: 1000,
                output: 50,
                cost_microusd: 1_800 + 10 + 250,
            },
        ];
        assert_eq!(house.told[..3], before);
        house.deliver(2, "left or right?");
        assert_eq!(house.spoke(2).await, "Go left.");
        house.is_quiet().await;
        house.close().await;

        let requests = api.requests();
        assert_eq!(requests.len(), 2);
        assert_eq!(
            (requests[1].system.as_str(), requests[1].prompt()),
            ("You are the Arbiter.", "the first text".into())
        );
        assert_eq!(requests[1].heard(), "left or right?");
        assert!(requests[1].messages().to_string().contains("Hello."));
        assert_eq!(requests[0].body["max_tokens"], json!(700));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_arbiter_may_say_is_told_by_its_schema() {
    let api = api([says("Hello.")]);
    let mut house = House::open(options(ApiDialect::Anthropic, &api));
    house.deliver(1, "hello");
    house.spoke(1).await;
    let body = &api.requests()[0].body;
    let schema = &body["output_config"]["format"]["schema"];
    assert_eq!(schema["required"], json!(["intent", "message"]));
    assert_eq!(schema["additionalProperties"], json!(false));
    assert!(schema["properties"]["intent"]["enum"].to_string().contains("summon_orchestrator"));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupt_ends_the_call_and_the_next_turn_works() {
    for kind in KINDS {
        let api = api([
            Step::new(Act::Hang).when("build it"),
            says("a long message that is never heard").usage(USED).chunks(50, 100).when("paint it"),
            says("Done."),
        ]);
        let mut house = House::open(ModelOptions { price: Some(PRICE), ..options(kind, &api) });
        house.deliver(1, "build it");
        assert!(tokio::task::block_in_place(|| api.wait_for(|_| true, PATIENCE)).is_some());
        house.order(SessionCommand::Interrupt { turn: TurnId(1) });
        assert_eq!(house.rested(1).await, TurnEnd::Interrupted);
        house.deliver(2, "paint it");
        house.heard(2).await;
        house.speaks().await;
        assert!("a long message that is never heard".starts_with(&house.shown()), "{}", house.shown());
        house.order(SessionCommand::Interrupt { turn: TurnId(2) });
        assert_eq!(house.rested(2).await, TurnEnd::Interrupted);
        assert_eq!(house.shown(), "");
        // Anthropic counts at the beginning of an answer and at its end, OpenAI only at its end: else it is estimated.
        let spent = house.spent();
        let [first, second] = &spent[..] else { panic!("{kind:?}: {spent:?}") };
        assert!(is_estimate(first, "key-1 stopped in s1.1"), "{kind:?}: {first:?}");
        assert_eq!(first.2, 0, "no word of an answer had come");
        match kind {
            ApiDialect::Anthropic => {
                assert_eq!(*second, ("key-2 stopped in s1.1".to_owned(), 1_000, 1, 1_800 + 10 + 5));
            }
            ApiDialect::OpenAi => {
                assert!(is_estimate(second, "key-2 stopped in s1.1") && second.2 > 0, "{second:?}");
            }
        }
        house.order(SessionCommand::Interrupt { turn: TurnId(2) });
        house.is_quiet().await;
        for number in [1, 2] {
            let left =
                |request: &sim::api::Request| request.number == number && request.end == End::ClientLeft;
            assert!(tokio::task::block_in_place(|| api.wait_for(left, PATIENCE)).is_some());
        }
        house.deliver(3, "and now?");
        assert_eq!(house.spoke(3).await, "Done.");
        let heard = api.requests()[2].heard();
        assert!(
            heard.contains("build it") && heard.contains("stopped before") && heard.ends_with("and now?"),
            "{heard}"
        );
        house.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_that_is_given_twice_is_one_turn() {
    let api = api([says("One.").delay_ms(300), says("Two.")]);
    let mut house = House::open(options(ApiDialect::OpenAi, &api));
    house.deliver(1, "build it");
    house.deliver(1, "build it");
    assert_eq!(house.spoke(1).await, "One.");
    house.is_quiet().await;
    house.deliver(1, "build it");
    assert_eq!(house.spoke(1).await, "One.", "it is answered as before");
    let heard = house.told.iter().filter(|event| **event == AgentEvent::Heard(TurnId(1))).count();
    assert_eq!((heard, api.requests().len()), (1, 1));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_for_a_busy_session_waits_and_can_be_taken_back() {
    let api = api([says("One.").delay_ms(300), says("Three.")]);
    let mut house = House::open(options(ApiDialect::Anthropic, &api));
    house.deliver(1, "one");
    house.order(SessionCommand::Steer { turn: TurnId(9), key: "key-9".to_owned(), text: "in red".into() });
    house.deliver(2, "two");
    house.deliver(3, "three");
    house.order(SessionCommand::Interrupt { turn: TurnId(2) });
    assert_eq!(house.rested(2).await, TurnEnd::Interrupted);
    assert_eq!(house.spoke(1).await, "One.");
    assert_eq!(house.spoke(3).await, "Three.");
    assert!(!api.requests()[1].messages().to_string().contains("two"));
    assert!(!house.told.contains(&AgentEvent::Heard(TurnId(9))), "what is steered is heard by nobody");
    house.is_quiet().await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_failure_is_told_by_its_kind_and_the_text_is_not_said_twice() {
    for kind in KINDS {
        let cases = [
            (Step::status(429).header("retry-after", "300"), "limited until"),
            (Step::status(429), "limited"),
            (Step::status(529), "transient"),
            (Step::status(401), "unauthorised"),
            (Step::status(402), "unauthorised"),
            (Step::status(400), "refused"),
            (ending("{\"intent\": \"addr", "max_tokens"), "refused"),
            (says("I was about to say").cut(Place::MidBlock(1), How::Reset), "transient"),
            (says("I was about to say").cut(Place::MidBlock(1), How::Overloaded), "transient"),
        ];
        let steps: Vec<Step> = cases.iter().map(|(step, _)| step.clone()).chain([says("At last.")]).collect();
        let api = api(steps);
        let mut house = House::open(options(kind, &api));
        house.deliver(1, "hello");
        for (number, (step, expected)) in (1..).zip(&cases) {
            let failure = house.failed(number).await;
            assert_eq!(name(&failure), *expected, "{step:?}: {failure:?}");
            assert_eq!(house.shown(), "");
            house.deliver_again(number + 1, &format!("key-{}", number + 1), "hello");
        }
        assert_eq!(house.spoke(cases.len() as u32 + 1).await, "At last.");
        for request in api.requests() {
            assert_eq!(request.heard().matches("hello").count(), 1, "{}", request.heard());
        }
        house.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_failed_answer_took_is_told_before_the_failure() {
    for kind in KINDS {
        let cut = ending("{\"intent\": \"addr", "max_tokens").usage(USED);
        let api = api([cut, ending("I cannot", "refusal").usage(USED), Step::status(529)]);
        let mut house = House::open(ModelOptions { price: Some(PRICE), ..options(kind, &api) });
        for turn in [1, 2, 3] {
            house.deliver(turn, "hello");
            house.failed(turn).await;
        }
        let taken = [1, 2].map(|turn| (format!("key-{turn} failed in s1.1"), 1000, 50, 1_800 + 10 + 250));
        assert_eq!(house.spent(), taken, "{kind:?}");
        let ends: Vec<bool> =
            house.told.iter().map(|event| matches!(event, AgentEvent::Failed { .. })).collect();
        let first = house.told.iter().position(|event| matches!(event, AgentEvent::Spent { .. })).unwrap();
        assert!(ends[first + 1], "{:#?}", house.told);
        house.close().await;
    }
}

fn name(failure: &Failure) -> &'static str {
    match failure {
        Failure::Transient(_) => "transient",
        Failure::Limited { until: None, .. } => "limited",
        Failure::Limited { until: Some(_), .. } => "limited until",
        Failure::Unauthorised(_) => "unauthorised",
        Failure::Refused(_) => "refused",
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_warning_goes_with_the_next_text() {
    let api = api([refusing(529, None, "busy"), says("One."), says("Two.")]);
    let mut house = House::open(options(ApiDialect::OpenAi, &api));
    house.order(SessionCommand::Warn { percent: 80, text: "the context is filling up".into() });
    house.deliver(1, "build it");
    house.failed(1).await;
    let warned = AgentEvent::Warned { percent: 80 };
    assert!(!house.told.contains(&warned), "it reached nobody");
    house.deliver_again(2, "key-2", "build it");
    house.spoke(2).await;
    assert_eq!(house.told.iter().filter(|event| **event == warned).count(), 1);
    assert_eq!(api.requests()[1].heard().matches("the context is filling up").count(), 1);
    house.deliver(3, "paint it");
    house.spoke(3).await;
    assert_eq!(api.requests()[2].heard(), "paint it");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_that_are_no_typed_output_are_told_as_words() {
    let api = api([Step::say("Just words.")]);
    let mut house = House::open(options(ApiDialect::OpenAi, &api));
    house.deliver(1, "hello");
    assert_eq!(house.rested(1).await, TurnEnd::Spoke { output: None, text: "Just words.".into() });
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_an_arbiter_can_do_without_tools() {
    let api = api([]);
    for role in [Role::Orchestrator, Role::Verifier, Role::Agent] {
        let mut house = House::with(options(ApiDialect::OpenAi, &api), role);
        assert_eq!(house.lost().await, "the api provider has no tools: it can be the Arbiter, or decide");
    }
    assert_eq!(api.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_end_is_at_once_and_ends_the_call() {
    let api = api([Step::new(Act::Hang)]);
    let mut house = House::open(options(ApiDialect::Anthropic, &api));
    house.deliver(1, "build it");
    assert!(tokio::task::block_in_place(|| api.wait_for(|_| true, PATIENCE)).is_some());
    let began = Instant::now();
    house.close().await;
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let left = |request: &sim::api::Request| request.end == End::ClientLeft;
    assert!(tokio::task::block_in_place(|| api.wait_for(left, PATIENCE)).is_some());
}

/// What a call took that no server has counted: what was sent and what came, by their length.
fn is_estimate((report, input, output, cost): &(String, u64, u64, u64), of: &str) -> bool {
    // The system prompt, the schema and a text.
    *report == format!("{of}, estimated") && (100..5_000).contains(input) && *cost == input * 2 + output * 5
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_call_took_that_the_end_cut_off_is_told() {
    for kind in KINDS {
        let api = api([says("a long message that is never heard").usage(USED).chunks(50, 100)]);
        let mut house = House::open(ModelOptions { price: Some(PRICE), ..options(kind, &api) });
        house.deliver(1, "build it");
        house.heard(1).await;
        house.speaks().await;
        let began = Instant::now();
        house.end().await;
        assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
        let spent = house.spent();
        match (kind, &spent[..]) {
            (ApiDialect::Anthropic, [told]) => {
                assert_eq!(*told, ("key-1 left in s1.1".to_owned(), 1_000, 1, 1_800 + 10 + 5));
            }
            (ApiDialect::OpenAi, [told]) => assert!(is_estimate(told, "key-1 left in s1.1"), "{told:?}"),
            _ => panic!("{kind:?}: {spent:?}"),
        }
        assert!(
            !house.told.iter().any(|event| matches!(event, AgentEvent::Rested { .. })),
            "{:#?}",
            house.told
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_key_stands_in_no_file_of_the_session() {
    let api = api([refusing(401, None, &format!("{SECRET} is no key")), says("Hello.")]);
    let mut house = House::open(options(ApiDialect::OpenAi, &api));
    house.deliver(1, "hello");
    let failure = house.failed(1).await;
    house.deliver_again(2, "key-2", "hello");
    house.spoke(2).await;
    assert!(!format!("{failure:?} {:?}", house.told).contains(SECRET));
    let book = house.logbook();
    let kept = std::fs::read_to_string(house.conversation()).unwrap();
    assert!(
        book.contains("hello") && book.contains("(the key) is no key") && kept.contains("Hello."),
        "{book}"
    );
    assert!(!book.contains(SECRET) && !kept.contains(SECRET));
    house.close().await;
}
