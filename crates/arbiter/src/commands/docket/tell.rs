//! A petition as lines for a person. Whatever an agent wrote is made harmless here: no control characters, nothing that
//! turns the direction of writing, folded to the terminal, and beside a bar, so that no text can pass for one of ours.

use docket::{Fault, Queue, Summary};
use mind::Timestamp;
use mind::limits::cut;
use mind::petition::{Choice, Closed, Decision, End, Given, Petition, Priority, Status};
use view::clean::clean;

use super::marks::Marks;
use crate::clock;
use crate::terminal::console::{self, Ink, Line, columns_of, fitted, folded};

/// How much of a text a single line shows, in signs.
const LINE_CHARS_MAX: usize = 200;
/// How many lines of a context are shown; the rest is in the file.
const CONTEXT_LINES_MAX: usize = 60;
/// How many petitions are shown where one is to be chosen.
const SHOWN_MAX: usize = 30;
/// How wide a context is printed where there is no terminal.
const COLUMNS: usize = 100;

/// A text of somebody else's as one harmless line.
pub(super) fn line(text: &str) -> String {
    let words: Vec<String> = clean(text).split_whitespace().map(str::to_owned).collect();
    cut(&words.join(" "), LINE_CHARS_MAX)
}

/// `jwt — JWT tokens`.
fn named(key: &str, label: &str) -> String {
    let one = |text: &str| clean(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let (key, label) = (one(key), one(label));
    if label == key { key } else { format!("{key} — {label}") }
}

/// How wide a text of somebody else's may be, beside what is ours.
fn columns() -> u16 {
    let columns = console::width().unwrap_or(COLUMNS).saturating_sub(7).max(20);
    u16::try_from(columns).unwrap_or(u16::MAX)
}

/// A text of somebody else's beside a bar.
pub(super) fn block(text: &str, file: &str) -> Vec<Line> {
    let lines = folded(text, columns());
    let more = lines.len().saturating_sub(CONTEXT_LINES_MAX);
    let mut shown: Vec<Line> =
        lines.iter().take(CONTEXT_LINES_MAX).map(|line| (Ink::Words, format!("  │ {line}"))).collect();
    if more > 0 {
        shown.push((Ink::Dim, format!("  │ ... {more} more lines in {file}")));
    }
    shown
}

/// What was chosen, as one line.
pub(super) fn choice(choice: &Choice) -> String {
    match choice {
        Choice::Answer(text) => line(text),
        Choice::Skipped => "skipped".to_owned(),
    }
}

/// `, by human:cli:ada, 2m ago`.
pub(super) fn source(given: &Given) -> String {
    let by = given.by.as_deref().map(|by| format!(", by {}", line(by))).unwrap_or_default();
    let at = given.at.map(|at| format!(", {}", ago(at))).unwrap_or_default();
    format!("{by}{at}")
}

/// How long ago.
pub(super) fn ago(at: Timestamp) -> String {
    format!("{} ago", clock::span(super::now().0.saturating_sub(at.0)))
}

/// How and when it ended.
pub(super) fn end(closed: &Closed) -> String {
    let verb = match closed.end {
        End::Completed => "submitted",
        End::Withdrawn => "withdrawn",
        End::Expired => "expired",
    };
    let why = closed.why.as_deref().filter(|why| !why.is_empty());
    let why = why.map(|why| format!(": {}", line(why))).unwrap_or_default();
    format!("{verb} {}{why}", ago(closed.at))
}

/// `2 decisions`.
pub(super) fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// What it is, who asks and how far it is.
pub(super) fn head(petition: &Petition) -> Vec<Line> {
    let mut facts = vec![petition.priority.word().to_owned()];
    facts.push(format!("asked by {} {}", line(&petition.agent), ago(petition.created_at)));
    if !petition.tag.is_empty() {
        facts.push(format!("tag {}", line(&petition.tag)));
    }
    facts.push(format!("{}/{} decided", petition.decided(), petition.decisions.len()));
    if let Some(assignee) = &petition.assignee {
        facts.push(format!("for {}", line(assignee)));
    }
    if let Some(mission) = &petition.mission {
        facts.push(format!("mission {} waits", line(mission)));
    }
    if let Some(blocks) = &petition.blocks {
        facts.push(format!("blocks: {}", line(blocks)));
    }
    if let Some(deadline) = petition.deadline.filter(|_| petition.closed.is_none()) {
        facts.push(format!("until {}", clock::local(deadline).strftime("%Y-%m-%d %H:%M")));
    }
    vec![
        (Ink::Name, format!("{}  ({})", line(&petition.title), line(&petition.id.0))),
        (Ink::Dim, facts.join(" · ")),
    ]
}

/// Each decision on a line, with what was chosen.
pub(super) fn decisions(petition: &Petition) -> Vec<Line> {
    let room = petition.decisions.iter().map(|decision| columns_of(&line(&decision.id))).max();
    let room = room.unwrap_or(0).min(30);
    let row = |decision: &Decision| {
        let id = line(&decision.id);
        let pad = " ".repeat(room.saturating_sub(columns_of(&id)));
        let title = line(&decision.title);
        let (ink, mark, rest) = match &decision.answer {
            None => (Ink::Words, ' ', title),
            Some(given) => {
                let mark = match (&given.choice, given.late) {
                    (_, true) => '!',
                    (Choice::Answer(_), false) => 'x',
                    (Choice::Skipped, false) => '-',
                };
                let late = if given.late { " (late: it decides nothing)" } else { "" };
                let chosen = choice(&given.choice);
                (Ink::Words, mark, format!("{title} → {chosen}{}{late}", source(given)))
            }
        };
        (ink, format!("  [{mark}] {id}{pad}  {rest}"))
    };
    petition.decisions.iter().map(row).collect()
}

/// What else holds for an answer to it.
fn terms(decision: &Decision) -> Vec<String> {
    let mut terms = Vec::new();
    if decision.multi {
        terms.push("several can be chosen".to_owned());
    }
    if decision.requires_human {
        terms.push("only a person may answer".to_owned());
    }
    let open: Vec<String> = decision.depends_on.iter().map(|first| line(first)).collect();
    if !open.is_empty() {
        terms.push(format!("comes after {}", open.join(", ")));
    }
    let default = decision.default.as_deref().map(|default| format!("then {} is taken", line(default)));
    match (decision.deadline.map(due), default) {
        (Some(due), Some(default)) => terms.push(format!("{due}, {default}")),
        (Some(due), None) => terms.push(due),
        // The deadline is the whole petition's.
        (None, Some(default)) => terms.push(format!("at the deadline, {default}")),
        (None, None) => {}
    }
    terms
}

/// `due in 5m`.
fn due(at: Timestamp) -> String {
    match at.0.saturating_sub(super::now().0) {
        0 => "due now".to_owned(),
        left => format!("due in {}", clock::span(left)),
    }
}

/// How each open decision can be answered, by its keys.
pub(super) fn keys(petition: &Petition) -> Vec<Line> {
    let mut lines = Vec::new();
    for decision in petition.decisions.iter().filter(|decision| !decision.is_decided()) {
        lines.push((Ink::Words, String::new()));
        lines.push((Ink::Name, format!("{}: {}", line(&decision.id), line(&decision.title))));
        lines.extend(block(&decision.context, "its file"));
        let terms = terms(decision);
        if !terms.is_empty() {
            lines.push((Ink::Dim, format!("  {}", terms.join(" · "))));
        }
        for option in &decision.options {
            let rows = folded(&named(&option.key, &option.label), columns());
            let rows = rows.iter().enumerate();
            lines.extend(
                rows.map(|(nth, row)| (Ink::Words, format!("  {} {row}", if nth == 0 { '-' } else { ' ' }))),
            );
        }
        if decision.takes_custom() {
            let or = if decision.options.is_empty() { "" } else { "or " };
            lines.push((Ink::Dim, format!("  - {or}your own words: --custom TEXT")));
        }
    }
    lines
}

/// Answers that are more than a line, in full.
pub(super) fn long_answers(petition: &Petition) -> Vec<Line> {
    let mut lines = Vec::new();
    for decision in &petition.decisions {
        let Some(Choice::Answer(text)) = decision.answer.as_ref().map(|given| &given.choice) else {
            continue;
        };
        if clean(text) != line(text) {
            lines.push((Ink::Words, String::new()));
            lines.push((Ink::Name, format!("{}:", line(&decision.id))));
            lines.extend(block(text, "its file"));
        }
    }
    lines
}

/// One decision with its options, as a person answers it.
pub(super) fn decision(petition: &Petition, at: usize, marks: &Marks, file: &str) -> Vec<Line> {
    let Some(decision) = petition.decisions.get(at) else { return Vec::new() };
    let total = petition.decisions.len();
    let mut lines = vec![
        (Ink::Words, String::new()),
        (Ink::Name, format!("{}/{total} · {}", at + 1, line(&decision.title))),
    ];
    lines.extend(block(&decision.context, file));
    let chosen: Vec<&str> = match decision.answer.as_ref().map(|given| &given.choice) {
        Some(Choice::Answer(text)) if decision.multi => text.split(',').map(str::trim).collect(),
        Some(Choice::Answer(text)) => vec![text],
        Some(Choice::Skipped) | None => Vec::new(),
    };
    for (nth, option) in decision.options.iter().enumerate() {
        let tick = if chosen.contains(&option.key.as_str()) { '✓' } else { ' ' };
        // All of it is shown: whoever chooses it has read it.
        let mut rows = folded(&named(&option.key, &option.label), columns()).into_iter();
        let first = rows.next().unwrap_or_default();
        lines.push((Ink::Words, format!("{tick} {:>2} {first}", marks.mark(nth))));
        lines.extend(rows.map(|row| (Ink::Words, format!("     {row}"))));
    }
    if let Some(given) = &decision.answer {
        let is_key = |text: &&str| decision.options.iter().any(|option| option.key == **text);
        let own = matches!(given.choice, Choice::Answer(_)) && !chosen.iter().all(is_key);
        lines.push(match &given.choice {
            Choice::Answer(_) if own => (Ink::Words, format!("✓ {}{}", choice(&given.choice), source(given))),
            Choice::Answer(_) => (Ink::Dim, format!("  chosen{}", source(given).replacen(',', "", 1))),
            Choice::Skipped => (Ink::Dim, format!("  skipped{}", source(given).replacen(',', "", 1))),
        });
    }
    lines
}

/// The queue as a list, with numbers where one can be chosen.
pub(super) fn queue(queue: &Queue, numbered: bool) -> Vec<Line> {
    let shown = if numbered { SHOWN_MAX } else { usize::MAX };
    let mut lines = vec![(Ink::Name, counts(queue))];
    let id_room =
        queue.petitions.iter().map(|found| columns_of(&line(&found.id.0))).max().unwrap_or(0).min(36);
    let age_room = queue.petitions.iter().map(|found| age(found).len()).max().unwrap_or(0);
    for (nth, found) in queue.petitions.iter().enumerate().take(shown) {
        let number = if numbered { format!("{:>3}. ", nth + 1) } else { "  ".to_owned() };
        let ink = if found.priority == Priority::Urgent { Ink::Bad } else { Ink::Words };
        let rows = rows(found, &number, (id_room, age_room), console::width());
        lines.extend(rows.into_iter().map(|row| (ink, row)));
    }
    let more = queue.petitions.len().saturating_sub(shown);
    if more > 0 {
        lines.push((Ink::Dim, format!("     ... and {more} more: `arbiter inbox --list` shows all")));
    }
    lines.extend(queue.faults.iter().take(shown).map(fault));
    lines
}

fn age(found: &Summary) -> String {
    clock::span(super::now().0.saturating_sub(found.created_at.0))
}

/// A petition in the list. Where it is narrow, who asks is left out first; the title never is, and stands on a line of its
/// own before it would be cut. `status` shows all of it.
fn rows(found: &Summary, number: &str, rooms: (usize, usize), columns: Option<usize>) -> Vec<String> {
    let (id_room, age_room) = rooms;
    let id = line(&found.id.0);
    let pad = " ".repeat(id_room.saturating_sub(columns_of(&id)));
    let tag = if found.tag.is_empty() { String::new() } else { format!("[{}] ", line(&found.tag)) };
    let waits = match (&found.mission, &found.blocks) {
        (Some(mission), _) => format!("  (mission {} waits)", line(mission)),
        (None, Some(blocks)) => format!("  (blocks: {})", line(blocks)),
        (None, None) => String::new(),
    };
    let progress = format!("{}/{}", found.decided, found.total);
    let mut stands: Vec<String> =
        (found.status == Status::Ready).then(|| "ready".to_owned()).into_iter().collect();
    stands.extend(found.due_at.map(due));
    let stands = if stands.is_empty() { String::new() } else { format!("({}) ", stands.join(", ")) };
    let priority = found.priority.word();
    let head = format!("{number}{id}{pad}  {priority:<6} {progress:>5} {:>age_room$}  {stands}", age(found));
    let (title, agent) = (line(&found.title), line(&found.agent));
    let whole = format!("{head}{tag}{title} — {agent}{waits}");
    let Some(columns) = columns else { return vec![whole] };
    let short = [
        whole,
        format!("{head}{tag}{title} — {agent}"),
        format!("{head}{tag}{title}"),
        format!("{head}{title}"),
    ];
    if let Some(row) = short.into_iter().find(|row| columns_of(row) <= columns) {
        return vec![row];
    }
    let margin = " ".repeat(number.len());
    let second = format!("{margin}{id}  {priority} {progress} {}  {stands}", age(found));
    vec![fitted(&format!("{number}{title}"), columns), fitted(second.trim_end(), columns)]
}

/// `3 petitions wait: 1 urgent, 2 normal`.
fn counts(queue: &Queue) -> String {
    let total = queue.petitions.len();
    if total == 0 {
        return "nothing waits for you".to_owned();
    }
    let of = |priority: Priority| {
        let number = queue.petitions.iter().filter(|found| found.priority == priority).count();
        (number > 0).then(|| format!("{number} {}", priority.word()))
    };
    let each = [Priority::Urgent, Priority::High, Priority::Normal, Priority::Low];
    let each: Vec<String> = each.into_iter().filter_map(of).collect();
    let wait = if total == 1 { "waits" } else { "wait" };
    format!("{} {wait}: {}", count(total, "petition"), each.join(", "))
}

/// A file that is no petition.
fn fault(fault: &Fault) -> Line {
    let why = line(&fault.why);
    let why = why.strip_prefix("malformed: ").unwrap_or(&why);
    (Ink::Bad, format!("  malformed: {}: {why}", line(&fault.file.display().to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mind::petition::PetitionId;

    #[test]
    fn the_title_is_what_a_narrow_list_shows() {
        let found = Summary {
            id: PetitionId::from("u3afxfzv"),
            agent: "swe".into(),
            tag: "general".into(),
            title: "Which database for the shop?".into(),
            priority: Priority::Normal,
            status: Status::Ready,
            created_at: super::super::now(),
            total: 1,
            decided: 1,
            mission: None,
            blocks: Some("the build".into()),
            due_at: Some(Timestamp(super::super::now().0 + 300_900)),
            assignee: None,
            file: "x.md".into(),
        };
        let rows = |columns| rows(&found, "  1. ", (8, 2), columns);
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
