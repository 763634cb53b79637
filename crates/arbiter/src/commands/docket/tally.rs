//! `stats`: gathers what the docket holds and prints how long answers take.

use std::collections::BTreeMap;

use docket::ledger::LedgerLine;
use docket::{Queue, Summary};
use mind::actor::Door;
use mind::petition::{PetitionChange, PetitionId};
use view::amount::counted;
use view::provenance::door_name;

use super::stats::{self, Case, Stats, Times};
use super::{Clerk, now, say, signs, tell};
use crate::cli_error::{CliError, ExitCode};
use crate::clock;
use crate::terminal::console::{self, Line, LineInk};

/// Prints how long answers take.
pub fn print(clerk: &Clerk, as_json: bool) -> Result<ExitCode, CliError> {
    // Looking at the queue first records what other programs have put there.
    let queue = clerk.docket.queue(now())?;
    let (cases, gone) = gather(clerk, &queue)?;
    let stats = stats::count(&cases, now());
    if as_json {
        say(&stats.as_json());
    } else {
        let _ = signs::write(&lines(&stats));
    }
    if gone > 0 {
        console::remark(format!(
            "note: {} of the ledger cannot be read any more and are not counted",
            counted(gone, "petition")
        ));
    }
    Ok(tell::wholeness(&queue))
}

/// Every petition that the docket has, and how many the ledger knows that are gone.
fn gather(clerk: &Clerk, queue: &Queue) -> Result<(Vec<Case>, usize), CliError> {
    let mut summaries = queue.petitions.clone();
    summaries.extend(clerk.docket.completed(now())?);
    let mut records: BTreeMap<PetitionId, Vec<LedgerLine>> = BTreeMap::new();
    for record in clerk.docket.records(0)? {
        records.entry(record.petition.clone()).or_default().push(record);
    }
    let cases = summaries.iter().map(|found| case(found, &records.remove(&found.id).unwrap_or_default()));
    let cases = cases.collect();
    Ok((cases, records.len()))
}

fn case(found: &Summary, records: &[LedgerLine]) -> Case {
    let mut asked_at = found.created_at;
    let (mut closed_at, mut answers) = (None, Vec::new());
    for record in records {
        match &record.change {
            // A file that another program wrote says itself when it was asked.
            PetitionChange::Asked => asked_at = asked_at.min(record.at),
            // The first answer counts.
            PetitionChange::Answered { .. } => answers.push((record.at, record.door.word().to_owned())),
            PetitionChange::Submitted | PetitionChange::Withdrawn { .. } | PetitionChange::Expired { .. } => {
                closed_at = Some(record.at)
            }
            PetitionChange::Changed { .. }
            | PetitionChange::Late { .. }
            | PetitionChange::Assigned { .. } => {}
        }
    }
    let last = records.last().map_or(asked_at, |record| record.at);
    Case {
        id: found.id.to_string(),
        title: found.title.to_string(),
        agent: found.agent.to_string(),
        tag: found.tag.to_string(),
        priority: found.priority,
        asked_at,
        closed_at: closed_at.or_else(|| found.status.is_closed().then_some(last)),
        blocks: found.mission.is_some() || found.blocks.is_some(),
        answers,
    }
}

fn lines(stats: &Stats) -> Vec<Line> {
    let head = format!("{} open, {} closed, {} answered", stats.open, stats.closed, stats.answered);
    let mut lines = vec![(LineInk::Name, head)];
    if let Some(all) = &stats.all {
        let (median, p90) = (clock::span(all.median_ms), clock::span(all.p90_ms));
        lines.push((LineInk::Words, format!("time to answer: median {median}, p90 {p90}")));
    }
    if stats.idle_ms > 0 {
        lines.push((LineInk::Words, format!("agents waited {} all together", clock::span(stats.idle_ms))));
    }
    table("agent", stats.by_agent.iter(), &mut lines);
    table("tag", stats.by_tag.iter(), &mut lines);
    table("priority", stats.by_priority.iter(), &mut lines);
    let named =
        |word: &str| Door::of(word).map_or_else(|| word.to_owned(), |door| door_name(door).to_owned());
    let doors: Vec<(String, &Times)> =
        stats.by_door.iter().map(|(word, times)| (named(word), times)).collect();
    table("door", doors.iter().map(|(name, times)| (name, *times)), &mut lines);
    if !stats.longest.is_empty() {
        lines.push((LineInk::Words, String::new()));
        lines.push((LineInk::Name, "waited longest".to_owned()));
    }
    for (id, title, ms, open) in &stats.longest {
        let open = if *open { " (still open)" } else { "" };
        let text = format!("  {:>8}  {}  {}{open}", clock::span(*ms), tell::line(id), tell::line(title));
        lines.push((LineInk::Words, text));
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
    lines.push((LineInk::Words, String::new()));
    lines.push((LineInk::Name, format!("{name:<room$}  answers    median       p90")));
    for (key, times) in rows {
        let (median, p90) = (clock::span(times.median_ms), clock::span(times.p90_ms));
        lines.push((LineInk::Words, format!("{key:<room$}  {:>7}  {median:>8}  {p90:>8}", times.count)));
    }
}
