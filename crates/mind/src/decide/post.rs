//! Delivery of queued messages: they become a session's next prompt when it rests, one turn in flight at a time.
//! Messages to a busy worker are steered into its turn where the provider can.

use std::sync::Arc;

use crate::charter::Capabilities;
use crate::effect::{Effect, SessionCommand};
use crate::envelope::{self, Composed};
use crate::fact::{SessionFact, TurnFact};
use crate::id::{SessionId, TurnId, roman};
use crate::session::{Interjection, Role, Session};

use super::StepBuilder;

impl StepBuilder {
    /// After every event: each session that can take its queued messages gets them.
    pub(crate) fn post_round(&mut self) {
        let over = self.state.ended.is_some() || self.state.halted.is_some() || self.state.closing.is_some();
        if self.state.paused || over {
            return;
        }
        let ids: Vec<SessionId> = self.state.live_sessions().map(|s| s.profile.session).collect();
        for id in ids {
            let Some(session) = self.state.sessions.get(&id).cloned() else { continue };
            if session.turns.current.is_none() {
                self.begin_turn(&session);
            }
            // A text that was steered before may be the turn that begins; then the rest is folded into it.
            let Some(session) = self.state.sessions.get(&id).cloned() else { continue };
            let runs = session.turns.current.is_some() && session.health.wait.is_none();
            if runs && session.profile.role != Role::Arbiter && self.steers(&session) {
                self.steer(&session);
            }
        }
    }

    fn begin_turn(&mut self, session: &Session) {
        let id = session.profile.session;
        if let Some(steer) = session.turns.steered.front() {
            // It was given to the session already; the same number makes the second time harmless.
            let steer = steer.clone();
            self.session(id, SessionFact::Turn(TurnFact::InterjectionBecameTurn { turn: steer.id }));
            return self.deliver(session, steer.id, steer.text);
        }
        if session.is_called() && self.stands_still() {
            return;
        }
        if self.ask_for_testament(session) || !session.is_called() {
            return;
        }
        self.prompt_now(id);
    }

    /// Gives a session that rests what waits for it, as its next prompt.
    pub(crate) fn prompt_now(&mut self, id: SessionId) {
        self.ask_with_next_prompt(id);
        let Some(session) = self.state.sessions.get(&id).cloned() else { return };
        let session = &session;
        let Composed { text, mail, words } = envelope::compose(&self.state, session);
        let log_of = match session.profile.role {
            Role::Arbiter => self.state.logs().map(|worker| worker.profile.session).collect(),
            Role::Orchestrator | Role::Verifier | Role::Agent => Vec::new(),
        };
        let turn = self.next_turn();
        self.session(
            id,
            SessionFact::Turn(TurnFact::Prompted { turn, text: text.clone(), mail, words, log_of }),
        );
        self.deliver(session, turn, text);
    }

    fn deliver(&mut self, session: &Session, turn: TurnId, text: Arc<str>) {
        let key = self.state.turn_key(turn);
        self.effect(Effect::Session(
            session.address(),
            SessionCommand::Deliver { turn, key, text, again: None },
        ));
    }

    /// Folds what waits into the running turn: the Arbiter's relay and the human's own words.
    fn steer(&mut self, session: &Session) {
        let interrupting = session.turns.current.as_ref().is_some_and(|turn| turn.interrupted_by.is_some());
        if !session.is_called() || interrupting {
            return;
        }
        let id = session.profile.session;
        let turn = self.next_turn();
        let Composed { text, mail, words } = envelope::compose(&self.state, session);
        self.session(
            id,
            SessionFact::Turn(TurnFact::Interjected(Interjection {
                id: turn,
                text: text.clone(),
                words,
                mail,
            })),
        );
        let key = self.state.turn_key(turn);
        self.effect(Effect::Session(session.address(), SessionCommand::Steer { turn, key, text }));
    }

    pub(crate) fn steers(&self, session: &Session) -> bool {
        self.can(session).is_some_and(|can| can.steers)
    }

    /// Whether a session's turns end in a typed output.
    pub(crate) fn is_typed(&self, id: SessionId) -> bool {
        self.state.sessions.get(&id).and_then(|session| self.can(session)).is_none_or(|can| can.typed)
    }

    fn can(&self, session: &Session) -> Option<Capabilities> {
        let charter = self.state.charter.as_ref()?;
        charter.providers.get(&session.profile.provider).copied()
    }

    /// Says so when words must wait for a busy session that cannot be steered.
    pub(crate) fn offer_interrupt(&mut self, worker: &Session) {
        if worker.turns.current.is_some() && !self.steers(worker) {
            self.remark(&format!(
                "Orchestrator {} is at work and takes no messages in mid-turn: this one waits for its next rest. \
                 Interrupt it to have it heard now.",
                roman(worker.profile.number)
            ));
        }
    }
}
