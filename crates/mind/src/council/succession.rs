//! Full contexts: a worker that runs over, the handoff at a clean boundary, the Arbiter's own successor. No session
//! compacts its context; it hands over to a fresh one.

use std::sync::Arc;

use super::agent_limits::AT_AGENT_LIMIT;
use crate::actor::Actor;
use crate::charter::WarningPolicy;
use crate::effect::{Effect, SessionCommand};
use crate::fact::{ContextFact, LifeFact, SessionFact, TurnFact, WorkFact};
use crate::id::{SessionId, roman};
use crate::limits;
use crate::prompt;
use crate::session::{QueuedMessage, Role, Section, Session};
use crate::talk::{Listener, MessageKind, Speaker};

use crate::decide::StepBuilder;

/// Who interrupts a worker whose context runs over.
pub(crate) const OVERFLOW: &str = "overflow";

impl StepBuilder {
    /// A session that works and passes the mark is interrupted and asked for its handoff, or its report, at once. The turn
    /// that it was asked in is its last chance to say it, and runs on.
    pub(crate) fn watch_overflow(&mut self, session: &Session, percent: u64) {
        let context = &session.context;
        if percent < limits::OVERFLOW_PERCENT || (context.overflowed && context.handoff_asked) {
            return;
        }
        let id = session.profile.session;
        if !context.overflowed {
            self.session(id, SessionFact::Context(ContextFact::Overflowed));
        }
        // At a limit its turn is stopped already, or is the handoff.
        if self.state.closing.is_some() {
            return;
        }
        let Some(turn) = session.turns.current.as_ref().filter(|turn| turn.interrupted_by.is_none()) else {
            return;
        };
        self.session(
            id,
            SessionFact::Turn(TurnFact::Interrupting { by: Actor::Policy(Arc::from(OVERFLOW)) }),
        );
        self.effect(Effect::Session(session.address(), SessionCommand::Interrupt { turn: turn.id }));
    }

    /// Asks a worker that rests for its handoff instead of letting it go on. Says whether it did.
    pub(crate) fn ask_for_handoff(&mut self, id: SessionId) -> bool {
        let Some(charter) = self.charter() else { return false };
        let Some(session) = self.state.sessions.get(&id).cloned() else { return false };
        let percent = session.known_percent().unwrap_or(0);
        let clean = session.work.tree.as_ref().is_none_or(|tree| !tree.dirty);
        let full =
            percent >= u64::from(charter.warnings.first) || session.forecast().is_some_and(|turns| turns < 2);
        let boundary = charter.warnings.policy == WarningPolicy::Silent && clean && full;
        if session.context.handoff_asked || !(session.context.overflowed || boundary) {
            return false;
        }
        self.session(id, SessionFact::Context(ContextFact::HandoffAsked));
        let text = match session.context.overflowed {
            true => self.handoff_now(&session),
            false => {
                let (setting, percent) = (self.setting(session.profile.number), percent.to_string());
                prompt::render_with(&charter, "handoff-please.md", &setting, &[("percent", &percent)])
            }
        };
        self.post(id, QueuedMessage::Notice(text));
        true
    }

    /// Nothing is said to a session whose context ran over without the request for its handoff, or its report: however its
    /// turn ended, the next one has hardly room for more.
    pub(crate) fn ask_with_next_prompt(&mut self, id: SessionId) {
        let session = self.state.sessions.get(&id).filter(|session| session.context.overflowed).cloned();
        let Some(session) = session.filter(|_| self.state.closing.is_none()) else { return };
        let request = self.handoff_now(&session);
        let is_asked = session.turns.mail.iter().any(|mail| *mail == QueuedMessage::Notice(request.clone()));
        if is_asked {
            return;
        }
        if !session.context.handoff_asked {
            self.session(id, SessionFact::Context(ContextFact::HandoffAsked));
        }
        self.post(id, QueuedMessage::Aside(request));
    }

    /// The words that ask a session without room for what it has.
    pub(crate) fn handoff_now(&self, session: &Session) -> Arc<str> {
        let Some(charter) = self.charter() else { return Arc::from("") };
        let file = match session.profile.role {
            Role::Agent => "agent-conclude.md",
            Role::Arbiter | Role::Orchestrator | Role::Verifier => "handoff-now.md",
        };
        let percent = session.known_percent().unwrap_or(limits::OVERFLOW_PERCENT).to_string();
        let setting = self.setting(session.profile.number);
        prompt::render_with(&charter, file, &setting, &[("percent", &percent)])
    }

    /// The Arbiter's context fills too: at its next rest it is asked for its testament, before anything else.
    pub(crate) fn ask_for_testament(&mut self, session: &Session) -> bool {
        let Some(charter) = self.charter() else { return false };
        let percent = session.known_percent().unwrap_or(0);
        let due = session.profile.role == Role::Arbiter && percent >= u64::from(charter.warnings.first);
        if !due || session.context.testament_asked {
            return false;
        }
        let id = session.profile.session;
        self.session(id, SessionFact::Context(ContextFact::TestamentAsked));
        let text = prompt::render_with(
            &charter,
            "testament.md",
            &self.setting(0),
            &[("percent", &percent.to_string())],
        );
        let turn = self.next_turn();
        let (words, log_of) = (Arc::from([]), Vec::new());
        self.session(
            id,
            SessionFact::Turn(TurnFact::Prompted { turn, text: text.clone(), mail: 0, words, log_of }),
        );
        let key = self.state.turn_key(turn);
        self.effect(Effect::Session(
            session.address(),
            SessionCommand::Deliver { turn, key, text, again: None },
        ));
        true
    }

    /// A fresh Arbiter session takes over in the middle of the mission. The human sees one line.
    pub(crate) fn succeed(&mut self, session: &Session, testament: Option<&str>) {
        let Some(charter) = self.charter() else { return };
        let old = self.state.sessions.get(&session.profile.session).cloned();
        let Some(old) = old else { return };
        let address = old.address();
        self.session(address.session, SessionFact::Life(LifeFact::Released));
        self.effect(Effect::Session(address, SessionCommand::End));
        let line = match testament {
            Some(_) => {
                "The Arbiter's context was full: a fresh Arbiter session takes over. The mission goes on."
            }
            None => "The Arbiter's session was lost: a fresh one takes over. The mission goes on.",
        };
        self.say(Speaker::House, Listener::Nobody, MessageKind::Notice, line);
        let heir = self.begin_session(Role::Arbiter, 0, charter.seats.arbiter.clone());
        let testament = testament.unwrap_or("(it was lost before it could leave one)");
        let testament = limits::cut(testament, limits::TESTAMENT_CHARS_MAX);
        let record = self.record();
        let extra = [("testament", testament.as_str()), ("record", record.as_str())];
        let brief = prompt::render_with(&charter, "inheritance.md", &self.setting(0), &extra);
        self.post(heir, QueuedMessage::Notice(brief));
        // Whatever the old one was told and did not answer, and whatever waited for it.
        if let Some(turn) = old.turns.current.as_ref().filter(|_| !old.leaves_testament()) {
            self.post(heir, QueuedMessage::Again { text: turn.text.clone(), words: turn.words.clone() });
        }
        for mail in &old.turns.mail {
            self.post(heir, mail.clone());
        }
    }

    /// What the journal knows, for the fresh Arbiter session, which remembers nothing.
    fn record(&self) -> String {
        let state = &self.state;
        let mut lines = Vec::new();
        let yes = state.consent.as_ref().map_or("no one yet".to_owned(), ToString::to_string);
        lines.push(format!("- The yes before the first summon was given by: {yes}"));
        for session in state.sessions.values().filter(|session| session.is_worker()) {
            let now = match session.turns.current {
                _ if !session.live => "released",
                _ if session.work.awaits_reply => "active, waits for your reply",
                Some(_) if session.health.wait.is_some() => "active, parked until its provider answers again",
                Some(_) => "active, at work",
                None if session.waits_for_petition.is_some() => "active, waits for the human's answers",
                None => "active, at rest",
            };
            lines.push(format!(
                "- Orchestrator {} ({:?}): {now}",
                roman(session.profile.number),
                session.profile.role
            ));
        }
        let handoffs = state.talk.iter().filter(|message| {
            matches!(message.from, Speaker::Orchestrator(_)) && message.to == Listener::Arbiter
        });
        let handoffs: Vec<String> = handoffs
            .rev()
            .take(limits::RECORD_REPORTS_MAX)
            .map(|message| format!("- {} said: {}", message.from, limits::cut(&message.text, 600)))
            .collect();
        lines.extend(handoffs.into_iter().rev());
        for receipt in state.receipts.iter().rev().take(limits::RECORD_REPORTS_MAX) {
            lines.push(format!(
                "- Receipt: `{}` {} on {}",
                receipt.argv.join(" "),
                receipt.status,
                receipt.commit
            ));
        }
        if let Some(question) = state.question.and_then(|question| state.message(question)) {
            lines.push(format!("- The human has not answered yet: {}", limits::cut(&question.text, 600)));
        }
        lines.push(format!("- The task list:\n{}", self.setting(0).tasks));
        lines.join("\n")
    }

    /// What the end of an interrupted turn means depends on who wanted it.
    pub(crate) fn worker_stopped(&mut self, id: SessionId, by: Option<Actor>) {
        let Some(worker) = self.state.sessions.get(&id).cloned() else { return };
        if by == Some(Actor::Policy(Arc::from(OVERFLOW))) && self.ask_for_handoff(id) {
            return;
        }
        if by == Some(Actor::Policy(Arc::from(crate::decide::AT_LIMIT))) {
            return self.worker_stopped_at_limit(id);
        }
        if by == Some(Actor::Policy(Arc::from(AT_AGENT_LIMIT))) {
            return self.worker_stopped_at_agent_limit(&worker);
        }
        if by == Some(Actor::Policy(Arc::from(crate::decide::WATCHDOG))) {
            self.remark(&format!(
                "{} was silent for too long and was interrupted.",
                worker.profile.speaker()
            ));
            self.session(id, SessionFact::Work(WorkFact::AwaitsReply));
            let text = "It was silent for too long and was interrupted. It rests and waits for your word.";
            let (section, number) = (Section::Silence, worker.profile.number);
            return self.post_to_arbiter(QueuedMessage::Report { section, number, text: Arc::from(text) });
        }
        self.worker_interrupted(id);
    }
}
