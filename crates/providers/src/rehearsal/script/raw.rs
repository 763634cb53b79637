//! A script as YAML has it, and its conversion to a checked script.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use mind::petition::{PetitionDraft, when};
use mind::session::{Task, TaskStatus};
use mind::{Timestamp, output};
use serde::Deserialize;
use serde_json::Value;
use serde_saphyr::Spanned;

use super::decision::{self, RawDecision};
use super::error::Fault;
use super::mishap::{self, RawMishap};
use super::{Course, RehearsalScript, ScriptStep, ScriptTurn, Spent};
use crate::limits::PAUSE_MS_MAX;
use crate::rehearsal::wire::FailKind;

const VERSION: u32 = 1;
const WINDOW: u64 = 200_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawScript {
    rehearsal: Spanned<u32>,
    title: String,
    scroll: String,
    #[serde(default)]
    checks: Vec<Spanned<Vec<String>>>,
    #[serde(default)]
    files: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    human: Vec<String>,
    #[serde(default)]
    window: Option<Spanned<u64>>,
    arbiter: Option<Vec<RawTurn>>,
    #[serde(default)]
    heirs: Vec<Vec<RawTurn>>,
    #[serde(default)]
    orchestrators: Vec<Vec<RawTurn>>,
    #[serde(default)]
    agents: BTreeMap<String, Vec<Vec<RawTurn>>>,
    #[serde(default)]
    decisions: Vec<Spanned<RawDecision>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTurn {
    #[serde(default)]
    does: Vec<Spanned<RawStep>>,
    says: Spanned<Value>,
    #[serde(default)]
    when_warned: BTreeMap<u8, RawCourse>,
    #[serde(default)]
    cost_microusd: u64,
    spent: Option<Spent>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCourse {
    #[serde(default)]
    does: Vec<Spanned<RawStep>>,
    says: Spanned<Value>,
}

/// All keys of all steps; exactly one of them names the step.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStep {
    tool: Option<String>,
    on: Option<String>,
    write: Option<String>,
    text: Option<String>,
    commit: Option<String>,
    run: Option<Vec<String>>,
    ask: Option<Vec<String>>,
    push: Option<Value>,
    #[serde(rename = "await")]
    awaits: Option<bool>,
    tasks: Option<Vec<RawTask>>,
    gauge: Option<u64>,
    await_warning: Option<u8>,
    pause: Option<u64>,
    fail: Option<FailKind>,
    why: Option<String>,
    after: Option<String>,
    cost_microusd: Option<u64>,
    hang: Option<bool>,
    die: Option<u8>,
    flood: Option<u32>,
    awaits_human: Option<bool>,
    malformed: Option<bool>,
    twice: Option<bool>,
    stir: Option<bool>,
    always: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTask {
    id: Option<String>,
    title: String,
    status: TaskStatus,
}

#[derive(Clone, Copy)]
enum Part {
    Arbiter,
    Orchestrator,
    Agent,
}

/// Reads a script's text and checks it.
pub(super) fn read(text: &str) -> Result<RehearsalScript, Fault> {
    let raw: RawScript = serde_saphyr::from_str(text)?;
    if raw.rehearsal.value != VERSION {
        let what = format!("this is a rehearsal of format {}", raw.rehearsal.value);
        return Err(Fault::new(line(&raw.rehearsal), what, format!("write `rehearsal: {VERSION}`")));
    }
    let checks = raw.checks.into_iter().map(check).collect::<Result<_, Fault>>()?;
    let files = raw.files.into_iter().map(file).collect::<Result<_, Fault>>()?;
    let window = match raw.window {
        None => WINDOW,
        Some(window) if window.value > 0 => window.value,
        Some(window) => {
            return Err(Fault::new(line(&window), "`window` is 0", "leave it out for 200000 tokens"));
        }
    };
    let arbiter = match raw.arbiter {
        Some(turns) => part(turns, Part::Arbiter)?,
        // A conducted mission has none.
        None if !raw.agents.is_empty() => Vec::new(),
        None => {
            let hint =
                "the Arbiter's turns stand under `arbiter`, those of a conducted mission under `agents`";
            return Err(Fault::new(line(&raw.rehearsal), "`arbiter` is missing", hint));
        }
    };
    let agents = raw.agents.into_iter().map(|(name, runs)| {
        let runs = runs.into_iter().map(|turns| part(turns, Part::Agent));
        Ok((name, runs.collect::<Result<_, Fault>>()?))
    });
    let agents = agents.collect::<Result<_, Fault>>()?;
    let decisions = raw.decisions.into_iter().map(|raw| decision::read(line(&raw), raw.value));
    let decisions = decisions.collect::<Result<_, Fault>>()?;
    let heirs = raw.heirs.into_iter().map(|turns| part(turns, Part::Arbiter));
    let orchestrators = raw.orchestrators.into_iter().map(|turns| part(turns, Part::Orchestrator));
    Ok(RehearsalScript {
        title: raw.title,
        scroll: raw.scroll,
        checks,
        files,
        human: raw.human,
        window,
        arbiter,
        heirs: heirs.collect::<Result<_, Fault>>()?,
        orchestrators: orchestrators.collect::<Result<_, Fault>>()?,
        agents,
        decisions,
    })
}

fn check(argv: Spanned<Vec<String>>) -> Result<Vec<String>, Fault> {
    if argv.value.is_empty() {
        return Err(Fault::new(
            line(&argv),
            "a check is empty",
            r#"write the program and its arguments: ["sh", "test.sh"]"#,
        ));
    }
    Ok(argv.value)
}

fn file((path, text): (String, Spanned<String>)) -> Result<(String, String), Fault> {
    let path = inside(path, line(&text))?;
    Ok((path, text.value))
}

fn part(turns: Vec<RawTurn>, part: Part) -> Result<Vec<ScriptTurn>, Fault> {
    turns.into_iter().map(|raw| turn(raw, part)).collect()
}

fn turn(raw: RawTurn, part: Part) -> Result<ScriptTurn, Fault> {
    let course = course(RawCourse { does: raw.does, says: raw.says }, part)?;
    let branches = raw.when_warned.into_iter().map(|(at, raw)| Ok((at, self::course(raw, part)?)));
    let when_warned = branches.collect::<Result<_, Fault>>()?;
    Ok(ScriptTurn { course, when_warned, cost_microusd: raw.cost_microusd, spent: raw.spent })
}

fn course(raw: RawCourse, part: Part) -> Result<Course, Fault> {
    let does = raw.does.into_iter().map(step).collect::<Result<_, Fault>>()?;
    let faults = match part {
        Part::Arbiter => output::read_manager(Some(&raw.says.value)).err(),
        // Whether it plays a verifier is the Arbiter's choice, so a verdict may stand and need not.
        Part::Orchestrator => output::read_worker(Some(&raw.says.value), false).err(),
        Part::Agent => answered(&raw.says.value),
    };
    if let Some(faults) = faults {
        let hint = match part {
            Part::Arbiter => "an Arbiter says {intent: address_human, message: ...}",
            Part::Orchestrator => {
                "an Orchestrator says {kind: handoff, expects_response: true, message: ...}"
            }
            Part::Agent => "an agent says {outcome: success, summary: ...} and what its answer needs besides",
        };
        return Err(Fault::new(line(&raw.says), format!("`says`: {}", faults.join("; ")), hint));
    }
    Ok(Course { does, says: raw.says.value })
}

/// What every agent's answer has; the rest is between it and its own schema.
fn answered(says: &Value) -> Option<Vec<String>> {
    let mut faults = Vec::new();
    if !matches!(says.get("outcome").and_then(Value::as_str), Some("success" | "failure")) {
        faults.push("`outcome` must be success or failure".to_owned());
    }
    if says.get("summary").and_then(Value::as_str).is_none_or(|summary| summary.trim().is_empty()) {
        faults.push("`summary` is missing or empty".to_owned());
    }
    (!faults.is_empty()).then_some(faults)
}

fn step(raw: Spanned<RawStep>) -> Result<ScriptStep, Fault> {
    let line = line(&raw);
    let RawStep { tool, on, write, text, commit, run, ask, push, awaits, tasks, gauge, .. } = raw.value;
    let RawStep { await_warning, pause, .. } = raw.value;
    let RawStep { fail, why, after, cost_microusd, hang, die, flood, .. } = raw.value;
    let RawStep { awaits_human, malformed, twice, stir, always, .. } = raw.value;
    let mishap = RawMishap {
        fail,
        why,
        after,
        cost_microusd,
        hang,
        die,
        flood,
        awaits_human,
        malformed,
        twice,
        stir,
        always,
    };
    let mut steps = mishap::read(mishap, line)?;
    let is_tool = tool.is_some();
    let is_write = write.is_some();
    if (on.is_some() && !is_tool) || (text.is_some() && !is_write) {
        return Err(Fault::new(line, "`on` belongs to `tool`, `text` to `write`", STEPS));
    }
    if is_write && text.is_none() {
        return Err(Fault::new(line, "`write` has no `text`", STEPS));
    }
    steps.extend(tool.map(|name| ScriptStep::Tool { name, on: on.unwrap_or_default() }));
    if let Some(path) = write {
        steps.push(ScriptStep::Write { path: inside(path, line)?, text: text.unwrap_or_default() });
    }
    steps.extend(commit.map(|message| ScriptStep::Commit { message }));
    steps.extend(run.map(|argv| ScriptStep::Run { argv }));
    steps.extend(ask.map(|argv| ScriptStep::Ask { argv }));
    if let Some(petition) = push {
        steps.push(ScriptStep::Push(asked(petition, line)?));
    }
    match awaits {
        Some(true) => steps.push(ScriptStep::Await),
        Some(false) => {
            return Err(Fault::new(line, "`await` is false", "write `await: true`, or leave it out"));
        }
        None => {}
    }
    steps.extend(tasks.map(|tasks| ScriptStep::Tasks(tasks.into_iter().enumerate().map(task).collect())));
    steps.extend(gauge.map(ScriptStep::Gauge));
    steps.extend(await_warning.map(ScriptStep::AwaitWarning));
    steps.extend(pause.map(ScriptStep::Pause));
    let mut steps = steps.into_iter();
    match (steps.next(), steps.next()) {
        (Some(ScriptStep::Run { argv } | ScriptStep::Ask { argv }), None) if argv.is_empty() => {
            Err(Fault::new(line, "there is nothing to run", STEPS))
        }
        (Some(ScriptStep::Commit { message }), None) if message.trim().is_empty() => {
            Err(Fault::new(line, "`commit` has no message", STEPS))
        }
        (Some(ScriptStep::Pause(ms)), None) if ms > PAUSE_MS_MAX => {
            Err(Fault::new(line, format!("`pause` is longer than {PAUSE_MS_MAX} ms"), STEPS))
        }
        (Some(step), None) => Ok(step),
        (None, _) => Err(Fault::new(line, "an empty step", STEPS)),
        (Some(_), Some(_)) => Err(Fault::new(line, "two steps in one", "give each step its own list item")),
    }
}

pub(super) const STEPS: &str = "a step is one of {tool, on}, {write, text}, {commit}, {run: [...]}, {ask: [...]}, {push: {title, decisions}}, {await: true}, \
                     {tasks: [...]}, {gauge}, {await_warning}, {pause}, {fail, why, after, cost_microusd}, {hang: true}, {die}, {flood}, {awaits_human}, \
                     {malformed: true}, {twice: true}, {stir: true}";

/// A petition that the docket would take.
fn asked(petition: Value, line: u64) -> Result<Value, Fault> {
    match PetitionDraft::read(&petition, &|written| when(written, Timestamp(0))) {
        Ok(_) => Ok(petition),
        Err(faults) => {
            let hint = "{title: Which way?, decisions: [{id: way, title: Left?, options: [left, right]}]}";
            Err(Fault::new(line, format!("`push`: {}", faults.join("; ")), hint))
        }
    }
}

fn task((index, raw): (usize, RawTask)) -> Task {
    let id = raw.id.unwrap_or_else(|| (index + 1).to_string());
    Task { id: id.into(), title: raw.title.into(), status: raw.status }
}

/// A path that stays inside the folder it is joined to.
fn inside(path: String, line: u64) -> Result<String, Fault> {
    let mut parts = Path::new(&path).components().peekable();
    let is_plain =
        parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(name) if name != ".git"));
    if is_plain {
        Ok(path)
    } else {
        Err(Fault::new(
            line,
            format!("`{path}` leads out of the folder"),
            "write a relative path without `..`",
        ))
    }
}

fn line<T>(spanned: &Spanned<T>) -> u64 {
    spanned.referenced.line()
}
