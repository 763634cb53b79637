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
use ratatui::widgets::{Clear, Widget};

use self::forest::{Fate, Forest, Met, WalkDirection};
use self::limits::{GREETING_BEATS, REST_BEATS};
use self::page::CeremonyPage;
use super::sound::SoundEffect;
use crate::draw::put;
use crate::manner::{Character, Motion};
use crate::text::wrap::plain;
use crate::theme::{Theme, Tint};

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
    /// Beats since the last key.
    quiet: u64,
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
pub enum CeremonyOutcome {
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
pub struct CeremonyStep {
    /// What it came to.
    pub outcome: CeremonyOutcome,
    /// How it sounds.
    pub effect: Option<SoundEffect>,
}

impl CeremonyStep {
    fn new(outcome: CeremonyOutcome, effect: impl Into<Option<SoundEffect>>) -> CeremonyStep {
        CeremonyStep { outcome, effect: effect.into() }
    }

    fn stay(effect: impl Into<Option<SoundEffect>>) -> CeremonyStep {
        CeremonyStep::new(CeremonyOutcome::Stay, effect)
    }
}

impl Ceremony {
    /// Before the title. Forests grow from the seed.
    pub fn new(seed: u64, chosen: Character, motion: Motion) -> Ceremony {
        Ceremony { seed, chosen, motion, stage: Stage::Title, tries: 0, beat: 0, since: 0, quiet: 0 }
    }

    /// The forest, while one walks in it.
    pub fn forest(&self) -> Option<&Forest> {
        match &self.stage {
            Stage::Walking(forest) => Some(forest),
            Stage::Title | Stage::Choosing | Stage::Lost { .. } | Stage::Arrived => None,
        }
    }

    /// A key was pressed.
    pub fn key(&mut self, key: KeyEvent) -> CeremonyStep {
        if key.kind == KeyEventKind::Release || matches!(key.code, KeyCode::Modifier(_) | KeyCode::Null) {
            return CeremonyStep::stay(None);
        }
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            return CeremonyStep::new(CeremonyOutcome::Leave, None);
        }
        self.quiet = 0;
        match self.stage {
            Stage::Title => self.key_at_title(key),
            Stage::Choosing => self.key_at_choosing(key),
            Stage::Walking(_) => match way(key.code) {
                Some(way) => self.walk(way),
                None if is_sound(key) => CeremonyStep::new(CeremonyOutcome::Sound, None),
                None => CeremonyStep::new(CeremonyOutcome::Over(self.chosen), SoundEffect::Found),
            },
            // A step was meant for the forest: a person who holds a key down sees how the walk ended.
            Stage::Lost { .. } | Stage::Arrived if way(key.code).is_some() => CeremonyStep::stay(None),
            Stage::Lost { .. } | Stage::Arrived if is_sound(key) => {
                CeremonyStep::new(CeremonyOutcome::Sound, None)
            }
            Stage::Lost { .. } => {
                self.enter(Stage::Choosing);
                CeremonyStep::stay(SoundEffect::Choose)
            }
            Stage::Arrived => CeremonyStep::new(CeremonyOutcome::Over(self.chosen), None),
        }
    }

    /// Whether something moves by itself, or will be over by itself: then beats are wanted. Names in a list do not move, and
    /// where no key was pressed for a while everything rests.
    pub fn is_alive(&self, theme: &Theme) -> bool {
        let is_still = matches!(self.stage, Stage::Choosing) && !theme.has_tiles();
        let rests = self.quiet >= REST_BEATS && !matches!(self.stage, Stage::Arrived);
        self.moves() && !is_still && !rests
    }

    fn moves(&self) -> bool {
        self.motion == Motion::Full
    }

    /// A beat passed.
    pub fn tick(&mut self) -> CeremonyStep {
        if self.moves() {
            self.beat += 1;
            self.quiet += 1;
        }
        let is_greeted = self.beat - self.since >= GREETING_BEATS;
        let outcome = match self.stage {
            Stage::Arrived if is_greeted => CeremonyOutcome::Over(self.chosen),
            Stage::Arrived | Stage::Title | Stage::Choosing | Stage::Walking(_) | Stage::Lost { .. } => {
                CeremonyOutcome::Stay
            }
        };
        CeremonyStep::new(outcome, None)
    }

    /// Draws the present stage.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let mut page = CeremonyPage::new(area, buffer, theme, self.beat);
        match &self.stage {
            Stage::Title => title::draw(&mut page),
            Stage::Choosing => choosing::draw(self.chosen, &mut page),
            Stage::Walking(forest) => walk::draw(forest, self.chosen, &mut page),
            Stage::Lost { fate, turns } => lost::draw(*fate, *turns, self.chosen, &mut page),
            Stage::Arrived => arrival::draw(self.chosen, &mut page),
        }
    }

    /// Says something in the lowest lines, until the next frame without it: it takes the place of the keys.
    pub fn remark(note: &str, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let area = area.intersection(buffer.area);
        let lines = plain(note, area.width.max(1), theme.style(Tint::Chosen));
        let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX).min(area.height);
        let place = Rect { y: area.bottom() - rows, height: rows, ..area };
        Clear.render(place, buffer);
        for (row, line) in (0..rows).zip(lines) {
            put(buffer, place, row, &line.centered());
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "any other key goes on")]
    fn key_at_title(&mut self, key: KeyEvent) -> CeremonyStep {
        match key.code {
            KeyCode::Char('q' | 'Q') => CeremonyStep::new(CeremonyOutcome::Leave, None),
            _ if is_sound(key) => CeremonyStep::new(CeremonyOutcome::Sound, None),
            _ => {
                self.enter(Stage::Choosing);
                CeremonyStep::stay(SoundEffect::Take)
            }
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "there are more keys than meanings")]
    fn key_at_choosing(&mut self, key: KeyEvent) -> CeremonyStep {
        if let Some(way) = way(key.code) {
            return self.choose(choosing::beside(self.chosen, way));
        }
        match key.code {
            KeyCode::Char('q' | 'Q') => CeremonyStep::new(CeremonyOutcome::Leave, None),
            _ if is_sound(key) => CeremonyStep::new(CeremonyOutcome::Sound, None),
            KeyCode::Esc => {
                self.enter(Stage::Title);
                CeremonyStep::stay(SoundEffect::Choose)
            }
            KeyCode::Enter | KeyCode::Char(' ') => {
                self.tries += 1;
                self.enter(Stage::Walking(growing::grow(self.seed ^ self.tries.rotate_right(8))));
                CeremonyStep::stay(SoundEffect::Take)
            }
            KeyCode::Tab => self.choose(choosing::beside(self.chosen, WalkDirection::Right)),
            KeyCode::BackTab => self.choose(choosing::beside(self.chosen, WalkDirection::Left)),
            KeyCode::Char(digit @ '1'..='8') => {
                let number = usize::from(u8::try_from(digit).unwrap_or(b'1') - b'1');
                self.choose(Character::ALL[number % Character::ALL.len()])
            }
            _ => CeremonyStep::stay(None),
        }
    }

    fn choose(&mut self, character: Character) -> CeremonyStep {
        let moved = self.chosen != character;
        self.chosen = character;
        CeremonyStep::stay(moved.then_some(SoundEffect::Choose))
    }

    fn walk(&mut self, way: WalkDirection) -> CeremonyStep {
        let Stage::Walking(forest) = &mut self.stage else { return CeremonyStep::stay(None) };
        match forest.step(way) {
            Met::Open => CeremonyStep::stay(SoundEffect::Step),
            Met::Bump => CeremonyStep::stay(None),
            Met::Lost(fate) => {
                let turns = forest.turn();
                self.enter(Stage::Lost { fate, turns });
                CeremonyStep::stay(SoundEffect::Lost)
            }
            Met::Found => {
                self.enter(Stage::Arrived);
                CeremonyStep::stay(SoundEffect::Found)
            }
        }
    }

    fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.since = self.beat;
    }
}

fn is_sound(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Char('m' | 'M'))
}

/// Where a key goes.
#[expect(clippy::wildcard_enum_match_arm, reason = "there are more keys than directions")]
fn way(code: KeyCode) -> Option<WalkDirection> {
    match code {
        KeyCode::Left | KeyCode::Char('h' | 'H' | 'a' | 'A') => Some(WalkDirection::Left),
        KeyCode::Right | KeyCode::Char('l' | 'L' | 'd' | 'D') => Some(WalkDirection::Right),
        KeyCode::Up | KeyCode::Char('k' | 'K' | 'w' | 'W') => Some(WalkDirection::Up),
        KeyCode::Down | KeyCode::Char('j' | 'J' | 's' | 'S') => Some(WalkDirection::Down),
        _ => None,
    }
}
