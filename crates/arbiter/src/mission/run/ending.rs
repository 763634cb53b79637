//! The end of a run: writes the session ids, tells the person how it ended, and chooses the exit code.

use mind::State;
use mind::charter::Way;
use mind::effect::Leave;
use tokio::task::JoinError;

use super::running::RunningMission;
use super::watchers::Parted;
use crate::cli_error::{CliError, ExitCode};
use crate::mission::fact_log::FactLogError;
use crate::mission::last_session;
use crate::mission::refusal::refuse;
use crate::terminal::console::Style;
use crate::terminal::{console, exit_report};

/// How the loop ended; a panic in it is the task's error.
pub(super) type LoopEnd = Result<Result<Option<Leave>, FactLogError>, JoinError>;

pub(super) fn tell(
    running: &RunningMission,
    ended: LoopEnd,
    last: &State,
    parted: Parted,
) -> Result<ExitCode, CliError> {
    let audience = running.audience;
    last_session::write(&running.location.project, last);
    if audience.theme.is_none() && last.way() == Way::Council {
        // The screen lists the ids with the sessions; a conducted mission has a session for every run, too many to print.
        console::remark(last_session::line(last));
    }
    for remark in running.remarks.take() {
        console::remark(format!("warning: {remark}"));
    }
    if audience.typing {
        // Keys typed after the end would reach the shell.
        let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
    }
    if let Some(error) = parted.unseen {
        // The journal could not be shown any more: that is why the mission was stopped.
        return Err(refuse(&error, &running.places.folder));
    }
    let code = match ended {
        Ok(Ok(None)) if parted.speechless => Err(no_line(&running.mission)),
        Ok(Ok(leave)) => say_farewell(running, leave, last, parted.style),
        Ok(Err(error)) => Err(refuse(&error, &running.places.folder)),
        Err(defect) => Err(CliError::new(ExitCode::Failed, format!("a defect in arbiter: {defect}"))
            .hint(format!("nothing is lost: `arbiter resume {}` continues", running.mission))),
    };
    if parted.style == Some(Style::Json) {
        let code = code.as_ref().map_or_else(|cli_error| cli_error.code, |code| *code);
        let end = serde_json::json!({"end": {"mission": running.mission, "code": code as u8}});
        console::patiently(move || console::line(end));
    }
    code
}

fn no_line(mission: &str) -> CliError {
    CliError::new(
        ExitCode::Failed,
        "the rehearsal's script has no line for the human's answer, and there is no terminal to ask at",
    )
    .hint(format!("answer with `arbiter mission say {mission} WORDS`, then `arbiter resume {mission}`"))
}

fn say_farewell(
    running: &RunningMission,
    leave: Option<Leave>,
    last: &State,
    style: Option<Style>,
) -> Result<ExitCode, CliError> {
    if running.audience.theme.is_some() {
        let lines = console::ending(last);
        console::patiently(move || drop(console::write(&lines)));
    }
    exit_report::say(leave, last, &running.mission, style, running.location.scratch)
}
