//! The end of an Arbiter's turn: its typed output is an act. Each act is carried out, or turned back with a reason.

use std::sync::Arc;

use serde_json::Value;

use crate::actor::Actor;
use crate::charter::{Consent, ProviderChoice};
use crate::conductor::agent::SessionAssignment;
use crate::fact::{MissionFact, SessionFact, TurnFact};
use crate::id::{MessageId, SessionId, roman};
use crate::limits;
use crate::output::{self, Faults, Intent, ManagerOutput};
use crate::prompt;
use crate::session::{QueuedMessage, Role};
use crate::talk::{Asks, DecisionAsked, Listener, MessageKind, Speaker};

use crate::decide::StepBuilder;

/// Who waits for the Arbiter's words.
enum Waiting {
    Orchestrator(SessionId),
    Human,
    NoOne,
}

/// An act of the Arbiter that can be turned back: the name that its output gave it, and what a person reads.
pub(crate) struct Act {
    name: &'static str,
    words: &'static str,
}

impl Act {
    const ASK_FOR_YES: Act =
        Act { name: "address_human with asks: alignment", words: "asking the human for the yes" };
    const ADDRESS: Act = Act { name: "address_orchestrator", words: "speaking to the Orchestrator" };
    const SUMMON: Act = Act { name: "summon_orchestrator", words: "summoning an Orchestrator" };
    pub(crate) const CLAIM: Act =
        Act { name: "release_orchestrators with claim: complete", words: "the claim of completion" };
    /// The same claim, turned back by the gate after the act itself was accepted.
    pub(crate) const AT_THE_GATE: Act =
        Act { name: "the claim of completion", words: "the claim of completion" };
}

impl StepBuilder {
    pub(crate) fn manager_spoke(&mut self, id: SessionId, output: Option<Value>, text: &str) {
        if output.is_none() && !self.is_typed(id) {
            return self.speak_plainly(text);
        }
        match output::read_manager(output.as_ref()) {
            Ok(output) => self.act(output),
            Err(faults) => self.manager_malformed(id, faults, output, text),
        }
    }

    fn act(&mut self, output: ManagerOutput) {
        let ManagerOutput { intent, message } = output;
        match intent {
            Intent::AddressHuman { asks, decisions } => self.address_human(&message, asks, decisions),
            Intent::AddressOrchestrator => self.address_orchestrator(&message),
            Intent::SummonOrchestrator { agent, provider, model, brief } => {
                if let Some((role, seat, cast)) = self.seat_for(&message, agent, provider, model) {
                    self.say(Speaker::Arbiter, Listener::Nobody, MessageKind::Plain, &message);
                    self.summon(role, seat, brief, cast);
                }
            }
            Intent::ReleaseOrchestrators { complete: false } => {
                self.release_worker();
                self.ask_human(Speaker::Arbiter, MessageKind::Plain, &message);
            }
            Intent::ReleaseOrchestrators { complete: true } => self.claim_completion(&message),
            Intent::Musings => self.muse(&message),
        }
    }

    fn address_human(&mut self, text: &str, asks: Option<Asks>, decisions: Vec<DecisionAsked>) {
        if let (Some(Asks::Alignment), Some(by @ Actor::Policy(_))) = (asks, &self.state.consent) {
            // A policy gave the yes, and no person will give it again: waiting would stop the mission for nothing.
            let why = format!(
                "{} let the mission begin already: go on, within the scope you stated",
                by.in_words()
            );
            return self.turn_back(&Act::ASK_FOR_YES, &why, text);
        }
        let from = Speaker::Arbiter;
        let message = self.say_asking(from, Listener::Human, MessageKind::Plain, text, asks, decisions);
        let consent = self.charter().map(|charter| charter.consent.clone());
        if let (Some(Asks::Alignment), Some(Consent::Policy(policy))) = (asks, consent)
            && self.state.consent.is_none()
        {
            self.consent_by_policy(&policy, Some(message));
            self.post_notice("consent-policy.md", &[("policy", &policy)]);
        }
    }

    /// Recorded as the policy's yes, never as a person's.
    fn consent_by_policy(&mut self, policy: &str, question: Option<MessageId>) {
        self.mission(MissionFact::Consented { by: Actor::Policy(Arc::from(policy)), question });
    }

    fn address_orchestrator(&mut self, text: &str) {
        let Some(worker) = self.state.worker().cloned() else {
            return self.turn_back(&Act::ADDRESS, "no Orchestrator is active", text);
        };
        let to = Listener::Orchestrator(worker.profile.number);
        self.say(Speaker::Arbiter, to, MessageKind::Plain, text);
        self.post(worker.profile.session, QueuedMessage::Address(Arc::from(text)));
        self.offer_interrupt(&worker);
    }

    /// Text of a provider that has no typed output: it goes to the active Orchestrator, or to the human if there is none.
    fn speak_plainly(&mut self, text: &str) {
        let text = plain_text(None, text);
        match self.state.worker() {
            Some(_) => self.address_orchestrator(&text),
            None => self.address_human(&text, None, Vec::new()),
        }
    }

    /// Role, provider and model of the new Orchestrator; a summons that cannot be followed is turned back.
    fn seat_for(
        &mut self,
        text: &str,
        agent: Option<String>,
        provider: Option<String>,
        model: Option<String>,
    ) -> Option<(Role, ProviderChoice, Option<SessionAssignment>)> {
        let charter = self.charter()?;
        let act = &Act::SUMMON;
        if self.state.consent.is_none() {
            match &charter.consent {
                Consent::Policy(policy) => self.consent_by_policy(policy, None),
                Consent::Ask => {
                    let why = "the human has not said yes: state back scope, approach, definition of done and \
                               risks with `asks: alignment`, and wait";
                    self.turn_back(act, why, text);
                    return None;
                }
            }
        }
        let offered = || charter.agents.iter().filter(|agent| !agent.internal);
        let (role, seat, cast) = match agent.as_deref() {
            None | Some("orchestrator") => (Role::Orchestrator, charter.seats.orchestrator.clone(), None),
            Some("verifier") => (Role::Verifier, charter.seats.verifier.clone(), None),
            Some(other) => match offered().find(|agent| agent.name.eq_ignore_ascii_case(other)) {
                Some(agent) => {
                    let summons = self.state.summons_of(&agent.name);
                    if let Some(most) = agent.limits.max_iterations.filter(|most| summons >= *most) {
                        let why =
                            format!("{} was summoned as often as its file lets it be ({most})", agent.name);
                        self.turn_back(act, &why, text);
                        return None;
                    }
                    (Role::Orchestrator, agent.seat(&charter.seats.orchestrator), Some(agent.cast()))
                }
                None => {
                    let names: String = offered().map(|agent| format!(", {}", agent.name)).collect();
                    let why = format!("there is no agent {other:?}; known are orchestrator, verifier{names}");
                    self.turn_back(act, &why, text);
                    return None;
                }
            },
        };
        let seat = match provider {
            Some(provider) if provider != seat.provider => ProviderChoice { provider, model },
            Some(_) | None => {
                ProviderChoice { provider: seat.provider.clone(), model: model.or(seat.model.clone()) }
            }
        };
        if !charter.providers.contains_key(&seat.provider) {
            let known: Vec<&str> = charter.providers.keys().map(String::as_str).collect();
            let why = format!("there is no provider {:?}; known: {}", seat.provider, known.join(", "));
            self.turn_back(act, &why, text);
            return None;
        }
        Some((role, seat, cast))
    }

    /// Shows a musing dimmed. If the human or an Orchestrator waits, the Arbiter is asked once more for an answer; the
    /// next musing then goes to them as it is.
    fn muse(&mut self, text: &str) {
        let waiting = self.waiting();
        if let Waiting::NoOne = waiting {
            self.say(Speaker::Arbiter, Listener::Nobody, MessageKind::Musing, text);
            return;
        }
        if self.state.asked_once_more {
            return self.pass_on(text, MessageKind::Plain);
        }
        self.say(Speaker::Arbiter, Listener::Nobody, MessageKind::Musing, text);
        let who = match waiting {
            Waiting::Orchestrator(_) => {
                let number = self.state.worker().map_or(0, |worker| worker.profile.number);
                format!("Orchestrator {}", roman(number))
            }
            Waiting::Human | Waiting::NoOne => "the human".to_owned(),
        };
        self.mission(MissionFact::AskedOnceMore { who: Arc::from(who.as_str()) });
        self.post_notice("muse-again.md", &[("who", &who)]);
    }

    fn manager_malformed(&mut self, id: SessionId, faults: Faults, output: Option<Value>, text: &str) {
        let asked = self.state.sessions.get(&id).map_or(0, |session| session.turns.malformed);
        if asked < limits::MALFORMED_ASKS_MAX {
            let named = faults.join("; ");
            self.session(id, SessionFact::Turn(TurnFact::Malformed { faults }));
            return self.post_notice("malformed.md", &[("faults", &named)]);
        }
        // The third time it is taken as it came.
        self.pass_on(&plain_text(output.as_ref(), text), MessageKind::Unformed);
    }

    /// A text that is no act goes to the Orchestrator or human that waits for the Arbiter.
    fn pass_on(&mut self, text: &str, kind: MessageKind) {
        match self.waiting() {
            Waiting::Orchestrator(id) => {
                let number = self.state.worker().map_or(0, |worker| worker.profile.number);
                self.say(Speaker::Arbiter, Listener::Orchestrator(number), kind, text);
                self.post(id, QueuedMessage::Address(Arc::from(text)));
            }
            Waiting::Human => self.ask_human(Speaker::Arbiter, kind, text),
            Waiting::NoOne => {
                self.say(Speaker::Arbiter, Listener::Nobody, kind, text);
            }
        }
    }

    /// An Orchestrator that asked; else the human who spoke; else, while an Orchestrator or the gate is at work, no one.
    fn waiting(&self) -> Waiting {
        match self.state.worker() {
            Some(worker) if worker.work.awaits_reply => Waiting::Orchestrator(worker.profile.session),
            Some(_) | None if self.state.human_waits => Waiting::Human,
            Some(worker) if worker.turns.current.is_some() || worker.is_called() => Waiting::NoOne,
            Some(_) | None if self.state.gate.is_some() => Waiting::NoOne,
            Some(_) | None => Waiting::Human,
        }
    }

    /// The act had no effect and the Arbiter hears why. After a few in a row the human is asked instead.
    pub(crate) fn turn_back(&mut self, act: &Act, reason: &str, text: &str) {
        self.say(Speaker::Arbiter, Listener::Nobody, MessageKind::Musing, text);
        self.mission(MissionFact::TurnedBack { why: Arc::from(format!("{}: {reason}", act.words)) });
        self.post_turned_back(act, reason);
    }

    /// Posts the reason to the Arbiter; after too many in a row, asks the human.
    pub(crate) fn post_turned_back(&mut self, act: &Act, reason: &str) {
        let (file, extra): (&str, &[(&str, &str)]) = match act.name {
            "address_orchestrator" => ("nobody-there.md", &[]),
            _ => ("turned-back.md", &[("act", act.name), ("reason", reason)]),
        };
        if self.state.turned_back > limits::TURNED_BACK_MAX {
            let question = format!(
                "The Arbiter was turned back several times ({}: {reason}). What shall it do?",
                act.words
            );
            // It hears the reason too, together with the human's answer.
            let notice = self.notice(file, extra);
            self.post_to_arbiter(QueuedMessage::Aside(notice));
            return self.ask_human(Speaker::House, MessageKind::Plain, &question);
        }
        self.post_notice(file, extra);
    }

    pub(crate) fn post_notice(&mut self, file: &str, extra: &[(&str, &str)]) {
        let notice = self.notice(file, extra);
        self.post_to_arbiter(QueuedMessage::Notice(notice));
    }

    fn notice(&self, file: &str, extra: &[(&str, &str)]) -> Arc<str> {
        match self.charter() {
            Some(charter) => prompt::render_with(&charter, file, &self.setting(0), extra),
            None => Arc::from(""),
        }
    }
}

/// The words of an output that did not validate: its message if it has one, else the plain text.
pub(crate) fn plain_text(output: Option<&Value>, text: &str) -> String {
    let message = output.and_then(|output| output.get("message")).and_then(Value::as_str);
    let words = message.unwrap_or(text).trim();
    let words = if words.is_empty() { "(it said nothing)" } else { words };
    limits::cut(words, limits::MESSAGE_BYTES_MAX / 4)
}
