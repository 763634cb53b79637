//! What is new for `notifications.also`: lines of the ledger, read on from the one that was told last, also over a restart;
//! and missions that end or begin to wait for a person.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use docket::Docket;
use docket::ledger::LedgerLine;
use doors::telegram::settings::{MissionDirectory, QuietHours};
use jiff::tz::TimeZone;
use mind::petition::PetitionChange;
use mind::{MissionId, Timestamp};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use view::mission::MissionRowView;

use super::limits::{LEDGER_PATIENCE, LEDGER_TAIL_BYTES, MISSION_NEWS_EVERY, TROUBLE_PAUSE};
use super::log::ServeLog;
use super::notifying::{Notification, NotificationKind, Notifier};
use crate::clock;

/// The largest file that says how far was told.
const TOLD_BYTES_MAX: usize = 1024;

/// Reads what is new and tells it.
pub struct NewsDesk {
    docket: Docket,
    missions: Arc<dyn MissionDirectory>,
    notifier: Notifier,
    quiet: Option<QuietHours>,
    log: ServeLog,
    told: ToldFile,
}

/// How far the ledger was told.
struct ToldFile {
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct ToldMark {
    seq: u64,
}

impl NewsDesk {
    #[must_use]
    pub fn new(
        home: &Path,
        docket: Docket,
        missions: Arc<dyn MissionDirectory>,
        notifier: Notifier,
        quiet: Option<QuietHours>,
        log: ServeLog,
    ) -> NewsDesk {
        let told = ToldFile { path: home.join("notified.json") };
        NewsDesk { docket, missions, notifier, quiet, log, told }
    }

    /// Tells news until `stop` says so, and gives back the channels, which may still be delivering. It blocks.
    pub fn run(self, stop: &watch::Receiver<bool>) -> Notifier {
        let mut standing = self.stand();
        let mut looked = Instant::now();
        // Without a mark nothing old is told, and a mark beyond the end is of a ledger that was moved aside.
        let newest = newest(&self.docket);
        let mut seq = self.told.read().map_or(newest, |seq| seq.min(newest));
        self.told.write(seq);
        let mut reader = self.docket.ledger(seq + 1);
        let mut trouble = None;
        while !*stop.borrow() {
            match reader.follow(LEDGER_PATIENCE) {
                Ok(lines) => {
                    trouble = None;
                    for line in &lines {
                        self.tell_line(line);
                    }
                    if let Some(last) = lines.last() {
                        seq = last.seq;
                        self.told.write(seq);
                    }
                }
                Err(error) => {
                    let why = error.to_string();
                    if trouble.as_ref() != Some(&why) {
                        self.log.trouble("docket", &why);
                        trouble = Some(why);
                    }
                    let since = Instant::now();
                    while since.elapsed() < TROUBLE_PAUSE && !*stop.borrow() {
                        std::thread::sleep(LEDGER_PATIENCE / 4);
                    }
                    reader = self.docket.ledger(seq + 1);
                }
            }
            if looked.elapsed() >= MISSION_NEWS_EVERY {
                let now = self.stand();
                self.tell_missions(&standing, &now);
                standing = now;
                looked = Instant::now();
            }
        }
        self.notifier
    }

    fn tell_line(&self, line: &LedgerLine) {
        let (event, word) = match &line.change {
            PetitionChange::Asked => (NotificationKind::PetitionAsked, "asked"),
            PetitionChange::Submitted => (NotificationKind::PetitionSubmitted, "submitted"),
            PetitionChange::Withdrawn { .. } => (NotificationKind::PetitionWithdrawn, "withdrawn"),
            PetitionChange::Expired { .. } => (NotificationKind::PetitionExpired, "expired"),
            PetitionChange::Answered { .. }
            | PetitionChange::Changed { .. }
            | PetitionChange::Late { .. }
            | PetitionChange::Assigned { .. } => return,
        };
        // A file that is gone or broken meanwhile has its line all the same.
        let read = self.docket.read(&line.petition, clock::now()).ok().map(|kept| kept.petition);
        let title =
            read.as_ref().map_or_else(|| line.petition.to_string(), |petition| petition.title.to_string());
        let (priority, agent, tag, mission) = match &read {
            Some(petition) => (
                Some(petition.priority),
                Some(Arc::clone(&petition.agent)),
                Some(Arc::clone(&petition.tag)),
                petition.mission.clone().map(MissionId),
            ),
            None => (line.priority, line.agent.clone(), line.tag.clone(), None),
        };
        let text = match (&priority, &agent) {
            (Some(priority), Some(agent)) if event == NotificationKind::PetitionAsked => {
                format!("{agent} asks ({}): {title}", priority.word())
            }
            _ => format!("{word}: {title}"),
        };
        self.notifier.notify(&Notification {
            event,
            text,
            at: line.at,
            title,
            petition: Some(line.petition.clone()),
            priority,
            agent,
            tag,
            mission,
            quiet: self.is_quiet(),
        });
    }

    fn stand(&self) -> BTreeMap<MissionId, MissionRowView> {
        self.missions.list().into_iter().map(|row| (row.id.clone(), row)).collect()
    }

    fn tell_missions(
        &self,
        before: &BTreeMap<MissionId, MissionRowView>,
        now: &BTreeMap<MissionId, MissionRowView>,
    ) {
        for (id, row) in now {
            let was = before.get(id).and_then(|row| kind_of(&row.status));
            let Some(event) = kind_of(&row.status).filter(|kind| Some(*kind) != was) else { continue };
            self.notifier.notify(&Notification {
                event,
                text: format!("{}: {}", row.standing, row.title),
                at: clock::now(),
                title: row.title.clone(),
                petition: None,
                priority: None,
                agent: None,
                tag: None,
                mission: Some(id.clone()),
                quiet: self.is_quiet(),
            });
        }
    }

    fn is_quiet(&self) -> bool {
        self.quiet.is_some_and(|quiet| is_within(quiet, clock::now(), &TimeZone::system()))
    }
}

impl ToldFile {
    fn read(&self) -> Option<u64> {
        let bytes = host::files::read(&self.path, TOLD_BYTES_MAX).ok()?;
        serde_json::from_slice::<ToldMark>(&bytes).ok().map(|mark| mark.seq)
    }

    fn write(&self, seq: u64) {
        if let Ok(bytes) = serde_json::to_vec(&ToldMark { seq }) {
            // At worst a notification is told twice.
            let _ = host::files::replace_lightly(&self.path, &bytes);
        }
    }
}

/// The number of the ledger's last line, 0 without one.
fn newest(docket: &Docket) -> u64 {
    let Ok(tail) = host::untrusted_files::read_tail(&docket.ledger_file(), LEDGER_TAIL_BYTES) else {
        return 0;
    };
    let mut lines = tail.split(|sign| *sign == b'\n').rev();
    lines.find_map(|line| serde_json::from_slice::<ToldMark>(line).ok()).map_or(0, |mark| mark.seq)
}

/// What a mission's status is to people who are told of it, if it is anything.
fn kind_of(status: &str) -> Option<NotificationKind> {
    match status {
        "failed" => Some(NotificationKind::MissionFailed),
        "ended at a limit" => Some(NotificationKind::MissionLimit),
        "waits for you" | "at rest (waits for you)" => Some(NotificationKind::MissionWaits),
        _ if status.starts_with("complete") || status == "a plan only" => Some(NotificationKind::MissionDone),
        _ if status.starts_with("cancelled") => Some(NotificationKind::MissionCancelled),
        _ => None,
    }
}

/// Whether it is quiet then. Hours that end before they begin go over midnight.
fn is_within(quiet: QuietHours, now: Timestamp, zone: &TimeZone) -> bool {
    let moment = view::when::at(now, zone);
    let minute =
        u16::try_from(i32::from(moment.hour()) * 60 + i32::from(moment.minute())).unwrap_or_default();
    if quiet.from < quiet.until {
        (quiet.from..quiet.until).contains(&minute)
    } else {
        minute >= quiet.from || minute < quiet.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_go_over_midnight() {
        let at = |hour: u64, minute: u64| Timestamp((hour * 60 + minute) * 60_000);
        let night = QuietHours { from: 22 * 60, until: 7 * 60 };
        let noon = QuietHours { from: 12 * 60, until: 13 * 60 };
        for (quiet, hour, minute, is) in [
            (night, 22, 0, true),
            (night, 23, 59, true),
            (night, 0, 0, true),
            (night, 6, 59, true),
            (night, 7, 0, false),
            (night, 21, 59, false),
            (noon, 12, 30, true),
            (noon, 13, 0, false),
            (noon, 0, 30, false),
        ] {
            assert_eq!(is_within(quiet, at(hour, minute), &TimeZone::UTC), is, "{quiet:?} {hour}:{minute}");
        }
    }
}
