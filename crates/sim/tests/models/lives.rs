//! The Arbiter's session between its lives: what was said is kept, and nothing is said twice.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use mind::AgentEvent;
use providers::api::ApiDialect;
use sim::api::{Act, How, Place, Step};

use crate::house::House;
use crate::session::says;
use crate::world::{KINDS, PATIENCE, api, options};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_life_takes_the_conversation_up() {
    for kind in KINDS {
        let api = api([says("Hello."), Step::new(Act::Hang), says("Built.")]);
        let mut house = House::open(options(kind, &api));
        house.deliver(1, "hello");
        house.spoke(1).await;
        house.deliver(2, "build it");
        assert!(
            tokio::task::block_in_place(|| api.wait_for(|request| request.number == 2, PATIENCE)).is_some()
        );
        house.spoke = true;
        house.fall_and_live_again();
        house.deliver_again(2, "key-2", "build it");
        assert_eq!(house.spoke(2).await, "Built.");
        let requests = api.requests();
        assert_eq!(requests[2].messages(), requests[1].messages(), "the same call once more");
        assert_eq!(requests[2].prompt(), "hello");
        assert_eq!(requests[2].heard(), "build it");
        assert_eq!(fs::metadata(house.conversation()).unwrap().permissions().mode() & 0o777, 0o600);
        house.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_nobody_took_down_is_given_as_before() {
    let api = api([says("Hello."), says("Another.")]);
    let mut house = House::open(options(ApiDialect::OpenAi, &api));
    house.deliver(1, "hello");
    house.spoke(1).await;
    // The house fell before it wrote that down.
    house.fall_and_live_again();
    house.deliver_again(1, "key-1", "hello");
    assert_eq!(house.spoke(1).await, "Hello.");
    assert!(matches!(house.told[0], AgentEvent::Heard(_)), "{:?}", house.told);
    assert_eq!(api.requests().len(), 1, "nobody is asked again");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_word_that_broke_off_before_the_fall_is_not_half_kept() {
    let broken = says("I was about to say").cut(Place::MidBlock(1), How::Silence);
    let api = api([broken, says("Built.")]);
    let mut house = House::open(options(ApiDialect::Anthropic, &api));
    house.deliver(1, "build it");
    house.heard(1).await;
    house.fall_and_live_again();
    assert_eq!(house.shown(), "", "the dead say nothing");
    house.deliver_again(1, "key-1", "build it");
    assert_eq!(house.spoke(1).await, "Built.");
    assert!(!api.requests()[1].messages().to_string().contains("about"));
    house.close().await;
}

#[tokio::test]
async fn a_conversation_that_is_gone_is_not_begun_anew_as_if_nothing_had_been_said() {
    for damage in [None, Some("{\"version\": 1, \"ke"), Some("")] {
        let api = api([says("Hello."), says("Hello again.")]);
        let mut house = House::open(options(ApiDialect::OpenAi, &api));
        house.deliver(1, "hello");
        house.spoke(1).await;
        match damage {
            None => fs::remove_file(house.conversation()).unwrap(),
            Some(text) => fs::write(house.conversation(), text).unwrap(),
        }
        house.spoke = true;
        house.fall_and_live_again();
        let why = house.lost().await;
        assert!(why.starts_with("its conversation "), "{why}");
        // But before it has said anything, nothing is lost.
        house.spoke = false;
        house.fall_and_live_again();
        house.deliver(2, "hello");
        assert_eq!(house.spoke(2).await, "Hello again.");
        house.close().await;
    }
}

#[tokio::test]
async fn a_conversation_that_cannot_be_kept_ends_the_session() {
    let api = api([says("Hello.")]);
    let mut house = House::open(options(ApiDialect::OpenAi, &api));
    fs::create_dir_all(house.conversation()).unwrap();
    house.deliver(1, "hello");
    let why = house.lost().await;
    assert!(why.contains("cannot be kept"), "{why}");
    assert_eq!(api.requests().len(), 0, "what is not written is not said");
}
