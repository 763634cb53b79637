//! Reading typed outputs: what is ours is read strictly, all faults are named at once, the rest is forgiven.

use mind::limits;
use mind::output::{Intent, WorkerMessageKind, read_manager, read_worker};
use mind::talk::{Asks, Verdict};
use serde_json::{Value, json};

fn manager_faults(output: Value) -> Vec<String> {
    read_manager(Some(&output)).expect_err("it has faults")
}

fn worker_faults(output: Value) -> Vec<String> {
    read_worker(Some(&output), false).expect_err("it has faults")
}

#[test]
fn what_is_no_object_is_named_so() {
    assert_eq!(read_manager(None), Err(vec!["there was no typed output".to_owned()]));
    assert_eq!(manager_faults(json!("hello")), ["the typed output is not an object"]);
    assert_eq!(worker_faults(json!([1, 2])), ["the typed output is not an object"]);
    assert_eq!(worker_faults(Value::Null), ["the typed output is not an object"]);
}

#[test]
fn faults_of_the_arbiter_are_named() {
    let intents = "address_human, address_orchestrator, summon_orchestrator, release_orchestrators, musings";
    let table = [
        (json!({ "intent": "musings" }), vec!["`message` is missing or empty".to_owned()]),
        (json!({ "intent": "musings", "message": " \n" }), vec!["`message` is missing or empty".to_owned()]),
        (
            json!({ "intent": "musings", "message": 5 }),
            vec!["`message` must be a text".to_owned(), "`message` is missing or empty".to_owned()],
        ),
        (json!({ "message": "x" }), vec![format!("`intent` is \"\", but must be one of {intents}")]),
        (
            json!({ "intent": "Musings", "message": "x" }),
            vec![format!("`intent` is \"Musings\", but must be one of {intents}")],
        ),
        (
            json!({ "intent": "musings", "message": "x", "claim": "complete" }),
            vec!["`claim` belongs to release_orchestrators, not to \"musings\"".to_owned()],
        ),
        (
            json!({ "intent": "address_human", "message": "x", "agent": "verifier" }),
            vec!["`agent` belongs to summon_orchestrator, not to \"address_human\"".to_owned()],
        ),
        (
            json!({ "intent": "address_human", "message": "x", "asks": "money" }),
            vec!["`asks` is \"money\", but must be one of alignment".to_owned()],
        ),
        (
            json!({ "intent": "release_orchestrators", "message": "x", "claim": "done" }),
            vec!["`claim` is \"done\", but must be one of complete".to_owned()],
        ),
        (
            json!({ "intent": "address_human", "message": "x", "decisions": "many" }),
            vec!["`decisions` must be a list".to_owned()],
        ),
    ];
    for (output, faults) in table {
        assert_eq!(manager_faults(output.clone()), faults, "{output}");
    }
}

#[test]
fn faults_of_decisions_are_named() {
    let decision = |decision: Value| {
        manager_faults(json!({ "intent": "address_human", "message": "x", "decisions": [decision] }))
    };
    let shape = "each of `decisions` needs `id`, `title` and `options` of `key` and `label`";
    assert_eq!(decision(json!({ "title": "?" })), [shape]);
    assert_eq!(decision(json!("left?")), [shape]);
    assert_eq!(
        decision(json!({ "id": "a", "title": "?" })),
        ["decision \"a\" has neither options nor `allow_custom`"]
    );
    let empty = json!({ "id": " ", "title": "?", "allow_custom": true });
    assert_eq!(decision(empty), ["a decision's `id` and `title` must not be empty"]);
    let twins = json!({ "id": "a", "title": "?", "options": [{ "key": "l", "label": "x" }, { "key": "l", "label": "y" }] });
    assert_eq!(decision(twins), ["decision \"a\" has two options of the same key"]);
    let twice = json!({ "id": "a", "title": "?", "allow_custom": true });
    let both =
        json!({ "intent": "address_human", "message": "x", "decisions": [twice.clone(), twice.clone()] });
    assert_eq!(manager_faults(both), ["decision \"a\" stands twice"]);
    let many = json!({ "intent": "address_human", "message": "x", "decisions": vec![twice; limits::DECISIONS_MAX + 1] });
    assert_eq!(manager_faults(many), ["`decisions` has more than 50 entries"]);
}

#[test]
fn faults_of_an_orchestrator_are_named() {
    let table = [
        (
            json!({}),
            vec![
                "`message` is missing or empty",
                "`kind` is missing",
                "`expects_response` must be true or false",
            ],
        ),
        (
            json!({ "kind": "song", "expects_response": true, "message": "la" }),
            vec!["`kind` is \"song\", but must be one of introduction, question, progress, handoff"],
        ),
        (
            json!({ "kind": "progress", "expects_response": "no", "message": "x" }),
            vec!["`expects_response` must be true or false"],
        ),
        (
            json!({ "kind": "handoff", "expects_response": true, "message": "x", "verdict": "maybe" }),
            vec!["`verdict` is \"maybe\", but must be one of pass, fail"],
        ),
        (
            json!({ "kind": "handoff", "expects_response": true, "message": "x", "findings": [1] }),
            vec!["each of `findings` must be a text"],
        ),
    ];
    for (output, faults) in table {
        assert_eq!(worker_faults(output.clone()), faults, "{output}");
    }
}

#[test]
fn texts_and_lists_have_bounds() {
    let long = "x".repeat(limits::MESSAGE_BYTES_MAX + 1);
    assert_eq!(
        manager_faults(json!({ "intent": "musings", "message": long })),
        ["`message` is longer than 262144 bytes"]
    );
    let fits = "x".repeat(limits::MESSAGE_BYTES_MAX);
    assert!(read_manager(Some(&json!({ "intent": "musings", "message": fits }))).is_ok());
    let findings = vec!["x"; limits::FINDINGS_MAX + 1];
    let output = json!({ "kind": "handoff", "expects_response": true, "message": "x", "findings": findings });
    assert_eq!(worker_faults(output), ["`findings` has more than 100 entries"]);
}

#[test]
fn nulls_and_fields_of_others_are_forgiven() {
    let output = json!({
        "intent": "summon_orchestrator", "message": "x", "agent": null, "asks": null, "decisions": null, "mood": "grave",
    });
    let read = read_manager(Some(&output)).expect("it is valid");
    assert_eq!(
        read.intent,
        Intent::SummonOrchestrator { agent: None, provider: None, model: None, brief: None }
    );
}

#[test]
fn every_intent_is_read_with_its_fields() {
    let read = |output: Value| read_manager(Some(&output)).expect("it is valid").intent;
    let asks = read(json!({ "intent": "address_human", "message": "x", "asks": "alignment" }));
    assert_eq!(asks, Intent::AddressHuman { asks: Some(Asks::Alignment), decisions: Vec::new() });
    assert_eq!(
        read(json!({ "intent": "address_orchestrator", "message": "x" })),
        Intent::AddressOrchestrator
    );
    let claim = read(json!({ "intent": "release_orchestrators", "message": "x", "claim": "complete" }));
    assert_eq!(claim, Intent::ReleaseOrchestrators { complete: true });
    let release = read(json!({ "intent": "release_orchestrators", "message": "x" }));
    assert_eq!(release, Intent::ReleaseOrchestrators { complete: false });
    assert_eq!(read(json!({ "intent": "musings", "message": "x" })), Intent::Musings);
    let summon = json!({ "intent": "summon_orchestrator", "message": "x", "agent": "verifier", "provider": "acp", "model": "m", "brief": "b" });
    let (agent, provider, model) = (Some("verifier".into()), Some("acp".into()), Some("m".into()));
    let brief = Some("b".into());
    assert_eq!(read(summon), Intent::SummonOrchestrator { agent, provider, model, brief });
}

#[test]
fn a_verifiers_handoff_carries_its_verdict() {
    let mut output = json!({ "kind": "handoff", "expects_response": true, "message": "x" });
    let faults = read_worker(Some(&output), true).expect_err("the verdict is missing");
    assert_eq!(faults, ["a verifier's handoff needs `verdict`: pass or fail"]);
    output["verdict"] = json!("fail");
    output["findings"] = json!(["No lamp"]);
    let read = read_worker(Some(&output), true).expect("it is valid");
    assert_eq!((read.kind, read.verdict), (WorkerMessageKind::Handoff, Some(Verdict::Fail)));
    assert_eq!(read.findings, ["No lamp"]);
}
