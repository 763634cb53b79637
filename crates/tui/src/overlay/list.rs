//! Scrolling and choosing, the same on every page. Drawing records the number of lines and how many fit, so that keys know
//! how far they can move.

use std::cell::Cell;
use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};

/// How many lines a notch of the wheel goes.
const WHEEL_LINES: isize = 3;

/// A motion of a key or of the wheel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Motion {
    /// So many lines; up if negative.
    Lines(isize),
    /// So many halves of what fits.
    Halves(isize),
    /// To the first line.
    Top,
    /// To the last line.
    End,
}

/// The letter of a key, if no modifier makes another key of it.
pub(super) fn letter(key: &KeyEvent) -> Option<char> {
    let bare = !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SUPER);
    key.code.as_char().filter(|_| bare)
}

/// The motion that a key means.
pub(super) fn motion(key: &KeyEvent) -> Option<Motion> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code.as_char()? {
            'd' => Some(Motion::Halves(1)),
            'u' => Some(Motion::Halves(-1)),
            'f' => Some(Motion::Halves(2)),
            'b' => Some(Motion::Halves(-2)),
            _ => None,
        };
    }
    let by_code = [
        (KeyCode::Down, Motion::Lines(1)),
        (KeyCode::Up, Motion::Lines(-1)),
        (KeyCode::PageDown, Motion::Halves(2)),
        (KeyCode::PageUp, Motion::Halves(-2)),
        (KeyCode::Home, Motion::Top),
        (KeyCode::End, Motion::End),
        (KeyCode::Char('j'), Motion::Lines(1)),
        (KeyCode::Char('k'), Motion::Lines(-1)),
        (KeyCode::Char('g'), Motion::Top),
        (KeyCode::Char('G'), Motion::End),
    ];
    by_code.into_iter().find(|(code, _)| *code == key.code).map(|(_, motion)| motion)
}

/// The motion of the mouse's wheel.
pub(super) fn wheel(mouse: &MouseEvent) -> Option<Motion> {
    if mouse.kind == MouseEventKind::ScrollDown {
        return Some(Motion::Lines(WHEEL_LINES));
    }
    (mouse.kind == MouseEventKind::ScrollUp).then_some(Motion::Lines(-WHEEL_LINES))
}

/// Where a motion leads from `at`, among `count` of which `rows` fit.
pub(super) fn step(at: usize, count: usize, rows: usize, motion: Motion) -> usize {
    let last = count.saturating_sub(1);
    let half = isize::try_from((rows / 2).max(1)).unwrap_or(isize::MAX);
    let to = match motion {
        Motion::Lines(lines) => at.saturating_add_signed(lines),
        Motion::Halves(halves) => at.saturating_add_signed(halves.saturating_mul(half)),
        Motion::Top => 0,
        Motion::End => last,
    };
    to.min(last)
}

/// How far a page is scrolled.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Scroll {
    top: Cell<usize>,
    rows: Cell<usize>,
    total: Cell<usize>,
}

impl Scroll {
    /// Scrolls, as far as there is something to see.
    pub(super) fn go(&self, motion: Motion) {
        let places = (self.total.get() + 1).saturating_sub(self.rows.get()).max(1);
        self.top.set(step(self.top.get(), places, self.rows.get(), motion));
    }

    /// What is seen of `total` lines in `rows` rows.
    pub(super) fn fit(&self, rows: usize, total: usize) -> Range<usize> {
        self.rows.set(rows);
        self.total.set(total);
        let top = self.top.get().min(total.saturating_sub(rows));
        self.top.set(top);
        top..(top + rows).min(total)
    }

    /// What is seen, scrolled so that line `at` is.
    pub(super) fn fit_around(&self, at: usize, rows: usize, total: usize) -> Range<usize> {
        let top = self.top.get();
        if at < top {
            self.top.set(at);
        } else if at >= top + rows {
            self.top.set((at + 1).saturating_sub(rows));
        }
        self.fit(rows, total)
    }

    /// How many rows there were when it was last drawn.
    pub(super) fn rows(&self) -> usize {
        self.rows.get()
    }

    /// How many lines are below what is seen.
    pub(super) fn below(&self) -> usize {
        self.total.get().saturating_sub(self.top.get() + self.rows.get())
    }

    /// How many lines are above what is seen.
    pub(super) fn above(&self) -> usize {
        self.top.get()
    }

    /// Back to the first line.
    pub(super) fn reset(&self) {
        self.top.set(0);
    }
}
