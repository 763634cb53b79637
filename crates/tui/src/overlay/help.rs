//! The help page: one table of keys and commands, and its drawing.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::PageResponse;
use super::list::{Scroll, letter, motion, wheel};
use super::panel::{self, Panel};
use crate::text::wrap::{width, wrap};
use crate::theme::{Theme, Tint};

/// Keys and commands with their meaning, by the place where they count.
pub const KEYS: &[(&str, &[(&str, &str)])] = &[
    (
        "INSERT: you type",
        &[
            ("Enter", "send"),
            ("Alt+Enter", "a new line"),
            ("Up Down", "what you said before"),
            ("Tab", "complete a name after @"),
            ("Esc", "to NORMAL"),
        ],
    ),
    (
        "NORMAL: you look",
        &[
            ("i Enter", "to INSERT"),
            ("j k", "scroll by a line"),
            ("Ctrl+d Ctrl+u", "scroll by half a screen"),
            ("g G", "to the top, to the bottom"),
            ("/ n N", "search upwards; older, newer"),
            ("z Z", "fold or unfold the lowest long piece; all"),
            ("<", "look at the past"),
            ("d", "docket: answer what waits for you"),
            ("s", "sessions: gauges, cost, how to open each"),
            ("t", "quest log: tasks, or plan and decisions"),
            ("o", "logbook: every raw message of every session"),
            ("v", "scene: who is on the stage"),
            ("m", "sound on, sound off"),
            ("?", "this page"),
        ],
    ),
    (
        "TIME",
        &[
            ("< >", "one fact back, one fact on"),
            ("{ }", "to the piece of the story before, to the next"),
            ("Home End", "to the first fact, to the last"),
            ("space", "play from here, stop"),
            ("Esc", "back to the present"),
        ],
    ),
    (
        "PAGES",
        &[
            ("j k PgUp PgDn g G", "scroll or choose"),
            ("q Esc", "close"),
            ("docket: y h m n", "yes once, for an hour, for the mission; no"),
            ("docket: Enter", "decide one by one, or change what was decided"),
            ("deciding: a-z 1-9", "choose an option; where several can be, mark it"),
            ("deciding: i s", "in your own words; leave it to the asker"),
            ("deciding: Tab < >", "the next one, the one before"),
            ("deciding: y", "in the review: send all of it"),
            ("plan: Tab", "the plan, the moves"),
            ("sessions: o", "the logbook of that session"),
            ("logbook: d f Tab 1-9 x", "details, filter, source, streaming pieces"),
        ],
    ),
    (
        "ANYWHERE",
        &[
            ("Ctrl+C", "leave (it can be resumed); twice: at once"),
            ("Ctrl+Z", "suspend; fg brings it back"),
            ("wheel, click", "scroll, answer"),
        ],
    ),
    (
        "WORDS YOU CAN TYPE",
        &[
            ("words", "for the Arbiter, or for the agents"),
            ("@orchestrator WORDS", "for the Orchestrator at work"),
            ("@file", "name a file of the project"),
            ("/yes q1 [hour|mission]", "allow what q1 asks"),
            ("/no q1 [WHY]", "refuse it"),
            ("/pause /resume", "begin no further turn; continue"),
            ("/interrupt", "stop the running turn"),
            ("/release", "end the Orchestrator's session"),
            ("/force AGENT", "conducted: stop; this agent works next"),
            ("/skip", "conducted: stop; leave the step out"),
            ("/retry", "conducted: stop; the last one tries again"),
            ("/cancel", "end the mission"),
            ("/quit", "leave; the mission can be resumed"),
        ],
    ),
];

const HINTS: &[(&str, &str)] = &[("j/k", "scroll"), ("q", "close"), ("g/G", "top, bottom")];

#[derive(Debug, Clone, PartialEq, Default)]
pub struct HelpPage {
    scroll: Scroll,
}

impl HelpPage {
    /// A key was pressed.
    pub fn key(&mut self, key: KeyEvent) -> PageResponse {
        if key.code == KeyCode::Esc || matches!(letter(&key), Some('q' | '?')) {
            return PageResponse::Close;
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
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let panel = Panel { title: "Help", note: String::new(), hints: HINTS };
        let inner = panel.draw(area, buffer, theme);
        panel::lines(inner, buffer, &content(inner.width, theme), &self.scroll, theme);
    }
}

fn content(columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let widest = KEYS.iter().flat_map(|(_, keys)| keys.iter()).map(|(key, _)| width(key)).max().unwrap_or(0);
    // Where both do not fit side by side, what a key does comes right after it.
    let (keys_width, hang) =
        if usize::from(columns) >= widest + 40 { (widest, widest as u16 + 4) } else { (0, 4) };
    let mut lines = Vec::new();
    for (place, keys) in KEYS {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::styled(format!(" {place}"), theme.style(Tint::Heading)));
        for (key, what) in *keys {
            let key = Span::styled(format!("  {key:keys_width$}  "), theme.style(Tint::Key));
            let what = Span::styled(*what, theme.style(Tint::Words));
            lines.extend(wrap(vec![key, what], columns, hang));
        }
    }
    lines
}
