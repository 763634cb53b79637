//! A step in the making: facts are applied to a copy as they are written, so later rules of the same step see them.

use std::sync::Arc;

use crate::charter::Charter;
use crate::effect::{Effect, MissionEffect};
use crate::fact::{Entry, Fact, GateFact, MissionFact, SessionFact, TalkFact};
use crate::id::{GateId, MessageId, SessionId, Timestamp, TurnId, uuid};
use crate::session::QueuedMessage;
use crate::state::{State, Step};
use crate::talk::{Asks, DecisionAsked, Listener, MessageKind, Speaker};

/// A step in the making.
pub struct StepBuilder {
    /// The state with this step's facts so far.
    pub(crate) state: State,
    now: Timestamp,
    step: Step,
}

impl StepBuilder {
    /// Begins a step.
    pub(crate) fn new(state: &State, now: Timestamp) -> StepBuilder {
        StepBuilder { state: state.clone(), now, step: Step::default() }
    }

    /// Ends the step.
    pub(crate) fn into_step(self) -> Step {
        self.step
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.now
    }

    pub(crate) fn fact(&mut self, fact: Fact) {
        let entry = Entry { at: self.now, fact };
        self.state.apply(&entry);
        self.step.facts.push(entry.fact);
    }

    pub(crate) fn mission(&mut self, fact: MissionFact) {
        self.fact(Fact::Mission(fact));
    }

    pub(crate) fn session(&mut self, id: SessionId, fact: SessionFact) {
        self.fact(Fact::Session(id, fact));
    }

    pub(crate) fn gate(&mut self, id: GateId, fact: GateFact) {
        self.fact(Fact::Gate(id, fact));
    }

    pub(crate) fn effect(&mut self, effect: Effect) {
        self.step.effects.push(effect);
    }

    /// Logs an event that changes nothing.
    pub(crate) fn note(&mut self, text: String) {
        self.effect(Effect::Mission(MissionEffect::Note { text }));
    }

    pub(crate) fn say(&mut self, from: Speaker, to: Listener, kind: MessageKind, text: &str) -> MessageId {
        self.say_asking(from, to, kind, text, None, Vec::new())
    }

    pub(crate) fn say_asking(
        &mut self,
        from: Speaker,
        to: Listener,
        kind: MessageKind,
        text: &str,
        asks: Option<Asks>,
        decisions: Vec<DecisionAsked>,
    ) -> MessageId {
        let message = MessageId(self.state.talk.len() as u32 + 1);
        let text = Arc::from(text);
        self.fact(Fact::Talk(TalkFact::Said { message, from, to, kind, text, asks, decisions }));
        message
    }

    /// Shows a message to the human and waits for an answer.
    pub(crate) fn ask_human(&mut self, from: Speaker, kind: MessageKind, text: &str) {
        self.say(from, Listener::Human, kind, text);
    }

    pub(crate) fn post(&mut self, to: SessionId, message: QueuedMessage) {
        self.fact(Fact::Talk(TalkFact::Queued { to, message }));
    }

    /// Posts to the Arbiter session, if it exists yet.
    pub(crate) fn post_to_arbiter(&mut self, message: QueuedMessage) {
        if let Some(id) = self.state.arbiter().map(|session| session.profile.session) {
            self.post(id, message);
        }
    }

    pub(crate) fn charter(&self) -> Option<Arc<Charter>> {
        self.state.charter.clone()
    }

    /// The number of the next turn or steered text.
    pub(crate) fn next_turn(&self) -> TurnId {
        TurnId(self.state.turns + 1)
    }
}

impl State {
    /// A turn's name for the provider, unique over all missions.
    pub(crate) fn turn_key(&self, turn: TurnId) -> String {
        let seed = self.charter.as_ref().map_or(0, |charter| charter.seed);
        uuid(seed, "turn", turn.0)
    }
}
