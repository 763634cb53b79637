//! Facts of a conducted mission as one line.

use std::fmt;

use super::fact::ConductorFact;
use super::plan::{StepStatus, shown};
use super::state::RunKind;
use crate::show::line;

impl fmt::Display for ConductorFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConductorFact::Agents(agents) => {
                let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_ref()).collect();
                write!(f, "Agents {}", names.join(", "))
            }
            ConductorFact::Notes(notes) => write!(f, "Notes {}", notes.len()),
            ConductorFact::Selecting => f.write_str("Selecting"),
            ConductorFact::ModelAsked(asking) => {
                write!(f, "Asked d{} {:?} attempt {}", asking.number, asking.call, asking.attempt)
            }
            ConductorFact::ReplyMisread(reply) => {
                let faults: Vec<&str> = reply.faults.iter().map(AsRef::as_ref).collect();
                write!(f, "Misread {}: {}", line(&reply.raw), line(&faults.join("; ")))
            }
            ConductorFact::Unavailable { why, .. } => write!(f, "Unavailable {}", line(why)),
            ConductorFact::Spent { tokens, .. } => write!(f, "Spent {tokens}"),
            ConductorFact::Decided(record) => {
                write!(f, "Decided d{} {}", record.number, record.decision.kind())?;
                if let super::NextMove::SelectMode { mode, .. } = &record.decision {
                    write!(f, " {mode}")?;
                }
                write!(f, " by {}: {}", record.source, line(record.decision.words()))
            }
            ConductorFact::Guided(text) => write!(f, "Guided {}", line(text)),
            ConductorFact::RunPrepared(run) => {
                let kind = match run.kind {
                    RunKind::Work => "",
                    RunKind::Keep => " to keep notes",
                    RunKind::Verify => " to verify",
                };
                write!(f, "Prepared r{} {}{kind}", run.number, run.agent)?;
                if run.kind == RunKind::Work {
                    write!(f, " iteration {}", run.iteration)?;
                }
                match run.step {
                    Some(step) => write!(f, " step {}{}", shown(step), if run.mends { " mends" } else { "" }),
                    None => Ok(()),
                }
            }
            ConductorFact::RunBegan { session, .. } => write!(f, "Began {session}"),
            ConductorFact::RunEnding(ending) => {
                write!(f, "Ending {:?}: {}", ending.status, line(&ending.summary))
            }
            ConductorFact::RunEnded { execution: Some(execution), objection, .. } => {
                write!(f, "Ended #{} {} {:?}", execution.seq, execution.agent, execution.status)?;
                if let Some(verdict) = &execution.verdict {
                    write!(f, " {verdict}")?;
                }
                if objection.is_some() {
                    f.write_str(" objects")?;
                }
                write!(f, ": {}", line(&execution.output.summary))
            }
            ConductorFact::RunEnded { execution: None, .. } => f.write_str("Ended"),
            ConductorFact::Planned(plan) => write!(f, "Planned v{} {} steps", plan.version, plan.steps.len()),
            ConductorFact::Step { index, status, words, .. } => {
                let status = match status {
                    StepStatus::Pending => "pending",
                    StepStatus::InProgress => "in progress",
                    StepStatus::Complete => "complete",
                    StepStatus::Failed => "failed",
                    StepStatus::Skipped => "skipped",
                };
                write!(f, "Step {} {status}", shown(*index))?;
                match words {
                    Some(words) => write!(f, ": {}", line(words)),
                    None => Ok(()),
                }
            }
            ConductorFact::AskedHuman { message } => write!(f, "AskedHuman {message}"),
            ConductorFact::AnswerUsed { message } => write!(f, "Heard {message}"),
            ConductorFact::Claimed { summary } => write!(f, "Claimed {}", line(summary)),
            ConductorFact::TurnedBack { why } => write!(f, "TurnedBack {}", line(why)),
            ConductorFact::Verified { commit: Some(commit) } => write!(f, "Verified {commit}"),
            ConductorFact::Verified { commit: None } => f.write_str("Verified nothing"),
            ConductorFact::Remembered(note) => write!(f, "Remembered {}", line(&note.title)),
            ConductorFact::Steered { by, what } => write!(f, "Steered by {by}: {}", line(what)),
            ConductorFact::Rerouted { provider } => write!(f, "Rerouted to {provider}"),
        }
    }
}
