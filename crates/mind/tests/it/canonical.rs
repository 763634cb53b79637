//! Digests and stored forms over JSON are the same whether maps keep their order or not. `cargo xtask test` runs these
//! tests a second time with `preserve-order`; the golden file is one for both.

use std::sync::Arc;

use mind::canonical;
use mind::charter::Charter;
use mind::conductor::{DecisionPoint, cache};
use mind::play::conducted::Conducted;
use mind::policy;
use serde_json::Value;

/// Inputs as agents write them, the keys as they come.
const INPUTS: [&str; 6] = [
    r#"{"command":"rm -rf build","description":"Clean","timeout":5}"#,
    r#"{"timeout":5,"description":"Clean","command":"rm -rf build"}"#,
    r#"{"z":{"y":[{"b":1,"a":[]},{}],"x":null},"ä":"ü\n\"","Z":true,"a":1.5e300,"A":-0.0}"#,
    r#"[{"b":2,"a":1},"b","a",18446744073709551615,-9223372036854775808]"#,
    r#""text""#,
    r#"{}"#,
];

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Every digest that is made over JSON, by name.
fn digests() -> String {
    let mission = Conducted::open("Build the bridge.", Vec::new());
    let charter: &Charter = mission.state.charter.as_deref().expect("a charter");
    let mut lines = String::new();
    for (at, text) in INPUTS.iter().enumerate() {
        let input = value(text);
        lines += &format!("policy {at} {}\n", policy::digest_of("Bash", &input, "/clone"));
        lines += &format!("cache {at} {}\n", cache::key(charter, "m", DecisionPoint::Select, &[], &input));
    }
    lines
}

#[test]
fn digests_are_the_golden_ones() {
    assert_eq!(digests(), include_str!("digests.golden"));
}

#[test]
fn the_text_is_the_same_for_equal_values() {
    assert_eq!(canonical::json(&value(INPUTS[0])), canonical::json(&value(INPUTS[1])));
    assert_eq!(
        canonical::json(&value(INPUTS[2])),
        r#"{"A":-0.0,"Z":true,"a":1.5e+300,"z":{"x":null,"y":[{"a":[],"b":1},{}]},"ä":"ü\n\""}"#
    );
    assert_eq!(canonical::json_without(&value(INPUTS[2]), &["y", "Z", "b"]), {
        r#"{"A":-0.0,"a":1.5e+300,"z":{"x":null},"ä":"ü\n\""}"#
    });
    for text in INPUTS {
        assert_eq!(value(&canonical::json(&value(text))), value(text), "nothing is lost of {text}");
    }
}

/// A JSON value inside of a fact is stored with its keys in order.
#[test]
fn stored_values_have_their_keys_in_order() {
    let stored = r#"{"number":1,"call":"select","attempt":1,"input":{"b":{"d":1,"c":2},"a":3},"legal":[],"prompt":""}"#;
    let asking: mind::conductor::move_record::MoveAttempt = serde_json::from_str(stored).expect("a question");
    let again = serde_json::to_string(&asking).expect("a stored form");
    assert!(again.contains(r#""input":{"a":3,"b":{"c":2,"d":1}}"#), "{again}");
    let casting = mind::conductor::agent::AgentAssignment {
        name: "tester".into(),
        tools: Default::default(),
        schema: Arc::new(value(r#"{"type":"object","properties":{}}"#)),
    };
    let again = serde_json::to_string(&casting).expect("a stored form");
    assert!(again.contains(r#""schema":{"properties":{},"type":"object"}"#), "{again}");
}

/// The second run would prove nothing if it were the same build.
#[test]
fn the_second_run_keeps_the_order() {
    let ordered = value(r#"{"b":1,"a":2}"#);
    let first = ordered.as_object().and_then(|map| map.keys().next()).map(String::as_str);
    assert!(first == Some("b") || !cfg!(feature = "preserve-order"));
}
