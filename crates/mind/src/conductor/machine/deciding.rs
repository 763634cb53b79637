//! Choosing the next move: by rules, else by the cache, else by a model, else by the fallback. Whatever a model replies,
//! the mission goes on.

use std::sync::Arc;

use super::super::agent::{Agent, AgentDuty};
use super::super::fact::ConductorFact;
use super::super::move_record::{ModelCall, ModelReply, MoveAttempt, MoveRecord, RawReply, ReplyEnd};
use super::super::next_move::{DecisionPoint, MoveSource, NextMove};
use super::super::render::MisreadReply;
use super::super::rules::{self, RuledMove};
use super::super::{cache, fallback, input, legal, limits, reading, render};
use crate::canonical;
use crate::decide::StepBuilder;
use crate::effect::{ConductorEffect, Effect};
use crate::id::Timestamp;
use crate::limits::cut;
use crate::mission_limits::ReachedLimit;
use crate::state::State;
use crate::talk::{DecisionAsked, DecisionOption, Listener, MessageKind, Speaker};

impl StepBuilder {
    /// Decides, or asks a model to.
    pub(super) fn seek(&mut self, call: DecisionPoint) {
        let now = self.now();
        let Some(conducting) = self.conducting() else { return };
        let conductor = self.conductor();
        let legal = legal::legal(&self.state, call);
        let input = input::input(&self.state, call, now);
        let number = conductor.decisions.len() as u32 + 1;
        let asked = conductor.asking.filter(|asking| asking.number == number);
        let asking = MoveAttempt {
            number,
            call,
            attempt: asked.map_or(0, |asking| asking.attempt) + 1,
            input: Arc::new(serde_json::to_value(&input).unwrap_or_default()),
            legal,
            prompt: Arc::from(""),
            shorter: false,
        };
        if let Some(ruled) = rules::rules(&self.state, call, now) {
            return self.decide_by(&asking, MoveSource::Rules, ruled);
        }
        let Some(decider) = conducting.decider else {
            return self.fall_back(&asking, "no model is configured");
        };
        if decider.cache
            && let Some(decision) = cache::find(&self.state, &asking)
        {
            let ruled = RuledMove { decision, cause: Arc::from("decided before"), exhausted: None };
            return self.decide_by(&asking, MoveSource::Cache, ruled);
        }
        self.ask(asking);
    }

    fn ask(&mut self, mut asking: MoveAttempt) {
        if let Some(reached) = self.state.spent(self.now()) {
            return self.fall_back(&asking, &reached.why);
        }
        let Some(question) = question(&self.state, &asking) else {
            return self.fall_back(&asking, "the question cannot be put");
        };
        asking.prompt = digest(&question);
        let (number, attempt) = (asking.number, asking.attempt);
        self.conductor_fact(ConductorFact::ModelAsked(Box::new(asking)));
        self.effect(Effect::Conductor(ConductorEffect::CallModel {
            number,
            attempt,
            question: Arc::new(question),
        }));
    }

    /// The same question once more.
    pub(super) fn ask_again(&mut self, shorter: bool) {
        let Some(asking) = self.conductor().asking else { return };
        self.ask(MoveAttempt { attempt: asking.attempt + 1, shorter, ..asking.as_ref().clone() });
    }

    /// The agents changed during a model call: it is made anew, with the present agents. Otherwise a restart would repeat it
    /// with another text.
    pub(super) fn call_with_new_agents(&mut self) {
        let conductor = self.conductor();
        let Some(asking) = conductor.asking.filter(|_| conductor.wakes_at.is_none()) else { return };
        self.drop_call();
        self.seek(asking.call);
    }

    /// After a new start: a model call that cannot be made again, perhaps because another version recorded it, would be
    /// waited for in vain; the fallback takes its place.
    pub(crate) fn replace_lost_call(&mut self) {
        let conductor = self.conductor();
        let Some(asking) = conductor.asking.filter(|_| conductor.wakes_at.is_none()) else { return };
        if question(&self.state, &asking).is_none() {
            self.fall_back(&asking, "the question cannot be put again");
        }
    }

    /// A model answered, or could not.
    pub(super) fn answered(&mut self, number: u32, attempt: u32, answer: ModelReply) {
        let conductor = self.conductor();
        let is_asked = |asking: &&Arc<MoveAttempt>| asking.number == number && asking.attempt == attempt;
        let waits = conductor.asking.as_ref().filter(is_asked).filter(|_| conductor.wakes_at.is_none());
        let Some(asking) = waits.cloned() else {
            return self.note(format!("no call d{number}.{attempt} is open: {answer:?}"));
        };
        match &answer.end {
            ReplyEnd::Said { output, text, cut } => {
                let agents: Vec<&Agent> = conductor.eligible().collect();
                let terms = reading::ReplyTerms { legal: &asking.legal, agents: &agents };
                let read = reading::read(output.as_ref(), text, &terms);
                let raw = output.as_ref().map_or_else(|| text.to_string(), canonical::json);
                self.take_reply(&asking, &answer, &raw, *cut, read);
            }
            ReplyEnd::Unavailable { why, until } => self.unavailable(&asking, why, *until),
            ReplyEnd::Refused { why } => {
                let cause = format!("the model cannot be asked: {why}");
                let told = |record: &Arc<MoveRecord>| {
                    record.cause.as_ref().is_some_and(|told| told.starts_with(&cause))
                };
                if !conductor.decisions.iter().rev().take(limits::TOLD_WINDOW).any(told) {
                    self.remark(&format!(
                        "The model that chooses the moves cannot be called: {why}. The fixed order chooses them in its place."
                    ));
                }
                self.fall_back(&asking, &format!("the model cannot be asked: {why}"));
            }
        }
    }

    fn take_reply(
        &mut self,
        asking: &MoveAttempt,
        answer: &ModelReply,
        raw: &str,
        was_cut: bool,
        read: Result<NextMove, Vec<String>>,
    ) {
        let mut reply = RawReply {
            raw: Arc::from(cut(raw, limits::RAW_CHARS_MAX)),
            faults: Vec::new(),
            latency_ms: answer.latency_ms,
            tokens: answer.tokens,
        };
        match read {
            Ok(decision) => {
                let ruled = RuledMove { decision, cause: Arc::from("asked"), exhausted: None };
                let mut replies: Vec<RawReply> =
                    self.conductor().replies.iter().map(|reply| reply.as_ref().clone()).collect();
                replies.push(reply);
                self.decide_with(asking, MoveSource::Model, ruled, replies);
            }
            Err(faults) => {
                let said = faults.join("; ");
                reply.faults = faults.into_iter().map(Arc::from).collect();
                if was_cut {
                    reply.faults.insert(0, Arc::from("the answer was cut off at the token limit"));
                }
                self.conductor_fact(ConductorFact::ReplyMisread(reply));
                if self.conductor().replies.len() as u32 <= limits::ASKED_AGAIN_MAX {
                    return self.ask_again(was_cut);
                }
                self.fall_back(asking, &format!("the model's replies cannot be read: {said}"));
            }
        }
    }

    /// The model is called again after a pause; if that takes too long, the fallback chooses.
    fn unavailable(&mut self, asking: &MoveAttempt, why: &Arc<str>, until: Option<Timestamp>) {
        let conductor = self.conductor();
        let now = self.now();
        let backoff_ms = limits::CALL_BACKOFF_MS << conductor.call_failures.min(8);
        let until = until.filter(|until| *until > now).unwrap_or(Timestamp(now.0 + backoff_ms));
        // A model that could not be reached for the last move is tried once only.
        let was_away = conductor.decisions.last().is_some_and(|last| last.source == MoveSource::Fallback);
        let tries = if was_away { 0 } else { limits::CALLS_AGAIN_MAX };
        if conductor.call_failures >= tries || until.0.saturating_sub(now.0) > limits::CALL_WAIT_MS_MAX {
            return self.fall_back(asking, &format!("the model cannot be reached: {why}"));
        }
        self.conductor_fact(ConductorFact::Unavailable { why: why.clone(), until });
    }

    fn fall_back(&mut self, asking: &MoveAttempt, why: &str) {
        let mut ruled = fallback::fallback(&self.state, asking.call, self.now());
        ruled.cause = Arc::from(format!("{why}; {}", ruled.cause));
        self.decide_by(asking, MoveSource::Fallback, ruled);
    }

    fn decide_by(&mut self, asking: &MoveAttempt, source: MoveSource, ruled: RuledMove) {
        let replies = self.conductor().replies.iter().map(|reply| reply.as_ref().clone()).collect();
        self.decide_with(asking, source, ruled, replies);
    }

    fn decide_with(
        &mut self,
        asking: &MoveAttempt,
        source: MoveSource,
        ruled: RuledMove,
        replies: Vec<RawReply>,
    ) {
        let iteration = self.conductor().iterations + u32::from(asking.call == DecisionPoint::Select);
        let record = MoveRecord {
            number: asking.number,
            call: asking.call,
            iteration,
            input: asking.input.clone(),
            legal: asking.legal.clone(),
            prompt: Some(asking.prompt.clone()).filter(|prompt| !prompt.is_empty()),
            replies,
            decision: ruled.decision.clone(),
            source,
            // A model's reason is its own.
            cause: Some(ruled.cause).filter(|_| source != MoveSource::Model),
        };
        self.conductor_fact(ConductorFact::Decided(Box::new(record)));
        if let Some(message) = self.conductor().answer.filter(|_| source == MoveSource::Model) {
            self.conductor_fact(ConductorFact::AnswerUsed { message });
        }
        if let Some(kind) = ruled.exhausted {
            let why = ruled.decision.words().to_string();
            return self.exhaust(&ReachedLimit { kind, why });
        }
        self.carry_out(&ruled.decision);
    }

    /// What a decision leads to.
    pub(super) fn carry_out(&mut self, decision: &NextMove) {
        let conductor = self.conductor();
        let last = conductor.last().cloned();
        match decision {
            NextMove::SelectMode { mode, guidance, .. } => {
                if let Some(guidance) = guidance {
                    self.guide(guidance);
                }
                self.prepare(mode, None);
            }
            NextMove::Continue { .. } => match last {
                // The agent that writes mends what the claim was turned back for.
                Some(last) if conductor.turned_back.is_some() => {
                    let agent = conductor.last_writer().map_or(&last.agent, |agent| &agent.name).clone();
                    self.prepare(&agent, None);
                }
                Some(_) if conductor.plan.as_ref().is_some_and(|plan| plan.is_done()) => {
                    self.claim("Every step of the plan is done.");
                }
                Some(last) => {
                    let agent = self.who_goes_on(&last.agent);
                    self.prepare(&agent, None);
                }
                None => self.conductor_fact(ConductorFact::Selecting),
            },
            NextMove::Retry { reason } => match last {
                Some(last) => {
                    self.guide(reason);
                    self.prepare(&last.agent, last.step);
                }
                None => self.conductor_fact(ConductorFact::Selecting),
            },
            NextMove::Complete { summary } => self.claim(summary),
            NextMove::SkipStep { reason } => {
                self.skip_current(reason);
                self.conductor_fact(ConductorFact::Selecting);
            }
            NextMove::Replan { reason } => {
                self.guide(&format!("Another plan is wanted: {reason}"));
                match conductor.with_part(AgentDuty::Planner).map(|agent| agent.name.clone()) {
                    Some(planner) => self.prepare(&planner, None),
                    None => self.conductor_fact(ConductorFact::Selecting),
                }
            }
            NextMove::AskHuman { question, options } => self.ask_the_human(question, options),
            NextMove::Fail { reason } => self.fail(reason),
        }
    }

    pub(super) fn guide(&mut self, text: &str) {
        let text = cut(text, limits::WORDS_CHARS_MAX);
        self.conductor_fact(ConductorFact::Guided(Arc::from(text)));
    }

    /// Asks the human, at every door.
    pub(super) fn ask_the_human(&mut self, question: &str, options: &[Arc<str>]) {
        let key = |at: usize| char::from(b'a' + (at % 26) as u8).to_string();
        let asked = DecisionAsked {
            id: "answer".to_owned(),
            title: cut(question, crate::limits::DECISION_CHARS_MAX),
            context: String::new(),
            options: options
                .iter()
                .enumerate()
                .map(|(at, label)| DecisionOption { key: key(at), label: label.to_string() })
                .collect(),
            allow_custom: true,
        };
        let decisions = if options.is_empty() { Vec::new() } else { vec![asked] };
        let message =
            self.say_asking(Speaker::Arbiter, Listener::Human, MessageKind::Plain, question, None, decisions);
        self.conductor_fact(ConductorFact::AskedHuman { message });
    }
}

/// The whole model call; the same each time it is made.
pub(super) fn question(state: &State, asking: &MoveAttempt) -> Option<ModelCall> {
    let (charter, conductor) = (state.charter.as_ref()?, state.conductor.as_ref()?);
    let decider = state.conducting()?.decider.clone()?;
    let input = stored(asking)?;
    let again = MisreadReply {
        faults: conductor.replies.last().map(|reply| reply.faults.clone()).unwrap_or_default(),
        shorter: asking.shorter,
    };
    let rendered = render::render(charter, state, &input, &asking.legal, &again);
    let names: Vec<&str> = conductor.eligible().map(|agent| agent.name.as_ref()).collect();
    Some(ModelCall {
        provider: decider.provider,
        model: decider.model,
        max_tokens: decider.max_tokens,
        temperature_milli: decider.temperature_milli,
        system: rendered.system,
        prompt: rendered.prompt,
        schema: Arc::new(legal::schema(&asking.legal, &names)),
    })
}

/// The input as it was recorded.
fn stored(asking: &MoveAttempt) -> Option<input::CallInput> {
    let value = asking.input.as_ref().clone();
    match asking.call {
        DecisionPoint::Select => serde_json::from_value(value).ok().map(input::CallInput::Select),
        DecisionPoint::Evaluate => serde_json::from_value(value).ok().map(input::CallInput::Evaluate),
    }
}

fn digest(question: &ModelCall) -> Arc<str> {
    Arc::from(crate::digest::of_parts([question.system.as_bytes(), question.prompt.as_bytes()]))
}
