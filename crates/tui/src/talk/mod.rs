//! The conversation as lines: pieces of the story become lines when they are looked at, never before, so a mission of
//! sixty thousand messages is as quick as one of six.

pub mod pieces;
pub mod search;
pub mod view;

use std::collections::HashMap;
use std::rc::Rc;

use ratatui::text::Line;

/// How many pieces are kept as lines.
const KEPT_MAX: usize = 256;

/// Lines of pieces that were looked at lately. They can be made again at any time: nothing depends on them.
#[derive(Debug, Default)]
pub struct Kept {
    lines: HashMap<pieces::Key, Rc<[Line<'static>]>>,
}

impl Kept {
    /// The lines, made now if they are not kept.
    pub fn lines(
        &mut self,
        key: pieces::Key,
        make: impl FnOnce() -> Vec<Line<'static>>,
    ) -> Rc<[Line<'static>]> {
        if let Some(lines) = self.lines.get(&key) {
            return Rc::clone(lines);
        }
        if self.lines.len() >= KEPT_MAX {
            self.lines.clear();
        }
        let lines: Rc<[Line<'static>]> = make().into();
        self.lines.insert(key, Rc::clone(&lines));
        lines
    }
}
