//! Undo and redo: typed letters are undone by the word, every other change by itself.

use std::collections::VecDeque;

use super::text_buffer::TextBuffer;

/// How many bytes of old text are remembered; the oldest changes go first.
const BYTES_MAX: usize = 8 * 1024 * 1024;
/// How many changes are remembered.
const STEPS_MAX: usize = 10_000;

/// The kind of a change: consecutive ones of some kinds are undone together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// A letter was typed.
    Typing,
    /// A letter was erased to the left.
    Erasing,
    Whole,
}

#[derive(Debug, Clone)]
pub struct TextChange {
    pub kind: ChangeKind,
    /// Where it was made.
    pub at: usize,
    /// What stood there.
    pub removed: String,
    /// What stands there since.
    pub inserted: String,
    /// Where the cursor was before and after.
    pub cursor: (usize, usize),
    /// Which text of the history was edited before and after.
    pub slot: (usize, usize),
}

#[derive(Debug, Clone, Default)]
pub struct Past {
    done: VecDeque<TextChange>,
    undone: Vec<TextChange>,
    bytes: usize,
    sealed: bool,
}

impl Past {
    /// A change was made.
    pub fn record(&mut self, step: TextChange) {
        self.undone.clear();
        self.bytes += step.removed.len() + step.inserted.len();
        let sealed = std::mem::take(&mut self.sealed);
        match self.done.back_mut() {
            Some(last) if !sealed && goes_on(last, &step) => {
                last.at = last.at.min(step.at);
                last.inserted.push_str(&step.inserted);
                last.removed.insert_str(0, &step.removed);
                last.cursor.1 = step.cursor.1;
            }
            Some(_) | None => self.done.push_back(step),
        }
        while self.done.len() > STEPS_MAX || self.bytes > BYTES_MAX {
            let Some(oldest) = self.done.pop_front() else { break };
            self.bytes -= oldest.removed.len() + oldest.inserted.len();
        }
    }

    /// Ends the group: the next change is undone by itself.
    pub fn seal(&mut self) {
        self.sealed = true;
    }

    /// Takes the last change back; says which text of the history is edited now.
    pub fn undo(&mut self, sheet: &mut TextBuffer) -> Option<usize> {
        let step = self.done.pop_back()?;
        self.bytes -= step.removed.len() + step.inserted.len();
        sheet.replace(step.at..step.at + step.inserted.len(), &step.removed);
        sheet.stand(step.cursor.0);
        let slot = step.slot.0;
        self.undone.push(step);
        self.sealed = true;
        Some(slot)
    }

    /// Makes the change again that was taken back last.
    pub fn redo(&mut self, sheet: &mut TextBuffer) -> Option<usize> {
        let step = self.undone.pop()?;
        self.bytes += step.removed.len() + step.inserted.len();
        sheet.replace(step.at..step.at + step.removed.len(), &step.inserted);
        sheet.stand(step.cursor.1);
        let slot = step.slot.1;
        self.done.push_back(step);
        self.sealed = true;
        Some(slot)
    }
}

fn goes_on(last: &TextChange, next: &TextChange) -> bool {
    if last.kind != next.kind || last.slot != next.slot {
        return false;
    }
    match last.kind {
        ChangeKind::Typing => {
            let begins_word = last.inserted.ends_with(char::is_whitespace)
                && !next.inserted.starts_with(char::is_whitespace);
            last.at + last.inserted.len() == next.at && !begins_word
        }
        ChangeKind::Erasing => next.at + next.removed.len() == last.at,
        ChangeKind::Whole => false,
    }
}
