//! A Bot API on loopback that a bot cannot tell from Telegram's, and people to write to it. It is an HTTP server of its own; it
//! ends when dropped. It shares nothing with the door that it examines.
//!
//! Each rule names where the real one's behaviour is recorded: telegram-bot-api is the server's own source
//! (github.com/tdlib/telegram-bot-api), td the library below it (github.com/tdlib/td), `#name` a paragraph of
//! core.telegram.org/bots/api. What was only heard of is marked as unverified.
//!
//! ```no_run
//! use sim::bot_api::BotApi;
//!
//! let api = BotApi::start();
//! let ada = api.user(93_533_553);
//! ada.says("/start");
//! let queue = ada.chat().wait_for("the queue", |message| message.text.contains("Decision Queue"));
//! ada.taps(queue.id, "1");
//! ```

mod access;
mod chat;
mod chat_view;
mod fault;
mod flood;
mod group;
mod html;
mod json;
mod limits;
mod markup;
mod messages;
mod methods;
mod parameters;
mod person;
mod polling;
mod refusal;
mod request_log;
mod server;
mod state;
mod tap;
mod text;
mod updates;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use self::chat::{ChatKind, ChatRecord};
pub use self::chat::{ChatMessage, MessageVersion};
pub use self::chat_view::ChatView;
pub use self::fault::BotFault;
pub use self::group::ChatGroup;
pub use self::markup::{InlineButton, MessageMarkup};
pub use self::person::ChatPerson;
pub use self::request_log::BotRequest;
use self::state::{BotState, SharedState};
pub use self::tap::{TapAnswer, TapRecord};
pub use self::text::TextEntity;
use crate::loopback::LoopbackServer;

/// What kind of bot and server it is.
#[derive(Debug, Clone)]
pub struct BotApiOptions {
    pub token: String,
    pub username: String,
    /// 0 for any free port.
    pub port: u16,
    /// Privacy mode is off.
    pub reads_groups: bool,
    /// So long a tap can be answered, by the server's clock.
    pub tap_patience: Duration,
}

impl Default for BotApiOptions {
    fn default() -> BotApiOptions {
        BotApiOptions {
            token: "7654321:AAFakeTokenOfNoBotAtAll_0123456789abc".to_owned(),
            username: "arbiter_test_bot".to_owned(),
            port: 0,
            reads_groups: false,
            tap_patience: Duration::from_secs(60),
        }
    }
}

/// The bot as it sees itself.
#[derive(Debug, Clone)]
struct BotSelf {
    id: i64,
    username: String,
    reads_groups: bool,
}

/// A running fake of the Bot API.
#[derive(Debug)]
pub struct BotApi {
    options: BotApiOptions,
    shared: Arc<SharedState>,
    server: LoopbackServer,
}

impl BotApi {
    /// Begins to serve on a free port.
    ///
    /// # Panics
    ///
    /// Panics where there is no free port on loopback.
    pub fn start() -> BotApi {
        BotApi::start_with(&BotApiOptions::default()).expect("a port on loopback is free")
    }

    pub fn start_with(options: &BotApiOptions) -> io::Result<BotApi> {
        let shared = SharedState::new(BotState::new(options));
        let router = server::router(Arc::clone(&shared));
        let server = LoopbackServer::start("bot-api", options.port, router)?;
        Ok(BotApi { options: options.clone(), shared, server })
    }

    /// Forgets all chats, people and updates, as if it had just begun at this address; a poll that waits is ended.
    pub fn begin_anew(&self) {
        self.shared.change(|state| {
            let polls = state.polls.ended();
            *state = BotState::new(&self.options);
            state.polls = polls;
        });
    }

    /// What `ARBITER_TELEGRAM_API_URL` is to be.
    pub fn url(&self) -> String {
        format!("http://{}", self.server.address())
    }

    /// The token that is valid.
    pub fn token(&self) -> String {
        self.shared.read(|state| state.token.clone())
    }

    /// From now on the token is refused with 401.
    pub fn revoke_token(&self) {
        self.shared.change(|state| state.is_revoked = true);
    }

    /// A person with this number; a stranger to the bot until they write.
    pub fn user(&self, id: i64) -> ChatPerson<'_> {
        self.shared.change(|state| _ = state.person(id));
        ChatPerson { api: self, id }
    }

    /// A group with these people and the bot.
    ///
    /// # Panics
    ///
    /// Panics if the id is not negative.
    pub fn group(&self, id: i64, title: &str, members: &[i64]) -> ChatGroup<'_> {
        assert!(id < 0, "ids of groups are negative");
        self.shared.change(|state| {
            members.iter().for_each(|member| _ = state.person(*member));
            state.chats.insert(id, ChatRecord::new(id, ChatKind::Group, title, members));
        });
        ChatGroup { api: self, id }
    }

    /// A chat to look at.
    pub fn chat(&self, id: i64) -> ChatView<'_> {
        ChatView { api: self, id }
    }

    /// Whether there is such a chat.
    pub fn has_chat(&self, id: i64) -> bool {
        self.shared.read(|state| state.chats.contains_key(&id))
    }

    /// A tap and its answer.
    pub fn tap(&self, id: &str) -> Option<TapRecord> {
        self.shared.read(|state| state.taps.get(id))
    }

    /// All taps so far, oldest first.
    pub fn taps(&self) -> Vec<TapRecord> {
        self.shared.read(|state| state.taps.all())
    }

    /// The answer to a tap, as soon as there is one; none when the time is over.
    pub fn wait_for_answer(&self, tap: &str, timeout: Duration) -> Option<TapAnswer> {
        self.shared.wait(timeout, |state| state.taps.get(tap)?.answer)
    }

    /// How many updates the bot has not confirmed.
    pub fn waiting_updates(&self) -> usize {
        self.shared.read(|state| state.updates.len())
    }

    /// Puts an update into the queue that nothing else here makes: `("poll", {...})`.
    pub fn push_update(&self, kind: &str, content: Value) -> Option<i64> {
        self.shared.change(|state| state.push_update(kind, content))
    }

    /// The commands that the bot set.
    pub fn commands(&self) -> Value {
        self.shared.read(|state| state.commands.clone())
    }

    /// As `setWebhook` and `deleteWebhook` would: with an empty address there is none.
    pub fn set_webhook(&self, url: &str) {
        self.shared.change(|state| {
            url.clone_into(&mut state.webhook);
            if !url.is_empty() {
                state.polls.end_for_webhook();
            }
        });
    }

    /// The next `times` requests of this method go wrong; `*` means any method. Earlier scripts come first.
    pub fn fault(&self, method: &str, times: usize, fault: BotFault) {
        self.shared.change(|state| state.faults.add(method, times, fault));
    }

    /// All is well again.
    pub fn clear_faults(&self) {
        self.shared.change(|state| state.faults.clear());
    }

    /// Whether a bot that writes too often is refused; it is not at first.
    pub fn limit_rate(&self, is_limited: bool) {
        self.shared.change(|state| state.flood.is_on = is_limited);
    }

    /// Moves the server's clock on: messages and taps grow older.
    pub fn advance(&self, time: Duration) {
        self.shared.change(|state| state.ahead += time);
    }

    /// How long it has served: the clock of the requests.
    pub fn elapsed(&self) -> Duration {
        self.shared.elapsed()
    }

    /// All requests so far, in the order of their arrival.
    pub fn requests(&self) -> Vec<BotRequest> {
        self.shared.read(|state| state.log.all())
    }

    /// How many requests there were so far: the number of the newest.
    pub fn requests_so_far(&self) -> usize {
        self.shared.read(|state| state.log.count())
    }

    /// The requests of a method.
    pub fn requests_of(&self, method: &str) -> Vec<BotRequest> {
        let mut requests = self.requests();
        requests.retain(|request| request.method.eq_ignore_ascii_case(method));
        requests
    }

    /// The first request from this number on that fits, as soon as there is one. `fits` is asked again when a request is
    /// answered.
    pub fn wait_for_request(
        &self,
        since: usize,
        timeout: Duration,
        fits: impl Fn(&BotRequest) -> bool,
    ) -> Option<BotRequest> {
        self.shared.wait(timeout, |state| state.log.since(since).into_iter().find(|request| fits(request)))
    }
}
