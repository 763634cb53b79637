//! Missions whose decisions, or whose Arbiter, are a model behind an API: the real binary, actors that work, and a scripted
//! model on loopback.

use std::fs;

use mind::conductor::{ConductorFact, MoveRecord, MoveSource};
use mind::{Entry, Fact};
use serde_json::{Value, json};
use sim::api::{Api, Scenario, Step, Voice};
use sim::{BridgeScript, GreetingScript, Theatre};

use crate::{BINARY, wait_until};

const KEY: &str = "sk-canary-1234567890abcdef";
const CHECK: &str = r#"["grep", "-q", "hello", "greeting.txt"]"#;

/// Two steps. The script must not be asked what to decide.
fn conducted() -> GreetingScript {
    let still = "says: {outcome: success, summary: It still does.}";
    GreetingScript::new()
        .plans(&["Write the greeting", "Read it again"])
        .checks(CHECK)
        .runs("developer", &[GreetingScript::WRITES, still, still])
        .remembers("")
        .decides("{type: FAIL, reason: the script must not be asked}")
}

/// The Arbiter of the script must not be asked.
fn council() -> BridgeScript {
    BridgeScript::new()
        .opens_with(&["says: {intent: musings, message: The script must not be asked.}"])
        .checks(CHECK)
        .works(r#"{write: greeting.txt, text: "hello\n"}, {commit: Greet}"#)
}

/// A world whose user has an API in their configuration, and a key for it.
fn world(config: &str, script: impl ToString) -> Theatre {
    Theatre::rehearsing(BINARY, script)
        .with_idle_agent()
        .with_config("docket: { headless: refuse }\n")
        .with_config(config)
}

fn by_api(kind: &str, base_url: &str) -> String {
    format!(
        "arbiter: {{ provider: api, model: small-one, kind: {kind}, baseUrl: \"{base_url}\", temperature: 0.3, \
         maxTokens: 512 }}\n"
    )
}

fn run(theatre: &Theatre, way: &str, environment: &[(&str, &str)]) -> sim::Ran {
    let mut command = theatre.rehearsal(&["--headless", "--way", way]);
    sim::Ran::from(command.envs(environment.iter().copied()).output().expect("the binary starts"))
}

fn records(entries: &[Entry]) -> Vec<MoveRecord> {
    let record = |entry: &Entry| {
        let Fact::Conductor(ConductorFact::Decided(record)) = &entry.fact else { return None };
        Some(record.as_ref().clone())
    };
    entries.iter().filter_map(record).collect()
}

fn asked(records: &[MoveRecord], source: MoveSource) -> usize {
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
        let theatre = world(&by_api(kind, &base), conducted());
        let ran = run(&theatre, "conductor", &[("ANTHROPIC_API_KEY", KEY), ("OPENAI_API_KEY", KEY)]);
        assert_eq!(ran.code, Some(0), "{kind}: {}{}", ran.out, ran.err);
        let records = records(&theatre.entries(&theatre.mission()));
        assert_eq!(asked(&records, MoveSource::Fallback), 0, "{kind}: {records:#?}");
        let requests = api.requests();
        assert_eq!((asked(&records, MoveSource::Model), requests.len()), (1, 1), "{kind}: {records:#?}");
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
    let theatre = world(&by_api("openai", &gone), conducted());
    let ran = run(&theatre, "conductor", &[]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let records = records(&theatre.entries(&theatre.mission()));
    assert_eq!(
        (asked(&records, MoveSource::Model), asked(&records, MoveSource::Fallback)),
        (0, 1),
        "{records:#?}"
    );
    let cause = records
        .iter()
        .find_map(|record| record.cause.as_deref().filter(|_| record.source == MoveSource::Fallback));
    assert!(cause.is_some_and(|cause| cause.contains("cannot be reached")), "{cause:?}");
}

#[test]
fn a_vendor_without_a_key_is_noted_and_the_rules_carry_the_mission() {
    let theatre = world("arbiter: { provider: api, model: small-one }\n", conducted());
    let ran = run(&theatre, "conductor", &[]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(
        ran.err
            .contains("note: the model that decides cannot be asked: there is no key for api.anthropic.com"),
        "{}",
        ran.err
    );
    let records = records(&theatre.entries(&theatre.mission()));
    assert_eq!(asked(&records, MoveSource::Fallback), 1, "{records:#?}");
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
        Step::say(verifier.to_string()).when("Built."),
        act("address_orchestrator", "Audit it.").when("I am Orchestrator II."),
        Step::say(claim.to_string()).when("Verdict: pass"),
    ]
}

#[test]
fn a_councils_arbiter_behind_an_api_leads_to_a_proven_end() {
    for kind in ["anthropic", "openai"] {
        let api = Api::start(Scenario::new([Voice::new("arbiter", course())]));
        let base = if kind == "openai" { api.chat_url() } else { api.url() };
        let config = format!("provider: {{ arbiter: api }}\n{}", by_api(kind, &base));
        let theatre = world(&config, council());
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
    steps.insert(2, act("musings", "Never heard.").when("Built.").delay_ms(60_000));
    let api = Api::start(Scenario::new([Voice::new("arbiter", steps)]));
    let theatre =
        world(&format!("provider: {{ arbiter: api }}\n{}", by_api("openai", &api.chat_url())), council());
    let mut house = theatre.start_rehearsal(&["--headless"]);
    wait_until("the Arbiter is asked", || {
        api.requests().iter().any(|request| request.heard().contains("Built."))
    });
    house.kill().expect("killed");
    house.wait().expect("gone");
    let ran = theatre.run(&["resume", "--headless"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_eq!(api.off_script().len(), 0);
    let requests = api.requests();
    assert_eq!(requests.len(), 6, "the question that was not answered is asked once more, and no other");
    let last = &requests[5];
    assert!(last.messages().to_string().matches("Built.").count() == 1, "{}", last.messages());
    theatre.assert_nobody_left();
}

/// A person stops the mission while a model decides, or while the Arbiter speaks: what the call took is in the books.
#[test]
fn a_call_that_the_end_of_the_mission_cuts_off_is_booked() {
    for way in ["conductor", "council"] {
        let slow = Step::say("a long answer that nobody waits for").chunks(100, 100).forever();
        let api = Api::start(Scenario::new([Voice::new("model", [slow])]));
        let arbiter = if way == "council" { "provider: { arbiter: api }\n" } else { "" };
        let config = format!("{arbiter}{}", by_api("anthropic", &api.url()));
        let script = if way == "council" { council().to_string() } else { conducted().to_string() };
        let theatre = world(&config, script).with_env("ANTHROPIC_API_KEY", KEY);
        let mut house = theatre.start_rehearsal(&["--headless", "--way", way]);
        wait_until("the model is asked", || !api.requests().is_empty());
        std::thread::sleep(std::time::Duration::from_millis(500));
        let id = rustix::process::Pid::from_child(&house);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).expect("it is told to stop");
        house.wait().expect("gone");
        let state = theatre.mission_state();
        assert_eq!(state.ended, None, "{way}: it can be resumed");
        assert!(state.tokens_used() >= 100, "{way}: {} tokens", state.tokens_used());
        let waits = state.conductor.as_ref().is_none_or(|conductor| conductor.asking.is_some());
        assert!(waits, "{way}: the call is made again at the next start");
        theatre.assert_nobody_left();
    }
}

/// A mission keeps its own model, whatever the configuration says now.
#[test]
fn a_limit_in_money_needs_the_price_of_the_model_that_a_resumed_mission_keeps() {
    for way in ["conductor", "council"] {
        let api =
            Api::start(Scenario::new([Voice::new("model", [Step::new(sim::api::Act::Hang).forever()])]));
        let arbiter = if way == "council" { "provider: { arbiter: api }\n" } else { "" };
        let config = format!("{arbiter}{}", by_api("openai", &api.chat_url()));
        let script = if way == "council" { council().to_string() } else { conducted().to_string() };
        let theatre = world(&config, script);
        let mut house = theatre.start_rehearsal(&["--headless", "--way", way]);
        wait_until("the model is asked", || !api.requests().is_empty());
        house.kill().expect("killed");
        house.wait().expect("gone");
        let file = theatre.path().join("home/.config/arbiter/config.yaml");
        let now = |model: &str, price: &str| {
            let base = api.chat_url();
            let text = format!(
                "docket: {{ headless: refuse }}\n{arbiter}arbiter: {{ provider: api, model: {model}, kind: openai, \
                 baseUrl: \"{base}\"{price} }}\nlimits: {{ budgetUsd: 5 }}\n"
            );
            fs::write(&file, text).expect("a file can be written");
            theatre.run(&["resume", "--headless"])
        };
        for (model, price) in [("gpt-5", ""), ("gpt-5", ", price: { input: 1, output: 2 }")] {
            let asked = api.requests().len();
            let ran = now(model, price);
            assert_eq!(ran.code, Some(2), "{way}: {}{}", ran.out, ran.err);
            assert!(ran.err.contains("the price of small-one") && ran.err.contains("hint: "), "{}", ran.err);
            assert_eq!(api.requests().len(), asked, "nothing was asked");
        }
    }
}
