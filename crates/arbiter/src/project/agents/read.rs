//! Parses one agent's file: frontmatter and prompt, or YAML with both. Each mistake becomes a fault with its line; the rest
//! is still read, so that all faults are reported at once.

use std::path::Path;
use std::sync::Arc;

use mind::conductor::Agent;
use mind::conductor::agent::{
    AgentDuty, AgentLimits, AgentProvider, AgentTools, Richness, TransitionTarget, Transitions,
    VerdictTransition,
};
use serde_json::Value as Json;

use super::AgentOrigin;
use crate::limits::{AGENT_NAME_CHARS_MAX, AGENT_WHEN_CHARS_MAX};
use crate::project::config::node::{self, Node};
use crate::project::config::reader::{self, Owner, Reader};
use crate::project::config::{ConfigError, ConfigPlace, shown};

const KEYS: &[&str] = &[
    "name",
    "displayName",
    "whenToUse",
    "part",
    "tools",
    "transitions",
    "limits",
    "provider",
    "response",
    "memory",
    "input",
    "internal",
];
const PARTS: [(&str, AgentDuty); 3] =
    [("planner", AgentDuty::Planner), ("keeper", AgentDuty::Keeper), ("verifier", AgentDuty::Verifier)];
const INPUTS: [(&str, Richness); 2] = [("full", Richness::Full), ("lean", Richness::Lean)];
/// Words that a transition uses for something else.
const RESERVED: [&str; 2] = ["complete", "arbiter"];

/// An agent as its file defines it, with the lines of its fields.
#[derive(Debug)]
pub(super) struct AgentDraft {
    pub(super) agent: Agent,
    pub(super) origin: AgentOrigin,
    pub(super) name: ConfigPlace,
    pub(super) part: Option<ConfigPlace>,
    /// The transitions: target, key and line of each.
    pub(super) leads: Vec<Lead>,
}

/// One transition of a draft.
#[derive(Debug, Clone)]
pub(super) struct Lead {
    pub(super) key: String,
    pub(super) target: TransitionTarget,
    pub(super) place: ConfigPlace,
}

/// The verdicts that an agent can give.
enum Verdicts {
    Known(Vec<String>),
    Unknown,
}

/// Parses the bytes of one file; none if not even the agent's name can be read.
pub(super) fn read(
    file: &Path,
    bytes: &[u8],
    origin: &AgentOrigin,
    providers: &[&str],
    faults: &mut Vec<ConfigError>,
) -> Option<AgentDraft> {
    let file: Arc<Path> = Arc::from(file);
    let text = reader::text(&file, bytes).map_err(|fault| faults.push(fault)).ok()?;
    let is_markdown = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    let (subject, body) = if is_markdown {
        match reader::frontmatter(text) {
            Ok((subject, body)) => (subject, Some(body)),
            Err(problem) => {
                let place = ConfigPlace { file, line: 1, column: 1 };
                let hint = "begin with a line `---`, then `name: ...`, then a line `---`, then the prompt";
                let (key, hint) = (String::new(), Some(hint.to_owned()));
                faults.push(ConfigError::BadValue { place, key, problem: problem.to_owned(), hint });
                return None;
            }
        }
    } else {
        (text, None)
    };
    let root = match node::parse(subject) {
        Ok(root) => root,
        Err(stop) => {
            let place = ConfigPlace { file, line: stop.line, column: stop.column };
            faults.push(ConfigError::NotYaml { place, said: stop.said });
            return None;
        }
    };
    let mut reader =
        Reader { file: Arc::clone(&file), owner: Owner::User, home: None, text: subject, providers, faults };
    draft(&mut reader, root.as_ref(), body, origin)
}

/// The known keys of a file with their values.
struct AgentFields<'a>(Vec<(String, &'a Node)>);

impl<'a> AgentFields<'a> {
    fn find(&self, key: &str) -> Option<&'a Node> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, node)| *node)
    }
}

fn draft(
    reader: &mut Reader<'_>,
    root: Option<&Node>,
    body: Option<&str>,
    origin: &AgentOrigin,
) -> Option<AgentDraft> {
    let mut known = KEYS.to_vec();
    if body.is_none() {
        known.push("prompt");
    }
    let fields =
        AgentFields(root.map(|root| reader.map("", root, &known, "name: planner")).unwrap_or_default());
    let find = |key: &str| fields.find(key);
    let name = match find("name") {
        Some(node) => name(reader, node),
        None => no_name(reader),
    };
    let prompt = prompt(reader, body, find("prompt"));
    let one_line = "one line of text";
    let display_name = find("displayName")
        .and_then(|node| line(reader, "displayName", node, one_line, AGENT_NAME_CHARS_MAX));
    let when_to_use =
        find("whenToUse").and_then(|node| line(reader, "whenToUse", node, one_line, AGENT_WHEN_CHARS_MAX));
    let part = find("part").and_then(|node| reader.choice("part", node, ["part", "parts"], &PARTS));
    let tools = find("tools").map_or_else(AgentTools::default, |node| super::fields::tools(reader, node));
    let AgentCourse { response, transitions, leads } = course(reader, &fields);
    let limits = find("limits").map_or_else(AgentLimits::default, |node| super::fields::limits(reader, node));
    let provider =
        find("provider").map_or_else(AgentProvider::default, |node| super::fields::provider(reader, node));
    let truth = |reader: &mut Reader<'_>, key: &str| find(key).and_then(|node| reader.truth(key, node));
    let memory = truth(reader, "memory").is_none_or(|(memory, _)| memory);
    let internal = truth(reader, "internal").is_some_and(|(internal, _)| internal);
    let input = find("input").and_then(|node| reader.choice("input", node, ["input", "inputs"], &INPUTS));
    let (name, place) = name?;
    let agent = Agent {
        display_name: display_name.map_or_else(|| Arc::from(name.as_str()), Arc::from),
        name: Arc::from(name),
        when_to_use: when_to_use.map(Arc::from),
        prompt: Arc::from(prompt),
        part: part.as_ref().map(|(part, _)| *part),
        tools,
        transitions,
        limits,
        provider,
        response: response.map(Arc::new),
        memory,
        input: input.map(|(input, _)| input).unwrap_or_default(),
        internal,
    };
    Some(AgentDraft { agent, origin: origin.clone(), name: place, part: part.map(|(_, place)| place), leads })
}

/// An agent's response schema and transitions.
struct AgentCourse {
    response: Option<Json>,
    transitions: Transitions,
    leads: Vec<Lead>,
}

fn course(reader: &mut Reader<'_>, fields: &AgentFields<'_>) -> AgentCourse {
    let response = fields.find("response").and_then(|node| super::schema::response(reader, node));
    let verdicts = match (fields.find("response"), &response) {
        // The schema has a fault of its own, so no verdict is reported as unknown.
        (Some(_), None) => Verdicts::Unknown,
        (_, response) => {
            Verdicts::Known(response.as_ref().and_then(super::schema::verdicts).unwrap_or_default())
        }
    };
    let mut leads = Vec::new();
    let transitions = fields
        .find("transitions")
        .map_or_else(Transitions::default, |node| transitions(reader, node, &verdicts, &mut leads));
    AgentCourse { response, transitions, leads }
}

/// Reports a missing key, at the beginning of the file.
fn missing(reader: &mut Reader<'_>, key: &str, problem: &str, hint: String) {
    let place = ConfigPlace { file: Arc::clone(&reader.file), line: 1, column: 1 };
    let (key, problem, hint) = (key.to_owned(), problem.to_owned(), Some(hint));
    reader.faults.push(ConfigError::BadValue { place, key, problem, hint });
}

fn no_name(reader: &mut Reader<'_>) -> Option<(String, ConfigPlace)> {
    let stem = reader.file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let hint = format!("write `name: {}`", stem.unwrap_or_default());
    missing(reader, "name", "an agent needs a name", hint);
    None
}

/// The prompt: the text below the frontmatter, or the key `prompt` of a YAML file.
fn prompt(reader: &mut Reader<'_>, body: Option<&str>, node: Option<&Node>) -> String {
    let prompt = match (body, node) {
        (Some(body), _) => body.trim().to_owned(),
        (None, Some(node)) => reader
            .words("prompt", std::slice::from_ref(node), "write it as text: prompt: |")
            .and_then(|words| words.into_iter().next())
            .map(|text| text.trim().to_owned())
            .unwrap_or_default(),
        (None, None) => String::new(),
    };
    if prompt.is_empty() || prompt.contains('\0') {
        let problem = if prompt.is_empty() { "an agent needs a prompt" } else { "the prompt has a NUL byte" };
        let hint = match body {
            Some(_) => "write what it is for and how it works below the second `---`",
            None => "write what it is for and how it works: `prompt: |`, and the text below",
        };
        missing(reader, "prompt", problem, hint.to_owned());
    }
    prompt
}

fn name(reader: &mut Reader<'_>, node: &Node) -> Option<(String, ConfigPlace)> {
    let name = reader.word(node).unwrap_or_default().to_owned();
    let hint = "a letter, then letters, digits, `_` and `-`".to_owned();
    let is_name = name.starts_with(|sign: char| sign.is_ascii_alphabetic())
        && name.bytes().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, b'_' | b'-'))
        && name.len() <= AGENT_NAME_CHARS_MAX;
    if !is_name {
        reader.bad("name", node, format!("{} is not a name for an agent", shown(&name)), Some(hint));
        return None;
    }
    if RESERVED.iter().any(|word| name.eq_ignore_ascii_case(word)) {
        let hint = "transitions use this word for something else: take another name".to_owned();
        reader.bad("name", node, format!("{} is reserved", shown(&name)), Some(hint));
        return None;
    }
    Some((name, reader.place(node)))
}

/// One line of text of limited length.
pub(super) fn line(
    reader: &mut Reader<'_>,
    key: &str,
    node: &Node,
    wanted: &str,
    chars_max: usize,
) -> Option<String> {
    let Some(text) = reader.word(node).map(|text| text.trim().to_owned()) else {
        reader.bad_kind(key, node, wanted, "write it in one line");
        return None;
    };
    if text.is_empty() || text.chars().count() > chars_max || text.chars().any(char::is_control) {
        let hint = format!("one line of at most {chars_max} characters");
        reader.bad(key, node, format!("{wanted} is needed here"), Some(hint));
        return None;
    }
    Some(text)
}

fn transitions(
    reader: &mut Reader<'_>,
    node: &Node,
    verdicts: &Verdicts,
    leads: &mut Vec<Lead>,
) -> Transitions {
    let mut transitions = Transitions::default();
    let keys = &["onSuccess", "onFailure", "onMaxIterations", "custom"];
    for (key, node) in reader.map("transitions", node, keys, "transitions: { onSuccess: developer }") {
        match key.as_str() {
            "custom" => transitions.custom = customs(reader, node, verdicts, leads),
            _ => {
                let Some(lead) = target(reader, &format!("transitions.{key}"), node) else { continue };
                let field = match key.as_str() {
                    "onSuccess" => &mut transitions.on_success,
                    "onFailure" => &mut transitions.on_failure,
                    _ => &mut transitions.on_max_iterations,
                };
                *field = lead.target.clone();
                leads.push(lead);
            }
        }
    }
    transitions
}

fn target(reader: &mut Reader<'_>, key: &str, node: &Node) -> Option<Lead> {
    let word = line(reader, key, node, "an agent, complete or arbiter", AGENT_NAME_CHARS_MAX)?;
    Some(Lead { key: key.to_owned(), target: TransitionTarget::from(word), place: reader.place(node) })
}

fn customs(
    reader: &mut Reader<'_>,
    node: &Node,
    verdicts: &Verdicts,
    leads: &mut Vec<Lead>,
) -> Vec<VerdictTransition> {
    let key = "transitions.custom";
    let wanted = ("a list of transitions", "write `- { when: approved, target: complete }`");
    let mut customs: Vec<VerdictTransition> = Vec::new();
    let listed = reader.list(key, node, wanted, |reader, key, node| {
        let example = "{ when: approved, target: complete, reason: ... }";
        let entries = reader.map(key, node, &["when", "target", "reason"], example);
        let find = |name: &str| entries.iter().find(|(key, _)| key == name).map(|(_, node)| *node);
        let at = |name: &str| format!("{key}.{name}");
        let when = find("when")
            .and_then(|node| line(reader, &at("when"), node, "a verdict", AGENT_NAME_CHARS_MAX))
            .filter(|when| says(reader, &at("when"), find("when").unwrap_or(node), when, verdicts));
        let lead = find("target").and_then(|node| target(reader, &at("target"), node));
        let reason = find("reason")
            .and_then(|node| line(reader, &at("reason"), node, "one line of text", AGENT_WHEN_CHARS_MAX));
        for missing in ["when", "target"].iter().filter(|name| find(name).is_none()) {
            reader.bad(key, node, format!("`{missing}` is missing"), Some(format!("write `{example}`")));
        }
        let lead = lead?;
        Some((
            VerdictTransition {
                when: Arc::from(when?),
                target: lead.target.clone(),
                reason: reason.map(Arc::from),
            },
            lead,
        ))
    });
    for (custom, lead) in listed.map(|(listed, _)| listed).unwrap_or_default() {
        if customs.iter().any(|earlier| earlier.when == custom.when) {
            let problem = format!("{} leads somewhere already", shown(&custom.when));
            let (place, key, hint) =
                (lead.place.clone(), lead.key.clone(), Some("keep one of them".to_owned()));
            reader.faults.push(ConfigError::BadValue { place, key, problem, hint });
        }
        customs.push(custom);
        leads.push(lead);
    }
    customs
}

/// Whether the agent's schema has this verdict.
fn says(reader: &mut Reader<'_>, key: &str, node: &Node, when: &str, verdicts: &Verdicts) -> bool {
    let Verdicts::Known(verdicts) = verdicts else { return true };
    if verdicts.is_empty() {
        let hint = "give it a `response` with a property `verdict`: { type: string, enum: [...] }".to_owned();
        reader.bad(key, node, "this agent says no verdict".to_owned(), Some(hint));
        return false;
    }
    if verdicts.iter().any(|verdict| verdict == when) {
        return true;
    }
    let hint = match view::near::nearest(when, verdicts.iter().map(String::as_str)) {
        Some(meant) => format!("did you mean {}?", shown(meant)),
        None => format!("its verdicts: {}", verdicts.join(", ")),
    };
    reader.bad(key, node, format!("{} is no verdict of this agent", shown(when)), Some(hint));
    false
}
