//! The terminal's side of a mission: the screen, printed lines and the plain prompt, the person's presence and settings, the
//! ceremony, sound, signals, and the report at the end of a run.

pub(crate) mod ceremony;
pub mod console;
pub(crate) mod exit_report;
pub(crate) mod picking;
pub(crate) mod plain_signs;
pub mod prefs;
pub mod presence;
pub mod prompt;
pub mod screen;
pub mod signals;
pub mod sound;
pub mod watching;

pub use prompt::{is_there, person, user_name};
pub use tui::manner::Manner;
pub use tui::theme::Theme;
pub use tui::view_model::Attachment;
