//! What a conducted mission asks of the hands, over a real repository.

use arbiter::mission::effect_runner::conducting::ConductorFiles;
use mind::conductor::move_record::{ModelCall, ModelReply, ReplyEnd};
use mind::conductor::{ConductorEvent, Note};
use mind::sandbox_needs::SandboxNeeds;
use mind::session::CloneTree;
use providers::provider::Answering;
use providers::{Handle, ModelRequest, Provider, SessionProvider, SessionStart};
use serde_json::json;
use sim::GreetingScript;
use sim::api::{Api, Scenario, Step, Usage, Voice};

use super::*;

async fn told(inbox: &mut mpsc::Receiver<Event>) -> ConductorEvent {
    match timeout(Duration::from_secs(20), inbox.recv()).await {
        Ok(Some(Event::Conductor(event))) => event,
        other => panic!("no event of the conductor: {other:?}"),
    }
}

fn decide(provider: &str, number: u32, attempt: u32) -> Effect {
    let question = ModelCall {
        provider: provider.into(),
        model: None,
        max_tokens: 100,
        temperature_milli: None,
        system: "decide".into(),
        prompt: "Evaluate iteration 4".into(),
        schema: Arc::new(json!({"type": "object"})),
    };
    Effect::Conductor(ConductorEffect::CallModel { number, attempt, question: Arc::new(question) })
}

async fn answer(inbox: &mut mpsc::Receiver<Event>) -> (u32, u32, ModelReply) {
    match told(inbox).await {
        ConductorEvent::Answered { number, attempt, answer } => (number, attempt, answer),
        other @ (ConductorEvent::Prepared { .. }
        | ConductorEvent::Inspected { .. }
        | ConductorEvent::Hindered { .. }
        | ConductorEvent::Dropped { .. }) => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_script_decides_by_number_asking_and_words() {
    let decisions = [
        "{number: 1, attempt: 1, text: hm, spent: {input: 7, output: 2}}",
        "{number: 1, says: {type: CONTINUE, reason: go}}",
        "{number: 2, fail: transient, why: busy}",
        r#"{number: 3, text: '{"type', cut: true}"#,
        "{about: iteration 9, fail: refused}",
        "{about: iteration 4, says: {type: COMPLETE, summary: done}}",
    ];
    let (_folder, mut runner, mut inbox) = hands_with("hands-decide", |seed| {
        let script = GreetingScript::new().decisions(&decisions).to_string();
        std::fs::write(&seed.rehearsal.script, script).unwrap();
    })
    .await;
    let mut ask = async |number, attempt| {
        runner.perform(decide("rehearsal", number, attempt), &State::default());
        let (told, again, answer) = answer(&mut inbox).await;
        assert_eq!((told, again), (number, attempt));
        answer
    };
    let first = ask(1, 1).await;
    assert_eq!(first.end, ReplyEnd::Said { output: None, text: "hm".into(), cut: false });
    assert_eq!(first.tokens.unwrap().total, 9);
    let output = Some(json!({"type": "CONTINUE", "reason": "go"}));
    assert_eq!(ask(1, 2).await.end, ReplyEnd::Said { output, text: "".into(), cut: false });
    assert_eq!(ask(2, 1).await.end, ReplyEnd::Unavailable { why: "busy".into(), until: None });
    assert_eq!(ask(3, 1).await.end, ReplyEnd::Said { output: None, text: "{\"type".into(), cut: true });
    let ReplyEnd::Said { output: Some(output), .. } = ask(8, 1).await.end else { panic!("it says") };
    assert_eq!(output["type"], "COMPLETE");
}

#[tokio::test]
async fn whoever_cannot_decide_is_named_and_refuses() {
    let (_folder, mut runner, mut inbox) = runner("hands-refuse").await;
    for (number, provider, word) in [
        (1, "claude", "Claude Code was not found"),
        (2, "api", "no model is configured for decisions"),
        (3, "nobody", "there is no provider `nobody`"),
        (4, "rehearsal", "cannot read rehearsal"),
    ] {
        runner.perform(decide(provider, number, 1), &State::default());
        let (told, _, answer) = answer(&mut inbox).await;
        let ReplyEnd::Refused { why } = answer.end else { panic!("{answer:?}") };
        assert!(told == number && why.contains(word), "{why}");
    }
}

/// A model that never answers: it tells what it was asked, and what ends with the call.
#[derive(Debug)]
struct Unanswering(mpsc::UnboundedSender<(Arc<ModelCall>, mpsc::Receiver<()>)>);

impl SessionProvider for Unanswering {
    fn sandbox_needs(&self, _: &Path, _: &Path, _: &str) -> Result<Option<SandboxNeeds>, String> {
        Ok(None)
    }

    fn start(&self, _: SessionStart, _: mpsc::Sender<AgentEvent>) -> Handle {
        panic!("it has no sessions")
    }

    fn answer(&self, call: ModelRequest) -> Answering {
        let (held, dropped) = mpsc::channel::<()>(1);
        self.0.send((call.question, dropped)).expect("the test listens");
        Box::pin(async move {
            let answer = std::future::pending().await;
            drop(held);
            answer
        })
    }
}

#[tokio::test]
async fn the_api_is_asked_once_and_dismissed_at_once() {
    let (_folder, mut runner, mut inbox) = runner("hands-api").await;
    let (asked, mut heard) = mpsc::unbounded_channel();
    runner.providers.replace(Provider::Api, Arc::new(Unanswering(asked)));
    for _ in 0..2 {
        runner.perform(decide("api", 1, 1), &State::default());
    }
    let (question, mut first) = heard.recv().await.unwrap();
    assert_eq!(&*question.prompt, "Evaluate iteration 4");
    assert!(heard.try_recv().is_err(), "the same question is asked once");
    runner.perform(decide("api", 1, 2), &State::default());
    assert!(timeout(Duration::from_secs(5), first.recv()).await.unwrap().is_none(), "the first call is over");
    let (_, mut second) = heard.recv().await.unwrap();
    runner.perform(Effect::Conductor(ConductorEffect::DropCall { number: 1 }), &State::default());
    assert!(timeout(Duration::from_secs(5), second.recv()).await.unwrap().is_none(), "and so is the second");
    runner.perform(decide("api", 2, 1), &State::default());
    let (_, mut third) = heard.recv().await.unwrap();
    timeout(Duration::from_secs(4), runner.farewell()).await.expect("nobody waits for a model");
    assert!(third.recv().await.is_none());
    assert!(inbox.recv().await.is_none(), "nothing was answered");
}

/// A model that answers slowly: what it has counted when nobody wants its answer any more was paid for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_dropped_tells_what_it_took() {
    let usage = Usage { input: 700, cache_read: 0, cache_creation: 0, output: 50 };
    let step = Step::say("a long answer that nobody waits for").usage(usage).chunks(60, 100).forever();
    let model = Api::start(Scenario::new([Voice::new("model", [step])]));
    let (_folder, mut runner, mut inbox) = runner("hands-dropped").await;
    let mut decisions = api::ModelOptions::new(api::ApiDialect::Anthropic, "claude-haiku-4-5");
    (decisions.base_url, decisions.key) = (model.url(), api::ApiKey::new("sk-none-1234567890"));
    let options =
        ApiOptions { decisions: Some(decisions), patience: Duration::from_secs(60), ..ApiOptions::default() };
    runner.providers.replace(Provider::Api, Arc::new(api::ApiProvider::new(options)));
    runner.perform(decide("api", 1, 1), &State::default());
    tokio::task::block_in_place(|| model.wait_for(|_| true, Duration::from_secs(20))).expect("it is asked");
    // It has begun to answer.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let began = Instant::now();
    runner.perform(Effect::Conductor(ConductorEffect::DropCall { number: 1 }), &State::default());
    let dropped = told(&mut inbox).await;
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let ConductorEvent::Dropped { number: 1, attempt: 1, tokens, cost_microusd } = dropped else {
        panic!("{dropped:?}")
    };
    assert!(tokens > 700 && cost_microusd > 700, "{tokens} {cost_microusd}");
}

#[tokio::test]
async fn a_run_is_prepared_with_what_changed_on_the_shelf() {
    let (_folder, mut runner, mut inbox) = runner("hands-prepare").await;
    let note = Note {
        title: "The build".into(),
        when_to_use: None,
        tags: Vec::new(),
        importance: Default::default(),
        discovered_at: None,
        discovered_by: None,
        text: "make".into(),
    };
    let kept = Arc::new(std::sync::Mutex::new(Vec::<Note>::new()));
    let (agents, notes, keep) = (Arc::clone(&kept), Arc::clone(&kept), Arc::clone(&kept));
    let mut looks = 0;
    runner.conducting.shelf = Arc::new(std::sync::Mutex::new(ConductorFiles {
        agents: Some(Box::new(move || {
            looks += 1;
            drop(agents.lock().unwrap());
            match looks {
                1 => Some(Ok(Vec::new())),
                2 => Some(Err(vec!["a.md, line 3: unknown key".into()])),
                _ => None,
            }
        })),
        notes: Some(Box::new(move || Some(notes.lock().unwrap().clone()))),
        keep: Some(Box::new(move |note| {
            keep.lock().unwrap().push(note.clone());
            Err(std::io::Error::other("the disk is full"))
        })),
    }));
    // The loop does not wait for a shelf that somebody else looks at.
    let shelf = Arc::clone(&runner.conducting.shelf);
    let looking = shelf.lock().unwrap();
    runner.perform(
        Effect::Conductor(ConductorEffect::Remember { note: Arc::new(note.clone()) }),
        &State::default(),
    );
    drop(looking);
    while runner.errands.join_next().await.is_some() {}
    let log = runner.folder.join("notes.log");
    let wanted = "\"The build\" could not be saved: the disk is full";
    until("it is noted", || std::fs::read_to_string(&log).unwrap_or_default().contains(wanted)).await;
    for run in 1..=3 {
        runner.perform(Effect::Conductor(ConductorEffect::PrepareRun { run }), &State::default());
        let event = told(&mut inbox).await;
        let ConductorEvent::Prepared { run: prepared, agents, notes, faults, tree } = event else {
            panic!("{event:?}")
        };
        assert_eq!((prepared, agents.is_some(), faults.len()), (run, run == 1, usize::from(run == 2)));
        assert_eq!(notes.unwrap(), std::slice::from_ref(&note));
        let tree = tree.unwrap();
        assert_eq!((&*tree.commit, tree.dirty), (runner.location.base.as_str(), false));
    }
}

#[tokio::test]
async fn what_a_run_changed_is_seen_once_it_is_gone() {
    let (_folder, mut runner, mut inbox) = runner("hands-inspect").await;
    let clone = runner.location.clone.clone();
    let mut inspect = async |runner: &mut EffectRunner, run, before: Option<CloneTree>| {
        runner.perform(Effect::Conductor(ConductorEffect::InspectRun { run, before }), &State::default());
        match told(&mut inbox).await {
            ConductorEvent::Inspected { run: seen, tree, files } if seen == run => (tree, files),
            other @ (ConductorEvent::Inspected { .. }
            | ConductorEvent::Prepared { .. }
            | ConductorEvent::Hindered { .. }
            | ConductorEvent::Dropped { .. }
            | ConductorEvent::Answered { .. }) => panic!("{other:?}"),
        }
    };
    let (before, files) = inspect(&mut runner, 1, None).await;
    assert!(files.is_empty(), "{files:?}");
    // A session that is on its way out still writes.
    runner.perform(spawn(1), &State::default());
    written(&clone.join("came"), "in\n").await;
    runner.perform(Effect::Session(address(1), SessionCommand::End), &State::default());
    let (tree, files) = inspect(&mut runner, 2, before.clone()).await;
    assert_eq!(files, [Arc::from("came")]);
    assert_eq!(std::fs::read_to_string(clone.join("came")).unwrap(), "in\nout\n");
    let (_, files) = inspect(&mut runner, 3, tree).await;
    assert!(files.is_empty(), "nothing changed since: {files:?}");
    std::fs::write(clone.join("a.txt"), "b\n").unwrap();
    git(&clone, &["add", "--all"]);
    git(&clone, &["commit", "--quiet", "--message", "work"]);
    let (tree, files) = inspect(&mut runner, 4, before).await;
    assert_eq!(files, [Arc::from("a.txt"), Arc::from("came")]);
    assert!(!tree.unwrap().dirty);
}
