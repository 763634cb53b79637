//! The views of a petition and of the queue as lines of the command line. What an agent wrote stands folded beside a bar,
//! so that no text can pass for one of ours.

use docket::{FaultKind, Queue, Summary};
use jiff::tz::TimeZone;
use mind::limits::cut;
use mind::petition::{AnswerChoice, Decision, Petition, PetitionEnd, Priority};
use view::decision::{DecisionStanding, DecisionView, OptionView, SEVERAL};
use view::queue::{QueueRow, WaitingPetition};

use super::now;
use crate::cli_error::{CliError, ExitCode};
use crate::terminal::console::{self, Line, LineInk, columns_of, fitted, folded};

/// How much of a text a single line shows, in signs.
const LINE_CHARS_MAX: usize = 200;
/// How many lines of a context are shown; the rest is in the file.
const CONTEXT_LINES_MAX: usize = 60;
/// How many petitions are shown where one is to be chosen.
const SHOWN_MAX: usize = 30;
/// How wide a context is printed where there is no terminal.
const COLUMNS: usize = 100;

/// An agent's text as one line that is not too long.
pub(super) fn line(text: &str) -> String {
    short(&view::line::line(text))
}

fn short(line: &str) -> String {
    cut(line, LINE_CHARS_MAX)
}

/// What was chosen of a decision.
pub(super) fn said(decision: &Decision, choice: &AnswerChoice) -> String {
    short(&view::decision::said(decision, choice))
}

fn behind_comma(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(", {}", short(text)) }
}

/// How wide an agent's text may be, beside what is ours.
fn columns() -> u16 {
    let columns = console::width().unwrap_or(COLUMNS).saturating_sub(7).max(20);
    u16::try_from(columns).unwrap_or(u16::MAX)
}

/// An agent's text beside a bar.
pub(super) fn block(text: &str, file: &str) -> Vec<Line> {
    let lines = folded(text, columns());
    let more = lines.len().saturating_sub(CONTEXT_LINES_MAX);
    let mut shown: Vec<Line> =
        lines.iter().take(CONTEXT_LINES_MAX).map(|line| (LineInk::Words, format!("  │ {line}"))).collect();
    if more > 0 {
        shown.push((LineInk::Dim, format!("  │ ... {more} more lines in {file}")));
    }
    shown
}

/// What it is, who asks, and how far it is.
pub(super) fn head(petition: &Petition) -> Vec<Line> {
    let view = view::petition::petition(petition, &TimeZone::system(), now());
    let mut facts = vec![format!("{} {}, {}", short(&view.asker), view.asks, view.since)];
    facts.extend(view.terms.iter().map(|term| short(&term.text)));
    vec![
        (LineInk::Name, format!("{}  ({})", short(&view.title), short(&view.id))),
        (LineInk::Dim, facts.join(" · ")),
        (LineInk::House, short(&view.standing)),
    ]
}

/// `submitted: API design (k7q8ht9f)`.
pub(super) fn ended(end: PetitionEnd, petition: &Petition) -> String {
    format!("{}: {} ({})", view::completion::word(end), line(&petition.title), line(&petition.id.0))
}

/// Each decision on a line, with what was chosen.
pub(super) fn decisions(petition: &Petition) -> Vec<Line> {
    let review = view::review::review(petition, now());
    let room = review.rows.iter().map(|row| columns_of(&short(&row.id))).max().unwrap_or(0).min(30);
    let lines = review.rows.iter().map(|row| {
        let id = short(&row.id);
        let pad = " ".repeat(room.saturating_sub(columns_of(&id)));
        let mark = match row.standing {
            DecisionStanding::Open => ' ',
            DecisionStanding::Answered => 'x',
            DecisionStanding::Skipped => '-',
            DecisionStanding::Late => '!',
        };
        let answer = row.answer.as_ref().map(|answer| {
            let late = if answer.late { " (late: it decides nothing)" } else { "" };
            format!(" → {}{}{late}", short(&answer.said), behind_comma(&answer.source))
        });
        let title = short(&row.title);
        (LineInk::Words, format!("  [{mark}] {id}{pad}  {title}{}", answer.unwrap_or_default()))
    });
    lines.collect()
}

/// All decisions with their answers, numbered.
pub(super) fn summary(petition: &Petition) -> Vec<Line> {
    let review = view::review::review(petition, now());
    let lines = review.rows.iter().map(|row| {
        let said = row.answer.as_ref().map(|answer| short(&answer.said)).unwrap_or_default();
        (LineInk::Words, format!("  {}. {} → {said}", row.number, short(&row.title)))
    });
    lines.collect()
}

/// How each open decision can be answered, by its keys.
pub(super) fn keys(petition: &Petition) -> Vec<Line> {
    let mut lines = Vec::new();
    for decision in petition.decisions.iter().filter(|decision| !decision.is_decided()) {
        let view = view::decision::decision(petition, decision, now());
        lines.push((LineInk::Words, String::new()));
        lines.push((LineInk::Name, format!("{}: {}", short(&view.id), short(&view.title))));
        lines.extend(block(&view.context, "its file"));
        lines.extend(terms(&view));
        for option in &view.options {
            let rows = folded(&named(option), columns());
            let rows = rows.iter().enumerate();
            lines.extend(
                rows.map(|(nth, row)| {
                    (LineInk::Words, format!("  {} {row}", if nth == 0 { '-' } else { ' ' }))
                }),
            );
        }
        if view.takes_own_words {
            let or = if view.options.is_empty() { "" } else { "or " };
            lines.push((LineInk::Dim, format!("  - {or}your own words: --custom TEXT")));
        }
    }
    lines
}

fn terms(view: &DecisionView) -> Option<Line> {
    let several = view.multi.then(|| SEVERAL.to_owned());
    let terms: Vec<String> =
        several.into_iter().chain(view.terms.iter().map(|term| short(&term.text))).collect();
    (!terms.is_empty()).then(|| (LineInk::Dim, format!("  {}", terms.join(" · "))))
}

/// `jwt — JWT tokens`.
fn named(option: &OptionView) -> String {
    match &option.label {
        Some(label) => format!("{} — {label}", option.key),
        None => option.key.clone(),
    }
}

/// Answers in a person's own words that are more than a line, in full.
pub(super) fn long_answers(petition: &Petition) -> Vec<Line> {
    let review = view::review::review(petition, now());
    let mut lines = Vec::new();
    for row in review.rows {
        let own_words = row.answer.and_then(|answer| answer.own_words);
        if let Some(text) = own_words.filter(|text| *text != line(text)) {
            lines.push((LineInk::Words, String::new()));
            lines.push((LineInk::Name, format!("{}:", short(&row.id))));
            lines.extend(block(&text, "its file"));
        }
    }
    lines
}

/// One decision with its options, as a person answers it.
pub(super) fn decision(petition: &Petition, at: usize, file: &str) -> Vec<Line> {
    let Some(decision) = petition.decisions.get(at) else { return Vec::new() };
    let view = view::decision::decision(petition, decision, now());
    let place = format!("{}/{}", view.number, view.of);
    let mut lines =
        vec![(LineInk::Words, String::new()), (LineInk::Name, format!("{place} · {}", short(&view.title)))];
    lines.extend(block(&view.context, file));
    lines.extend(terms(&view));
    for option in &view.options {
        let tick = if option.chosen { '✓' } else { ' ' };
        let mark = option.letter.map_or_else(|| " -".to_owned(), |letter| format!("{letter}."));
        // All of it is shown: a person who chooses it has read it.
        let mut rows = folded(&named(option), columns()).into_iter();
        let first = rows.next().unwrap_or_default();
        lines.push((LineInk::Words, format!("{tick} {mark} {first}")));
        lines.extend(rows.map(|row| (LineInk::Words, format!("     {row}"))));
    }
    lines.extend(view.answer.map(|answer| match answer.own_words {
        Some(_) => (LineInk::Words, format!("✓ {}{}", short(&answer.said), behind_comma(&answer.source))),
        None => (LineInk::Dim, format!("  {} {}", view.standing.word(), short(&answer.source))),
    }));
    lines
}

/// A petition that waits, in plain values.
pub(super) fn waiting(found: &Summary) -> WaitingPetition<'_> {
    WaitingPetition {
        id: &found.id,
        agent: &found.agent,
        tag: &found.tag,
        title: &found.title,
        priority: found.priority,
        status: found.status,
        created_at: found.created_at,
        total: found.total,
        decided: found.decided,
        mission: found.mission.as_deref(),
        blocks: found.blocks.as_deref(),
        due_at: found.due_at,
        assignee: found.assignee.as_deref(),
        file: found.file.to_str(),
    }
}

/// The queue as a list, with numbers where one can be chosen.
pub(super) fn queue(queue: &Queue, numbered: bool) -> Vec<Line> {
    let shown = if numbered { SHOWN_MAX } else { usize::MAX };
    let waiting: Vec<WaitingPetition<'_>> = queue.petitions.iter().map(waiting).collect();
    let files: Vec<String> = queue.faults.iter().map(|fault| fault.file.display().to_string()).collect();
    let whys = queue.faults.iter().map(|fault| fault.why.as_str());
    let view = view::queue::queue(&waiting, files.iter().map(String::as_str).zip(whys), now());
    let mut lines = vec![(LineInk::Name, view.text)];
    let id_room = view.rows.iter().map(|row| columns_of(&short(&row.id))).max().unwrap_or(0).min(36);
    let age_room = view.rows.iter().map(|row| row.age.len()).max().unwrap_or(0);
    for (nth, row) in view.rows.iter().enumerate().take(shown) {
        let number = if numbered { format!("{:>3}. ", nth + 1) } else { "  ".to_owned() };
        let ink = if row.priority == Priority::Urgent { LineInk::Bad } else { LineInk::Words };
        let rows = rows(row, &number, (id_room, age_room), console::width());
        lines.extend(rows.into_iter().map(|row| (ink, row)));
    }
    let more = view.rows.len().saturating_sub(shown);
    if more > 0 {
        lines.push((LineInk::Dim, format!("     ... and {more} more: `arbiter inbox --list` shows all")));
    }
    let faults = view.unreadable.iter().zip(&queue.faults).take(shown);
    lines.extend(faults.map(|(fault, found)| {
        let kind = fault_kind(found.kind);
        (LineInk::Bad, format!("  {kind}: {}: {}", short(&fault.file), short(&fault.why)))
    }));
    lines
}

/// What is wrong with a file of the queue, in one word.
pub(super) fn fault_kind(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Malformed | FaultKind::Unmoved | FaultKind::Damaged => "malformed",
        FaultKind::Unreadable => "unreadable",
        FaultKind::Behind => "behind",
        FaultKind::Missing => "missing",
    }
}

/// How a command ends that tells of the queue: as failed, with a word, if a petition may be left out.
pub(super) fn wholeness(queue: &Queue) -> ExitCode {
    let Some(fault) = queue.faults.iter().find(|fault| fault.may_hide()) else { return ExitCode::Done };
    let hint = match (fault.kind, &fault.petition) {
        (FaultKind::Missing, Some(id)) => {
            format!("put its file back, or `arbiter withdraw {id}` ends it; `arbiter audit` tells its story")
        }
        (FaultKind::Malformed, Some(id)) => {
            format!("mend that file, or remove it: then `arbiter withdraw {id}` ends what it asked")
        }
        _ => "more may wait than is listed: look again when that can be read".to_owned(),
    };
    let file = short(&fault.file.display().to_string());
    let told = format!("the queue is not whole: {file}: {}", short(&fault.why));
    console::remark(CliError::new(ExitCode::Failed, told).hint(hint));
    ExitCode::Failed
}

/// A petition in the list. Where it is narrow, who asks is left out first; the title never is, and stands on a line of its
/// own before it would be cut. `status` shows all of it.
fn rows(row: &QueueRow, number: &str, rooms: (usize, usize), columns: Option<usize>) -> Vec<String> {
    let (id_room, age_room) = rooms;
    let (id, age, progress) = (short(&row.id), &row.age, &row.progress);
    let pad = " ".repeat(id_room.saturating_sub(columns_of(&id)));
    let tag = if row.tag.is_empty() { String::new() } else { format!("[{}] ", short(&row.tag)) };
    let waits = row.held_up.as_ref().map(|held_up| format!("  ({})", short(held_up))).unwrap_or_default();
    let ready = row.ready.then(|| "ready".to_owned());
    let stands: Vec<String> = ready.into_iter().chain(row.due.clone()).collect();
    let stands = if stands.is_empty() { String::new() } else { format!("({}) ", stands.join(", ")) };
    let priority = row.priority.word();
    let head = format!("{number}{id}{pad}  {priority:<6} {progress:>5} {age:>age_room$}  {stands}");
    let (title, asker) = (short(&row.title), short(&row.asker));
    let whole = format!("{head}{tag}{title} — {asker}{waits}");
    let Some(columns) = columns else { return vec![whole] };
    let shorter = [
        whole,
        format!("{head}{tag}{title} — {asker}"),
        format!("{head}{tag}{title}"),
        format!("{head}{title}"),
    ];
    if let Some(row) = shorter.into_iter().find(|row| columns_of(row) <= columns) {
        return vec![row];
    }
    let margin = " ".repeat(number.len());
    let second = format!("{margin}{id}  {priority} {progress} {age}  {stands}");
    vec![fitted(&format!("{number}{title}"), columns), fitted(second.trim_end(), columns)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use mind::Timestamp;
    use mind::petition::{PetitionId, PetitionStatus};

    #[test]
    fn the_title_is_what_a_narrow_list_shows() {
        let found = Summary {
            id: PetitionId::from("u3afxfzv"),
            agent: "swe".into(),
            tag: "general".into(),
            title: "Which database for the shop?".into(),
            priority: Priority::Normal,
            status: PetitionStatus::Ready,
            created_at: now(),
            total: 1,
            decided: 1,
            mission: None,
            blocks: Some("the build".into()),
            due_at: Some(Timestamp(now().0 + 300_900)),
            assignee: None,
            file: "x.md".into(),
        };
        let row = view::queue::row(&waiting(&found), now());
        let rows = |columns| rows(&row, "  1. ", (8, 2), columns);
        let head = "  1. u3afxfzv  normal   1/1 0s  (ready, due in 5m)";
        assert_eq!(
            rows(None),
            [format!("{head} [general] Which database for the shop? — swe  (blocks: the build)")]
        );
        assert_eq!(rows(Some(100)), [format!("{head} [general] Which database for the shop? — swe")]);
        assert_eq!(rows(Some(80)), [format!("{head} Which database for the shop?")]);
        assert_eq!(
            rows(Some(50)),
            ["  1. Which database for the shop?", "     u3afxfzv  normal 1/1 0s  (ready, due in 5m)"]
        );
        let narrow = rows(Some(40));
        assert_eq!(narrow[0], "  1. Which database for the shop?");
        assert!(narrow.iter().all(|row| columns_of(row) <= 40), "{narrow:?}");
    }
}
