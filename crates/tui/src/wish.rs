//! What a person wants that the screen cannot do itself.

use mind::event::Deed;

/// What is wanted of the house.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// Do this to the mission.
    Do(Deed),
    /// Leave; the mission rests and can be resumed.
    Leave,
    /// Let the shell come to the front.
    Suspend,
    /// Draw everything anew.
    Redraw,
}
