//! Failures on purpose, as an actor plays them. Each is recorded before it happens, so that a process that resumes the
//! turn goes on behind it.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::json;

use super::ActorError;
use super::conversation::Rest;
use super::stage::{Cue, Stage, improvised};
use crate::limits::HANG_TIME_MAX;
use crate::rehearsal::script::Mishap;
use crate::rehearsal::wire::{Failed, Report};

impl<W: Write> Stage<'_, W> {
    pub(super) fn strike(&mut self, mishap: &Mishap) -> Result<Cue, ActorError> {
        match mishap {
            Mishap::Fail { kind, why, after_ms, cost_microusd } => {
                let until_ms = after_ms.map(|after_ms| host::now_ms().saturating_add(after_ms));
                let failed = Failed { kind: *kind, why: why.clone(), until_ms };
                let rest = Rest {
                    interrupted: false,
                    scripted: false,
                    failed: Some(failed),
                    back: false,
                    output: None,
                    cost_microusd: *cost_microusd,
                    spent: None,
                };
                Ok(Cue::Rest(Box::new(rest)))
            }
            Mishap::Hang => Ok(hang()),
            Mishap::Die(status) => std::process::exit(i32::from(*status)),
            Mishap::Flood(lines) => self.flood(*lines),
            Mishap::AwaitsHuman(waiting) => {
                self.report(&Report::AwaitsHuman { waiting: *waiting })?;
                Ok(Cue::Play)
            }
            Mishap::Malformed => {
                let output = json!({ "message": "This is not in the form that was agreed." });
                Ok(Cue::Rest(Box::new(improvised(output))))
            }
            Mishap::Twice => {
                self.is_told_twice = true;
                Ok(Cue::Play)
            }
            Mishap::Stir => {
                self.report(&Report::Stirred)?;
                Ok(Cue::Play)
            }
        }
    }

    /// Tools that begin and end at once, many of them.
    fn flood(&mut self, lines: u32) -> Result<Cue, ActorError> {
        let mut breath = Vec::new();
        for line in 0..lines {
            let report = if line.is_multiple_of(2) {
                Report::ToolStarted { name: "Flood".to_owned(), detail: (line / 2 + 1).to_string() }
            } else {
                Report::ToolEnded { ok: true }
            };
            serde_json::to_writer(&mut breath, &report).map_err(|error| ActorError::Unheard(error.into()))?;
            breath.push(b'\n');
        }
        self.say(&breath)?;
        Ok(Cue::Play)
    }
}

/// Neither reads nor writes, not even when its input is closed. Only a signal ends it, or a very long time, so that a
/// forgotten process does not stay for ever.
fn hang() -> Cue {
    let end = Instant::now() + HANG_TIME_MAX;
    while Instant::now() < end {
        std::thread::sleep(Duration::from_secs(1));
    }
    Cue::Leave
}
