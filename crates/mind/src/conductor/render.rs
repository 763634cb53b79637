//! The prompts of the two model calls: one pass over a template; what agents and tools said is delimited as data. A prompt has
//! a budget: the oldest history goes first, then outputs are shortened; task, current step, last error and constraints stay.

pub mod choices;
pub mod plan;
pub mod runs;

use std::sync::Arc;

use super::execution::{ErrorContext, Execution};
use super::input::{AgentDescription, CallInput, Constraints, agents};
use super::limits;
use super::memory::Note;
use super::next_move::MoveKind;
use super::plan::Plan;
use super::state::ConductorState;
use super::texts::{both_ends, clean, cut_lines, cut_visibly, fits, inline, quoted, tame};
use crate::charter::Charter;
use crate::prompt::{self, PromptContext};
use crate::state::State;
use plan::PlanRoom;

/// What a model is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedCall {
    pub system: Arc<str>,
    pub prompt: Arc<str>,
}

/// What is asked besides: the reply before could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MisreadReply {
    pub faults: Vec<Arc<str>>,
    /// It was cut off: this one must be shorter.
    pub shorter: bool,
}

/// The prompt of a call.
pub fn render(
    charter: &Charter,
    state: &State,
    input: &CallInput,
    legal: &[MoveKind],
    again: &MisreadReply,
) -> RenderedCall {
    let system = prompt::render(charter, "conduct-system.md", &PromptContext::default());
    let told = Told::new(state, input);
    let again = once_more(charter, again);
    let mut text = String::new();
    for room in rooms(told.history.len()) {
        text = format!("{}{again}", told.fill(charter, legal, &room));
        let free = limits::PROMPT_CHARS_MAX.saturating_sub(system.chars().count());
        if fits(&text, free) {
            break;
        }
    }
    RenderedCall { system, prompt: Arc::from(text) }
}

/// Everything that either call is told, by reference.
struct Told<'a> {
    task: &'a str,
    plan: Option<&'a Plan>,
    history: &'a [Arc<Execution>],
    last_error: Option<&'a ErrorContext>,
    agents: Vec<AgentDescription>,
    constraints: &'a Constraints,
    guidance: &'a [Arc<str>],
    notes: &'a [Arc<Note>],
    last: Option<(&'a Execution, &'a ConductorState)>,
    file: &'static str,
}

/// How much of each part there is room for, in characters unless it says otherwise.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// Runs of the history, the newest.
    history: usize,
    output: usize,
    plan: PlanRoom,
    agent: usize,
    agents: usize,
    extras: usize,
    error: usize,
    task: usize,
}

const WIDE: Room = Room {
    history: usize::MAX,
    output: limits::FULL_CHARS_MAX * 2,
    plan: PlanRoom { results: true, description: 1_000, around: usize::MAX, current: 6_000 },
    agent: 1_000,
    agents: 8_000,
    extras: 6_000,
    error: 6_000,
    task: limits::TASK_CHARS_MAX * 2,
};

/// From everything to the least, in the order in which parts are given up.
fn rooms(history: usize) -> impl Iterator<Item = Room> {
    let fewer = (0..=history).rev().map(|history| Room { history, ..WIDE });
    let none = Room { history: 0, ..WIDE };
    let short = Room { output: 1_000, ..none };
    let shorter = Room { output: 400, extras: 2_000, plan: PlanRoom { results: false, ..none.plan }, ..none };
    let narrow = Room {
        output: 300,
        extras: 1_000,
        agent: 200,
        plan: PlanRoom { results: false, description: 200, around: 20, current: 4_000 },
        ..none
    };
    let least = Room {
        output: 200,
        extras: 400,
        agent: 100,
        agents: 2_000,
        error: 3_000,
        task: limits::TASK_CHARS_MAX / 2,
        plan: PlanRoom { results: false, description: 80, around: 5, current: 2_500 },
        ..none
    };
    let last = Room { task: 3_000, ..least };
    fewer.chain([short, shorter, narrow, Room { task: none.task, ..least }, least, last])
}

impl<'a> Told<'a> {
    fn new(state: &'a State, input: &'a CallInput) -> Told<'a> {
        let conductor = state.conductor.as_ref();
        match input {
            CallInput::Select(input) => Told {
                task: &input.task,
                plan: input.plan.as_deref(),
                history: &input.history,
                last_error: input.last_error.as_deref(),
                agents: input.available_agents.clone(),
                constraints: &input.constraints,
                guidance: &input.guidance,
                notes: &input.notes,
                last: None,
                file: "conduct-select.md",
            },
            CallInput::Evaluate(input) => Told {
                task: &input.task,
                plan: input.plan.as_deref(),
                history: &input.history,
                last_error: conductor.and_then(|conductor| conductor.last_error.as_deref()),
                agents: conductor.map(agents::available).unwrap_or_default(),
                constraints: &input.constraints,
                guidance: &input.guidance,
                notes: &[],
                last: input.last_execution.as_deref().zip(conductor),
                file: "conduct-evaluate.md",
            },
        }
    }

    fn fill(&self, charter: &Charter, legal: &[MoveKind], room: &Room) -> Arc<str> {
        // What agents and tools wrote is tamed; the task is the human's and is not.
        let task = clean(&cut_visibly(self.task, room.task, "the task"));
        let plan =
            self.plan.map_or("No plan yet.".to_owned(), |plan| tame(&plan::describe(plan, &room.plan)));
        let history = tame(&self.history(room));
        let last_error = match self.last_error {
            Some(error) => cut_lines(&tame(&runs::error(error, room.error / 2)), room.error, "the error"),
            None => "No recent errors.".to_owned(),
        };
        let agents = cut_lines(&tame(&choices::agents(&self.agents, room.agent)), room.agents, "the agents");
        let constraints = choices::constraints(self.constraints);
        let guidance = tame(&bullets(self.guidance, room.extras));
        let notes = tame(&notes(self.notes, room.extras));
        let decisions = choices::decisions(legal);
        let (last_execution, transitions) = match self.last {
            Some((last, conductor)) => (
                tame(&runs::last(last, room.output)),
                cut_lines(&tame(&choices::transitions(conductor.agent(&last.agent))), room.extras, "it"),
            ),
            None => ("No run has ended yet.".to_owned(), "Nothing.".to_owned()),
        };
        let values = [
            ("task", task.trim_end()),
            ("plan", plan.as_str()),
            ("history", &history),
            ("last_error", &last_error),
            ("agents", &agents),
            ("constraints", &constraints),
            ("guidance", &guidance),
            ("notes", &notes),
            ("decisions", &decisions),
            ("last_execution", &last_execution),
            ("transitions", &transitions),
        ];
        prompt::render_with(charter, self.file, &PromptContext::default(), &values)
    }

    fn history(&self, room: &Room) -> String {
        let left_out = self.history.len().saturating_sub(room.history);
        let mut parts: Vec<String> =
            (left_out > 0).then(|| format!("({left_out} earlier runs are left out.)")).into_iter().collect();
        parts.extend(self.history.iter().skip(left_out).map(|run| runs::line(run)));
        if parts.is_empty() { "No runs yet.".to_owned() } else { parts.join("\n") }
    }
}

/// Texts as a list; whatever they hold, only our own marks stand at the beginning of a line.
pub fn bullets(texts: &[Arc<str>], max: usize) -> String {
    if texts.is_empty() {
        return "None.".to_owned();
    }
    let each = max / texts.len();
    let texts = texts.iter().map(|text| format!("-\n{}", quoted(&both_ends(text, each))));
    texts.collect::<Vec<_>>().join("\n")
}

/// Notes as a list, within `max` characters.
pub fn notes(notes: &[Arc<Note>], max: usize) -> String {
    if notes.is_empty() {
        return "None.".to_owned();
    }
    let each = max / notes.len();
    let told = notes.iter().map(|note| {
        format!("- {}\n{}", inline(&both_ends(&note.title, each)), quoted(&both_ends(&note.text, each)))
    });
    told.collect::<Vec<_>>().join("\n")
}

fn once_more(charter: &Charter, again: &MisreadReply) -> String {
    if again.faults.is_empty() && !again.shorter {
        return String::new();
    }
    let mut faults: Vec<String> = again.faults.iter().take(8).map(|fault| both_ends(fault, 200)).collect();
    if again.shorter {
        faults.push("it was cut off before its end".to_owned());
    }
    let faults: Vec<String> = faults.iter().map(|fault| format!("- {}", tame(&inline(fault)))).collect();
    let shorter = if again.shorter { " Keep it short: one sentence for each text in it." } else { "" };
    let values = [("faults", faults.join("\n")), ("shorter", shorter.to_owned())];
    let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
    format!("\n\n{}", prompt::render_with(charter, "conduct-again.md", &PromptContext::default(), &values))
}
