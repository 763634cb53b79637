//! Waiting: woken by an answer, told in time, ended by the client.

use std::time::{Duration, Instant};

use mind::petition::{AnswerChoice, PetitionId, SeenQuestion};
use serde_json::{Value, json};

use crate::house::{House, PATIENCE, ada, auth, now};

#[tokio::test]
async fn a_wait_is_woken_by_the_submit_and_not_by_the_answer() {
    let house = House::new();
    let mut client = house.client("mcp").await;
    let id = client.push(auth()).await;
    let call = client.begin("arbiter_await", json!({"id": id, "wait_seconds": 40})).await;
    // It waits once it tells so.
    let told = tokio::time::timeout(PATIENCE, client.progress.recv()).await.unwrap().unwrap();
    assert_eq!(
        (told.message.as_deref(), &told.progress_token),
        (Some("waiting for a person"), &call.progress_token)
    );
    house.answer(&id, "auth", "jwt");
    let told = client.call("arbiter_await", json!({"id": id, "wait_seconds": 0})).await;
    assert_eq!(
        (&told["state"], &told["status"], &told["answered"]),
        (&json!("pending"), &json!("ready"), &json!(1))
    );
    house.submit(&id);
    let told = client.finish(call).await;
    assert_eq!((&told["state"], &told["answers"]), (&json!("decided"), &json!({"auth": "jwt"})));
    assert_eq!(told["provenance"]["auth"]["via"], "cli");
    assert_eq!(told["skipped"], json!([]));
}

#[tokio::test]
async fn who_waits_is_woken_long_before_the_next_sweep() {
    let house = House::new();
    let mut client = house.client("mcp").await;
    let mut woken_after = Vec::new();
    // On a busy machine a round can be slow; by the sweeps alone every round would be.
    for round in 0..5 {
        let mut petition = auth();
        petition["title"] = json!(format!("Round {round}"));
        let id = client.push(petition).await;
        house.answer(&id, "auth", "jwt");
        let call = client.begin("arbiter_await", json!({"id": id, "wait_seconds": 40})).await;
        while client.progress.recv().await.unwrap().progress_token != call.progress_token {}
        let submitted = Instant::now();
        house.submit(&id);
        client.finish(call).await;
        woken_after.push(submitted.elapsed());
        if submitted.elapsed() < docket::limits::SWEEP_EVERY / 4 {
            return;
        }
    }
    panic!("woken after {woken_after:?}");
}

#[tokio::test]
async fn not_yet_is_told_before_the_limit_and_is_no_error() {
    let house = House::new();
    let client = house.client("mcp").await;
    let id = client.push(auth()).await;
    let began = Instant::now();
    let told = client.call("arbiter_await", json!({"id": id, "wait_seconds": 1})).await;
    let took = began.elapsed();
    assert!(took >= Duration::from_secs(1) && took < PATIENCE, "{took:?}");
    assert_eq!((&told["state"], &told["remaining"]), (&json!("pending"), &json!(1)));
    let hint = told["hint"].as_str().unwrap();
    assert!(hint.contains("again with the same id") && hint.contains("arbiter_status"), "{hint}");
    // Asked again, in another process, it goes on.
    house.answer(&id, "auth", "session");
    house.submit(&id);
    let told = house.client("mcp").await.call("arbiter_await", json!({"id": id})).await;
    assert_eq!(told["answers"], json!({"auth": "session"}));
}

#[tokio::test]
async fn no_client_is_let_wait_longer_than_it_can() {
    let house = House::new();
    let id = house.client("mcp").await.push(auth()).await;
    let clients = [
        ("mcp", 45),
        ("claude-code", 100),
        ("codex-mcp-client", 240),
        ("gemini-cli", 540),
        ("opencode", 240),
    ];
    for (name, seconds) in clients {
        let client = house.client(name).await;
        let told = client.call("arbiter_await", json!({"id": id, "wait_seconds": 0})).await;
        assert_eq!(told["waitSecondsMax"], json!(seconds), "{name}");
    }
}

#[tokio::test]
async fn a_push_can_wait_too() {
    let house = House::new();
    let mut client = house.client("mcp").await;
    let mut petition = auth();
    petition["wait_seconds"] = json!(40);
    let call = client.begin("arbiter_push", petition).await;
    tokio::time::timeout(PATIENCE, client.progress.recv()).await.unwrap().unwrap();
    let id = house.docket.queue(now()).unwrap().petitions[0].id.to_string();
    let skipped = AnswerChoice::Skipped;
    house
        .docket
        .answer(&PetitionId::from(&*id), "auth", skipped, &SeenQuestion::default(), &ada(), now())
        .unwrap();
    house.submit(&id);
    let told = client.finish(call).await;
    assert_eq!(
        (&told["id"], &told["state"], &told["skipped"]),
        (&json!(id), &json!("decided"), &json!(["auth"]))
    );
    assert_eq!((&told["answers"], &told["again"]), (&json!({}), &json!(false)));
}

#[tokio::test]
async fn several_are_awaited_until_the_first_is_closed() {
    let house = House::new();
    let mut client = house.client("mcp").await;
    let first = client.push(auth()).await;
    let mut other = auth();
    other["title"] = json!("Another");
    let second = client.push(other).await;
    let call = client.begin("arbiter_await", json!({"ids": [first, second], "wait_seconds": 40})).await;
    tokio::time::timeout(PATIENCE, client.progress.recv()).await.unwrap().unwrap();
    house.docket.withdraw(&PetitionId::from(&*second), "no longer needed", &ada(), now()).unwrap();
    let told = client.finish(call).await;
    assert_eq!((&told["state"], &told["pending"]), (&json!("pending"), &json!([first])));
    let states: Vec<&Value> = told["petitions"].as_array().unwrap().iter().map(|one| &one["state"]).collect();
    assert_eq!(states, [&json!("pending"), &json!("withdrawn")]);
    assert_eq!(told["petitions"][1]["reason"], "no longer needed");
    // What no person decided is not told as decided, however many there are.
    house.answer(&first, "auth", "jwt");
    house.docket.submit(&PetitionId::from(&*first), &ada(), now()).unwrap();
    let told = client.call("arbiter_await", json!({"ids": [first, second]})).await;
    assert_eq!((&told["state"], &told["pending"]), (&json!("withdrawn"), &json!([])), "{told}");
}

#[tokio::test]
async fn time_alone_closes_a_petition_and_wakes_who_waits() {
    let house = House::new();
    let client = house.client("mcp").await;
    let mut petition = auth();
    petition["deadline"] = json!("1s");
    let id = client.push(petition).await;
    let told = client.call("arbiter_await", json!({"id": id, "wait_seconds": 20})).await;
    assert_eq!(told["state"], "expired", "{told}");
    assert_eq!(told["answers"], json!({}));
    assert!(told["hint"].as_str().unwrap().contains("no answer"), "{told}");
    house.answer(&id, "auth", "jwt");
    let told = client.call("arbiter_await", json!({"id": id})).await;
    assert_eq!((&told["state"], &told["late"]), (&json!("expired"), &json!({"auth": "jwt"})), "{told}");
    assert_eq!(told["answers"], json!({}), "late is no answer");
}

#[tokio::test]
async fn a_cancelled_wait_ends_at_once_and_leaves_nothing() {
    let house = House::new();
    let mut client = house.client("mcp").await;
    let id = client.push(auth()).await;
    let call = client.begin("arbiter_await", json!({"id": id, "wait_seconds": 40})).await;
    let token = call.progress_token.clone();
    tokio::time::timeout(PATIENCE, client.progress.recv()).await.unwrap().unwrap();
    call.cancel(None).await.unwrap();
    // Whatever was on its way comes before the answer of a later call; after it there is silence.
    client.call("arbiter_status", json!({"id": id})).await;
    while client.progress.try_recv().is_ok() {}
    client.call("arbiter_await", json!({"id": id, "wait_seconds": 1})).await;
    while let Ok(told) = client.progress.try_recv() {
        assert_ne!(told.progress_token, token, "the cancelled call is still alive");
    }
    house.answer(&id, "auth", "jwt");
    house.submit(&id);
    assert_eq!(client.call("arbiter_await", json!({"id": id})).await["state"], "decided");
}

#[tokio::test]
async fn the_server_ends_at_once_with_its_client_although_calls_wait() {
    let house = House::new();
    let mut client = house.client("mcp").await;
    let id = client.push(auth()).await;
    let _call = client.begin("arbiter_await", json!({"id": id, "wait_seconds": 40})).await;
    tokio::time::timeout(PATIENCE, client.progress.recv()).await.unwrap().unwrap();
    let began = Instant::now();
    client.running.cancel().await.unwrap();
    tokio::time::timeout(PATIENCE, client.server).await.unwrap().unwrap().unwrap();
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    house.answer(&id, "auth", "jwt");
    house.submit(&id);
}

#[tokio::test]
async fn a_file_that_is_being_edited_is_not_yet_an_answer() {
    let house = House::new();
    let client = house.client("mcp").await;
    let id = client.push(auth()).await;
    let file = house.docket.find(&id, now()).unwrap().file;
    let whole = std::fs::read(&file).unwrap();
    let half = String::from_utf8(whole.clone()).unwrap().replace("## Decision", "Decision");
    std::fs::write(&file, half).unwrap();
    let told = client.call("arbiter_await", json!({"id": id, "wait_seconds": 0})).await;
    assert_eq!(told["state"], "pending");
    assert!(told["problem"].as_str().unwrap().contains("cannot be understood"), "{told}");
    std::fs::write(&file, whole).unwrap();
    house.answer(&id, "auth", "jwt");
    house.submit(&id);
    assert_eq!(client.call("arbiter_await", json!({"id": id})).await["state"], "decided");
}

#[tokio::test]
async fn many_wait_at_once_and_all_are_woken() {
    let house = House::new();
    let client = house.client("mcp").await;
    let id = client.push(auth()).await;
    let mut calls = Vec::new();
    for _ in 0..40 {
        calls.push(client.begin("arbiter_await", json!({"id": id, "wait_seconds": 40})).await);
    }
    house.answer(&id, "auth", "jwt");
    house.submit(&id);
    for call in calls {
        assert_eq!(client.finish(call).await["answers"], json!({"auth": "jwt"}));
    }
}
