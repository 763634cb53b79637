//! What a human says or does to a mission. Words may come at any time: none is lost, and none begins a second turn on a
//! session that has one in flight.

use std::sync::Arc;

use crate::actor::Actor;
use crate::charter::Way;
use crate::effect::{Effect, Leave, MissionEffect, SessionCommand, WorkspaceEffect};
use crate::event::{HumanAction, HumanEvent};
use crate::fact::{Fact, MissionFact, SessionFact, TalkFact, TurnFact, WorkFact};
use crate::id::{MessageId, Timestamp, roman};
use crate::limits;
use crate::session::{QueuedMessage, Section};
use crate::talk::{Listener, Message, MessageKind, Speaker};

use super::StepBuilder;
use super::permission::PermissionAnswer;

impl StepBuilder {
    pub(crate) fn hear(&mut self, event: HumanEvent) {
        let HumanEvent { inbox_id, actor, written, action } = event;
        if self.state.received.contains(&inbox_id) {
            self.effect(Effect::Mission(MissionEffect::RemoveFromInbox { inbox_id: inbox_id.clone() }));
            return self.note(format!("message {inbox_id} was received before"));
        }
        if self.state.charter.is_none() || self.state.ended.is_some() {
            // The message stays in the inbox, so that its sender can see that it was not heard.
            return self.note(format!("no mission is running; message {inbox_id} by {actor}: {action:?}"));
        }
        self.effect(Effect::Mission(MissionEffect::RemoveFromInbox { inbox_id: inbox_id.clone() }));
        self.fact(Fact::Talk(TalkFact::Received { inbox_id }));
        match action {
            HumanAction::Say(text) => self.say_to_arbiter(actor, &text, written),
            HumanAction::SayToOrchestrator(text) => self.say_to_worker(actor, &text, written),
            HumanAction::Pause => {
                if self.state.paused {
                    return self.remark("The mission is paused already.");
                }
                self.mission(MissionFact::Paused { by: actor });
            }
            HumanAction::Resume => {
                let waiting = self.state.live_sessions().any(|session| session.health.wait.is_some());
                if !self.state.paused && !waiting {
                    return self.remark("The mission is not paused.");
                }
                if self.state.paused {
                    self.mission(MissionFact::Resumed { by: actor });
                    self.resume_conducted();
                }
                self.retry_waiting();
            }
            HumanAction::Interrupt => self.interrupt(actor),
            HumanAction::Release => self.release_by_human(),
            HumanAction::Cancel => self.cancel(actor),
            HumanAction::Force(agent) => self.force_agent(actor, &agent),
            HumanAction::Skip => self.skip_step(actor),
            HumanAction::Retry => self.retry_run(actor),
            HumanAction::Answer { permission, digest, allowed, scope, why } => {
                self.answer(actor, permission, &PermissionAnswer { digest, allowed, scope, why });
            }
        }
    }

    pub(crate) fn say_to_arbiter(&mut self, actor: Actor, text: &str, written: Timestamp) {
        // Words written before the question was asked do not answer it.
        let asked = self.state.alignment_asked().filter(|asked| asked.at <= written);
        let consents = asked.filter(|asked| is_yes_to(asked, text)).map(|asked| asked.id);
        self.say_consenting(actor, text, consents);
    }

    /// Words to the Arbiter; they are the yes to a question if one is named.
    pub(crate) fn say_consenting(&mut self, actor: Actor, text: &str, consents: Option<MessageId>) {
        let from = Speaker::Human(actor.clone());
        let message = self.say(from, Listener::Arbiter, MessageKind::Plain, text);
        if consents.is_some() {
            self.mission(MissionFact::Consented { by: actor, question: consents });
        }
        if self.state.way() == Way::Conductor {
            return self.conducted_words(message);
        }
        self.post_to_arbiter(QueuedMessage::Words(message));
    }

    fn say_to_worker(&mut self, actor: Actor, text: &str, written: Timestamp) {
        if self.state.way() == Way::Conductor {
            return self.say_to_arbiter(actor, text, written);
        }
        let Some(worker) = self.state.worker().cloned() else {
            self.remark("No Orchestrator is active; the Arbiter hears it instead.");
            return self.say_to_arbiter(actor, text, written);
        };
        let (session, number) = (worker.profile.session, worker.profile.number);
        let from = Speaker::Human(actor);
        let message = self.say(from, Listener::Orchestrator(number), MessageKind::Plain, text);
        // The Arbiter learns of it with the work log.
        let heard = format!("(the human said to me directly: {text})");
        self.session(session, SessionFact::Work(WorkFact::Logged { text: Arc::from(heard), quiet: false }));
        self.post(session, QueuedMessage::Words(message));
        self.offer_interrupt(&worker);
    }

    fn interrupt(&mut self, actor: Actor) {
        let busy = |session: &&crate::session::Session| session.turns.current.is_some();
        let worker = self.state.worker().or(self.state.active_agent()).filter(busy);
        let running = worker.or(self.state.arbiter().filter(busy)).cloned();
        let Some((session, turn)) = running.and_then(|s| s.turns.current.clone().map(|turn| (s, turn)))
        else {
            return self.remark("Nothing is running.");
        };
        if session.health.wait.is_some() {
            return self.remark(&format!(
                "Nothing is running: {} waits for its next try.",
                session.profile.speaker()
            ));
        }
        if turn.interrupted_by.is_some() {
            return self.remark("The running turn is being interrupted already.");
        }
        self.session(session.profile.session, SessionFact::Turn(TurnFact::Interrupting { by: actor }));
        self.effect(Effect::Session(session.address(), SessionCommand::Interrupt { turn: turn.id }));
    }

    fn release_by_human(&mut self) {
        let number = self.state.worker().map(|worker| worker.profile.number);
        if !self.release_worker() {
            return self.remark("No Orchestrator is active.");
        }
        let text = format!(
            "The human released Orchestrator {}. No Orchestrator is active now.",
            roman(number.unwrap_or(0))
        );
        self.say(Speaker::House, Listener::Nobody, MessageKind::Notice, &text);
        let section = Section::HumanInterjection;
        let number = number.unwrap_or(0);
        self.post_to_arbiter(QueuedMessage::Report { section, number, text: Arc::from(text) });
    }

    fn cancel(&mut self, actor: Actor) {
        if let Some(gate) = self.state.gate.as_ref().map(|gate| gate.id) {
            self.effect(Effect::Workspace(WorkspaceEffect::Abandon { gate }));
        }
        self.drop_call();
        self.mission(MissionFact::Cancelled { by: actor });
        self.end_all();
        self.effect(Effect::Workspace(WorkspaceEffect::FetchBack));
        self.effect(Effect::Mission(MissionEffect::Leave(Leave::Cancelled)));
    }

    pub(crate) fn end_all(&mut self) {
        let addresses: Vec<_> = self.state.live_sessions().map(|s| s.address()).collect();
        for address in addresses {
            self.effect(Effect::Session(address, SessionCommand::End));
        }
    }

    /// Shows the human a notice of the program; no answer is expected.
    pub(crate) fn remark(&mut self, text: &str) {
        self.say(Speaker::House, Listener::Nobody, MessageKind::Notice, text);
    }

    /// The same for what every session might say: it is told once in a mission.
    pub(crate) fn remark_once(&mut self, text: &str) {
        let text = limits::cut(text, limits::REMARK_CHARS_MAX);
        if self.state.talk.iter().any(|said| said.from == Speaker::House && *said.text == *text) {
            return self.note(format!("told before: {text}"));
        }
        self.remark(&text);
    }

    pub(crate) fn worker_interrupted(&mut self, id: crate::id::SessionId) {
        let Some(worker) = self.state.sessions.get(&id).cloned() else { return };
        let number = worker.profile.number;
        self.remark(&format!("Orchestrator {} was interrupted.", roman(number)));
        if worker.is_called() || !worker.turns.steered.is_empty() {
            // What waited for it is what the human interrupted it for.
            return;
        }
        self.session(id, SessionFact::Work(WorkFact::AwaitsReply));
        let text = "The human interrupted its running turn. It rests and waits for your word.";
        let section = Section::HumanInterjection;
        self.post_to_arbiter(QueuedMessage::Report { section, number, text: Arc::from(text) });
    }

    pub(crate) fn manager_interrupted(&mut self, id: crate::id::SessionId) {
        let waiting = self.state.sessions.get(&id).is_some_and(|session| session.is_called());
        // At a limit it has no turn to wait for.
        if waiting || self.state.closing.is_some() {
            return self.remark("The Arbiter was interrupted.");
        }
        let text = "The Arbiter was interrupted. It waits for your word.";
        self.ask_human(Speaker::House, MessageKind::Plain, text);
    }
}

/// A yes, and below it nothing but answers to what was asked with it.
fn is_yes_to(asked: &Message, text: &str) -> bool {
    let mut lines = text.trim().lines();
    let is_answer = |line: &str| {
        let title =
            |decision: &crate::talk::DecisionAsked| line.starts_with(&format!("{}: ", decision.title.trim()));
        asked.decisions.iter().any(title)
    };
    lines.next().is_some_and(is_plain_yes) && lines.all(is_answer)
}

/// A yes and nothing else. "Yes, but ..." is a conversation, and "ok?" is a question.
fn is_plain_yes(text: &str) -> bool {
    const WAYS: [&str; 12] = [
        "yes",
        "y",
        "yes please",
        "aye",
        "ok",
        "okay",
        "go ahead",
        "proceed",
        "begin",
        "so be it",
        "approved",
        "agreed",
    ];
    let said = text.trim().trim_end_matches(['.', '!']).to_lowercase();
    WAYS.contains(&said.as_str())
}
