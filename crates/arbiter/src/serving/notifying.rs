//! `notifications.also`: every notification goes to each channel as JSON, in order, with bounded time and three tries. A
//! channel that fails is told in the log and holds up no other.

mod deliver;

use std::sync::Arc;

use mind::MissionId;
use mind::Timestamp;
use mind::petition::{PetitionId, Priority};
use serde::Serialize;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use self::deliver::Deliverer;
use super::limits::{NOTIFICATIONS_MAX, NOTIFY_PAUSES};
use super::log::ServeLog;
use crate::project::config::AlsoChannel;

/// The component's name in the log.
const WHO: &str = "also";

/// What people are told of, as programs know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NotificationKind {
    PetitionAsked,
    PetitionSubmitted,
    PetitionWithdrawn,
    PetitionExpired,
    MissionDone,
    MissionFailed,
    MissionCancelled,
    /// It ended at a limit.
    MissionLimit,
    /// It waits for a person.
    MissionWaits,
}

/// Something that people are told. Its JSON is read by programs: forms are only added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notification {
    pub event: NotificationKind,
    /// One line for people.
    pub text: String,
    #[serde(rename = "at_ms")]
    pub at: Timestamp,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub petition: Option<PetitionId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<Arc<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<Arc<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mission: Option<MissionId>,
    /// Whether it comes in the quiet hours: a channel may want to keep still.
    pub quiet: bool,
}

/// The channels. When it is dropped they deliver what waits, and end.
#[derive(Debug)]
pub struct Notifier {
    channels: Vec<OpenChannel>,
    log: ServeLog,
}

#[derive(Debug)]
struct OpenChannel {
    name: String,
    queue: Sender<Arc<str>>,
    task: JoinHandle<()>,
}

impl Notifier {
    /// Opens the channels, in the current runtime.
    #[must_use]
    pub fn open(channels: &[AlsoChannel], log: &ServeLog) -> Notifier {
        let open = |channel: &AlsoChannel| {
            let (queue, waiting) = tokio_channel();
            let (name, log) = (channel.to_string(), log.clone());
            let deliverer = Deliverer::new(channel.clone());
            let task = tokio::spawn(deliver_all(deliverer, name.clone(), waiting, log));
            OpenChannel { name, queue, task }
        };
        Notifier { channels: channels.iter().map(open).collect(), log: log.clone() }
    }

    /// Hands it to every channel, and waits for none.
    pub fn notify(&self, notification: &Notification) {
        let Ok(json) = serde_json::to_string(notification) else { return };
        let json: Arc<str> = Arc::from(json);
        for channel in &self.channels {
            match channel.queue.try_send(Arc::clone(&json)) {
                Ok(()) | Err(TrySendError::Closed(_)) => {}
                Err(TrySendError::Full(_)) => {
                    self.log.trouble(WHO, format!("{}: too much waits for it; one is dropped", channel.name));
                }
            }
        }
    }

    /// Waits until everything is delivered or given up.
    pub async fn close(self) {
        for OpenChannel { queue, task, .. } in self.channels {
            drop(queue);
            let _ = task.await;
        }
    }
}

fn tokio_channel() -> (Sender<Arc<str>>, Receiver<Arc<str>>) {
    channel(NOTIFICATIONS_MAX)
}

async fn deliver_all(deliverer: Deliverer, name: String, mut waiting: Receiver<Arc<str>>, log: ServeLog) {
    while let Some(json) = waiting.recv().await {
        let mut pauses = NOTIFY_PAUSES.into_iter();
        while let Err(why) = deliverer.deliver(&json).await {
            let Some(pause) = pauses.next() else {
                let tries = NOTIFY_PAUSES.len() + 1;
                log.trouble(WHO, format!("{name}: given up after {tries} tries: {why}"));
                break;
            };
            log.trouble(WHO, format!("{name}: {why}; it is tried again"));
            sleep(pause).await;
        }
    }
}
