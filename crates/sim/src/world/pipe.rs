//! The pipe between an agent and the mission, byte by byte: an event is written as a line of the rehearsal's protocol,
//! read by the reader of the real driver and understood by its translation. A process may die at any byte, and may
//! write lines that cannot be read.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use mind::event::{DocketCall, Failure, TurnEnd};
use mind::petition::tools;
use mind::{Address, AgentEvent, Timestamp};
use providers::limits::{LINE_BYTES_MAX, STIR_EVERY};
use providers::rehearsal::translate::hear;
use serde_json::{Value, json};
use tokio::io::BufReader;

use super::World;
use super::fault::Fault;

/// The driver's own reader: what it makes of half a line is what the mission gets.
#[path = "../../../providers/src/lines.rs"]
mod reader;

impl World {
    /// The events that the mission gets when a living agent says something.
    pub(super) fn through_pipe(&mut self, address: Address, event: AgentEvent) -> Vec<AgentEvent> {
        // No line says that.
        let Some(line) = written(&event) else { return vec![event] };
        let mut bytes = Vec::new();
        if self.strikes(Fault::Garbled, 120) {
            bytes.extend(self.garbage());
        }
        bytes.extend(line.bytes());
        bytes.push(b'\n');
        let dies = self.strikes(Fault::DiesInLine, 150);
        if dies {
            bytes.truncate(self.dice.below(bytes.len() as u64) as usize);
        }
        let chunk = self.dice.pick(&[1, 16, 8 * 1024]);
        let mut heard = Vec::new();
        for text in lines(&bytes, chunk) {
            let meant = hear(&text, Timestamp(self.now));
            let whole = meant.as_ref().and_then(written);
            assert!(whole.is_none_or(|whole| whole == line), "a line means something else: {text}");
            // A line that we do not know is a sign of life all the same.
            let meant = meant.unwrap_or(AgentEvent::Stirred);
            if meant != AgentEvent::Stirred || self.stirs(address) {
                heard.push(with_tree_of(&event, meant));
            }
        }
        if dies {
            if let Some(agent) = self.living(address) {
                agent.die();
            }
            heard.push(AgentEvent::Lost { why: Arc::from("it died in the middle of a line") });
        }
        heard
    }

    /// Signs of life are told once in a while only, as the driver does.
    fn stirs(&mut self, address: Address) -> bool {
        let (now, every) = (self.now, STIR_EVERY.as_millis() as u64);
        let Some(agent) = self.living(address) else { return false };
        let stirs = agent.stirred.is_none_or(|at| now - at >= every);
        if stirs {
            agent.stirred = Some(now);
        }
        stirs
    }

    /// Lines that cannot be read.
    fn garbage(&mut self) -> Vec<u8> {
        match self.dice.below(5) {
            0 => b"thread 'main' panicked at src/main.rs:1:1:\n".to_vec(),
            1 => b"\xff\xfe\x00\x80\n".to_vec(),
            2 => b"\n\r\n".to_vec(),
            3 => b"{\"type\":\"sang\",\"song\":\"of the sea\"}\n".to_vec(),
            _ => b"{\"type\":\"rested\",\"turn\":-1}\n".to_vec(),
        }
    }
}

/// The lines in a pipe that is closed after these bytes and hands them out in chunks.
fn lines(bytes: &[u8], chunk: usize) -> Vec<String> {
    let mut pipe = BufReader::with_capacity(chunk, bytes);
    let mut context = Context::from_waker(Waker::noop());
    let mut lines = Vec::new();
    loop {
        let next = pin!(reader::read(&mut pipe, LINE_BYTES_MAX)).poll(&mut context);
        match next {
            Poll::Ready(Some(line)) => {
                assert_eq!(line.dropped, 0, "bytes of a short line are dropped");
                lines.push(line.text);
            }
            Poll::Ready(None) => return lines,
            Poll::Pending => panic!("bytes in memory are waited for"),
        }
    }
}

/// An agent does not tell its tree: the driver looks for itself.
fn with_tree_of(said: &AgentEvent, heard: AgentEvent) -> AgentEvent {
    match (said, heard) {
        (AgentEvent::Rested { tree, .. }, AgentEvent::Rested { turn, end, .. }) => {
            AgentEvent::Rested { turn, end, tree: tree.clone() }
        }
        (_, heard) => heard,
    }
}

/// The line that carries an event.
fn written(event: &AgentEvent) -> Option<String> {
    let line = match event {
        AgentEvent::Heard(turn) => json!({"type": "heard", "turn": turn}),
        AgentEvent::ToolStarted { call, name, detail } => {
            json!({"type": "tool_started", "call": call, "name": name, "detail": detail})
        }
        AgentEvent::ToolEnded { call, ok } => json!({"type": "tool_ended", "call": call, "ok": ok}),
        AgentEvent::Gauged(gauge) => {
            json!({"type": "gauge", "used": gauge.used, "window": gauge.window})
        }
        AgentEvent::Warned { percent } => json!({"type": "warned", "percent": percent}),
        AgentEvent::Tasks(tasks) => json!({"type": "tasks", "tasks": tasks}),
        AgentEvent::Spent { report, input, output, cost_microusd } => {
            json!({"type": "spent", "report": report, "input": input, "output": output,
                   "cost_microusd": cost_microusd})
        }
        AgentEvent::Stirred => json!({"type": "stirred"}),
        AgentEvent::AwaitsHuman(waiting) => json!({"type": "awaits_human", "waiting": waiting}),
        AgentEvent::Failed { turn, failure } => failed(turn.0, failure),
        AgentEvent::Rested { turn, end, .. } => {
            let mut line = json!({"type": "rested", "turn": turn});
            match end {
                TurnEnd::Spoke { output, text } => {
                    line["text"] = json!(text);
                    if let Some(output) = output {
                        line["output"] = output.clone();
                    }
                }
                TurnEnd::Interrupted => line["interrupted"] = json!(true),
            }
            line
        }
        AgentEvent::Pleads { call, plea } => {
            let (tool, given) = match plea {
                DocketCall::Push(draft) => (tools::PUSH, json!(draft)),
                DocketCall::Status(id) => (tools::STATUS, json!({"id": id})),
                DocketCall::Get { id, partial } => (tools::GET, json!({"id": id, "partial": partial})),
                DocketCall::Await(id) => (tools::AWAIT, json!({"id": id})),
            };
            json!({"type": "pleads", "call": call, "tool": tool, "given": given})
        }
        // The driver tells where a process is; what an actor asks is bound to its own words.
        AgentEvent::Housed(_)
        | AgentEvent::Remarked(_)
        | AgentEvent::ProgramVersion(_)
        | AgentEvent::Asks { .. }
        | AgentEvent::Denied { .. }
        | AgentEvent::Unasks { .. }
        | AgentEvent::Lost { .. }
        | AgentEvent::Unstarted { .. }
        | AgentEvent::LoggedOut { .. } => {
            return None;
        }
    };
    Some(line.to_string())
}

fn failed(turn: u32, failure: &Failure) -> Value {
    let (kind, why, until) = match failure {
        Failure::Transient(why) => ("transient", why, None),
        Failure::Limited { why, until } => ("limit", why, *until),
        Failure::Unauthorised(why) => ("login", why, None),
        Failure::Refused(why) => ("refused", why, None),
    };
    let mut line = json!({"type": "failed", "turn": turn, "kind": kind, "why": why});
    if let Some(until) = until {
        line["until_ms"] = json!(until);
    }
    line
}
