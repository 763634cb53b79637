//! Everything that can go wrong between us and a model, and what is said of it.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use mind::conductor::move_record::ReplyEnd;
use providers::api::{ApiDialect, ModelOptions, ask};
use sim::api::{Act, End, How, Malformed, Place, Step};

use crate::world::{KINDS, PATIENCE, api, asked, ending, leading_to, options, question, refusing};

/// A server that answers every request with this, and closes.
pub fn answering(status: &'static str, kind: &'static str, body: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut request = [0; 16_384];
            let _ = stream.read(&mut request);
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
            );
            let _ = stream.write_all(format!("{head}{body}").as_bytes());
        }
    });
    format!("http://{address}/v1")
}

/// The kind of an end, and its words.
fn kind_of(end: &ReplyEnd) -> (&'static str, String) {
    match end {
        ReplyEnd::Said { text, .. } => ("said", text.to_string()),
        ReplyEnd::Unavailable { why, until: None } => ("unavailable", why.to_string()),
        ReplyEnd::Unavailable { why, until: Some(_) } => ("unavailable until", why.to_string()),
        ReplyEnd::Refused { why } => ("refused", why.to_string()),
    }
}

#[tokio::test]
async fn each_status_is_told_by_what_helps() {
    for kind in KINDS {
        for (status, expected, words) in [
            (400, "refused", "refuses the request"),
            (401, "refused", "does not accept the key"),
            (402, "refused", "nothing left to spend"),
            (403, "refused", "does not accept the key"),
            (404, "refused", "no such model"),
            (422, "refused", "refuses the request"),
            (408, "unavailable", "failed (408)"),
            (409, "unavailable", "failed (409)"),
            (425, "unavailable", "failed (425)"),
            (429, "unavailable", "rate limit"),
            (500, "unavailable", "failed (500)"),
            (503, "unavailable", "failed (503)"),
            (529, "unavailable", "overloaded (529)"),
        ] {
            let answer = asked(kind, refusing(status, None, "these are its words")).await;
            let (told, why) = kind_of(&answer.end);
            assert_eq!(told, expected, "{kind:?} {status}: {why}");
            assert!(why.contains(words) && why.contains("these are its words"), "{why}");
            assert_eq!(answer.tokens, None);
        }
        let quota = asked(kind, refusing(429, Some("insufficient_quota"), "You have no credit.")).await;
        assert_eq!(kind_of(&quota.end).0, "refused", "waiting does not help");
    }
}

#[tokio::test]
async fn a_limit_is_told_with_its_time() {
    let date = {
        let later = mail_later(300);
        format!("{later} GMT")
    };
    for kind in KINDS {
        let cases = [
            (Step::status(429).header("retry-after", "300"), Some(300)),
            (Step::status(503).header("retry-after", "300"), Some(300)),
            (Step::status(429).header("retry-after", &date), Some(300)),
            (Step::status(429).header("anthropic-ratelimit-tokens-reset", utc_later(300)), Some(300)),
            (Step::status(429).header("retry-after", "soon"), None),
            (Step::status(429), None),
        ];
        for (step, seconds) in cases {
            let answer = asked(kind, step).await;
            let ReplyEnd::Unavailable { until, .. } = answer.end else { panic!("{:?}", answer.end) };
            let left = until.map(|until| until.0.saturating_sub(host::now_ms()) / 1000);
            match seconds {
                Some(seconds) => assert!((seconds - 30..=seconds).contains(&left.unwrap()), "{left:?}"),
                None => assert_eq!(left, None),
            }
        }
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_no_answer() {
    for kind in KINDS {
        for place in [Place::BeforeStart, Place::MidBlock(1), Place::AfterBlock(1)] {
            for how in [How::Reset, How::Close, How::Overloaded] {
                let step =
                    Step::say("{\"action\": \"SELECT\", \"confidence\": 3}").chunks(6, 0).cut(place, how);
                let (told, why) = kind_of(&asked(kind, step).await.end);
                assert_eq!(told, "unavailable", "{kind:?} {place:?} {how:?}: {why}");
                assert!(how != How::Overloaded || why.contains("overloaded"), "{why}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_no_answer_at_all_is_told_in_words() {
    for kind in KINDS {
        for (malformed, words) in [
            (Malformed::Html, "a page came"),
            (Malformed::Empty, "is empty"),
            (Malformed::BadJson, "not JSON"),
        ] {
            let (told, why) = kind_of(&asked(kind, Step::new(Act::Malformed(malformed))).await.end);
            assert_eq!(told, "unavailable");
            assert!(why.contains(words), "{why}");
        }
        for (kind_of_body, body, words) in [
            ("application/json", "", "not JSON"),
            ("application/json", "{\"hello\": 1}", "no message"),
            ("text/event-stream", "hello", "broke off"),
            ("text/event-stream", "data: [DONE]\n\n", "broke off"),
        ] {
            let base = answering("200 OK", kind_of_body, body.to_owned());
            let answer = ask(&leading_to(kind, base), &question(), PATIENCE).await;
            let (told, why) = kind_of(&answer.end);
            assert_eq!(told, "unavailable");
            assert!(why.contains(words), "{body}: {why}");
        }
        let page = answering("502 Bad Gateway", "text/html", "<html>502</html>".to_owned());
        let (told, why) = kind_of(&ask(&leading_to(kind, page), &question(), PATIENCE).await.end);
        assert_eq!((told, why.as_str()), ("unavailable", "the server failed (502)"));
    }
}

#[tokio::test]
async fn an_answer_without_end_is_not_taken_in() {
    let line = format!("data: {}", "x".repeat(2 << 20));
    let base = answering("200 OK", "text/event-stream", line);
    let (told, why) = kind_of(&ask(&leading_to(ApiDialect::OpenAi, base), &question(), PATIENCE).await.end);
    assert_eq!(told, "unavailable");
    assert!(why.contains("no end"), "{why}");
    let part = "data: {\"choices\": [{\"delta\": {\"content\": \"words and words\"}}]}\n\n";
    let base = answering("200 OK", "text/event-stream", part.repeat((20 << 20) / part.len()));
    let (told, why) = kind_of(&ask(&leading_to(ApiDialect::OpenAi, base), &question(), PATIENCE).await.end);
    assert_eq!(told, "unavailable");
    assert!(why.contains("more than"), "{why}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_waited_for_longer_than_was_said() {
    for kind in KINDS {
        for step in [
            Step::new(Act::Hang),
            Step::say("slow words").cut(Place::MidBlock(1), How::Silence),
            Step::say("slow words").chunks(10, 400),
        ] {
            let api = api([step]);
            let began = Instant::now();
            let answer = ask(&options(kind, &api), &question(), Duration::from_millis(600)).await;
            let (told, why) = kind_of(&answer.end);
            assert_eq!((told, why.as_str()), ("unavailable", "the model did not answer in time"));
            assert!(began.elapsed() >= Duration::from_millis(600) && answer.latency_ms >= 600);
            let left = api.wait_for(|request| request.end == End::ClientLeft, PATIENCE);
            assert!(left.is_some(), "the connection is let go");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_that_is_dropped_ends_its_connection() {
    let api = api([Step::new(Act::Hang)]);
    let options = options(ApiDialect::Anthropic, &api);
    let asking = tokio::spawn(async move { ask(&options, &question(), PATIENCE).await });
    api.wait_for(|_| true, PATIENCE).unwrap();
    asking.abort();
    assert!(api.wait_for(|request| request.end == End::ClientLeft, PATIENCE).is_some());
}

#[tokio::test]
async fn a_server_that_is_not_there_may_come_back() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for kind in KINDS {
        let (told, why) =
            kind_of(&ask(&leading_to(kind, format!("http://{port}")), &question(), PATIENCE).await.end);
        assert_eq!(told, "unavailable");
        assert!(why.contains("127.0.0.1 cannot be reached"), "{why}");
    }
}

#[tokio::test]
async fn a_server_that_does_not_keep_secrets_is_told_none() {
    let plain = answering("200 OK", "application/json", "{}".to_owned()).replace("http://", "https://");
    let (told, why) = kind_of(&ask(&leading_to(ApiDialect::OpenAi, plain), &question(), PATIENCE).await.end);
    assert_eq!(told, "unavailable");
    assert!(why.contains("127.0.0.1 cannot be reached"), "{why}");
}

#[tokio::test]
async fn a_model_that_declines_is_not_asked_for_ever() {
    for kind in KINDS {
        let (told, why) = kind_of(&asked(kind, ending("I cannot", "refusal")).await.end);
        assert_eq!((told, why.as_str()), ("refused", "the model will not answer this"));
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    for kind in KINDS {
        let elsewhere = api([Step::say("{}").forever()]);
        let step = Step::status(307).header("location", elsewhere.url());
        let (told, why) = kind_of(&asked(kind, step).await.end);
        assert_eq!(told, "refused");
        assert!(why.contains("points elsewhere"), "{why}");
        assert_eq!((elsewhere.requests().len(), elsewhere.others().len()), (0, 0), "nobody went there");
    }
}

#[tokio::test]
async fn what_is_set_up_wrongly_is_said_before_anybody_is_asked() {
    let api = api([]);
    let nameless = ModelOptions { model: String::new(), ..options(ApiDialect::OpenAi, &api) };
    let plain = leading_to(ApiDialect::OpenAi, "http://models.example/v1".to_owned());
    let broken = leading_to(ApiDialect::Anthropic, "nonsense".to_owned());
    let keyless = ModelOptions {
        key: None,
        ..leading_to(ApiDialect::Anthropic, "https://api.anthropic.com".to_owned())
    };
    for (options, words) in [
        (nameless, "no model is named"),
        (plain, "over plain http"),
        (broken, "cannot be read"),
        (keyless, "hint: set ANTHROPIC_API_KEY"),
    ] {
        let (told, why) = kind_of(&ask(&options, &question(), PATIENCE).await.end);
        assert_eq!(told, "refused");
        assert!(why.contains(words), "{why}");
    }
    assert_eq!(api.requests().len(), 0);
}

/// A time of day so many seconds from now.
fn utc_later(seconds: u64) -> String {
    mind::Timestamp((host::now_ms() / 1000 + seconds) * 1000).utc()
}

/// The same as mail and HTTP write it, without the zone.
fn mail_later(seconds: u64) -> String {
    let utc = utc_later(seconds);
    let (date, time) = utc.trim_end_matches('Z').split_once('T').unwrap();
    let parts: Vec<&str> = date.split('-').collect();
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = months[parts[1].parse::<usize>().unwrap() - 1];
    let days = (host::now_ms() / 1000 + seconds) / 86_400;
    let day = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][usize::try_from(days % 7).unwrap()];
    format!("{day}, {} {month} {} {time}", parts[2], parts[0])
}
