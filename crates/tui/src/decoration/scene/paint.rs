//! Paints the stage. The beat moves what is alive, each in a time of its own, so that little changes from one beat to the
//! next: what changes is what is sent to the terminal.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget};

use super::cast::{Arbiter, Demon, Human, Pose, Scene, SceneEnding, ScrollPlace};
use super::places::{GROUND, Places, places};
use crate::decoration::tiles::canvas::Brush;
use crate::decoration::tiles::{Canvas, PixelColour, Scale, Tile};
use crate::draw::put;
use crate::theme::{Colours, Theme, Tint};

/// Grass in moonlight.
const GRASS: PixelColour = PixelColour { rgb: [0x4c, 0x5c, 0x4a], ansi: 8 };
/// The seal of a check that passed.
const PASSED: PixelColour = PixelColour { rgb: [0x5c, 0xa8, 0x5c], ansi: 2 };
/// The seal of one that did not.
const FAILED: PixelColour = PixelColour { rgb: [0xb8, 0x4a, 0x4a], ansi: 1 };
/// How much light is left to those who are spent, of a hundred.
const SPENT_LIGHT: u16 = 70;
/// How much to what stands far behind.
const FAR_LIGHT: u16 = 55;

/// Paints the scene at the bottom of an area, which is high enough for the scale.
pub(super) fn paint(scene: &Scene, area: Rect, scale: Scale, beat: u64, buffer: &mut Buffer, theme: &Theme) {
    let places = places(area, scale, scene.crowd);
    let mut stage = Stage { canvas: Canvas::over(area), places: &places, beat };
    stage.ground(scene);
    stage.far();
    stage.company(scene);
    stage.demons(scene);
    stage.signs(scene);
    stage.canvas.show(area, buffer, theme.colours);
    if places.demons.len() < scene.crowd && theme.colours != Colours::None {
        count(scene.crowd, area, &places, buffer, theme);
    }
}

/// Says how many they are, below their feet.
fn count(crowd: usize, area: Rect, places: &Places, buffer: &mut Buffer, theme: &Theme) {
    let text = format!(" x{crowd} ");
    let right = places.ground.2.clamp(0, i32::from(area.width)) as u16;
    let x = right.saturating_sub(text.len() as u16);
    let row = Rect { x: area.x + x, width: area.width.saturating_sub(x), ..area };
    let lowest = area.height.saturating_sub(1);
    // Words stand on nothing: the ground would colour them.
    Clear.render(
        Rect { y: area.y + lowest, height: 1, width: (text.len() as u16).min(row.width), ..row },
        buffer,
    );
    put(buffer, row, lowest, &Line::styled(text, theme.style(Tint::Title)));
}

struct Stage<'a> {
    canvas: Canvas,
    places: &'a Places,
    beat: u64,
}

impl Stage<'_> {
    /// One of several frames; each lasts `beats`, and the first of them begins at `from`.
    fn turn<'b>(&self, frames: &[&'b str], beats: u64, from: u64) -> &'b str {
        let index = (self.beat.wrapping_add(from) / beats) % (frames.len() as u64).max(1);
        frames.get(index as usize).copied().unwrap_or("still")
    }

    fn put(&mut self, tile: Tile, frame: &str, skin: usize, at: (i32, i32), brush: Brush) {
        self.put_scaled(self.places.scale, tile, frame, skin, at, brush);
    }

    fn put_scaled(
        &mut self,
        scale: Scale,
        tile: Tile,
        frame: &str,
        skin: usize,
        at: (i32, i32),
        brush: Brush,
    ) {
        if let Some(frame) = tile.frame(scale, frame, skin) {
            self.canvas.paint(frame, at.0, at.1, brush);
        }
    }

    fn ground(&mut self, scene: &Scene) {
        let (y, from, to) = self.places.ground;
        for x in from..to {
            self.canvas.dot(x, y, GRASS);
            // Here and there it grows a little.
            if ((x * 37) ^ (x / 3 * 11)) % 13 < 3 {
                self.canvas.dot(x, y + GROUND - 1, GRASS);
            }
        }
        for (seal, place) in scene.seals.iter().zip(0..) {
            let ink = if *seal { PASSED } else { FAILED };
            self.canvas.fill(self.places.arbiter + place * 3, y, 2, GROUND, ink);
        }
    }

    /// The forest, and the moon over it, where there is room beside the company and above.
    fn far(&mut self) {
        let Places { unit, y, over, ground: (_, from, to), .. } = *self.places;
        let brush = Brush { light: FAR_LIGHT, ..Brush::default() };
        let (left, right) = (from - 8 * unit, to);
        if left >= 0 {
            self.put(Tile::Pine, "tall", 0, (left, y), brush);
            self.put(Tile::Tree, "bare", 0, (right, y), Brush { mirrored: true, ..brush });
        }
        if left >= 9 * unit {
            self.put(Tile::Tree, "still", 0, (left - 9 * unit, y), brush);
            self.put(Tile::Pine, "still", 0, (right + 9 * unit, y), brush);
        }
        // No sign over a head is to hide it.
        let largest = [Scale::Large, Scale::Small].into_iter().find(|scale| over >= i32::from(scale.side()));
        if let Some(scale) = largest {
            let side = i32::from(scale.side());
            let x = (to - side).min(self.canvas.width() as i32 - side - unit);
            self.put_scaled(scale, Tile::Moon, "still", 0, (x, (over - side) / 2), Brush::default());
        }
    }

    fn company(&mut self, scene: &Scene) {
        let Places { unit, y, human, arbiter, cauldron, .. } = *self.places;
        if scene.scroll == ScrollPlace::Lies {
            let side = i32::from(Scale::Small.side());
            let at = ((arbiter + 8 * unit + human) / 2 - side / 2, y + 8 * unit - side);
            self.put_scaled(Scale::Small, Tile::Scroll, "still", 0, at, Brush::default());
        }
        let frame = match scene.arbiter {
            Arbiter::Rests => "still",
            Arbiter::Thinks => self.turn(&["still", "still", "still", "blink"], 4, 1),
            Arbiter::Speaks => self.turn(&["talk", "still"], 2, 0),
            Arbiter::Reads => self.turn(&["book", "book", "turn"], 4, 3),
            Arbiter::Sleeps => "sleep",
        };
        self.put(Tile::Arbiter, frame, 0, (arbiter, y), Brush::default());
        let fire = if scene.boils { self.turn(&["burn1", "burn2", "burn3"], 2, 1) } else { "ember" };
        self.put(Tile::Fire, fire, 0, (cauldron, y), Brush::default());
        let cooks = if scene.boils { self.turn(&["bubble1", "bubble2", "bubble3"], 2, 1) } else { "still" };
        self.put(Tile::Cauldron, cooks, 0, (cauldron, y - 2 * unit), Brush::default());
        let frame = match scene.human {
            Human::Looks | Human::Speaks | Human::Wanted(_) => "still",
            Human::Cheers => "cheer",
            Human::Mourns => "down",
        };
        self.put(scene.character.tile(), frame, 0, (human, y), Brush::default());
    }

    fn demons(&mut self, scene: &Scene) {
        let places = self.places;
        let hidden = scene.demons.len().saturating_sub(places.demons.len());
        let seen: Vec<(&Demon, i32)> =
            scene.demons.iter().skip(hidden).zip(places.demons.iter().copied()).collect();
        for (demon, x) in &seen {
            self.demon(demon, *x);
        }
        for (demon, x) in seen {
            match demon.pose {
                Pose::Speaks => self.over(Tile::Bubble, self.turn(&["talk1", "talk2"], 2, 0), x),
                Pose::Sleeps => self.over(Tile::Slumber, self.turn(&["low", "high"], 4, 0), x),
                Pose::Works | Pose::Thinks | Pose::Waits | Pose::Asks | Pose::Spent | Pose::Leaves(_) => {}
            }
        }
    }

    fn demon(&mut self, demon: &Demon, x: i32) {
        let at = (x, self.places.y);
        if let Pose::Leaves(step) = demon.pose {
            let frame = ["puff1", "puff2", "puff3"][usize::from(step.min(2))];
            return self.put(Tile::Puff, frame, 0, at, Brush::default());
        }
        let frame = match (demon.pose, demon.verifier) {
            (Pose::Works, false) => self.turn(&["hop", "still"], 2, 0),
            (Pose::Works | Pose::Thinks, true) => self.turn(&["look", "still"], 4, 0),
            (Pose::Speaks, _) => "talk",
            (Pose::Waits | Pose::Asks, false) => "wait",
            (Pose::Sleeps, _) => "sleep",
            (Pose::Spent, false) => "spent",
            (Pose::Spent | Pose::Waits | Pose::Asks, true) | (Pose::Thinks | Pose::Leaves(_), _) => "still",
        };
        let light = if demon.pose == Pose::Spent { SPENT_LIGHT } else { 100 };
        let tile = if demon.verifier { Tile::Verifier } else { Tile::Demon };
        self.put(tile, frame, demon.skin, at, Brush { light, ..Brush::default() });
    }

    /// What hangs over heads and in the air.
    fn signs(&mut self, scene: &Scene) {
        let Places { unit, y, over, human, arbiter, cauldron, end, .. } = *self.places;
        match scene.human {
            Human::Wanted(_) => self.over(Tile::Mark, self.turn(&["still", "glow"], 2, 1), human),
            Human::Speaks => self.over(Tile::Bubble, self.turn(&["talk1", "talk2"], 2, 0), human),
            Human::Looks | Human::Cheers | Human::Mourns => {}
        }
        match scene.arbiter {
            Arbiter::Speaks => self.over(Tile::Bubble, self.turn(&["talk1", "talk2"], 2, 0), arbiter),
            Arbiter::Sleeps => self.over(Tile::Slumber, self.turn(&["low", "high"], 4, 2), arbiter),
            Arbiter::Rests | Arbiter::Thinks | Arbiter::Reads => {}
        }
        if let Some(passed) = scene.receipt {
            self.over(Tile::Receipt, if passed { "pass" } else { "fail" }, cauldron + 2 * unit);
        }
        if let ScrollPlace::Comes(part) = scene.scroll {
            // From the human's hands to the Arbiter's.
            let x = human + 2 * unit + (arbiter - human) * i32::from(part.min(100)) / 100;
            self.put(Tile::Scroll, "open", 0, (x, over), Brush::default());
        }
        if let Some(ending) = scene.ending {
            let frame = match ending {
                SceneEnding::Done | SceneEnding::Planned => self.turn(&["done", "gleam"], 2, 0),
                SceneEnding::Failed | SceneEnding::Unsure => "failed",
                SceneEnding::Cancelled => "cancelled",
                SceneEnding::Exhausted => "exhausted",
            };
            let at = if scene.crowd == 0 { (end, y) } else { (cauldron, over) };
            self.put(Tile::End, frame, 0, at, Brush::default());
        }
    }

    fn over(&mut self, tile: Tile, frame: &str, x: i32) {
        let y = self.places.over;
        self.put(tile, frame, 0, (x, y), Brush::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_take_turns_by_the_beat() {
        let places = places(Rect::new(0, 0, 51, 8), Scale::Small, 1);
        let frames = |beat| {
            let stage = Stage { canvas: Canvas::new(0, 0), places: &places, beat };
            (stage.turn(&["hop", "still"], 2, 0), stage.turn(&["burn1", "burn2", "burn3"], 2, 1))
        };
        let seen: Vec<_> = (0..5).map(frames).collect();
        assert_eq!(
            seen,
            [("hop", "burn1"), ("hop", "burn2"), ("still", "burn2"), ("still", "burn3"), ("hop", "burn3")]
        );
        assert_eq!(frames(u64::MAX).0, "still");
    }
}
