//! Handles an input: changes the screen's state, and returns wishes for the program.

mod pointing;
mod reading;
mod time;

use std::sync::Arc;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use mind::charter::Way;
use mind::event::HumanAction;
use mind::talk::Speaker;
use ratatui::layout::Rect;
use view::story::Piece;
use view::typed::{self, Typed};

use crate::composer::{Known, Stroke};
use crate::keys::{self, Msg};
use crate::overlay::{self, Overlay, PageResponse};
use crate::screen::{Confirmation, KeyMode, ReadingPlace, Screen};
use crate::theme::Theme;
use crate::transcript::view::TalkWindow;
use crate::transcript::{Kept, pieces};
use crate::ui_command::UiCommand;
use crate::view_model::{Attachment, ViewModel};
use crate::yes_no::{self, PaneAnswer};

pub use time::tick;

/// How many earlier messages can be called back.
const HISTORY_MAX: usize = 100;

/// What an input is handled with.
pub struct InputContext<'a> {
    pub model: ViewModel<'a>,
    /// The whole terminal.
    pub area: Rect,
    pub theme: &'a Theme,
    /// Lines that were made.
    pub kept: &'a mut Kept,
}

/// Handles one input of the terminal.
pub fn update(screen: &mut Screen, desk: &mut InputContext<'_>, event: Event) -> Vec<UiCommand> {
    match event {
        Event::Key(key) if key.kind == KeyEventKind::Release => Vec::new(),
        Event::Key(key) => {
            screen.note = None;
            press(screen, desk, key)
        }
        Event::Paste(text) => {
            paste(screen, desk, &text);
            Vec::new()
        }
        Event::Mouse(mouse) => pointing::point(screen, desk, mouse),
        Event::Resize(..) => vec![UiCommand::Redraw],
        Event::FocusGained | Event::FocusLost => Vec::new(),
    }
}

fn press(screen: &mut Screen, desk: &mut InputContext<'_>, key: KeyEvent) -> Vec<UiCommand> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    if control && key.code == KeyCode::Char('c') {
        return part(screen, &desk.model);
    }
    if control && key.code == KeyCode::Char('z') {
        return vec![UiCommand::Suspend];
    }
    if control && key.code == KeyCode::Char('l') {
        return vec![UiCommand::Redraw];
    }
    if let Some(asked) = screen.asked {
        return confirm(screen, asked, key);
    }
    if let Some(page) = &mut screen.overlay {
        let reply = page.key(key, &desk.model);
        if let (PageResponse::Pass, Some(msg)) = (&reply, keys::normal(key, screen.time.is_some())) {
            return command(screen, desk, msg);
        }
        return turn_page(screen, reply);
    }
    match screen.mode(&desk.model) {
        KeyMode::Insert => write(screen, desk, key),
        KeyMode::Search(_) => reading::seek(screen, desk, key),
        KeyMode::Normal => match keys::normal(key, screen.time.is_some()) {
            Some(msg) => command(screen, desk, msg),
            None => Vec::new(),
        },
    }
}

/// Quits, after a question if the mission runs here; a second quit counts without one.
fn part(screen: &mut Screen, model: &ViewModel<'_>) -> Vec<UiCommand> {
    let runs_here = model.seat == Attachment::House && !model.over;
    // Words that were not sent are lost with the screen.
    let asks = runs_here || !screen.draft.is_empty();
    if screen.asked == Some(Confirmation::Leave) || !asks {
        return vec![UiCommand::Leave];
    }
    screen.asked = Some(Confirmation::Leave);
    Vec::new()
}

fn confirm(screen: &mut Screen, asked: Confirmation, key: KeyEvent) -> Vec<UiCommand> {
    match (yes_no::answer(key), asked) {
        (Some(PaneAnswer::Yes | PaneAnswer::Leave), Confirmation::Leave) => vec![UiCommand::Leave],
        (Some(PaneAnswer::Yes), Confirmation::Cancel) => {
            screen.asked = None;
            vec![UiCommand::Do(HumanAction::Cancel)]
        }
        (Some(PaneAnswer::No | PaneAnswer::Back | PaneAnswer::Leave), _) => {
            screen.asked = None;
            Vec::new()
        }
        (None, _) => Vec::new(),
    }
}

fn turn_page(screen: &mut Screen, reply: PageResponse) -> Vec<UiCommand> {
    match reply {
        PageResponse::Stay | PageResponse::Pass => Vec::new(),
        PageResponse::Close => {
            close_page(screen);
            Vec::new()
        }
        PageResponse::Speak => {
            close_page(screen);
            screen.mode = KeyMode::Insert;
            Vec::new()
        }
        PageResponse::Logbook(session) => {
            screen.overlay = Some(Overlay::Logbook(overlay::logbook::LogbookPage::of(session)));
            Vec::new()
        }
        PageResponse::Wish(wish) => vec![wish],
    }
}

/// Opens the docket where it was left.
fn open_docket(screen: &mut Screen) {
    let page = overlay::decisions::DecisionsPage::begun_with(screen.begun.clone());
    screen.overlay = Some(Overlay::Docket(page));
}

fn close_page(screen: &mut Screen) {
    if let Some(Overlay::Docket(page)) = screen.overlay.take() {
        screen.begun = page.into_begun();
    }
}

/// A key in insert mode.
#[expect(clippy::wildcard_enum_match_arm, reason = "there are more keys than meanings")]
fn write(screen: &mut Screen, desk: &mut InputContext<'_>, key: KeyEvent) -> Vec<UiCommand> {
    let state = desk.model.state;
    let history = || {
        let mine = state.talk.iter().rev().filter(|message| matches!(message.from, Speaker::Human(_)));
        let mut texts: Vec<Arc<str>> = mine.take(HISTORY_MAX).map(|message| message.text.clone()).collect();
        texts.reverse();
        texts
    };
    let known = Known { files: desk.model.files, conducted: state.way() == Way::Conductor };
    match screen.draft.key(key, &history, known) {
        Stroke::Taken => Vec::new(),
        Stroke::Done => {
            screen.mode = KeyMode::Normal;
            Vec::new()
        }
        Stroke::Send(text) => say(screen, desk, &text),
        Stroke::Ignored => match key.code {
            KeyCode::PageUp => {
                reading::page(screen, desk, -2);
                Vec::new()
            }
            KeyCode::PageDown => {
                reading::page(screen, desk, 2);
                Vec::new()
            }
            _ => Vec::new(),
        },
    }
}

/// A text is to be sent: it is words or a command.
fn say(screen: &mut Screen, desk: &InputContext<'_>, text: &str) -> Vec<UiCommand> {
    if !screen.can_speak(&desk.model) {
        return put_back(screen, text, "the mission is over: that was not sent");
    }
    match typed::read(text.trim(), desk.model.state) {
        Typed::Nothing => Vec::new(),
        Typed::Actions(actions) if actions.iter().any(|action| is_unread(action, screen, desk)) => {
            put_back(screen, text, "read the whole command first, in the docket (Esc d) or here (Esc z)")
        }
        Typed::Actions(actions) if actions == [HumanAction::Cancel] => {
            screen.asked = Some(Confirmation::Cancel);
            Vec::new()
        }
        Typed::Actions(actions) => {
            screen.place = ReadingPlace::End;
            actions.into_iter().map(UiCommand::Do).collect()
        }
        Typed::Unclear(why) => put_back(screen, text, &why),
        Typed::Help => {
            screen.overlay = Some(Overlay::Help(overlay::help::HelpPage::default()));
            Vec::new()
        }
        Typed::Quit => part(screen, &desk.model),
    }
}

/// Puts the text back into the composer, so that it can be corrected.
fn put_back(screen: &mut Screen, text: &str, why: &str) -> Vec<UiCommand> {
    screen.draft.paste(text);
    screen.note = Some(why.to_owned());
    Vec::new()
}

/// A yes to what is folded away on the screen.
fn is_unread(action: &HumanAction, screen: &Screen, desk: &InputContext<'_>) -> bool {
    let HumanAction::Answer { permission: answered, allowed: true, .. } = action else { return false };
    let talk = reading::places(screen, desk).talk;
    let view = TalkWindow::new(screen, &desk.model, (talk.width, talk.height), desk.theme);
    let asked = (0..view.count()).rev().find(|index| match view.item(*index).map(|item| &item.piece) {
        Some(Piece::Permission { id, .. }) => id == answered,
        Some(Piece::Message(_) | Piece::Remarks(_) | Piece::Tools { .. }) | None => false,
    });
    asked.is_some_and(|index| {
        let look = view.look(index);
        !look.turned && view.item(index).is_some_and(|item| pieces::can_turn(item, &desk.model, look))
    })
}

fn paste(screen: &mut Screen, desk: &InputContext<'_>, text: &str) {
    if let Some(page) = &mut screen.overlay {
        page.paste(text);
    } else if let KeyMode::Search(needle) = &mut screen.mode {
        needle.extend(text.chars().filter(|sign| !sign.is_control()).take(200));
    } else if screen.can_speak(&desk.model) && screen.asked.is_none() {
        // A paste is meant as text, whatever the mode was.
        screen.mode = KeyMode::Insert;
        screen.draft.paste(text);
    }
}

fn command(screen: &mut Screen, desk: &mut InputContext<'_>, msg: Msg) -> Vec<UiCommand> {
    match msg {
        Msg::Insert => return insert(screen, desk),
        Msg::Scroll(lines) => reading::scroll_by(screen, desk, |_| lines),
        Msg::Half(halves) => reading::scroll_by(screen, desk, |rows| halves * (rows / 2).max(1)),
        Msg::Top => reading::leave_end(screen, desk, ReadingPlace::At { item: 0, line: 0 }),
        Msg::Bottom => screen.place = ReadingPlace::End,
        Msg::Search => screen.mode = KeyMode::Search(String::new()),
        Msg::Older => reading::find(screen, desk, true, false),
        Msg::Newer => reading::find(screen, desk, false, false),
        Msg::Turn => reading::turn(screen, desk),
        Msg::TurnAll => {
            screen.whole = !screen.whole;
            screen.turned.clear();
        }
        Msg::Logbook => screen.overlay = Some(Overlay::Logbook(overlay::logbook::LogbookPage::default())),
        Msg::Quest => screen.overlay = Some(Overlay::Quest(overlay::quest::QuestPage::default())),
        Msg::Docket => open_docket(screen),
        Msg::Sessions => screen.overlay = Some(Overlay::Sessions(overlay::sessions::SessionsPage::default())),
        Msg::Stage => screen.overlay = Some(Overlay::Scene(overlay::scene::ScenePage::default())),
        Msg::Sound => return vec![UiCommand::Sound],
        Msg::Help => screen.overlay = Some(Overlay::Help(overlay::help::HelpPage::default())),
        Msg::Step(by) => time::step(screen, &desk.model, |head| head.saturating_add_signed(by)),
        Msg::Scene(by) => {
            let target = time::scene(&desk.model, by);
            time::step(screen, &desk.model, |_| target);
        }
        Msg::First => time::step(screen, &desk.model, |_| 1),
        Msg::Last => time::step(screen, &desk.model, |_| desk.model.last),
        Msg::Play => time::play(screen, &desk.model),
        Msg::Back => {
            if desk.model.seat != Attachment::Replay {
                screen.time = None;
            }
            screen.needle = None;
        }
        Msg::Quit => return part(screen, &desk.model),
    }
    Vec::new()
}

fn insert(screen: &mut Screen, desk: &InputContext<'_>) -> Vec<UiCommand> {
    if desk.model.seat != Attachment::Replay {
        screen.time = None;
    }
    if screen.can_speak(&desk.model) {
        screen.mode = KeyMode::Insert;
    } else {
        screen.note = Some(match desk.model.seat {
            Attachment::Replay => "this is a replay: nothing can be sent".to_owned(),
            Attachment::House | Attachment::Beside => "the mission is over: q leaves".to_owned(),
        });
    }
    Vec::new()
}
