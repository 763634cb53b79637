//! Scrolling, searching and folding of the conversation.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::InputContext;
use crate::draw::layout::{self, Layout};
use crate::screen::{KeyMode, ReadingPlace, Screen};
use crate::transcript::view::TalkWindow;
use crate::transcript::{pieces, search};
use crate::ui_command::UiCommand;

/// Where more was said than this, what was found is not counted.
const COUNTED_MAX: usize = 10_000;

/// Turns pages while one types.
pub(super) fn page(screen: &mut Screen, desk: &mut InputContext<'_>, halves: isize) {
    scroll_by(screen, desk, |rows| halves * (rows / 2).max(1));
}

/// Moves by so many lines, of as many as are seen.
pub(super) fn scroll_by(
    screen: &mut Screen,
    desk: &mut InputContext<'_>,
    lines: impl FnOnce(isize) -> isize,
) {
    let talk = places(screen, desk).talk;
    let by = lines(isize::try_from(talk.height).unwrap_or(isize::MAX));
    let view = TalkWindow::new(screen, &desk.model, (talk.width, talk.height), desk.theme);
    let place = view.moved(by, desk.kept);
    leave_end(screen, desk, place);
}

/// Scrolls away from the end. From then on, new messages below are counted.
pub(super) fn leave_end(screen: &mut Screen, desk: &InputContext<'_>, place: ReadingPlace) {
    if screen.place == ReadingPlace::End && place != ReadingPlace::End {
        screen.known = desk.model.story.until(desk.model.head).len();
    }
    screen.place = place;
}

/// Goes to the next place that holds the needle.
pub(super) fn find(screen: &mut Screen, desk: &mut InputContext<'_>, up: bool, fresh: bool) {
    let Some(needle) = screen.needle.clone() else {
        screen.note = Some("no search yet: / begins one".to_owned());
        return;
    };
    let talk = places(screen, desk).talk;
    let size = (talk.width, talk.height);
    let seen = TalkWindow::new(screen, &desk.model, size, desk.theme).seen(desk.kept);
    let (first, last) = (seen.first().map_or(0, |seen| seen.item), seen.last().map_or(0, |seen| seen.item));
    let from = match (screen.found.filter(|_| !fresh), up) {
        (Some(found), _) => found,
        (None, true) => last + 1,
        (None, false) => first,
    };
    let Some(item) = search::nearest(&needle, &desk.model, from, up) else {
        let place = if desk.model.is_past() { "not found up to here" } else { "not found" };
        screen.note = Some(format!("{needle:?} is {place}"));
        return;
    };
    // To count them all takes too long where there are very many.
    if desk.model.story.until(desk.model.head).len() <= COUNTED_MAX {
        let found = screen.hits.find(&needle, &desk.model);
        let number = found.iter().position(|found| *found == item).map_or(0, |at| at + 1);
        screen.note = Some(format!("{number} of {}", found.len()));
    }
    screen.found = Some(item);
    let view = TalkWindow::new(screen, &desk.model, size, desk.theme);
    // What is folded away is shown.
    let turned = view.item(item).map(|item| item.seq).filter(|seq| !screen.is_turned(*seq));
    let hidden = turned.filter(|_| {
        let unseen = search::line_of(&needle, &view.lines(item, desk.kept)).is_none();
        let can_turn = |found| pieces::can_turn(found, &desk.model, view.look(item));
        unseen && view.item(item).is_some_and(can_turn)
    });
    if let Some(seq) = hidden {
        toggle(screen, seq);
    }
    let view = TalkWindow::new(screen, &desk.model, size, desk.theme);
    let line = search::line_of(&needle, &view.lines(item, desk.kept)).unwrap_or(0);
    let place = view.revealing(item, line, desk.kept);
    leave_end(screen, desk, place);
}

/// Folds or unfolds the lowest piece in sight that can be.
pub(super) fn turn(screen: &mut Screen, desk: &mut InputContext<'_>) {
    let talk = places(screen, desk).talk;
    let view = TalkWindow::new(screen, &desk.model, (talk.width, talk.height), desk.theme);
    let mut items: Vec<usize> = view.seen(desk.kept).iter().map(|seen| seen.item).collect();
    items.dedup();
    let lowest = items.iter().rev().find_map(|index| {
        let item = view.item(*index)?;
        pieces::can_turn(item, &desk.model, view.look(*index)).then_some(item.seq)
    });
    match lowest {
        Some(seq) => toggle(screen, seq),
        None => screen.note = Some("nothing in sight is folded".to_owned()),
    }
}

pub(super) fn toggle(screen: &mut Screen, seq: u64) {
    if !screen.turned.remove(&seq) {
        screen.turned.insert(seq);
    }
}

/// The layout of the screen.
pub(super) fn places(screen: &Screen, desk: &InputContext<'_>) -> Layout {
    layout::layout(desk.area, screen, &desk.model)
}

/// A key in search mode.
#[expect(clippy::wildcard_enum_match_arm, reason = "there are more keys than meanings")]
pub(super) fn seek(screen: &mut Screen, desk: &mut InputContext<'_>, key: KeyEvent) -> Vec<UiCommand> {
    let KeyMode::Search(needle) = &mut screen.mode else { return Vec::new() };
    match key.code {
        KeyCode::Esc => screen.mode = KeyMode::Normal,
        KeyCode::Backspace => {
            needle.pop();
        }
        KeyCode::Char(sign) if !key.modifiers.contains(KeyModifiers::CONTROL) => needle.push(sign),
        KeyCode::Enter => {
            let needle = std::mem::take(needle);
            screen.mode = KeyMode::Normal;
            if !needle.is_empty() {
                screen.needle = Some(Arc::from(needle));
            }
            find(screen, desk, true, true);
        }
        _ => {}
    }
    Vec::new()
}
