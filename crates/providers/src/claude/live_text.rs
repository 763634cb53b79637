//! The live text of a Claude Code session: what of an answer is shown while it streams. That is the model's own words,
//! and the message of its typed output or of our tools. Thoughts, other tools and subagents are not shown.
//!
//! Words stand until the next ones come: a message's first word replaces those before it, and the typed message
//! replaces the words around it, since it alone becomes a fact.

use super::fields::Fields;
use super::incoming::TYPED_OUTPUT;
use super::mcp;
use super::wire::{BlockStart, Delta};
use crate::protocol::{DriverAction, Live};

/// The fields that hold words for a person or another session.
const TOLD: &[&str] = &["message", "brief", "prompt"];

/// The words of one session.
#[derive(Debug, Default)]
pub(super) struct Words {
    block: Block,
    /// What the next word does to those before it.
    next: Next,
}

/// The part of the answer that streams.
#[derive(Debug, Default)]
enum Block {
    #[default]
    Silent,
    Text,
    Typed(Fields),
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// It replaces them.
    #[default]
    Anew,
    /// It begins a paragraph.
    Paragraph,
    /// It continues them.
    On,
}

impl Words {
    /// An answer begins, perhaps one that was cut off and is given again.
    pub(super) fn begin(&mut self) {
        *self = Words::default();
    }

    /// A part of the answer begins.
    pub(super) fn open(&mut self, opened: &BlockStart) {
        if self.next == Next::On {
            self.next = Next::Paragraph;
        }
        self.block = match opened {
            BlockStart::Text {} => Block::Text,
            // A call to the docket is no message of the turn.
            BlockStart::ToolUse { name } if mcp::is_ours(name) && mcp::pleads(name) => Block::Silent,
            BlockStart::ToolUse { name } if name == TYPED_OUTPUT || mcp::is_ours(name) => {
                // A summons by our tool has no message: the words around it are its message.
                if !mcp::speaks_beside(name) {
                    self.next = Next::Anew;
                }
                Block::Typed(Fields::new(TOLD))
            }
            BlockStart::ToolUse { .. } | BlockStart::Other => Block::Silent,
        };
    }

    /// The part is complete.
    pub(super) fn close(&mut self) {
        self.block = Block::Silent;
    }

    /// A piece of the part.
    pub(super) fn hear(&mut self, delta: Delta) -> Vec<DriverAction> {
        let piece = match (&mut self.block, delta) {
            (Block::Text, Delta::TextDelta { text }) => text,
            (Block::Typed(fields), Delta::InputJsonDelta { partial_json }) => fields.hear(&partial_json),
            (
                Block::Silent | Block::Text | Block::Typed(_),
                Delta::TextDelta { .. } | Delta::InputJsonDelta { .. } | Delta::Other,
            ) => return Vec::new(),
        };
        if piece.is_empty() {
            return Vec::new();
        }
        match std::mem::replace(&mut self.next, Next::On) {
            Next::Anew => vec![DriverAction::Live(Live::Clear), DriverAction::Live(Live::Text(piece))],
            Next::Paragraph => vec![DriverAction::Live(Live::Text(format!("\n\n{piece}")))],
            Next::On => vec![DriverAction::Live(Live::Text(piece))],
        }
    }
}
