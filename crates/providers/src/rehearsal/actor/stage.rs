//! The loop of an actor: one turn at a time, step by step, reading its input between the steps.
//!
//! Order matters for a crash at any point: what was heard and how a turn ended is recorded before it is reported; a
//! step is recorded after it is done. Reports that Arbiter may have missed are repeated when a turn is delivered again.

use std::collections::VecDeque;
use std::io::Write;
use std::time::{Duration, Instant};

use mind::limits::cut;
use serde_json::Value;

use super::ActorError;
use super::conversation::{Conversation, Deed, Played, Rest};
use super::improvise::Again;
use super::inbox::Inbox;
use super::part::Part;
use super::{hands, improvise};
use crate::limits::{RUN_TIME_MAX, WARNING_TIME_MAX};
use crate::rehearsal::Pace;
use crate::rehearsal::script::{RehearsalScript, ScriptStep, ScriptTurn, Spent};
use crate::rehearsal::wire::{Report, Told};

/// In human pace: a breath between two steps.
const BREATH: Duration = Duration::from_millis(150);
/// How long a tool that is only shown is shown.
const GESTURE: Duration = Duration::from_millis(250);
/// How often we look whether a program has ended.
const LOOK: Duration = Duration::from_millis(1);

/// An actor while it plays.
pub(super) struct Stage<'a, W> {
    pub(super) part: &'a Part,
    turns: &'a [ScriptTurn],
    window: u64,
    pub(super) conversation: Conversation,
    inbox: Inbox,
    out: W,
    /// A text delivered while a turn was running.
    waiting: VecDeque<Told>,
    /// Interjections that are not heard yet: key and number.
    steered: Vec<(String, u32)>,
    /// The warning to be heard after the next tool, in percent.
    warning: Option<u8>,
    /// The answer to the permission that the actor waits for.
    permitted: Option<(String, bool)>,
    /// The docket's answer to the call that waits, and whether it is a refusal.
    pub(super) replied: Option<(String, Value, bool)>,
    /// Whether the script wants the end of this turn reported twice.
    pub(super) is_told_twice: bool,
}

/// What the running turn does next.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cue {
    Play,
    Interrupt,
    /// The turn ends in this way, before its time.
    Rest(Box<Rest>),
    Leave,
}

impl<'a, W: Write> Stage<'a, W> {
    pub(super) fn new(
        part: &'a Part,
        script: &'a RehearsalScript,
        conversation: Conversation,
        inbox: Inbox,
        out: W,
    ) -> Stage<'a, W> {
        let turns = match &part.agent {
            Some(agent) => script.run(agent, part.number),
            None => script.part(part.role, conversation.past.heir.unwrap_or(part.number)),
        };
        let (waiting, steered) = (VecDeque::new(), Vec::new());
        Stage {
            part,
            turns,
            window: script.window,
            conversation,
            inbox,
            out,
            waiting,
            steered,
            warning: None,
            permitted: None,
            replied: None,
            is_told_twice: false,
        }
    }

    /// Plays until Arbiter closes the input.
    pub(super) fn play(mut self) -> Result<(), ActorError> {
        loop {
            let told = self.waiting.pop_front().unwrap_or_else(|| self.inbox.wait());
            let cue = match told {
                Told::Deliver { turn, key, text } => self.deliver(turn, key, &text)?,
                // Too late for the turn it was meant for: Arbiter delivers it again.
                Told::Steer { turn, key, .. } if self.conversation.past.was_steered(&key) => {
                    self.report(&Report::Heard { turn })?;
                    Cue::Play
                }
                Told::Steer { .. } | Told::Interrupt { .. } | Told::Permit { .. } | Told::Reply { .. } => {
                    Cue::Play
                }
                Told::Warn { percent, .. } => {
                    self.take_warning(percent)?;
                    Cue::Play
                }
                Told::End => Cue::Leave,
            };
            if cue == Cue::Leave {
                return self.inbox.fault().map_or(Ok(()), |why| Err(ActorError::Garbled(why.to_owned())));
            }
        }
    }

    fn deliver(&mut self, turn: u32, key: String, text: &str) -> Result<Cue, ActorError> {
        self.report(&Report::Heard { turn })?;
        let before = self.conversation.past.turn(&key).cloned();
        let played = match before {
            Some(Played { steered, rest: Some(rest), .. }) => {
                self.recount(steered)?;
                self.report_rest(turn, &key, rest)?;
                return Ok(Cue::Play);
            }
            Some(Played { steered, rest: None, .. }) => {
                self.recount(steered)?;
                self.perform(turn, text)?
            }
            None if self.conversation.past.was_steered(&key) => {
                self.conversation.note(Deed::Began { key: key.clone() })?;
                Ok(improvised(improvise::heard_before(self.part.role)))
            }
            None => {
                self.conversation.note(Deed::Began { key: key.clone() })?;
                self.perform(turn, text)?
            }
        };
        let rest = match played {
            Ok(rest) => rest,
            Err(Cue::Interrupt) => Rest { interrupted: true, ..scripted(None, 0) },
            Err(Cue::Rest(rest)) => *rest,
            Err(Cue::Play | Cue::Leave) => return Ok(Cue::Leave),
        };
        // Arbiter delivers again what was not heard by now.
        self.steered.clear();
        self.conversation.note(Deed::Rested(rest.clone()))?;
        if std::mem::take(&mut self.is_told_twice) {
            self.report_rest(turn, &key, rest.clone())?;
        }
        self.report_rest(turn, &key, rest)?;
        Ok(Cue::Play)
    }

    /// Repeats reports that Arbiter may have missed when it died.
    fn recount(&mut self, steered: Vec<(String, u32)>) -> Result<(), ActorError> {
        for (_, turn) in steered {
            self.report(&Report::Heard { turn })?;
        }
        if let Some(used) = self.conversation.past.gauge {
            self.report(&Report::Gauge { used, window: self.window })?;
        }
        if let Some(tasks) = self.conversation.past.tasks.clone() {
            self.report(&Report::Tasks { tasks })?;
        }
        Ok(())
    }

    /// Plays the turn from where the conversation stands; `Err` says why it was not played to its end.
    fn perform(&mut self, turn: u32, text: &str) -> Result<Result<Rest, Cue>, ActorError> {
        if let Some(rest) = self.improvise(text) {
            return self.speak(turn, rest);
        }
        let Some(written) = self.turns.get(self.conversation.past.cursor.turn) else {
            return self.speak(turn, improvised(improvise::at_the_end(self.part.role)));
        };
        // Waiting is not recorded as a step: after a crash the actor waits again.
        let mut at = self.conversation.past.cursor.done;
        loop {
            let branch = self.conversation.past.cursor.branch;
            let course = written.course_at(branch);
            let cue = self.boundary(turn)?;
            if cue != Cue::Play {
                return Ok(Err(cue));
            }
            let Some(step) = course.does.get(at) else {
                let says = self.fill_in(course.says.clone());
                let rest = Rest { spent: written.spent, ..scripted(Some(says), written.cost_microusd) };
                return self.speak(turn, rest);
            };
            let cue = self.step(turn, step, at + 1)?;
            if cue != Cue::Play {
                return Ok(Err(cue));
            }
            at += 1;
            if self.note_step(written, step, at)? {
                at = 0;
            }
            // A breath comes after the note: an interrupt in it does not make the step be done again.
            let cue = if is_tool(step) { self.linger(turn, BREATH)? } else { Cue::Play };
            if cue != Cue::Play {
                return Ok(Err(cue));
            }
        }
    }

    /// A text that the script does not foresee: it is answered, and the script keeps its place.
    fn improvise(&self, text: &str) -> Option<Rest> {
        let role = self.part.role;
        if let Some(output) = improvise::interjection(role, text) {
            return Some(improvised(output));
        }
        let before = self.conversation.past.cursor.turn.checked_sub(1)?;
        Some(match improvise::turned_back(role, text)? {
            Again::Ask(output) => Rest { back: true, ..improvised(output) },
            Again::Summon => improvised(self.turns.get(before)?.course.says.clone()),
        })
    }

    /// Records a step as done. After a tool the waiting warning is heard; returns whether that changed the course.
    fn note_step(
        &mut self,
        written: &ScriptTurn,
        step: &ScriptStep,
        done: usize,
    ) -> Result<bool, ActorError> {
        let warned = if is_tool(step) { self.warning.take() } else { None };
        let branch = warned.and_then(|percent| written.branch_at(percent));
        let branch = branch.filter(|at| Some(*at) > self.conversation.past.cursor.branch);
        match step {
            ScriptStep::AwaitWarning(_) | ScriptStep::Mishap { .. } => {}
            ScriptStep::Tool { .. }
            | ScriptStep::Write { .. }
            | ScriptStep::Commit { .. }
            | ScriptStep::Run { .. }
            | ScriptStep::Ask { .. }
            | ScriptStep::Push(_)
            | ScriptStep::Await
            | ScriptStep::Tasks(_)
            | ScriptStep::Gauge(_)
            | ScriptStep::Pause(_) => self.conversation.note(Deed::Stepped { done, warned, branch })?,
        }
        if let Some(percent) = warned {
            self.report(&Report::Warned { percent })?;
        }
        Ok(branch.is_some())
    }

    /// Does one step; with it, `done` steps of the course are done.
    fn step(&mut self, turn: u32, step: &ScriptStep, done: usize) -> Result<Cue, ActorError> {
        match step {
            ScriptStep::Tool { name, on } => {
                self.report(&Report::ToolStarted { name: name.clone(), detail: on.clone() })?;
                let cue = self.linger(turn, GESTURE)?;
                self.report(&Report::ToolEnded { ok: true })?;
                Ok(cue)
            }
            ScriptStep::Write { path, text } => {
                self.begin_tool("Write", path)?;
                let ok = hands::write(&self.part.folder, path, text);
                self.end_tool(ok.map(|()| true))
            }
            ScriptStep::Commit { message } => {
                self.begin_tool("Bash", &format!("git commit -m {message:?}"))?;
                let ok = hands::commit(&self.part.folder, message);
                self.end_tool(ok)
            }
            ScriptStep::Run { argv } => self.run(turn, argv),
            ScriptStep::Ask { argv } => self.ask(turn, argv, done),
            ScriptStep::Push(petition) => self.push(turn, petition, done),
            ScriptStep::Await => self.await_answers(turn, done),
            ScriptStep::Tasks(tasks) => {
                self.conversation.note(Deed::Tasked { tasks: tasks.clone() })?;
                self.report(&Report::Tasks { tasks: tasks.clone() })?;
                Ok(Cue::Play)
            }
            ScriptStep::Gauge(used) => {
                self.conversation.note(Deed::Gauged { used: *used })?;
                self.report(&Report::Gauge { used: *used, window: self.window })?;
                Ok(Cue::Play)
            }
            ScriptStep::AwaitWarning(percent) => self.await_warning(turn, *percent),
            ScriptStep::Pause(ms) => self.linger(turn, Duration::from_millis(*ms)),
            ScriptStep::Mishap { mishap, always } => {
                if !always {
                    self.conversation.note(Deed::Stepped { done, warned: None, branch: None })?;
                }
                self.strike(mishap)
            }
        }
    }

    pub(super) fn begin_tool(&mut self, name: &str, detail: &str) -> Result<(), ActorError> {
        self.report(&Report::ToolStarted { name: name.to_owned(), detail: cut(detail, 200) })
    }

    pub(super) fn end_tool(&mut self, ended: std::io::Result<bool>) -> Result<Cue, ActorError> {
        if let Err(error) = &ended {
            eprintln!("rehearsal: {error}");
        }
        self.report(&Report::ToolEnded { ok: ended.unwrap_or(false) })?;
        Ok(Cue::Play)
    }

    /// Runs a program to its end, reading the input meanwhile.
    fn run(&mut self, turn: u32, argv: &[String]) -> Result<Cue, ActorError> {
        self.begin_tool("Bash", &argv.join(" "))?;
        let mut child = match hands::start(&self.part.folder, argv) {
            Ok(child) => child,
            Err(error) => return self.end_tool(Err(error)),
        };
        let deadline = Instant::now() + RUN_TIME_MAX;
        loop {
            if let Some(status) = child.try_wait().unwrap_or_default() {
                return self.end_tool(Ok(status.success()));
            }
            let cue = self.listen(turn, LOOK)?;
            if cue == Cue::Play && Instant::now() < deadline {
                continue;
            }
            hands::stop(&mut child);
            self.report(&Report::ToolEnded { ok: false })?;
            return Ok(cue);
        }
    }

    /// Asks for permission to run a program, and waits for the answer however long it takes.
    fn ask(&mut self, turn: u32, argv: &[String], done: usize) -> Result<Cue, ActorError> {
        let call = format!("{turn}-{done}-{}", std::process::id());
        self.report(&Report::Asks { call: call.clone(), argv: argv.to_vec() })?;
        loop {
            match self.permitted.take() {
                Some((answered, true)) if answered == call => return self.run(turn, argv),
                Some((answered, false)) if answered == call => return Ok(Cue::Play),
                Some(_) | None => {}
            }
            let cue = self.listen(turn, WARNING_TIME_MAX)?;
            if cue != Cue::Play {
                return Ok(cue);
            }
        }
    }

    fn await_warning(&mut self, turn: u32, percent: u8) -> Result<Cue, ActorError> {
        let deadline = Instant::now() + WARNING_TIME_MAX;
        loop {
            let has_come = self.warning.is_some_and(|warning| warning >= percent);
            let left = deadline.saturating_duration_since(Instant::now());
            if has_come || self.conversation.past.warned >= percent || left.is_zero() {
                return Ok(Cue::Play);
            }
            let cue = self.listen(turn, left)?;
            if cue != Cue::Play {
                return Ok(cue);
            }
        }
    }

    /// Between two steps: reads everything that Arbiter has sent, and hears the interjections.
    fn boundary(&mut self, turn: u32) -> Result<Cue, ActorError> {
        while let Some(told) = self.inbox.wait_for(Duration::ZERO) {
            let cue = self.take(turn, told)?;
            if cue != Cue::Play {
                return Ok(cue);
            }
        }
        for (key, turn) in std::mem::take(&mut self.steered) {
            self.conversation.note(Deed::Steered { key, turn })?;
            self.report(&Report::Heard { turn })?;
        }
        Ok(Cue::Play)
    }

    /// A pause at human pace, in which the input is read.
    pub(super) fn linger(&mut self, turn: u32, time: Duration) -> Result<Cue, ActorError> {
        let time = match self.part.pace {
            Pace::Fast => return Ok(Cue::Play),
            Pace::Human => time,
        };
        let deadline = Instant::now() + time;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Cue::Play);
            }
            let cue = self.listen(turn, left)?;
            if cue != Cue::Play {
                return Ok(cue);
            }
        }
    }

    /// Waits at most `time` for one line from Arbiter.
    pub(super) fn listen(&mut self, turn: u32, time: Duration) -> Result<Cue, ActorError> {
        match self.inbox.wait_for(time) {
            Some(told) => self.take(turn, told),
            None => Ok(Cue::Play),
        }
    }

    /// Handles a line from Arbiter while `turn` is running.
    fn take(&mut self, turn: u32, told: Told) -> Result<Cue, ActorError> {
        match told {
            Told::Deliver { turn: again, .. } if again == turn => self.report(&Report::Heard { turn })?,
            Told::Deliver { .. } => self.waiting.push_back(told),
            Told::Steer { turn, key, .. } => {
                if self.conversation.past.was_steered(&key) {
                    self.report(&Report::Heard { turn })?;
                } else if self.steered.iter().all(|(waiting, _)| *waiting != key) {
                    self.steered.push((key, turn));
                }
            }
            Told::Warn { percent, .. } => self.take_warning(percent)?,
            Told::Interrupt { turn: which } if which == turn => return Ok(Cue::Interrupt),
            Told::Interrupt { .. } => {}
            Told::Permit { call, allowed } => self.permitted = Some((call, allowed)),
            Told::Reply { call, told, refused } => self.replied = Some((call, told, refused)),
            Told::End => return Ok(Cue::Leave),
        }
        Ok(Cue::Play)
    }

    /// A warning waits for the next tool; one that was heard before is only acknowledged again.
    fn take_warning(&mut self, percent: u8) -> Result<(), ActorError> {
        if percent <= self.conversation.past.warned {
            return self.report(&Report::Warned { percent });
        }
        self.warning = self.warning.max(Some(percent));
        Ok(())
    }

    /// A turn's key is its own in all missions, so it also names the report of what the turn took and cost.
    fn report_rest(&mut self, turn: u32, key: &str, rest: Rest) -> Result<(), ActorError> {
        let text = message(&rest).to_owned();
        let Rest { interrupted, failed, output, cost_microusd, spent, .. } = rest;
        if spent.is_some() || cost_microusd > 0 {
            let Spent { input, output } = spent.unwrap_or_default();
            self.report(&Report::Spent { report: key.to_owned(), input, output, cost_microusd })?;
        }
        if let Some(failed) = failed {
            return self.report(&Report::Failed { turn, failed });
        }
        self.report(&Report::Rested { turn, interrupted, output, text })
    }

    pub(super) fn report(&mut self, report: &Report) -> Result<(), ActorError> {
        let mut line = serde_json::to_vec(report).map_err(|error| ActorError::Unheard(error.into()))?;
        line.push(b'\n');
        self.say(&line)
    }

    pub(super) fn say(&mut self, lines: &[u8]) -> Result<(), ActorError> {
        self.out.write_all(lines).and_then(|()| self.out.flush()).map_err(ActorError::Unheard)
    }
}

fn scripted(output: Option<Value>, cost_microusd: u64) -> Rest {
    Rest { interrupted: false, scripted: true, failed: None, back: false, output, cost_microusd, spent: None }
}

pub(super) fn improvised(output: Value) -> Rest {
    Rest { scripted: false, ..scripted(Some(output), 0) }
}

pub(super) fn message(rest: &Rest) -> &str {
    let said = |name| rest.output.as_ref().and_then(|output| output.get(name)).and_then(Value::as_str);
    said("message").or_else(|| said("summary")).unwrap_or("")
}

fn is_tool(step: &ScriptStep) -> bool {
    match step {
        ScriptStep::Tool { .. }
        | ScriptStep::Write { .. }
        | ScriptStep::Commit { .. }
        | ScriptStep::Run { .. }
        | ScriptStep::Ask { .. }
        | ScriptStep::Push(_)
        | ScriptStep::Await => true,
        ScriptStep::Tasks(_)
        | ScriptStep::Gauge(_)
        | ScriptStep::AwaitWarning(_)
        | ScriptStep::Pause(_)
        | ScriptStep::Mishap { .. } => false,
    }
}
