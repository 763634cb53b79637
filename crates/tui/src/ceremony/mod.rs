//! Before the mission: title, the choice of a character, and a walk through the forest. It knows no terminal and no clock:
//! keys come in, beats come in, frames and what can be heard go out.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::manner::{Character, Motion};
use crate::sound::Effect;
use crate::theme::Theme;

/// The ceremony, as far as it has come.
#[derive(Debug, Clone)]
pub struct Ceremony {
    _seed: u64,
    chosen: Character,
    _motion: Motion,
}

/// What a key came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    Stay,
    /// It is over: this is the one that stands before the Arbiter.
    Over(Character),
    /// Sound on or off.
    Sound,
    /// The person leaves.
    Leave,
}

/// What a key came to, and how it sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What it came to.
    pub outcome: Outcome,
    /// How it sounds.
    pub effect: Option<Effect>,
}

impl Ceremony {
    /// Before the title. Forests grow from the seed.
    pub fn new(seed: u64, chosen: Character, motion: Motion) -> Ceremony {
        Ceremony { _seed: seed, chosen, _motion: motion }
    }

    /// A key was pressed.
    pub fn key(&mut self, _key: KeyEvent) -> Step {
        Step { outcome: Outcome::Over(self.chosen), effect: None }
    }

    /// Whether something moves by itself: then the next beat is drawn.
    pub fn is_alive(&self) -> bool {
        false
    }

    /// A beat passed.
    pub fn tick(&mut self) -> Step {
        Step { outcome: Outcome::Stay, effect: None }
    }

    /// Draws the present stage.
    pub fn draw(&self, _area: Rect, _buffer: &mut Buffer, _theme: &Theme) {}
}
