//! The end of an Orchestrator's turn: its message goes to the Arbiter, or joins the work log while the Orchestrator is told
//! to continue at once.

use std::sync::Arc;

use serde_json::Value;

use crate::actor::Actor;
use crate::effect::{Effect, WorkspaceEffect};
use crate::fact::{SessionFact, TurnFact, WorkFact};
use crate::id::SessionId;
use crate::limits;
use crate::output::{self, Faults, WorkerMessageKind, WorkerOutput};
use crate::prompt;
use crate::session::{QueuedMessage, Role, Section};
use crate::talk::{Listener, MessageKind, Speaker, Verdict};

use super::manager::plain_text;
use crate::decide::StepBuilder;

impl StepBuilder {
    /// `stopping`: who wanted the turn to stop; it ended by itself just then.
    pub(crate) fn worker_spoke(
        &mut self,
        id: SessionId,
        output: Option<Value>,
        text: &str,
        stopping: Option<Actor>,
    ) {
        let Some(session) = self.state.sessions.get(&id).cloned() else { return };
        self.effect(Effect::Workspace(WorkspaceEffect::FetchBack));
        if output.is_none() && !self.is_typed(id) {
            let text = plain_text(None, text);
            return self.bring_to_arbiter(id, Section::AwaitingInput, &text, MessageKind::Plain);
        }
        let verifier = session.profile.role == Role::Verifier;
        match output::read_worker(output.as_ref(), verifier) {
            Ok(output) => self.report(id, output, stopping),
            Err(faults) => self.worker_malformed(id, faults, output, text),
        }
    }

    fn report(&mut self, id: SessionId, output: WorkerOutput, stopping: Option<Actor>) {
        let Some(session) = self.state.sessions.get(&id).cloned() else { return };
        let WorkerOutput { kind, expects_response, message, verdict, findings, notes } = output;
        self.save_notes(&notes);
        let mut text = message;
        // Only a verifier judges. A fail counts whenever it is said; a pass only when the verifier has looked.
        let looked = matches!(kind, WorkerMessageKind::Progress | WorkerMessageKind::Handoff);
        let verdict = verdict.filter(|verdict| {
            session.profile.role == Role::Verifier && (looked || *verdict == Verdict::Fail)
        });
        text.extend(findings.iter().map(|finding| format!("\n- {finding}")));
        if let Some(verdict) = verdict {
            let commit = session.untouched_commit();
            text = format!("Verdict: {}\n{text}", word(verdict));
            self.session(id, SessionFact::Work(WorkFact::Judged { verdict, findings, commit }));
        }
        let section = match kind {
            WorkerMessageKind::Handoff => Section::Handoff,
            WorkerMessageKind::Introduction | WorkerMessageKind::Question | WorkerMessageKind::Progress => {
                Section::AwaitingInput
            }
        };
        // Without an answer an introduction or a question leads nowhere, and a handoff is for the Arbiter to judge.
        let waits = match kind {
            WorkerMessageKind::Introduction | WorkerMessageKind::Question | WorkerMessageKind::Handoff => {
                true
            }
            // A worker that was asked for its handoff for want of room is not told to continue: that was it.
            WorkerMessageKind::Progress => {
                let has_no_room = session.context.overflowed && session.context.handoff_asked;
                expects_response || verdict.is_some() || has_no_room
            }
        };
        if waits {
            self.bring_to_arbiter(id, section, &text, MessageKind::Plain);
        } else if stopping.is_some() {
            self.log(id, &text);
            self.worker_stopped(id, stopping);
        } else {
            self.log_and_continue(id, &text);
        }
    }

    fn bring_to_arbiter(&mut self, id: SessionId, section: Section, text: &str, kind: MessageKind) {
        let Some(session) = self.state.sessions.get(&id).cloned() else { return };
        let number = session.profile.number;
        self.say(Speaker::Orchestrator(number), Listener::Arbiter, kind, text);
        self.session(id, SessionFact::Work(WorkFact::AwaitsReply));
        self.post_to_arbiter(QueuedMessage::Report { section, number, text: Arc::from(text) });
    }

    fn log_and_continue(&mut self, id: SessionId, text: &str) {
        let Some(charter) = self.charter() else { return };
        let Some(session) = self.state.sessions.get(&id).cloned() else { return };
        let number = session.profile.number;
        self.log(id, text);
        let quiet_turns = self.state.sessions.get(&id).map_or(0, |session| session.work.quiet_turns);
        if quiet_turns >= limits::QUIET_TURNS_MAX {
            let text = format!(
                "It ended {quiet_turns} turns in a row without expecting a reply, and neither the tree nor its task \
                 list changed. It rests now and waits for your word."
            );
            self.session(id, SessionFact::Work(WorkFact::AwaitsReply));
            let section = Section::AwaitingInput;
            return self.post_to_arbiter(QueuedMessage::Report { section, number, text: Arc::from(text) });
        }
        // It rests for what is still open; what was decided meanwhile it has heard.
        let rests = session.waits_for_petition.as_ref().is_some_and(|petition| self.state.is_open(petition));
        if self.ask_for_handoff(id) || rests {
            return;
        }
        if !session.is_called() && session.turns.steered.is_empty() {
            let go_on = prompt::render(&charter, "continue.md", &self.setting(number));
            self.post(id, QueuedMessage::Notice(go_on));
        }
    }

    fn log(&mut self, id: SessionId, text: &str) {
        let Some(session) = self.state.sessions.get(&id).cloned() else { return };
        let from = Speaker::Orchestrator(session.profile.number);
        self.say(from, Listener::Nobody, MessageKind::Plain, text);
        self.session(
            id,
            SessionFact::Work(WorkFact::Logged { text: Arc::from(text), quiet: !session.work.changed }),
        );
    }

    fn worker_malformed(&mut self, id: SessionId, faults: Faults, output: Option<Value>, text: &str) {
        let Some(charter) = self.charter() else { return };
        let Some(session) = self.state.sessions.get(&id).cloned() else { return };
        if session.turns.malformed < limits::MALFORMED_ASKS_MAX {
            let named = faults.join("; ");
            self.session(id, SessionFact::Turn(TurnFact::Malformed { faults }));
            let setting = self.setting(session.profile.number);
            let again = prompt::render_with(&charter, "malformed.md", &setting, &[("faults", &named)]);
            return self.post(id, QueuedMessage::Notice(again));
        }
        let text = plain_text(output.as_ref(), text);
        self.bring_to_arbiter(id, Section::AwaitingInput, &text, MessageKind::Unformed);
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
    }
}
