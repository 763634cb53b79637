//! `await`: waits until a petition is closed. A timeout is never an answer. Nothing is lost by leaving: the petition is on
//! the disk, and one can wait again.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use docket::limits::SWEEP_EVERY;
use docket::{DocketError, Kept};
use mind::petition::{End, PetitionId, tell as json};
use tui::narrate::Ink;

use super::{Clerk, look, now, refusal, say, signs, tell};
use crate::commands::run;
use crate::complaint::{Code, Complaint};
use crate::{console, signals};

/// Waits for a petition's end.
pub fn wait(clerk: &Clerk, id: &str, timeout: Option<Duration>, as_json: bool) -> Result<Code, Complaint> {
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
    // One piece of news that nobody has looked at yet is as good as many.
    let (tell, news) = mpsc::sync_channel(1);
    let _watch = clerk.docket.watch(move |_| {
        let _ = tell.try_send(());
    })?;
    kept = look(clerk, &id)?.unwrap_or(kept);
    while kept.petition.closed.is_none() {
        let left = timeout.map(|limit| limit.saturating_sub(began.elapsed()));
        if left == Some(Duration::ZERO) {
            return Ok(ran_out(&kept, as_json));
        }
        let pause = left.unwrap_or(SWEEP_EVERY).min(SWEEP_EVERY);
        if news.recv_timeout(pause) == Err(RecvTimeoutError::Disconnected) {
            std::thread::sleep(pause);
        }
        kept = look(clerk, &id)?.unwrap_or(kept);
    }
    ended(&kept, as_json)
}

/// Another look; none where it cannot be understood right now, as in the middle of an edit by hand.
fn look(clerk: &Clerk, id: &PetitionId) -> Result<Option<Kept>, Complaint> {
    match clerk.docket.look(id, now()) {
        Err(DocketError::Malformed { .. }) => Ok(None),
        // Known before, and not there now.
        Err(DocketError::Unknown { .. }) => Err(DocketError::Gone { id: id.clone() }.into()),
        found => Ok(Some(found?)),
    }
}

fn ran_out(kept: &Kept, as_json: bool) -> Code {
    let petition = &kept.petition;
    let again =
        format!("nobody has decided, and that is no answer; `arbiter await {}` waits again", petition.id);
    if as_json {
        let mut told = json::awaited(petition);
        told["hint"] = again.into();
        say(&told);
    } else {
        let open = petition.decisions.len() - petition.decided();
        let total = petition.decisions.len();
        let told = match open {
            0 => format!("pending: {} is decided, but not submitted", petition.id),
            _ => format!("pending: {open} of {total} are open in {}", petition.id),
        };
        let _ = signs::write(&[(Ink::House, told)]);
        console::remark(format!("hint: {again}"));
    }
    Code::Limit
}

fn ended(kept: &Kept, as_json: bool) -> Result<Code, Complaint> {
    let petition = &kept.petition;
    if as_json {
        say(&json::awaited(petition));
    } else {
        look::answers(petition);
    }
    match petition.closed.as_ref() {
        Some(closed) if closed.end != End::Completed => {
            if !as_json {
                console::remark(format!("error: {}", refusal::ended(&petition.id, closed)));
            }
            Ok(Code::Failed)
        }
        Some(_) | None => Ok(Code::Done),
    }
}
