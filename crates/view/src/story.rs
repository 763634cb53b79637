//! What happened, in the order a person reads it: messages, questions, remarks, and tools as one piece for as
//! many as came in a row. Each piece knows the fact it comes from, so any past is a beginning of the same story.

use std::sync::Arc;

use mind::fact::{PermissionFact, SessionFact, TalkFact, ToolFact};
use mind::policy::PermissionRequest;
use mind::session::PendingPermission;
use mind::talk::Speaker;
use mind::{Entry, Fact, MessageId, PermissionId, SessionId, State};

use crate::remark::{Remark, RemarkKind};
use crate::told::{self, FactView};

/// What happened so far.
#[derive(Debug, Clone, Default)]
pub struct Story {
    items: Vec<Item>,
}

/// One piece of the story.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The fact it comes from; for tools, the first.
    pub seq: u64,
    pub piece: Piece,
}

/// What a piece of the story is.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// A message: its words and how far they have come are in the state.
    Message(MessageId),
    /// A tool waits for a permission.
    Permission { id: PermissionId, by: Speaker, request: Arc<PermissionRequest> },
    /// What else is to be known.
    Remarks(Vec<Remark>),
    /// Tools that ran one after another, of one session.
    Tools {
        session: SessionId,
        /// Each with the fact it comes from.
        calls: Vec<ToolRun>,
    },
}

/// A tool that ran.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolRun {
    /// The fact it comes from.
    pub seq: u64,
    pub name: Arc<str>,
    /// What it worked on.
    pub detail: Arc<str>,
}

impl Story {
    /// Adds what the fact of number `seq` tells, if it tells anything.
    pub fn tell(&mut self, seq: u64, entry: &Entry, before: &State, state: &State) {
        let piece = match &entry.fact {
            Fact::Talk(TalkFact::Said { message, .. }) => Piece::Message(*message),
            Fact::Session(session, SessionFact::Tool(ToolFact::Started { name, detail, .. })) => {
                return self.call(*session, ToolRun { seq, name: name.clone(), detail: detail.clone() });
            }
            Fact::Session(id, SessionFact::Permission(PermissionFact::Asked { permission, request, .. })) => {
                let Some(session) = state.sessions.get(id) else { return };
                Piece::Permission { id: *permission, by: session.profile.speaker(), request: request.clone() }
            }
            // A person who comes back finds the permission where they read.
            Fact::Session(id, SessionFact::Permission(PermissionFact::AskedAgain { permission, .. })) => {
                let session = state.sessions.get(id);
                let found = session
                    .and_then(|session| session.permissions.iter().find(|found| found.id == *permission));
                let (Some(session), Some(PendingPermission { request, answer: None, .. })) = (session, found)
                else {
                    return;
                };
                Piece::Permission { id: *permission, by: session.profile.speaker(), request: request.clone() }
            }
            // Each use of a lasting permission is seen, though it is work.
            Fact::Session(_, SessionFact::Permission(PermissionFact::Covered { .. })) => {
                Piece::Remarks(remarks(told::tell(entry, before, state)))
            }
            Fact::Mission(_)
            | Fact::Talk(_)
            | Fact::Session(..)
            | Fact::Gate(..)
            | Fact::Docket(..)
            | Fact::Conductor(_) => {
                // Work has its own place on the screen, and how far words came stands beside them.
                let mut remarks = remarks(told::tell(entry, before, state));
                remarks.retain(|remark| remark.kind != RemarkKind::Work);
                if remarks.is_empty() {
                    return;
                }
                Piece::Remarks(remarks)
            }
        };
        self.items.push(Item { seq, piece });
    }

    fn call(&mut self, of: SessionId, call: ToolRun) {
        if let Some(Item { piece: Piece::Tools { session, calls }, .. }) = self.items.last_mut()
            && *session == of
        {
            calls.push(call);
            return;
        }
        let seq = call.seq;
        self.items.push(Item { seq, piece: Piece::Tools { session: of, calls: vec![call] } });
    }

    /// What had happened after `head` facts.
    pub fn until(&self, head: u64) -> &[Item] {
        &self.items[..self.items.partition_point(|item| item.seq <= head)]
    }
}

fn remarks(told: Vec<FactView>) -> Vec<Remark> {
    let remark = |told| match told {
        FactView::Remark(remark) => Some(remark),
        FactView::Message(_) | FactView::Permission(_) => None,
    };
    told.into_iter().filter_map(remark).collect()
}
