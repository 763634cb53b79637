//! The keys of the composer. Undo is Ctrl+_ or Ctrl+/, redo Alt+_ or Alt+/; the rest is as in a shell.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// What a key means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Type(char),
    /// A new line in the text.
    NewLine,
    Send,
    /// Stop typing (Esc).
    Done,
    Complete,
    /// To the row above, or to the message before.
    Up,
    /// To the row below, or to the message after.
    Down,
    /// One cluster to the left.
    Left,
    /// One cluster to the right.
    Right,
    /// To the beginning of a word.
    WordLeft,
    /// To the end of a word.
    WordRight,
    /// To the beginning of the line.
    LineStart,
    /// To the end of the line.
    LineEnd,
    /// Erases the cluster to the left.
    Erase,
    /// Erases the cluster to the right.
    EraseRight,
    /// Erases to the beginning of a word.
    EraseWordLeft,
    /// Erases to the end of a word.
    EraseWordRight,
    /// Erases back to a blank.
    EraseBlankLeft,
    /// Erases to the beginning of the line.
    EraseLineStart,
    /// Erases to the end of the line.
    EraseLineEnd,
    /// Puts in what was erased last by word or line.
    Yank,
    Undo,
    /// Takes back what was taken back.
    Redo,
}

impl Act {
    /// The meaning of a key, if it has one.
    pub fn of(key: KeyEvent) -> Option<Act> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        let held = key.modifiers.difference(KeyModifiers::SHIFT);
        if held.is_empty() {
            return plain(key);
        }
        if held == KeyModifiers::CONTROL {
            return with_control(key.code);
        }
        if held == KeyModifiers::ALT {
            return with_alt(key.code);
        }
        None
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "a keyboard has many keys that mean nothing here")]
fn plain(key: KeyEvent) -> Option<Act> {
    Some(match key.code {
        KeyCode::Char(sign) if !sign.is_control() => Act::Type(sign),
        KeyCode::Enter if key.modifiers.contains(KeyModifiers::SHIFT) => Act::NewLine,
        KeyCode::Enter => Act::Send,
        KeyCode::Esc => Act::Done,
        KeyCode::Tab => Act::Complete,
        KeyCode::Up => Act::Up,
        KeyCode::Down => Act::Down,
        KeyCode::Left => Act::Left,
        KeyCode::Right => Act::Right,
        KeyCode::Home => Act::LineStart,
        KeyCode::End => Act::LineEnd,
        KeyCode::Backspace => Act::Erase,
        KeyCode::Delete => Act::EraseRight,
        _ => return None,
    })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "a keyboard has many keys that mean nothing here")]
fn with_control(code: KeyCode) -> Option<Act> {
    Some(match code {
        KeyCode::Char('j') | KeyCode::Enter => Act::NewLine,
        KeyCode::Char('p') => Act::Up,
        KeyCode::Char('n') => Act::Down,
        KeyCode::Char('b') => Act::Left,
        KeyCode::Char('f') => Act::Right,
        KeyCode::Left => Act::WordLeft,
        KeyCode::Right => Act::WordRight,
        KeyCode::Char('a') => Act::LineStart,
        KeyCode::Char('e') => Act::LineEnd,
        KeyCode::Char('h') => Act::Erase,
        KeyCode::Char('d') => Act::EraseRight,
        KeyCode::Char('w') => Act::EraseBlankLeft,
        KeyCode::Backspace => Act::EraseWordLeft,
        KeyCode::Delete => Act::EraseWordRight,
        KeyCode::Char('u') => Act::EraseLineStart,
        KeyCode::Char('k') => Act::EraseLineEnd,
        KeyCode::Char('y') => Act::Yank,
        // A terminal without the newer protocols sends one byte for both, which is read as Ctrl+7.
        KeyCode::Char('_' | '/' | '7') => Act::Undo,
        _ => return None,
    })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "a keyboard has many keys that mean nothing here")]
fn with_alt(code: KeyCode) -> Option<Act> {
    Some(match code {
        KeyCode::Enter => Act::NewLine,
        KeyCode::Char('b') | KeyCode::Left => Act::WordLeft,
        KeyCode::Char('f') | KeyCode::Right => Act::WordRight,
        KeyCode::Backspace => Act::EraseWordLeft,
        KeyCode::Char('d') | KeyCode::Delete => Act::EraseWordRight,
        KeyCode::Char('_' | '/') => Act::Redo,
        _ => return None,
    })
}
