//! A key stands in one header, and nowhere else.

use providers::api::{ApiDialect, ask};
use sim::api::Step;

use crate::world::{KINDS, PATIENCE, SECRET, api, options, question, refusing};

#[tokio::test]
async fn a_key_is_sent_in_its_header_and_nowhere_else() {
    for kind in KINDS {
        let api = api([Step::say("{}")]);
        let options = options(kind, &api);
        let answer = ask(&options, &question(), PATIENCE).await;
        let request = &api.requests()[0];
        let (name, value) = match kind {
            ApiDialect::Anthropic => ("x-api-key", SECRET.to_owned()),
            ApiDialect::OpenAi => ("authorization", format!("Bearer {SECRET}")),
        };
        assert_eq!(request.header(name), Some(value.as_str()));
        let holders: Vec<&String> = request
            .headers
            .iter()
            .filter(|(_, value)| value.contains(SECRET))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(holders, [name]);
        assert_eq!(request.header("anthropic-version").is_some(), kind == ApiDialect::Anthropic);
        assert!(!request.body.to_string().contains(SECRET) && !request.path.contains(SECRET));
        assert!(!format!("{options:?} {answer:?}").contains(SECRET));
    }
}

#[tokio::test]
async fn a_server_that_repeats_the_key_is_not_quoted() {
    for kind in KINDS {
        for status in [400, 401, 429, 500] {
            let api = api([refusing(status, None, &format!("Incorrect key {SECRET} provided"))]);
            let answer = ask(&options(kind, &api), &question(), PATIENCE).await;
            let told = format!("{answer:?}");
            assert!(told.contains("Incorrect key (the key) provided") && !told.contains(SECRET), "{told}");
        }
    }
}

#[tokio::test]
async fn no_part_of_a_key_is_left_where_a_long_message_is_cut() {
    for kind in KINDS {
        for before in 280..300 {
            let api = api([refusing(400, None, &format!("{}{SECRET}", "x".repeat(before)))]);
            let told = format!("{:?}", ask(&options(kind, &api), &question(), PATIENCE).await);
            assert!(!told.contains(&SECRET[..4]), "{before}: {told}");
        }
    }
}
