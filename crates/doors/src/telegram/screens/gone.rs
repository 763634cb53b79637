//! What is shown where there is nothing to show: the petition or its decision is no longer there. And a plain word.

use mind::petition::PetitionId;

use super::layout::{button, screen, to_queue};
use crate::limits::{TELEGRAM_SIGNS_MAX, TITLE_SIGNS_MAX};
use crate::telegram::html::{Html, cut_loudly};
use crate::telegram::screen::ChatScreen;
use crate::telegram::tap::{PetitionRef, Tap};

/// Its file is gone, or there never was one.
#[must_use]
pub fn plan_not_found() -> ChatScreen {
    let mut html = Html::new();
    html.text("❓ ").bold("Plan not found").gap().text("It was removed, or closed long ago.");
    screen(html, vec![to_queue()])
}

/// The petition's file has it no more.
#[must_use]
pub fn decision_not_found(petition: &PetitionId) -> ChatScreen {
    let mut html = Html::new();
    html.text("⚠️ ").bold("Decision not found").gap();
    html.text("The petition was changed, and this decision is no longer in it.");
    let reload = Tap::Petition { petition: PetitionRef::of(petition), page: 0 };
    screen(html, vec![vec![button("🔄 Reload", reload)], to_queue()])
}

/// Its file cannot be read, or is no petition at the moment.
#[must_use]
pub fn unreadable(petition: &PetitionId, why: &str) -> ChatScreen {
    let mut html = Html::new();
    html.text("⚠️ ").bold("This petition cannot be read").gap();
    html.text(&cut_loudly(&view::clean::clean(why), TITLE_SIGNS_MAX));
    let reload = Tap::Petition { petition: PetitionRef::of(petition), page: 0 };
    screen(html, vec![vec![button("🔄 Reload", reload)], to_queue()])
}

/// A text, and nothing to tap.
#[must_use]
pub fn word(text: &str) -> ChatScreen {
    let mut html = Html::new();
    html.text(&cut_loudly(&view::clean::clean(text), TELEGRAM_SIGNS_MAX));
    screen(html, Vec::new())
}
