//! The docket: what waits for the human, and the answer to it. An answer is bound to the question that was drawn; where
//! a question vanishes, nothing else slips under the cursor.

mod detail;
mod items;
mod layout;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
use mind::event::Deed;
use mind::policy::Lasts;
use mind::{AskId, Timestamp};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use self::items::{Item, Pick, items};
use self::layout::{Layout, buttons};
use super::Reply;
use super::field::Field;
use super::list::{Motion, Scroll, letter, motion, step, wheel};
use super::panel::{self, Panel};
use crate::draw::status;
use crate::sight::{Seat, Sight};
use crate::theme::{Theme, Tint};
use crate::wish::Wish;

/// Whoever answers the next question sooner than this has not read it: the key is still held down.
const HASTE_MS: u64 = 700;

const ON_ITS_WAY: &str = "Your answer is on its way.";
const HINTS: &[(&str, &str)] = &[("j/k", "choose"), ("q", "close"), ("i", "speak"), ("J/K", "scroll")];
const REASON_HINTS: &[(&str, &str)] = &[("Enter", "send the no"), ("Esc", "back")];

/// What the person has made of the page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    choice: Cell<Choice>,
    /// What stood on the screen when the page was last drawn.
    shown: RefCell<Option<Shown>>,
    /// What was seen to its end.
    read: Cell<Option<Pick>>,
    /// What was answered and is no fact yet.
    sent: BTreeSet<Pick>,
    /// When the last answer was given, if nobody has chosen anything since.
    answered_at: Option<Timestamp>,
    reason: Option<Reason>,
    notice: Option<&'static str>,
    list: Scroll,
    detail: Scroll,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Choice {
    /// Nothing was drawn yet: the first comes.
    #[default]
    Fresh,
    /// Nothing is chosen: the person has to.
    Nothing,
    This(Pick),
}

/// A question as it stood on the screen.
#[derive(Debug, Clone, PartialEq)]
struct Shown {
    pick: Pick,
    digest: Arc<str>,
    lasting: bool,
}

/// A no whose reason is being typed.
#[derive(Debug, Clone, PartialEq)]
struct Reason {
    ask: AskId,
    digest: Arc<str>,
    field: Field,
}

impl Page {
    /// A key was pressed.
    pub fn key(&mut self, key: KeyEvent, sight: &Sight<'_>) -> Reply {
        let items = self.settle(sight);
        self.notice = None;
        if self.reason.is_some() {
            return self.reason_key(&key, &items, sight);
        }
        let letter = letter(&key);
        if key.code == KeyCode::Esc || matches!(letter, Some('q' | 'd')) {
            return Reply::Close;
        }
        if let Some(sign @ ('y' | 'h' | 'm' | 'n' | 'i')) = letter {
            // A key that is held down answers one question, not all of them.
            return if key.kind == KeyEventKind::Press { self.press(sign, sight) } else { Reply::Stay };
        }
        match (letter, motion(&key)) {
            (Some('J'), _) => self.detail.go(Motion::Lines(1)),
            (Some('K'), _) => self.detail.go(Motion::Lines(-1)),
            (_, Some(Motion::Halves(halves))) => self.detail.go(Motion::Halves(halves)),
            (_, Some(motion)) => self.choose(&items, motion),
            (_, None) => {}
        }
        Reply::Stay
    }

    /// What was answered last did not reach the mission: it can be answered again.
    pub fn unsend(&mut self) {
        self.sent.clear();
        self.answered_at = None;
    }

    /// A text was pasted.
    pub fn paste(&mut self, text: &str) {
        if let Some(reason) = &mut self.reason {
            reason.field.put(text);
        }
    }

    /// The mouse did something; the page is drawn in `area`.
    pub fn mouse(&mut self, mouse: MouseEvent, area: Rect, sight: &Sight<'_>, _theme: &Theme) -> Reply {
        let items = self.settle(sight);
        if let Some(motion) = wheel(&mouse) {
            self.detail.go(motion);
            return Reply::Stay;
        }
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) || self.reason.is_some() {
            return Reply::Stay;
        }
        self.notice = None;
        let layout = Layout::new(panel::rooms(area).1, items.len());
        let at = Position::new(mouse.column, mouse.row);
        if layout.list.contains(at) {
            let place = self.list.above() + usize::from(at.y - layout.list.y);
            if let Some(item) = items.get(place) {
                self.take(item.pick());
            }
            return Reply::Stay;
        }
        let shown = self.shown.borrow().as_ref().map(|shown| (shown.pick, shown.lasting));
        let Some((pick, lasting)) = shown else { return Reply::Stay };
        let hit = buttons(layout.foot, pick, lasting).into_iter().find(|button| button.area.contains(at));
        hit.map_or(Reply::Stay, |button| self.press(button.key, sight))
    }

    /// What waits; a choice that waits no more is no choice any more.
    fn settle<'a>(&self, sight: &Sight<'a>) -> Vec<Item<'a>> {
        let items = items(sight.state);
        let choice = match self.choice.get() {
            Choice::Fresh => items.first().map_or(Choice::Nothing, |item| Choice::This(item.pick())),
            Choice::This(pick) if !items.iter().any(|item| item.pick() == pick) => Choice::Nothing,
            same @ (Choice::Nothing | Choice::This(_)) => same,
        };
        self.choice.set(choice);
        items
    }

    fn choose(&mut self, items: &[Item<'_>], motion: Motion) {
        let at = items.iter().position(|item| Choice::This(item.pick()) == self.choice.get());
        let to = match at {
            Some(at) => step(at, items.len(), self.list.rows(), motion),
            None if motion == Motion::End => items.len().saturating_sub(1),
            None => 0,
        };
        if let Some(item) = items.get(to) {
            self.take(item.pick());
        }
    }

    fn take(&mut self, pick: Pick) {
        self.choice.set(Choice::This(pick));
        self.answered_at = None;
        self.detail.reset();
    }

    /// A key that answers.
    fn press(&mut self, sign: char, sight: &Sight<'_>) -> Reply {
        let shown = self.shown.borrow().clone();
        let shown = shown.filter(|shown| self.choice.get() == Choice::This(shown.pick));
        self.notice = None;
        if sign == 'i' && barred(sight).is_none() {
            return Reply::Speak;
        }
        let refusal = match (barred(sight), &shown) {
            (Some(why), _) => Some(why),
            (None, None) if self.choice.get() == Choice::Nothing => Some("Choose first: j or k."),
            (None, None) => Some("It has not been shown yet."),
            (None, Some(shown)) if self.sent.contains(&shown.pick) => Some(ON_ITS_WAY),
            (None, Some(shown)) if sign != 'n' && self.read.get() != Some(shown.pick) => {
                Some("Read it to its end first: PgDn.")
            }
            (None, Some(shown))
                if matches!(sign, 'h' | 'm') && !shown.lasting && matches!(shown.pick, Pick::Ask(_)) =>
            {
                Some("Once or not at all: no lasting yes can cover it.")
            }
            (None, Some(_)) => None,
        };
        let Some(shown) = shown.filter(|_| refusal.is_none()) else {
            self.notice = refusal;
            return Reply::Stay;
        };
        if self.answered_at.is_some_and(|then| sight.now.0.saturating_sub(then.0) < HASTE_MS) {
            self.answered_at = Some(sight.now);
            self.notice = Some("This is another question. Read it first.");
            return Reply::Stay;
        }
        match (shown.pick, sign) {
            (Pick::Ask(ask), 'n') => {
                self.reason = Some(Reason { ask, digest: shown.digest, field: Field::default() });
                Reply::Stay
            }
            (Pick::Ask(ask), _) => {
                let lasts = match sign {
                    'h' => Lasts::Hour,
                    'm' => Lasts::Mission,
                    _ => Lasts::Once,
                };
                let deed =
                    Deed::Answer { ask, digest: shown.digest, allowed: true, lasts, why: Arc::from("") };
                self.send(shown.pick, deed, sight)
            }
            (Pick::Alignment(_), 'y') => self.send(shown.pick, Deed::Say(Arc::from("yes")), sight),
            // What speaks against it is said in words.
            (Pick::Alignment(_), 'n') => Reply::Speak,
            // Below it stands how it is answered.
            (Pick::Alignment(_) | Pick::Words(_), _) => Reply::Stay,
        }
    }

    fn reason_key(&mut self, key: &KeyEvent, items: &[Item<'_>], sight: &Sight<'_>) -> Reply {
        if key.code == KeyCode::Esc {
            self.reason = None;
        } else if key.code == KeyCode::Enter {
            let Some(reason) = self.reason.take() else { return Reply::Stay };
            let pick = Pick::Ask(reason.ask);
            if !items.iter().any(|item| item.pick() == pick) || barred(sight).is_some() {
                self.notice = Some(barred(sight).unwrap_or("It needs no answer any more."));
                return Reply::Stay;
            }
            let is_shown = self.shown.borrow().as_ref().is_some_and(|shown| shown.pick == pick);
            if !is_shown {
                // The window became too small meanwhile: nobody answers what nobody sees.
                self.notice = Some("It is not on the screen.");
                self.reason = Some(reason);
                return Reply::Stay;
            }
            let why = Arc::from(reason.field.text().trim());
            let (ask, digest) = (reason.ask, reason.digest);
            return self.send(
                pick,
                Deed::Answer { ask, digest, allowed: false, lasts: Lasts::Once, why },
                sight,
            );
        } else if let Some(reason) = &mut self.reason {
            reason.field.key(key);
        }
        Reply::Stay
    }

    /// Sends an answer once, and goes on to what is next.
    fn send(&mut self, pick: Pick, deed: Deed, sight: &Sight<'_>) -> Reply {
        let items = items(sight.state);
        self.sent.retain(|sent| items.iter().any(|item| item.pick() == *sent));
        self.sent.insert(pick);
        let at = items.iter().position(|item| item.pick() == pick).unwrap_or(0);
        let around = items[at..].iter().chain(&items[..at]).map(Item::pick);
        if let Some(next) = around.into_iter().find(|next| !self.sent.contains(next)) {
            self.take(next);
        }
        self.answered_at = Some(sight.now);
        Reply::Wish(Wish::Do(deed))
    }

    /// Draws the page; says where the cursor is, if one types in it.
    pub fn draw(
        &self,
        area: Rect,
        buffer: &mut Buffer,
        sight: &Sight<'_>,
        theme: &Theme,
    ) -> Option<Position> {
        let items = self.settle(sight);
        self.shown.replace(None);
        let hints = if self.reason.is_some() { REASON_HINTS } else { HINTS };
        let note = match status::waiting(sight.state) {
            0 => String::new(),
            count => format!("{count} waiting"),
        };
        let inner = Panel { title: "Docket", note, hints }.draw(area, buffer, theme);
        let layout = Layout::new(inner, items.len());
        let chosen = items.iter().find(|item| Choice::This(item.pick()) == self.choice.get());
        if items.is_empty() {
            let words = match sight.waits {
                waits if waits > 0 && sight.is_past() => {
                    format!("  Nothing waited then; {waits} now: Esc, then d.")
                }
                _ => "  Nothing waits for you.".to_owned(),
            };
            panel::one(layout.detail, buffer, &Line::styled(words, theme.style(Tint::Dim)));
        }
        panel::column(layout.between, buffer, theme);
        self.draw_list(layout.list, buffer, &items, sight, theme);
        if let Some(item) = chosen {
            let columns = layout.detail.width;
            let head = Rect { height: layout.detail.height.min(1), ..layout.detail };
            panel::one(head, buffer, &detail::head(item, sight, theme));
            let height = layout.detail.height.saturating_sub(1);
            let body = Rect { y: layout.detail.y + head.height, height, ..layout.detail };
            panel::lines(body, buffer, &detail::body(item, columns, theme), &self.detail, theme);
            if layout::is_readable(body) {
                self.shown.replace(Some(shown(item)));
                if self.detail.below() == 0 {
                    self.read.set(Some(item.pick()));
                }
            }
        }
        self.draw_rule(layout.rule, buffer, chosen.is_some(), !items.is_empty(), theme);
        self.draw_foot(layout.foot, buffer, chosen, sight, theme)
    }

    fn draw_list(&self, area: Rect, buffer: &mut Buffer, all: &[Item<'_>], sight: &Sight<'_>, theme: &Theme) {
        let at = all.iter().position(|item| Choice::This(item.pick()) == self.choice.get());
        let rows = usize::from(area.height);
        let seen = match at {
            Some(at) => self.list.fit_around(at, rows, all.len()),
            None => self.list.fit(rows, all.len()),
        };
        for (place, row) in seen.zip(area.rows()) {
            let sent = self.sent.contains(&all[place].pick());
            panel::one(row, buffer, &items::row(&all[place], sent, sight.now, area.width, theme));
            if Some(place) == at {
                buffer.set_style(row.intersection(buffer.area), theme.style(Tint::Chosen));
            }
        }
    }

    /// The line between, which also says what a key could not do, and that there is more to read.
    fn draw_rule(&self, row: Rect, buffer: &mut Buffer, chosen: bool, any: bool, theme: &Theme) {
        let rule = theme.sign("─", "-").repeat(usize::from(row.width));
        panel::one(row, buffer, &Line::styled(rule, theme.style(Tint::Frame)));
        let below = self.detail.below();
        let words = match self.notice {
            // What was said of a question that is gone says nothing of the next one.
            Some(ON_ITS_WAY) | None if !chosen && any => "Choose: j or k.".to_owned(),
            Some(notice) => notice.to_owned(),
            None if chosen && below > 0 => format!("{below} more lines: PgDn"),
            None => return,
        };
        panel::one(row, buffer, &Line::styled(format!(" {words} "), theme.style(Tint::Warn)));
    }

    fn draw_foot(
        &self,
        row: Rect,
        buffer: &mut Buffer,
        chosen: Option<&Item<'_>>,
        sight: &Sight<'_>,
        theme: &Theme,
    ) -> Option<Position> {
        if let Some(reason) = &self.reason {
            let name = format!(" no to {}, because: ", reason.ask);
            return reason.field.draw(row, buffer, &name, theme.style(Tint::Bad));
        }
        let item = chosen?;
        let words = match (barred(sight), item) {
            (Some(why), _) => why,
            (None, item) if self.sent.contains(&item.pick()) => "sent",
            (None, Item::Ask(..) | Item::Alignment(_) | Item::Words(_)) => {
                let shown = shown(item);
                for button in buttons(row, shown.pick, shown.lasting) {
                    panel::one(button.area, buffer, &button.line(theme));
                }
                return None;
            }
        };
        panel::one(row, buffer, &Line::styled(format!(" {words}"), theme.style(Tint::House)));
        None
    }
}

/// Why nothing can be answered here.
fn barred(sight: &Sight<'_>) -> Option<&'static str> {
    match (sight.seat, sight.is_past()) {
        _ if sight.over => Some("The mission is over."),
        (Seat::Replay, _) => Some("A replay answers nothing."),
        (Seat::House | Seat::Beside, true) => Some("This is the past: nothing can be answered."),
        (Seat::House | Seat::Beside, false) => None,
    }
}

fn shown(item: &Item<'_>) -> Shown {
    let (digest, lasting) = match item {
        Item::Ask(_, ask) => (Arc::clone(&ask.question.digest), !ask.question.shapes.is_empty()),
        Item::Alignment(_) | Item::Words(_) => (Arc::from(""), false),
    };
    Shown { pick: item.pick(), digest, lasting }
}
