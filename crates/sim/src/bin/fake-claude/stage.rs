//! The conversation of the fake Claude Code: messages become turns, tools ask their hooks, an interrupt ends what runs.

use std::collections::VecDeque;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode, Stdio, exit};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::memory::Memory;
use crate::pipes::{Input, Pipes};
use crate::scenario::{Answer, Scenario, Step, Turn};

const MODEL: &str = "claude-opus-4-8";
/// How often a running tool is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// Where it plays.
pub struct Stage {
    scenario: Scenario,
    memory: Memory,
    pipes: Pipes,
    /// Messages that wait: their ids and texts.
    waiting: VecDeque<(String, String)>,
    /// The callbacks of the host: before a tool, after a batch.
    hooks: [Option<String>; 2],
    interrupted: bool,
    closed: bool,
    failed: bool,
    turns: u32,
    tasks: u32,
    cost_usd: f64,
}

/// A tool that is about to be used.
struct Tool<'a> {
    name: &'a str,
    input: Value,
}

impl Stage {
    pub fn new(scenario: Scenario, memory: Memory, pipes: Pipes) -> Stage {
        Stage {
            scenario,
            memory,
            pipes,
            waiting: VecDeque::new(),
            hooks: [None, None],
            interrupted: false,
            closed: false,
            failed: false,
            turns: 0,
            tasks: 0,
            cost_usd: 0.0,
        }
    }

    /// Serves until the input is closed.
    pub fn play(mut self) -> ExitCode {
        loop {
            while !self.waiting.is_empty() {
                self.turn();
                if self.scenario.manners.turns_max.is_some_and(|most| self.turns >= most) {
                    return ExitCode::FAILURE;
                }
            }
            if self.closed && self.scenario.manners.leaves {
                return if self.failed { ExitCode::FAILURE } else { ExitCode::SUCCESS };
            }
            if self.closed {
                // It goes on writing to a pipe that may still be read.
                self.pipes.say(json!({"type": "keep_alive"}));
                thread::sleep(Duration::from_millis(100));
                continue;
            }
            self.listen(None);
        }
    }

    /// Takes in one line, or none within `time`; says what it answers, if it is an answer.
    fn listen(&mut self, time: Option<Duration>) -> Option<Value> {
        let line = match self.pipes.hear(time)? {
            Input::Line(line) => line,
            Input::Closed => {
                self.closed = true;
                // A caller that waits for a time must not return at once in an endless loop.
                thread::sleep(time.unwrap_or_default());
                return None;
            }
        };
        match line["type"].as_str() {
            Some("user") => {
                let text = |key: &Value| key.as_str().unwrap_or_default().to_owned();
                self.waiting.push_back((text(&line["uuid"]), text(&line["message"]["content"])));
            }
            Some("control_request") => self.obey(&line),
            Some("control_response") => {
                // The real one echoes what it was answered.
                self.pipes.say(line.clone());
                return Some(line["response"].clone());
            }
            _ => {}
        }
        None
    }

    fn obey(&mut self, line: &Value) {
        let (id, request) = (&line["request_id"], &line["request"]);
        let mut answer = json!({"subtype": "success", "request_id": id, "response": {}});
        match request["subtype"].as_str() {
            Some("initialize") => {
                let hook = |event: &str| {
                    request["hooks"][event][0]["hookCallbackIds"][0].as_str().map(str::to_owned)
                };
                self.hooks = [hook("PreToolUse"), hook("PostToolBatch")];
                match self.scenario.manners.initialize {
                    Answer::Given => {}
                    Answer::Refused => {
                        answer = json!({"subtype": "error", "request_id": id, "error": "not today"});
                    }
                    Answer::Withheld => return,
                }
                self.pipes.say(json!({"type": "control_response", "response": answer}));
                for line in &self.scenario.greets {
                    self.pipes.write(format!("{line}\n").as_bytes());
                }
                return;
            }
            Some("interrupt") => self.interrupted = self.scenario.manners.stops,
            _ => {
                answer = json!({"subtype": "error", "request_id": id, "error": "Unsupported control request"})
            }
        }
        self.pipes.say(json!({"type": "control_response", "response": answer}));
    }

    /// Asks the host and waits for its answer; null where none can come any more.
    fn ask(&mut self, request: Value) -> Value {
        let id = self.pipes.id("request");
        self.pipes.say(json!({"type": "control_request", "request_id": &id, "request": request}));
        while !self.closed && !self.interrupted {
            if let Some(answer) = self.listen(None).filter(|answer| answer["request_id"] == json!(id)) {
                return answer["response"].clone();
            }
        }
        Value::Null
    }

    fn hook(&mut self, which: usize, mut input: Value) -> Value {
        let Some(callback) = self.hooks[which].clone() else { return Value::Null };
        input["hook_event_name"] = json!(["PreToolUse", "PostToolBatch"][which]);
        let answer = self.ask(json!({"subtype": "hook_callback", "callback_id": callback, "input": input}));
        answer["hookSpecificOutput"].clone()
    }

    /// All that waits becomes one turn.
    fn turn(&mut self) {
        let begins = self.scenario.manners.begins;
        let messages: Vec<(String, String)> = self.waiting.drain(..).collect();
        let (held, new): (Vec<_>, Vec<_>) = messages.into_iter().partition(|(id, _)| self.memory.holds(id));
        if begins && !new.is_empty() {
            let (subtype, tools) = ("init", json!(["Bash"]));
            self.pipes.say(json!({"type": "system", "subtype": subtype, "model": MODEL, "tools": tools}));
        }
        for (id, text) in held.iter().chain(&new) {
            self.acknowledge(id, text);
        }
        if !begins || new.is_empty() {
            return;
        }
        self.interrupted = false;
        let text = new.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join("\n");
        let turn = self.scenario.turn(&text);
        for step in &turn.does {
            self.step(step, &turn);
            if self.interrupted {
                break;
            }
        }
        self.end(turn);
    }

    fn acknowledge(&mut self, id: &str, text: &str) {
        if !self.memory.holds(id) {
            self.memory.add(id);
            self.memory.overhear(text);
        }
        let message = json!({"role": "user", "content": text});
        self.pipes.say(json!({"type": "user", "message": message, "uuid": id, "isReplay": true}));
    }

    fn end(&mut self, turn: Turn) {
        if !self.interrupted {
            if let Some(output) = turn.says.clone() {
                self.use_tool(Tool { name: "StructuredOutput", input: output }, &turn, |_| true);
            } else {
                self.request(json!({"type": "text", "text": "Plain words."}), &turn);
            }
        }
        self.turns += 1;
        self.cost_usd += turn.cost_usd;
        self.failed = self.interrupted;
        let usage = json!({MODEL: {"contextWindow": 200_000}});
        let mut result = if self.interrupted {
            json!({"subtype": "error_during_execution", "is_error": true, "terminal_reason": "aborted_tools"})
        } else {
            json!({"subtype": "success", "is_error": false, "terminal_reason": "completed", "result": "Plain words."})
        };
        result["type"] = json!("result");
        result["modelUsage"] = usage;
        result["total_cost_usd"] = json!(self.cost_usd);
        if let Some(output) = turn.says.filter(|_| !self.interrupted) {
            result["structured_output"] = output;
        }
        self.interrupted = false;
        self.pipes.say(turn.ends.unwrap_or(result));
    }

    /// One answer of the model, with one block.
    fn request(&mut self, block: Value, turn: &Turn) {
        let usage = |output: u64| json!({"input_tokens": turn.used, "output_tokens": output});
        let message = json!({"role": "assistant", "model": MODEL, "content": [block], "usage": usage(1)});
        self.pipes.say(json!({"type": "stream_event", "event": {"type": "message_start"}}));
        self.pipes.say(json!({"type": "assistant", "message": message, "parent_tool_use_id": null}));
        let delta = json!({"type": "message_delta", "delta": {}, "usage": usage(10)});
        self.pipes.say(json!({"type": "stream_event", "event": delta, "parent_tool_use_id": null}));
    }

    fn step(&mut self, step: &Step, turn: &Turn) {
        match step {
            Step::Run(command) | Step::Ask(command) => {
                let input = json!({"command": command});
                let asks = matches!(step, Step::Ask(_));
                let name = "Bash";
                if asks {
                    let asked = json!({"subtype": "can_use_tool", "tool_name": name, "input": input});
                    let answer = self.ask(asked);
                    self.memory.overhear(&format!("may: {}", answer["behavior"].as_str().unwrap_or("?")));
                }
                self.use_tool(Tool { name, input }, turn, |stage| stage.run(command));
            }
            Step::Task(subject) => {
                self.tasks += 1;
                let input = json!({"subject": subject, "description": subject});
                self.use_tool(Tool { name: "TaskCreate", input }, turn, |_| true);
            }
            Step::Call(call) => {
                let name = format!("mcp__arbiter__{}", call.tool);
                let params = json!({"name": call.tool, "arguments": call.arguments});
                let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
                let request = json!({"subtype": "mcp_message", "server_name": "arbiter", "message": message});
                let input = call.arguments.clone();
                self.use_tool(Tool { name: &name, input }, turn, |stage| {
                    let result = stage.ask(request)["mcp_response"]["result"].clone();
                    stage.memory.overhear(result["content"][0]["text"].as_str().unwrap_or_default());
                    result["isError"] != json!(true)
                });
            }
            Step::Pause(ms) => {
                let until = Instant::now() + Duration::from_millis(*ms);
                while Instant::now() < until && !self.interrupted {
                    self.listen(Some(LOOK));
                }
            }
            Step::Line(line) => self.pipes.write(format!("{line}\n").as_bytes()),
            Step::Flood(flood) => {
                for _ in 0..flood.lines {
                    self.pipes.write(format!("{}\n", flood.line).as_bytes());
                }
            }
            Step::Long(bytes) => {
                self.request(json!({"type": "text", "text": "x".repeat(*bytes)}), turn);
            }
            Step::Complain(lines) => {
                for number in 0..*lines {
                    eprintln!("complaint {number}: {}", "it hurts ".repeat(20));
                }
            }
            Step::Break(code) => {
                self.pipes.write(br#"{"type":"result","subtype":"succ"#);
                exit(*code);
            }
            Step::Exit(code) => exit(*code),
            Step::Become(script) => {
                let error = Command::new("sh").args(["-c", script]).exec();
                eprintln!("Error: {error}");
            }
            Step::Daemon(file) => {
                let script = "echo $$ > \"$1.new\" && mv \"$1.new\" \"$1\"; exec sleep 300";
                // Without a group of its own to lead, `setsid` becomes the shell itself.
                let daemon = Command::new("setsid").args(["sh", "-c", script, "sh", file]).spawn();
                if let Err(error) = daemon {
                    eprintln!("Error: {error}");
                }
            }
        }
    }

    /// A tool from its call to what follows it: the hooks, its result, and what waits for the model meanwhile.
    fn use_tool(&mut self, tool: Tool<'_>, turn: &Turn, run: impl FnOnce(&mut Stage) -> bool) {
        let Tool { name, input } = tool;
        let call = self.pipes.id("toolu");
        self.request(json!({"type": "tool_use", "id": call, "name": name, "input": input}), turn);
        let judged = self.hook(0, json!({"tool_name": name, "tool_input": input, "tool_use_id": call}));
        let may = judged["permissionDecision"] != "deny";
        let ran = may && !self.interrupted && run(self);
        // It may have been interrupted meanwhile.
        let ok = ran && !self.interrupted;
        let (content, result) = if name == "TaskCreate" {
            let id = self.tasks.to_string();
            (format!("Task #{id} created successfully"), json!({"task": {"id": id}}))
        } else {
            ("It ran.".to_owned(), Value::Null)
        };
        let block = json!({"type": "tool_result", "tool_use_id": call, "content": content, "is_error": !ok});
        let message = json!({"role": "user", "content": [block]});
        self.pipes.say(json!({
            "type": "user", "message": message, "parent_tool_use_id": null, "tool_use_result": result
        }));
        if self.interrupted {
            return;
        }
        let context = self.hook(1, json!({"tool_calls": [{"tool_name": name}]}));
        if let Some(context) = context["additionalContext"].as_str() {
            self.memory.overhear(context);
        }
        if name != "StructuredOutput" {
            // What was said meanwhile is folded into the turn.
            for (id, text) in std::mem::take(&mut self.waiting) {
                self.acknowledge(&id, &text);
            }
        }
    }

    fn run(&mut self, command: &str) -> bool {
        // As the real one does: each command in a session of its own, which a signal to our group does not reach.
        let mut words = Command::new("setsid");
        words.args(["sh", "-c", command]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(mut child) = words.spawn() else { return false };
        loop {
            if let Some(status) = child.try_wait().unwrap_or_default() {
                return status.success();
            }
            self.listen(Some(LOOK));
            if self.interrupted {
                let group = format!("-{}", child.id());
                let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
                let _ = child.wait();
                return false;
            }
        }
    }
}
