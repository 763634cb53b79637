//! What a model may reply, and what is read from it: one row each. What cannot be read says why.

use mind::conductor::agent::Agent;
use mind::conductor::reading::{ReplyTerms, read};
use mind::conductor::{MoveKind, NextMove, limits};
use serde_json::{Value, json};

use super::hall::agents;

/// What is legal in a row.
#[derive(Clone, Copy)]
pub enum Set {
    All,
    /// The first selection: nothing ran before.
    First,
    /// After a claim was turned back.
    NoClaim,
}
pub use Set::{All, First, NoClaim};

impl Set {
    fn kinds(self) -> Vec<MoveKind> {
        let without: &[MoveKind] = match self {
            All => &[],
            First => &[MoveKind::Continue, MoveKind::Retry, MoveKind::SkipStep],
            NoClaim => &[MoveKind::Complete],
        };
        MoveKind::ALL.into_iter().filter(|kind| !without.contains(kind)).collect()
    }
}

/// A reply, and the decision as JSON or words of its faults.
struct Row(&'static str, Set, &'static str, Result<&'static str, &'static [&'static str]>);

const DONE: &str = r#"{"type":"COMPLETE","summary":"done"}"#;
const RETRY: &str = r#"{"type":"RETRY","reason":"again"}"#;
const PICKED: &str = r#"{"type":"SELECT_MODE","mode":"developer","reason":"code"}"#;

const ROWS: &[Row] = &[
    Row("plain", All, r#"{"type":"COMPLETE","summary":"done"}"#, Ok(DONE)),
    Row(
        "every field of strict mode",
        All,
        r#"{"type":"COMPLETE","mode":null,"reason":null,"guidance":null,"summary":"done","question":null,"options":[]}"#,
        Ok(DONE),
    ),
    Row("fenced", All, "```json\n{\"type\":\"RETRY\",\"reason\":\"again\"}\n```", Ok(RETRY)),
    Row(
        "fenced in prose",
        All,
        "I think so.\n\n```\n{\"type\":\"RETRY\",\"reason\":\"again\"}\n```\nThat is all.",
        Ok(RETRY),
    ),
    Row("a fence of tildes", All, "~~~json\n{\"type\":\"RETRY\",\"reason\":\"again\"}\n~~~", Ok(RETRY)),
    Row(
        "a fence that is never closed",
        All,
        "So:\n```json\n{\"type\":\"RETRY\",\"reason\":\"again\"}",
        Ok(RETRY),
    ),
    Row(
        "a longer fence around a shorter one",
        All,
        "````json\n{\"type\":\"RETRY\",\"reason\":\"again\"}\n````\n",
        Ok(RETRY),
    ),
    Row(
        "an indented fence",
        All,
        "1. so:\n   ```json\n   {\"type\":\"RETRY\",\"reason\":\"again\"}\n   ```",
        Ok(RETRY),
    ),
    Row(
        "several fences, the first is code",
        All,
        "```rust\nfn main() { println!(\"{}\", 1); }\n```\n```json\n{\"type\":\"RETRY\",\"reason\":\"again\"}\n```",
        Ok(RETRY),
    ),
    Row(
        "a fence comes before braces in prose",
        All,
        "Not {\"type\":\"FAIL\",\"reason\":\"x\"} but\n```json\n{\"type\":\"RETRY\",\"reason\":\"again\"}\n```",
        Ok(RETRY),
    ),
    Row("a fence on one line", All, "```{\"type\":\"RETRY\",\"reason\":\"again\"}```", Ok(RETRY)),
    Row(
        "two objects, the first is no decision",
        All,
        r#"{"thought":"hm"} {"type":"RETRY","reason":"again"}"#,
        Ok(RETRY),
    ),
    Row(
        "two objects, the first is illegal",
        First,
        r#"{"type":"RETRY","reason":"again"} {"type":"COMPLETE","summary":"done"}"#,
        Ok(DONE),
    ),
    Row(
        "two objects, the first counts",
        All,
        r#"{"type":"RETRY","reason":"again"} {"type":"COMPLETE","summary":"done"}"#,
        Ok(RETRY),
    ),
    Row(
        "braces in prose",
        All,
        r#"The set {a, b} and {plan} and fn() { x }. {"type":"RETRY","reason":"again"}"#,
        Ok(RETRY),
    ),
    Row(
        "a brace in prose that is never closed",
        All,
        r#"A { alone. {"type":"RETRY","reason":"again"}"#,
        Ok(RETRY),
    ),
    Row("brackets in prose", All, r#"See [1] and [x: {"type":"RETRY","reason":"again"}"#, Ok(RETRY)),
    Row("tags around it", All, r#"<decision>{"type":"RETRY","reason":"again"}</decision>"#, Ok(RETRY)),
    Row("inline code", All, r#"I decide `{"type":"RETRY","reason":"again"}`."#, Ok(RETRY)),
    Row("wrong case", All, r#"{"type":"retry","reason":"again"}"#, Ok(RETRY)),
    Row("dashes", All, r#"{"type":"select-mode","mode":"developer","reason":"code"}"#, Ok(PICKED)),
    Row("blanks", All, r#"{"type":"Select Mode","mode":"developer","reason":"code"}"#, Ok(PICKED)),
    Row(
        "another word for it",
        All,
        r#"{"type":"FINISH","summary":"done"}"#,
        Err(&["\"FINISH\" is no decision", "COMPLETE"]),
    ),
    Row("the alias", All, r#"{"decision":"RETRY","reason":"again"}"#, Ok(RETRY)),
    Row("the alias and a null type", All, r#"{"type":null,"decision":"RETRY","reason":"again"}"#, Ok(RETRY)),
    Row("alias and type agree", All, r#"{"type":"RETRY","decision":"retry","reason":"again"}"#, Ok(RETRY)),
    Row(
        "alias and type disagree",
        All,
        r#"{"type":"RETRY","decision":"FAIL","reason":"again"}"#,
        Err(&["different things"]),
    ),
    Row(
        "the alias holds an object",
        All,
        r#"{"decision":{"type":"RETRY","reason":"again"}}"#,
        Err(&["`decision` must be one of these words", "RETRY"]),
    ),
    Row(
        "agent by another case",
        All,
        r#"{"type":"SELECT_MODE","mode":"Developer","reason":"code"}"#,
        Ok(PICKED),
    ),
    Row(
        "agent by display name",
        All,
        r#"{"type":"SELECT_MODE","mode":"development agent","reason":"code"}"#,
        Ok(PICKED),
    ),
    Row(
        "unknown agent",
        All,
        r#"{"type":"SELECT_MODE","mode":"wizard","reason":"magic"}"#,
        Err(&["no agent \"wizard\"", "planner, developer, tester, reviewer"]),
    ),
    Row(
        "internal agent",
        All,
        r#"{"type":"SELECT_MODE","mode":"keeper","reason":"notes"}"#,
        Err(&["no agent \"keeper\""]),
    ),
    Row(
        "agent is no text",
        All,
        r#"{"type":"SELECT_MODE","mode":["developer"],"reason":"code"}"#,
        Err(&["`mode` must be the name of one agent"]),
    ),
    Row(
        "no agent",
        All,
        r#"{"type":"SELECT_MODE","reason":"code"}"#,
        Err(&["SELECT_MODE needs `mode`", "developer"]),
    ),
    Row(
        "all that is missing is told at once",
        All,
        r#"{"type":"SELECT_MODE","guidance":7}"#,
        Err(&["needs `mode`", "needs `reason`", "`guidance` must be a text"]),
    ),
    Row(
        "guidance",
        All,
        r#"{"type":"SELECT_MODE","mode":"developer","reason":"code","guidance":"mind the gap"}"#,
        Ok(r#"{"type":"SELECT_MODE","mode":"developer","reason":"code","guidance":"mind the gap"}"#),
    ),
    Row(
        "empty guidance is none",
        All,
        r#"{"type":"SELECT_MODE","mode":"developer","reason":"code","guidance":"  "}"#,
        Ok(PICKED),
    ),
    Row(
        "what it does not need is not minded",
        All,
        r#"{"type":"RETRY","reason":"again","mode":"wizard","confidence":0.9}"#,
        Ok(RETRY),
    ),
    Row("empty reason", All, r#"{"type":"RETRY","reason":""}"#, Err(&["RETRY needs `reason`"])),
    Row("reason of blanks", All, r#"{"type":"FAIL","reason":" \n "}"#, Err(&["FAIL needs `reason`"])),
    Row(
        "reason is no text",
        All,
        r#"{"type":"FAIL","reason":{"why":"x"}}"#,
        Err(&["`reason` must be a text"]),
    ),
    Row(
        "COMPLETE with a reason alone",
        All,
        r#"{"type":"COMPLETE","reason":"done"}"#,
        Err(&["COMPLETE needs `summary`"]),
    ),
    Row("no type", All, r#"{"reason":"again"}"#, Err(&["`type` is missing", "SELECT_MODE"])),
    Row(
        "type is a number",
        All,
        r#"{"type":3,"reason":"again"}"#,
        Err(&["`type` must be one of these words"]),
    ),
    Row(
        "RETRY before anything ran",
        First,
        r#"{"type":"RETRY","reason":"again"}"#,
        Err(&["RETRY cannot be decided now", "SELECT_MODE, COMPLETE"]),
    ),
    Row(
        "CONTINUE before anything ran",
        First,
        r#"{"type":"CONTINUE","reason":"on"}"#,
        Err(&["CONTINUE cannot be decided now"]),
    ),
    Row(
        "a claim after one was turned back",
        NoClaim,
        r#"{"type":"COMPLETE","summary":"done"}"#,
        Err(&["COMPLETE cannot be decided now"]),
    ),
    Row(
        "cut off in a string",
        All,
        r#"{"type":"COMPLETE","summary":"we have do"#,
        Err(&["never closed", "shorter"]),
    ),
    Row(
        "cut off after an inner object",
        All,
        r#"{"output":{"type":"COMPLETE","summary":"done"},"type":"RET"#,
        Err(&["never closed"]),
    ),
    Row("cut off in a fence", All, "```json\n{\"type\":\"COMPLETE\",\n", Err(&["never closed"])),
    Row("empty", All, "", Err(&["the reply is empty", "SELECT_MODE"])),
    Row("only blanks", All, " \n\t\r\n ", Err(&["the reply is empty"])),
    Row(
        "prose alone",
        All,
        "I would COMPLETE this: the type is COMPLETE, summary done.",
        Err(&["no JSON object was found", "one of: SELECT_MODE"]),
    ),
    Row("null", All, "null", Err(&["null, not a JSON object"])),
    Row("a list", All, r#"[{"type":"COMPLETE","summary":"done"}]"#, Err(&["a list, not a JSON object"])),
    Row(
        "a list in a fence",
        All,
        "```json\n[{\"type\":\"COMPLETE\",\"summary\":\"done\"}]\n```",
        Err(&["no JSON object was found"]),
    ),
    Row("a number", All, "42", Err(&["a number, not"])),
    Row(
        "a string that holds a decision",
        All,
        r#""{\"type\":\"COMPLETE\",\"summary\":\"done\"}""#,
        Err(&["a string, not"]),
    ),
    Row(
        "a decision inside an agent's output",
        All,
        r#"{"output":{"type":"COMPLETE","summary":"done"}}"#,
        Err(&["`type` is missing"]),
    ),
    Row(
        "a decision inside an output, then the real one",
        All,
        r#"{"output":{"type":"COMPLETE","summary":"done"}} {"type":"RETRY","reason":"again"}"#,
        Ok(RETRY),
    ),
    Row(
        "a decision inside a string of another",
        All,
        r#"{"type":"RETRY","reason":"it said {\"type\":\"COMPLETE\",\"summary\":\"done\"}"}"#,
        Ok(r#"{"type":"RETRY","reason":"it said {\"type\":\"COMPLETE\",\"summary\":\"done\"}"}"#),
    ),
    Row(
        "a decision in quotation marks",
        All,
        r#"It wrote "{"type":"COMPLETE","summary":"done"}" and stopped. {"type":"RETRY","reason":"again"}"#,
        Ok(RETRY),
    ),
    Row(
        "a fence inside an object's broken string",
        All,
        "{\"output\": \"\n```json\n{\"type\":\"COMPLETE\",\"summary\":\"done\"}\n```\n\"}",
        Err(&["not valid JSON"]),
    ),
    Row(
        "nested in an object with single quotes",
        All,
        r#"{'output': {"type":"COMPLETE","summary":"done"}}"#,
        Err(&["not valid JSON"]),
    ),
    Row(
        "patterns and templates are words",
        All,
        r#"{"type":"RETRY","reason":"use $& and {plan} and \\1"}"#,
        Ok(r#"{"type":"RETRY","reason":"use $& and {plan} and \\1"}"#),
    ),
    Row(
        "escaped quotes and braces",
        All,
        r#"so {"type":"FAIL","reason":"a \"}\" and a \\\" { too"} ok"#,
        Ok(r#"{"type":"FAIL","reason":"a \"}\" and a \\\" { too"}"#),
    ),
    Row(
        "braces after a backslash that escapes nothing",
        All,
        r#"so {"type":"FAIL","reason":"a \"}\" and a \\ { too"} ok"#,
        Ok(r#"{"type":"FAIL","reason":"a \"}\" and a \\ { too"}"#),
    ),
    Row(
        "quotes that are not escaped",
        All,
        r#"{"type":"FAIL","reason":"a "quoted" word"}"#,
        Err(&["not valid JSON"]),
    ),
    Row("single quotes", All, "{'type': 'RETRY', 'reason': 'again'}", Err(&["not valid JSON"])),
    Row(
        "a trailing comma",
        All,
        r#"{"type":"RETRY","reason":"again",}"#,
        Err(&["not valid JSON", "trailing comma"]),
    ),
    Row("a comment", All, "{\"type\":\"RETRY\", // once\n\"reason\":\"again\"}", Err(&["not valid JSON"])),
    Row(
        "a raw new line in a string",
        All,
        "{\"type\":\"RETRY\",\"reason\":\"a\nb\"}",
        Err(&["not valid JSON"]),
    ),
    Row(
        "a key that stands twice",
        All,
        r#"{"type":"FAIL","type":"RETRY","reason":"again"}"#,
        Err(&["\"type\" stands twice"]),
    ),
    Row("a mark at the beginning", All, "\u{feff}{\"type\":\"RETRY\",\"reason\":\"again\"}", Ok(RETRY)),
    Row(
        "control signs around it",
        All,
        "\u{0}\u{1b}[31m{\"type\":\"RETRY\",\"reason\":\"again\"}\u{7}",
        Ok(RETRY),
    ),
    Row(
        "a zero inside a string",
        All,
        "{\"type\":\"RETRY\",\"reason\":\"a\u{0}b\"}",
        Err(&["not valid JSON"]),
    ),
    Row(
        "other lines' ends",
        All,
        "{\r\n  \"type\": \"RETRY\",\r\n  \"reason\": \"again\"\r\n}\r\n",
        Ok(RETRY),
    ),
    Row(
        "other lines' ends in fences",
        All,
        "Yes:\r\n```json\r\n{\"type\":\"RETRY\",\"reason\":\"again\"}\r\n```\r\n",
        Ok(RETRY),
    ),
    Row(
        "other scripts",
        All,
        r#"{"type":"FAIL","reason":"нельзя — 不行 🚫"}"#,
        Ok(r#"{"type":"FAIL","reason":"нельзя — 不行 🚫"}"#),
    ),
    Row("half a pair of surrogates", All, r#"{"type":"FAIL","reason":"\ud83d"}"#, Err(&["not valid JSON"])),
    Row(
        "a question",
        All,
        r#"{"type":"ASK_HUMAN","question":"Which port?","options":["80","443","80"]}"#,
        Ok(r#"{"type":"ASK_HUMAN","question":"Which port?","options":["80","443"]}"#),
    ),
    Row(
        "options with keys",
        All,
        r#"{"type":"ASK_HUMAN","question":"Which?","options":[{"key":"a","label":"left"},{"label":"right"}]}"#,
        Ok(r#"{"type":"ASK_HUMAN","question":"Which?","options":["left","right"]}"#),
    ),
    Row(
        "an open question",
        All,
        r#"{"type":"ASK_HUMAN","question":"Which?","options":null}"#,
        Ok(r#"{"type":"ASK_HUMAN","question":"Which?","options":[]}"#),
    ),
    Row(
        "too many options",
        All,
        r#"{"type":"ASK_HUMAN","question":"Which?","options":["1","2","3","4","5","6","7","8","9","10","11"]}"#,
        Err(&["11 entries", "at most 10"]),
    ),
    Row(
        "options that are no texts",
        All,
        r#"{"type":"ASK_HUMAN","question":"Which?","options":[1]}"#,
        Err(&["each of `options`"]),
    ),
    Row(
        "options that are no list",
        All,
        r#"{"type":"ASK_HUMAN","question":"Which?","options":"yes"}"#,
        Err(&["`options` must be a list"]),
    ),
    Row(
        "a question without words",
        All,
        r#"{"type":"ASK_HUMAN","options":["yes"]}"#,
        Err(&["needs `question`"]),
    ),
];

pub fn judged(set: Set, output: Option<&Value>, text: &str) -> Result<NextMove, Vec<String>> {
    let all = agents();
    let named: Vec<&Agent> = all.iter().filter(|agent| !agent.internal).collect();
    read(output, text, &ReplyTerms { legal: &set.kinds(), agents: &named })
}

fn parsed(text: &str) -> NextMove {
    serde_json::from_str(text).expect("a decision")
}

#[test]
fn every_reply_is_read_as_its_row_says() {
    for Row(name, set, reply, expected) in ROWS {
        match (judged(*set, None, reply), expected) {
            (Ok(decision), Ok(wanted)) => assert_eq!(decision, parsed(wanted), "{name}"),
            (Err(faults), Err(words)) => {
                let told = faults.join("; ");
                words.iter().for_each(|word| assert!(told.contains(word), "{name}: {told}"));
            }
            (got, _) => panic!("{name}: {got:?}"),
        }
    }
    assert!(ROWS.len() >= 45);
}

#[test]
fn a_typed_output_alone_is_the_reply() {
    let typed = json!({"type": "RETRY", "reason": "again"});
    assert_eq!(judged(All, Some(&typed), DONE), Ok(parsed(RETRY)), "whatever the text says");
    let wrong = json!({"type": "RETRY"});
    assert!(judged(All, Some(&wrong), DONE).is_err(), "a text does not mend it");
    assert!(judged(All, Some(&json!([typed])), DONE).is_err());
    assert_eq!(judged(All, Some(&Value::Null), DONE), Ok(parsed(DONE)), "null is no output");
}

#[test]
fn a_long_reason_is_cut_and_shows_it() {
    let long = "ä".repeat(limits::WORDS_CHARS_MAX + 1);
    let reply = json!({"type": "RETRY", "reason": long}).to_string();
    let decision = judged(All, None, &reply).expect("a decision");
    assert_eq!(decision.words().chars().count(), limits::WORDS_CHARS_MAX);
    assert!(decision.words().ends_with("ä..."));
}

#[test]
fn a_reply_is_bounded_in_every_direction() {
    let deep = format!("{}{}", "{\"a\":".repeat(50_000), "}".repeat(50_000));
    assert!(judged(All, None, &deep).is_err());
    let open = "{".repeat(limits::REPLY_BYTES_MAX);
    assert!(judged(All, None, &open).is_err());
    let lists = "[".repeat(limits::REPLY_BYTES_MAX);
    assert!(judged(All, None, &lists).is_err());
    let many = "{x}".repeat(limits::CANDIDATES_MAX) + DONE;
    let faults = judged(All, None, &many).expect_err("it is not looked for so far");
    assert!(faults[0].contains("many braces"), "{faults:?}");
    let long = " ".repeat(limits::REPLY_BYTES_MAX) + DONE;
    assert!(judged(All, None, &long).expect_err("too long")[0].contains("bytes"));
    let name = "x".repeat(10_000);
    let unknown = json!({"type": "SELECT_MODE", "mode": name, "reason": "r"}).to_string();
    assert!(judged(All, None, &unknown).expect_err("nobody")[0].len() < 400, "faults stay short");
}
