//! Before the mission: title, the choice of a character, and a walk through the forest. It knows no terminal and no clock:
//! keys come in, beats come in, frames and what can be heard go out.

mod arrival;
mod choosing;
mod dice;
pub mod forest;
pub mod growing;
mod letters;
pub mod limits;
mod lost;
mod night;
mod page;
mod title;
mod walk;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::forest::{Fate, Forest, Met, Way};
use self::limits::{GREETING_BEATS, STEADY_BEATS};
use self::page::Page;
use crate::manner::{Character, Motion};
use crate::sound::Effect;
use crate::theme::Theme;

/// The ceremony, as far as it has come.
#[derive(Debug, Clone)]
pub struct Ceremony {
    seed: u64,
    chosen: Character,
    motion: Motion,
    stage: Stage,
    /// How many forests were entered.
    tries: u64,
    /// Counts what moves by itself. It stands still where nothing may.
    beat: u64,
    /// The beat at which the present stage began.
    since: u64,
}

#[derive(Debug, Clone)]
enum Stage {
    Title,
    Choosing,
    Walking(Forest),
    Lost { fate: Fate, turns: usize },
    Arrived,
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

impl Step {
    fn new(outcome: Outcome, effect: impl Into<Option<Effect>>) -> Step {
        Step { outcome, effect: effect.into() }
    }

    fn stay(effect: impl Into<Option<Effect>>) -> Step {
        Step::new(Outcome::Stay, effect)
    }
}

impl Ceremony {
    /// Before the title. Forests grow from the seed.
    pub fn new(seed: u64, chosen: Character, motion: Motion) -> Ceremony {
        Ceremony { seed, chosen, motion, stage: Stage::Title, tries: 0, beat: 0, since: 0 }
    }

    /// The forest, while one walks in it.
    pub fn forest(&self) -> Option<&Forest> {
        match &self.stage {
            Stage::Walking(forest) => Some(forest),
            Stage::Title | Stage::Choosing | Stage::Lost { .. } | Stage::Arrived => None,
        }
    }

    /// A key was pressed.
    pub fn key(&mut self, key: KeyEvent) -> Step {
        if key.kind == KeyEventKind::Release || matches!(key.code, KeyCode::Modifier(_) | KeyCode::Null) {
            return Step::stay(None);
        }
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            return Step::new(Outcome::Leave, None);
        }
        match self.stage {
            Stage::Title => self.key_at_title(key),
            Stage::Choosing => self.key_at_choosing(key),
            Stage::Walking(_) => match way(key.code) {
                Some(way) => self.walk(way),
                None => Step::new(Outcome::Over(self.chosen), Effect::Found),
            },
            Stage::Lost { .. } if !self.is_too_soon(key) => {
                self.enter(Stage::Choosing);
                Step::stay(Effect::Choose)
            }
            Stage::Arrived if !self.is_too_soon(key) => Step::new(Outcome::Over(self.chosen), None),
            Stage::Lost { .. } | Stage::Arrived => Step::stay(None),
        }
    }

    /// Whether something moves by itself, or will be over by itself: then beats are wanted. Names in a list do not move.
    pub fn is_alive(&self, theme: &Theme) -> bool {
        let is_still = matches!(self.stage, Stage::Choosing) && !theme.has_tiles();
        self.moves() && !is_still
    }

    fn moves(&self) -> bool {
        self.motion == Motion::Full
    }

    /// A beat passed.
    pub fn tick(&mut self) -> Step {
        if self.moves() {
            self.beat += 1;
        }
        let is_greeted = self.beat - self.since >= GREETING_BEATS;
        let outcome = match self.stage {
            Stage::Arrived if is_greeted => Outcome::Over(self.chosen),
            Stage::Arrived | Stage::Title | Stage::Choosing | Stage::Walking(_) | Stage::Lost { .. } => {
                Outcome::Stay
            }
        };
        Step::new(outcome, None)
    }

    /// Draws the present stage.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let mut page = Page::new(area, buffer, theme, self.beat);
        match &self.stage {
            Stage::Title => title::draw(&mut page),
            Stage::Choosing => choosing::draw(self.chosen, &mut page),
            Stage::Walking(forest) => walk::draw(forest, self.chosen, &mut page),
            Stage::Lost { fate, turns } => lost::draw(*fate, *turns, self.chosen, &mut page),
            Stage::Arrived => arrival::draw(self.chosen, &mut page),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "any other key goes on")]
    fn key_at_title(&mut self, key: KeyEvent) -> Step {
        match key.code {
            KeyCode::Char('q' | 'Q') => Step::new(Outcome::Leave, None),
            KeyCode::Char('m' | 'M') => Step::new(Outcome::Sound, None),
            _ => {
                self.enter(Stage::Choosing);
                Step::stay(Effect::Take)
            }
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "there are more keys than meanings")]
    fn key_at_choosing(&mut self, key: KeyEvent) -> Step {
        if let Some(way) = way(key.code) {
            return self.choose(choosing::beside(self.chosen, way));
        }
        match key.code {
            KeyCode::Char('q' | 'Q') => Step::new(Outcome::Leave, None),
            KeyCode::Char('m' | 'M') => Step::new(Outcome::Sound, None),
            KeyCode::Esc => {
                self.enter(Stage::Title);
                Step::stay(Effect::Choose)
            }
            KeyCode::Enter | KeyCode::Char(' ') => {
                self.tries += 1;
                self.enter(Stage::Walking(growing::grow(self.seed ^ self.tries.rotate_right(8))));
                Step::stay(Effect::Take)
            }
            KeyCode::Tab => self.choose(choosing::beside(self.chosen, Way::Right)),
            KeyCode::BackTab => self.choose(choosing::beside(self.chosen, Way::Left)),
            KeyCode::Char(digit @ '1'..='8') => {
                let number = usize::from(u8::try_from(digit).unwrap_or(b'1') - b'1');
                self.choose(Character::ALL[number % Character::ALL.len()])
            }
            _ => Step::stay(None),
        }
    }

    fn choose(&mut self, character: Character) -> Step {
        let moved = self.chosen != character;
        self.chosen = character;
        Step::stay(moved.then_some(Effect::Choose))
    }

    fn walk(&mut self, way: Way) -> Step {
        let Stage::Walking(forest) = &mut self.stage else { return Step::stay(None) };
        match forest.step(way) {
            Met::Open => Step::stay(Effect::Step),
            Met::Bump => Step::stay(None),
            Met::Lost(fate) => {
                let turns = forest.turn();
                self.enter(Stage::Lost { fate, turns });
                Step::stay(Effect::Lost)
            }
            Met::Found => {
                self.enter(Stage::Arrived);
                Step::stay(Effect::Found)
            }
        }
    }

    fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.since = self.beat;
    }

    /// A step that was meant for the forest: whoever walks fast has pressed the next key before they see that it is over.
    fn is_too_soon(&self, key: KeyEvent) -> bool {
        self.moves() && self.beat - self.since < STEADY_BEATS && way(key.code).is_some()
    }
}

/// Where a key goes.
#[expect(clippy::wildcard_enum_match_arm, reason = "there are more keys than directions")]
fn way(code: KeyCode) -> Option<Way> {
    match code {
        KeyCode::Left | KeyCode::Char('h' | 'H') => Some(Way::Left),
        KeyCode::Right | KeyCode::Char('l' | 'L') => Some(Way::Right),
        KeyCode::Up | KeyCode::Char('k' | 'K') => Some(Way::Up),
        KeyCode::Down | KeyCode::Char('j' | 'J') => Some(Way::Down),
        _ => None,
    }
}
