//! The bounds of the Bot API, and of its fake.

use std::time::Duration;

/// "Text of the message to be sent, 1-4096 characters after entities parsing" (core.telegram.org/bots/api#sendmessage).
/// Counted in UTF-16 code units, as entities are; unverified: the server may count code points, which is never stricter.
pub(super) const TEXT_UNITS_MAX: usize = 4_096;
/// td, `get_input_message_entities`: `MAX_USER_ENTITY_COUNT = 100`, "server-side limit"; more are left out in silence.
pub(super) const ENTITIES_MAX: usize = 100;
/// "Data to be sent in a callback query to the bot when the button is pressed, 1-64 bytes" (#inlinekeyboardbutton).
pub(super) const BUTTON_DATA_BYTES_MAX: usize = 64;
/// Unverified: not in the documentation; people report about 100 buttons and 10 kB (rubenlagus/TelegramBots, issue 218).
pub(super) const BUTTONS_MAX: usize = 100;
/// As unverified as [`BUTTONS_MAX`], and reported at the same place.
pub(super) const MARKUP_BYTES_MAX: usize = 10 << 10;
/// "Text of the notification ... 0-200 characters" (#answercallbackquery).
pub(super) const TAP_ANSWER_MAX: usize = 200;
/// "Values between 1-100 are accepted. Defaults to 100" (#getupdates).
pub(super) const POLL_UPDATES_MAX: i64 = 100;
/// telegram-bot-api, Client.h: `LONG_POLL_MAX_TIMEOUT = 50`, in seconds.
pub(super) const POLL_TIMEOUT_S_MAX: i64 = 50;
/// telegram-bot-api, `process_get_updates_query`: who asks again with the same offset within this time waits as long.
pub(super) const POLL_REPEATED: Duration = Duration::from_secs(3);
/// The same: and gets one update only, if it asks within this time.
pub(super) const POLL_HASTY: Duration = Duration::from_millis(500);
/// telegram-bot-api, `fail_query_conflict`: a further conflict within this time is answered this much later.
pub(super) const CONFLICT_PAUSE: Duration = Duration::from_secs(3);
/// "they will not be kept longer than 24 hours" (#getting-updates).
pub(super) const UPDATE_AGE_MS_MAX: u64 = 24 * 60 * 60 * 1_000;
/// "A message can only be deleted if it was sent less than 48 hours ago" (#deletemessage).
pub(super) const DELETE_AGE_MS_MAX: u64 = 48 * 60 * 60 * 1_000;
/// "avoid sending more than one message per second" to one chat, "we may allow short bursts" (core.telegram.org/bots/faq). How
/// short is unverified.
pub(super) const CHAT_BURST: usize = 3;
/// "not be able to send more than 20 messages per minute to the same group" (the same).
pub(super) const GROUP_PER_MINUTE: usize = 20;
/// "no more than about 30 messages per second" in all chats (the same).
pub(super) const BOT_PER_SECOND: usize = 30;
/// The largest request that is read.
pub(super) const BODY_BYTES_MAX: usize = 1 << 20;
/// So many requests are recorded; older ones are forgotten.
pub(super) const REQUESTS_MAX: usize = 20_000;
