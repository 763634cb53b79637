//! Pages over the main screen. An open page takes all keys except Ctrl+C and Ctrl+Z.

pub mod decisions;
mod field;
pub mod help;
mod list;
pub mod logbook;
mod panel;
mod plan;
pub mod quest;
mod rows;
pub mod scene;
pub mod sessions;

use crossterm::event::{KeyEvent, KeyEventKind, MouseEvent};
use mind::SessionId;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::theme::Theme;
use crate::ui_command::UiCommand;
use crate::view_model::ViewModel;

/// What a page makes of a key.
#[derive(Debug, Clone, PartialEq)]
pub enum PageResponse {
    /// It stays open.
    Stay,
    /// It stays open, and the key means what it means without a page.
    Pass,
    /// It stays open, and something is wanted.
    Wish(UiCommand),
    /// The logbook takes its place, with the lines of one session or of all.
    Logbook(Option<SessionId>),
    Close,
    /// It closes, and the person types words.
    Speak,
}

/// The page that is open.
#[derive(Debug, Clone, PartialEq)]
pub enum Overlay {
    /// What the keys do.
    Help(help::HelpPage),
    /// Every raw line of every session.
    Logbook(logbook::LogbookPage),
    /// The task list.
    Quest(quest::QuestPage),
    Sessions(sessions::SessionsPage),
    /// What waits for the human.
    Docket(decisions::DecisionsPage),
    Scene(scene::ScenePage),
}

impl Overlay {
    /// A key was pressed.
    pub fn key(&mut self, key: KeyEvent, model: &ViewModel<'_>) -> PageResponse {
        // Some terminals tell when a key comes up again: that means nothing here.
        if key.kind == KeyEventKind::Release {
            return PageResponse::Stay;
        }
        match self {
            Overlay::Help(page) => page.key(key),
            Overlay::Logbook(page) => page.key(key, model),
            Overlay::Quest(page) => page.key(key, model),
            Overlay::Sessions(page) => page.key(key, model),
            Overlay::Docket(page) => page.key(key, model),
            Overlay::Scene(page) => page.key(key),
        }
    }

    /// What was wished last did not reach the mission.
    pub fn refused(&mut self) {
        if let Overlay::Docket(page) = self {
            page.unsend();
        }
    }

    /// A text was pasted.
    pub fn paste(&mut self, text: &str) {
        match self {
            Overlay::Logbook(page) => page.paste(text),
            Overlay::Docket(page) => page.paste(text),
            Overlay::Help(_) | Overlay::Quest(_) | Overlay::Sessions(_) | Overlay::Scene(_) => {}
        }
    }

    /// The mouse did something; the page is drawn in `area`.
    pub fn mouse(
        &mut self,
        mouse: MouseEvent,
        area: Rect,
        model: &ViewModel<'_>,
        theme: &Theme,
    ) -> PageResponse {
        match self {
            Overlay::Help(page) => page.mouse(mouse),
            Overlay::Logbook(page) => page.mouse(mouse, area, model),
            Overlay::Quest(page) => page.mouse(mouse, model),
            Overlay::Sessions(page) => page.mouse(mouse, model),
            Overlay::Docket(page) => page.mouse(mouse, area, model, theme),
            Overlay::Scene(page) => page.mouse(mouse),
        }
    }

    /// Draws the page; says where the cursor is, if one types in it.
    pub fn draw(
        &self,
        area: Rect,
        buffer: &mut Buffer,
        model: &ViewModel<'_>,
        theme: &Theme,
    ) -> Option<Position> {
        match self {
            Overlay::Help(page) => page.draw(area, buffer, theme),
            Overlay::Logbook(page) => return page.draw(area, buffer, model, theme),
            Overlay::Quest(page) => page.draw(area, buffer, model, theme),
            Overlay::Sessions(page) => page.draw(area, buffer, model, theme),
            Overlay::Scene(page) => page.draw(area, buffer, model, theme),
            Overlay::Docket(page) => return page.draw(area, buffer, model, theme),
        }
        None
    }
}
