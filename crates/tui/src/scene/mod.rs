//! The tile scene: the mission as a small stage. It is a function of the state, of what happened a moment ago, and of the
//! beat that moves whatever is alive.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::sight::Sight;
use crate::theme::Theme;

/// How much of the height beside the conversation the scene takes, in rows; none where it is not drawn.
pub fn rows(_area: Rect, _sight: &Sight<'_>, _theme: &Theme) -> u16 {
    0
}

/// Draws the scene.
pub fn draw(_area: Rect, _sight: &Sight<'_>, _buffer: &mut Buffer, _theme: &Theme) {}

/// Whether something on it moves by itself now.
pub fn is_alive(_sight: &Sight<'_>) -> bool {
    false
}
