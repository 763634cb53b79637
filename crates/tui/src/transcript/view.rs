//! Where one reads in the conversation: which lines are seen, and how scrolling moves them. A place is a line of a
//! piece, never a distance from the top: nothing above it has to be known.

use std::rc::Rc;
use std::sync::Arc;

use mind::SessionId;
use ratatui::text::Line;
use view::story::{Item, Piece};

use super::{Kept, pieces};
use crate::screen::{ReadingPlace, Screen};
use crate::theme::Theme;
use crate::view_model::ViewModel;

/// The conversation, looked at through a window.
#[derive(Debug)]
pub struct TalkWindow<'a> {
    screen: &'a Screen,
    model: &'a ViewModel<'a>,
    items: &'a [Item],
    live: Vec<(SessionId, Arc<str>)>,
    columns: u16,
    rows: u16,
    theme: &'a Theme,
}

/// A line that is seen.
#[derive(Debug, Clone)]
pub struct SeenLine {
    /// Which piece it belongs to.
    pub item: usize,
    /// Which of its lines it is.
    pub line: usize,
    /// How it looks.
    pub text: Line<'static>,
}

/// A line of a piece; they are ordered as they are read.
type Spot = (usize, usize);

impl<'a> TalkWindow<'a> {
    /// Looks through a window of this size.
    pub fn new(
        screen: &'a Screen,
        model: &'a ViewModel<'a>,
        size: (u16, u16),
        theme: &'a Theme,
    ) -> TalkWindow<'a> {
        let items = model.story.until(model.head);
        let live = if model.is_past() {
            Vec::new()
        } else {
            model.live.iter().map(|(session, text)| (*session, Arc::clone(text))).collect()
        };
        TalkWindow { screen, model, items, live, columns: size.0, rows: size.1, theme }
    }

    /// How many pieces there are, with what is being said now.
    pub fn count(&self) -> usize {
        self.items.len() + self.live.len()
    }

    /// One piece of the story.
    pub fn item(&self, index: usize) -> Option<&Item> {
        self.items.get(index)
    }

    /// How a piece is looked at.
    pub fn look(&self, index: usize) -> pieces::PieceLook<'a> {
        let turned = self.items.get(index).is_some_and(|item| self.screen.is_turned(item.seq));
        pieces::PieceLook { columns: self.columns, turned, apart: self.is_apart(index), theme: self.theme }
    }

    /// An empty line stands before and after what is said; remarks stay together.
    fn is_apart(&self, index: usize) -> bool {
        let speaks = |index: usize| {
            self.items.get(index).is_some_and(|item| match &item.piece {
                Piece::Message(id) => self.model.state.message(*id).is_some_and(|message| {
                    !matches!(message.kind, mind::talk::MessageKind::Notice | mind::talk::MessageKind::Claim)
                }),
                Piece::Permission { .. } => true,
                Piece::Remarks(_) | Piece::Tools { .. } => false,
            })
        };
        index > 0 && (speaks(index) || speaks(index - 1))
    }

    /// The lines of one piece.
    pub fn lines(&self, index: usize, kept: &mut Kept) -> Rc<[Line<'static>]> {
        let look = self.look(index);
        match self.items.get(index) {
            Some(item) => {
                let key = pieces::key(item, self.model, look);
                kept.lines(key, || pieces::lines(item, self.model, look))
            }
            None => match self.live.get(index - self.items.len()) {
                Some((session, text)) => pieces::live(*session, text, self.model, look).into(),
                None => Rc::from([]),
            },
        }
    }

    /// What stands at the top when the end is seen.
    fn end(&self, kept: &mut Kept) -> Spot {
        let mut left = usize::from(self.rows);
        for index in (0..self.count()).rev() {
            let height = self.lines(index, kept).len();
            if height >= left {
                return (index, height - left);
            }
            left -= height;
        }
        (0, 0)
    }

    /// What stands at the top.
    fn top(&self, kept: &mut Kept) -> Spot {
        let end = self.end(kept);
        match self.screen.place {
            ReadingPlace::End => end,
            ReadingPlace::At { item, line } => {
                let last = self.lines(item.min(self.count().saturating_sub(1)), kept).len().saturating_sub(1);
                (item, line.min(last)).min(end)
            }
        }
    }

    /// The lines that are seen.
    pub fn seen(&self, kept: &mut Kept) -> Vec<SeenLine> {
        let (mut item, mut line) = self.top(kept);
        let mut seen = Vec::with_capacity(usize::from(self.rows));
        while seen.len() < usize::from(self.rows) && item < self.count() {
            let lines = self.lines(item, kept);
            let room = usize::from(self.rows) - seen.len();
            let part = lines.iter().enumerate().skip(line).take(room);
            seen.extend(part.map(|(line, text)| SeenLine { item, line, text: text.clone() }));
            (item, line) = (item + 1, 0);
        }
        seen
    }

    /// Where one reads after moving by so many lines.
    pub fn moved(&self, by: isize, kept: &mut Kept) -> ReadingPlace {
        let (mut item, mut line) = self.top(kept);
        let mut left = by.unsigned_abs();
        if by < 0 {
            while left > line && item > 0 {
                left -= line + 1;
                item -= 1;
                line = self.lines(item, kept).len().saturating_sub(1);
                // A piece without lines is passed by.
                if self.lines(item, kept).is_empty() {
                    left += 1;
                    line = 0;
                }
            }
            line = line.saturating_sub(left);
        } else {
            loop {
                let below = self.lines(item, kept).len().saturating_sub(line + 1);
                if left <= below || item + 1 >= self.count() {
                    line += left.min(below);
                    break;
                }
                left -= below + 1;
                (item, line) = (item + 1, 0);
            }
        }
        self.place_of((item, line), kept)
    }

    /// A place from which this line is well seen.
    pub fn revealing(&self, item: usize, line: usize, kept: &mut Kept) -> ReadingPlace {
        let at = TalkWindow {
            screen: &Screen { place: ReadingPlace::At { item, line }, ..self.screen.clone() },
            ..self.copy()
        };
        at.moved(-(isize::try_from(self.rows).unwrap_or(0) / 3), kept)
    }

    fn copy(&self) -> TalkWindow<'a> {
        TalkWindow { live: self.live.clone(), ..*self }
    }

    /// A reader who reached the end stays at the end.
    fn place_of(&self, spot: Spot, kept: &mut Kept) -> ReadingPlace {
        if spot >= self.end(kept) {
            ReadingPlace::End
        } else {
            ReadingPlace::At { item: spot.0, line: spot.1 }
        }
    }
}
