//! What an input makes of the screen, and what it wants of the house.

use std::sync::Arc;

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use mind::talk::Speaker;
use ratatui::layout::{Position, Rect};

use crate::draft::Stroke;
use crate::draw::layout::{self, Layout};
use crate::keys::{self, Msg};
use crate::offer::{self, Answer};
use crate::overlay::{self, Overlay, Reply};
use crate::screen::{Mode, Place, Screen, Time};
use crate::sight::{Seat, Sight};
use crate::talk::view::View;
use crate::talk::{Kept, pieces, search};
use crate::theme::Theme;
use crate::typed::{self, Typed};
use crate::wish::Wish;

/// How many lines a notch of the wheel moves.
const NOTCH: isize = 3;
/// How many earlier messages can be called back.
const HISTORY_MAX: usize = 100;

/// The terminal something happened at.
pub struct Desk<'a> {
    /// What there is to see.
    pub sight: Sight<'a>,
    /// The whole terminal.
    pub area: Rect,
    /// How it looks.
    pub theme: &'a Theme,
    /// Lines that were made.
    pub kept: &'a mut Kept,
}

/// Something happened at the terminal.
pub fn update(screen: &mut Screen, desk: &mut Desk<'_>, event: Event) -> Vec<Wish> {
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
        Event::Mouse(mouse) => point(screen, desk, mouse),
        Event::Resize(..) => vec![Wish::Redraw],
        Event::FocusGained | Event::FocusLost => Vec::new(),
    }
}

/// Time goes on by itself: one fact further.
pub fn tick(screen: &mut Screen, sight: &Sight<'_>) {
    let Some(time) = &mut screen.time else { return };
    if !time.playing {
        return;
    }
    if time.seq < sight.last {
        time.seq += 1;
    } else {
        time.playing = false;
    }
}

fn press(screen: &mut Screen, desk: &mut Desk<'_>, key: KeyEvent) -> Vec<Wish> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    if control && key.code == KeyCode::Char('c') {
        return part(screen, &desk.sight);
    }
    if control && key.code == KeyCode::Char('z') {
        return vec![Wish::Suspend];
    }
    if control && key.code == KeyCode::Char('l') {
        return vec![Wish::Redraw];
    }
    if screen.parting {
        return confirm(screen, key);
    }
    if let Some(page) = &mut screen.overlay {
        let reply = page.key(key, &desk.sight);
        return turn_page(screen, reply);
    }
    match screen.mode(&desk.sight) {
        Mode::Insert => write(screen, desk, key),
        Mode::Search(_) => seek(screen, desk, key),
        Mode::Normal => match keys::normal(key, screen.time.is_some()) {
            Some(msg) => command(screen, desk, msg),
            None => Vec::new(),
        },
    }
}

/// Whoever wants to leave a mission that runs here is asked; asked once, the second wish counts.
fn part(screen: &mut Screen, sight: &Sight<'_>) -> Vec<Wish> {
    let runs_here = sight.seat == Seat::House && !sight.over;
    if screen.parting || !runs_here {
        return vec![Wish::Leave];
    }
    screen.parting = true;
    Vec::new()
}

fn confirm(screen: &mut Screen, key: KeyEvent) -> Vec<Wish> {
    match offer::answer(key) {
        Some(Answer::Yes | Answer::Leave) => vec![Wish::Leave],
        Some(Answer::No) => {
            screen.parting = false;
            Vec::new()
        }
        None => Vec::new(),
    }
}

fn turn_page(screen: &mut Screen, reply: Reply) -> Vec<Wish> {
    match reply {
        Reply::Stay => Vec::new(),
        Reply::Close => {
            screen.overlay = None;
            Vec::new()
        }
        Reply::Wish(Wish::Logbook { session }) => {
            screen.overlay = Some(Overlay::Logbook(overlay::logbook::Page::of(session)));
            Vec::new()
        }
        Reply::Wish(wish) => vec![wish],
    }
}

/// A key while one types.
#[expect(clippy::wildcard_enum_match_arm, reason = "there are more keys than meanings")]
fn write(screen: &mut Screen, desk: &Desk<'_>, key: KeyEvent) -> Vec<Wish> {
    let state = desk.sight.state;
    let history = || {
        let mine = state.talk.iter().rev().filter(|message| matches!(message.from, Speaker::Human(_)));
        let mut texts: Vec<Arc<str>> = mine.take(HISTORY_MAX).map(|message| message.text.clone()).collect();
        texts.reverse();
        texts
    };
    match screen.draft.key(key, &history, desk.sight.files) {
        Stroke::Taken => Vec::new(),
        Stroke::Done => {
            screen.mode = Mode::Normal;
            Vec::new()
        }
        Stroke::Send(text) => say(screen, desk, &text),
        Stroke::Ignored => match key.code {
            KeyCode::PageUp => command_scroll(screen, desk, -2),
            KeyCode::PageDown => command_scroll(screen, desk, 2),
            _ => Vec::new(),
        },
    }
}

fn command_scroll(screen: &mut Screen, desk: &Desk<'_>, halves: isize) -> Vec<Wish> {
    let mut kept = Kept::default();
    scroll(screen, desk, &mut kept, |rows| halves * (rows / 2).max(1));
    Vec::new()
}

/// A text is to be sent: it is words or a command.
fn say(screen: &mut Screen, desk: &Desk<'_>, text: &str) -> Vec<Wish> {
    match typed::read(text.trim(), desk.sight.state) {
        Typed::Nothing => Vec::new(),
        Typed::Deeds(deeds) => {
            screen.place = Place::End;
            deeds.into_iter().map(Wish::Do).collect()
        }
        Typed::Unclear(why) => {
            // What was typed is not lost: it can be mended.
            screen.draft.paste(text);
            screen.note = Some(why);
            Vec::new()
        }
        Typed::Help => {
            screen.overlay = Some(Overlay::Help(overlay::help::Page::default()));
            Vec::new()
        }
        Typed::Quit => part(screen, &desk.sight),
    }
}

fn paste(screen: &mut Screen, desk: &Desk<'_>, text: &str) {
    if let Some(page) = &mut screen.overlay {
        page.paste(text);
    } else if let Mode::Search(needle) = &mut screen.mode {
        needle.extend(text.chars().filter(|sign| !sign.is_control()).take(200));
    } else if screen.can_speak(&desk.sight) && !screen.parting {
        // Whoever pastes wants to say it, whatever keys meant before.
        screen.mode = Mode::Insert;
        screen.draft.paste(text);
    }
}

/// A key while one types what to search for.
#[expect(clippy::wildcard_enum_match_arm, reason = "there are more keys than meanings")]
fn seek(screen: &mut Screen, desk: &mut Desk<'_>, key: KeyEvent) -> Vec<Wish> {
    let Mode::Search(needle) = &mut screen.mode else { return Vec::new() };
    match key.code {
        KeyCode::Esc => screen.mode = Mode::Normal,
        KeyCode::Backspace => {
            needle.pop();
        }
        KeyCode::Char(sign) if !key.modifiers.contains(KeyModifiers::CONTROL) => needle.push(sign),
        KeyCode::Enter => {
            let needle = std::mem::take(needle);
            screen.mode = Mode::Normal;
            if !needle.is_empty() {
                screen.needle = Some(Arc::from(needle));
            }
            find(screen, desk, true, true);
        }
        _ => {}
    }
    Vec::new()
}

fn command(screen: &mut Screen, desk: &mut Desk<'_>, msg: Msg) -> Vec<Wish> {
    match msg {
        Msg::Insert => return insert(screen, desk),
        Msg::Scroll(lines) => scroll_by(screen, desk, |_| lines),
        Msg::Half(halves) => scroll_by(screen, desk, |rows| halves * (rows / 2).max(1)),
        Msg::Top => leave_end(screen, desk, Place::At { item: 0, line: 0 }),
        Msg::Bottom => screen.place = Place::End,
        Msg::Search => screen.mode = Mode::Search(String::new()),
        Msg::Older => find(screen, desk, true, false),
        Msg::Newer => find(screen, desk, false, false),
        Msg::Turn => turn(screen, desk),
        Msg::TurnAll => {
            screen.whole = !screen.whole;
            screen.turned.clear();
        }
        Msg::Logbook => screen.overlay = Some(Overlay::Logbook(overlay::logbook::Page::default())),
        Msg::Quest => screen.overlay = Some(Overlay::Quest(overlay::quest::Page::default())),
        Msg::Docket => screen.overlay = Some(Overlay::Docket(overlay::docket::Page::default())),
        Msg::Sessions => screen.overlay = Some(Overlay::Sessions(overlay::sessions::Page::default())),
        Msg::Help => screen.overlay = Some(Overlay::Help(overlay::help::Page::default())),
        Msg::Step(by) => step(screen, &desk.sight, |head| head.saturating_add_signed(by)),
        Msg::Scene(by) => {
            let target = scene(&desk.sight, by);
            step(screen, &desk.sight, |_| target);
        }
        Msg::First => step(screen, &desk.sight, |_| 1),
        Msg::Last => step(screen, &desk.sight, |_| desk.sight.last),
        Msg::Play => play(screen, &desk.sight),
        Msg::Back => {
            if desk.sight.seat != Seat::Replay {
                screen.time = None;
            }
            screen.needle = None;
        }
        Msg::Quit => return part(screen, &desk.sight),
    }
    Vec::new()
}

fn insert(screen: &mut Screen, desk: &Desk<'_>) -> Vec<Wish> {
    if desk.sight.seat != Seat::Replay {
        screen.time = None;
    }
    if screen.can_speak(&desk.sight) {
        screen.mode = Mode::Insert;
    } else {
        screen.note = Some(match desk.sight.seat {
            Seat::Replay => "this is a replay: nobody hears you".to_owned(),
            Seat::House | Seat::Beside => "the mission is over: q leaves".to_owned(),
        });
    }
    Vec::new()
}

fn view_size(screen: &Screen, desk: &Desk<'_>) -> Layout {
    layout::layout(desk.area, screen, &desk.sight)
}

fn scroll_by(screen: &mut Screen, desk: &mut Desk<'_>, lines: impl FnOnce(isize) -> isize) {
    let mut kept = std::mem::take(desk.kept);
    scroll(screen, desk, &mut kept, lines);
    *desk.kept = kept;
}

fn scroll(screen: &mut Screen, desk: &Desk<'_>, kept: &mut Kept, lines: impl FnOnce(isize) -> isize) {
    let talk = view_size(screen, desk).talk;
    let by = lines(isize::from(talk.height as i16));
    let place = View::new(screen, &desk.sight, (talk.width, talk.height), desk.theme).moved(by, kept);
    leave_end(screen, desk, place);
}

/// Reads at another place. Whoever leaves the end is told later what came meanwhile.
fn leave_end(screen: &mut Screen, desk: &Desk<'_>, place: Place) {
    if screen.place == Place::End && place != Place::End {
        screen.known = desk.sight.story.until(desk.sight.head).len();
    }
    screen.place = place;
}

/// Goes to the next place that holds the needle.
fn find(screen: &mut Screen, desk: &mut Desk<'_>, up: bool, fresh: bool) {
    let Some(needle) = screen.needle.clone() else {
        screen.note = Some("nothing was searched for yet: / begins".to_owned());
        return;
    };
    let found = desk.kept.found(&needle, &desk.sight);
    let talk = view_size(screen, desk).talk;
    let size = (talk.width, talk.height);
    let seen = View::new(screen, &desk.sight, size, desk.theme).seen(desk.kept);
    let (first, last) = (seen.first().map_or(0, |seen| seen.item), seen.last().map_or(0, |seen| seen.item));
    let current = screen.found.unwrap_or(if up { last + 1 } else { first });
    let next = if fresh {
        found.iter().rev().find(|item| **item <= last).or(found.last())
    } else if up {
        found.iter().rev().find(|item| **item < current).or(found.last())
    } else {
        found.iter().find(|item| **item > current).or(found.first())
    };
    let Some(item) = next.copied() else {
        screen.note = Some(format!("{needle:?} is nowhere"));
        return;
    };
    let number = found.iter().position(|found| *found == item).map_or(0, |at| at + 1);
    screen.note = Some(format!("{number} of {}", found.len()));
    screen.found = Some(item);
    let view = View::new(screen, &desk.sight, size, desk.theme);
    // What is folded away is shown.
    let turned = view.item(item).map(|item| item.seq).filter(|seq| !screen.is_turned(*seq));
    let hidden = turned.filter(|_| {
        let lines = view.lines(item, desk.kept);
        let at = search::line_of(&needle, &lines);
        at == 0 && view.item(item).is_some_and(|found| pieces::can_turn(found, &desk.sight, view.look(item)))
    });
    if let Some(seq) = hidden {
        toggle(screen, seq);
    }
    let view = View::new(screen, &desk.sight, size, desk.theme);
    let line = search::line_of(&needle, &view.lines(item, desk.kept));
    let place = view.revealing(item, line, desk.kept);
    leave_end(screen, desk, place);
}

/// Folds or unfolds the lowest piece in sight that can be.
fn turn(screen: &mut Screen, desk: &mut Desk<'_>) {
    let talk = view_size(screen, desk).talk;
    let view = View::new(screen, &desk.sight, (talk.width, talk.height), desk.theme);
    let mut items: Vec<usize> = view.seen(desk.kept).iter().map(|seen| seen.item).collect();
    items.dedup();
    let lowest = items.iter().rev().find_map(|index| {
        let item = view.item(*index)?;
        pieces::can_turn(item, &desk.sight, view.look(*index)).then_some(item.seq)
    });
    match lowest {
        Some(seq) => toggle(screen, seq),
        None => screen.note = Some("nothing in sight is folded".to_owned()),
    }
}

fn toggle(screen: &mut Screen, seq: u64) {
    if !screen.turned.remove(&seq) {
        screen.turned.insert(seq);
    }
}

/// Goes in time. Past the last fact is the present.
fn step(screen: &mut Screen, sight: &Sight<'_>, target: impl FnOnce(u64) -> u64) {
    let head = screen.time.map_or(sight.last, |time| time.seq);
    let seq = target(head).clamp(1.min(sight.last), sight.last);
    let beyond = head == sight.last && seq == sight.last;
    screen.time = match sight.seat {
        Seat::House | Seat::Beside if beyond => None,
        Seat::House | Seat::Beside | Seat::Replay => Some(Time { seq, playing: false }),
    };
    screen.mode = Mode::Normal;
    screen.place = Place::End;
}

/// The fact of the next piece of the story, or of the one before.
fn scene(sight: &Sight<'_>, by: i64) -> u64 {
    let all = sight.story.until(sight.last);
    let here = all.partition_point(|item| item.seq <= sight.head);
    let target = if by > 0 {
        all.get(here)
    } else {
        let before = all[..here].iter().rposition(|item| item.seq < sight.head);
        before.and_then(|index| all.get(index))
    };
    target.map_or(if by > 0 { sight.last } else { 1 }, |item| item.seq)
}

fn play(screen: &mut Screen, sight: &Sight<'_>) {
    match &mut screen.time {
        Some(time) => {
            // At the end it begins again.
            if !time.playing && time.seq >= sight.last {
                time.seq = 1;
            }
            time.playing = !time.playing;
        }
        None => screen.note = Some("< goes back in time, and space plays it again".to_owned()),
    }
}

fn point(screen: &mut Screen, desk: &mut Desk<'_>, mouse: MouseEvent) -> Vec<Wish> {
    if screen.parting {
        return Vec::new();
    }
    if let Some(page) = &mut screen.overlay {
        let reply = page.mouse(mouse, layout::page(desk.area), &desk.sight, desk.theme);
        return turn_page(screen, reply);
    }
    if mouse.kind == MouseEventKind::ScrollUp {
        scroll_by(screen, desk, |_| -NOTCH);
    } else if mouse.kind == MouseEventKind::ScrollDown {
        scroll_by(screen, desk, |_| NOTCH);
    } else if mouse.kind == MouseEventKind::Down(MouseButton::Left) {
        screen.note = None;
        click(screen, desk, Position::new(mouse.column, mouse.row));
    }
    Vec::new()
}

/// A click on a fold turns it, on what waits opens the docket, on the input begins to type.
fn click(screen: &mut Screen, desk: &mut Desk<'_>, at: Position) {
    let places = view_size(screen, desk);
    if places.input.contains(at) && screen.can_speak(&desk.sight) {
        screen.mode = Mode::Insert;
    } else if places.gauges.contains(at) && crate::draw::status::waiting(&desk.sight) > 0 {
        screen.overlay = Some(Overlay::Docket(overlay::docket::Page::default()));
    } else if places.talk.contains(at) {
        let size = (places.talk.width, places.talk.height);
        let view = View::new(screen, &desk.sight, size, desk.theme);
        let seen = view.seen(desk.kept);
        let item = seen.get(usize::from(at.y - places.talk.y)).map(|seen| seen.item);
        let turned = item.and_then(|index| {
            let item = view.item(index)?;
            pieces::can_turn(item, &desk.sight, view.look(index)).then_some(item.seq)
        });
        if let Some(seq) = turned {
            toggle(screen, seq);
        }
    }
}
