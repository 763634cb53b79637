//! How a petition ended: by whom, when, with which answers, and who is told.

use mind::actor::Actor;
use mind::petition::Petition;
use view::completion::{completion as completion_of, notified};
use view::review::review;

use super::Viewer;
use super::layout::{button, end_icon, screen, to_queue};
use super::review::put_row;
use crate::limits::{NAME_SIGNS_MAX, TELEGRAM_SIGNS_MAX, TITLE_SIGNS_MAX};
use crate::telegram::html::{Html, inline};
use crate::telegram::screen::ChatScreen;
use crate::telegram::tap::{PetitionRef, Tap};

/// Room for the words that count what does not fit.
const MORE_SIGNS: usize = 40;

/// `✅ Title`, `1. Auth Strategy → jwt`, `Notifying: agent:swe2:main`. The ledger knows `by` whom.
#[must_use]
pub fn completion(viewer: &Viewer<'_>, petition: &Petition, by: Option<&Actor>) -> ChatScreen {
    let mut html = Html::new();
    let icon = petition.closed.as_ref().map_or("📄", |closed| end_icon(closed.end));
    html.text(&format!("{icon} ")).bold(&inline(&petition.title, TITLE_SIGNS_MAX)).end_line();
    if let Some(closed) = &petition.closed {
        let by = by.map(|by| viewer.named(by));
        let ended = completion_of(closed, by.as_ref(), viewer.now).text;
        html.italic(&inline(&ended, TITLE_SIGNS_MAX)).end_line();
    }
    let mut foot = Html::new();
    if let Some(session) = notified(petition) {
        foot.text("\nNotifying: ").code(&inline(&session, NAME_SIGNS_MAX)).end_line();
    }
    html.gap();
    let rows = review(petition, viewer.now).rows;
    let mut shown = 0;
    for row in &rows {
        let mut answer = Html::new();
        put_row(&mut answer, row);
        if html.signs() + answer.signs() + foot.signs() + MORE_SIGNS > TELEGRAM_SIGNS_MAX {
            break;
        }
        html.append(&answer);
        shown += 1;
    }
    let mut buttons = Vec::new();
    if shown < rows.len() {
        html.italic(&format!("and {} more", rows.len() - shown)).end_line();
        let all = Tap::Review { petition: PetitionRef::of(&petition.id), page: 0 };
        buttons.push(vec![button("🔎 All answers", all)]);
    }
    html.append(&foot);
    buttons.push(to_queue());
    screen(html, buttons)
}
