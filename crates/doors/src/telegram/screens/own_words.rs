//! The decision waits for a text of the person's own. In a group a bot hears only what answers its message, so the client
//! opens a field for that; such a message has no buttons.

use mind::petition::Petition;

use super::Viewer;
use super::gone::decision_not_found;
use super::layout::{button, screen};
use crate::limits::TITLE_SIGNS_MAX;
use crate::telegram::html::{Html, inline};
use crate::telegram::screen::ChatScreen;
use crate::telegram::tap::{PetitionRef, Tap};

/// `✏️ Auth Strategy`
#[must_use]
pub fn own_words(viewer: &Viewer<'_>, petition: &Petition, decision: usize, instead: bool) -> ChatScreen {
    let Some(asked) = petition.decisions.get(decision) else { return decision_not_found(&petition.id) };
    let other = viewer.other_asked(petition, asked).filter(|_| instead);
    let mut html = Html::new();
    html.text("✏️ ").bold(&inline(&asked.title, TITLE_SIGNS_MAX)).end_line();
    if let Some(other) = other {
        html.italic(&format!("instead of {}", inline(other, 80))).end_line();
    }
    html.gap().text(if viewer.is_group {
        "Reply to this message with your answer. /cancel leaves."
    } else {
        "Your next message is the answer. /cancel leaves."
    });
    let own = PetitionRef::of(&petition.id);
    let back = match other {
        Some(_) => Tap::Instead { petition: own, decision, page: 0 },
        None => Tap::Decision { petition: own, decision, page: 0 },
    };
    let buttons = if viewer.is_group { Vec::new() } else { vec![vec![button("↩️ Back", back)]] };
    let mut prompt = screen(html, buttons);
    prompt.asks_for_reply = viewer.is_group;
    prompt
}
