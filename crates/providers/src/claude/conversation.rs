//! One session's conversation with Claude Code, as a pure machine: orders and lines go in, actions come out.
//!
//! Results are not one to one with messages: a text may be folded into a running turn or become a turn of its own. So
//! the machine remembers which message each turn answers, and makes an interjection that missed its turn a turn itself.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use mind::effect::RetriedTurn;
use mind::event::{Failure, TurnEnd};
use mind::policy::PermissionRequest;
use mind::session::{Gauge, Role};
use mind::{AgentEvent, Timestamp, TurnId, id};
use serde_json::{Value, json};

use super::live_text::Words;
use super::tasks::TaskList;
use super::usage::Meter;
use super::{mcp, wire};
use crate::judge::ToolJudge;
use crate::limits::{ACKNOWLEDGED_TIME_MAX, GO_ON_MAX, GREETING_TIME_MAX, KEYS_MAX};
use crate::protocol::DriverAction;
use mind::effect::SessionCommand;

/// The settings of the whole conversation.
#[derive(Debug, Clone)]
pub struct ConversationSetup {
    pub role: Role,
    /// Whether it answers by tools, not by typed output.
    pub by_tools: bool,
    /// The number of this process of the session: a message that is repeated must be new to the process.
    pub incarnation: u32,
    /// The content of the `initialize` message.
    pub initialize: Value,
    /// Whether the session has said something before: a conversation that is lost is not begun anew then.
    pub spoke: bool,
    /// How full the context was when an earlier process said so.
    pub gauge: Option<Gauge>,
    /// Judges every tool call.
    pub judge: ToolJudge,
}

/// The state of one session's conversation.
#[derive(Debug)]
pub struct Conversation {
    pub(super) part: ConversationSetup,
    /// Whether the process has answered `initialize`.
    pub(super) ready: bool,
    /// When `initialize` was sent.
    greeted: Option<Timestamp>,
    /// Whether this process has had a turn of ours.
    spoken_to: bool,
    /// The message that the conversation on the disk holds, although this process was not given it.
    held: Option<String>,
    /// Messages that cannot be sent yet.
    pub(super) queue: VecDeque<SessionCommand>,
    pub(super) turn: Option<Running>,
    /// Interjections of the running turn that are not acknowledged.
    pub(super) steered: VecDeque<Steered>,
    /// Keys of turns that are over, the newest last: they are not given twice to one process.
    pub(super) over: VecDeque<String>,
    /// The warning for the next batch of tools.
    pub(super) warning: Option<(u8, Arc<str>)>,
    /// A subagent was refused a worktree, and the model does not know why yet.
    pub(super) denied_worktree: bool,
    /// Why the running turn will have failed, once it ends.
    pub(super) trouble: Option<Failure>,
    /// The last error that the model's side reported.
    pub(super) error: Option<String>,
    /// The mission loop, or this machine itself, asked for the turn to stop.
    pub(super) stopping: bool,
    pub(super) meter: Meter,
    pub(super) tasks: TaskList,
    /// The last call to our own tools in this turn.
    pub(super) called: Option<Value>,
    /// Calls that the hook has judged and that are to be asked about: the request that follows is not judged again.
    pub(super) ruled: VecDeque<Ruled>,
    /// Tools that wait for a permission: the process's own request, and the tool's input.
    pub(super) asking: BTreeMap<String, Value>,
    /// Calls that wait for the docket's answer: the process's own request, and the id of the message in it.
    pub(super) pleading: BTreeMap<String, Value>,
    /// Tools of the main thread that run.
    pub(super) tools: VecDeque<String>,
    /// Whether this process has named its version.
    pub(super) version_told: bool,
    /// What of the answer is shown while it streams.
    pub(super) words: Words,
    requests: u32,
}

/// A turn in flight.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) turn: TurnId,
    /// The mission loop's id of the turn, and its text.
    pub(super) key: String,
    pub(super) text: Arc<str>,
    pub(super) again: Option<RetriedTurn>,
    /// The ids under which it was sent to this process.
    pub(super) said: Vec<String>,
    pub(super) phase: Phase,
}

/// The stage of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// The message was written to the process.
    Said,
    /// The process has the message, but no turn has begun: it may hold the message from an earlier process.
    Acknowledged(Timestamp),
    /// The turn has begun; the flag says whether the message was acknowledged.
    Begun(bool),
}

/// A call that only a person can allow, as the hook before it found.
#[derive(Debug)]
pub(super) struct Ruled {
    /// The call's own id.
    pub(super) call: String,
    pub(super) input: Value,
    pub(super) question: PermissionRequest,
}

/// An interjection in a running turn.
#[derive(Debug)]
pub(super) struct Steered {
    pub(super) turn: TurnId,
    pub(super) key: String,
    pub(super) text: Arc<str>,
}

impl Conversation {
    /// A conversation whose process is about to start.
    pub fn new(part: ConversationSetup, window: u64) -> Conversation {
        let meter = Meter::new(window, part.gauge.as_ref());
        Conversation {
            part,
            ready: false,
            greeted: None,
            spoken_to: false,
            held: None,
            queue: VecDeque::new(),
            turn: None,
            steered: VecDeque::new(),
            over: VecDeque::new(),
            warning: None,
            trouble: None,
            error: None,
            stopping: false,
            meter,
            tasks: TaskList::default(),
            called: None,
            ruled: VecDeque::new(),
            asking: BTreeMap::new(),
            pleading: BTreeMap::new(),
            tools: VecDeque::new(),
            version_told: false,
            words: Words::default(),
            denied_worktree: false,
            requests: 0,
        }
    }

    /// Reads the program's own files of the checklist: a resumed conversation begins with them.
    pub fn take_up_tasks(&mut self, folder: &std::path::Path) {
        self.tasks = TaskList::load(folder);
    }

    /// From now on the process is asked for its usage inside a turn: a budget counts it.
    pub fn watch_usage(&mut self) {
        self.meter.watch();
    }

    /// Whether this process has had a turn of ours.
    pub fn was_spoken_to(&self) -> bool {
        self.spoken_to
    }

    /// The conversation that the process takes up holds this message: it is not given again.
    pub fn holds(&mut self, key: &str) {
        self.held = Some(key.to_owned());
    }

    /// The process runs: it is sent our hooks, prompts and schema, and answers when it is ready.
    pub fn greet(&mut self, now: Timestamp) -> Vec<DriverAction> {
        self.ready = false;
        self.denied_worktree = false;
        self.ruled.clear();
        self.asking.clear();
        self.pleading.clear();
        self.words = Words::default();
        self.greeted = Some(now);
        self.spoken_to = false;
        self.version_told = false;
        self.meter.restart();
        let initialize = self.part.initialize.clone();
        vec![self.request(&initialize)]
    }

    /// The program does not know this session.
    pub(super) fn conversation_is_gone(&self) -> DriverAction {
        match self.part.spoke {
            true => DriverAction::GiveUp("its conversation is gone from this machine".to_owned()),
            false => DriverAction::Anew { resume: false },
        }
    }

    /// The process is replaced by another: every message to it is sent again.
    pub fn begin_anew(&mut self, resume: bool) {
        if let Some(Running { turn, key, text, again, .. }) = self.turn.take() {
            self.queue.push_front(SessionCommand::Deliver { turn, key, text, again });
        }
        self.steered.clear();
        self.held = self.held.take().filter(|_| resume);
        for order in &mut self.queue {
            // A conversation that begins now holds nothing.
            if let SessionCommand::Deliver { again, .. } = order
                && !resume
            {
                *again = None;
            }
        }
    }

    /// Handles an order of the mission loop.
    pub fn obey(&mut self, order: SessionCommand) -> Vec<DriverAction> {
        match order {
            SessionCommand::Warn { percent, text } => {
                self.warning = Some((percent, text));
                Vec::new()
            }
            SessionCommand::Interrupt { turn } => self.interrupt(turn),
            SessionCommand::Permit { call, allowed, why } => self.permit(&call, allowed, &why),
            SessionCommand::Reply { call, told, refused } => self.reply(&call, &told, refused),
            order if !self.ready => {
                self.queue.push_back(order);
                Vec::new()
            }
            SessionCommand::Deliver { turn, key, text, again } => self.deliver(turn, key, text, again),
            SessionCommand::Steer { turn, key, text } => self.steer(turn, key, text),
            SessionCommand::End => Vec::new(),
        }
    }

    fn deliver(
        &mut self,
        turn: TurnId,
        key: String,
        text: Arc<str>,
        again: Option<RetriedTurn>,
    ) -> Vec<DriverAction> {
        if self.turn.as_ref().is_some_and(|running| running.turn == turn) || self.over.contains(&key) {
            // An interjection that missed its turn was promoted here before the mission loop could give it again.
            return vec![DriverAction::Note(format!("{turn} is given twice; it was taken the first time"))];
        }
        if self.turn.is_some() {
            self.queue.push_back(SessionCommand::Deliver { turn, key, text, again });
            return Vec::new();
        }
        self.steered.retain(|steer| steer.turn != turn);
        // A message that an earlier process got may not have reached the disk. What the disk holds, or this process got,
        // is in its conversation.
        let is_held = self.held.take().is_some_and(|held| held == key);
        let (said, words) = match &again {
            Some(again) if is_held || again.held && self.spoken_to => {
                (self.fresh(&key), again.words.to_string())
            }
            // The process that reads it now has none of it, but its tools may have run.
            Some(again) if again.held => (key.clone(), format!("{text}\n\n{}", again.words)),
            Some(_) | None => (key.clone(), text.to_string()),
        };
        self.spoken_to = true;
        let line = wire::message(&said, &words);
        self.begin(Running { turn, key, text, again, said: vec![said], phase: Phase::Said });
        vec![DriverAction::Write(line)]
    }

    /// An id that is new in this session. A message that repeats the text of `key` needs one: the process would ignore
    /// the same id.
    pub(super) fn fresh(&mut self, key: &str) -> String {
        self.requests += 1;
        let seed = key.bytes().fold(0xcbf2_9ce4_8422_2325, |seed: u64, byte| {
            (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        id::uuid(seed, "again", self.part.incarnation.wrapping_mul(1 << 16).wrapping_add(self.requests))
    }

    /// The answer to a permission request reached us: the tool may run or not.
    fn permit(&mut self, call: &str, allowed: bool, why: &str) -> Vec<DriverAction> {
        let Some(input) = self.asking.remove(call) else {
            return vec![DriverAction::Note(format!("nothing waits for the answer to {call}"))];
        };
        let answer = match (allowed, why) {
            (true, _) => json!({"behavior": "allow", "updatedInput": input}),
            (false, "") => json!({"behavior": "deny", "message": "A person was asked and said no."}),
            (false, why) => json!({"behavior": "deny", "message": format!("This was not allowed: {why}")}),
        };
        vec![DriverAction::Write(wire::answer(call, &answer))]
    }

    /// The docket answered a call that waits.
    fn reply(&mut self, call: &str, told: &Value, refused: bool) -> Vec<DriverAction> {
        let Some(id) = self.pleading.remove(call) else {
            return vec![DriverAction::Note(format!("nothing waits for the docket's answer to {call}"))];
        };
        let response = mcp::reply(&id, told, refused);
        vec![DriverAction::Write(wire::answer(call, &json!({"mcp_response": response})))]
    }

    fn begin(&mut self, running: Running) {
        self.turn = Some(running);
        self.trouble = None;
        self.error = None;
        self.stopping = false;
    }

    fn steer(&mut self, turn: TurnId, key: String, text: Arc<str>) -> Vec<DriverAction> {
        if self.turn.is_none() {
            // The interjection's turn ended just now. The mission loop will hear of it, and give the text as a
            // turn of its own.
            return vec![DriverAction::Note(format!("{turn} comes too late to be folded into a turn"))];
        }
        let begun = |running: &Running| matches!(running.phase, Phase::Begun(_));
        if self.turn.as_ref().is_some_and(|running| running.again.is_some() && !begun(running)) {
            // Until it is known whether the process has the turn, there is no turn to fold the text into.
            self.queue.push_back(SessionCommand::Steer { turn, key, text });
            return Vec::new();
        }
        let line = wire::message(&key, &text);
        self.steered.push_back(Steered { turn, key, text });
        vec![DriverAction::Write(line)]
    }

    fn interrupt(&mut self, turn: TurnId) -> Vec<DriverAction> {
        if self.turn.as_ref().is_some_and(|running| running.turn == turn) {
            self.stopping = true;
            return vec![self.stop_request()];
        }
        let waiting = |order: &SessionCommand| matches!(order, SessionCommand::Deliver { turn: waits, .. } if *waits == turn);
        if let Some(at) = self.queue.iter().position(waiting) {
            self.queue.remove(at);
            let end = TurnEnd::Interrupted;
            return vec![DriverAction::Tell(AgentEvent::Rested { turn, end, tree: None })];
        }
        Vec::new()
    }

    pub(super) fn stop_request(&mut self) -> DriverAction {
        self.request(&serde_json::json!({"subtype": "interrupt"}))
    }

    fn request(&mut self, request: &Value) -> DriverAction {
        self.requests += 1;
        DriverAction::Write(wire::request(&format!("arbiter-{}", self.requests), request))
    }

    /// Asks for the size of the window before it is needed; the process answers in the middle of a turn too.
    pub(super) fn ask_for_window(&mut self) -> Option<DriverAction> {
        if !self.ready || !self.meter.wants_window() {
            return None;
        }
        let asked = self.request(&json!({"subtype": "get_context_usage"}));
        self.meter.asks(&format!("arbiter-{}", self.requests));
        Some(asked)
    }

    /// Asks for the usage so far, which the process tells in the middle of a turn too. Newer versions would read every
    /// transcript of the last week for the rest of the answer, unless it is not wanted; older ones ignore that word.
    pub(super) fn ask_for_usage(&mut self) -> Option<DriverAction> {
        if !self.ready || self.turn.is_none() || !self.meter.wants_usage() {
            return None;
        }
        let asked = self.request(&json!({"subtype": "get_usage", "skip_behaviors": true}));
        self.meter.asks_usage(format!("arbiter-{}", self.requests));
        Some(asked)
    }

    /// The process is ready, or a turn is over: waiting messages are sent.
    pub(super) fn say_what_waits(&mut self) -> Vec<DriverAction> {
        // Messages that still cannot be sent go back to the queue, in their order.
        let waiting = std::mem::take(&mut self.queue);
        waiting.into_iter().flat_map(|order| self.obey(order)).collect()
    }

    /// The turn is over: its keys are remembered, and an interjection that missed it is the next turn.
    pub(super) fn rest(&mut self) -> Vec<DriverAction> {
        if let Some(running) = self.turn.take() {
            self.over.push_back(running.key);
            while self.over.len() > KEYS_MAX {
                self.over.pop_front();
            }
        }
        self.trouble = None;
        self.error = None;
        self.stopping = false;
        self.tools.clear();
        // Everything that waited ended with its turn.
        self.ruled.clear();
        self.asking.clear();
        self.pleading.clear();
        if let Some(Steered { turn, key, text }) = self.steered.pop_front() {
            let said = vec![key.clone()];
            self.begin(Running { turn, key, text, again: None, said, phase: Phase::Said });
            return Vec::new();
        }
        self.say_what_waits()
    }

    /// When to act on a silent process: it has not answered `initialize` for long, or it took a message but began no
    /// turn and so holds the message from before.
    pub fn due(&self) -> Option<Timestamp> {
        if !self.ready {
            return self
                .greeted
                .map(|at| Timestamp(at.0.saturating_add(GREETING_TIME_MAX.as_millis() as u64)));
        }
        let running = self.turn.as_ref()?;
        match running.phase {
            // A process that does not go on is left to the mission loop's watch over silent sessions.
            Phase::Acknowledged(at) if running.said.len() <= GO_ON_MAX => {
                Some(Timestamp(at.0.saturating_add(ACKNOWLEDGED_TIME_MAX.as_millis() as u64)))
            }
            Phase::Said | Phase::Acknowledged(_) | Phase::Begun(_) => None,
        }
    }

    /// That time has come: the process is told to go on.
    pub fn ring(&mut self, now: Timestamp) -> Vec<DriverAction> {
        if self.due().is_none_or(|due| due > now) {
            return Vec::new();
        }
        if !self.ready {
            return vec![DriverAction::GiveUp("it does not answer".to_owned())];
        }
        if let Some(turn) = self.turn.as_ref().map(|running| running.turn).filter(|_| self.stopping) {
            // The process holds the message, but no turn runs that could be stopped.
            let end = TurnEnd::Interrupted;
            let mut deeds = vec![DriverAction::Tell(AgentEvent::Rested { turn, end, tree: None })];
            deeds.extend(self.rest());
            return deeds;
        }
        let Some(key) = self.turn.as_ref().map(|running| running.key.clone()) else { return Vec::new() };
        let fresh = self.fresh(&key);
        let Some(running) = &mut self.turn else { return Vec::new() };
        let words = running.again.as_ref().map_or("Go on where you stopped.", |again| &again.words);
        let line = wire::message(&fresh, words);
        running.said.push(fresh);
        running.phase = Phase::Said;
        vec![
            DriverAction::Note("it holds the message already, and is told to go on".to_owned()),
            DriverAction::Write(line),
        ]
    }

    /// The session is to end: a running turn is stopped first, so that its tools stop.
    pub fn part(&mut self) -> Vec<DriverAction> {
        self.queue.clear();
        self.steered.clear();
        if self.turn.is_none() {
            return Vec::new();
        }
        vec![self.stop_request()]
    }

    /// Whether a turn is in flight.
    pub fn is_busy(&self) -> bool {
        self.turn.is_some()
    }

    /// The output of a turn that ended well.
    pub(super) fn output(&mut self, typed: Option<Value>, text: &str) -> Option<Value> {
        if self.part.by_tools { mcp::output(self.called.take(), text) } else { typed }
    }
}
