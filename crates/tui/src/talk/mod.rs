//! The conversation as lines: pieces of the story become lines when they are looked at, never before, so a mission of
//! sixty thousand messages is as quick as one of six.

pub mod pieces;
pub mod search;
pub mod view;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use ratatui::text::Line;

use crate::sight::Sight;

/// How many pieces are kept as lines.
const KEPT_MAX: usize = 256;

/// Lines of pieces that were looked at lately. They can be made again at any time: nothing depends on them.
#[derive(Debug, Default)]
pub struct Kept {
    lines: HashMap<pieces::Key, Rc<[Line<'static>]>>,
    found: Option<Found>,
}

/// Where a needle was found, after so many facts.
#[derive(Debug)]
struct Found {
    needle: Arc<str>,
    head: u64,
    items: Rc<[usize]>,
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

    /// The pieces that hold the needle, searched for now if that was not the last thing searched for.
    pub fn found(&mut self, needle: &Arc<str>, sight: &Sight<'_>) -> Rc<[usize]> {
        if let Some(found) = &self.found
            && (&found.needle, found.head) == (needle, sight.head)
        {
            return Rc::clone(&found.items);
        }
        let items: Rc<[usize]> = search::find(needle, sight).into();
        self.found = Some(Found { needle: Arc::clone(needle), head: sight.head, items: Rc::clone(&items) });
        items
    }
}
