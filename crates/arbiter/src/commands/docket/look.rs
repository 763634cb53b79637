//! `status` and `get`: the view of a petition, and its answers.

use mind::petition::{End, Petition, Status, tell as json};

use super::{Clerk, now, refusal, say, signs, tell};
use crate::complaint::{Code, Complaint};
use crate::terminal::console::{self, Ink};

/// Says where a petition stands.
pub fn status(clerk: &Clerk, id: Option<&str>, tag: Option<&str>, as_json: bool) -> Result<Code, Complaint> {
    let kept = match (id, tag) {
        (Some(id), _) => clerk.docket.find(id, now())?,
        (None, tag) => clerk.docket.tagged(tag.unwrap_or_default(), now())?,
    };
    if as_json {
        say(&json::status(&kept.petition));
        return Ok(Code::Done);
    }
    let petition = &kept.petition;
    let mut lines = tell::head(petition);
    lines.extend(tell::decisions(petition));
    lines.push((Ink::Dim, format!("file {}", kept.file.display())));
    if petition.closed.is_none() {
        lines.extend(tell::block(&petition.context, "its file"));
        lines.extend(tell::keys(petition));
    }
    let _ = signs::write(&lines);
    if let Some(next) = next(petition) {
        console::remark(format!("hint: {next}"));
    }
    Ok(Code::Done)
}

/// What a person would type next.
pub(super) fn next(petition: &Petition) -> Option<String> {
    let id = &petition.id;
    match petition.status() {
        Status::Pending | Status::InProgress => Some(format!("`arbiter inbox {id}` answers it")),
        Status::Ready => Some(format!("`arbiter submit {id}` makes the answers final")),
        Status::Completed | Status::Withdrawn | Status::Expired => None,
    }
}

/// Prints a petition's answers.
pub fn get(clerk: &Clerk, id: &str, partial: bool, as_json: bool) -> Result<Code, Complaint> {
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
    let failed = petition.closed.as_ref().filter(|closed| closed.end != End::Completed);
    if as_json {
        say(&told);
        return Ok(if refused || failed.is_some() { Code::Failed } else { Code::Done });
    }
    if refused {
        let open = petition.decisions.len() - petition.decided();
        let cause = match petition.status() {
            Status::Ready => format!("petition {} is decided, but not submitted yet", petition.id),
            Status::Pending
            | Status::InProgress
            | Status::Completed
            | Status::Withdrawn
            | Status::Expired => {
                format!("petition {} is open: {open} of {} to go", petition.id, petition.decisions.len())
            }
        };
        return Err(Complaint::new(Code::Failed, cause).hint(wait));
    }
    answers(petition);
    match failed {
        Some(closed) => {
            console::remark(format!("error: {}", refusal::ended(&petition.id, closed)));
            Ok(Code::Failed)
        }
        None => Ok(Code::Done),
    }
}

/// The answers, each with who gave it.
pub(super) fn answers(petition: &Petition) {
    let mut lines = tell::head(petition);
    lines.extend(tell::decisions(petition));
    lines.extend(tell::long_answers(petition));
    let _ = signs::write(&lines);
}
