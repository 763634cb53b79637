//! The queue: what waits, a line and a numbered button each, and files that cannot be read. It is given the rows of one page
//! only, so that a queue of any length is drawn as fast as a short one.

use std::ops::Range;

use view::queue::{QueueCounts, UnreadableFile, WaitingPetition, row};

use super::Viewer;
use super::layout::{button, page_row, pages, priority_icon, rows_of, screen};
use crate::limits::{NAME_SIGNS_MAX, PAGE_ROWS, UNREADABLE_MAX};
use crate::telegram::html::{Html, inline};
use crate::telegram::screen::ChatScreen;
use crate::telegram::tap::{PetitionRef, Tap};

/// The queue, as far as one page shows it.
#[derive(Debug, Clone, Copy)]
pub struct QueueMoment<'a> {
    pub counts: QueueCounts,
    pub page: usize,
    /// The petitions of [`queue_rows`], in order.
    pub shown: &'a [WaitingPetition<'a>],
    pub unreadable: &'a [UnreadableFile],
}

/// The places of the petitions on a page, of so many in all. A page that there is not is the last.
#[must_use]
pub fn queue_rows(page: usize, total: usize) -> Range<usize> {
    let from = page.min(pages(total, PAGE_ROWS) - 1) * PAGE_ROWS;
    from..total.min(from + PAGE_ROWS)
}

/// `📋 Arbiter — Decision Queue`
#[must_use]
pub fn queue(viewer: &Viewer<'_>, queue: &QueueMoment<'_>) -> ChatScreen {
    let total = queue.counts.total();
    let pages = pages(total, PAGE_ROWS);
    let page = queue.page.min(pages - 1);
    let mut html = Html::new();
    html.text("📋 ").bold("Arbiter — Decision Queue").gap();
    if total == 0 {
        html.text("Nothing waits for you.").end_line();
    } else {
        let each = queue.counts.each();
        let each =
            each.map(|(priority, count)| format!("{} {count} {}", priority_icon(priority), priority.word()));
        html.text(&each.collect::<Vec<_>>().join(" │ ")).gap();
    }
    let rows = (queue_rows(page, total).start + 1..).zip(queue.shown.iter().take(PAGE_ROWS));
    let mut numbers = Vec::new();
    for (number, petition) in rows {
        put_row(&mut html, viewer, number, petition);
        let tap = Tap::Petition { petition: PetitionRef::of(petition.id), page: 0 };
        numbers.push(button(&number.to_string(), tap));
    }
    if page == 0 {
        put_unreadable(&mut html, queue.unreadable);
    }
    let mut buttons = rows_of(5, numbers);
    buttons.push(page_row(page, pages, |page| Tap::Queue { page }));
    buttons.push(vec![button("🔄 Refresh", Tap::Queue { page })]);
    screen(html, buttons)
}

/// `1. 🔴 [tag] Title — 0/3`
fn put_row(html: &mut Html, viewer: &Viewer<'_>, number: usize, petition: &WaitingPetition<'_>) {
    let view = row(petition, viewer.now);
    html.text(&format!("{number}. {} ", priority_icon(view.priority)));
    if !view.tag.is_empty() {
        html.text("[").text(&inline(&view.tag, 40)).text("] ");
    }
    html.bold(&inline(&view.title, NAME_SIGNS_MAX)).text(&format!(" — {}", view.progress));
    if view.ready {
        html.text(" · to submit");
    }
    if let Some(due) = &view.due {
        html.text(" · ").italic(due);
    }
    if let Some(other) = petition.assignee.filter(|name| !viewer.person.is_called(name)) {
        html.text(" · ").italic(&format!("for {}", inline(other, 40)));
    }
    html.end_line();
}

fn put_unreadable(html: &mut Html, files: &[UnreadableFile]) {
    if files.is_empty() {
        return;
    }
    html.gap().text("⚠️ ").bold("Cannot be read").end_line();
    for file in files.iter().take(UNREADABLE_MAX) {
        // Its end tells one file of a folder from another.
        let name = file.file.rsplit('/').next().unwrap_or_default();
        html.code(&inline(name, 60))
            .text(": malformed: ")
            .text(&inline(&file.why, NAME_SIGNS_MAX))
            .end_line();
    }
    if let Some(more @ 1..) = files.len().checked_sub(UNREADABLE_MAX) {
        html.italic(&format!("and {more} more: `arbiter inbox --list`")).end_line();
    }
}
