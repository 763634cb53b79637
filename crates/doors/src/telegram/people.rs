//! The people who are let in: who they are, what each may do, and which of them a petition means by a name.

use std::sync::Arc;

use mind::actor::{Actor, Door};

use super::settings::{AllowedPerson, PersonRole};
use super::wire::UserId;

/// Everybody who is let in, in the order of the configuration.
#[derive(Debug, Clone, Default)]
pub struct People {
    all: Arc<[AllowedPerson]>,
}

impl People {
    pub fn new(all: Vec<AllowedPerson>) -> People {
        People { all: all.into() }
    }

    pub fn all(&self) -> &[AllowedPerson] {
        &self.all
    }

    /// The person of this number, if they are let in.
    pub fn find(&self, user: UserId) -> Option<&AllowedPerson> {
        self.all.iter().find(|person| person.id == user)
    }

    /// The person whom a petition means by a name, a number, or a whole actor (`human:telegram:93533553`).
    pub fn named(&self, name: &str) -> Option<&AllowedPerson> {
        self.all.iter().find(|person| person.is_called(name))
    }
}

impl AllowedPerson {
    /// As the ledger names them: by the number, which no other person can take over.
    pub fn actor(&self) -> Actor {
        Actor::human(Door::Telegram, &self.id.0.to_string())
    }

    pub fn may(&self, role: PersonRole) -> bool {
        self.role >= role
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_petition_means_a_person_by_name_number_or_actor() {
        let ada = AllowedPerson { id: UserId(93_533_553), name: Arc::from("Ada"), role: PersonRole::Answer };
        let people = People::new(vec![ada.clone()]);
        for name in ["ada", "Ada", "93533553", "human:telegram:93533553", " ada "] {
            assert_eq!(people.named(name), Some(&ada), "{name:?}");
        }
        for name in ["", "sam", "9353355", "human:cli:ada"] {
            assert_eq!(people.named(name), None, "{name:?}");
        }
        assert_eq!(ada.actor().to_string(), "human:telegram:93533553");
        assert!(ada.may(PersonRole::Watch) && ada.may(PersonRole::Answer) && !ada.may(PersonRole::Steer));
    }
}
