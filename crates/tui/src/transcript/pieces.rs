//! One piece of the story as lines: a message, a permission that is asked for, remarks, tools that ran in a row.

use std::collections::BTreeMap;

use mind::policy::{PermissionRequest, Risk};
use mind::talk::{Delivery, Listener, Message, MessageKind, Speaker};
use mind::{MessageId, PermissionId, SessionId};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use view::actor::speaker_words;
use view::clean::{clean, visible};
use view::remark::Remark;
use view::story::{Item, Piece, ToolRun};
use view::told::{self, FactView};

use crate::lines::{self, LineInk};
use crate::text::diff::diff;
use crate::text::markdown::markdown;
use crate::text::wrap::{plain, width, wrap};
use crate::theme::{Theme, Tint};
use crate::view_model::ViewModel;

/// More lines than this are folded.
const FOLD_AT: usize = 30;
/// How many lines of a folded piece are shown.
const FOLD_TO: usize = 12;
/// Texts stand this far from the margin.
const INDENT: u16 = 2;
/// How many lines of what is being said are shown.
const LIVE_LINES: usize = 8;

/// Everything the lines of a piece depend on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PieceKey {
    pub(super) seq: u64,
    columns: u16,
    turned: bool,
    /// How far the human's words have come.
    delivery: u8,
    /// How many tools there are.
    calls: usize,
    /// Something stands before it.
    apart: bool,
    coloured: bool,
}

/// How a piece is looked at.
#[derive(Debug, Clone, Copy)]
pub struct PieceLook<'a> {
    /// How many columns there are.
    pub columns: u16,
    /// Long ones whole, short ones folded.
    pub turned: bool,
    /// Another piece stands before it, from which it is set apart by an empty line.
    pub apart: bool,
    /// Colours and signs of the terminal.
    pub theme: &'a Theme,
}

/// What the lines of `item` depend on.
pub fn key(item: &Item, model: &ViewModel<'_>, look: PieceLook<'_>) -> PieceKey {
    let delivery = match &item.piece {
        Piece::Message(id) if asks_for_yes(*id, model) => u8::MAX,
        Piece::Message(id) => {
            let delivery = model.state.message(*id).and_then(|message| message.delivery);
            delivery.map_or(0, |delivery| 1 + delivery as u8)
        }
        Piece::Permission { id, .. } => u8::from(is_open(*id, model)),
        Piece::Remarks(_) | Piece::Tools { .. } => 0,
    };
    PieceKey {
        seq: item.seq,
        columns: look.columns,
        turned: look.turned,
        delivery,
        calls: calls_of(&item.piece, model.head).len(),
        apart: look.apart,
        coloured: look.theme.is_coloured(),
    }
}

/// The lines of `item`.
pub fn lines(item: &Item, model: &ViewModel<'_>, look: PieceLook<'_>) -> Vec<Line<'static>> {
    let mut lines = match &item.piece {
        Piece::Message(id) => match model.state.message(*id) {
            Some(message) => {
                let mut lines = said(message, look);
                if asks_for_yes(*id, model) {
                    let hint = "answer \"yes\" and nothing else to begin; anything else is a conversation";
                    let style = look.theme.style(Tint::House);
                    lines.extend(plain(hint, inner(look.columns), style).into_iter().map(indented));
                }
                lines
            }
            None => Vec::new(),
        },
        Piece::Permission { by, request, id } => {
            let name = format!("{by} asks ({id}): may this run?");
            asked(&name, request, is_open(*id, model), look)
        }
        Piece::Remarks(told) => remarks(told, look),
        Piece::Tools { session, .. } => tools(*session, calls_of(&item.piece, model.head), model, look),
    };
    if look.apart {
        lines.insert(0, Line::default());
    }
    lines
}

/// The question waits for an answer.
pub fn is_open(id: PermissionId, model: &ViewModel<'_>) -> bool {
    model.state.open_permissions().any(|(_, ask)| ask.id == id)
}

/// The message by which the Arbiter waits for the yes.
fn asks_for_yes(id: MessageId, model: &ViewModel<'_>) -> bool {
    model.state.alignment_asked().is_some_and(|asked| asked.id == id)
}

/// What a session is saying now: the end of it.
pub fn live(
    session: SessionId,
    text: &str,
    model: &ViewModel<'_>,
    look: PieceLook<'_>,
) -> Vec<Line<'static>> {
    let speaker = model.state.sessions.get(&session).map(|session| session.profile.speaker());
    let speaker = speaker.unwrap_or(Speaker::House);
    let mut name = vec![Span::styled(speaker_words(&speaker), look.theme.style(tint_of(&speaker)))];
    name.push(Span::styled(look.theme.sign(" …", " ..."), look.theme.style(Tint::Dim)));
    let mut lines = vec![Line::default(), Line::from(name)];
    let body = plain(text.trim_end(), inner(look.columns), look.theme.style(Tint::Dim));
    let from = body.len().saturating_sub(LIVE_LINES);
    lines.extend(body.into_iter().skip(from).map(indented));
    lines
}

/// The tint of a speaker's name.
pub fn tint_of(speaker: &Speaker) -> Tint {
    match speaker {
        Speaker::Human(_) => Tint::You,
        Speaker::Arbiter => Tint::Arbiter,
        Speaker::Orchestrator(_) | Speaker::Agent(_) => Tint::Orchestrator,
        Speaker::House => Tint::House,
    }
}

/// The tint of a risk.
pub fn tint_of_risk(risk: Risk) -> Tint {
    match risk {
        Risk::Unknown => Tint::House,
        Risk::Network => Tint::Warn,
        Risk::Grave => Tint::Bad,
    }
}

/// Some text of the piece is such as `is` says.
pub fn holds(item: &Item, model: &ViewModel<'_>, is: impl Fn(&str) -> bool) -> bool {
    match &item.piece {
        Piece::Message(id) => model.state.message(*id).is_some_and(|message| is(&message.text)),
        Piece::Permission { request, .. } => is(&request.what) || is(&request.why),
        Piece::Remarks(remarks) => remarks.iter().flat_map(lines::of_remark).any(|(_, text)| is(&text)),
        Piece::Tools { .. } => {
            calls_of(&item.piece, model.head).iter().any(|call| is(&call.name) || is(&call.detail))
        }
    }
}

fn said(message: &Message, look: PieceLook<'_>) -> Vec<Line<'static>> {
    let theme = look.theme;
    if let FactView::Remark(told) = told::message(message) {
        return remarks(&[told], look);
    }
    let name = name_of(message);
    let note = note_of(message, theme);
    let tint = tint_of(&message.from);
    let body = markdown(&whole_text(message), inner(look.columns), theme);
    let body: Vec<Line<'static>> = match message.kind {
        MessageKind::Musing => {
            body.into_iter().map(|line| line.patch_style(theme.style(Tint::Dim))).collect()
        }
        MessageKind::Plain | MessageKind::Unformed | MessageKind::Notice | MessageKind::Claim => body,
    };
    let noted: usize = note.iter().map(|span| width(&span.content)).sum();
    // What fits on one line is said on one line.
    let alone = width(&name) + 2 + body.first().map_or(0, Line::width) + noted;
    let mut title = vec![Span::styled(format!("{name}:"), theme.style(tint))];
    if let [only] = body.as_slice()
        && alone <= usize::from(look.columns)
    {
        title.push(Span::raw(" "));
        title.extend(only.spans.iter().map(|span| span.clone().patch_style(only.style)));
        title.extend(note);
        return vec![Line::from(title)];
    }
    title.extend(note);
    let mut lines = wrap(title, look.columns, 0);
    lines.extend(folded(body.into_iter().map(indented).collect(), look));
    lines
}

/// Who speaks, and to whom if that is not plain.
fn name_of(message: &Message) -> String {
    let mut name = speaker_words(&message.from);
    match (message.to, &message.from) {
        (Listener::Orchestrator(number), _) => {
            name.push_str(&format!(" to {}", Speaker::Orchestrator(number)));
        }
        (Listener::Arbiter, Speaker::Orchestrator(_)) => name.push_str(" to Arbiter"),
        (Listener::Arbiter | Listener::Human | Listener::Agent | Listener::Nobody, _) => {}
    }
    name
}

/// How it is meant, and how far it has come.
fn note_of(message: &Message, theme: &Theme) -> Vec<Span<'static>> {
    let kind = match message.kind {
        MessageKind::Musing => Some(("musing", Tint::Dim)),
        MessageKind::Unformed => Some(("as it came: the output did not validate", Tint::Warn)),
        MessageKind::Plain | MessageKind::Notice | MessageKind::Claim => None,
    };
    let delivery = message.delivery.map(|delivery| match delivery {
        Delivery::Queued => ("queued", Tint::Warn),
        Delivery::Delivered => ("delivered", Tint::Dim),
        Delivery::Heard => ("heard", Tint::Dim),
    });
    let notes = kind.into_iter().chain(delivery);
    notes.map(|(note, tint)| Span::styled(format!("  ({note})"), theme.style(tint))).collect()
}

/// The words, and the questions with their options below.
fn whole_text(message: &Message) -> String {
    let mut text = message.text.to_string();
    for decision in &message.decisions {
        text.push_str(&format!("\n\n**[{}] {}**\n", decision.id, decision.title));
        for option in &decision.options {
            text.push_str(&format!("\n- `{}` {}", option.key, option.label));
        }
    }
    text
}

fn asked(name: &str, question: &PermissionRequest, open: bool, look: PieceLook<'_>) -> Vec<Line<'static>> {
    let theme = look.theme;
    let tint = if open { Tint::Wanted } else { Tint::Dim };
    let mut title = vec![Span::styled(name.to_owned(), theme.style(tint))];
    title.push(Span::styled(
        format!("  {} risk", question.risk),
        theme.style(if open { tint_of_risk(question.risk) } else { Tint::Dim }),
    ));
    let mut lines = wrap(title, look.columns, 0);
    let what = diff(&question.what, inner(look.columns), theme);
    // However long it is, who asks, why and how to answer stay in sight.
    lines.extend(folded(what.into_iter().map(indented).collect(), look));
    let mut body: Vec<Line<'static>> = Vec::new();
    let dim = theme.style(Tint::Dim);
    body.extend(plain(&format!("in {}", visible(&question.folder)), inner(look.columns), dim));
    body.extend(plain(&format!("because {}", visible(&question.why)), inner(look.columns), dim));
    if open && !question.shapes.is_empty() {
        let shapes = question.shapes.join(", ");
        let lasting = format!("a yes for the hour or the mission covers every: {}", visible(&shapes));
        body.extend(plain(&lasting, inner(look.columns), theme.style(Tint::Warn)));
    }
    if open {
        let key = |sign: &'static str| Span::styled(sign, theme.style(Tint::Key));
        let hint = vec![
            key("Esc d"),
            Span::styled(" opens the docket to answer, or type ", dim),
            key("/yes"),
            Span::styled(" or ", dim),
            key("/no"),
            Span::styled(" with its number", dim),
        ];
        body.extend(wrap(hint, inner(look.columns), 0));
    }
    lines.extend(body.into_iter().map(indented));
    lines
}

fn remarks(remarks: &[Remark], look: PieceLook<'_>) -> Vec<Line<'static>> {
    // How a mission ended is set apart by what stands around it.
    let lines = remarks.iter().flat_map(lines::of_remark).filter(|(_, text)| !text.trim().is_empty());
    let lines = lines.flat_map(|(ink, text)| {
        let style = look.theme.style(tint_of_ink(ink));
        let text = clean(&text);
        // A remark hangs under its first word.
        let hang = text.chars().take_while(|sign| " =!?·-".contains(*sign)).count() as u16;
        text.lines()
            .flat_map(|line| wrap(vec![Span::styled(line.to_owned(), style)], look.columns, hang))
            .collect::<Vec<_>>()
    });
    folded(lines.collect(), look)
}

fn tint_of_ink(ink: LineInk) -> Tint {
    match ink {
        LineInk::Name | LineInk::Words => Tint::Words,
        LineInk::Dim | LineInk::Work => Tint::Dim,
        LineInk::House => Tint::House,
        LineInk::Good => Tint::Good,
        LineInk::Bad => Tint::Warn,
    }
}

/// The tools up to now.
fn calls_of(piece: &Piece, head: u64) -> &[ToolRun] {
    match piece {
        Piece::Tools { calls, .. } => &calls[..calls.partition_point(|call| call.seq <= head)],
        Piece::Message(_) | Piece::Permission { .. } | Piece::Remarks(_) => &[],
    }
}

/// Tools that ran in a row: as one line, or each.
fn tools(
    session: SessionId,
    calls: &[ToolRun],
    model: &ViewModel<'_>,
    look: PieceLook<'_>,
) -> Vec<Line<'static>> {
    let dim = look.theme.style(Tint::Dim);
    let name = model.state.sessions.get(&session).map(|session| speaker_words(&session.profile.speaker()));
    let name = name.unwrap_or_default();
    let sign = look.theme.sign("·", "-");
    if look.turned || calls.len() == 1 {
        let each = calls.iter().flat_map(|call| {
            let text = format!("  {sign} {name}: {} {}", clean(&call.name), clean(&call.detail));
            wrap(vec![Span::styled(text.replace('\n', " "), dim)], look.columns, 4)
        });
        return each.collect();
    }
    let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
    for call in calls {
        *counted.entry(&call.name).or_default() += 1;
    }
    let kinds: Vec<String> = counted.iter().map(|(tool, count)| format!("{tool} {count}")).collect();
    let text = format!("  {sign} {name} used {} tools: {}", calls.len(), clean(&kinds.join(", ")));
    wrap(vec![Span::styled(text, dim)], look.columns, 4)
}

/// The first lines of a long text, unless it is wanted whole.
fn folded(mut lines: Vec<Line<'static>>, look: PieceLook<'_>) -> Vec<Line<'static>> {
    if lines.len() <= FOLD_AT || look.turned {
        return lines;
    }
    let more = lines.len() - FOLD_TO;
    lines.truncate(FOLD_TO);
    let sign = look.theme.sign("⋯", "...");
    let text = format!("  {sign} {more} more lines: z shows them");
    lines.push(Line::styled(text, look.theme.style(Tint::Key)));
    lines
}

/// A piece that has more or fewer lines when it is turned.
pub fn can_turn(item: &Item, model: &ViewModel<'_>, look: PieceLook<'_>) -> bool {
    match &item.piece {
        Piece::Tools { .. } => calls_of(&item.piece, model.head).len() > 1,
        Piece::Message(_) | Piece::Permission { .. } | Piece::Remarks(_) => {
            let count = |turned| lines(item, model, PieceLook { turned, ..look }).len();
            count(true) != count(false)
        }
    }
}

fn inner(columns: u16) -> u16 {
    columns.saturating_sub(INDENT).max(1)
}

fn indented(mut line: Line<'static>) -> Line<'static> {
    line.spans.insert(0, Span::styled("  ", Style::default()));
    line
}
