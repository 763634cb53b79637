//! A scenario as YAML has it, and its conversion to a checked [`Scenario`].

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_saphyr::Spanned;

use super::scenario::{
    Act, Block, Cut, How, Malformed, Message, OffScript, Place, Refusal, Scenario, Step, Times, Usage, Voice,
};

/// Why a scenario cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioError {
    /// It is no YAML, or has unknown keys.
    #[error("cannot read the scenario")]
    Yaml(#[from] serde_saphyr::Error),
    /// A line that makes no sense.
    #[error("scenario, line {line}: {what}")]
    Nonsense {
        line: u64,
        /// What is wrong with it.
        what: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawScenario {
    voices: Vec<RawVoice>,
    #[serde(default)]
    off_script: OffScript,
    ids: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawVoice {
    name: String,
    system_contains: Option<String>,
    agent: Option<bool>,
    prompt_contains: Option<String>,
    nth: Option<Spanned<usize>>,
    steps: Vec<Spanned<RawStep>>,
}

/// All keys of all steps; exactly one of `message`, `status`, `malformed` and `hang` says which step it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStep {
    when: Option<String>,
    times: Option<u32>,
    #[serde(default)]
    forever: bool,
    #[serde(default)]
    delay: u64,

    message: Option<Vec<RawBlock>>,
    usage: Option<Usage>,
    stop_reason: Option<String>,
    chunks: Option<usize>,
    chunk_delay: Option<u64>,
    cut: Option<String>,
    how: Option<How>,

    status: Option<u16>,
    headers: Option<BTreeMap<String, String>>,
    error: Option<RawError>,

    malformed: Option<Malformed>,
    hang: Option<bool>,
}

/// All keys of all blocks; one of `text`, `thinking` and `tool` says which block it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBlock {
    text: Option<String>,
    thinking: Option<String>,
    tool: Option<String>,
    input: Option<Value>,
    raw: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawError {
    r#type: Option<String>,
    message: Option<String>,
}

/// Reads a scenario's text and judges it.
pub(super) fn read(text: &str) -> Result<Scenario, ScenarioError> {
    let raw: RawScenario = serde_saphyr::from_str(text)?;
    let voices = raw.voices.into_iter().map(voice).collect::<Result<Vec<_>, _>>()?;
    let mut scenario = Scenario { off_script: raw.off_script, ..Scenario::new(voices) };
    if let Some(ids) = raw.ids {
        scenario.ids = ids;
    }
    Ok(scenario)
}

fn voice(raw: RawVoice) -> Result<Voice, ScenarioError> {
    if let Some(nth) = raw.nth.as_ref().filter(|nth| nth.value == 0) {
        return Err(nonsense(nth, "`nth` counts from 1"));
    }
    let RawVoice { name, system_contains, agent, prompt_contains, nth, steps } = raw;
    let nth = nth.map(|nth| nth.value);
    let steps = steps.into_iter().map(step).collect::<Result<_, _>>()?;
    Ok(Voice { name, system_contains, agent, prompt_contains, nth, steps })
}

fn step(raw: Spanned<RawStep>) -> Result<Step, ScenarioError> {
    let line = raw.referenced.line();
    step_of(raw.value).map_err(|what| ScenarioError::Nonsense { line, what })
}

fn step_of(mut raw: RawStep) -> Result<Step, String> {
    let times = match (raw.times, raw.forever) {
        (None, true) => Times::Forever,
        (Some(_), true) => return Err("`times` and `forever` exclude one another".to_owned()),
        (Some(0), false) => return Err("`times` is 0".to_owned()),
        (count, false) => Times::Count(count.unwrap_or(1)),
    };
    let act = match (raw.message.take(), raw.status, raw.malformed, raw.hang) {
        (Some(blocks), None, None, None) => Act::Message(message(blocks, &mut raw)?),
        (None, Some(status), None, None) => Act::Refusal(refusal(status, &mut raw)?),
        (None, None, Some(malformed), None) => Act::Malformed(malformed),
        (None, None, None, Some(true)) => Act::Hang,
        _ => return Err("a step is one of `message`, `status`, `malformed`, `hang: true`".to_owned()),
    };
    let of_messages = raw.usage.is_some()
        || raw.stop_reason.is_some()
        || raw.chunks.is_some()
        || raw.chunk_delay.is_some()
        || raw.cut.is_some()
        || raw.how.is_some();
    if of_messages {
        return Err(
            "`usage`, `stop_reason`, `chunks`, `chunk_delay`, `cut`, `how` go with `message`".to_owned()
        );
    }
    if raw.headers.is_some() || raw.error.is_some() {
        return Err("`headers` and `error` go with `status`".to_owned());
    }
    Ok(Step { when: raw.when, times, delay_ms: raw.delay, act })
}

/// Takes from the step what belongs to a message; a key that is left over is an error in the scenario.
fn message(blocks: Vec<RawBlock>, raw: &mut RawStep) -> Result<Message, String> {
    let blocks = blocks.into_iter().map(block).collect::<Result<_, _>>()?;
    let cut = match (raw.cut.take(), raw.how.take()) {
        (Some(cut), how) => Some(Cut { place: place(&cut)?, how: how.unwrap_or_default() }),
        (None, None) => None,
        (None, Some(_)) => return Err("`how` goes with `cut`".to_owned()),
    };
    Ok(Message {
        blocks,
        usage: raw.usage.take().unwrap_or_default(),
        stop_reason: raw.stop_reason.take(),
        chunks: raw.chunks.take().unwrap_or_default(),
        chunk_delay_ms: raw.chunk_delay.take().unwrap_or_default(),
        cut,
    })
}

fn refusal(status: u16, raw: &mut RawStep) -> Result<Refusal, String> {
    if !(400..=599).contains(&status) {
        return Err(format!("`status` is {status}, which is no error"));
    }
    let (kind, message) = raw.error.take().map_or((None, None), |error| (error.r#type, error.message));
    let headers = raw.headers.take().unwrap_or_default().into_iter().collect();
    Ok(Refusal { status, kind, message, headers })
}

fn block(raw: RawBlock) -> Result<Block, String> {
    match raw {
        RawBlock { text: Some(text), thinking: None, tool: None, input: None, raw: None } => {
            Ok(Block::Text(text))
        }
        RawBlock { text: None, thinking: Some(text), tool: None, input: None, raw: None } => {
            Ok(Block::Thinking(text))
        }
        RawBlock { text: None, thinking: None, tool: Some(name), input, raw: None } => {
            Ok(Block::Tool { name, input: input.unwrap_or_else(|| Value::Object(serde_json::Map::new())) })
        }
        RawBlock { text: None, thinking: None, tool: Some(name), input: None, raw: Some(text) } => {
            Ok(Block::RawTool { name, text })
        }
        _ => Err("a block is `text`, `thinking`, or `tool` with `input` or `raw`".to_owned()),
    }
}

fn place(text: &str) -> Result<Place, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| word.parse().ok().filter(|number| *number > 0);
    let place = match words[..] {
        ["before_start"] => Some(Place::BeforeStart),
        ["after_block", block] => number(block).map(Place::AfterBlock),
        ["mid_block", block] => number(block).map(Place::MidBlock),
        _ => None,
    };
    place.ok_or_else(|| format!("`cut: {text}` is none of before_start, after_block N, mid_block N"))
}

fn nonsense<T>(at: &Spanned<T>, what: &str) -> ScenarioError {
    ScenarioError::Nonsense { line: at.referenced.line(), what: what.to_owned() }
}
