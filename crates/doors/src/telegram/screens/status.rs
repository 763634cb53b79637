//! How the bot is, what waits, and which missions run.

use view::amount::counted;
use view::provenance::ago;
use view::queue::QueueCounts;

use super::Viewer;
use super::layout::{button, screen};
use crate::limits::TITLE_SIGNS_MAX;
use crate::telegram::html::{Html, inline};
use crate::telegram::screen::ChatScreen;
use crate::telegram::settings::DoorHealth;
use crate::telegram::tap::Tap;

/// What is told of the door and what lies behind it.
#[derive(Debug, Clone, Copy)]
pub struct StatusMoment<'a> {
    pub health: &'a DoorHealth,
    pub counts: QueueCounts,
    /// Files that cannot be read.
    pub unreadable: usize,
    /// Missions that a process runs.
    pub running: usize,
}

/// `📊 Status`
#[must_use]
pub fn status(viewer: &Viewer<'_>, status: &StatusMoment<'_>) -> ChatScreen {
    let mut html = Html::new();
    html.text("📊 ").bold("Status").gap();
    match &status.health.trouble {
        Some(trouble) => html.text("⚠️ ").text(&inline(trouble, TITLE_SIGNS_MAX)).end_line(),
        None => html.text("✅ Telegram is reached").end_line(),
    };
    let polled = status.health.polled_at.map_or("never".to_owned(), |at| ago(at, viewer.now));
    html.text(&format!("Last good poll: {polled}")).gap();
    html.text("📋 ").text(&status.counts.text()).end_line();
    if status.unreadable > 0 {
        html.text(&format!("⚠️ {} cannot be read", counted(status.unreadable, "file"))).end_line();
    }
    let verb = if status.running == 1 { "runs" } else { "run" };
    html.text(&format!("🎯 {} {verb}", counted(status.running, "mission")));
    let buttons =
        vec![button("📋 Queue", Tap::Queue { page: 0 }), button("🎯 Missions", Tap::Missions { page: 0 })];
    screen(html, vec![buttons])
}
