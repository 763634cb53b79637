//! Pushing a petition: what is filled in, what is refused, and what pushing twice does.

use docket::PetitionPlace;
use mind::petition::PetitionId;
use serde_json::{Value, json};

use crate::house::{House, auth, now};

#[tokio::test]
async fn a_petition_is_on_the_disk_when_its_id_is_told() {
    let house = House::new();
    let client = house.client("claude-code").await;
    let told = client.call("arbiter_push", auth()).await;
    let kept = house.docket.find(told["id"].as_str().unwrap(), now()).unwrap();
    assert_eq!(kept.place, PetitionPlace::Pending);
    assert_eq!(told["file"], json!(kept.file));
    assert_eq!(
        (&told["total"], &told["status"], &told["again"]),
        (&json!(1), &json!("pending"), &json!(false))
    );
    assert_eq!(&*kept.petition.agent, "claude-code", "the client's own name");
    assert_eq!(kept.petition.id, PetitionId::from(told["id"].as_str().unwrap()));
}

#[tokio::test]
async fn who_asks_is_what_the_call_says_then_the_surroundings() {
    let mut house = House::new();
    house.around.agent = Some("swe2".to_owned());
    house.around.session = Some("agent:swe2:main".to_owned());
    let client = house.client("claude-code").await;
    let id = client.push(auth()).await;
    let petition = house.docket.find(&id, now()).unwrap().petition;
    assert_eq!((&*petition.agent, &*petition.session), ("swe2", "agent:swe2:main"));
    let mut named = auth();
    named["agent"] = json!("ceo");
    let id = client.push(named).await;
    assert_eq!(&*house.docket.find(&id, now()).unwrap().petition.agent, "ceo");
}

#[tokio::test]
async fn a_clients_name_is_plain_text_whatever_it_says() {
    let house = House::new();
    let client = house.client("evil\u{1b}[2J\nagent\u{202e}").await;
    let id = client.push(auth()).await;
    let agent = house.docket.find(&id, now()).unwrap().petition.agent;
    assert!(!agent.contains(char::is_control), "{agent:?}");
}

#[tokio::test]
async fn pushing_again_gives_the_petition_that_is_there() {
    let house = House::new();
    let client = house.client("mcp").await;
    let first = client.call("arbiter_push", auth()).await;
    let again = client.call("arbiter_push", auth()).await;
    assert_eq!((&again["id"], &again["again"]), (&first["id"], &json!(true)));

    let keyed = |title: &str| {
        let mut petition = auth();
        petition["title"] = json!(title);
        petition["key"] = json!("login");
        petition
    };
    let first = client.call("arbiter_push", keyed("One")).await;
    // Another process of the same agent, after a restart.
    let again = house.client("mcp").await.call("arbiter_push", keyed("Two")).await;
    assert_eq!((&again["id"], &again["again"]), (&first["id"], &json!(true)));
    assert_eq!(house.pending(), 2);
}

#[tokio::test]
async fn every_fault_of_a_petition_is_named_and_nothing_is_written() {
    let house = House::new();
    let client = house.client("mcp").await;
    let decision = |more: Value| {
        let mut decision = json!({"id": "d", "title": "T", "options": [{"key": "a", "label": "A"}]});
        decision.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        json!({"title": "T", "decisions": [decision]})
    };
    let many: Vec<Value> =
        (0..201).map(|n| json!({"id": format!("d{n}"), "title": "T", "allow_custom": true})).collect();
    for (petition, fault) in [
        (json!({}), "`title` is missing or empty"),
        (json!({}), "there is no decision"),
        (json!({"title": "  ", "decisions": "many"}), "`decisions` must be a list"),
        (decision(json!({"options": []})), "it has no options, and `allow_custom` is not true"),
        (decision(json!({"options": [], "allowCustom": false})), "it has no options"),
        (decision(json!({"options": ["a", "a"]})), "two options have the key \"a\""),
        (decision(json!({"id": "a:b"})), "`id` may have letters, digits"),
        (decision(json!({"id": "a\nstatus: answered"})), "`id` may have letters, digits"),
        (decision(json!({"id": ""})), "`id` is missing or empty"),
        (decision(json!({"title": ""})), "`title` is missing or empty"),
        (decision(json!({"title": "T".repeat(201)})), "`title` is longer than 200 signs"),
        (decision(json!({"context": "x".repeat(128 * 1024 + 1)})), "`context` is longer than"),
        (decision(json!({"default": "z", "allow_custom": false})), "`default` is \"z\""),
        (decision(json!({"depends_on": ["later"]})), "`depends_on` names \"later\""),
        (decision(json!({"deadline": "soon"})), "`deadline` is \"soon\""),
        (decision(json!({"deadline": "0s"})), "`deadline` is in the past"),
        (json!({"title": "T", "priority": "asap", "decisions": many}), "there are more than 200 decisions"),
        (json!({"title": "T", "priority": "asap", "decisions": many}), "`priority` is \"asap\""),
        (decision(json!({"requires": "god"})), "`requires` is \"god\""),
    ] {
        let told = client.refused("arbiter_push", petition).await;
        let faults = told["faults"].as_array().unwrap();
        assert!(faults.iter().any(|named| named.as_str().unwrap().contains(fault)), "{fault}: {told}");
        assert!(told["error"].as_str().unwrap().contains("nothing was asked"), "{told}");
    }
    let mut twice = auth();
    let first = twice["decisions"][0].clone();
    twice["decisions"].as_array_mut().unwrap().push(first);
    twice["wait_seconds"] = json!("long");
    let told = client.refused("arbiter_push", twice).await;
    assert_eq!(told["faults"].as_array().unwrap().len(), 2, "{told}");
    let files = std::fs::read_dir(house.folder.path()).unwrap().count();
    assert_eq!(files, 0, "nothing was written");
}
