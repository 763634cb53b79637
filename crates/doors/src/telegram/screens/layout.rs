//! What all views share: icons, bars, buttons within their bounds, rows that turn pages.

use mind::petition::{PetitionEnd, Priority};
use view::decision::{DecisionStanding, Term};
use view::tone::Tone;

use crate::limits::{BUTTON_SIGNS_MAX, TERM_SIGNS_MAX, TERMS_MAX};
use crate::telegram::html::{Html, cut, inline};
use crate::telegram::screen::{ChatButton, ChatScreen};
use crate::telegram::tap::{PetitionRef, Tap};

/// Cells of a bar.
const BAR_CELLS: usize = 10;

pub(super) fn screen(html: Html, buttons: Vec<Vec<ChatButton>>) -> ChatScreen {
    let buttons = buttons.into_iter().filter(|row| !row.is_empty()).collect();
    ChatScreen { html: html.into_markup(), buttons, asks_for_reply: false }
}

pub(super) fn button(text: &str, tap: Tap) -> ChatButton {
    ChatButton { text: cut(text, BUTTON_SIGNS_MAX).into_owned(), tap }
}

/// A button that names something of somebody else's between words of ours.
pub(super) fn named_button(before: &str, name: &str, tap: Tap) -> ChatButton {
    let room = BUTTON_SIGNS_MAX.saturating_sub(crate::telegram::html::signs(before));
    ChatButton { text: format!("{before}{}", inline(name, room)), tap }
}

pub(super) fn to_queue() -> Vec<ChatButton> {
    vec![button("📋 Back to Queue", Tap::Queue { page: 0 })]
}

pub(super) fn to_plan(petition: &PetitionRef) -> Vec<ChatButton> {
    vec![button("↩️ Back to Plan", Tap::Petition { petition: petition.clone(), page: 0 })]
}

/// How many pages so many rows take: at least one.
pub(super) fn pages(rows: usize, on_page: usize) -> usize {
    rows.div_ceil(on_page.max(1)).max(1)
}

/// Turns pages; nothing where there is only one.
pub(super) fn page_row(page: usize, pages: usize, tap: impl Fn(usize) -> Tap) -> Vec<ChatButton> {
    if pages < 2 {
        return Vec::new();
    }
    let before = page.checked_sub(1).map(|before| button("◀️", tap(before)));
    let here = button(&format!("page {}/{pages}", page + 1), Tap::Nothing);
    let after = Some(page + 1).filter(|after| *after < pages).map(|after| button("▶️", tap(after)));
    before.into_iter().chain([here]).chain(after).collect()
}

/// Buttons in rows of so many.
pub(super) fn rows_of(each: usize, buttons: impl IntoIterator<Item = ChatButton>) -> Vec<Vec<ChatButton>> {
    let mut rows: Vec<Vec<ChatButton>> = Vec::new();
    for button in buttons {
        match rows.last_mut().filter(|row| row.len() < each) {
            Some(row) => row.push(button),
            None => rows.push(vec![button]),
        }
    }
    rows
}

pub(super) fn bar(done: usize, of: usize) -> String {
    let full = (done.min(of) * BAR_CELLS).checked_div(of).unwrap_or(0);
    (0..BAR_CELLS).map(|cell| if cell < full { '▓' } else { '░' }).collect()
}

pub(super) fn priority_icon(priority: Priority) -> &'static str {
    match priority {
        Priority::Urgent => "🔴",
        Priority::High => "🟠",
        Priority::Normal => "🟡",
        Priority::Low => "🟢",
    }
}

pub(super) fn standing_icon(standing: DecisionStanding) -> &'static str {
    match standing {
        DecisionStanding::Open => "⬜",
        DecisionStanding::Answered => "✅",
        DecisionStanding::Skipped => "⏭️",
        DecisionStanding::Late => "⌛",
    }
}

pub(super) fn end_icon(end: PetitionEnd) -> &'static str {
    match end {
        PetitionEnd::Completed => "✅",
        PetitionEnd::Withdrawn => "🚫",
        PetitionEnd::Expired => "⌛",
    }
}

/// What holds, a line each; those that do not fit are counted.
pub(super) fn put_terms(html: &mut Html, terms: &[Term]) {
    let shown = if terms.len() > TERMS_MAX { TERMS_MAX - 1 } else { terms.len() };
    for term in terms.iter().take(shown) {
        match term.tone {
            Tone::Warning | Tone::Bad | Tone::Wanted => html.text("⏳ "),
            Tone::Plain | Tone::Quiet | Tone::Good => html,
        };
        html.italic(&inline(&term.text, TERM_SIGNS_MAX)).end_line();
    }
    if shown < terms.len() {
        html.italic(&format!("and {} more", terms.len() - shown)).end_line();
    }
}
