//! The tile scene: the mission as a small stage. It is a function of the state, of what happened a moment ago, and of the
//! beat that moves whatever is alive.

pub mod caption;
mod cast;
pub mod limits;
mod moment;
mod paint;
mod places;

use mind::charter::Way;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::decoration::tiles::Scale;
use crate::draw::put;
use crate::manner::Motion;
use crate::theme::{Theme, Tint};
use crate::view_model::ViewModel;
use limits::{CAPTION_ROWS, PODIUM_ROWS_MIN, QUEST_ROWS_MIN};

/// Rows below the picture: words, and one between them and whatever follows.
const WORDS_ROWS: u16 = CAPTION_ROWS + 1;

pub use cast::{Human, Pose, Scene, ScrollPlace};

impl Scene {
    /// How much of the height beside the conversation the scene takes, in rows; none where it is not drawn.
    pub fn rows(area: Rect, model: &ViewModel<'_>, theme: &Theme) -> u16 {
        let Some(scene) = drawn(model, theme) else { return 0 };
        let below = if model.state.way() == Way::Conductor { PODIUM_ROWS_MIN } else { QUEST_ROWS_MIN };
        let room = area.height.saturating_sub(below + WORDS_ROWS);
        places::scale(area.width, room, scene.crowd).map_or(0, |scale| places::rows(scale) + WORDS_ROWS)
    }

    /// Draws the scene: the picture, and below it what it shows in words.
    pub fn draw(area: Rect, model: &ViewModel<'_>, buffer: &mut Buffer, theme: &Theme) {
        let Some(scene) = drawn(model, theme) else { return };
        let Some((picture, scale)) = picture(area, &scene) else { return };
        paint::paint(&scene, picture, scale, beat(model), buffer, theme);
        let rows = (area.bottom() - picture.bottom()).min(CAPTION_ROWS);
        let below = Rect { y: picture.bottom(), height: rows, ..area };
        for (line, row) in caption::fitting(&scene, below, theme.style(Tint::Dim)).iter().zip(0..) {
            put(buffer, below, row, line);
        }
    }

    /// Whether an area has room for the picture, and it can be drawn at all.
    pub fn has_room(area: Rect, model: &ViewModel<'_>, theme: &Theme) -> bool {
        drawn(model, theme).is_some_and(|scene| picture(area, &scene).is_some())
    }

    /// Whether something on it moves by itself now, or will be gone in a moment.
    pub fn is_alive(model: &ViewModel<'_>) -> bool {
        let moves = model.manner.motion == Motion::Full;
        Scene::of(model).is_some_and(|scene| moves && scene.boils || scene.passing && cast::passes(model))
    }

    /// Whether something is to be seen for a moment only.
    pub fn is_passing(model: &ViewModel<'_>) -> bool {
        Scene::of(model).is_some_and(|scene| scene.passing)
    }

    /// The same in words, a sentence each; none before the mission is opened.
    pub fn sentences(model: &ViewModel<'_>) -> Vec<String> {
        Scene::of(model).as_ref().map_or(Vec::new(), caption::tell)
    }
}

/// The scene, where tiles can be drawn and are wanted.
fn drawn(model: &ViewModel<'_>, theme: &Theme) -> Option<Scene> {
    if theme.has_tiles() && model.manner.scene { Scene::of(model) } else { None }
}

/// Where the picture stands: above the words, of which one row is seen at least.
fn picture(area: Rect, scene: &Scene) -> Option<(Rect, Scale)> {
    let scale = places::scale(area.width, area.height.saturating_sub(1), scene.crowd)?;
    let height = places::rows(scale).max(area.height.saturating_sub(WORDS_ROWS));
    Some((Rect { height, ..area }, scale))
}

/// Where nothing is to move by itself it is always the first beat.
fn beat(model: &ViewModel<'_>) -> u64 {
    match model.manner.motion {
        Motion::Full => model.beat,
        Motion::Reduced => 0,
    }
}
