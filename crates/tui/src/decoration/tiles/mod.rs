//! Tiles: sprites of ours, painted pixel by pixel on a canvas and shown as half blocks, two pixels to a cell. The sprites
//! are text files in `art/`.

pub mod canvas;
pub mod colour;
pub mod shelf;
pub mod sprite;

pub use canvas::Canvas;
pub use colour::PixelColour;
pub use shelf::{Scale, Tile};
pub use sprite::Sprite;
