//! The open door: the poll, the desk and the outbox, joined. The poll takes updates and never waits for what they mean; the
//! desk is a thread of its own, since the docket waits for the disk; the outbox sends.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::{fmt, thread};

use docket::Docket;
use tokio::sync::{mpsc, watch};

use super::desk::{COMMANDS, Desk, DeskEvent, DeskParts};
use super::effect::ChatEffect;
use super::health::{HealthFile, read_health};
use super::memory::DoorMemory;
use super::outbox::{Outbox, OutboxSettings};
use super::poll::Poll;
use super::settings::{MissionDirectory, TelegramSettings};
use super::tap::Tap;
use super::wire::{ApiTrouble, BotClient, BotCommand, TakenUpdate};
use super::{DoorLogger, DoorNote, TelegramError};
use crate::limits;

/// The door, before it is opened.
pub struct TelegramDoor {
    settings: TelegramSettings,
    docket: Docket,
    missions: Arc<dyn MissionDirectory>,
    memory: DoorMemory,
    client: BotClient,
    log: DoorLogger,
}

impl fmt::Debug for TelegramDoor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TelegramDoor").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl TelegramDoor {
    /// Reads what the door remembers. Nothing is sent yet.
    pub fn open(
        settings: TelegramSettings,
        docket: Docket,
        missions: Arc<dyn MissionDirectory>,
        log: DoorLogger,
    ) -> Result<TelegramDoor, TelegramError> {
        let client = BotClient::new(&settings.token, &settings.api_url)?;
        let memory = DoorMemory::open(&settings.folder)?;
        if let Some(cut) = memory.cut() {
            let text = format!("the end of the door's log was torn and is kept in {}", cut.display());
            log(DoorNote { is_trouble: true, text });
        }
        Ok(TelegramDoor { settings, docket, missions, memory, client, log })
    }

    /// Serves until `stop` says so: what is in hand is finished first.
    pub async fn run(self, stop: watch::Receiver<bool>) -> Result<(), TelegramError> {
        let TelegramDoor { settings, docket, missions, memory, client, log } = self;
        let (tell, events) = channel::<DeskEvent>();
        let (send, wanted) = mpsc::unbounded_channel::<ChatEffect>();
        let tap_data: fn(&Tap) -> String = Tap::data;
        let outbox =
            OutboxSettings { client: client.clone(), tap_data, log: Arc::clone(&log), dice: host::dice };
        let (outbox, outcomes) = Outbox::open(outbox);
        let passing = tokio::spawn(pass_on(wanted, outbox));
        let hearing = tokio::spawn(forward(outcomes, tell.clone(), DeskEvent::Outcome));
        let (desk, updates) = mpsc::channel(limits::UPDATES_WAITING_MAX);
        let taking = tokio::spawn(forward(updates, tell.clone(), |taken: TakenUpdate| DeskEvent::Update {
            update: taken.update,
            at: taken.at,
            raw: taken.raw,
        }));
        let introducing = tokio::spawn(introduce(client.clone(), memory.clone(), Arc::clone(&log)));
        let (now, folder) = (settings.now, settings.folder.clone());
        let people = settings.people.iter().map(|person| person.id).collect();
        let closed_at = read_health(&folder).and_then(|health| health.polled_at);
        let (memory_of_desk, log_of_desk) = (memory.clone(), Arc::clone(&log));
        let parts = DeskParts {
            settings,
            docket,
            missions,
            memory: memory_of_desk,
            closed_at,
            send,
            log: log_of_desk,
        };
        let desk_thread = open_desk(parts, tell.clone(), events)?;

        let health = HealthFile::new(&folder);
        let long = limits::TELEGRAM_POLL_TIME;
        let poll = Poll { client, memory, desk, health, people, log, long, now, dice: host::dice };
        let served = poll.run(stop).await;

        introducing.abort();
        // What was taken reaches the desk before the desk is told to close.
        let _ = taking.await;
        let _ = tell.send(DeskEvent::Stop);
        // The desk lets go of the outbox, which sends what it has, and the desk remembers what came of that.
        if let Ok(outbox) = passing.await {
            outbox.finish().await;
        }
        let _ = hearing.await;
        let _ = tell.send(DeskEvent::Settled);
        let _ = tokio::task::spawn_blocking(move || desk_thread.join()).await;
        served
    }
}

/// The desk on a thread of its own, with the feed of the docket.
fn open_desk(
    parts: DeskParts,
    tell: Sender<DeskEvent>,
    events: std::sync::mpsc::Receiver<DeskEvent>,
) -> Result<thread::JoinHandle<()>, TelegramError> {
    let folder = parts.settings.folder.clone();
    let disk = |source: std::io::Error| TelegramError::Disk { path: folder.clone(), source };
    let feed = parts.docket.feed(parts.settings.now).map_err(|error| disk(std::io::Error::other(error)))?;
    let queue = {
        let tell = Mutex::new(tell.clone());
        feed.queue(limits::ANNOUNCED_FROM, move |news| {
            if let Ok(tell) = tell.lock() {
                // The desk may have gone already.
                let _ = tell.send(DeskEvent::Queue(news));
            }
        })
    };
    let named = thread::Builder::new().name("telegram-desk".to_owned());
    let spawned = named.spawn(move || {
        let _queue = queue;
        Desk::new(parts, &feed, tell).run(&events);
    });
    spawned.map_err(disk)
}

async fn pass_on(mut wanted: mpsc::UnboundedReceiver<ChatEffect>, outbox: Outbox) -> Outbox {
    while let Some(effect) = wanted.recv().await {
        outbox.send(effect).await;
    }
    outbox
}

async fn forward<T>(mut from: mpsc::Receiver<T>, to: Sender<DeskEvent>, event: impl Fn(T) -> DeskEvent) {
    while let Some(something) = from.recv().await {
        if to.send(event(something)).is_err() {
            return;
        }
    }
}

/// Learns the bot's name, for commands in groups, and tells the client which commands there are. Neither is waited for.
async fn introduce(client: BotClient, memory: DoorMemory, log: DoorLogger) {
    for wait in limits::INTRODUCTIONS {
        match client.get_me().await {
            Ok(me) => {
                let name = me.username.unwrap_or(me.first_name);
                memory.set_bot(&name);
                log(DoorNote { is_trouble: false, text: format!("the bot is @{name}") });
                break;
            }
            // The poll tells that.
            Err(ApiTrouble::Unauthorized) => return,
            Err(_) => tokio::time::sleep(wait).await,
        }
    }
    let commands = COMMANDS.map(|(command, description)| BotCommand {
        command: command.to_owned(),
        description: description.to_owned(),
    });
    // A client without a list of commands has them all the same.
    let _ = client.set_my_commands(&commands).await;
}
