//! How long things stay on the stage, and how many of them.

/// A bubble of speech.
pub const TALK_MS: u64 = 3_000;
/// A scroll on its way.
pub const SCROLL_MS: u64 = 4_000;
/// A receipt that is held up, and a claim that was turned back.
pub const RECEIPT_MS: u64 = 5_000;
/// A demon that is dismissed.
pub const LEAVE_MS: u64 = 2_000;
/// The sign of the end gleams.
pub const GLEAM_MS: u64 = 4_000;
/// The longest of them: what is older leaves no trace.
pub const RECENT_MS: u64 = RECEIPT_MS;
/// Events that are looked at to see what is young. A clock that was put back makes all of them young.
pub const RECENT_MAX: usize = 256;
/// Seals that lie before the Arbiter, the newest ones.
pub const SEALS_MAX: usize = 5;
/// Demons that can be told apart, the newest ones; more are counted.
pub const DEMONS_MAX: usize = 24;
/// Signs of an agent's name.
pub const NAME_CHARS_MAX: usize = 40;
/// Rows of words under the scene, beside the conversation.
pub const CAPTION_ROWS: u16 = 2;
/// Rows that the quest log keeps below the scene.
pub const QUEST_ROWS_MIN: u16 = 8;
/// Rows that the conductor's view keeps below the scene.
pub const PODIUM_ROWS_MIN: u16 = 16;
