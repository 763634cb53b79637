//! One actor as a process, spoken to over its pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sim::{unread_input, wait_until};
use tempfile::TempDir;

/// A folder with a repository, a script and a store.
pub struct Theatre {
    folder: TempDir,
}

impl Theatre {
    /// A theatre for `part`, the turns of Orchestrator I.
    pub fn new(part: &str) -> Theatre {
        let folder = tempfile::tempdir().unwrap();
        let part: String = part.lines().map(|line| format!("    {line}\n")).collect();
        let script = format!(
            "rehearsal: 1\ntitle: t\nscroll: s\nwindow: 1000\narbiter: []\norchestrators:\n  -\n{part}"
        );
        std::fs::write(folder.path().join("script.yaml"), script).unwrap();
        std::fs::create_dir(folder.path().join("clone")).unwrap();
        let theatre = Theatre { folder };
        theatre.git(&["init", "--quiet", "--template="]);
        theatre
    }

    pub fn clone(&self) -> PathBuf {
        self.folder.path().join("clone")
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git").args(arguments).current_dir(self.clone()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    pub fn commits(&self) -> usize {
        self.git(&["log", "--oneline"]).lines().count()
    }

    pub fn command(&self, extra: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rehearsal-actor"));
        command.args(["--role", "orchestrator", "--number", "1", "--key", "k-1"]);
        command.arg("--script").arg(self.folder.path().join("script.yaml"));
        command.arg("--store").arg(self.folder.path().join("store"));
        command.arg("--folder").arg(self.clone()).args(extra);
        command
    }

    pub fn start(&self, extra: &[&str]) -> Actor {
        Actor::start(self.command(extra))
    }
}

/// A running actor.
pub struct Actor {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Value>,
}

impl Actor {
    pub fn start(mut command: Command) -> Actor {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let _ = sender.send(serde_json::from_str(&line).unwrap());
            }
        });
        let stdin = child.stdin.take();
        Actor { child, stdin, lines }
    }

    /// Says a line; an actor that died does not hear it.
    pub fn tell(&mut self, line: Value) {
        let _ = writeln!(self.stdin.as_mut().unwrap(), "{line}");
    }

    /// Waits until it has read all that it was told.
    pub fn has_read(&self) {
        wait_until("it has read everything", || unread_input(self.pid()).is_none_or(|bytes| bytes == 0));
    }

    pub fn deliver(&mut self, turn: u32, key: &str) {
        self.tell(json!({"type": "deliver", "turn": turn, "key": key, "text": "go"}));
    }

    /// The next line; `None` when the actor is gone.
    pub fn next(&self) -> Option<Value> {
        match self.lines.recv_timeout(Duration::from_secs(10)) {
            Ok(line) => Some(line),
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => None,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("the actor is silent"),
        }
    }

    /// All lines up to the next of this type, in short.
    pub fn until(&self, kind: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.next() {
            let is_last = line["type"] == kind;
            lines.push(short(&line));
            if is_last {
                break;
            }
        }
        lines
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it says within `time`, or that it is gone; `None` if it is silent.
    pub fn silent_for(&self, time: Duration) -> Option<Option<Value>> {
        match self.lines.recv_timeout(time) {
            Ok(line) => Some(Some(line)),
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => Some(None),
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => None,
        }
    }

    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// Waits for the end, and gives what was said on stderr.
    pub fn end(mut self) -> (ExitStatus, String) {
        self.close();
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap(), said)
    }
}

fn short(line: &Value) -> String {
    let kind = line["type"].as_str().unwrap();
    let rest = match kind {
        "heard" => line["turn"].to_string(),
        "tool_started" => format!("{} {}", line["name"].as_str().unwrap(), line["detail"].as_str().unwrap()),
        "tool_ended" => line["ok"].to_string(),
        "gauge" => line["used"].to_string(),
        "warned" => line["percent"].to_string(),
        "tasks" => line["tasks"].as_array().unwrap().len().to_string(),
        "rested" if line["interrupted"] == true => format!("{} interrupted", line["turn"]),
        "rested" => format!("{} {}", line["turn"], line["output"]["message"].as_str().unwrap()),
        "failed" => format!("{} {}", line["turn"], line["why"].as_str().unwrap()),
        "awaits_human" => line["waiting"].to_string(),
        "stirred" | "live" => return kind.to_owned(),
        other => panic!("unknown line {other}"),
    };
    format!("{kind} {rest}")
}

#[test]
fn a_turn_is_played_as_it_is_written() {
    let theatre = Theatre::new(
        "- does:
  - {tool: Read, on: scroll.md}
  - {write: a/b.txt, text: hello}
  - {commit: First}
  - {run: [sh, -c, 'test -f a/b.txt']}
  - {run: ['false']}
  - {run: [no-such-program]}
  - {tasks: [{title: A, status: done}]}
  - {gauge: 500}
  says: {kind: progress, expects_response: false, message: Done.}
- says: {kind: handoff, expects_response: true, message: Bye.}",
    );
    let mut actor = theatre.start(&[]);
    actor.deliver(4, "t-4");
    let lines = [
        "heard 4",
        "tool_started Read scroll.md",
        "tool_ended true",
        "tool_started Write a/b.txt",
        "tool_ended true",
        "tool_started Bash git commit -m \"First\"",
        "tool_ended true",
        "tool_started Bash sh -c test -f a/b.txt",
        "tool_ended true",
        "tool_started Bash false",
        "tool_ended false",
        "tool_started Bash no-such-program",
        "tool_ended false",
        "tasks 1",
        "gauge 500",
        "rested 4 Done.",
    ];
    assert_eq!(actor.until("rested"), lines);
    actor.deliver(5, "t-5");
    assert_eq!(actor.until("rested"), ["heard 5", "rested 5 Bye."]);
    actor.deliver(6, "t-6");
    let end = "rested 6 My part ends here; nothing more is rehearsed.";
    assert_eq!(actor.until("rested"), ["heard 6", end]);
    let (status, said) = actor.end();
    assert!(status.success(), "{said}");
    let author = theatre.git(&["log", "--format=%an <%ae> %at %ct"]);
    assert_eq!(author, "Rehearsal <rehearsal@localhost> 1767225600 1767225600\n");
}

#[test]
fn a_line_that_cannot_be_read_is_the_end_and_says_so() {
    for line in [json!({"type": "what", "is": "this"}), json!({"type": "deliver", "turn": "one"}), json!([])]
    {
        let theatre = Theatre::new("[]");
        let mut actor = theatre.start(&[]);
        actor.tell(line.clone());
        actor.deliver(1, "t-1");
        assert_eq!(actor.next(), None, "{line}");
        let (status, said) = actor.end();
        assert_eq!(status.code(), Some(1));
        assert!(said.contains("a line from Arbiter was not understood"), "{said}");
    }
}

#[test]
fn a_finished_turn_delivered_again_gives_the_same_and_does_nothing() {
    let theatre = Theatre::new(
        "- does: [{write: a, text: one}, {commit: First}, {gauge: 5}]
  says: {kind: progress, expects_response: false, message: Done.}",
    );
    let mut actor = theatre.start(&[]);
    actor.deliver(1, "t-1");
    actor.until("rested");
    std::fs::write(theatre.clone().join("a"), "changed by hand").unwrap();
    let again = ["heard 1", "gauge 5", "rested 1 Done."];
    actor.deliver(1, "t-1");
    assert_eq!(actor.until("rested"), again);
    actor.end();
    let mut actor = theatre.start(&["--resume"]);
    actor.deliver(1, "t-1");
    assert_eq!(actor.until("rested"), again);
    assert_eq!(theatre.commits(), 1);
    assert_eq!(std::fs::read_to_string(theatre.clone().join("a")).unwrap(), "changed by hand");
}

/// A turn that waits for a warning can be spoken to for as long as we like.
const PATIENT: &str = "- does: [{await_warning: 70}, {tool: Read, on: a}, {tool: Read, on: b}]
  says: {kind: progress, expects_response: false, message: Calm.}
  when_warned:
    70:
      does: [{tool: Write, on: c}]
      says: {kind: handoff, expects_response: true, message: Warned.}
- says: {kind: handoff, expects_response: true, message: Second.}";

fn steer(turn: u32, key: &str) -> Value {
    json!({"type": "steer", "turn": turn, "key": key, "text": "listen"})
}

fn warn(percent: u8) -> Value {
    json!({"type": "warn", "percent": percent, "text": "full"})
}

#[test]
fn a_warning_is_heard_after_the_next_tool_and_changes_the_course() {
    let theatre = Theatre::new(PATIENT);
    let mut actor = theatre.start(&[]);
    actor.deliver(1, "t-1");
    actor.tell(warn(70));
    let read = ["heard 1", "tool_started Read a", "tool_ended true", "warned 70"];
    let write = ["tool_started Write c", "tool_ended true", "rested 1 Warned."];
    assert_eq!(actor.until("rested"), [&read[..], &write[..]].concat());
    // The house fell and asks again: it was heard.
    actor.end();
    let mut actor = theatre.start(&["--resume"]);
    actor.tell(warn(70));
    assert_eq!(actor.until("warned"), ["warned 70"]);
}

#[test]
fn a_steered_text_is_heard_once_within_the_turn() {
    let theatre = Theatre::new(PATIENT);
    let mut actor = theatre.start(&[]);
    actor.deliver(1, "t-1");
    actor.tell(steer(2, "t-2"));
    actor.tell(steer(2, "t-2"));
    actor.tell(warn(70));
    let lines = actor.until("rested");
    assert_eq!(lines[..3], ["heard 1", "heard 2", "tool_started Read a"]);
    assert_eq!(lines.iter().filter(|line| *line == "heard 2").count(), 1);
    // A house that missed it hears of it again, before the end of the turn.
    actor.deliver(1, "t-1");
    assert_eq!(actor.until("rested"), ["heard 1", "heard 2", "rested 1 Warned."]);
    actor.tell(steer(2, "t-2"));
    assert_eq!(actor.until("heard"), ["heard 2"]);
    // Should it be delivered all the same, the script stays where it is.
    actor.deliver(2, "t-2");
    assert_eq!(actor.until("rested"), ["heard 2", "rested 2 I heard this while I worked."]);
    actor.deliver(3, "t-3");
    assert_eq!(actor.until("rested"), ["heard 3", "rested 3 Second."]);
}

#[test]
fn a_steered_text_that_came_too_late_is_a_turn_of_its_own() {
    let theatre = Theatre::new(PATIENT);
    let mut actor = theatre.start(&[]);
    actor.deliver(1, "t-1");
    actor.tell(warn(70));
    actor.until("rested");
    actor.tell(steer(2, "t-2"));
    actor.deliver(2, "t-2");
    assert_eq!(actor.until("rested"), ["heard 2", "rested 2 Second."]);
}

#[test]
fn an_interrupted_turn_is_over_and_the_next_takes_its_steps_up() {
    let theatre = Theatre::new(
        "- does: [{write: a, text: one}, {pause: 60000}, {write: b, text: two}]
  says: {kind: handoff, expects_response: true, message: Done.}
- does: [{run: [sleep, '60']}]
  says: {kind: handoff, expects_response: true, message: Slept.}",
    );
    let mut actor = theatre.start(&["--pace", "human"]);
    actor.deliver(1, "t-1");
    assert_eq!(actor.until("tool_ended"), ["heard 1", "tool_started Write a", "tool_ended true"]);
    actor.tell(json!({"type": "interrupt", "turn": 9}));
    actor.has_read();
    assert!(actor.lines.try_recv().is_err(), "no turn of its own, so nothing is interrupted");
    actor.tell(json!({"type": "interrupt", "turn": 1}));
    assert_eq!(actor.until("rested"), ["rested 1 interrupted"]);
    actor.deliver(1, "t-1");
    assert_eq!(actor.until("rested"), ["heard 1", "rested 1 interrupted"]);
    actor.end();

    let mut actor = theatre.start(&["--resume"]);
    actor.deliver(2, "t-2");
    let lines = ["heard 2", "tool_started Write b", "tool_ended true", "rested 2 Done."];
    assert_eq!(actor.until("rested"), lines);
    actor.deliver(3, "t-3");
    actor.until("tool_started");
    actor.tell(json!({"type": "interrupt", "turn": 3}));
    assert_eq!(actor.until("rested"), ["tool_ended false", "rested 3 interrupted"]);
}

#[test]
fn a_closed_input_ends_the_actor_and_what_it_runs() {
    let theatre = Theatre::new(
        "- does: [{run: [sh, -c, 'echo $$ > pid; sleep 600 & wait']}]
  says: {kind: handoff, expects_response: true, message: Done.}",
    );
    let mut actor = theatre.start(&[]);
    actor.deliver(1, "t-1");
    let file = theatre.clone().join("pid");
    while !std::fs::read_to_string(&file).is_ok_and(|text| text.ends_with('\n')) {
        thread::sleep(Duration::from_millis(5));
    }
    let began = Instant::now();
    let (status, _) = actor.end();
    assert!(status.success() && began.elapsed() < Duration::from_secs(2));
    let pid = std::fs::read_to_string(file).unwrap();
    assert!(!Path::new("/proc").join(pid.trim()).exists(), "the program lives on");
}

#[test]
fn a_closed_input_ends_a_pause() {
    let theatre = Theatre::new(
        "- does: [{pause: 600000}]
  says: {kind: handoff, expects_response: true, message: Done.}",
    );
    let mut actor = theatre.start(&["--pace", "human"]);
    actor.deliver(1, "t-1");
    actor.until("heard");
    let began = Instant::now();
    assert!(actor.end().0.success() && began.elapsed() < Duration::from_secs(2));
}

#[test]
fn only_one_process_plays_a_session() {
    let theatre = Theatre::new(PATIENT);
    let mut first = theatre.start(&[]);
    first.deliver(1, "t-1");
    first.until("heard");
    let began = Instant::now();
    let second = theatre.start(&["--resume"]);
    assert_eq!(second.next(), None);
    assert!(began.elapsed() > Duration::from_secs(4), "it waits for a dying predecessor");
    let (status, said) = second.end();
    assert_eq!(status.code(), Some(1));
    assert_eq!(
        said,
        "rehearsal: session k-1 is held by another process (hint: only one process may play a session)\n"
    );
}

#[test]
fn a_successor_waits_for_a_dying_predecessor() {
    let theatre = Theatre::new(PATIENT);
    let mut first = theatre.start(&[]);
    first.deliver(1, "t-1");
    first.until("heard");
    let mut second = theatre.start(&["--resume"]);
    second.deliver(1, "t-1");
    thread::sleep(Duration::from_millis(100));
    first.end();
    assert_eq!(second.until("heard"), ["heard 1"]);
}

#[test]
fn what_an_actor_cannot_play_is_named() {
    let theatre = Theatre::new(PATIENT);
    let mut actor = theatre.start(&[]);
    actor.deliver(1, "t-1");
    actor.until("heard");
    actor.end();
    let (status, said) = theatre.start(&[]).end();
    assert_eq!(
        (status.code(), said.contains("has a conversation already (hint: resume it)")),
        (Some(1), true)
    );
    let (_, said) = theatre.start(&["--pace", "slow"]).end();
    assert_eq!(said, "rehearsal: --pace cannot be \"slow\"\n");
    let (_, said) = theatre.start(&["--key", "../k"]).end();
    assert_eq!(said, "rehearsal: --key cannot be \"../k\"\n");
    std::fs::write(theatre.path().join("store/k-1.jsonl"), "{\"did\":\"began\",\"key\":\"t-1\"}\nrubbish\n")
        .unwrap();
    let (_, said) = theatre.start(&["--resume"]).end();
    assert!(said.ends_with("k-1.jsonl is damaged at line 2\n"), "{said}");
    std::fs::write(theatre.path().join("script.yaml"), "rehearsal: 1\nx: 1\n").unwrap();
    let (_, said) = theatre.start(&["--resume"]).end();
    assert!(said.contains("line 2: unknown key `x` (hint: known here: rehearsal"), "{said}");
}

#[test]
fn in_human_pace_words_are_said_piece_by_piece() {
    let theatre = Theatre::new(
        "- says: {kind: handoff, expects_response: true, message: 'Written and tested. All of it holds, and more.'}
- says: {kind: handoff, expects_response: true, message: 'This one is stopped. It was long. And longer. And on.'}",
    );
    let mut actor = theatre.start(&["--pace", "human"]);
    actor.deliver(1, "t-1");
    let mut lines = Vec::new();
    while lines.last().is_none_or(|line: &Value| line["type"] != "rested") {
        lines.push(actor.next().unwrap());
    }
    let pieces: Vec<&str> = lines.iter().filter_map(|line| line["text"].as_str()).collect();
    let (whole, pieces) = pieces.split_last().unwrap();
    assert_eq!(*whole, "Written and tested. All of it holds, and more.");
    assert!(pieces.len() > 4 && pieces.concat() == *whole, "{pieces:?}");
    actor.deliver(2, "t-2");
    actor.until("live");
    actor.tell(json!({"type": "interrupt", "turn": 2}));
    let rest = actor.until("rested");
    assert_eq!(rest.last().unwrap(), "rested 2 interrupted");
    let kept = std::fs::read_to_string(theatre.path().join("store/k-1.jsonl")).unwrap();
    assert!(!kept.contains("live"), "{kept}");
    actor.end();

    // Whoever was killed while speaking says it again, whole.
    let mut actor = theatre.start(&["--resume", "--pace", "human"]);
    actor.deliver(3, "t-3");
    actor.until("live");
    std::process::Command::new("kill").args(["-9", &actor.pid().to_string()]).status().unwrap();
    while actor.next().is_some() {}
    let mut actor = theatre.start(&["--resume"]);
    actor.deliver(3, "t-3");
    let says = "rested 3 This one is stopped. It was long. And longer. And on.";
    assert_eq!(actor.until("rested"), ["heard 3", says]);
}
