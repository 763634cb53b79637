//! How `arbiter serve` and its doors are: for its own `/healthz` and watchdog, and, read from the files that it leaves, for
//! every other command.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use doors::telegram::settings::DoorHealth;
use mind::Timestamp;
use serde_json::{Value as Json, json};

use super::limits::POLL_AGE_MAX;
use super::lock;
use crate::clock;

/// The largest file of a door's health that is read, in bytes.
const HEALTH_BYTES_MAX: usize = 64 * 1024;

/// How the Telegram door is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TelegramStanding {
    /// It is not configured, or not wholly.
    Off {
        why: String,
    },
    Open,
    /// It closed by itself.
    Closed {
        why: String,
    },
}

/// How the whole program is.
#[derive(Debug)]
pub struct ServeStanding {
    home: PathBuf,
    began: Timestamp,
    telegram: Mutex<TelegramStanding>,
    docket: Mutex<Option<String>>,
}

impl ServeStanding {
    #[must_use]
    pub fn new(home: &Path, began: Timestamp, telegram: TelegramStanding) -> ServeStanding {
        let (telegram, docket) = (Mutex::new(telegram), Mutex::new(None));
        ServeStanding { home: home.to_path_buf(), began, telegram, docket }
    }

    pub fn set_telegram(&self, standing: TelegramStanding) {
        *held(&self.telegram) = standing;
    }

    /// What is wrong with the docket; none if nothing is.
    pub fn set_docket(&self, trouble: Option<String>) {
        *held(&self.docket) = trouble;
    }

    /// Whether the watchdog may go on: a door that says what is wrong lives, one that neither polls nor speaks does not.
    #[must_use]
    pub fn is_alive(&self, now: Timestamp) -> bool {
        match &*held(&self.telegram) {
            TelegramStanding::Off { .. } | TelegramStanding::Closed { .. } => true,
            TelegramStanding::Open => {
                let health = read(&self.home);
                health.as_ref().is_some_and(|health| health.trouble.is_some())
                    || !self.is_deaf(health.as_ref(), now)
            }
        }
    }

    /// Everything, and whether all of it is well.
    #[must_use]
    pub fn told(&self, now: Timestamp) -> (bool, Json) {
        let (telegram, docket) = (held(&self.telegram).clone(), held(&self.docket).clone());
        let (telegram_is_well, telegram) = match telegram {
            TelegramStanding::Off { why } => (true, json!({"state": "off", "why": why})),
            TelegramStanding::Closed { why } => (false, json!({"state": "closed", "why": why})),
            TelegramStanding::Open => {
                let health = read(&self.home);
                let trouble = health.as_ref().and_then(|health| health.trouble.clone());
                let polled = health.as_ref().and_then(|health| health.polled_at);
                let is_well = trouble.is_none() && !self.is_deaf(health.as_ref(), now);
                let told = json!({
                    "state": "open",
                    "bot": health.as_ref().and_then(|health| health.bot.clone()),
                    "polled_at_ms": polled.map(|at| at.0),
                    "poll_age_ms": polled.map(|at| now.0.saturating_sub(at.0)),
                    "trouble": trouble,
                });
                (is_well, told)
            }
        };
        let is_well = telegram_is_well && docket.is_none();
        let told = json!({
            "status": if is_well { "ok" } else { "trouble" },
            "version": env!("CARGO_PKG_VERSION"),
            "pid": std::process::id(),
            "up_ms": now.0.saturating_sub(self.began.0),
            "doors": {"telegram": telegram},
            "docket": {"trouble": docket},
        });
        (is_well, told)
    }

    /// No good poll for too long. A poll of an earlier run counts no more than the start of this one.
    fn is_deaf(&self, health: Option<&DoorHealth>, now: Timestamp) -> bool {
        let polled = health.and_then(|health| health.polled_at).unwrap_or_default();
        let since = now.0.saturating_sub(polled.max(self.began).0);
        u128::from(since) > POLL_AGE_MAX.as_millis()
    }
}

/// Where the Telegram door keeps what it remembers.
#[must_use]
pub fn telegram_folder(home: &Path) -> PathBuf {
    home.join("telegram")
}

/// What the Telegram door last wrote of its health.
#[must_use]
pub fn read(home: &Path) -> Option<DoorHealth> {
    let file = telegram_folder(home).join("health.json");
    serde_json::from_slice(&host::files::read(&file, HEALTH_BYTES_MAX).ok()?).ok()
}

/// The Telegram door in one line for people, and what to do if it is not well.
#[must_use]
pub fn in_words(home: &Path, now: Timestamp) -> (String, Option<String>) {
    let health = read(home);
    let polled = health.as_ref().and_then(|health| health.polled_at);
    let age = match polled {
        Some(at) => format!("last good poll {} ago", clock::span(now.0.saturating_sub(at.0))),
        None => "no good poll yet".to_owned(),
    };
    let trouble = health.and_then(|health| health.trouble);
    match (lock::holder(home), trouble) {
        (None, _) => {
            let hint = "`arbiter serve` opens the door; `arbiter setup telegram` lets systemd keep it open";
            (format!("Telegram: `arbiter serve` does not run; {age}"), Some(hint.to_owned()))
        }
        (Some(_), Some(trouble)) => (format!("Telegram: {trouble}; {age}"), Some(LOG_HINT.to_owned())),
        (Some(_), None) => {
            let is_old =
                polled.is_none_or(|at| u128::from(now.0.saturating_sub(at.0)) > POLL_AGE_MAX.as_millis());
            (format!("Telegram: {age}"), is_old.then(|| LOG_HINT.to_owned()))
        }
    }
}

const LOG_HINT: &str = "logs/arbiter.log below ARBITER_HOME says more";

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
