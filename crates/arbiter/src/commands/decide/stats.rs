//! `decide stats`: how many moves came from rules, models, the fixed order and people, and how the runs that followed went.

use std::collections::BTreeMap;
use std::sync::Arc;

use mind::State;
use mind::charter::Way;
use mind::conductor::replay::outcome_of;
use mind::conductor::{ConductorState, DecisionPoint, MoveSource};
use serde_json::{Value, json};
use view::amount::counted;
use view::moves;

use crate::cli_error::{CliError, ExitCode};
use crate::mission::port::MissionPort as _;
use crate::terminal::console;

use super::{CommandContext, not_conducted};

/// What is known of the moves of one source in one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Tally {
    decisions: u32,
    /// Of these the next run is over.
    judged: u32,
    succeeded: u32,
}

type Table = BTreeMap<(MoveSource, DecisionPoint), Tally>;

/// Counts the moves of one mission, or of all in this project.
pub fn stats(context: &CommandContext, typed: Option<&str>, as_json: bool) -> Result<ExitCode, CliError> {
    let mut table = Table::new();
    let mut missions = Vec::new();
    if let Some(typed) = typed {
        let (id, places) = context.named(typed)?;
        let state = context.port(&places)?.state()?;
        if let Some(cli_error) = not_conducted(&id, &state) {
            return Err(cli_error);
        }
        count(&state, &mut table);
        missions.push(id);
    } else {
        for (id, places) in context.newest_first()? {
            match context.port(&places)?.state() {
                Ok(state) if state.way() == Way::Conductor => {
                    count(&state, &mut table);
                    missions.push(id);
                }
                Ok(_) => {}
                Err(error) => console::remark(format!("note: {id} is left out: {error}")),
            }
        }
    }
    if as_json {
        let rows: Vec<Value> = table.iter().map(|(key, tally)| row(*key, *tally)).collect();
        console::line(json!({"missions": missions, "rows": rows}));
    } else if table.is_empty() {
        console::line("no moves yet; `arbiter run --way conductor` makes some");
    } else {
        print(&table, missions.len());
    }
    Ok(ExitCode::Done)
}

fn count(state: &State, table: &mut Table) {
    let conductor: Option<&ConductorState> = state.conductor.as_ref();
    for (conductor, record) in
        conductor.iter().flat_map(|conductor| conductor.decisions.iter().map(move |r| (conductor, r)))
    {
        let record = Arc::as_ref(record);
        let tally = table.entry((record.source, record.call)).or_default();
        tally.decisions += 1;
        if let Some(succeeded) = outcome_of(conductor, record) {
            tally.judged += 1;
            tally.succeeded += u32::from(succeeded);
        }
    }
}

fn row((source, call): (MoveSource, DecisionPoint), tally: Tally) -> Value {
    json!({"source": source, "call": call, "decisions": tally.decisions, "runs": tally.judged,
           "succeeded": tally.succeeded})
}

fn print(table: &Table, missions: usize) {
    let by = |source: MoveSource| moves::chosen_by(source);
    let width = table.keys().map(|(source, _)| by(*source).len()).max().unwrap_or(0);
    let asked = "asked";
    console::line(format!(
        "{:<width$} {asked:<14} {:>5} {:>5} {:>10}",
        "chosen", "moves", "runs", "succeeded"
    ));
    for ((source, call), tally) in table {
        let share = match (u64::from(tally.succeeded) * 100).checked_div(u64::from(tally.judged)) {
            Some(percent) => format!("{} ({percent}%)", tally.succeeded),
            None => "-".to_owned(),
        };
        let (source, call, moves, runs) =
            (by(*source), moves::call_words(*call), tally.decisions, tally.judged);
        console::line(format!("{source:<width$} {call:<14} {moves:>5} {runs:>5} {share:>10}"));
    }
    console::line(counted(missions, "mission"));
}
