//! One question to the real program: a decision in its own form, errors by what is to be done about them, and nobody left.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arbiter::mission::effect_runner::launcher::{ProcessPlace, SessionLauncher};
use mind::conductor::move_record::{ModelCall, ModelReply, ReplyEnd};
use providers::claude::{Claude, ClaudeOptions, Routing, Settings};
use providers::prices::{self, TokenCounts};
use providers::provider::Answering;
use providers::{CallDropped, ModelRequest, NoteSink, SessionProvider as _};
use sandbox::{AgentSandbox, SandboxFactory};
use serde_json::{Value, json};
use sim::api::{Act, Api, Block, Message, Scenario, Step, Usage, Voice};
use tempfile::TempDir;

/// A model and a place to ask it from.
struct Court {
    world: TempDir,
    api: Api,
    options: ClaudeOptions,
    folder: PathBuf,
    sandbox: Option<AgentSandbox>,
    /// The model as the user named it.
    model: Option<&'static str>,
}

impl Court {
    /// A court, if the real program is there.
    fn sits(steps: impl IntoIterator<Item = Step>) -> Option<Court> {
        let program = sim::claude::real()?;
        let world = tempfile::tempdir().expect("a folder can be made");
        let folder = world.path().join("clone");
        std::fs::create_dir(&folder).expect("a folder can be made");
        let voice = Voice::new("model", steps).system_contains("You decide.");
        let api = Api::start(Scenario::new([voice]));
        let env = sim::claude::sandboxed_env(world.path(), &api.url());
        let options = ClaudeOptions { program, settings: Settings::Isolated, routing: Routing::Typed, env };
        Some(Court { world, api, options, folder, sandbox: None, model: Some("claude-opus-4-8") })
    }

    fn ask(&self) -> ModelReply {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let answer = runtime.block_on(self.asking());
        assert!(!is_anybody_in(self.world.path()), "a process is left");
        answer
    }

    fn asking(&self) -> Answering {
        let place = self.sandbox.clone().map_or(ProcessPlace::Unheld, ProcessPlace::Sandbox);
        let launcher = SessionLauncher { mission: "real-ask".into(), place };
        Claude::new(self.options.clone(), NoteSink::default()).answer(ModelRequest {
            number: 1,
            attempt: 1,
            question: Arc::new(question(self.model)),
            folder: self.folder.clone(),
            launcher: Arc::new(launcher),
            dropped: CallDropped::new().1,
        })
    }
}

fn question(model: Option<&str>) -> ModelCall {
    ModelCall {
        provider: "claude".into(),
        model: model.map(Arc::from),
        max_tokens: 777,
        temperature_milli: None,
        system: "You decide. {plan} $& \"quoted\"".into(),
        prompt: "/evaluate what was done".into(),
        schema: Arc::new(json!({
            "type": "object",
            "properties": {"type": {"type": "string"}, "reason": {"type": "string"}},
            "required": ["type", "reason"]
        })),
    }
}

fn said(answer: &ModelReply) -> (Option<Value>, String, bool) {
    match &answer.end {
        ReplyEnd::Said { output, text, cut } => (output.clone(), text.to_string(), *cut),
        other @ (ReplyEnd::Unavailable { .. } | ReplyEnd::Refused { .. }) => panic!("{other:?}"),
    }
}

/// Whether a process works below this folder.
fn is_anybody_in(world: &Path) -> bool {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .into_iter()
        .any(|process| std::fs::read_link(process.path().join("cwd")).unwrap_or_default().starts_with(world))
}

#[test]
fn a_decision_comes_in_its_own_form_with_what_it_took() {
    let decision = json!({"type": "CONTINUE", "reason": "the step is done"});
    let usage = Usage { input: 100, cache_read: 20, cache_creation: 3, output: 11 };
    let Some(court) = Court::sits([Step::tool("StructuredOutput", decision.clone()).usage(usage)]) else {
        return;
    };
    let answer = court.ask();
    let (output, _, cut) = said(&answer);
    assert_eq!((output, cut), (Some(decision), false));
    let tokens = answer.tokens.expect("it says what it took");
    assert_eq!((tokens.input, tokens.output, tokens.total), (123, 11, 134));
    assert!(answer.cost_microusd > 0 && answer.latency_ms > 0, "{answer:?}");
    let requests = court.api.requests();
    assert_eq!(requests.len(), 1, "one question is one request");
    let body = &requests[0].body;
    assert_eq!(body["max_tokens"], 777);
    let tools: Vec<&str> =
        body["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(tools, ["StructuredOutput"], "it can do nothing but answer");
    assert!(body["system"].to_string().contains("{plan} $& \\\"quoted\\\""), "{}", body["system"]);
    assert!(requests[0].heard().contains("/evaluate what was done"), "{}", requests[0].heard());
    assert!(
        body.get("thinking").is_none_or(|thinking| thinking["type"] == "disabled"),
        "{}",
        body["thinking"]
    );
    let kept = court.world.path().join("config/projects");
    assert!(!kept.exists() || std::fs::read_dir(kept).expect("a folder").next().is_none(), "nothing is kept");
}

#[test]
fn plain_words_are_passed_on_as_they_are() {
    let Some(court) = Court::sits([Step::say("{\"type\": \"COMPLETE\"} I think.").forever()]) else { return };
    assert_eq!(said(&court.ask()), (None, "{\"type\": \"COMPLETE\"} I think.".to_owned(), false));
    assert_eq!(court.api.requests().len(), 1, "it is not asked by the program itself");
}

#[test]
fn an_answer_that_breaks_the_schema_is_passed_on_and_costs_one_request() {
    let wrong = json!({"type": 7});
    let Some(court) = Court::sits([Step::tool("StructuredOutput", wrong.clone()).forever()]) else { return };
    let answer = court.ask();
    let (output, _, cut) = said(&answer);
    assert_eq!((output, cut), (Some(wrong), false));
    assert!(answer.tokens.is_some_and(|tokens| tokens.total > 0), "{answer:?}");
    assert_eq!(court.api.requests().len(), 1);
}

#[test]
fn an_answer_that_is_cut_off_says_so_and_is_not_paid_for_again() {
    let usage = Usage { input: 100, cache_read: 20, cache_creation: 3, output: 11 };
    let paid = TokenCounts { input: 100, cache_read: 20, cache_write: 3, output: 11 };
    // The list of prices knows neither an alias nor a default: the answer says which model it is of.
    for model in [Some("claude-opus-4-8"), Some("haiku"), None] {
        let blocks = vec![Block::Text("{\"type\": \"SELECT_MODE\", \"reason\": \"because".to_owned())];
        let cut = Message { blocks, usage, stop_reason: Some("max_tokens".to_owned()), ..Message::default() };
        let steps = [Step::new(Act::Message(cut)), Step::new(Act::Hang).forever()];
        let Some(mut court) = Court::sits(steps) else { return };
        court.model = model;
        let answer = court.ask();
        let (output, text, is_cut) = said(&answer);
        assert_eq!((output, is_cut), (None, true));
        assert!(text.ends_with("because"), "{text}");
        // The program goes on by itself, but nobody waits for that.
        let requests = court.api.requests();
        assert!(requests.len() <= 2, "it is not continued");
        let asked = requests[0].body["model"].as_str().expect("a request names its model");
        let price = prices::listed(asked).unwrap_or_else(|| panic!("{asked} has no price"));
        assert_eq!(answer.cost_microusd, price.cost_microusd(paid), "{model:?} is {asked}: {answer:?}");
    }
}

#[test]
fn what_helps_is_told_by_the_kind_of_error() {
    for (step, helps) in [
        (Step::status(429).header("retry-after", "30"), true),
        (Step::status(429).header("retry-after", "300"), true),
        (Step::status(529), true),
        (Step::status(500), true),
        (Step::status(401), false),
        (Step::status(403), false),
        (Step::status(400), false),
    ] {
        let shown = format!("{step:?}");
        let Some(court) = Court::sits([step.forever()]) else { return };
        let began = Instant::now();
        let answer = court.ask();
        match (&answer.end, helps) {
            (ReplyEnd::Unavailable { until, .. }, true) if shown.contains("\"30\"") => {
                assert!(until.is_some(), "{answer:?}");
            }
            (ReplyEnd::Unavailable { why, .. }, true) | (ReplyEnd::Refused { why }, false) => {
                assert!(!why.is_empty(), "{shown}");
            }
            _ => panic!("{shown}: {answer:?}"),
        }
        assert!(began.elapsed() < Duration::from_secs(25), "{shown}: the house has the only patience");
    }
}

#[test]
fn a_call_that_is_dropped_leaves_nobody() {
    let Some(court) = Court::sits([Step::new(Act::Hang).forever()]) else { return };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let call = runtime.spawn(court.asking());
    let asked = court.api.wait_for(|_| true, Duration::from_secs(60));
    assert!(asked.is_some() && is_anybody_in(court.world.path()), "it was asked");
    call.abort();
    let began = Instant::now();
    while is_anybody_in(court.world.path()) {
        assert!(began.elapsed() < Duration::from_secs(10), "the process is left");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_program_that_is_not_there_or_knows_nobody_refuses() {
    let Some(mut court) = Court::sits([]) else { return };
    court.options.env.retain(|(name, _)| name != "ANTHROPIC_API_KEY");
    let answer = court.ask();
    assert!(matches!(&answer.end, ReplyEnd::Refused { why } if why.contains("logged in")), "{answer:?}");
    court.options.program = "/nowhere/claude".into();
    let answer = court.ask();
    assert!(
        matches!(&answer.end, ReplyEnd::Refused { why } if why.contains("cannot be started")),
        "{answer:?}"
    );
}

#[test]
fn in_a_cage_it_answers_and_a_dropped_call_leaves_nobody() {
    let decision = json!({"type": "COMPLETE", "reason": "all is done"});
    let steps = [Step::tool("StructuredOutput", decision.clone()), Step::new(Act::Hang).forever()];
    let Some(mut court) = Court::sits(steps) else { return };
    let survey = sandbox::survey();
    let Some(level) = survey.best() else {
        return sim::real::missing("a sandbox", "no sandbox works on this machine");
    };
    let world = court.world.path().to_path_buf();
    let site = SandboxFactory {
        level,
        survey,
        mission: "real-ask".to_owned(),
        home: world.join("home"),
        project: world.join("project"),
        place: world.join("state/cages/real-ask"),
        ours: vec![world.join("state")],
        own: vec![crate::BINARY.into(), "__cage".into()],
        write: Vec::new(),
        hide: Vec::new(),
        names: Vec::new(),
    };
    for folder in ["project", "state/cages/real-ask"] {
        std::fs::create_dir_all(world.join(folder)).expect("a folder can be made");
    }
    let claude = Claude::new(court.options.clone(), NoteSink::default());
    let needs = claude.sandbox_needs(&site.place, &court.folder, &site.mission);
    let needs = needs.expect("its files can be made").expect("it has a process");
    let sandbox = site.for_agent(&court.folder, "claude", needs, &[]).expect("there can be a cage");
    court.sandbox = Some(sandbox);
    assert_eq!(said(&court.ask()).0, Some(decision));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let call = runtime.spawn(court.asking());
    let began = Instant::now();
    while court.api.requests().len() < 2 {
        assert!(began.elapsed() < Duration::from_secs(60), "it was asked again");
        std::thread::sleep(Duration::from_millis(10));
    }
    call.abort();
    let began = Instant::now();
    while is_anybody_of(&world) {
        assert!(began.elapsed() < Duration::from_secs(10), "a process is left");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether a process works below this folder, or has it in its words.
fn is_anybody_of(world: &Path) -> bool {
    let word = world.display().to_string();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut lines =
        processes.map(|process| std::fs::read(process.path().join("environ")).unwrap_or_default());
    is_anybody_in(world) || lines.any(|line| String::from_utf8_lossy(&line).contains(&word))
}
