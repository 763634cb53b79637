//! The missions of this user, a line and a numbered button each, in the order they are given: those that run first.

use view::mission::MissionRowView;
use view::provenance::ago;

use super::Viewer;
use super::layout::{button, page_row, pages, rows_of, screen};
use crate::limits::{NAME_SIGNS_MAX, PAGE_ROWS};
use crate::telegram::html::{Html, inline};
use crate::telegram::screen::ChatScreen;
use crate::telegram::tap::Tap;

/// `🎯 Missions`
#[must_use]
pub fn missions(viewer: &Viewer<'_>, missions: &[MissionRowView], page: usize) -> ChatScreen {
    let pages = pages(missions.len(), PAGE_ROWS);
    let page = page.min(pages - 1);
    let mut html = Html::new();
    html.text("🎯 ").bold("Missions").gap();
    if missions.is_empty() {
        html.text("There is no mission yet.").end_line();
    }
    let mut numbers = Vec::new();
    for (number, mission) in (1..).zip(missions).skip(page * PAGE_ROWS).take(PAGE_ROWS) {
        let icon = if mission.running { "🟢" } else { "⚪" };
        html.text(&format!("{number}. {icon} ")).bold(&inline(&mission.title, NAME_SIGNS_MAX));
        html.text(" — ").text(&inline(&mission.standing, NAME_SIGNS_MAX));
        if mission.at > 0 {
            html.text(" · ").italic(&ago(mind::Timestamp(mission.at), viewer.now));
        }
        html.end_line();
        numbers.push(button(&number.to_string(), Tap::Mission { mission: mission.id.clone() }));
    }
    let mut buttons = rows_of(5, numbers);
    buttons.push(page_row(page, pages, |page| Tap::Missions { page }));
    buttons.push(vec![button("🔄 Refresh", Tap::Missions { page })]);
    screen(html, buttons)
}
