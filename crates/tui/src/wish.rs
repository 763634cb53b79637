//! What a person wants that the screen cannot do itself.

use mind::SessionId;
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
    /// Show the mission as it was after so many facts; the present if none.
    Look(Option<u64>),
    /// Read the raw lines of these sessions, of all if none; nothing any more if `open` is false.
    Logbook {
        /// They are looked at.
        open: bool,
        /// Whose.
        session: Option<SessionId>,
    },
}
