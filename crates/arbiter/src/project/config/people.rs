//! `telegram.allowedUsers`: who is let in, under which name, and what they may do. A number alone may answer, and steer
//! missions too if it is the only one.

use std::sync::Arc;

use doors::telegram::settings::{AllowedPerson, PersonRole};
use doors::telegram::wire::UserId;
use serde_json::{Value as Json, json};

use super::error::shown;
use super::kind::{Choice, Kind, ShownValue};
use super::node::{Node, Value};
use super::reader::{Found, Reader};

/// How many people can be let in.
pub(super) const PEOPLE_MAX: usize = 100;
/// The longest name of a person, in characters.
const NAME_CHARS_MAX: usize = 40;
const EXAMPLE: &str = "allowedUsers: [93533553, {id: 111, name: sam, role: watch}]";
const NUMBER_HINT: &str =
    "Telegram's number of the user, such as 93533553, not a name; `arbiter setup telegram` finds yours";

pub(super) const ROLES: Choice<PersonRole> = Choice {
    noun: ["role", "roles"],
    words: &[("watch", PersonRole::Watch), ("answer", PersonRole::Answer), ("steer", PersonRole::Steer)],
};

/// The kind of `telegram.allowedUsers`.
pub(super) struct People;

/// A person who is only a number, one of so many.
pub(super) fn person(number: i64, of: usize) -> Option<AllowedPerson> {
    (number > 0).then(|| AllowedPerson {
        id: UserId(number),
        name: Arc::from(number.to_string()),
        role: role_unsaid(of),
    })
}

/// What somebody may do of whom the file does not say it.
fn role_unsaid(of: usize) -> PersonRole {
    if of == 1 { PersonRole::Steer } else { PersonRole::Answer }
}

impl Kind for People {
    type Value = Vec<AllowedPerson>;

    fn read(&self, reader: &mut Reader<'_>, key: &str, node: &Node) -> Found<Vec<AllowedPerson>> {
        let wanted = ("a list of users", EXAMPLE);
        let (people, place) = reader.list(key, node, wanted, Reader::allowed_person)?;
        let count = people.len();
        if count > PEOPLE_MAX {
            let problem = format!("it has {count} users, more than the {PEOPLE_MAX} that can be let in");
            reader.bad(key, node, problem, None);
            return None;
        }
        for (index, (id, name, _)) in people.iter().enumerate() {
            let before = &people[..index];
            let problem = if before.iter().any(|(known, ..)| known == id) {
                format!("user {} stands in it twice", id.0)
            } else if name.is_some() && before.iter().any(|(_, known, _)| known == name) {
                format!("two users are called {}", shown(name.as_deref().unwrap_or_default()))
            } else {
                continue;
            };
            let hint = "keep one, or give the other another name".to_owned();
            reader.bad(key, node, problem, Some(hint));
            return None;
        }
        let people = people.into_iter().map(|(id, name, role)| AllowedPerson {
            id,
            name: name.unwrap_or_else(|| Arc::from(id.0.to_string())),
            role: role.unwrap_or_else(|| role_unsaid(count)),
        });
        Some((people.collect(), place))
    }

    fn show(&self, people: &Vec<AllowedPerson>) -> ShownValue {
        let shown = |person: &AllowedPerson| {
            let AllowedPerson { id, name, role } = person;
            format!("{{id: {}, name: {name}, role: {}}}", id.0, ROLES.show(role).line())
        };
        ShownValue { values: people.iter().map(shown).collect(), is_list: true }
    }

    fn schema(&self) -> Json {
        let id = json!({ "type": "integer", "minimum": 1 });
        let person = json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["id"],
            "properties": { "id": id, "name": { "type": "string" }, "role": ROLES.schema() },
        });
        json!({ "type": "array", "items": { "anyOf": [id, person] } })
    }
}

/// A user as written: a name and a role only where the file says so.
type WrittenPerson = (UserId, Option<Arc<str>>, Option<PersonRole>);

impl Reader<'_> {
    fn allowed_person(&mut self, key: &str, node: &Node) -> Option<WrittenPerson> {
        if !matches!(node.value, Value::Map(_)) {
            return Some((self.user_number(key, node)?, None, None));
        }
        let (mut id, mut name, mut role) = (None, None, None);
        let faults = self.faults.len();
        for (field, node) in self.map(key, node, &["id", "name", "role"], EXAMPLE) {
            let key = format!("{key}.{field}");
            match field.as_str() {
                "id" => id = self.user_number(&key, node),
                "name" => name = self.person_name(&key, node),
                _ => role = ROLES.read(self, &key, node).map(|(role, _)| role),
            }
        }
        if self.faults.len() > faults {
            return None;
        }
        if id.is_none() {
            self.bad(key, node, "it has no `id`".to_owned(), Some(NUMBER_HINT.to_owned()));
        }
        Some((id?, name, role))
    }

    fn user_number(&mut self, key: &str, node: &Node) -> Option<UserId> {
        let written = self.word(node).unwrap_or_default().trim().to_owned();
        let (problem, hint) = match written.parse::<i64>() {
            Ok(number) if number > 0 => return Some(UserId(number)),
            Ok(number) => {
                let hint = "a group has a number below 0: name the people in it, each by their own";
                (format!("{number} is not the number of a user"), hint)
            }
            Err(_) => (format!("{} is no number", shown(&written)), NUMBER_HINT),
        };
        self.bad(key, node, problem, Some(hint.to_owned()));
        None
    }

    /// A name as petitions assign to it: one short word or a few, without signs that could pass for something else.
    fn person_name(&mut self, key: &str, node: &Node) -> Option<Arc<str>> {
        let name = self.word(node).unwrap_or_default().trim().to_owned();
        let is_name = !name.is_empty()
            && name.chars().count() <= NAME_CHARS_MAX
            && name.chars().all(|sign| sign.is_alphanumeric() || " ._-".contains(sign));
        if !is_name {
            let hint = format!("letters, digits, spaces, `.`, `_` and `-`, at most {NAME_CHARS_MAX}");
            self.bad(key, node, format!("{} is not a name", shown(&name)), Some(hint));
        }
        is_name.then(|| Arc::from(name))
    }
}
