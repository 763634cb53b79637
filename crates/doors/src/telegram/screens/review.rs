//! All answers before they are final: a line and a button each, to look again and change it.

use mind::petition::Petition;
use view::decision::{DecisionStanding, standing};
use view::line::line;
use view::review::{ReviewRow, review as review_of};

use super::Viewer;
use super::layout::{button, named_button, page_row, pages, screen, standing_icon};
use crate::limits::{NAME_SIGNS_MAX, PAGE_ROWS, TITLE_SIGNS_MAX};
use crate::telegram::html::{Html, inline};
use crate::telegram::screen::ChatScreen;
use crate::telegram::tap::{PetitionRef, Revision, Tap};

/// `✅ 2 answered · ⏭️ 1 skipped`
#[must_use]
pub fn review(viewer: &Viewer<'_>, petition: &Petition, page: usize) -> ChatScreen {
    let rows = review_of(petition, viewer.now).rows;
    let pages = pages(rows.len(), PAGE_ROWS);
    let page = page.min(pages - 1);
    let own = PetitionRef::of(&petition.id);
    let mut html = Html::new();
    html.text("🔎 ").bold(&inline(&line(&petition.title), TITLE_SIGNS_MAX)).end_line();
    html.text(&counts(petition)).gap();
    let mut buttons = Vec::new();
    for row in rows.iter().skip(page * PAGE_ROWS).take(PAGE_ROWS) {
        put_row(&mut html, row);
        let before = format!("{} {}. ", standing_icon(row.standing), row.number);
        let tap = Tap::Decision { petition: own.clone(), decision: row.number - 1, page: 0 };
        buttons.push(vec![named_button(&before, &row.title, tap)]);
    }
    buttons.push(page_row(page, pages, |page| Tap::Review { petition: own.clone(), page }));
    let is_ready = petition.closed.is_none() && petition.decided() == petition.decisions.len();
    if is_ready && viewer.may_answer() {
        let revision = Revision::of_petition(petition);
        buttons.push(vec![button("📤 Submit", Tap::Submit { petition: own.clone(), revision })]);
    }
    buttons.push(vec![button("↩️ Back", Tap::Petition { petition: own, page: 0 })]);
    screen(html, buttons)
}

/// `1. Auth Strategy → jwt`; what has no answer stands without one.
pub(super) fn put_row(html: &mut Html, row: &ReviewRow) {
    html.text(&format!("{}. ", row.number)).text(&inline(&row.title, NAME_SIGNS_MAX));
    match &row.answer {
        Some(answer) => {
            let late = if answer.late { " (late)" } else { "" };
            html.text(" → ").bold(&inline(&answer.said, NAME_SIGNS_MAX)).text(late);
        }
        None => _ = html.text(" — ").text(DecisionStanding::Open.word()),
    }
    html.end_line();
}

fn counts(petition: &Petition) -> String {
    let each = [
        DecisionStanding::Answered,
        DecisionStanding::Skipped,
        DecisionStanding::Open,
        DecisionStanding::Late,
    ];
    let count = |wanted| petition.decisions.iter().filter(|decision| standing(decision) == wanted).count();
    let each = each.map(|standing| (standing, count(standing))).into_iter().filter(|(_, count)| *count > 0);
    let each =
        each.map(|(standing, count)| format!("{} {count} {}", standing_icon(standing), standing.word()));
    each.collect::<Vec<_>>().join(" · ")
}
