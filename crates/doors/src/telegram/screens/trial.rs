//! Trials of the views: petitions and people to look at, how a message looks, and what Telegram takes.

mod asked;
mod laws;
mod looks;
mod looks_of_missions;
mod strict;

use jiff::tz::TimeZone;
use mind::Timestamp;

use super::Viewer;
use crate::telegram::screen::ChatScreen;
use crate::telegram::settings::{AllowedPerson, PersonRole};
use crate::telegram::wire::UserId;

const MINUTE: u64 = 60_000;
const ASKED: Timestamp = Timestamp(1_763_430_000_000);

/// So many minutes after it was asked.
fn after(minutes: u64) -> Timestamp {
    Timestamp(ASKED.0 + minutes * MINUTE)
}

fn person(id: i64, name: &str, role: PersonRole) -> AllowedPerson {
    AllowedPerson { id: UserId(id), name: name.into(), role }
}

/// A person who looks alone, ten minutes after it was asked.
fn looks<R>(role: PersonRole, look: impl FnOnce(&Viewer<'_>) -> R) -> R {
    let people = [person(93_533_553, "ada", role)];
    look(&Viewer {
        person: &people[0],
        people: &people,
        zone: &TimeZone::UTC,
        now: after(10),
        is_group: false,
    })
}

/// The same with others who may answer, and one who only watches.
fn looks_among_others<R>(look: impl FnOnce(&Viewer<'_>) -> R) -> R {
    let people = [
        person(93_533_553, "ada", PersonRole::Steer),
        person(2, "bob", PersonRole::Answer),
        person(3, "sam", PersonRole::Watch),
    ];
    look(&Viewer {
        person: &people[0],
        people: &people,
        zone: &TimeZone::UTC,
        now: after(10),
        is_group: false,
    })
}

/// A message as a snapshot has it: its text, and its buttons row by row.
fn shown(screen: &ChatScreen) -> String {
    let row = |row: &Vec<_>| {
        let texts =
            row.iter().map(|button: &crate::telegram::screen::ChatButton| format!("[{}]", button.text));
        texts.collect::<Vec<_>>().join(" ")
    };
    let rows: Vec<String> = screen.buttons.iter().map(row).collect();
    let html = screen.html.replace('\u{2068}', "\\u{2068}").replace('\u{2069}', "\\u{2069}");
    format!("{}\n{}", html.trim_end(), rows.join("\n"))
}

/// The buttons alone.
fn buttons(screen: &ChatScreen) -> String {
    shown(&ChatScreen { html: String::new(), ..screen.clone() }).trim_start().to_owned()
}
