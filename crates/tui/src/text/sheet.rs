//! The lines of a page while it is written: what stands to their left, and the empty ones between blocks.

use ratatui::text::{Line, Span};

use super::wrap::width;

/// What stands to the left of a block: the bar of a quotation, or the sign of a list and then as many spaces.
pub(super) struct Indent {
    pub(super) first: Option<Span<'static>>,
    pub(super) rest: Span<'static>,
}

pub(super) struct Sheet {
    columns: u16,
    lines: Vec<Line<'static>>,
    indents: Vec<Indent>,
    /// How many columns each block begins from the left.
    lefts: Vec<u16>,
    /// Nothing stands above, or an empty line.
    blank: bool,
    /// The next block wants an empty line above it.
    apart: bool,
}

impl Sheet {
    pub(super) fn new(columns: u16) -> Sheet {
        Sheet {
            columns,
            lines: Vec::new(),
            indents: Vec::new(),
            lefts: Vec::new(),
            blank: true,
            apart: false,
        }
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Writes lines, each behind what stands to its left.
    pub(super) fn emit(&mut self, lines: impl IntoIterator<Item = Line<'static>>) {
        for mut line in lines {
            let empty = line.spans.is_empty();
            let signs = self
                .indents
                .iter_mut()
                .map(|indent| indent.first.take().unwrap_or_else(|| indent.rest.clone()));
            line.spans.splice(0..0, signs);
            while empty && line.spans.last().is_some_and(|span| span.content.trim().is_empty()) {
                line.spans.pop();
            }
            self.lines.push(line);
            self.blank = false;
        }
    }

    /// One empty line, where none stands yet.
    pub(super) fn space(&mut self) {
        if !self.blank {
            self.emit([Line::default()]);
            self.blank = true;
        }
    }

    /// What follows is the first in its block: nothing stands above it there.
    pub(super) fn begin(&mut self) {
        self.blank = true;
    }

    /// Says whether the next block wants an empty line above it.
    pub(super) fn part(&mut self, apart: bool) {
        self.apart = apart;
    }

    /// Whether this block wants an empty line above it; it is asked once.
    pub(super) fn apart(&mut self) -> bool {
        std::mem::take(&mut self.apart)
    }

    /// The columns that are left for words.
    pub(super) fn room(&self) -> u16 {
        self.columns.saturating_sub(self.left()).max(1)
    }

    fn left(&self) -> u16 {
        self.lefts.last().copied().unwrap_or(0)
    }

    /// Moves to the right, if enough room is left for words.
    pub(super) fn indent(&mut self, indent: Indent) -> bool {
        let least = (self.columns / 2).clamp(2, 20);
        let left = usize::from(self.left()) + width(&indent.rest.content);
        let left = u16::try_from(left).ok().filter(|&left| self.columns.saturating_sub(left) >= least);
        if let Some(left) = left {
            self.indents.push(indent);
            self.lefts.push(left);
        }
        left.is_some()
    }

    /// Moves back to the left.
    pub(super) fn outdent(&mut self) {
        self.indents.pop();
        self.lefts.pop();
    }

    /// The sign of the innermost block, while it is not written yet.
    pub(super) fn sign(&mut self) -> Option<&mut Span<'static>> {
        self.indents.last_mut().and_then(|indent| indent.first.as_mut())
    }

    /// The lines, without empty ones at either end.
    pub(super) fn finish(mut self) -> Vec<Line<'static>> {
        let empty = |line: &Line<'_>| line.spans.iter().all(|span| span.content.trim().is_empty());
        while self.lines.last().is_some_and(empty) {
            self.lines.pop();
        }
        let first = self.lines.iter().position(|line| !empty(line)).unwrap_or(0);
        self.lines.split_off(first)
    }
}
