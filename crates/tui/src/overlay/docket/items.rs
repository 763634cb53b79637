//! What waits for the human, one line each.

use mind::session::Ask;
use mind::session::Session;
use mind::talk::Message;
use mind::{AskId, MessageId, State, Timestamp};
use ratatui::text::{Line, Span};

use crate::overlay::panel::brief;
use crate::text::wrap::width;
use crate::theme::{Theme, Tint};
use crate::when;

/// Names something that waits, whatever row it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pick {
    /// May a tool run?
    Ask(AskId),
    /// Shall it begin?
    Alignment(MessageId),
    /// A question that is answered in words.
    Words(MessageId),
}

/// Something that waits.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item<'a> {
    /// May a tool run?
    Ask(&'a Session, &'a Ask),
    /// Shall it begin?
    Alignment(&'a Message),
    /// A question that is answered in words.
    Words(&'a Message),
}

impl Item<'_> {
    /// Its name.
    pub(super) fn pick(&self) -> Pick {
        match self {
            Item::Ask(_, ask) => Pick::Ask(ask.id),
            Item::Alignment(message) => Pick::Alignment(message.id),
            Item::Words(message) => Pick::Words(message.id),
        }
    }
}

/// Everything that waits: tools by their number, then what the Arbiter wants to know.
pub(super) fn items(state: &State) -> Vec<Item<'_>> {
    let open = state.open_asks();
    let mut items: Vec<Item<'_>> = open.map(|(session, ask)| Item::Ask(session, ask)).collect();
    items.sort_by_key(Item::pick);
    let question = state.question.and_then(|id| state.message(id));
    items.extend(match state.alignment_asked() {
        Some(message) => Some(Item::Alignment(message)),
        None => question.map(Item::Words),
    });
    items
}

/// One line for it.
pub(super) fn row(item: &Item<'_>, sent: bool, now: Timestamp, columns: u16, theme: &Theme) -> Line<'static> {
    let (name, tint, what, at) = match item {
        Item::Ask(session, ask) => {
            let name = format!("{} {}", ask.id, session.profile.speaker());
            (name, Tint::Wanted, &ask.question.what, ask.at)
        }
        Item::Alignment(message) => {
            (format!("{} wants your yes", message.from), Tint::Wanted, &message.text, message.at)
        }
        Item::Words(message) => {
            (format!("{} awaits words", message.from), Tint::House, &message.text, message.at)
        }
    };
    let since = if sent { "sent".to_owned() } else { when::span(now.0.saturating_sub(at.0)) };
    let tint = if sent { Tint::Dim } else { tint };
    let columns = usize::from(columns);
    let name = brief(&name, columns.saturating_sub(2) / 2);
    let room = columns.saturating_sub(width(&name) + width(&since) + 5);
    let what = brief(what, room);
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
