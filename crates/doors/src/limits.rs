//! Every bound of the doors, in one place.

use std::time::Duration;

/// How long a call over MCP waits when it does not say, and at most for a client that we do not know.
pub const WAIT: Duration = Duration::from_secs(45);
/// How often a waiting call tells its client that it still waits.
pub const PROGRESS_EVERY: Duration = Duration::from_secs(15);
/// When a waiting call tells so for the first time, at the latest.
pub const PROGRESS_FIRST: Duration = Duration::from_secs(1);
/// How many calls of one server wait at the same time; one more is told at once how it stands.
pub const WAITS_MAX: usize = 256;
/// How many calls of one server read or write the docket at the same time.
pub const VISITS_MAX: usize = 4;
/// How many petitions one call waits for.
pub const AWAITED_MAX: usize = 50;
/// The longest message of a client, in bytes. A longer one is dropped.
pub const MESSAGE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// How often a new petition's id is drawn again when it is taken.
pub const DRAWS_MAX: usize = 8;

/// How long before a deadline people are reminded, the earliest first; a petition with less than twice that time is not.
pub const REMINDERS_BEFORE: [Duration; 2] = [Duration::from_secs(60 * 60), Duration::from_secs(10 * 60)];
/// How often missions are looked at for what people are told of them, and how long the desk rests at the most.
pub const MISSIONS_LOOK: Duration = Duration::from_secs(3);
/// How long the desk rests at the least, when something is due.
pub const TEND_MIN: Duration = Duration::from_millis(20);
/// How many messages are known by what they show; then they are forgotten, and drawn once more than needed.
pub const DRAWN_MAX: usize = 1_000;
/// How many petitions are looked at for announcements; further ones are told of as they move up.
pub const ANNOUNCED_FROM: usize = 200;
/// To how many names a petition escalates.
pub const ESCALATE_MAX: usize = 20;
/// The longest message of Telegram's once its markup is parsed, in UTF-16 code units.
pub const TELEGRAM_SIGNS_MAX: usize = 4_096;
/// Buttons below one message.
pub const TELEGRAM_BUTTONS_MAX: usize = 100;
/// All buttons of a message together as they are sent, in bytes.
pub const TELEGRAM_MARKUP_BYTES_MAX: usize = 10_000;
/// The longest text of a button, in UTF-16 code units.
pub const BUTTON_SIGNS_MAX: usize = 64;
/// What Telegram carries with a button, in bytes.
pub const TAP_BYTES_MAX: usize = 64;
/// The longest payload of a deep link, in signs.
pub const START_SIGNS_MAX: usize = 64;
/// The longest id that stands in a button as it is, in bytes; of a longer one the beginning of its digest does.
pub const TAP_ID_BYTES_MAX: usize = 24;
/// Rows of a list on one page: petitions, decisions, missions.
pub const PAGE_ROWS: usize = 10;
/// Options of a decision on one page.
pub const PAGE_OPTIONS: usize = 24;
/// People to whom a petition can be handed, on one screen.
pub const HAND_OVER_PEOPLE_MAX: usize = 24;
/// Files that cannot be read and are named below the queue; the others are counted.
pub const UNREADABLE_MAX: usize = 5;
/// Of a petition's context beside its decisions, in UTF-16 code units, as all lengths below.
pub const CONTEXT_SHORT_SIGNS: usize = 300;
/// Of a decision's context at least, where its options need the room.
pub const CONTEXT_HEAD_SIGNS: usize = 700;
/// Of context and options on one page of a decision. All else that the page may show fits beside it.
pub const BODY_SIGNS_MAX: usize = 2_100;
/// Of a petition's whole context on one page.
pub const CONTEXT_PAGE_SIGNS: usize = 3_000;
/// Of the title of what is shown.
pub const TITLE_SIGNS_MAX: usize = 250;
/// Of a title or an answer among others.
pub const NAME_SIGNS_MAX: usize = 120;
/// Of an option's label, and of its key.
pub const LABEL_SIGNS_MAX: usize = 1_800;
pub const KEY_SIGNS_MAX: usize = 150;
/// Of what holds for a decision, in one line; and how many such lines there are.
pub const TERM_SIGNS_MAX: usize = 80;
pub const TERMS_MAX: usize = 5;
/// Of a text of a person's own below its decision.
pub const OWN_WORDS_SIGNS_MAX: usize = 350;
/// Of what was said last in a mission.
pub const LAST_WORDS_SIGNS_MAX: usize = 500;
/// Sessions and tasks of a mission that are shown; the others are counted.
pub const SESSIONS_MAX: usize = 5;
pub const TASKS_MAX: usize = 8;
/// How long connecting to a Bot API may take.
pub const TELEGRAM_CONNECT_TIME_MAX: Duration = Duration::from_secs(10);
/// How long a request to a Bot API may take, with its answer.
pub const TELEGRAM_REQUEST_TIME_MAX: Duration = Duration::from_secs(15);
/// How long the server keeps a poll open when there is nothing to tell.
pub const TELEGRAM_POLL_TIME: Duration = Duration::from_secs(25);
/// How much later than that its answer may come.
pub const TELEGRAM_POLL_SLACK: Duration = Duration::from_secs(10);
/// How many updates one poll brings. The server has no more than 100.
pub const TELEGRAM_POLL_UPDATES_MAX: usize = 100;
/// How long an unused connection is kept.
pub const TELEGRAM_IDLE_MAX: Duration = Duration::from_secs(60);
/// How often a connection shows that it is alive: a poll over one that is cut would wait for nothing.
pub const TELEGRAM_ALIVE_EVERY: Duration = Duration::from_secs(15);
/// The longest answer of a Bot API. A hundred updates with the longest texts have about 2 MB.
pub const TELEGRAM_ANSWER_BYTES_MAX: usize = 8 * 1024 * 1024;
/// How much of what a server says against a request is kept.
pub const TROUBLE_CHARS_MAX: usize = 300;
/// How long a server's `retry_after` is obeyed at most: a nonsensical number does not stop the door for ever.
pub const RETRY_AFTER_MAX: Duration = Duration::from_secs(60 * 60);
/// The same for a server that asks to wait and does not say how long.
pub const RETRY_AFTER_UNSAID: Duration = Duration::from_secs(5);

/// The pause after a first failure; it doubles with each one that follows.
pub const PAUSE_FIRST: Duration = Duration::from_millis(500);
/// The longest pause after failures.
pub const PAUSE_MAX: Duration = Duration::from_secs(60);
/// The first and the longest pause when somebody else takes the bot's updates.
pub const CONFLICT_PAUSE_FIRST: Duration = Duration::from_secs(5);
pub const CONFLICT_PAUSE_MAX: Duration = Duration::from_secs(60);
/// How often a token may be refused in a row before the door closes, and how long it waits between.
pub const TOKEN_REFUSALS_MAX: u32 = 3;
pub const TOKEN_REFUSED_PAUSE: Duration = Duration::from_secs(10);
/// A poll that brings nothing sooner than this was not held open by the server, and is not repeated at once.
pub const POLL_HASTY: Duration = Duration::from_secs(1);
/// The server numbers anew (after a week of silence, or because it is another server) if its updates are so far below the
/// one that was asked for. What is nearer is a repetition.
pub const UPDATES_REPEATED_MAX: i64 = 1_000;
/// How often the health of a door is written when nothing has changed but the time.
pub const HEALTH_EVERY_MS: u64 = 10_000;

/// The log of a Telegram door is written anew when it is longer than this...
pub const DOOR_LOG_BYTES_MAX: u64 = 1024 * 1024;
/// ...and so many times as long as its state.
pub const DOOR_LOG_TIMES_MAX: u64 = 4;
/// The longest line of that log: an update, and some more.
pub const DOOR_LINE_BYTES_MAX: usize = TELEGRAM_ANSWER_BYTES_MAX + 1024;
/// How many cut ends of that log are kept.
pub const DOOR_CUTS_MAX: u32 = 100;
/// What a door remembers has an end. Petitions that people were told of are forgotten when they close, and are no more than
/// the docket has. Of missions and chats so many are remembered: the chats are those of allowed people.
pub const TOLD_MISSIONS_MAX: usize = 10_000;
pub const TOLD_WORDS_MAX: usize = 64;
pub const CHATS_MAX: usize = 1_000;

/// How many chats are written to at the same time.
pub const OUTBOX_CHATS_AT_ONCE: usize = 8;
/// How many taps are answered at the same time.
pub const OUTBOX_TAPS_AT_ONCE: usize = 8;
/// How many messages wait for one chat. The oldest is dropped, and told.
pub const OUTBOX_CHAT_MAX: usize = 256;
/// How many chats the outbox remembers that it has nothing for.
pub const OUTBOX_CHATS_KEPT: usize = 256;
/// How many taps wait for their answer. The oldest is dropped: its button has stopped spinning by itself.
pub const OUTBOX_TAPS_MAX: usize = 1_000;
/// How long the answer to a tap is tried. Telegram takes none that is much older.
pub const OUTBOX_TAP_TIME_MAX: Duration = Duration::from_secs(30);
/// The longest answer to a tap.
pub const TAP_TEXT_CHARS_MAX: usize = 200;
/// How often a message is sent again whose answer could not be read: it may be there already.
pub const OUTBOX_UNREADABLE_MAX: u32 = 3;
/// How many messages that took the place of others are remembered for a chat.
pub const OUTBOX_SUCCESSORS_MAX: usize = 16;
/// How many effects and outcomes wait between the desk and the outbox.
pub const OUTBOX_EFFECTS_MAX: usize = 256;
pub const OUTBOX_OUTCOMES_MAX: usize = 256;
/// How long the outbox goes on sending when the door closes. The program waits a little longer, so that what came of it is
/// remembered.
pub const OUTBOX_FINISH_TIME_MAX: Duration = Duration::from_secs(8);

/// The longest line above a screen, in signs.
pub const BANNER_SIGNS_MAX: usize = 300;
/// How many updates wait for the desk; then the server keeps the rest.
pub const UPDATES_WAITING_MAX: usize = 1_000;
/// After these pauses the server is asked for the bot's name once more.
pub const INTRODUCTIONS: [Duration; 4] =
    [Duration::from_secs(2), Duration::from_secs(10), Duration::from_secs(60), Duration::from_secs(300)];
/// How many messages of a chat are kept up to date.
pub const SHOWN_MAX: usize = 4;
/// So long before an earlier life last reached the server, missions may have gone unseen: health is written, and missions are
/// looked at, only now and then. What was told already is not told again.
pub const NEWS_MARGIN_MS: u64 = 20_000;
/// How many petitions are followed before those are let go that no message shows any more.
pub const FOLLOWED_SPARE: usize = 32;
/// How many lines stand above a screen.
pub const BANNER_LINES_MAX: usize = 4;
/// How many strangers are named in the log, each once.
pub const STRANGERS_TOLD_MAX: usize = 1_000;
