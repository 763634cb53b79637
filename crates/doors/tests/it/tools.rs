//! What clients see of the tools, and calls that make no sense.

use rmcp::service::ServiceError;
use serde_json::{Value, json};

use crate::house::{House, auth, now};

#[tokio::test]
async fn the_tools_are_four_and_their_schemas_are_plain() {
    let house = House::new();
    let client = house.client("mcp").await;
    let tools = client.running.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["arbiter_push", "arbiter_status", "arbiter_get", "arbiter_await"]);
    for tool in &tools {
        let described = serde_json::to_value(tool).unwrap();
        assert_plain(&described["inputSchema"], &tool.name);
        assert_plain(&described["outputSchema"], &tool.name);
        let reads = tool.name != "arbiter_push";
        assert_eq!(described["annotations"]["readOnlyHint"], json!(reads), "{}", tool.name);
        let in_prompt = matches!(&*tool.name, "arbiter_push" | "arbiter_await");
        let always = described["_meta"]["anthropic/alwaysLoad"] == json!(true);
        assert_eq!(always, in_prompt, "{}", tool.name);
    }
}

/// One type for each field, nothing nullable, no references.
fn assert_plain(schema: &Value, tool: &str) {
    for key in ["anyOf", "oneOf", "allOf", "$ref", "nullable", "format"] {
        assert!(schema.get(key).is_none(), "{tool} has {key}: {schema}");
    }
    assert!(schema["type"].is_string(), "{tool} has no plain type: {schema}");
    for (_, field) in schema["properties"].as_object().into_iter().flatten() {
        assert_plain(field, tool);
    }
    if let Some(items) = schema.get("items") {
        assert_plain(items, tool);
    }
}

#[tokio::test]
async fn the_server_says_who_it_is_and_how_to_use_it() {
    let house = House::new();
    let client = house.client("mcp").await;
    let info = client.running.peer_info().unwrap();
    let server = info.server_info.clone().unwrap();
    assert_eq!((server.name.as_str(), server.version.as_str()), ("arbiter", "1.2.3"));
    let instructions = info.instructions.clone().unwrap();
    for word in ["arbiter_push", "arbiter_await", "arbiter_status", "pending"] {
        assert!(instructions.contains(word), "{word}");
    }
    assert!(instructions.len() < 1_000, "it stands in every prompt");
}

#[tokio::test]
async fn a_call_that_makes_no_sense_is_an_error_of_the_protocol_that_helps() {
    let house = House::new();
    let client = house.client("mcp").await;
    for (tool, arguments, word) in [
        ("arbiter_pusch", json!({}), "there is no tool `arbiter_pusch`"),
        ("arbiter_await", json!({}), "give its `id`"),
        ("arbiter_await", json!({"id": "x", "wait_seconds": "long"}), "`wait_seconds` must be a number"),
        ("arbiter_get", json!({"id": 7.5}), "`id` must be a text"),
    ] {
        let error = client.call_raw(tool, arguments).await.unwrap_err();
        let ServiceError::McpError(error) = error else { panic!("{error}") };
        assert!(error.message.contains(word), "{}", error.message);
    }
}

#[tokio::test]
async fn a_petition_that_is_not_there_is_told_with_a_hint() {
    let house = House::new();
    let client = house.client("mcp").await;
    for tool in ["arbiter_status", "arbiter_get", "arbiter_await"] {
        let told = client.refused(tool, json!({"id": "nowhere"})).await;
        assert_eq!(told["error"], "there is no petition \"nowhere\"", "{tool}");
        assert!(told["hint"].as_str().unwrap().contains("arbiter_push"), "{tool}");
    }
}

#[tokio::test]
async fn a_file_that_is_malformed_or_gone_is_told_with_the_reason() {
    let house = House::new();
    let client = house.client("mcp").await;
    let id = client.push(auth()).await;
    let file = house.docket.find(&id, now()).unwrap().file;
    let whole = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, whole.replace("## Decision", "Decision")).unwrap();
    for tool in ["arbiter_status", "arbiter_get"] {
        let told = client.refused(tool, json!({"id": id})).await;
        assert!(told["error"].as_str().unwrap().starts_with("malformed: "), "{tool}: {told}");
        assert!(told["hint"].as_str().unwrap().contains("mend"), "{tool}: {told}");
    }
    std::fs::write(&file, whole).unwrap();
    assert_eq!(client.call("arbiter_status", json!({"id": id})).await["status"], "pending");
    std::fs::remove_file(&file).unwrap();
    for tool in ["arbiter_status", "arbiter_get", "arbiter_await"] {
        let told = client.refused(tool, json!({"id": id})).await;
        assert!(told["error"].as_str().unwrap().contains("no longer there"), "{tool}: {told}");
    }
}

#[tokio::test]
async fn status_and_get_tell_how_it_stands() {
    let house = House::new();
    let client = house.client("mcp").await;
    let mut petition = auth();
    petition["tag"] = json!("web");
    let more = json!({"id": "name", "title": "Whose?", "allow_custom": true});
    petition["decisions"].as_array_mut().unwrap().push(more);
    let id = client.push(petition).await;

    let told = client.call("arbiter_status", json!({"id": id})).await;
    assert_eq!(
        (&told["status"], &told["total"], &told["remaining"]),
        (&json!("pending"), &json!(2), &json!(2))
    );
    assert_eq!(client.call("arbiter_status", json!({"tag": "web"})).await["id"], json!(id));

    house.answer(&id, "auth", "jwt");
    let told = client.refused("arbiter_get", json!({"id": id})).await;
    assert_eq!(told["error"], "it is not completed: 1 of 2 are open");
    let told = client.call("arbiter_get", json!({"id": id, "partial": true})).await;
    assert_eq!(told["answers"], json!({"auth": "jwt"}));

    house.answer(&id, "name", "ada's");
    house.submit(&id);
    let told = client.call("arbiter_get", json!({"planId": id})).await;
    assert_eq!(told["answers"], json!({"auth": "jwt", "name": "ada's"}));
    assert_eq!(told["provenance"]["auth"]["by"], "human:cli:ada");
}
