//! What can be done here, and what this person may do.

use super::Viewer;
use super::layout::{button, screen};
use crate::telegram::html::Html;
use crate::telegram::screen::ChatScreen;
use crate::telegram::settings::PersonRole;
use crate::telegram::tap::Tap;

const COMMANDS: [(&str, &str); 5] = [
    ("/queue", "what waits for a decision"),
    ("/missions", "missions, those that run first"),
    ("/status", "how this bot and the queue are"),
    ("/cancel", "leaves a custom answer, or the mission you write to"),
    ("/help", "this text"),
];

/// `⚖️ Arbiter`
#[must_use]
pub fn help(viewer: &Viewer<'_>) -> ChatScreen {
    let mut html = Html::new();
    html.text("⚖️ ").bold("Arbiter").gap();
    html.text("Agents ask, you decide with a tap. Nothing is final until you submit.").gap();
    for (command, does) in COMMANDS {
        html.text(&format!("{command} — {does}")).end_line();
    }
    html.gap().text(match viewer.person.role {
        PersonRole::Watch => "You can look at everything here, and answer nothing.",
        PersonRole::Answer => "You can answer.",
        PersonRole::Steer => "You can answer. Open a mission, and what you write is said to it.",
    });
    let buttons =
        vec![button("📋 Queue", Tap::Queue { page: 0 }), button("🎯 Missions", Tap::Missions { page: 0 })];
    screen(html, vec![buttons])
}
