//! The rows of the docket page: permissions, the Arbiter's questions, petitions and files that cannot be read.

use std::sync::Arc;

use mind::petition::{Petition, PetitionId, Priority};
use mind::session::PendingPermission;
use mind::session::Session;
use mind::talk::Message;
use mind::{MessageId, PermissionId, Timestamp};
use ratatui::text::{Line, Span};
use view::queue::{self, WaitingPetition};
use view::when;

use crate::overlay::panel::brief;
use crate::text::wrap::width;
use crate::theme::{Theme, Tint};
use crate::view_model::{Unreadable, ViewModel};

/// Names something that waits, whatever row it stands in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pick {
    /// May a tool run?
    Ask(PermissionId),
    /// Shall it begin?
    Alignment(MessageId),
    /// A question that is answered in words.
    Words(MessageId),
    /// An agent's petition.
    Petition(PetitionId),
    /// A file that is no petition, by its place.
    Fault(Arc<str>),
}

/// Something that waits.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item<'a> {
    /// May a tool run?
    Ask(&'a Session, &'a PendingPermission),
    /// Shall it begin?
    Alignment(&'a Message),
    /// A question that is answered in words.
    Words(&'a Message),
    /// An agent's petition.
    Petition(&'a Petition),
    /// A file that is no petition: it is named until it is mended.
    Fault(&'a Unreadable),
}

impl Item<'_> {
    pub(super) fn pick(&self) -> Pick {
        match self {
            Item::Ask(_, ask) => Pick::Ask(ask.id),
            Item::Alignment(message) => Pick::Alignment(message.id),
            Item::Words(message) => Pick::Words(message.id),
            Item::Petition(petition) => Pick::Petition(petition.id.clone()),
            Item::Fault(fault) => Pick::Fault(Arc::clone(&fault.file)),
        }
    }

    pub(super) fn is(&self, pick: &Pick) -> bool {
        match (self, pick) {
            (Item::Ask(_, ask), Pick::Ask(id)) => ask.id == *id,
            (Item::Alignment(message), Pick::Alignment(id)) | (Item::Words(message), Pick::Words(id)) => {
                message.id == *id
            }
            (Item::Petition(petition), Pick::Petition(id)) => petition.id == *id,
            (Item::Fault(fault), Pick::Fault(file)) => fault.file == *file,
            (Item::Ask(..) | Item::Alignment(_) | Item::Words(_) | Item::Petition(_) | Item::Fault(_), _) => {
                false
            }
        }
    }

    pub(super) fn asker(&self) -> String {
        match self {
            Item::Ask(session, _) => session.profile.speaker().to_string(),
            Item::Alignment(message) | Item::Words(message) => message.from.to_string(),
            Item::Petition(petition) => brief(&petition.agent, 40),
            Item::Fault(fault) => brief(fault.name(), 40),
        }
    }
}

/// Everything that waits: tools by their number, then what the Arbiter wants to know, then what agents ask.
pub(super) fn items<'a>(model: &ViewModel<'a>) -> Vec<Item<'a>> {
    let state = model.state;
    let open = state.open_permissions();
    let mut items: Vec<Item<'_>> = open.map(|(session, ask)| Item::Ask(session, ask)).collect();
    items.sort_by_key(Item::pick);
    let question = state.question.and_then(|id| state.message(id));
    items.extend(match state.alignment_asked() {
        Some(message) => Some(Item::Alignment(message)),
        None => question.map(Item::Words),
    });
    items.extend(model.asked_elsewhere().map(Item::Petition));
    items.extend(model.unreadable().iter().map(Item::Fault));
    items
}

/// One line for it.
pub(super) fn row(item: &Item<'_>, sent: bool, now: Timestamp, columns: u16, theme: &Theme) -> Line<'static> {
    let age = |at: Timestamp| when::span(now.0.saturating_sub(at.0));
    let (name, tint, what, since) = match item {
        Item::Ask(session, ask) => {
            let name = format!("{} {}", ask.id, session.profile.speaker());
            (name, Tint::Wanted, ask.request.what.to_string(), age(ask.at))
        }
        Item::Alignment(message) => {
            let name = format!("{} wants your yes", message.from);
            (name, Tint::Wanted, message.text.to_string(), age(message.at))
        }
        Item::Words(message) if message.decisions.is_empty() => {
            let name = format!("{} awaits words", message.from);
            (name, Tint::House, message.text.to_string(), age(message.at))
        }
        Item::Words(message) => {
            let name = format!("{} wants a decision", message.from);
            (name, Tint::Wanted, message.text.to_string(), age(message.at))
        }
        Item::Petition(petition) => {
            let row = queue::row(&WaitingPetition::from(*petition), now);
            let urgent = if row.priority == Priority::Urgent { "!" } else { "" };
            let name = format!("{urgent}{} {}", brief(&row.asker, 24), row.progress);
            let since = row.due.map_or_else(|| row.age.clone(), |due| format!("{due}  {}", row.age));
            (name, row.urgency.into(), row.title, since)
        }
        Item::Fault(fault) => {
            let why = queue::unreadable(&fault.file, &fault.why).why;
            ("malformed".to_owned(), Tint::Bad, why, age(fault.at))
        }
    };
    let since = if sent { "sent".to_owned() } else { since };
    let tint = if sent { Tint::Dim } else { tint };
    let columns = usize::from(columns);
    let name = brief(&name, columns.saturating_sub(2) / 2);
    let room = columns.saturating_sub(width(&name) + width(&since) + 5);
    let what = brief(&what, room);
    let gap = room.saturating_sub(width(&what));
    Line::from(vec![
        Span::raw(" "),
        Span::styled(name, theme.style(tint)),
        Span::raw("  "),
        Span::styled(what, theme.style(Tint::Words)),
        Span::raw(" ".repeat(gap + 1)),
        Span::styled(since, theme.style(Tint::Dim)),
    ])
}
