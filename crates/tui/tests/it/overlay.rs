//! The pages over the main screen: what they show at several sizes, and what their keys wish.

mod docket;
mod laws;
mod logbook;
mod pages;
mod petitions;
mod stumbles;

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use jiff::tz::TimeZone;
use mind::petition::Petition;
use mind::play::Stage;
use mind::{SessionId, Timestamp};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui::manner::Manner;
use tui::overlay::{Overlay, PageResponse};
use tui::theme::Theme;
use tui::view_model::{Attachment, RawRecord, RecordDirection, Unreadable, ViewModel};
use unicode_width::UnicodeWidthStr;
use view::LiveText;
use view::stage_event::StageEvents;
use view::story::Story;

/// A mission, a page over it, and somebody before it.
struct Scene {
    stage: Stage,
    page: Overlay,
    records: Vec<RawRecord>,
    petitions: Vec<Petition>,
    unreadable: Vec<Unreadable>,
    seat: Attachment,
    is_past: bool,
    /// How long somebody has sat there.
    waited_ms: u64,
    size: (u16, u16),
    theme: Theme,
}

impl Scene {
    fn new(page: Overlay, lines: &[&str]) -> Scene {
        let mut stage = Stage::new();
        for line in lines {
            stage.set_up(line);
        }
        let (seat, theme) = (Attachment::House, Theme::PLAIN);
        Scene {
            stage,
            page,
            records: Vec::new(),
            petitions: Vec::new(),
            unreadable: Vec::new(),
            seat,
            is_past: false,
            waited_ms: 0,
            size: (80, 24),
            theme,
        }
    }

    fn with<T>(&mut self, look: impl FnOnce(&mut Overlay, &ViewModel<'_>) -> T) -> T {
        let model = ViewModel {
            state: &self.stage.state,
            story: &Story::default(),
            stage_events: &StageEvents::default(),
            beat: 0,
            manner: Manner::default(),
            head: 7,
            last: if self.is_past { 8 } else { 7 },
            now: Timestamp(self.stage.now().0 + self.waited_ms),
            zone: &TimeZone::UTC,
            live: &LiveText::new(),
            logbook: &self.records,
            files: &[],
            petitions: &self.petitions,
            unreadable: &self.unreadable,
            seat: self.seat,
            over: false,
            waits: 0,
            runs: true,
            by_hand: |profile| {
                Some(format!("claude --resume {}", profile.key)).filter(|_| profile.provider == "claude")
            },
        };
        look(&mut self.page, &model)
    }

    fn draw(&mut self) -> Buffer {
        let area = Rect::new(0, 0, self.size.0, self.size.1);
        let mut buffer = Buffer::empty(area);
        let theme = self.theme;
        self.with(|page, model| page.draw(area, &mut buffer, model, &theme));
        buffer
    }

    /// The page as text, at a size.
    fn frame(&mut self, columns: u16, rows: u16) -> String {
        self.size = (columns, rows);
        text(&self.draw())
    }

    fn press(&mut self, code: KeyCode) -> PageResponse {
        self.with(|page, model| page.key(KeyEvent::new(code, KeyModifiers::NONE), model))
    }

    /// Types letters, drawing after each, a second apart; says what was wished, and whether the page closed.
    fn keys(&mut self, letters: &str) -> Vec<PageResponse> {
        let mut replies = Vec::new();
        for letter in letters.chars() {
            self.draw();
            self.waited_ms += 1000;
            replies.push(self.press(KeyCode::Char(letter)));
        }
        replies.retain(|reply| *reply != PageResponse::Stay);
        replies
    }

    fn click(&mut self, column: u16, row: u16) -> PageResponse {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        let (area, theme) = (Rect::new(0, 0, self.size.0, self.size.1), self.theme);
        self.with(|page, model| page.mouse(mouse, area, model, &theme))
    }

    fn says(&mut self, session: u32, direction: RecordDirection, line: &str) {
        let at = Timestamp(1_700_000_000_000 + 1000 * self.records.len() as u64);
        self.records.push(RawRecord { session: SessionId(session), at, direction, line: Arc::from(line) });
    }
}

/// What a person reads.
fn text(buffer: &Buffer) -> String {
    let mut lines = Vec::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut line = String::new();
        let mut x = buffer.area.left();
        while x < buffer.area.right() {
            let sign = buffer[(x, y)].symbol();
            line.push_str(sign);
            x += (sign.width() as u16).max(1);
        }
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n")
}

/// Where a text stands on the page.
fn find(frame: &str, what: &str) -> (u16, u16) {
    let found = frame.lines().enumerate().find_map(|(y, line)| Some((line[..line.find(what)?].width(), y)));
    let (x, y) = found.unwrap_or_else(|| panic!("{what:?} is not shown:\n{frame}"));
    (x as u16, y as u16)
}
