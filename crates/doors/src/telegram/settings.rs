//! What the door is told before it opens: where the Bot API is, who may come in, and when people are told of something.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use mind::petition::PetitionId;
use mind::{MissionId, Timestamp};
use view::mission::MissionRowView;
use view::port::MissionPort;

use super::wire::UserId;

/// The bot's key. It is shown nowhere: not by `Debug`, not in an error, not in an address.
#[derive(Clone)]
pub struct BotToken(Arc<str>);

impl BotToken {
    /// A key as the vendor gives it: a number, a colon, letters.
    pub fn parse(text: &str) -> Option<BotToken> {
        let text = text.trim();
        let (number, secret) = text.split_once(':')?;
        let is_plain = |sign: u8| sign.is_ascii_alphanumeric() || matches!(sign, b'_' | b'-');
        let holds = !number.is_empty()
            && number.bytes().all(|sign| sign.is_ascii_digit())
            && secret.len() >= 8
            && secret.bytes().all(is_plain);
        holds.then(|| BotToken(Arc::from(text)))
    }

    /// For the address of a request, and nothing else.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The bot's own number, which is no secret.
    pub fn bot(&self) -> &str {
        self.0.split(':').next().unwrap_or_default()
    }
}

impl fmt::Debug for BotToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BotToken(hidden)")
    }
}

/// What a person may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PersonRole {
    /// Looks, and does no more.
    Watch,
    /// Answers and hands over, too.
    Answer,
    /// Speaks to missions and stops them, too.
    Steer,
}

/// Somebody who is let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedPerson {
    pub id: UserId,
    /// As others call them, and as petitions assign to them; the number if the configuration has no name.
    pub name: Arc<str>,
    pub role: PersonRole,
}

/// From when to when people are told nothing that can wait, in minutes of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    pub from: u16,
    pub until: u16,
}

/// The door's settings.
#[derive(Debug, Clone)]
pub struct TelegramSettings {
    pub token: BotToken,
    /// `http://127.0.0.1:8081`: a server of one's own; without a `/` at its end.
    pub api_url: Arc<str>,
    pub people: Vec<AllowedPerson>,
    /// Whether anything is announced at all.
    pub announces: bool,
    pub quiet: Option<QuietHours>,
    /// How long petitions that are not urgent are gathered into one announcement.
    pub gather: Duration,
    /// The folder where the door keeps what it remembers.
    pub folder: PathBuf,
    pub zone: TimeZone,
    pub now: fn() -> Timestamp,
}

/// The missions of this user.
pub trait MissionDirectory: Send + Sync {
    /// All of them, those that run first, then the newest.
    fn list(&self) -> Vec<MissionRowView>;

    /// The way to one of them, as this person.
    fn port(&self, mission: &MissionId, person: &mind::actor::Actor) -> Option<Arc<dyn MissionPort>>;

    /// Whether a running mission waits for this petition.
    fn waits_for(&self, petition: &PetitionId) -> bool;
}

/// How the door is, for `status` on every door.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DoorHealth {
    /// When the server last answered a poll.
    pub polled_at: Option<Timestamp>,
    /// What is wrong now, in words; none if nothing is.
    pub trouble: Option<String>,
    /// The bot's name.
    pub bot: Option<String>,
}
