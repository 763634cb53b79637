//! Who looks at a screen, and what follows from that: what they may do, what is asked of them or of others, and the names of
//! people.

use jiff::tz::TimeZone;
use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{Decision, GivenAnswer, Petition};
use view::decision::asked_of;
use view::provenance::source;

use crate::telegram::settings::{AllowedPerson, PersonRole};

/// Who looks, and when.
#[derive(Debug, Clone, Copy)]
pub struct Viewer<'a> {
    pub person: &'a AllowedPerson,
    /// All who are let in.
    pub people: &'a [AllowedPerson],
    pub zone: &'a TimeZone,
    pub now: Timestamp,
    /// Others may read along.
    pub is_group: bool,
}

impl AllowedPerson {
    /// Whether a petition that asks somebody of this name asks them: their name, their number, or both as a ledger has it.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        let name = name.trim();
        let name = match Actor::parse(name) {
            Some(Actor::Human { door: Door::Telegram, user }) => user.to_string(),
            Some(Actor::Human { .. } | Actor::Policy(_) | Actor::Agent(_)) | None => name.to_owned(),
        };
        name.to_lowercase() == self.name.to_lowercase() || name == self.id.0.to_string()
    }
}

impl<'a> Viewer<'a> {
    #[must_use]
    pub fn may_answer(&self) -> bool {
        self.person.role >= PersonRole::Answer
    }

    #[must_use]
    pub fn may_steer(&self) -> bool {
        self.person.role >= PersonRole::Steer
    }

    /// Whom a decision is asked of, if that is somebody else.
    #[must_use]
    pub fn other_asked<'p>(&self, petition: &'p Petition, decision: &'p Decision) -> Option<&'p str> {
        asked_of(petition, decision).filter(|name| !self.person.is_called(name))
    }

    /// The others who may answer.
    pub fn others(&self) -> impl Iterator<Item = &'a AllowedPerson> + use<'a> {
        let own = self.person.id;
        self.people.iter().filter(move |person| person.id != own && person.role >= PersonRole::Answer)
    }

    /// Somebody of Telegram's under the name that others call them, where the ledger has a number.
    #[must_use]
    pub fn named(&self, actor: &Actor) -> Actor {
        match actor {
            Actor::Human { door: Door::Telegram, user } => {
                let known = self.people.iter().find(|person| *person.id.0.to_string() == **user);
                known.map_or_else(|| actor.clone(), |person| Actor::human(Door::Telegram, &person.name))
            }
            Actor::Human { .. } | Actor::Policy(_) | Actor::Agent(_) => actor.clone(),
        }
    }

    /// Whose answer it is, and since when; empty if neither is known.
    pub(super) fn source(&self, given: &GivenAnswer) -> String {
        let by = given.by.as_deref().and_then(Actor::parse).map(|by| self.named(&by).to_string().into());
        source(&GivenAnswer { by: by.or_else(|| given.by.clone()), ..given.clone() }, self.now)
    }
}
