//! Measures ten sessions that have nothing to do. A process of their own runs them, which is this program again, so
//! that nothing else is counted.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use mind::effect::SessionCommand;
use mind::session::{Profile, Role};
use mind::{AgentEvent, SessionId, TurnId};
use providers::claude::{Claude, ClaudeOptions, Routing, Settings};
use providers::{Handle, NoteSink, SessionProvider as _};
use sim::SessionSeed;
use tokio::sync::{mpsc, oneshot, watch};

use super::mission::{IDLE, Mission};
use super::processes::{self, Share};
use crate::figure;

/// The word that makes a holder of this program; the binary, `claude` and a folder follow.
pub const HOLD: &str = "__hold";
/// How many sessions are held.
const TEN: u32 = 10;
/// How long nothing happens.
const IDLE_TIME: Duration = Duration::from_secs(10);
/// Before that, so that the sessions have come to rest.
const SETTLE_TIME: Duration = Duration::from_secs(2);
/// How long the sessions may take to have spoken, and to be gone.
const PATIENCE: Duration = Duration::from_secs(20);
/// What every session of ours has on its command line.
const SESSION: &str = "--input-format stream-json";

/// Measures and prints; Arbiter's process of `mission`, which rests too, is measured beside it.
pub fn measure(arbiter: &Path, claude: &Path, mission: &Mission) {
    let folder = mission.theatre.path().join("ten");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let own = std::env::current_exe().expect("this program has a name");
    let mut command = Command::new(own);
    mission.theatre.place(&mut command);
    command.args([HOLD.as_ref(), arbiter.as_os_str(), claude.as_os_str(), folder.as_os_str()]);
    command.envs(mission.env.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stderr(Stdio::inherit());
    let mut holder = command.spawn().expect("this program starts");
    let mut word = String::new();
    let out = holder.stdout.take().expect("its output is piped");
    let _ = BufReader::new(out).read_line(&mut word);
    if word.trim() == "ready" {
        std::thread::sleep(SETTLE_TIME);
        report(holder.id(), mission.house());
    } else {
        figure("ten idle sessions", "failed".to_owned(), "they did not come to rest");
    }
    // With its input closed it ends them, and itself.
    drop(holder.stdin.take());
    let _ = holder.wait();
}

fn report(holder: u32, house: u32) {
    let before = [holder, house].map(processes::used);
    std::thread::sleep(IDLE_TIME);
    let [ours, its] = [0, 1].map(|at| processes::used([holder, house][at]).since(&before[at]));
    let percent =
        |share: Share| format!("{:.3} %", share.nanoseconds as f64 / IDLE_TIME.as_nanos() as f64 * 100.0);
    figure("ten idle sessions: our CPU over 10 s, of one core", percent(ours), "0.3 %");
    figure("  ... wake-ups of our threads in 10 s", ours.awoken.to_string(), "0");
    figure("  ... our memory (RSS)", format!("{:.1} MB", processes::megabytes(holder)), "20 MB");
    let below = processes::below(holder);
    let lines: Vec<String> = below.iter().map(|process| processes::command_line(*process)).collect();
    let held = lines.iter().filter(|line| line.contains("__cage")).count();
    let sessions = lines.iter().filter(|line| line.contains(SESSION) && !line.contains("__cage")).count();
    let beyond = below.len() - sessions - held;
    figure(&format!("  ... processes that hold the {sessions} sessions"), held.to_string(), "3 a session");
    figure("  ... processes beyond these", beyond.to_string(), "0");
    figure("an idle Arbiter with one session: CPU over 10 s", percent(its), "0.3 %");
    figure("  ... wake-ups of its threads in 10 s", its.awoken.to_string(), "-");
    figure("  ... its memory (RSS)", format!("{:.1} MB", processes::megabytes(house)), "20 MB");
}

/// Holds ten sessions until the input ends.
pub fn run_sessions(mut words: impl Iterator<Item = OsString>) {
    let (Some(arbiter), Some(claude), Some(folder)) = (words.next(), words.next(), words.next()) else {
        eprintln!("error: who shall be held?");
        std::process::exit(2);
    };
    // As Arbiter does it.
    let (program, settings, routing) = (PathBuf::from(claude), Settings::Isolated, Routing::Typed);
    let options = ClaudeOptions { program, settings, routing, env: Vec::new() };
    let folder = PathBuf::from(folder);
    let claude = Claude::new(options, NoteSink::default());
    let sandbox = match housed(arbiter, &claude, &folder) {
        Ok(sandbox) => sandbox,
        Err(why) => {
            eprintln!("error: {why}");
            std::process::exit(2);
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("the system gives threads").block_on(run_all(claude, folder, sandbox));
}

/// A sandbox as Arbiter makes it.
fn housed(arbiter: OsString, claude: &Claude, folder: &Path) -> Result<sandbox::AgentSandbox, String> {
    let survey = sandbox::survey();
    let place = folder.join("cage");
    let site = sandbox::SandboxFactory {
        level: survey.best().ok_or("nothing holds an agent here")?,
        survey,
        mission: "ten".to_owned(),
        home: std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default(),
        project: place.join("project"),
        ours: vec![place.clone()],
        own: vec![arbiter, "__cage".into()],
        place,
        ..sandbox::SandboxFactory::nowhere()
    };
    let needs = claude.sandbox_needs(&site.place, folder, &site.mission)?.unwrap_or_default();
    site.for_agent(folder, "claude", needs, &[])
}

async fn run_all(claude: Claude, folder: PathBuf, sandbox: sandbox::AgentSandbox) {
    let (events, mut inbox) = mpsc::channel(1024);
    let leaving = watch::Sender::new(0);
    let begin = |number| begin(&claude, &folder, &sandbox, number, leaving.subscribe(), events.clone());
    let mut handles: Vec<Handle> = (1..=TEN).map(begin).collect();
    let rested = async {
        let mut rested = 0;
        while rested < TEN {
            match inbox.recv().await {
                Some(AgentEvent::Rested { .. }) => rested += 1,
                Some(AgentEvent::Lost { why }) => eprintln!("a session is lost: {why}"),
                Some(_) => {}
                None => return,
            }
        }
        println!("ready");
        let (ended, end) = oneshot::channel();
        std::thread::spawn(move || {
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
            let _ = ended.send(());
        });
        let _ = end.await;
    };
    let _ = tokio::time::timeout(IDLE_TIME + SETTLE_TIME + PATIENCE, rested).await;
    for handle in &mut handles {
        let _ = handle.try_order(SessionCommand::End);
    }
    for handle in &mut handles {
        handle.ended().await;
    }
}

/// Starts a session and has it speak once.
fn begin(
    claude: &Claude,
    folder: &Path,
    sandbox: &sandbox::AgentSandbox,
    number: u32,
    leaving: watch::Receiver<usize>,
    events: mpsc::Sender<AgentEvent>,
) -> Handle {
    let session = SessionId(number);
    let key = |kind: u32| format!("{kind:08}-0000-4000-8000-{number:012}");
    let profile = Profile {
        casting: None,
        session,
        role: Role::Orchestrator,
        number,
        provider: "claude".to_owned(),
        model: None,
        key: key(1),
        prompt: Arc::from(IDLE),
        scout: None,
    };
    let seed = SessionSeed {
        profile,
        mission: Arc::from("ten"),
        folder: folder.to_path_buf(),
        logbook: folder.join(format!("sessions/{number}.jsonl")),
        sandbox: Some(sandbox.clone()),
        leaving,
        ..SessionSeed::new(folder, Role::Orchestrator)
    };
    let mut handle = claude.start(seed.start(), events);
    let order =
        SessionCommand::Deliver { turn: TurnId(1), key: key(2), text: Arc::from("Rest."), again: None };
    if let Err(refused) = handle.try_order(order) {
        eprintln!("{session}: {refused}");
    }
    handle
}
