//! Tells people of what is new: petitions, deadlines that come near, missions that ended or wait. When, and whom, is decided in
//! `announce`; here it is carried out, and remembered only after it was put on its way.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mind::Timestamp;
use mind::petition::PetitionId;
use view::mission::MissionRowView;

use super::reply::Reply;
use super::{Desk, NewMessage, SeenMission, Visit};
use crate::limits;
use crate::telegram::announce::{self, AnnounceTerms};
use crate::telegram::effect::ChatEffect;
use crate::telegram::fact::DoorFact;
use crate::telegram::screen::ScreenKey;
use crate::telegram::settings::AllowedPerson;
use crate::telegram::wire::{ChatId, UserId};

impl Desk {
    /// Does what time alone asks for, and says how long there is nothing more to do.
    pub(super) fn tend(&mut self) -> Duration {
        self.redraw_queues();
        self.unfollow_what_is_gone();
        self.look_at_missions();
        let now = self.now();
        if !self.settings.announces {
            return limits::MISSIONS_LOOK;
        }
        let terms = AnnounceTerms {
            people: &self.people,
            gather: self.settings.gather,
            quiet: self.settings.quiet,
            zone: &self.settings.zone.clone(),
            now,
        };
        let plan = self.memory.read(|state| announce::plan(&self.open, &state.announced, &self.seen, &terms));
        let mut told: BTreeMap<PetitionId, Vec<UserId>> = BTreeMap::new();
        for (user, petitions) in &plan.news {
            if self.announce(*user, petitions) {
                petitions.iter().for_each(|id| told.entry(id.clone()).or_default().push(*user));
            }
        }
        let facts =
            told.into_iter().map(|(petition, users)| DoorFact::Announced { petition, at: now, users });
        let mut facts: Vec<DoorFact> = facts.collect();
        for reminder in plan.reminders {
            let (petition, step) = (reminder.petition, reminder.step);
            let (users, missed): (Vec<_>, Vec<_>) =
                reminder.users.into_iter().partition(|user| self.remind(*user, &petition));
            if !missed.is_empty() {
                let text = format!(
                    "{} people cannot be reminded: they have not begun to talk to the bot",
                    missed.len()
                );
                self.note(true, text);
            }
            facts.push(DoorFact::Reminded { petition, at: now, step, users });
        }
        self.keep(&facts);
        let until = plan.next.map(|next| Duration::from_millis(next.0.saturating_sub(now.0)));
        until.unwrap_or(limits::MISSIONS_LOOK).clamp(limits::TEND_MIN, limits::MISSIONS_LOOK)
    }

    /// Where a person can be reached alone, if they have ever spoken to the bot.
    fn own_chat(&self, user: UserId) -> Option<ChatId> {
        self.memory.read(|state| {
            let chat = state.met.get(&user)?;
            let is_lost = state.chats.get(chat).is_some_and(|chat| chat.is_lost);
            (!is_lost).then_some(*chat)
        })
    }

    /// One new petition is shown itself, several as the queue. A person who cannot be reached yet is told later.
    fn announce(&mut self, user: UserId, petitions: &[PetitionId]) -> bool {
        let (key, banner) = match petitions {
            [] => return false,
            [only] => (ScreenKey::Petition { petition: only.clone(), page: 0 }, "🔔 New".to_owned()),
            several => (ScreenKey::Queue { page: 0 }, format!("🔔 {} new petitions", several.len())),
        };
        self.ring(user, key, &banner)
    }

    fn remind(&mut self, user: UserId, petition: &PetitionId) -> bool {
        let due = self.open.iter().find(|open| open.id == *petition).and_then(|open| open.due_at);
        let due = due.map(|due| view::decision::due(due, self.now())).unwrap_or_default();
        let key = ScreenKey::Petition { petition: petition.clone(), page: 0 };
        self.ring(user, key, &format!("⏰ {due}"))
    }

    /// A new message, for which the phone may ring.
    fn ring(&mut self, user: UserId, key: ScreenKey, banner: &str) -> bool {
        let (Some(chat), Some(person)) = (self.own_chat(user), self.people.find(user).cloned()) else {
            return false;
        };
        // A person in the middle of writing keeps the question before their eyes.
        let writes = self
            .memory
            .read(|state| state.chats.get(&chat).is_some_and(|chat| chat.awaits.contains_key(&user)));
        // What the person is deciding right now stays where it is.
        let is_same =
            |shown: &ScreenKey| matches!((shown, &key), (ScreenKey::Queue { .. }, ScreenKey::Queue { .. }));
        let live = self.live(chat).filter(|(_, shown)| !writes && (is_same(shown) || !is_in_hand(shown)));
        let (key, screen) = self.draw(&person, false, key, Some(banner));
        self.follow(&key);
        let banner = Some(banner.to_owned());
        self.sends(NewMessage { chat, key: key.clone(), banner, screen: screen.clone() });
        let replaces = live.map(|(message, _)| message);
        self.send(ChatEffect::Send { chat, key, screen, replaces, is_silent: false });
        true
    }

    /// The person to whom a petition was handed is told at once.
    pub(super) fn tell_of_handing(
        &mut self,
        by: &Visit,
        to: &AllowedPerson,
        id: &PetitionId,
        reply: &mut Reply,
    ) {
        if to.id == by.person.id {
            return;
        }
        let banner = format!("👤 {} hands you this", by.person.name);
        let key = ScreenKey::Petition { petition: id.clone(), page: 0 };
        if self.ring(to.id, key, &banner) {
            let (petition, at, users) = (id.clone(), by.at, vec![to.id]);
            reply.facts.push(DoorFact::Announced { petition, at, users });
        } else {
            self.note(false, format!("{} has not begun to talk to the bot, and cannot be told", to.name));
        }
    }

    /// How missions stand is looked at now and then: an end, a limit and a wait are told.
    fn look_at_missions(&mut self) {
        let now = self.now();
        if now.0.saturating_sub(self.missions_looked.0) < limits::MISSIONS_LOOK.as_millis() as u64 {
            return;
        }
        self.missions_looked = now;
        let rows = self.directory.list();
        let (mut moved, mut changed) = (Vec::new(), Vec::new());
        for row in &rows {
            let is =
                SeenMission { standing: row.standing.clone(), at: row.at, parked_until: row.parked_until };
            let known = self.standings.insert(row.id.clone(), is.clone());
            if known.as_ref() != Some(&is) {
                changed.push(row.id.clone());
            }
            // A provider that names no time is asked again and again: that it is parked is told once.
            let parks =
                is.parked_until.is_some() && known.as_ref().is_none_or(|known| known.parked_until.is_none());
            let is_new = match known {
                Some(known) => parks || without_rest(&known.standing) != without_rest(&is.standing),
                // What became of missions while the door was closed is new, too.
                None => self.news_since.0 < row.at,
            };
            if is_new {
                moved.push((row.clone(), parks));
            }
        }
        self.standings.retain(|id, _| rows.iter().any(|row| row.id == *id));
        for (row, parks) in moved {
            self.tell_of_mission(&row, parks);
        }
        let is_changed = |key: &ScreenKey| match key.mission() {
            Some(mission) => changed.contains(mission),
            None => matches!(key, ScreenKey::Missions { .. }) && !changed.is_empty(),
        };
        for (chat, message, key) in self.shown(is_changed) {
            self.redraw(chat, message, key);
        }
    }

    fn tell_of_mission(&mut self, row: &MissionRowView, parks: bool) {
        let parked_until = row.parked_until.filter(|_| parks);
        let Some(word) = news_of(row, parked_until, self.now()) else { return };
        let what = match parked_until {
            Some(until) => format!("parked {}", until.0),
            None => format!("{} {}", row.status, row.at),
        };
        let what: Arc<str> = Arc::from(what);
        let is_told =
            self.memory.read(|state| state.told.get(&row.id).is_some_and(|told| told.contains(&what)));
        if is_told || !self.settings.announces {
            return;
        }
        let users: Vec<UserId> = self.people.all().iter().map(|person| person.id).collect();
        for user in users {
            self.ring(user, ScreenKey::Mission { mission: row.id.clone() }, &word);
        }
        self.keep(&[DoorFact::Told { mission: row.id.clone(), what, at: self.now() }]);
    }
}

/// A message in which the person is about to decide or to say something.
fn is_in_hand(key: &ScreenKey) -> bool {
    match key {
        ScreenKey::Queue { .. }
        | ScreenKey::Petition { .. }
        | ScreenKey::Decision { .. }
        | ScreenKey::OwnWords { .. }
        | ScreenKey::Review { .. }
        | ScreenKey::HandOver { .. }
        | ScreenKey::Missions { .. }
        | ScreenKey::Mission { .. }
        | ScreenKey::MissionCancel { .. } => true,
        ScreenKey::Help | ScreenKey::Status | ScreenKey::Completion { .. } | ScreenKey::Word => false,
    }
}

/// What is told of how a mission stands now: that it ended, that it waits for its person, or until when it is parked.
fn news_of(row: &MissionRowView, parked_until: Option<Timestamp>, now: Timestamp) -> Option<String> {
    let title = view::line::line(&row.title);
    if let Some(until) = parked_until {
        let left = view::when::span(until.0.saturating_sub(now.0));
        return Some(format!("⏳ {title}: parked at a usage limit, tries again in {left}"));
    }
    let icon = match row.status.as_str() {
        status if status.starts_with("complete") => "🏁",
        status if status.starts_with("failed") => "❌",
        status if status.starts_with("cancelled") => "⏹️",
        status if status.starts_with("ended at a limit") => "⛔",
        "a plan only" => "📝",
        "waits for you" | "at rest (waits for you)" => "✋",
        _ => return None,
    };
    Some(format!("{icon} {title}: {}", row.standing))
}

/// How a mission stands, without whether a process runs it.
fn without_rest(standing: &str) -> &str {
    standing.strip_prefix("at rest (").and_then(|rest| rest.strip_suffix(')')).unwrap_or(standing)
}
