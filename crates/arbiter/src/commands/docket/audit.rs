//! `audit`: the ledger as people read it, whether it is whole, and a new one if it is not.

use std::collections::BTreeSet;

use docket::Mended;
use docket::ledger::LedgerLine;
use serde_json::json;
use view::amount::counted;

use super::super::locate_repo;
use super::{Clerk, now, person, say, signs, tell};
use crate::cli_error::{CliError, ExitCode};
use crate::terminal::console::{self, LineInk};
use crate::{clock, terminal};

/// How much of what happened stands on its line, in signs.
const CHANGE_CHARS_MAX: usize = 300;

/// Prints the ledger.
pub fn print(clerk: &Clerk, petition: Option<&str>, as_json: bool) -> Result<ExitCode, CliError> {
    let records = clerk.docket.records(0)?;
    let mut records: Vec<&LedgerLine> = records.iter().collect();
    if let Some(typed) = petition {
        // A petition whose file is gone still has its lines.
        let id = match clerk.docket.find(typed, now()) {
            Ok(kept) => kept.petition.id,
            Err(error) => {
                let known = records.iter().find(|record| *record.petition.0 == *typed);
                known.map(|record| record.petition.clone()).ok_or(error)?
            }
        };
        records.retain(|record| record.petition == id);
    }
    if records.is_empty() && !as_json {
        signs::line("the ledger is empty");
    }
    let id_room =
        records.iter().map(|record| tell::line(&record.petition.0).len()).max().unwrap_or(0).min(36);
    let seq_room = records.last().map_or(1, |record| record.seq.to_string().len());
    for record in records {
        if as_json {
            say(&serde_json::to_value(record).unwrap_or_default());
            continue;
        }
        let at = clock::local(record.at).strftime("%Y-%m-%d %H:%M:%S");
        let id = tell::line(&record.petition.0);
        let change = view::history::change(&record.change, &record.by, record.door);
        let line = format!(
            "{:>seq_room$}  {at}  {id:<id_room$}  {}  by {}",
            record.seq,
            mind::limits::cut(&change.text, CHANGE_CHARS_MAX),
            tell::line(&change.by),
        );
        if signs::write(&[(LineInk::Words, line)]).is_err() {
            break;
        }
    }
    Ok(ExitCode::Done)
}

/// Looks for anything that was changed, removed or reordered.
pub fn verify(clerk: &Clerk, as_json: bool) -> Result<ExitCode, CliError> {
    let faults = clerk.docket.verify(now())?;
    // A ledger that is damaged may not be readable to its end.
    let records = match clerk.docket.records(0) {
        Ok(records) => records,
        Err(_) if !faults.is_empty() => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let petitions: BTreeSet<_> = records.iter().map(|record| &record.petition).collect();
    let (lines, petitions) = (records.len(), petitions.len());
    let file = clerk.docket.ledger_file();
    if as_json {
        let told = faults.iter().map(|fault| json!({"place": fault.place, "what": fault.what}));
        say(&json!({
            "clean": faults.is_empty(), "lines": lines, "petitions": petitions, "ledger": file,
            "faults": told.collect::<Vec<_>>(),
        }));
    } else if faults.is_empty() {
        let told = format!(
            "clean: {} about {}, every one as it was written, and every file agrees",
            counted(lines, "line"),
            counted(petitions, "petition")
        );
        let _ = signs::write(&[(LineInk::Good, told), (LineInk::Dim, file.display().to_string())]);
    } else {
        let fault = |fault: &docket::ledger::Discrepancy| {
            (LineInk::Bad, format!("! {}: {}", tell::line(&fault.place), tell::line(&fault.what)))
        };
        let mut told: Vec<_> = faults.iter().map(fault).collect();
        told.push((LineInk::Name, format!("{} in {}", counted(faults.len(), "fault"), file.display())));
        let _ = signs::write(&told);
    }
    Ok(if faults.is_empty() { ExitCode::Done } else { ExitCode::Failed })
}

/// Puts a damaged ledger aside and begins a new one. A person's alone: it decides who is believed to have answered.
pub fn mend(clerk: &Clerk, yes: bool, as_json: bool) -> Result<ExitCode, CliError> {
    person()?;
    let damage = clerk.docket.damage()?;
    if let (Some(what), false) = (&damage, yes) {
        consent(what)?;
    }
    let mended = match damage {
        Some(_) => clerk.docket.mend(now())?,
        None => None,
    };
    let again = |mended: &Mended| -> Vec<String> {
        mended.again.iter().map(|(id, decision)| format!("{id} {decision}")).collect()
    };
    match (&mended, as_json) {
        (None, true) => say(&json!({"mended": false})),
        (None, false) => console::line("nothing is wrong with the lines of the ledger; nothing was changed"),
        (Some(mended), true) => say(&json!({
            "mended": true, "what": mended.what, "kept": mended.kept, "petitions": mended.petitions,
            "again": again(mended),
        })),
        (Some(mended), false) => {
            if let Some(kept) = &mended.kept {
                console::line(format!("the damaged ledger is kept: {}", kept.display()));
            }
            let begun = counted(mended.petitions, "petition");
            console::line(format!("a new ledger begins with {begun}, as the files say"));
            for one in again(mended) {
                console::line(format!("to be answered again, by a person: {}", tell::line(&one)));
            }
        }
    }
    Ok(ExitCode::Done)
}

fn consent(what: &str) -> Result<(), CliError> {
    if !terminal::is_there() {
        return Err(CliError::new(ExitCode::Usage, "there is no terminal to say yes at")
            .hint("`arbiter audit mend --yes` does it without asking"));
    }
    console::line(tell::line(what));
    console::line(
        "The damaged ledger is kept beside. A new one begins with the files as they stand: who answered what",
    );
    console::line("is no longer known from it, and what only a person may answer has to be answered again.");
    match locate_repo::answer("Begin a new ledger? [y/N]").as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(CliError::new(ExitCode::Cancelled, "left as it is")),
    }
}
