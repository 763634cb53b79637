//! Who is told of what, and when. Urgent petitions are told at once, the others together after a while, and none in quiet
//! hours that can wait. Before a deadline people are reminded, and each reminder reaches one more of those to whom the petition
//! escalates. It knows no clock: the caller says what time it is, and is told when to ask again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use mind::Timestamp;
use mind::petition::{PetitionId, Priority};

use super::fact::AnnouncedPetition;
use super::people::People;
use super::settings::{PersonRole, QuietHours};
use super::wire::UserId;
use crate::limits;

/// An open petition, as far as announcements need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPetition {
    pub id: PetitionId,
    pub priority: Priority,
    pub assignee: Option<Arc<str>>,
    pub escalate: Vec<Arc<str>>,
    pub due_at: Option<Timestamp>,
    pub created_at: Timestamp,
    /// All is decided: it needs no more than to be submitted.
    pub is_ready: bool,
}

/// What holds for all announcements.
#[derive(Debug, Clone)]
pub struct AnnounceTerms<'a> {
    pub people: &'a People,
    pub gather: Duration,
    pub quiet: Option<QuietHours>,
    pub zone: &'a TimeZone,
    pub now: Timestamp,
}

/// What people are to be told now.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnnouncePlan {
    /// New petitions, for each person.
    pub news: BTreeMap<UserId, Vec<PetitionId>>,
    pub reminders: Vec<Reminder>,
    /// When there may be more to tell.
    pub next: Option<Timestamp>,
}

/// A petition whose deadline comes near.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reminder {
    pub petition: PetitionId,
    /// The so manieth, from 1.
    pub step: u32,
    pub users: Vec<UserId>,
}

/// What is to be told, given what was told before. `seen` says since when each petition is known here.
pub fn plan(
    open: &[OpenPetition],
    told: &BTreeMap<PetitionId, AnnouncedPetition>,
    seen: &BTreeMap<PetitionId, Timestamp>,
    terms: &AnnounceTerms<'_>,
) -> AnnouncePlan {
    let mut plan = AnnouncePlan::default();
    let quiet_until = terms.quiet.and_then(|quiet| quiet_until(quiet, terms.zone, terms.now));
    let mut news = Vec::new();
    let mut gathered_at: Option<Timestamp> = None;
    for petition in open.iter().filter(|petition| !told.contains_key(&petition.id)) {
        // A deadline within the quiet hours does not wait for their end.
        let is_due_soon = quiet_until.is_some_and(|until| petition.due_at.is_some_and(|due| due <= until));
        if petition.priority == Priority::Urgent || is_due_soon {
            news.push((petition, true));
            continue;
        }
        let since = seen.get(&petition.id).copied().unwrap_or(terms.now);
        let ready = Timestamp(since.0.saturating_add(terms.gather.as_millis() as u64));
        gathered_at = Some(gathered_at.map_or(ready, |known| known.min(ready)));
        news.push((petition, false));
    }
    // The first that has waited long enough takes all others along.
    let goes = |is_urgent: bool| {
        is_urgent || (quiet_until.is_none() && gathered_at.is_some_and(|ready| ready <= terms.now))
    };
    for (petition, is_urgent) in &news {
        if !goes(*is_urgent) {
            continue;
        }
        for user in audience(petition, terms.people) {
            plan.news.entry(user).or_default().push(petition.id.clone());
        }
    }
    if !goes(false) {
        let ready = gathered_at.map(|ready| quiet_until.map_or(ready, |until| ready.max(until)));
        plan.wake(ready);
    }
    for petition in open.iter().filter(|petition| !petition.is_ready) {
        let Some(known) = told.get(&petition.id) else { continue };
        plan.remind(petition, known, quiet_until, terms);
    }
    plan
}

/// Who is told of a petition: the one it is assigned to, if that one is let in; else everybody who may answer, and if
/// there is none, everybody.
fn audience(petition: &OpenPetition, people: &People) -> Vec<UserId> {
    if let Some(assignee) = petition.assignee.as_deref().and_then(|name| people.named(name)) {
        return vec![assignee.id];
    }
    let answering = people.all().iter().filter(|person| person.may(PersonRole::Answer));
    let answering: Vec<UserId> = answering.map(|person| person.id).collect();
    if answering.is_empty() { people.all().iter().map(|person| person.id).collect() } else { answering }
}

/// How long before its deadline people are reminded of a petition: less for one that had little time from the start.
fn reminder_moments(petition: &OpenPetition) -> Vec<Timestamp> {
    let Some(due) = petition.due_at else { return Vec::new() };
    let whole = due.0.saturating_sub(petition.created_at.0);
    let early = limits::REMINDERS_BEFORE.iter().map(|before| before.as_millis() as u64);
    early.filter(|before| before * 2 <= whole).map(|before| Timestamp(due.0 - before)).collect()
}

impl AnnouncePlan {
    fn wake(&mut self, at: Option<Timestamp>) {
        self.next = match (self.next, at) {
            (Some(known), Some(at)) => Some(known.min(at)),
            (known, at) => known.or(at),
        };
    }

    fn remind(
        &mut self,
        petition: &OpenPetition,
        known: &AnnouncedPetition,
        quiet_until: Option<Timestamp>,
        terms: &AnnounceTerms<'_>,
    ) {
        let moments = reminder_moments(petition);
        // What a sleeping machine missed is one reminder, not several.
        let passed = moments.iter().filter(|moment| **moment <= terms.now).count() as u32;
        self.wake(moments.into_iter().find(|moment| *moment > terms.now));
        if passed <= known.reminders || petition.due_at.is_some_and(|due| due <= terms.now) {
            return;
        }
        // A deadline within the quiet hours does not wait for their end.
        let can_wait = quiet_until.filter(|until| petition.due_at.is_some_and(|due| due > *until));
        if petition.priority != Priority::Urgent
            && let Some(until) = can_wait
        {
            self.wake(Some(until));
            return;
        }
        let mut users: Vec<UserId> = known.users.iter().copied().collect();
        for name in petition.escalate.iter().take(passed as usize) {
            let more = match terms.people.named(name) {
                Some(person) => vec![person.id],
                None if &**name == "telegram" => terms.people.all().iter().map(|person| person.id).collect(),
                // Another door's, or a name that is not known here.
                None => Vec::new(),
            };
            users.extend(more.into_iter().filter(|user| !known.users.contains(user)));
        }
        users.sort_unstable();
        users.dedup();
        self.reminders.push(Reminder { petition: petition.id.clone(), step: passed, users });
    }
}

/// The end of the quiet hours, if it is quiet now.
fn quiet_until(quiet: QuietHours, zone: &TimeZone, now: Timestamp) -> Option<Timestamp> {
    let here = view::when::at(now, zone);
    let minute = u16::from(here.hour().unsigned_abs()) * 60 + u16::from(here.minute().unsigned_abs());
    let is_quiet = if quiet.from <= quiet.until {
        (quiet.from..quiet.until).contains(&minute)
    } else {
        minute >= quiet.from || minute < quiet.until
    };
    if !is_quiet {
        return None;
    }
    let minutes = u64::from((quiet.until + 24 * 60 - minute) % (24 * 60));
    let of_minute = u64::from(here.second().unsigned_abs()) * 1000;
    Some(Timestamp(now.0 + (minutes * 60_000).saturating_sub(of_minute)))
}

#[cfg(test)]
mod tests {
    use super::super::settings::AllowedPerson;
    use super::*;

    const MINUTE: u64 = 60_000;
    const HOUR: u64 = 60 * MINUTE;

    fn people() -> People {
        let person = |id, name: &str, role| AllowedPerson { id: UserId(id), name: Arc::from(name), role };
        People::new(vec![
            person(1, "ada", PersonRole::Steer),
            person(2, "sam", PersonRole::Answer),
            person(3, "eve", PersonRole::Watch),
        ])
    }

    fn petition(id: &str, priority: Priority) -> OpenPetition {
        OpenPetition {
            id: PetitionId::from(id),
            priority,
            assignee: None,
            escalate: Vec::new(),
            due_at: None,
            created_at: Timestamp(0),
            is_ready: false,
        }
    }

    fn told(at: u64, users: &[i64]) -> AnnouncedPetition {
        let users = users.iter().map(|user| UserId(*user)).collect();
        AnnouncedPetition { at: Timestamp(at), users, reminders: 0, reminded: None }
    }

    struct Case {
        open: Vec<OpenPetition>,
        told: BTreeMap<PetitionId, AnnouncedPetition>,
        seen: BTreeMap<PetitionId, Timestamp>,
        quiet: Option<QuietHours>,
    }

    impl Case {
        fn of(open: Vec<OpenPetition>) -> Case {
            let seen = open.iter().map(|petition| (petition.id.clone(), Timestamp(0))).collect();
            Case { open, told: BTreeMap::new(), seen, quiet: None }
        }

        fn at(&self, now: u64) -> AnnouncePlan {
            let people = people();
            let terms = AnnounceTerms {
                people: &people,
                gather: Duration::from_secs(60),
                quiet: self.quiet,
                zone: &TimeZone::UTC,
                now: Timestamp(now),
            };
            plan(&self.open, &self.told, &self.seen, &terms)
        }
    }

    fn names(plan: &AnnouncePlan, user: i64) -> String {
        let ids = plan.news.get(&UserId(user)).into_iter().flatten().map(ToString::to_string);
        ids.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn urgent_ones_are_told_at_once_and_the_others_together_after_a_while() {
        let case = Case::of(vec![petition("u", Priority::Urgent), petition("n", Priority::Normal)]);
        let first = case.at(10);
        assert_eq!([names(&first, 1), names(&first, 2), names(&first, 3)], ["u", "u", ""]);
        assert_eq!(first.next, Some(Timestamp(60_000)));
        let mut case = Case::of(vec![petition("a", Priority::Normal), petition("b", Priority::Low)]);
        case.seen.insert(PetitionId::from("b"), Timestamp(59_000));
        assert_eq!(names(&case.at(59_999), 1), "");
        assert_eq!(names(&case.at(60_000), 1), "a b");
    }

    #[test]
    fn what_was_told_is_not_told_again() {
        let mut case = Case::of(vec![petition("u", Priority::Urgent)]);
        case.told.insert(PetitionId::from("u"), told(0, &[1, 2]));
        assert_eq!(case.at(10), AnnouncePlan::default());
    }

    #[test]
    fn an_assigned_petition_is_told_to_its_person_alone() {
        let mut one = petition("a", Priority::Urgent);
        one.assignee = Some(Arc::from("Sam"));
        let mut stranger = petition("b", Priority::Urgent);
        stranger.assignee = Some(Arc::from("somebody else"));
        let plan = Case::of(vec![one, stranger]).at(0);
        assert_eq!([names(&plan, 1), names(&plan, 2)], ["b", "a b"]);
    }

    #[test]
    fn quiet_hours_hold_back_what_can_wait() {
        let mut case = Case::of(vec![petition("n", Priority::High), petition("u", Priority::Urgent)]);
        case.quiet = Some(QuietHours { from: 22 * 60, until: 7 * 60 });
        let night = case.at(23 * HOUR);
        assert_eq!(names(&night, 1), "u");
        assert_eq!(night.next, Some(Timestamp(31 * HOUR)));
        assert_eq!(names(&case.at(31 * HOUR), 1), "n u");
        // Without a turn of the day between.
        case.quiet = Some(QuietHours { from: 60, until: 120 });
        assert_eq!(case.at(90 * MINUTE + 1_000).next, Some(Timestamp(2 * HOUR)));
        assert_eq!(names(&case.at(2 * HOUR), 1), "n u");
    }

    #[test]
    fn a_deadline_is_reminded_of_and_escalates() {
        let mut one = petition("d", Priority::Normal);
        one.due_at = Some(Timestamp(10 * HOUR));
        one.escalate = vec![Arc::from("sam"), Arc::from("telegram")];
        let mut case = Case::of(vec![one]);
        case.told.insert(PetitionId::from("d"), told(0, &[1]));
        let early = case.at(HOUR);
        assert!(early.reminders.is_empty());
        assert_eq!(early.next, Some(Timestamp(9 * HOUR)));
        let first = case.at(9 * HOUR);
        assert_eq!((first.reminders[0].step, first.reminders[0].users.len()), (1, 2));
        case.told.get_mut(&PetitionId::from("d")).unwrap().reminders = 1;
        assert!(case.at(9 * HOUR + 1).reminders.is_empty());
        let second = case.at(10 * HOUR - 10 * MINUTE);
        assert_eq!((second.reminders[0].step, second.reminders[0].users.len()), (2, 3));
        assert!(case.at(10 * HOUR).reminders.is_empty(), "it is over then");
        // A machine that slept tells once.
        case.told.get_mut(&PetitionId::from("d")).unwrap().reminders = 0;
        assert_eq!(case.at(10 * HOUR - MINUTE).reminders.len(), 1);
    }

    #[test]
    fn a_short_deadline_has_no_early_reminder() {
        let mut one = petition("d", Priority::Normal);
        one.due_at = Some(Timestamp(30 * MINUTE));
        assert_eq!(reminder_moments(&one), [Timestamp(20 * MINUTE)]);
        one.due_at = Some(Timestamp(5 * MINUTE));
        assert_eq!(reminder_moments(&one), []);
    }
}
