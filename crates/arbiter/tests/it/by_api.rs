//! Missions whose decisions, or whose Arbiter, are a model behind an API: the real binary, actors that work, and a scripted
//! model on loopback.

use std::fs;

use mind::conductor::{ConductorFact, Record, Source};
use mind::{Entry, Fact};
use serde_json::{Value, json};
use sim::Theatre;
use sim::api::{Api, Scenario, Step, Voice};

use crate::{BINARY, wait_until};

const KEY: &str = "sk-canary-1234567890abcdef";
const CONDUCTED: &str = r#"
rehearsal: 1
title: The greeting, conducted
scroll: A file `greeting.txt` that says hello.
checks: [["grep", "-q", "hello", "greeting.txt"]]
agents:
  planner:
    - - says:
          outcome: success
          summary: Two steps.
          plan: { steps: [{ description: Write the greeting }, { description: Read it again }], confidence: 90 }
  developer:
    - - does: [{ write: greeting.txt, text: "hello\n" }, { commit: Greet }]
        says: { outcome: success, summary: It says hello. }
    - - says: { outcome: success, summary: It still does. }
    - - says: { outcome: success, summary: It still does. }
  memory-keeper:
    - - says: { outcome: success, summary: Nothing to keep., notes: [] }
decisions:
  - { says: { type: FAIL, reason: "the script must not be asked" } }
"#;

const COUNCIL: &str = r#"
rehearsal: 1
title: The greeting
scroll: A file `greeting.txt` that says hello.
checks: [["grep", "-q", "hello", "greeting.txt"]]
arbiter:
  - says: { intent: musings, message: "The script must not be asked." }
orchestrators:
  - - says: { kind: introduction, expects_response: true, message: I am Orchestrator I. }
    - does: [{ write: greeting.txt, text: "hello\n" }, { commit: Greet }]
      says: { kind: handoff, expects_response: true, message: It is built. }
  - - says: { kind: introduction, expects_response: true, message: I am the audit. }
    - says: { kind: handoff, expects_response: true, verdict: pass, message: Sound. }
"#;

/// A world whose user has an API in their configuration, and a key for it.
fn world(config: &str, script: &str) -> Theatre {
    let theatre = Theatre::with_repository(BINARY, &[("README.md", "a river\n")])
        .with_idle_agent()
        .with_config("docket: { headless: refuse }\n")
        .with_config(config);
    fs::write(theatre.path().join("script.yaml"), script).expect("a file can be written");
    theatre
}

fn by_api(kind: &str, base_url: &str) -> String {
    format!(
        "arbiter: {{ provider: api, model: small-one, kind: {kind}, baseUrl: \"{base_url}\", temperature: 0.3, \
         maxTokens: 512 }}\n"
    )
}

fn run(theatre: &Theatre, way: &str, environment: &[(&str, &str)]) -> sim::Ran {
    theatre.run_with(&["run", "--headless", "--way", way, "--rehearsal", "../script.yaml"], environment)
}

fn records(entries: &[Entry]) -> Vec<Record> {
    let record = |entry: &Entry| {
        let Fact::Conductor(ConductorFact::Decided(record)) = &entry.fact else { return None };
        Some(record.as_ref().clone())
    };
    entries.iter().filter_map(record).collect()
}

fn asked(records: &[Record], source: Source) -> usize {
    records.iter().filter(|record| record.source == source).count()
}

/// Nothing that the mission wrote or said has the key in it.
fn assert_no_key(theatre: &Theatre, ran: &sim::Ran) {
    assert!(!ran.out.contains(KEY) && !ran.err.contains(KEY), "{}{}", ran.out, ran.err);
    let mut folders = vec![theatre.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry")) {
            let kind = entry.file_type().expect("a kind");
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                let bytes = fs::read(entry.path()).unwrap_or_default();
                assert!(!String::from_utf8_lossy(&bytes).contains(KEY), "{}", entry.path().display());
            }
        }
    }
}

fn decides(decision: &Value) -> Api {
    Api::start(Scenario::new([Voice::new("model", [Step::say(decision.to_string()).forever()])]))
}

#[test]
fn a_model_behind_an_api_decides_and_is_told_what_the_user_set() {
    for (kind, header) in [("anthropic", "x-api-key"), ("openai", "authorization")] {
        let api = decides(&json!({"type": "CONTINUE", "reason": "the first step is done"}));
        let base = if kind == "openai" { api.chat_url() } else { api.url() };
        let theatre = world(&by_api(kind, &base), CONDUCTED);
        let ran = run(&theatre, "conductor", &[("ANTHROPIC_API_KEY", KEY), ("OPENAI_API_KEY", KEY)]);
        assert_eq!(ran.code, Some(0), "{kind}: {}{}", ran.out, ran.err);
        let records = records(&theatre.entries(&theatre.mission()));
        assert_eq!(asked(&records, Source::Fallback), 0, "{kind}: {records:#?}");
        let requests = api.requests();
        assert_eq!((asked(&records, Source::Model), requests.len()), (1, 1), "{kind}: {records:#?}");
        let body = &requests[0].body;
        assert_eq!(body["model"], "small-one");
        assert_eq!((&body["temperature"], &body["max_tokens"]), (&json!(0.3), &json!(512)), "{kind}");
        let schema = match kind {
            "openai" => &body["response_format"]["json_schema"]["schema"],
            _ => &body["output_config"]["format"]["schema"],
        };
        assert!(schema.to_string().contains("CONTINUE"), "{kind}: {body}");
        assert!(requests[0].header(header).is_some_and(|value| value.ends_with(KEY)), "{kind}");
        assert!(!body.to_string().contains(KEY), "{kind}");
        assert_no_key(&theatre, &ran);
        theatre.assert_nobody_left();
    }
}

#[test]
fn a_mission_comes_to_its_end_although_the_model_is_gone() {
    // A port that was free a moment ago has nobody behind it.
    let gone = decides(&json!({})).chat_url();
    let theatre = world(&by_api("openai", &gone), CONDUCTED);
    let ran = run(&theatre, "conductor", &[]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let records = records(&theatre.entries(&theatre.mission()));
    assert_eq!((asked(&records, Source::Model), asked(&records, Source::Fallback)), (0, 1), "{records:#?}");
    let cause = records
        .iter()
        .find_map(|record| record.cause.as_deref().filter(|_| record.source == Source::Fallback));
    assert!(cause.is_some_and(|cause| cause.contains("cannot be reached")), "{cause:?}");
}

#[test]
fn a_vendor_without_a_key_is_noted_and_the_rules_carry_the_mission() {
    let theatre = world("arbiter: { provider: api, model: small-one }\n", CONDUCTED);
    let ran = run(&theatre, "conductor", &[]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(
        ran.err
            .contains("note: the model that decides cannot be asked: there is no key for api.anthropic.com"),
        "{}",
        ran.err
    );
    let records = records(&theatre.entries(&theatre.mission()));
    assert_eq!(asked(&records, Source::Fallback), 1, "{records:#?}");
}

fn act(intent: &str, message: &str) -> Step {
    Step::say(json!({"intent": intent, "message": message}).to_string())
}

/// What the Arbiter says in a council of one worker and an audit.
fn course() -> Vec<Step> {
    let verifier = json!({"intent": "summon_orchestrator", "agent": "verifier", "message": "Let one judge."});
    let claim = json!({"intent": "release_orchestrators", "claim": "complete", "message": "It says hello."});
    vec![
        act("summon_orchestrator", "Let one come."),
        act("address_orchestrator", "Write greeting.txt.").when("I am Orchestrator I."),
        Step::say(verifier.to_string()).when("It is built."),
        act("address_orchestrator", "Audit it.").when("I am the audit."),
        Step::say(claim.to_string()).when("Verdict: pass"),
    ]
}

#[test]
fn a_councils_arbiter_behind_an_api_leads_to_a_proven_end() {
    for kind in ["anthropic", "openai"] {
        let api = Api::start(Scenario::new([Voice::new("arbiter", course())]));
        let base = if kind == "openai" { api.chat_url() } else { api.url() };
        let config = format!("provider: {{ arbiter: api }}\n{}", by_api(kind, &base));
        let theatre = world(&config, COUNCIL);
        let ran = run(&theatre, "council", &[("ANTHROPIC_API_KEY", KEY), ("OPENAI_API_KEY", KEY)]);
        assert_eq!(ran.code, Some(0), "{kind}: {}{}", ran.out, ran.err);
        assert_eq!(api.off_script().len(), 0, "{kind}");
        let requests = api.requests();
        assert_eq!(requests.len(), 5, "{kind}");
        assert_eq!(requests[0].body["max_tokens"], 16_000, "{kind}: a turn is more than a decision");
        assert!(requests.iter().all(|request| request.system.contains("You are the Arbiter of mission")));
        assert!(ran.out.contains("It says hello."), "{}", ran.out);
        assert_no_key(&theatre, &ran);
        theatre.assert_nobody_left();
    }
}

#[test]
fn a_councils_arbiter_behind_an_api_goes_on_after_a_fall() {
    let mut steps = course();
    // While it thinks about the report, the house is killed.
    steps.insert(2, act("musings", "Never heard.").when("It is built.").delay_ms(60_000));
    let api = Api::start(Scenario::new([Voice::new("arbiter", steps)]));
    let theatre =
        world(&format!("provider: {{ arbiter: api }}\n{}", by_api("openai", &api.chat_url())), COUNCIL);
    let mut house = theatre.start(&["run", "--headless", "--rehearsal", "../script.yaml"]);
    wait_until("the Arbiter is asked", || {
        api.requests().iter().any(|request| request.heard().contains("It is built."))
    });
    house.kill().expect("killed");
    house.wait().expect("gone");
    let ran = theatre.run(&["resume", "--headless"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_eq!(api.off_script().len(), 0);
    let requests = api.requests();
    assert_eq!(requests.len(), 6, "the question that was not answered is asked once more, and no other");
    let last = &requests[5];
    assert!(last.messages().to_string().matches("It is built.").count() == 1, "{}", last.messages());
    theatre.assert_nobody_left();
}
