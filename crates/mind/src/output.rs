//! Typed outputs: what a turn of the Arbiter or of an Orchestrator ends in. The reader ignores fields it does not know and
//! checks those it does: all faults are named at once, and nothing is guessed from prose.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::conductor::{Note, answer};
use crate::limits;
use crate::talk::{Asks, DecisionAsked, DecisionOption, Verdict};

/// What the Arbiter's turn ends in.
#[derive(Debug, Clone, PartialEq)]
pub struct ManagerOutput {
    pub intent: Intent,
    pub message: String,
}

/// What the Arbiter can do, with the fields that belong to it.
#[derive(Debug, Clone, PartialEq)]
pub enum Intent {
    /// Speak to the human and wait.
    AddressHuman {
        /// The request for the human's yes.
        asks: Option<Asks>,
        /// Questions with options.
        decisions: Vec<DecisionAsked>,
    },
    /// Speak to the active Orchestrator.
    AddressOrchestrator,
    /// Call a new Orchestrator.
    SummonOrchestrator {
        agent: Option<String>,
        provider: Option<String>,
        model: Option<String>,
        /// The newcomer's first message, in place of its introduction.
        brief: Option<String>,
    },
    /// End the sessions of all Orchestrators.
    ReleaseOrchestrators {
        /// The mission is said to be done.
        complete: bool,
    },
    Musings,
}

/// What an Orchestrator's turn ends in.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkerOutput {
    /// What the message is.
    pub kind: WorkerMessageKind,
    /// Whether it waits for a reply.
    pub expects_response: bool,
    pub message: String,
    /// A verifier's word.
    pub verdict: Option<Verdict>,
    /// What a verifier found.
    pub findings: Vec<String>,
    /// What later missions should know.
    pub notes: Vec<Note>,
}

/// What an Orchestrator's message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerMessageKind {
    /// It says who it is.
    Introduction,
    /// It needs to know something.
    Question,
    /// It says how far it is.
    Progress,
    /// It hands back.
    Handoff,
}

/// Everything that is wrong with an output, each in words the model can act on.
pub type Faults = Vec<String>;

/// Reads the Arbiter's output.
pub fn read_manager(output: Option<&Value>) -> Result<ManagerOutput, Faults> {
    let mut reader = Reader::new(output)?;
    let message = reader.message();
    let intent = reader.text("intent");
    let asks = reader.text("asks");
    let claim = reader.text("claim");
    let agent = reader.text("agent");
    let provider = reader.text("provider");
    let model = reader.text("model");
    let brief = reader.text("brief").filter(|brief| !brief.trim().is_empty());
    let decisions = reader.decisions();
    let name = intent.as_deref().unwrap_or("");
    reader.belongs("asks", asks.is_some(), name, "address_human");
    reader.belongs("decisions", !decisions.is_empty(), name, "address_human");
    reader.belongs("claim", claim.is_some(), name, "release_orchestrators");
    reader.belongs("agent", agent.is_some(), name, "summon_orchestrator");
    reader.belongs("provider", provider.is_some(), name, "summon_orchestrator");
    reader.belongs("model", model.is_some(), name, "summon_orchestrator");
    reader.belongs("brief", brief.is_some(), name, "summon_orchestrator");
    if brief.as_ref().is_some_and(|brief| brief.len() > limits::MESSAGE_BYTES_MAX) {
        reader.fault(format!("`brief` is longer than {} bytes", limits::MESSAGE_BYTES_MAX));
    }
    let asks = reader.one_of("asks", asks.as_deref(), &[("alignment", Asks::Alignment)]);
    let complete = reader.one_of("claim", claim.as_deref(), &[("complete", true)]);
    let intent = match name {
        "address_human" => Intent::AddressHuman { asks, decisions },
        "address_orchestrator" => Intent::AddressOrchestrator,
        "summon_orchestrator" => Intent::SummonOrchestrator { agent, provider, model, brief },
        "release_orchestrators" => Intent::ReleaseOrchestrators { complete: complete.unwrap_or(false) },
        "musings" => Intent::Musings,
        other => {
            reader.fault(format!(
                "`intent` is {other:?}, but must be one of address_human, address_orchestrator, \
                 summon_orchestrator, release_orchestrators, musings"
            ));
            Intent::Musings
        }
    };
    reader.finish(ManagerOutput { intent, message })
}

/// Reads an Orchestrator's output. A verifier's handoff must carry its verdict.
pub fn read_worker(output: Option<&Value>, verifier: bool) -> Result<WorkerOutput, Faults> {
    let mut reader = Reader::new(output)?;
    let message = reader.message();
    const KINDS: [(&str, WorkerMessageKind); 4] = [
        ("introduction", WorkerMessageKind::Introduction),
        ("question", WorkerMessageKind::Question),
        ("progress", WorkerMessageKind::Progress),
        ("handoff", WorkerMessageKind::Handoff),
    ];
    let kind = reader.text("kind");
    if kind.is_none() {
        reader.fault("`kind` is missing".to_owned());
    }
    let kind = reader.one_of("kind", kind.as_deref(), &KINDS).unwrap_or(WorkerMessageKind::Progress);
    let expects_response = match reader.map.get("expects_response") {
        Some(Value::Bool(expects)) => *expects,
        None | Some(_) => {
            reader.fault("`expects_response` must be true or false".to_owned());
            true
        }
    };
    let verdict = reader.text("verdict");
    let verdict =
        reader.one_of("verdict", verdict.as_deref(), &[("pass", Verdict::Pass), ("fail", Verdict::Fail)]);
    if verifier && kind == WorkerMessageKind::Handoff && verdict.is_none() {
        reader.fault("a verifier's handoff needs `verdict`: pass or fail".to_owned());
    }
    let findings = reader.findings();
    let notes = answer::notes(reader.map.get("notes"), &Arc::from("orchestrator"));
    reader.finish(WorkerOutput { kind, expects_response, message, verdict, findings, notes })
}

/// Reads fields one by one and remembers every fault.
struct Reader<'a> {
    map: &'a Map<String, Value>,
    faults: Faults,
}

impl<'a> Reader<'a> {
    fn new(output: Option<&'a Value>) -> Result<Reader<'a>, Faults> {
        match output {
            Some(Value::Object(map)) => Ok(Reader { map, faults: Vec::new() }),
            Some(_) => Err(vec!["the typed output is not an object".to_owned()]),
            None => Err(vec!["there was no typed output".to_owned()]),
        }
    }

    fn fault(&mut self, what: String) {
        if self.faults.len() < limits::FAULTS_MAX {
            self.faults.push(limits::cut(&what, limits::FAULT_CHARS_MAX));
        }
    }

    fn finish<T>(self, value: T) -> Result<T, Faults> {
        if self.faults.is_empty() { Ok(value) } else { Err(self.faults) }
    }

    fn message(&mut self) -> String {
        let text = self.text("message").unwrap_or_default();
        if text.trim().is_empty() {
            self.fault("`message` is missing or empty".to_owned());
        }
        if text.len() > limits::MESSAGE_BYTES_MAX {
            self.fault(format!("`message` is longer than {} bytes", limits::MESSAGE_BYTES_MAX));
        }
        text
    }

    /// A text field; null and absence are the same.
    fn text(&mut self, name: &str) -> Option<String> {
        match self.map.get(name) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(_) => {
                self.fault(format!("`{name}` must be a text"));
                None
            }
        }
    }

    fn belongs(&mut self, field: &str, given: bool, intent: &str, owner: &str) {
        if given && intent != owner {
            self.fault(format!("`{field}` belongs to {owner}, not to {intent:?}"));
        }
    }

    fn one_of<T: Copy>(&mut self, name: &str, text: Option<&str>, known: &[(&str, T)]) -> Option<T> {
        let text = text?;
        let found = known.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
            self.fault(format!("`{name}` is {text:?}, but must be one of {}", words.join(", ")));
        }
        found
    }

    fn list(&mut self, name: &str, max: usize) -> &'a [Value] {
        match self.map.get(name) {
            None | Some(Value::Null) => &[],
            Some(Value::Array(items)) if items.len() <= max => items,
            Some(Value::Array(_)) => {
                self.fault(format!("`{name}` has more than {max} entries"));
                &[]
            }
            Some(_) => {
                self.fault(format!("`{name}` must be a list"));
                &[]
            }
        }
    }

    fn findings(&mut self) -> Vec<String> {
        let mut findings = Vec::new();
        for item in self.list("findings", limits::FINDINGS_MAX) {
            match item.as_str() {
                Some(text) => findings.push(limits::cut(text, limits::FINDING_CHARS_MAX)),
                None => self.fault("each of `findings` must be a text".to_owned()),
            }
        }
        findings
    }

    fn decisions(&mut self) -> Vec<DecisionAsked> {
        let mut decisions: Vec<DecisionAsked> = Vec::new();
        for item in self.list("decisions", limits::DECISIONS_MAX) {
            let Ok(decision) = serde_json::from_value::<DecisionAsked>(item.clone()) else {
                self.fault(
                    "each of `decisions` needs `id`, `title` and `options` of `key` and `label`".into(),
                );
                continue;
            };
            let id = decision.id.clone();
            if id.trim().is_empty() || decision.title.trim().is_empty() {
                self.fault("a decision's `id` and `title` must not be empty".to_owned());
            }
            if too_long(&decision) {
                self.fault(format!(
                    "decision {id:?} has a text of more than {} signs",
                    limits::DECISION_CHARS_MAX
                ));
            }
            if decisions.iter().any(|other| other.id == id) {
                self.fault(format!("decision {id:?} stands twice"));
            }
            if decision.options.is_empty() && !decision.allow_custom {
                self.fault(format!("decision {id:?} has neither options nor `allow_custom`"));
            }
            if has_twins(&decision.options) {
                self.fault(format!("decision {id:?} has two options of the same key"));
            }
            decisions.push(decision);
        }
        decisions
    }
}

fn too_long(decision: &DecisionAsked) -> bool {
    let labels = decision.options.iter().flat_map(|option| [&option.key, &option.label]);
    let mut texts = [&decision.id, &decision.title, &decision.context].into_iter().chain(labels);
    texts.any(|text| text.chars().count() > limits::DECISION_CHARS_MAX)
}

fn has_twins(options: &[DecisionOption]) -> bool {
    options.iter().enumerate().any(|(at, option)| options[..at].iter().any(|o| o.key == option.key))
}
