//! An actor's calls to the docket: it calls a tool, and waits for the answer of Arbiter.

use std::io::Write;

use mind::petition::tools::{AWAIT, PUSH};
use serde_json::{Value, json};

use super::ActorError;
use super::conversation::Deed;
use super::stage::{Cue, Stage};
use crate::limits::WARNING_TIME_MAX;
use crate::rehearsal::wire::Report;

/// The placeholder in a turn's output for the id of the petition that was last pushed.
const PETITION: &str = "{petition}";

impl<W: Write> Stage<'_, W> {
    /// Pushes a petition to the docket, and remembers its id.
    pub(super) fn push(&mut self, turn: u32, petition: &Value, done: usize) -> Result<Cue, ActorError> {
        let mut given = petition.clone();
        if given.get("key").is_none() {
            // A process that resumes the turn pushes nothing twice.
            given["key"] = json!(format!("turn {} step {done}", self.conversation.past.cursor.turn + 1));
        }
        let told = match self.plead(turn, PUSH, given, done)? {
            Ok(told) => told,
            Err(cue) => return Ok(cue),
        };
        if let Some(petition) = told.as_ref().and_then(|told| told["id"].as_str()) {
            self.conversation.note(Deed::Pushed { petition: petition.to_owned() })?;
        }
        self.end_tool(Ok(told.is_some()))
    }

    /// Asks for the answers to that petition.
    pub(super) fn await_answers(&mut self, turn: u32, done: usize) -> Result<Cue, ActorError> {
        let given = json!({"id": self.conversation.past.petition});
        match self.plead(turn, AWAIT, given, done)? {
            Ok(told) => self.end_tool(Ok(told.is_some())),
            Err(cue) => Ok(cue),
        }
    }

    /// Calls a tool of the docket and waits for its answer; none if the docket refused.
    fn plead(
        &mut self,
        turn: u32,
        tool: &str,
        given: Value,
        done: usize,
    ) -> Result<Result<Option<Value>, Cue>, ActorError> {
        self.begin_tool(tool, given["title"].as_str().unwrap_or(""))?;
        let call = format!("{turn}-{done}-{}", std::process::id());
        self.report(&Report::Pleads { call: call.clone(), tool: tool.to_owned(), given })?;
        loop {
            match self.replied.take() {
                Some((answered, told, refused)) if answered == call => {
                    if refused {
                        eprintln!("rehearsal: the docket refused: {told}");
                    }
                    return Ok(Ok((!refused).then_some(told)));
                }
                Some(_) | None => {}
            }
            let cue = self.listen(turn, WARNING_TIME_MAX)?;
            if cue != Cue::Play {
                self.report(&Report::ToolEnded { ok: false })?;
                return Ok(Err(cue));
            }
        }
    }

    /// What a turn says, with the petition's id in place of the placeholder.
    pub(super) fn fill_in(&self, mut says: Value) -> Value {
        let named = says["message"].as_str().filter(|message| message.contains(PETITION));
        if let (Some(message), Some(petition)) = (named, &self.conversation.past.petition) {
            says["message"] = json!(message.replace(PETITION, petition));
        }
        says
    }
}
