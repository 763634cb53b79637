//! Which runs of a long history an input shows, and how much of each. Nothing here walks the history: the last failures
//! are known by their numbers.

use std::sync::Arc;

use imbl::Vector;

use crate::conductor::agent::Richness;
use crate::conductor::execution::{Execution, RunError, RunOutput};
use crate::conductor::limits;
use crate::conductor::texts::{both_ends, bounded, fits};

/// The last `window` runs; if more than two of them failed, the last failures of the whole history besides. In order,
/// the newest last.
pub fn history_window(
    history: &Vector<Arc<Execution>>,
    failed: &Vector<u32>,
    window: usize,
) -> Vec<Arc<Execution>> {
    let first = history.len().saturating_sub(window);
    let shown: Vec<Arc<Execution>> =
        (first..history.len()).filter_map(|at| history.get(at)).cloned().collect();
    if shown.iter().filter(|run| run.status.failed()).count() <= limits::FAILURES_MIN {
        return shown;
    }
    let newest = failed.len().saturating_sub(limits::FAILURES_SHOWN);
    let places = failed.iter().skip(newest).filter_map(|seq| (*seq as usize).checked_sub(1));
    // Numbers grow along the history, so what lies before the window is earlier than all of it.
    let mut runs: Vec<Arc<Execution>> =
        places.filter(|at| *at < first).filter_map(|at| history.get(at)).cloned().collect();
    runs.extend(shown);
    runs
}

/// A run as the history shows it: its summary alone.
pub fn in_history(run: &Arc<Execution>) -> Arc<Execution> {
    let max = limits::HISTORY_CHARS_MAX;
    let error_fits = run.error.as_ref().is_none_or(|error| fits(&error.message, max));
    let bare = run.output.full.is_none() && run.issues.is_empty();
    if bare && error_fits && fits(&run.output.summary, max) {
        return run.clone();
    }
    Arc::new(Execution {
        output: RunOutput {
            summary: bounded(&run.output.summary, max),
            full: None,
            files_modified: run.output.files_modified.clone(),
        },
        error: run.error.as_ref().map(|error| bounded_error(error, max)),
        issues: Vec::new(),
        ..run.as_ref().clone()
    })
}

/// The run that an evaluation is about: with its output, unless its agent is to be told of leanly.
pub fn as_last(run: &Arc<Execution>, richness: Richness) -> Arc<Execution> {
    let full = run.output.full.as_ref().filter(|_| richness == Richness::Full);
    Arc::new(Execution {
        output: RunOutput {
            summary: bounded(&run.output.summary, limits::SUMMARY_CHARS_MAX),
            full: full.map(|full| {
                if fits(full, limits::FULL_CHARS_MAX) {
                    full.clone()
                } else {
                    Arc::from(both_ends(full, limits::FULL_CHARS_MAX))
                }
            }),
            files_modified: run.output.files_modified.clone(),
        },
        error: run.error.as_ref().map(|error| bounded_error(error, limits::FULL_CHARS_MAX)),
        issues: run.issues.iter().map(|issue| bounded(issue, limits::HISTORY_CHARS_MAX)).collect(),
        ..run.as_ref().clone()
    })
}

fn bounded_error(error: &Arc<RunError>, max: usize) -> Arc<RunError> {
    if fits(&error.message, max) {
        return error.clone();
    }
    Arc::new(RunError { message: Arc::from(both_ends(&error.message, max)), ..error.as_ref().clone() })
}
