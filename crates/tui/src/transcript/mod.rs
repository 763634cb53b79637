//! The conversation as lines: pieces of the story become lines when they are looked at, never before, so a mission of
//! sixty thousand messages is as quick as one of six.

pub mod pieces;
pub mod search;
pub mod view;

use std::collections::HashMap;
use std::rc::Rc;

use ratatui::text::Line;

/// How many lines are kept.
const LINES_MAX: usize = 20_000;

/// Lines of pieces that were looked at lately. They can be made again at any time: nothing depends on them.
#[derive(Debug, Default)]
pub struct Kept {
    /// By the fact a piece comes from: another look at it takes the place of the one before.
    pieces: HashMap<u64, (pieces::PieceKey, Rc<[Line<'static>]>)>,
    lines: usize,
}

impl Kept {
    /// The lines, made now if they are not kept.
    pub fn lines(
        &mut self,
        key: pieces::PieceKey,
        make: impl FnOnce() -> Vec<Line<'static>>,
    ) -> Rc<[Line<'static>]> {
        if let Some((known, lines)) = self.pieces.get(&key.seq)
            && *known == key
        {
            return Rc::clone(lines);
        }
        let lines: Rc<[Line<'static>]> = make().into();
        if self.lines + lines.len() > LINES_MAX {
            self.pieces.clear();
            self.lines = 0;
        }
        self.lines += lines.len();
        let before = self.pieces.insert(key.seq, (key, Rc::clone(&lines)));
        self.lines -= before.map_or(0, |(_, lines)| lines.len());
        lines
    }
}
