//! The words of the play language: one line becomes one event.
//!
//! | line | event |
//! | --- | --- |
//! | `open [policy NAME] [checks "A B" "C"] [no-steer] [by-tools] [warn 60 80] [warnings silent|off] [scroll "TEXT"] [prompt FILE "TEXT"] [agents] [limited AGENT iterations|timeout|tokens|calls N] [note "TITLE" "TEXT"]` | a mission is opened |
//! | `limits [most 5] [failures 3] [deadline 10m] [tokens 100] [budget MICROUSD]` | the limits of a mission that goes on; the same words open a council with limits |
//! | `settled`, `broken: WHY`, `restart` | the clone stands; the workspace fails; the mission loop starts again |
//! | `human: TEXT`, `human @orchestrator: TEXT`, `policy NAME: TEXT` | words |
//! | `human before: TEXT` | words written before anything was asked |
//! | `human pause` (resume, interrupt, release, cancel) | actions |
//! | `arbiter INTENT [asks A] [claim C] [agent A] [provider P] [model M]: TEXT` | the Arbiter's turn ends |
//! | `orchestrator KIND: TEXT`, `orchestrator progress?: TEXT` | a worker's turn ends; `?` expects a reply |
//! | `verifier pass: TEXT`, `verifier fail: TEXT \| FINDING \| FINDING` | the verifier judges |
//! | `WHO raw JSON`, `WHO plain: TEXT`, `WHO silent`, `WHO interrupted` | other ends of a turn |
//! | `WHO tool NAME DETAIL`, `WHO tool ok`, `WHO tool failed` | tools |
//! | `WHO gauge 142000/200000` (or `/~200000`, a guess), `WHO warned 70`, `WHO tasks [x] A \| [ ] B`, `WHO heard [t5]`, `lost WHO: WHY`, `loggedout WHO: WHY` | reports |
//! | `WHO remarks: WORDS` | its program has something for a person |
//! | `WHO spent IN OUT [for MICROUSD] [as REPORT]` | a report of usage; without a name it has its turn's |
//! | `stale s2.1 ...` | any of a session's lines, from that life of it |
//! | `surveyed c2 [dirty] [for g1]`, `check pass [for g1]`, `check fail 101: TAIL`, `check timeout`, `check pass #1` | the gate |
//! | `unfit [for g1]: WHY` | what a claim needs cannot be done |
//! | `hindered [for g1]: WHY` | the machine keeps a claim from being examined |
//! | `brought [c2] [for g1]` | the work of a claim lies in the project, at the commit that was surveyed or at another |
//! | `WHO fails: WHY`, `WHO limited [+5m]: WHY`, `WHO unauthorised: WHY`, `WHO refused: WHY` | errors of the running turn |
//! | `WHO stirs`, `WHO awaits human`, `WHO awaits nobody` | signs of life |
//! | `WHO asks COMMAND [\[SHAPE, SHAPE\]]`, `WHO unasks COMMAND`, `WHO denied COMMAND: WHY`, `WHO housed LEVEL` | a tool waits for a yes, or no longer, or is refused; what holds it |
//! | `human yes q1 [hour\|mission]`, `human no q1: WHY`, `human yes q1 to COMMAND`, `policy NAME yes q1` | answers |
//! | `attended`, `unattended` | whether a person is there to be asked, at a terminal; a second `unattended` closes it |
//! | `WHO pleads push TITLE [KEY, KEY]` (status, get, await 1) | a session wants something of the docket |
//! | `docket 1 decided [forged] [by policy]: ID=ANSWER | ID=skip`, `docket 1 late: ...`, `docket 1 closed: WHY`, `docket 1 unasked: WHY` | what became of a petition |
//! | `alarm`, `later 10m` | the clock goes to what is due next and rings; no event: time passes |
//! | `again` | the last event once more |
//! | `tree c2 [dirty]`, `tree unknown` | no event: the clone that later rests report |

use std::str::FromStr;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::access::SandboxLevel;
use crate::actor::{Actor, Door};
use crate::event::{AgentEvent, Event, Failure, HumanAction, HumanEvent, TurnEnd, WorkspaceEvent};
use crate::id::{Address, GateId, PermissionId, SessionId, Timestamp, TurnId};
use crate::policy::{GrantScope, PermissionRequest, Risk};
use crate::session::{CloneTree, Gauge, Session, Task, TaskStatus};
use crate::talk::{CheckStatus, Receipt};

use super::Stage;
use super::charter::charter;

impl Stage {
    /// The event that a line tells of.
    pub fn event(&mut self, line: &str) -> Event {
        let (head, text) = match line.split_once(": ") {
            Some((head, text)) => (head, text),
            None => (line, ""),
        };
        let words: Vec<&str> = head.split_whitespace().collect();
        match words.as_slice() {
            ["open", ..] => Event::Opened(Box::new(charter(line))),
            ["settled"] => Event::Workshop(settled()),
            ["rebuilt", commit] => Event::Workshop(WorkspaceEvent::Rebuilt { commit: Arc::from(*commit) }),
            ["broken"] => Event::Workshop(WorkspaceEvent::Broken { why: Arc::from(text) }),
            ["restart"] => Event::Started,
            ["limits", ..] => Event::LimitsSet(super::charter::limits(line)),
            ["alarm"] => Event::Alarm,
            ["attended"] => Event::Attended(true),
            ["unattended"] => Event::Attended(false),
            ["docket", rest @ ..] => self.docket_event(rest, text),
            ["prepared" | "inspected" | "uninspected" | "decides", ..] => self.conductor_event(line),
            ["again"] => self.last.clone().unwrap_or_else(|| panic!("nothing has happened yet")),
            ["human", "@orchestrator"] => self.human(HumanAction::SayToOrchestrator(Arc::from(text))),
            ["human", "before"] => {
                let Event::Human(event) = self.human(HumanAction::Say(Arc::from(text))) else {
                    unreachable!("a human event")
                };
                Event::Human(HumanEvent { written: Timestamp(0), ..event })
            }
            ["human", verb @ ("yes" | "no"), ask, rest @ ..] => {
                let action = self.answer(verb, ask, rest, text);
                self.human(action)
            }
            ["policy", name, verb @ ("yes" | "no"), ask, rest @ ..] => {
                let action = self.answer(verb, ask, rest, text);
                self.letter(Actor::Policy(Arc::from(*name)), action)
            }
            ["human", action @ ..] => self.human(deed_of(action, text, line)),
            ["policy", name] => {
                let actor = Actor::Policy(Arc::from(*name));
                self.letter(actor, HumanAction::Say(Arc::from(text)))
            }
            ["surveyed", commit, rest @ ..] => {
                let (gate, rest) = self.gate_of(rest);
                let tree = tree(commit, rest == ["dirty"]);
                Event::Workshop(WorkspaceEvent::Surveyed { gate, tree })
            }
            ["check", rest @ ..] => self.check(rest, text, line),
            ["unfit", rest @ ..] => {
                let (gate, _) = self.gate_of(rest);
                Event::Workshop(WorkspaceEvent::Unfit { gate, why: Arc::from(text) })
            }
            ["hindered", rest @ ..] => {
                let (gate, _) = self.gate_of(rest);
                Event::Workshop(WorkspaceEvent::Hindered { gate, why: Arc::from(text) })
            }
            ["brought", rest @ ..] => {
                let (gate, rest) = self.gate_of(rest);
                let surveyed = self.state.gate.as_ref().and_then(|gate| gate.tree.clone());
                let commit = match rest {
                    [commit, ..] => Arc::from(*commit),
                    [] => surveyed.map_or(Arc::from("unknown"), |tree| tree.commit),
                };
                Event::Workshop(WorkspaceEvent::Brought { gate, commit })
            }
            ["lost", who] => {
                let address = self.called(who).address();
                Event::Agent(address, AgentEvent::Lost { why: Arc::from(text) })
            }
            ["unstarted", who] => {
                let address = self.called(who).address();
                Event::Agent(address, AgentEvent::Unstarted { why: Arc::from(text) })
            }
            ["loggedout", who] => {
                let address = self.called(who).address();
                Event::Agent(address, AgentEvent::LoggedOut { why: Arc::from(text) })
            }
            ["stale", address, ..] => {
                let rest = line.splitn(3, ' ').nth(2).unwrap_or_default();
                self.agent(address_of(address), rest)
            }
            [who @ ("arbiter" | "orchestrator" | "verifier" | "agent"), ..] => {
                let address = self.called(who).address();
                self.agent(address, line.split_once(' ').map_or("", |(_, rest)| rest))
            }
            _ => panic!("cannot read the line {line:?}"),
        }
    }

    fn called(&self, who: &str) -> &Session {
        let session = match who {
            "arbiter" => self.state.arbiter(),
            "agent" => self.state.active_agent(),
            _ => self.state.worker(),
        };
        session.unwrap_or_else(|| panic!("there is no {who}"))
    }

    fn human(&mut self, action: HumanAction) -> Event {
        self.letter(Actor::human(Door::Terminal, "ada"), action)
    }

    fn letter(&mut self, actor: Actor, action: HumanAction) -> Event {
        let inbox_id = self.next_letter();
        Event::Human(HumanEvent { inbox_id, actor, written: self.now(), action })
    }

    /// An answer to a question, bound to what it is about, or to what the line says.
    fn answer(&self, verb: &str, asked: &str, rest: &[&str], why: &str) -> HumanAction {
        let permission = PermissionId(number(asked.trim_start_matches('q')));
        let shown = self
            .state
            .permission(permission)
            .map_or(Arc::from("nothing"), |(_, ask)| ask.request.digest.clone());
        let (scope, digest) = match rest {
            [] => (GrantScope::Once, shown),
            ["hour"] => (GrantScope::Hour, shown),
            ["mission"] => (GrantScope::Mission, shown),
            ["to", command @ ..] => (GrantScope::Once, digest_of(&command.join(" "))),
            _ => panic!("cannot read the answer: {rest:?}"),
        };
        HumanAction::Answer { permission, digest, allowed: verb == "yes", scope, why: Arc::from(why) }
    }

    /// The claim that stands, or the one named by `for g1`.
    fn gate_of<'a>(&self, words: &'a [&'a str]) -> (GateId, &'a [&'a str]) {
        match words {
            [rest @ .., "for", gate] => (GateId(number(gate.trim_start_matches('g'))), rest),
            rest => (self.state.gate.as_ref().map_or(GateId(self.state.gates), |gate| gate.id), rest),
        }
    }

    fn check(&self, words: &[&str], tail: &str, line: &str) -> Event {
        let (gate, words) = self.gate_of(words);
        let (status, words) = match words {
            ["pass", rest @ ..] => (CheckStatus::Exited(0), rest),
            ["fail", code, rest @ ..] => (CheckStatus::Exited(number(code)), rest),
            ["timeout", rest @ ..] => (CheckStatus::TimedOut, rest),
            _ => panic!("cannot read the check {line:?}: pass, fail CODE or timeout"),
        };
        let standing = self.state.gate.as_ref();
        let index = match words {
            [] => standing.map_or(0, |gate| gate.passed),
            [index] => number(index.trim_start_matches('#')),
            _ => panic!("cannot read the check {line:?}"),
        };
        let checks = self.state.charter.as_ref().map(|charter| charter.checks.clone());
        let argv = checks.and_then(|checks| checks.get(index as usize).cloned()).unwrap_or_default();
        let tree = standing.and_then(|gate| gate.tree.clone());
        let receipt = Receipt {
            argv,
            commit: tree.map_or(Arc::from("unknown"), |tree| tree.commit),
            status,
            duration_ms: 10,
            output_digest: Arc::from("sha256:0"),
            output_tail: Arc::from(tail),
        };
        Event::Workshop(WorkspaceEvent::Checked { gate, index, receipt })
    }

    /// What one life of a session reports.
    fn agent(&self, address: Address, line: &str) -> Event {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let turn = self.turn_of(address);
        let event = match verb {
            "heard" => AgentEvent::Heard(if rest.is_empty() { turn } else { turn_named(rest) }),
            "tool" => match rest.split_once(' ').unwrap_or((rest, "")) {
                ("ok", _) => AgentEvent::ToolEnded { call: Arc::from(""), ok: true },
                ("failed", _) => AgentEvent::ToolEnded { call: Arc::from(""), ok: false },
                (name, detail) => AgentEvent::ToolStarted {
                    call: Arc::from(""),
                    name: Arc::from(name),
                    detail: Arc::from(detail),
                },
            },
            "gauge" => {
                let (used, window) =
                    rest.split_once('/').unwrap_or_else(|| panic!("gauge USED/WINDOW, not {rest:?}"));
                let guessed = window.starts_with('~');
                AgentEvent::Gauged(Gauge {
                    used: number(used),
                    window: number(window.trim_start_matches('~')),
                    source: Arc::from("usage"),
                    guessed,
                })
            }
            "warned" => AgentEvent::Warned { percent: number(rest) },
            "tasks" => AgentEvent::Tasks(rest.split(" | ").enumerate().map(task).collect()),
            "stirs" => AgentEvent::Stirred,
            "spent" => {
                let (report, rest) = match rest.split_once(" as ") {
                    Some((rest, report)) => (Arc::from(report), rest),
                    None => (Arc::from(turn.to_string()), rest),
                };
                let (rest, cost_microusd) = match rest.split_once(" for ") {
                    Some((rest, cost)) => (rest, number(cost)),
                    None => (rest, 0),
                };
                let (input, output) =
                    rest.split_once(' ').unwrap_or_else(|| panic!("spent IN OUT, not {rest:?}"));
                AgentEvent::Spent { report, input: number(input), output: number(output), cost_microusd }
            }
            "housed" => AgentEvent::Housed(match rest {
                "landlock" => SandboxLevel::Landlock,
                "off" => SandboxLevel::Off,
                _ => SandboxLevel::Bubblewrap,
            }),
            "remarks:" => AgentEvent::Remarked(Arc::from(rest)),
            "version" => AgentEvent::ProgramVersion(Arc::from(rest)),
            "asks" => {
                let (command, shapes) = rest.split_once(" [").unwrap_or((rest, ""));
                let shapes = shapes.trim_end_matches(']').split(", ").filter(|shape| !shape.is_empty());
                let question = PermissionRequest {
                    tool: Arc::from("Bash"),
                    what: Arc::from(command),
                    folder: Arc::from("/clone"),
                    why: Arc::from("the command is not known"),
                    risk: Risk::Unknown,
                    shapes: shapes.map(Arc::from).collect(),
                    digest: digest_of(command),
                };
                AgentEvent::Asks { call: call_of(address, command), request: Arc::new(question) }
            }
            "denied" => {
                let (what, why) = rest.split_once(": ").unwrap_or((rest, ""));
                AgentEvent::Denied { tool: Arc::from("Bash"), what: Arc::from(what), why: Arc::from(why) }
            }
            "unasks" => AgentEvent::Unasks { call: call_of(address, rest) },
            "pleads" => AgentEvent::Pleads { call: call_of(address, rest), plea: self.plea(rest) },
            "awaits" => AgentEvent::AwaitsHuman(rest == "human"),
            "fails:" => AgentEvent::Failed { turn, failure: Failure::Transient(Arc::from(rest)) },
            "unauthorised:" => AgentEvent::Failed { turn, failure: Failure::Unauthorised(Arc::from(rest)) },
            "refused:" => AgentEvent::Failed { turn, failure: Failure::Refused(Arc::from(rest)) },
            "limited" | "limited:" => {
                let (span, why) = line.split_once(": ").unwrap_or((line, ""));
                let until = span.split_once('+').map(|(_, span)| Timestamp(self.now().0 + span_ms(span)));
                AgentEvent::Failed { turn, failure: Failure::Limited { why: Arc::from(why), until } }
            }
            "rested" => self.rested(turn_named(rest), TurnEnd::Interrupted),
            "interrupted" => self.rested(turn, TurnEnd::Interrupted),
            "silent" => self.rested(turn, TurnEnd::Spoke { output: None, text: Arc::from("") }),
            "plain:" => self.rested(turn, TurnEnd::Spoke { output: None, text: Arc::from(rest) }),
            "raw" => {
                let output: Value =
                    serde_json::from_str(rest).unwrap_or_else(|e| panic!("no JSON: {rest}: {e}"));
                self.rested(turn, TurnEnd::Spoke { output: Some(output), text: Arc::from("") })
            }
            _ if self.state.active_agent().is_some_and(|player| player.address() == address) => {
                let (head, text) = line.split_once(": ").unwrap_or((line, ""));
                let output = Some(super::conductor::answer(head, text));
                self.rested(turn, TurnEnd::Spoke { output, text: Arc::from("") })
            }
            _ => {
                let output = Some(output(line));
                self.rested(turn, TurnEnd::Spoke { output, text: Arc::from("") })
            }
        };
        Event::Agent(address, event)
    }

    fn rested(&self, turn: TurnId, end: TurnEnd) -> AgentEvent {
        AgentEvent::Rested { turn, end, tree: self.tree.clone() }
    }

    fn turn_of(&self, address: Address) -> TurnId {
        let session = self.state.sessions.get(&address.session);
        let turn = session.and_then(|session| session.turns.current.as_ref());
        turn.map_or(TurnId(self.state.turns), |turn| turn.id)
    }
}

fn digest_of(command: &str) -> Arc<str> {
    Arc::from(format!("sha256:{command}"))
}

fn call_of(address: Address, command: &str) -> Arc<str> {
    Arc::from(format!("{address}:{}", command.split_whitespace().next().unwrap_or_default()))
}

/// A span of time in words: 300ms, 20s, 10m, 2h.
pub(super) fn span_ms(span: &str) -> u64 {
    let digits: String = span.trim().chars().take_while(char::is_ascii_digit).collect();
    let unit = match &span.trim()[digits.len()..] {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        other => panic!("cannot read the span {span:?}: {other:?}"),
    };
    number::<u64>(&digits) * unit
}

/// The typed output that a line tells of: an intent of the Arbiter, or a kind of a worker.
fn output(line: &str) -> Value {
    let (head, text) = line.split_once(": ").unwrap_or_else(|| panic!("what does it say? {line:?}"));
    let mut words = head.split_whitespace();
    let verb = words.next().unwrap_or_default();
    let asks = verb.ends_with('?');
    match verb.trim_end_matches('?') {
        "introduction" | "question" | "handoff" => {
            json!({ "kind": verb, "expects_response": true, "message": text })
        }
        "progress" => json!({ "kind": "progress", "expects_response": asks, "message": text }),
        "pass" | "fail" => {
            let mut parts = text.split(" | ");
            let message = parts.next().unwrap_or_default();
            let findings: Vec<&str> = parts.collect();
            json!({
                "kind": "handoff", "expects_response": true, "message": message,
                "verdict": verb, "findings": findings,
            })
        }
        intent => {
            let mut output = json!({ "intent": intent, "message": text });
            while let (Some(field), Some(value)) = (words.next(), words.next()) {
                output[field] = json!(value);
            }
            output
        }
    }
}

fn deed_of(words: &[&str], text: &str, line: &str) -> HumanAction {
    match words {
        [] => HumanAction::Say(Arc::from(text)),
        ["pause"] => HumanAction::Pause,
        ["resume"] => HumanAction::Resume,
        ["interrupt"] => HumanAction::Interrupt,
        ["release"] => HumanAction::Release,
        ["cancel"] => HumanAction::Cancel,
        ["force", agent] => HumanAction::Force(Arc::from(*agent)),
        ["skip"] => HumanAction::Skip,
        ["retry"] => HumanAction::Retry,
        _ => panic!("a human cannot do that: {line:?}"),
    }
}

fn settled() -> WorkspaceEvent {
    WorkspaceEvent::Settled {
        folder: Arc::from("/clone"),
        base: Arc::from("c1"),
        branch: Arc::from("arbiter/m1"),
    }
}

fn task((at, text): (usize, &str)) -> Task {
    let (mark, title) = text.trim().split_once("] ").unwrap_or_else(|| panic!("no task: {text:?}"));
    let status = match mark {
        "[x" => TaskStatus::Done,
        "[~" => TaskStatus::InProgress,
        "[ " => TaskStatus::Pending,
        _ => panic!("a task begins with [ ], [~] or [x]: {text:?}"),
    };
    Task { id: Arc::from(format!("{}", at + 1)), title: Arc::from(title), status }
}

/// The clone at a commit.
pub(super) fn tree(commit: &str, dirty: bool) -> CloneTree {
    let fingerprint = Arc::from(format!("{commit}{}", if dirty { "+" } else { "" }));
    CloneTree { commit: Arc::from(commit), dirty, fingerprint }
}

/// The clone as `c2`, `c2 dirty` or `unknown` says.
pub(super) fn tree_of(text: &str) -> Option<CloneTree> {
    match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["unknown"] => None,
        [commit] => Some(tree(commit, false)),
        [commit, "dirty"] => Some(tree(commit, true)),
        _ => panic!("cannot read the tree {text:?}"),
    }
}

fn address_of(text: &str) -> Address {
    let (session, incarnation) = text.split_once('.').unwrap_or_else(|| panic!("no address: {text:?}"));
    Address { session: SessionId(number(session.trim_start_matches('s'))), incarnation: number(incarnation) }
}

fn turn_named(text: &str) -> TurnId {
    TurnId(number(text.trim_start_matches('t')))
}

pub(super) fn number<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("no number: {text:?}"))
}
