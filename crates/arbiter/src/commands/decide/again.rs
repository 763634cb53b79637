//! `decide replay`: every move of a mission chosen again, and where it comes out differently.

use std::collections::BTreeMap;

use mind::conductor::replay::{Difference, Redecision, redecide};
use mind::conductor::{ConductorState, MoveSource};
use mind::{MissionId, State};
use serde_json::json;
use view::amount::counted;
use view::moves::{self, Chosen};

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::RedecideArgs;
use crate::mission::refusal;
use crate::terminal::console;

use super::walk::walk;
use super::{CommandContext, not_conducted, policy};

/// How many moves one source made, and how many of them come out differently.
#[derive(Debug, Clone, Copy, Default, serde::Serialize)]
struct Count {
    decisions: u32,
    differ: u32,
}

/// Chooses every move again.
pub fn replay(context: &CommandContext, args: &RedecideArgs) -> Result<ExitCode, CliError> {
    let (id, places) = context.named(&args.mission)?;
    let policy = args.policy.as_deref().map(policy::read).transpose()?;
    let mut counts: BTreeMap<MoveSource, Count> = BTreeMap::new();
    let mut differences = Vec::new();
    let state = walk(&context.port(&places)?, |made| {
        let again = redecide(made.before, made.record, policy.as_ref(), made.at);
        let difference = Difference::between(made.record, again);
        let count = counts.entry(made.record.source).or_default();
        count.decisions += 1;
        count.differ += u32::from(difference.is_some());
        differences.extend(difference);
    })
    .map_err(|error| refusal::refuse(&error, &places.folder))?;
    if let Some(cli_error) = not_conducted(&id, &state) {
        return Err(cli_error);
    }
    let unknown =
        policy.iter().zip(&state.conductor).flat_map(|(policy, conductor)| policy.unknown(conductor));
    let unknown: Vec<String> = unknown.collect();
    if !unknown.is_empty() {
        let why = format!("the policy names agents that mission {id} does not have: {}", unknown.join(", "));
        let agents = state.conductor.iter().flat_map(|conductor| conductor.agents.iter());
        let names: Vec<&str> = agents.map(|agent| agent.name.as_ref()).collect();
        return Err(CliError::new(ExitCode::Usage, why).hint(format!("it has {}", names.join(", "))));
    }
    if args.json {
        console::line(json!({"mission": id, "bySource": counts, "differences": differences}));
    } else {
        print(&id, &counts, &differences, &state);
    }
    Ok(if differences.is_empty() { ExitCode::Done } else { ExitCode::Failed })
}

fn print(id: &MissionId, counts: &BTreeMap<MoveSource, Count>, differences: &[Difference], state: &State) {
    let conductor = state.conductor.clone().unwrap_or_default();
    for difference in differences {
        let when = moves::when_words(difference.call, difference.iteration);
        console::line(format!("move {}, {when}", difference.number));
        console::line(format!("  then: {}", told(&difference.before, difference, &conductor)));
        console::line(format!("  now:  {}", told(&difference.after, difference, &conductor)));
    }
    let sum = |count: fn(&Count) -> u32| counts.values().map(count).sum::<u32>();
    let (moves, differ) = (sum(|count| count.decisions), sum(|count| count.differ));
    console::line(format!("{id}: {}, {differ} differ", counted(moves, "move")));
    let width = counts.keys().map(|source| moves::chosen_by(*source).len()).max().unwrap_or(0);
    for (source, count) in counts {
        let by = moves::chosen_by(*source);
        console::line(format!("  {by:<width$} {:>4}, {} differ", count.decisions, count.differ));
    }
}

/// A move in one line.
fn told(again: &Redecision, difference: &Difference, conductor: &ConductorState) -> String {
    let chosen = Chosen {
        decision: &again.decision,
        source: again.source,
        cause: again.cause.as_deref(),
        call: difference.call,
        iteration: difference.iteration,
    };
    let (what, by, why) = (chosen.words(conductor), chosen.by(), chosen.why());
    let because = chosen.because().map(|because| format!(" ({because})")).unwrap_or_default();
    console::printable(&format!("{what}, {by}{because}: {why}"))
}
