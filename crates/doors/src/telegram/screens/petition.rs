//! A petition: how far it is, the beginning of its context, a button per decision. Pages of decisions come first, then pages
//! of the context, where it is longer than what stands beside the decisions.

use mind::petition::Petition;
use view::decision::standing;
use view::petition::priority_term;

use super::Viewer;
use super::layout::{
    bar, button, end_icon, named_button, page_row, pages, priority_icon, put_terms, screen, standing_icon,
};
use crate::limits::{CONTEXT_PAGE_SIGNS, CONTEXT_SHORT_SIGNS, NAME_SIGNS_MAX, PAGE_ROWS, TITLE_SIGNS_MAX};
use crate::telegram::html::{Html, cut_loudly, inline, pieces, signs};
use crate::telegram::screen::{ChatButton, ChatScreen};
use crate::telegram::tap::{PetitionRef, Revision, Tap};

/// `📄 Title`
#[must_use]
pub fn petition(viewer: &Viewer<'_>, petition: &Petition, page: usize) -> ChatScreen {
    let view = view::petition::petition(petition, viewer.zone, viewer.now);
    let of_decisions = pages(petition.decisions.len(), PAGE_ROWS);
    let is_long = signs(&view.context) > CONTEXT_SHORT_SIGNS;
    let context = if is_long { pieces(&view.context, CONTEXT_PAGE_SIGNS) } else { Vec::new() };
    let pages = of_decisions + context.len();
    let page = page.min(pages - 1);
    let own = PetitionRef::of(&petition.id);
    let mut html = Html::new();
    let icon = petition.closed.as_ref().map_or("📄", |closed| end_icon(closed.end));
    html.text(&format!("{icon} ")).bold(&inline(&view.title, TITLE_SIGNS_MAX)).end_line();
    if petition.closed.is_some() {
        html.italic(&inline(&view.standing, TITLE_SIGNS_MAX)).end_line();
    } else {
        let (done, of) = (petition.decided(), petition.decisions.len());
        let priority = petition.priority;
        let progress =
            format!("{} {} · {} {done}/{of}", priority_icon(priority), priority.word(), bar(done, of));
        html.text(&progress).end_line();
    }
    html.italic(&format!("{} {}, {}", inline(&view.asker, NAME_SIGNS_MAX), view.asks, view.since)).end_line();
    let said = priority_term(petition.priority);
    let terms: Vec<_> = view.terms.into_iter().filter(|term| Some(term) != said.as_ref()).collect();
    put_terms(&mut html, &terms);
    match page.checked_sub(of_decisions).and_then(|at| context.get(at)) {
        Some(piece) => _ = html.gap().quote(piece),
        None if page == 0 => _ = html.gap().quote(&cut_loudly(&view.context, CONTEXT_SHORT_SIGNS)),
        None => {}
    }
    let mut buttons = Vec::new();
    if petition.closed.is_none() {
        buttons.extend(decisions(petition, &own, page));
    }
    buttons.push(page_row(page, pages, |page| Tap::Petition { petition: own.clone(), page }));
    if is_long && page < of_decisions {
        let read = Tap::Petition { petition: own.clone(), page: of_decisions };
        buttons.push(vec![button("📖 Whole context", read)]);
    }
    if petition.closed.is_none() && viewer.may_answer() && viewer.others().next().is_some() {
        let hand_over = Tap::HandOver { petition: own.clone(), decision: None };
        buttons.push(vec![button("👤 Hand over", hand_over)]);
    }
    let mut last: Vec<ChatButton> = onward(viewer, petition, &own).into_iter().collect();
    last.push(button("↩️ Back", Tap::Queue { page: 0 }));
    buttons.push(last);
    screen(html, buttons)
}

fn decisions<'p>(
    petition: &'p Petition,
    own: &'p PetitionRef,
    page: usize,
) -> impl Iterator<Item = Vec<ChatButton>> + 'p {
    let decisions = petition.decisions.iter().enumerate().skip(page.saturating_mul(PAGE_ROWS));
    decisions.take(PAGE_ROWS).map(|(at, decision)| {
        let before = format!("{} {}. ", standing_icon(standing(decision)), at + 1);
        let tap = Tap::Decision { petition: own.clone(), decision: at, page: 0 };
        vec![named_button(&before, &decision.title, tap)]
    })
}

/// What comes next for somebody who may answer: the open decisions, or the end.
fn onward(viewer: &Viewer<'_>, petition: &Petition, own: &PetitionRef) -> Option<ChatButton> {
    if petition.closed.is_some() || !viewer.may_answer() {
        return None;
    }
    Some(if petition.decided() == petition.decisions.len() {
        let revision = Revision::of_petition(petition);
        button("📤 Submit", Tap::Submit { petition: own.clone(), revision })
    } else {
        button("▶️ Continue", Tap::Continue { petition: own.clone() })
    })
}
