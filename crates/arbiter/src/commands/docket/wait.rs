//! `await`: waits until a petition is closed. A timeout is never an answer. Nothing is lost by leaving: the petition is on
//! the disk, and one can wait again.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use docket::{Became, DocketError, StoredPetition};
use mind::petition::PetitionEnd;
use view::petition_json as json;

use super::{Clerk, look, now, refusal, say, signs, tell};
use crate::cli_error::{CliError, ExitCode};
use crate::commands::run;
use crate::terminal::console::LineInk;
use crate::terminal::{console, signals};

/// Waits for a petition's end.
pub fn wait(clerk: &Clerk, id: &str, timeout: Option<Duration>, as_json: bool) -> Result<ExitCode, CliError> {
    // Ctrl+C leaves with our own exit code.
    let runtime = run::runtime()?;
    let _inside = runtime.enter();
    signals::watch_curtain();

    let began = Instant::now();
    let mut kept = clerk.docket.find(id, now())?;
    let id = kept.petition.id.clone();
    if kept.petition.closed.is_none() && !as_json {
        let patience =
            timeout.map(|limit| format!(" for up to {}", crate::clock::span(limit.as_millis() as u64)));
        let title = tell::line(&kept.petition.title);
        console::remark(format!(
            "waiting{} for {id}: {title} (Ctrl+C leaves; nothing is lost)",
            patience.unwrap_or_default()
        ));
    }
    let (tell, news) = mpsc::channel();
    let feed = clerk.docket.feed(now)?;
    let following = feed.petitions(move |news| drop(tell.send(news.became)));
    following.follow(kept.clone());
    while kept.petition.closed.is_none() {
        let left = timeout.map(|limit| limit.saturating_sub(began.elapsed()));
        let became = match left {
            Some(left) => news.recv_timeout(left),
            None => news.recv().map_err(RecvTimeoutError::from),
        };
        match became {
            Ok(Became::Stands { kept: stands, .. }) => kept = Arc::unwrap_or_clone(stands),
            // In the middle of an edit by hand.
            Ok(Became::Unreadable { .. }) => {}
            Ok(Became::Gone { .. }) => return Err(DocketError::Gone { id }.into()),
            Ok(Became::Trouble(_)) | Err(RecvTimeoutError::Disconnected) => {
                match clerk.docket.read(&id, now()) {
                    Ok(stands) => kept = stands,
                    // Its end is heard once the docket can be read again.
                    Err(DocketError::Held(_)) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Err(RecvTimeoutError::Timeout) => return Ok(ran_out(&kept, as_json)),
        }
    }
    ended(&kept, as_json)
}

fn ran_out(kept: &StoredPetition, as_json: bool) -> ExitCode {
    let petition = &kept.petition;
    if as_json {
        let mut told = json::awaited(petition);
        // Programs know this hint: its words stay.
        let again =
            format!("nobody has decided, and that is no answer; `arbiter await {}` waits again", petition.id);
        told["hint"] = again.into();
        say(&told);
    } else {
        let open = petition.decisions.len() - petition.decided();
        let total = petition.decisions.len();
        let told = match open {
            0 => format!("pending: {} is decided, but not submitted", petition.id),
            _ => format!("pending: {open} of {total} are open in {}", petition.id),
        };
        let _ = signs::write(&[(LineInk::House, told)]);
        console::remark(format!("hint: `arbiter await {}` waits again", petition.id));
    }
    ExitCode::Limit
}

fn ended(kept: &StoredPetition, as_json: bool) -> Result<ExitCode, CliError> {
    let petition = &kept.petition;
    if as_json {
        say(&json::awaited(petition));
    } else {
        look::answers(petition);
    }
    match petition.closed.as_ref() {
        Some(closed) if closed.end != PetitionEnd::Completed => {
            if !as_json {
                console::remark(format!("error: {}", refusal::ended(&petition.id, closed)));
            }
            Ok(ExitCode::Failed)
        }
        Some(_) | None => Ok(ExitCode::Done),
    }
}
