//! To whom a petition, or one decision of it, can be handed.

use mind::petition::Petition;

use super::Viewer;
use super::gone::decision_not_found;
use super::layout::{button, named_button, screen};
use crate::limits::{HAND_OVER_PEOPLE_MAX, TITLE_SIGNS_MAX};
use crate::telegram::html::{Html, inline};
use crate::telegram::screen::ChatScreen;
use crate::telegram::tap::{PetitionRef, Revision, Tap};

/// `👤 Hand over`
#[must_use]
pub fn hand_over(viewer: &Viewer<'_>, petition: &Petition, decision: Option<usize>) -> ChatScreen {
    let own = PetitionRef::of(&petition.id);
    let (title, revision, back) = match decision {
        None => {
            let back = Tap::Petition { petition: own.clone(), page: 0 };
            (&petition.title, Revision::of_petition(petition), back)
        }
        Some(at) => {
            let Some(asked) = petition.decisions.get(at) else { return decision_not_found(&petition.id) };
            let back = Tap::Decision { petition: own.clone(), decision: at, page: 0 };
            (&asked.title, Revision::of_decision(petition, asked), back)
        }
    };
    let mut html = Html::new();
    html.text("👤 ").bold("Hand over").gap().text(&inline(title, TITLE_SIGNS_MAX)).gap();
    let mut buttons = Vec::new();
    if petition.closed.is_none() && viewer.may_answer() {
        for other in viewer.others().take(HAND_OVER_PEOPLE_MAX) {
            let (petition, revision, person) = (own.clone(), revision.clone(), other.id);
            let tap = Tap::HandTo { petition, decision, person, revision };
            buttons.push(vec![named_button("", &other.name, tap)]);
        }
    }
    let more = viewer.others().count().saturating_sub(HAND_OVER_PEOPLE_MAX);
    html.text(match buttons.len() {
        0 => "No other person here can be asked.",
        _ => "The person you choose is told, and asked from then on.",
    });
    if more > 0 {
        html.end_line().italic(&format!("and {more} more, by `assignee:` in the petition's file"));
    }
    buttons.push(vec![button("↩️ Back", back)]);
    screen(html, buttons)
}
