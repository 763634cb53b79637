//! Who watches a mission and who speaks to it here: the screen, the plain prompt and its printed lines, whether a person
//! is there, how they want the terminal, the ceremony, sound, signals, the last words of a run.

pub(crate) mod ceremony;
pub mod console;
pub(crate) mod farewell;
pub mod manners;
pub(crate) mod picking;
pub(crate) mod plain_signs;
pub mod presence;
pub mod prompt;
pub mod screen;
pub mod signals;
pub mod sound;
pub mod watching;

pub use prompt::{is_there, person, user_name};
pub use tui::manner::Manner;
pub use tui::sight::Seat;
pub use tui::theme::Theme;
