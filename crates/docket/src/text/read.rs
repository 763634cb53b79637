//! Reads a petition from the parts of its file, and remembers where each part stands. The status that the file claims
//! is not believed while the decisions say otherwise.

use std::collections::HashMap;
use std::sync::Arc;

use mind::Timestamp;
use mind::petition::{ClosedPetition, Decision, Petition, PetitionEnd, PetitionId, Priority};

use super::body::{self, Body, Section};
use super::front::{self, Front};
use super::lines::{self, Line};
use super::list::{self, Item};
use super::{MalformedPetition, decision, malformed, moment, names};
use crate::limits;

/// A petition and where its parts stand.
pub(super) struct Reading {
    pub(super) petition: Petition,
    /// How the file says that it ended.
    pub(super) claims: Option<PetitionEnd>,
    pub(super) lines: Vec<Line>,
    pub(super) front: Front,
    pub(super) sections: Vec<Section>,
    pub(super) items: Vec<Item>,
    pub(super) places: Vec<Place>,
}

/// Where a decision stands; at least one of both is there.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// Its section of the body.
    pub(super) section: Option<usize>,
    /// Its item of the list in the frontmatter.
    pub(super) item: Option<usize>,
}

/// Reads a file's text.
pub(super) fn read(text: &str, file_time: Timestamp) -> Result<Reading, MalformedPetition> {
    if text.len() as u64 > limits::FILE_BYTES_MAX {
        return Err(malformed("the file is larger than 1 MiB"));
    }
    let lines = lines::split(text);
    let front = front::read(text, &lines)?;
    let id = id(&front.text(text, "id")?.unwrap_or_default())?;
    let Body { heading, context, headed, sections } = body::read(text, &lines, front.close)?;
    let items = list::read(text, &front)?;
    let (decisions, places) = gather(&sections, &items)?;
    if decisions.is_empty() {
        return Err(malformed(
            "no decision: there is no heading `## Decision 1: ...` at the beginning of a line",
        ));
    }
    let said = |name: &str| front.text(text, name).map(|said| said.map(Arc::<str>::from));
    let title = said("title")?;
    let (title, context) = titled(title, heading, context, headed);
    let time = |name: &str| front.hint(text, name).and_then(|said| moment(&said));
    let updated_at = time("updated_at").unwrap_or(file_time);
    let claims = front.hint(text, "status").and_then(|status| end(&status));
    let mut petition = Petition {
        id,
        agent: said("agent")?.unwrap_or_default(),
        session: said("session")?.unwrap_or_default(),
        tag: said("tag")?.unwrap_or_default(),
        title,
        priority: front.hint(text, "priority").and_then(|word| Priority::of(&word)).unwrap_or_default(),
        closed: None,
        created_at: time("created_at").unwrap_or(file_time),
        updated_at,
        notify_session: said("notify_session")?.filter(|session| !session.is_empty()),
        mission: said("mission")?,
        blocks: said("blocks")?,
        deadline: time("deadline"),
        assignee: said("assignee")?,
        escalate: front.names(text, "escalate"),
        context,
        decisions,
    };
    let all = petition.decided() == petition.decisions.len();
    petition.closed = claims.filter(|end| *end != PetitionEnd::Completed || all).map(|end| ClosedPetition {
        end,
        at: time("completed_at").unwrap_or(updated_at),
        why: front.hint(text, "reason").filter(|_| end != PetitionEnd::Completed).map(Arc::from),
    });
    Ok(Reading { petition, claims, lines, front, sections, items, places })
}

fn id(said: &str) -> Result<PetitionId, MalformedPetition> {
    if said.trim().is_empty() {
        return Err(malformed("the id is missing: the frontmatter must have a line `id: ...`"));
    }
    if said.chars().count() > limits::ID_CHARS_MAX || said.contains(char::is_control) {
        return Err(MalformedPetition(format!(
            "the id must be one line of at most {} signs",
            limits::ID_CHARS_MAX
        )));
    }
    Ok(PetitionId::from(said))
}

fn end(status: &str) -> Option<PetitionEnd> {
    match status.trim() {
        "completed" => Some(PetitionEnd::Completed),
        "withdrawn" => Some(PetitionEnd::Withdrawn),
        "expired" => Some(PetitionEnd::Expired),
        _ => None,
    }
}

/// The title, and the context without the heading that repeats it.
fn titled(
    title: Option<Arc<str>>,
    heading: Option<String>,
    context: String,
    headed: String,
) -> (Arc<str>, Arc<str>) {
    match (title, heading) {
        // A heading that says something else belongs to the text.
        (Some(title), Some(heading)) if body::one_line(&title) != heading => (title, Arc::from(headed)),
        (Some(title), _) => (title, Arc::from(context)),
        (None, heading) => (Arc::from(heading.unwrap_or_default()), Arc::from(context)),
    }
}

/// All decisions: those of the body, then those that stand in the list alone.
fn gather(sections: &[Section], items: &[Item]) -> Result<(Vec<Decision>, Vec<Place>), MalformedPetition> {
    let mut decisions: Vec<Decision> = Vec::new();
    let mut places: Vec<Place> = Vec::new();
    let mut known: HashMap<Arc<str>, usize> = HashMap::new();
    for (at, section) in sections.iter().enumerate() {
        let decision = named(decision::of_section(section), at)?;
        if known.insert(Arc::clone(&decision.id), at).is_some() {
            return Err(twice(&decision));
        }
        decisions.push(decision);
        places.push(Place { section: Some(at), item: None });
    }
    for (at, item) in items.iter().enumerate() {
        let listed = named(item.decision.clone(), at)?;
        match known.get(&listed.id).map(|at| (*at, &mut places[*at], &mut decisions[*at])) {
            Some((_, Place { item: Some(_), .. }, _)) => return Err(twice(&listed)),
            Some((_, place, decision)) => {
                place.item = Some(at);
                complete(decision, listed);
            }
            None => {
                known.insert(Arc::clone(&listed.id), decisions.len());
                decisions.push(listed);
                places.push(Place { section: None, item: Some(at) });
            }
        }
    }
    if decisions.len() > mind::limits::PETITION_DECISIONS_MAX {
        let max = mind::limits::PETITION_DECISIONS_MAX;
        return Err(MalformedPetition(format!("there are more than {max} decisions")));
    }
    Ok((decisions, places))
}

fn twice(decision: &Decision) -> MalformedPetition {
    MalformedPetition(format!("decision `{}` stands twice", decision.id))
}

fn named(mut decision: Decision, at: usize) -> Result<Decision, MalformedPetition> {
    if decision.id.trim().is_empty() {
        decision.id = Arc::from(decision::id_of(&decision.title, at + 1));
    }
    if decision.id.chars().count() > limits::ID_CHARS_MAX || decision.id.contains(char::is_control) {
        let shown = mind::limits::cut(&names::harmless(&decision.id), 40);
        return Err(MalformedPetition(format!("`{shown}` cannot be the id of a decision")));
    }
    Ok(decision)
}

/// What the body leaves open is taken from the list; of two answers the later one counts.
fn complete(decision: &mut Decision, listed: Decision) {
    if decision.title.is_empty() {
        decision.title = listed.title;
    }
    if decision.context.is_empty() {
        decision.context = listed.context;
    }
    if decision.options.is_empty() {
        decision.options = listed.options;
    }
    decision.allow_custom = decision.allow_custom.or(listed.allow_custom);
    decision.default = decision.default.take().or(listed.default);
    decision.requires_human |= listed.requires_human;
    let at = |decision: &Option<mind::petition::GivenAnswer>| decision.as_ref().and_then(|given| given.at);
    if decision.answer.is_none() || (listed.answer.is_some() && at(&listed.answer) > at(&decision.answer)) {
        decision.answer = listed.answer;
    }
}
