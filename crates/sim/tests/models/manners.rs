//! Servers differ in what they understand: a request that is rejected for its form is made simpler, and the next one
//! begins there.

use providers::api::{ApiDialect, ask};
use serde_json::{Value, json};
use sim::api::{Api, Step};

use crate::world::{PATIENCE, api, options, question, refusing, said};

fn forms(api: &Api) -> Vec<(Value, bool, bool)> {
    let requests = api.requests();
    let form = |body: &Value| {
        let newer = body.get("max_completion_tokens").is_some();
        assert_ne!(newer, body.get("max_tokens").is_some(), "one of the two");
        (body["response_format"]["type"].clone(), newer, body.get("stream_options").is_some())
    };
    requests.iter().map(|request| form(&request.body)).collect()
}

#[tokio::test]
async fn a_form_that_is_not_understood_is_made_simpler_and_remembered() {
    let api = api([
        refusing(400, None, "response_format of type json_schema is not supported"),
        refusing(400, None, "'response_format' is not supported by this model"),
        Step::say("```json\n{\"action\": \"COMPLETE\", \"confidence\": 1}\n```").forever(),
    ]);
    let options = options(ApiDialect::OpenAi, &api);
    for _ in 0..2 {
        let answer = ask(&options.clone(), &question(), PATIENCE).await;
        assert_eq!(said(&answer).0, Some(json!({"action": "COMPLETE", "confidence": 1})));
    }
    let (schema, object, nothing) = (json!("json_schema"), json!("json_object"), Value::Null);
    let expected = [schema, object, nothing.clone(), nothing].map(|format| (format, false, true));
    assert_eq!(forms(&api), expected);
    let systems: Vec<bool> =
        api.requests().iter().map(|request| request.system.contains("JSON schema")).collect();
    assert_eq!(systems, [false, true, true, true], "the schema stands in the prompt then");
}

#[tokio::test]
async fn the_other_name_of_the_bound_is_tried() {
    let api = api([
        refusing(400, None, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        refusing(400, None, "Unrecognized request argument supplied: stream_options"),
        Step::say("{}").forever(),
    ]);
    let options = options(ApiDialect::OpenAi, &api);
    for _ in 0..2 {
        said(&ask(&options, &question(), PATIENCE).await);
    }
    let schema = json!("json_schema");
    let expected = [(false, true), (true, true), (true, false), (true, false)];
    assert_eq!(forms(&api), expected.map(|(newer, counts)| (schema.clone(), newer, counts)));
}

#[tokio::test]
async fn a_rejection_that_does_not_end_is_taken_at_its_word() {
    let api = api([refusing(400, None, "max_tokens and max_completion_tokens are out of range").forever()]);
    let options = options(ApiDialect::OpenAi, &api);
    let answer = ask(&options, &question(), PATIENCE).await;
    let refused = format!("{:?}", answer.end);
    assert!(refused.contains("Refused") && refused.contains("out of range"), "{refused}");
    assert!(api.requests().len() <= 5, "{}", api.requests().len());
    assert_eq!(format!("{:?}", options.memory), "Memory(None)", "nothing was learned");
}

#[tokio::test]
async fn what_has_another_cause_is_not_tried_again() {
    for (status, message) in
        [(400, "the model is not loaded"), (401, "response_format"), (500, "response_format")]
    {
        let api = api([refusing(status, None, message).forever()]);
        ask(&options(ApiDialect::OpenAi, &api), &question(), PATIENCE).await;
        assert_eq!(api.requests().len(), 1, "{status} {message}");
    }
}

#[tokio::test]
async fn an_older_model_of_anthropic_is_told_the_schema_in_words() {
    let api = api([
        refusing(400, None, "output_config: Extra inputs are not permitted"),
        Step::say("{\"action\": \"COMPLETE\", \"confidence\": 1}").forever(),
    ]);
    let answer = ask(&options(ApiDialect::Anthropic, &api), &question(), PATIENCE).await;
    assert!(said(&answer).0.is_some());
    let requests = api.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[1].body.get("output_config"), None);
    assert!(requests[1].system.contains("JSON schema"), "{}", requests[1].system);
}
