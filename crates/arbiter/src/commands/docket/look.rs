//! `status` and `get`: the view of a petition, and its answers.

use mind::petition::{Petition, PetitionEnd, PetitionStatus};
use view::petition_json as json;

use super::{Clerk, now, refusal, say, signs, tell};
use crate::cli_error::{CliError, ExitCode};
use crate::terminal::console::{self, LineInk};

/// Says where a petition stands.
pub fn status(
    clerk: &Clerk,
    id: Option<&str>,
    tag: Option<&str>,
    as_json: bool,
) -> Result<ExitCode, CliError> {
    let kept = match (id, tag) {
        (Some(id), _) => clerk.docket.find(id, now())?,
        (None, tag) => clerk.docket.tagged(tag.unwrap_or_default(), now())?,
    };
    if as_json {
        say(&json::status(&kept.petition));
        return Ok(ExitCode::Done);
    }
    let petition = &kept.petition;
    let mut lines = tell::head(petition);
    lines.extend(tell::decisions(petition));
    lines.push((LineInk::Dim, format!("file {}", kept.file.display())));
    if petition.closed.is_none() {
        lines.extend(tell::block(&petition.context, "its file"));
        lines.extend(tell::keys(petition));
    }
    let _ = signs::write(&lines);
    if let Some(next) = next(petition) {
        console::remark(format!("hint: {next}"));
    }
    if petition.closed.is_none() {
        clerk.remark_doors();
    }
    Ok(ExitCode::Done)
}

/// What a person would type next.
pub(super) fn next(petition: &Petition) -> Option<String> {
    let id = &petition.id;
    match petition.status() {
        PetitionStatus::Pending | PetitionStatus::InProgress => {
            Some(format!("`arbiter inbox {id}` answers it"))
        }
        PetitionStatus::Ready => Some(format!("`arbiter submit {id}` makes the answers final")),
        PetitionStatus::Completed | PetitionStatus::Withdrawn | PetitionStatus::Expired => None,
    }
}

/// Prints a petition's answers.
pub fn get(clerk: &Clerk, id: &str, partial: bool, as_json: bool) -> Result<ExitCode, CliError> {
    let kept = clerk.docket.find(id, now())?;
    let petition = &kept.petition;
    let wait = format!("`arbiter await {}` waits for it; --partial prints the answers so far", petition.id);
    let (told, refused) = match json::answers(petition, partial) {
        Ok(told) => (told, false),
        Err(mut told) => {
            told["hint"] = wait.clone().into();
            (told, true)
        }
    };
    // What was taken back or ran out of time was not decided, whatever there is of it.
    let failed = petition.closed.as_ref().filter(|closed| closed.end != PetitionEnd::Completed);
    if as_json {
        say(&told);
        return Ok(if refused || failed.is_some() { ExitCode::Failed } else { ExitCode::Done });
    }
    if refused {
        let open = petition.decisions.len() - petition.decided();
        let cause = match petition.status() {
            PetitionStatus::Ready => format!("petition {} is decided, but not submitted yet", petition.id),
            PetitionStatus::Pending
            | PetitionStatus::InProgress
            | PetitionStatus::Completed
            | PetitionStatus::Withdrawn
            | PetitionStatus::Expired => {
                format!("petition {} is open: {open} of {} to go", petition.id, petition.decisions.len())
            }
        };
        return Err(CliError::new(ExitCode::Failed, cause).hint(wait));
    }
    answers(petition);
    match failed {
        Some(closed) => {
            console::remark(format!("error: {}", refusal::ended(&petition.id, closed)));
            Ok(ExitCode::Failed)
        }
        None => Ok(ExitCode::Done),
    }
}

/// The answers, each with who gave it.
pub(super) fn answers(petition: &Petition) {
    let mut lines = tell::head(petition);
    lines.extend(tell::decisions(petition));
    lines.extend(tell::long_answers(petition));
    let _ = signs::write(&lines);
}
