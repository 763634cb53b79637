//! The scene on a page of its own: the stage where tiles can be drawn, else who is there in words.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::PageResponse;
use super::list::{Scroll, letter, motion, wheel};
use super::panel::{self, Panel};
use crate::decoration::Scene;
use crate::text::wrap::wrap;
use crate::theme::{Theme, Tint};
use crate::ui_command::UiCommand;
use crate::view_model::{Attachment, ViewModel};

/// More rows than this add nothing but sky.
const ROWS_MAX: u16 = 26;

const HINTS: &[(&str, &str)] = &[("q", "close"), ("m", "sound"), ("<>", "step")];
const REPLAY: &[(&str, &str)] = &[("q", "close"), ("<>", "step"), ("{}", "chapter"), ("space", "play")];

/// What the person has made of the page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScenePage {
    scroll: Scroll,
}

impl ScenePage {
    /// A key was pressed.
    pub fn key(&mut self, key: KeyEvent) -> PageResponse {
        if key.code == KeyCode::Esc || matches!(letter(&key), Some('q' | 'v')) {
            return PageResponse::Close;
        }
        // The stage is looked at while time goes on or back.
        if matches!(letter(&key), Some('<' | '>' | '{' | '}' | ' ')) {
            return PageResponse::Pass;
        }
        if letter(&key) == Some('m') {
            return PageResponse::Wish(UiCommand::Sound);
        }
        if let Some(motion) = motion(&key) {
            self.scroll.go(motion);
        }
        PageResponse::Stay
    }

    /// The mouse did something.
    pub fn mouse(&mut self, mouse: MouseEvent) -> PageResponse {
        if let Some(motion) = wheel(&mouse) {
            self.scroll.go(motion);
        }
        PageResponse::Stay
    }

    /// Draws the page.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, model: &ViewModel<'_>, theme: &Theme) {
        let is_past = model.is_past() || model.seat == Attachment::Replay;
        let note = if is_past { format!("{} of {}", model.head, model.last) } else { String::new() };
        let panel = Panel { title: "The scene", note, hints: if is_past { REPLAY } else { HINTS } };
        let inner = panel.draw(area, buffer, theme);
        let stage = stage(inner);
        if Scene::has_room(stage, model, theme) {
            Scene::draw(stage, model, buffer, theme);
        } else {
            panel::lines(inner, buffer, &words(inner.width, model, theme), &self.scroll, theme);
        }
    }
}

/// Whether the page in this area shows tiles.
pub fn has_picture(area: Rect, model: &ViewModel<'_>, theme: &Theme) -> bool {
    Scene::has_room(stage(panel::rooms(area).1), model, theme)
}

/// Where the stage is: in the middle of a page that is higher than it.
fn stage(inner: Rect) -> Rect {
    let height = inner.height.min(ROWS_MAX);
    Rect { y: inner.y + (inner.height - height) / 2, height, ..inner }
}

fn words(columns: u16, model: &ViewModel<'_>, theme: &Theme) -> Vec<Line<'static>> {
    let told = Scene::sentences(model);
    if told.is_empty() {
        return vec![Line::default(), Line::styled("  No session has begun yet.", theme.style(Tint::Dim))];
    }
    let line = |sentence| vec![Span::raw("  "), Span::styled(sentence, theme.style(Tint::Words))];
    std::iter::once(Line::default())
        .chain(told.into_iter().flat_map(|sentence| wrap(line(sentence), columns, 2)))
        .collect()
}
