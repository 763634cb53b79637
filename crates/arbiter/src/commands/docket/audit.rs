//! `audit`: the ledger as people read it, and whether it is whole.

use std::collections::BTreeSet;

use docket::ledger::Record;
use mind::petition::{Change, Choice};
use serde_json::json;
use tui::narrate::Ink;

use super::{Clerk, now, say, signs, tell};
use crate::clock;
use crate::complaint::{Code, Complaint};

/// Prints the ledger.
pub fn print(clerk: &Clerk, petition: Option<&str>, as_json: bool) -> Result<Code, Complaint> {
    let records = clerk.docket.records(0)?;
    let mut records: Vec<&Record> = records.iter().collect();
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
        let line = format!(
            "{:>seq_room$}  {at}  {id:<id_room$}  {}  by {} ({})",
            record.seq,
            what(&record.change),
            tell::line(&record.by.to_string()),
            tell::line(&record.door)
        );
        if signs::write(&[(Ink::Words, line)]).is_err() {
            break;
        }
    }
    Ok(Code::Done)
}

fn what(change: &Change) -> String {
    let of = |verb: &str, decision: &str, choice: &Choice| match choice {
        Choice::Answer(text) => format!("{verb} {} = {}", tell::line(decision), tell::line(text)),
        Choice::Skipped => format!("{verb} {}: skipped", tell::line(decision)),
    };
    let why = |verb: &str, why: &str| match why {
        "" => verb.to_owned(),
        why => format!("{verb}: {}", tell::line(why)),
    };
    match change {
        Change::Asked => "asked".to_owned(),
        Change::Answered { decision, choice, .. } => of("answered", decision, choice),
        Change::Changed { decision, choice, .. } => of("changed", decision, choice),
        Change::Late { decision, choice, .. } => of("late", decision, choice),
        Change::Submitted => "submitted".to_owned(),
        Change::Withdrawn { why: reason } => why("withdrawn", reason),
        Change::Expired { why: reason } => why("expired", reason),
    }
}

/// Looks for anything that was changed, removed or reordered.
pub fn verify(clerk: &Clerk, as_json: bool) -> Result<Code, Complaint> {
    let faults = clerk.docket.verify()?;
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
            tell::count(lines, "line"),
            tell::count(petitions, "petition")
        );
        let _ = signs::write(&[(Ink::Good, told), (Ink::Dim, file.display().to_string())]);
    } else {
        let fault = |fault: &docket::ledger::Discrepancy| {
            (Ink::Bad, format!("! {}: {}", tell::line(&fault.place), tell::line(&fault.what)))
        };
        let mut told: Vec<_> = faults.iter().map(fault).collect();
        told.push((Ink::Name, format!("{} in {}", tell::count(faults.len(), "fault"), file.display())));
        let _ = signs::write(&told);
    }
    Ok(if faults.is_empty() { Code::Done } else { Code::Failed })
}
