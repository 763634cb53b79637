//! `stats`: gathers what the docket holds and prints how long answers take.

use std::collections::BTreeMap;

use docket::{DocketError, Kept};
use mind::petition::{Change, PetitionId};
use tui::narrate::{Ink, Line};

use super::stats::{self, Case, Stats, Times};
use super::{Clerk, now, say, tell};
use crate::complaint::{Code, Complaint};
use crate::{clock, console};

/// Prints how long answers take.
pub fn print(clerk: &Clerk, as_json: bool) -> Result<Code, Complaint> {
    let (cases, gone) = gather(clerk)?;
    let stats = stats::count(&cases, now());
    if as_json {
        say(&stats.as_json());
    } else {
        let _ = console::write(&lines(&stats));
    }
    if gone > 0 {
        console::remark(format!(
            "note: {} of the ledger cannot be read any more and are not counted",
            tell::count(gone, "petition")
        ));
    }
    Ok(Code::Done)
}

/// Every petition that the ledger or the folder knows, and how many of them are gone.
fn gather(clerk: &Clerk) -> Result<(Vec<Case>, usize), Complaint> {
    // Looking at the queue first records what other programs have put there.
    clerk.docket.queue(now())?;
    let mut ids: BTreeMap<PetitionId, ()> = BTreeMap::new();
    for record in clerk.docket.records(0)? {
        ids.insert(record.petition, ());
    }
    let (mut cases, mut gone) = (Vec::new(), 0);
    for id in ids.into_keys() {
        match clerk.docket.find(&id.0, now()) {
            Ok(kept) => cases.push(case(&kept)),
            Err(DocketError::Unknown { .. } | DocketError::Gone { .. } | DocketError::Malformed { .. }) => {
                gone += 1
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok((cases, gone))
}

fn case(kept: &Kept) -> Case {
    let petition = &kept.petition;
    let asked = kept.records.iter().find(|record| record.change == Change::Asked);
    let first = |record: &docket::ledger::Record| match &record.change {
        Change::Answered { .. } => Some((record.at, record.door.to_string())),
        Change::Asked
        | Change::Changed { .. }
        | Change::Late { .. }
        | Change::Submitted
        | Change::Withdrawn { .. }
        | Change::Expired { .. } => None,
    };
    Case {
        id: petition.id.to_string(),
        title: petition.title.to_string(),
        agent: petition.agent.to_string(),
        tag: petition.tag.to_string(),
        priority: petition.priority,
        // A file that another program wrote says itself when it was asked; ours say the same twice.
        asked_at: asked.map_or(petition.created_at, |asked| asked.at.min(petition.created_at)),
        closed_at: petition.closed.as_ref().map(|closed| closed.at),
        blocks: petition.mission.is_some() || petition.blocks.is_some(),
        answers: kept.records.iter().filter_map(first).collect(),
    }
}

fn lines(stats: &Stats) -> Vec<Line> {
    let head = format!("{} open, {} closed, {} answered", stats.open, stats.closed, stats.answered);
    let mut lines = vec![(Ink::Name, head)];
    if let Some(all) = &stats.all {
        let (median, p90) = (clock::span(all.median_ms), clock::span(all.p90_ms));
        lines.push((Ink::Words, format!("time to answer: median {median}, p90 {p90}")));
    }
    if stats.idle_ms > 0 {
        lines.push((Ink::Words, format!("agents waited {} all together", clock::span(stats.idle_ms))));
    }
    table("agent", stats.by_agent.iter(), &mut lines);
    table("tag", stats.by_tag.iter(), &mut lines);
    table("priority", stats.by_priority.iter(), &mut lines);
    table("door", stats.by_door.iter(), &mut lines);
    if !stats.longest.is_empty() {
        lines.push((Ink::Words, String::new()));
        lines.push((Ink::Name, "waited longest".to_owned()));
    }
    for (id, title, ms, open) in &stats.longest {
        let open = if *open { " (still open)" } else { "" };
        let text = format!("  {:>8}  {}  {}{open}", clock::span(*ms), tell::line(id), tell::line(title));
        lines.push((Ink::Words, text));
    }
    lines
}

fn table<'a, K: ToString + 'a>(
    name: &str,
    rows: impl Iterator<Item = (&'a K, &'a Times)>,
    lines: &mut Vec<Line>,
) {
    let rows: Vec<(String, &Times)> = rows
        .map(|(key, times)| (tell::line(&key.to_string()), times))
        .map(|(key, times)| (if key.is_empty() { "(none)".to_owned() } else { key }, times))
        .collect();
    if rows.is_empty() {
        return;
    }
    let room = rows.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0).clamp(name.len(), 30);
    lines.push((Ink::Words, String::new()));
    lines.push((Ink::Name, format!("{name:<room$}  answers    median       p90")));
    for (key, times) in rows {
        let (median, p90) = (clock::span(times.median_ms), clock::span(times.p90_ms));
        lines.push((Ink::Words, format!("{key:<room$}  {:>7}  {median:>8}  {p90:>8}", times.count)));
    }
}
