//! `inbox`: what waits, as a list; at a terminal one chooses from it and answers.

use docket::Queue;
use mind::petition::Priority;
use serde_json::{Value, json};
use std::io::{self, IsTerminal as _};
use view::queue::{WaitingPetition, count_of};

use super::sitting::{self, Left, read_line};
use super::{Clerk, now, person, say, signs, tell};
use crate::cli_error::{CliError, ExitCode};
use crate::commands::run;
use crate::terminal::console::LineInk;
use crate::terminal::{console, signals};

/// Lists what waits, or answers it.
pub fn inbox(clerk: &Clerk, id: Option<&str>, list: bool, as_json: bool) -> Result<ExitCode, CliError> {
    let seated = io::stdin().is_terminal() && io::stdout().is_terminal();
    if let Some(id) = id {
        if !seated {
            return Err(CliError::new(ExitCode::Usage, "there is no terminal to answer at").hint(format!(
                "`arbiter status {id}` shows it; `arbiter answer {id} DECISION KEY` answers"
            )));
        }
        let by = person()?;
        let runtime = run::runtime()?;
        let _inside = runtime.enter();
        signals::watch_curtain();
        let id = clerk.docket.find(id, now())?.petition.id;
        sitting::sit(clerk, &id, &by)?;
        return Ok(ExitCode::Done);
    }
    let queue = clerk.docket.queue(now())?;
    if as_json {
        say(&told(&queue));
        return Ok(tell::wholeness(&queue));
    }
    if list || !seated || queue.petitions.is_empty() || person().is_err() {
        let _ = signs::write(&tell::queue(&queue, false));
        if !queue.petitions.is_empty() {
            console::remark("hint: `arbiter inbox ID` answers one; `arbiter status ID` shows it");
        }
        clerk.remark_doors();
        return Ok(tell::wholeness(&queue));
    }
    let runtime = run::runtime()?;
    let _inside = runtime.enter();
    signals::watch_curtain();
    choose(clerk, queue)
}

/// Lets a person choose from the list until nothing is left or they leave.
fn choose(clerk: &Clerk, mut queue: Queue) -> Result<ExitCode, CliError> {
    let by = person()?;
    clerk.remark_doors();
    loop {
        let _ = signs::write(&tell::queue(&queue, true));
        if queue.petitions.is_empty() {
            return Ok(ExitCode::Done);
        }
        let asked = match queue.petitions.len() {
            1 => "answer it? [Enter, q leaves] >".to_owned(),
            count => format!("which? [1-{count}, Enter for the first, r looks again, q leaves] >"),
        };
        let Some(typed) = read_line(&asked) else { return Ok(ExitCode::Done) };
        let typed = typed.trim();
        let chosen = match typed {
            "q" | "Q" | "quit" => return Ok(ExitCode::Done),
            "" | "y" => queue.petitions.first(),
            _ => {
                let number: Option<usize> = typed.parse().ok();
                let nth = number.and_then(|number| number.checked_sub(1));
                let by_id = || queue.petitions.iter().find(|found| *found.id.0 == *typed);
                nth.and_then(|nth| queue.petitions.get(nth)).or_else(by_id)
            }
        };
        match chosen.map(|found| found.id.clone()) {
            Some(id) => match sitting::sit(clerk, &id, &by) {
                // To leave a petition is to go back to the list; to close the terminal is to leave it all.
                Ok(Left::Closed | Left::Gone | Left::Open) => {}
                Ok(Left::End) => return Ok(ExitCode::Done),
                // Gone or broken meanwhile: that is said, and the list is looked at again.
                Err(cli_error) => console::remark(cli_error),
            },
            None if typed == "r" => {}
            None => {
                let _ =
                    signs::write(&[(LineInk::Bad, format!("! there is no number {}", tell::line(typed)))]);
            }
        }
        signs::line("");
        queue = clerk.docket.queue(now())?;
    }
}

fn told(queue: &Queue) -> Value {
    let petitions: Vec<WaitingPetition<'_>> = queue.petitions.iter().map(tell::waiting).collect();
    let of = |priority: Priority| count_of(&petitions, priority);
    let faults = queue.faults.iter().map(|fault| {
        let kind = tell::fault_kind(fault.kind);
        let mut told = json!({"file": fault.file, "kind": kind, "why": fault.why});
        if let Some(id) = &fault.petition {
            told["petition"] = json!(id);
        }
        told
    });
    json!({
        "petitions": petitions,
        "counts": {
            "urgent": of(Priority::Urgent), "high": of(Priority::High),
            "normal": of(Priority::Normal), "low": of(Priority::Low),
        },
        "faults": faults.collect::<Vec<_>>(),
    })
}
