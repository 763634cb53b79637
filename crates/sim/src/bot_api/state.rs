//! All that the fake knows, behind one lock. Each change wakes the tests and the long polls that wait for one.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::watch;

use super::chat::{ChatKind, ChatMessage, ChatRecord, PersonRecord};
use super::fault::FaultScript;
use super::flood::FloodControl;
use super::polling::PollState;
use super::request_log::RequestLog;
use super::tap::TapBook;
use super::updates::UpdateQueue;
use super::{BotApiOptions, BotSelf};

#[derive(Debug)]
pub(super) struct BotState {
    pub(super) bot: BotSelf,
    pub(super) token: String,
    /// The owner took the token back.
    pub(super) is_revoked: bool,
    pub(super) people: BTreeMap<i64, PersonRecord>,
    pub(super) chats: BTreeMap<i64, ChatRecord>,
    pub(super) updates: UpdateQueue,
    pub(super) taps: TapBook,
    pub(super) polls: PollState,
    pub(super) webhook: String,
    pub(super) commands: Value,
    pub(super) flood: FloodControl,
    pub(super) faults: FaultScript,
    pub(super) log: RequestLog,
    /// How far the server's clock is ahead.
    pub(super) ahead: Duration,
    last_message: i64,
}

impl BotState {
    pub(super) fn new(options: &BotApiOptions) -> BotState {
        let id = options.token.split(':').next().and_then(|id| id.parse().ok()).unwrap_or_default();
        let bot = BotSelf { id, username: options.username.clone(), reads_groups: options.reads_groups };
        BotState {
            bot,
            token: options.token.clone(),
            is_revoked: false,
            people: BTreeMap::new(),
            chats: BTreeMap::new(),
            updates: UpdateQueue::new(),
            taps: TapBook::new(options.tap_patience),
            polls: PollState::default(),
            webhook: String::new(),
            commands: json!([]),
            flood: FloodControl::default(),
            faults: FaultScript::default(),
            log: RequestLog::default(),
            ahead: Duration::ZERO,
            last_message: 0,
        }
    }

    /// The server's clock, in milliseconds since 1970.
    pub(super) fn now_ms(&self) -> u64 {
        host::now_ms() + u64::try_from(self.ahead.as_millis()).unwrap_or(u64::MAX)
    }

    pub(super) fn person(&mut self, id: i64) -> &mut PersonRecord {
        self.people.entry(id).or_insert_with(|| PersonRecord::new(id))
    }

    /// The chat of a person with the bot: "Private chat ids equal user ids".
    pub(super) fn private_chat(&mut self, id: i64) -> &mut ChatRecord {
        self.person(id);
        self.chats.entry(id).or_insert_with(|| ChatRecord::new(id, ChatKind::Private, "", &[id]))
    }

    /// Puts a message into its chat and returns its id. Supergroups count for themselves, all other chats of an account
    /// together, so a chat's ids have holes.
    pub(super) fn put(&mut self, mut message: ChatMessage) -> i64 {
        let Some(chat) = self.chats.get_mut(&message.chat) else { return 0 };
        message.id = match chat.kind {
            ChatKind::Supergroup => chat.messages.last_key_value().map_or(1, |(id, _)| id + 1),
            ChatKind::Private | ChatKind::Group => {
                self.last_message += 1;
                self.last_message
            }
        };
        let id = message.id;
        chat.messages.insert(id, message);
        id
    }

    /// A message that is there: deleted ones are not.
    pub(super) fn message(&self, chat: i64, id: i64) -> Option<&ChatMessage> {
        self.chats.get(&chat)?.messages.get(&id).filter(|message| !message.is_deleted)
    }

    pub(super) fn push_update(&mut self, kind: &str, content: Value) -> Option<i64> {
        let now_ms = self.now_ms();
        self.updates.push(kind, content, now_ms)
    }
}

/// The state, and the bells.
#[derive(Debug)]
pub(super) struct SharedState {
    began: Instant,
    state: Mutex<BotState>,
    changed: Condvar,
    version: watch::Sender<u64>,
}

impl SharedState {
    pub(super) fn new(state: BotState) -> Arc<SharedState> {
        let (version, _) = watch::channel(0);
        Arc::new(SharedState {
            began: Instant::now(),
            state: Mutex::new(state),
            changed: Condvar::new(),
            version,
        })
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    pub(super) fn read<T>(&self, read: impl FnOnce(&BotState) -> T) -> T {
        read(&self.lock())
    }

    /// Changes the state and wakes all that wait for a change.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut BotState) -> T) -> T {
        let result = change(&mut self.lock());
        self.version.send_modify(|version| *version += 1);
        self.changed.notify_all();
        result
    }

    /// For a task: rings at each change from now on.
    pub(super) fn bell(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// For a test: waits until `find` finds something; none when the time is over.
    pub(super) fn wait<T>(&self, timeout: Duration, find: impl Fn(&BotState) -> Option<T>) -> Option<T> {
        let until = Instant::now() + timeout;
        let mut state = self.lock();
        loop {
            if let Some(found) = find(&state) {
                return Some(found);
            }
            let left = until.checked_duration_since(Instant::now())?;
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, BotState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
