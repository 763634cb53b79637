//! One configuration file: what it sets, and what is wrong with it. A file that is not there sets nothing.
//! It knows the keys; which file wins is decided above.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mind::charter::WarningPolicy;
use providers::workshop::{Check, Written};

use super::claude::{self, Claude};
use super::conduct::{self, ConductLayer};
use super::docket::{self, Docket};
use super::error::{ConfigError, Place, shown};
use super::node::{self, Node, Value};
use super::policy::{self, PolicyLayer};
use super::reader::{Found, Owner, Reader, text};
use super::sandbox::{self, SandboxLayer};
use super::terminal::TerminalLayer;

const KEYS: &[&str] = &[
    "provider",
    "claude",
    "policy",
    "sandbox",
    "checks",
    "check_limit",
    "warnings",
    "silence",
    "tool_silence",
    "docket",
    "arbiter",
    "agents",
    "limits",
    "memory",
    "ceremony",
    "scene",
    "motion",
    "sound",
];
const PROVIDER_KEYS: &[&str] = &["default", "claude", "routes", "arbiter"];
const WARNINGS_KEYS: &[&str] = &["first", "last", "policy"];
const POLICIES: [(&str, WarningPolicy); 3] =
    [("warn", WarningPolicy::Warn), ("silent", WarningPolicy::Silent), ("off", WarningPolicy::Off)];
/// How a check looks.
const ARGV_HINT: &str = r#"write the program and its arguments: ["cargo", "test"]"#;

/// What one file sets.
#[derive(Debug, Default)]
pub(super) struct Layer {
    pub(super) provider: Found<String>,
    pub(super) claude: Claude,
    pub(super) policy: PolicyLayer,
    pub(super) sandbox: SandboxLayer,
    pub(super) checks: Found<Vec<Check>>,
    pub(super) check_limit: Found<Duration>,
    pub(super) first: Found<u8>,
    pub(super) last: Found<u8>,
    pub(super) warning_policy: Found<WarningPolicy>,
    pub(super) silence: Found<Duration>,
    pub(super) tool_silence: Found<Duration>,
    pub(super) docket: Docket,
    pub(super) conduct: ConductLayer,
    pub(super) terminal: TerminalLayer,
}

/// Whose file is read, and what has to be known to understand it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) owner: Owner<'a>,
    /// The user's home: what `~` means.
    pub(super) home: Option<&'a Path>,
    /// The providers that may be chosen.
    pub(super) providers: &'a [&'a str],
}

impl Layer {
    /// Understands `bytes`, which were read from `file`. Whatever is wrong goes to `faults`; the rest is still read.
    pub(super) fn parse(
        file: &Path,
        bytes: Option<&[u8]>,
        scope: Scope<'_>,
        faults: &mut Vec<ConfigError>,
    ) -> Layer {
        let file: Arc<Path> = Arc::from(file);
        let Some(bytes) = bytes else { return Layer::default() };
        let text = match text(&file, bytes) {
            Ok(text) => text,
            Err(fault) => {
                faults.push(fault);
                return Layer::default();
            }
        };
        let Scope { owner, home, providers } = scope;
        let mut reader = Reader { file, owner, home, text, providers, faults };
        match node::parse(text) {
            Ok(Some(root)) => reader.layer(&root),
            Ok(None) => Layer::default(),
            Err(stop) => {
                let place = Place { file: reader.file, line: stop.line, column: stop.column };
                reader.faults.push(ConfigError::NotYaml { place, said: stop.said });
                Layer::default()
            }
        }
    }
}

impl Reader<'_> {
    fn layer(&mut self, root: &Node) -> Layer {
        let mut layer = Layer::default();
        for (key, node) in self.entries("", root) {
            match key.as_str() {
                "provider" => self.provider(node, &mut layer),
                "claude" => {
                    let model = layer.claude.model.take();
                    layer.claude = self.claude(node);
                    layer.claude.model = self.one_model(model, layer.claude.model.take());
                }
                "policy" => layer.policy = self.policy(node),
                "sandbox" => layer.sandbox = self.sandbox(node),
                "checks" => layer.checks = self.checks(node),
                "check_limit" => layer.check_limit = self.duration("check_limit", node),
                "silence" => layer.silence = self.duration("silence", node),
                "tool_silence" => layer.tool_silence = self.duration("tool_silence", node),
                "warnings" => self.warnings(node, &mut layer),
                "docket" => layer.docket = self.docket(node),
                "arbiter" => self.arbiter(node, &mut layer.conduct),
                "agents" => self.agents(node, &mut layer.conduct),
                "limits" => self.limits(node, &mut layer.conduct),
                "memory" => self.memory(node, &mut layer.conduct),
                "ceremony" | "scene" | "motion" | "sound" => self.terminal(&key, node, &mut layer.terminal),
                _ => {}
            }
        }
        layer
    }

    fn provider(&mut self, node: &Node, layer: &mut Layer) {
        for (key, node) in self.entries("provider", node) {
            match key.as_str() {
                "default" => layer.provider = self.provider_name("provider.default", node),
                "routes" => layer.conduct.routes = self.routes("provider.routes", node),
                "arbiter" if self.is_own("provider.arbiter", node, "where your keys and prompts go") => {
                    let words = [("api", true), ("default", false)];
                    layer.conduct.by_api =
                        self.choice("provider.arbiter", node, ["provider", "providers"], &words);
                }
                "arbiter" => {}
                _ => {
                    for (_, node) in self.entries("provider.claude", node) {
                        let model = self.model("provider.claude.model", node);
                        layer.claude.model = self.one_model(layer.claude.model.take(), model);
                    }
                }
            }
        }
    }

    /// `claude.model` and `provider.claude.model` are two ways to write one thing.
    fn one_model(&mut self, before: Found<String>, now: Found<String>) -> Found<String> {
        if let (Some((model, earlier)), Some((other, place))) = (&before, &now)
            && model != other
        {
            self.faults.push(ConfigError::BadValue {
                place: place.clone(),
                key: "claude.model".to_owned(),
                problem: format!("it is {} here and {} in line {}", shown(other), shown(model), earlier.line),
                hint: Some(
                    "claude.model and provider.claude.model mean the same: keep one of them".to_owned(),
                ),
            });
        }
        now.or(before)
    }

    fn checks(&mut self, node: &Node) -> Found<Vec<Check>> {
        let Value::List(items) = &node.value else {
            let hint = instead_of(node, r#"write one list for each check: [["cargo", "test"]]"#);
            self.bad_kind("checks", node, "a list of checks", &hint);
            return None;
        };
        // `[cargo, test]` would be two programs, and the first of them succeeds without doing anything.
        let words: Option<Vec<&str>> = items.iter().map(|item| self.word(item)).collect();
        if let Some(words) =
            words.filter(|words| words.len() > 1 && !words.iter().any(|word| word.contains(' ')))
        {
            let hint = format!("write one list for each check: [{words:?}]");
            self.bad(
                "checks",
                node,
                "a check is a list of words, and this is one list".to_owned(),
                Some(hint),
            );
            return None;
        }
        let faults_before = self.faults.len();
        let checks = items.iter().enumerate().filter_map(|(index, item)| self.check(index, item)).collect();
        (self.faults.len() == faults_before).then(|| (checks, self.place(node)))
    }

    fn check(&mut self, index: usize, node: &Node) -> Option<Check> {
        let key = format!("checks[{index}]");
        let Value::List(items) = &node.value else {
            let hint = instead_of(node, ARGV_HINT);
            self.bad_kind(&key, node, "a list of words", &hint);
            return None;
        };
        let argv = self.words(&key, items, ARGV_HINT)?;
        Check::parse(Written::Argv(argv))
            .map_err(|error| self.bad(&key, node, error.to_string(), error.hint()))
            .ok()
    }

    fn warnings(&mut self, node: &Node, layer: &mut Layer) {
        for (key, node) in self.entries("warnings", node) {
            match key.as_str() {
                "first" => layer.first = self.percent("warnings.first", node),
                "last" => layer.last = self.percent("warnings.last", node),
                "policy" => layer.warning_policy = self.warning_policy(node),
                _ => {}
            }
        }
    }

    fn warning_policy(&mut self, node: &Node) -> Found<WarningPolicy> {
        self.choice("warnings.policy", node, ["policy", "policies"], &POLICIES)
    }

    fn percent(&mut self, key: &str, node: &Node) -> Found<u8> {
        let hint = "write percent of the context window as a plain number: 70";
        let Value::Whole(number) = node.value else {
            self.bad_kind(key, node, "a whole number from 1 to 99", hint);
            return None;
        };
        match u8::try_from(number) {
            Ok(percent @ 1..=99) => Some((percent, self.place(node))),
            Ok(_) | Err(_) => {
                self.bad(key, node, format!("{number} is not from 1 to 99"), Some(hint.to_owned()));
                None
            }
        }
    }

    /// The entries of a section whose keys are known, each key once; whatever else stands in it becomes a fault.
    pub(super) fn entries<'n>(&mut self, parent: &str, node: &'n Node) -> Vec<(String, &'n Node)> {
        let (known, example): (&[&str], &str) = match parent {
            "provider.claude" => (&["model"], "provider: { claude: { model: sonnet } }"),
            "arbiter" => (conduct::ARBITER_KEYS, "arbiter: { provider: api, model: claude-haiku-4-5 }"),
            "agents" => (conduct::AGENTS_KEYS, "agents: { default: planner }"),
            "limits" => (conduct::LIMITS_KEYS, "limits: { maxIterations: 50 }"),
            "memory" => (conduct::MEMORY_KEYS, "memory: { keeper: end }"),
            "provider" => (PROVIDER_KEYS, "provider: { default: claude }"),
            "claude" => (claude::KEYS, "claude: { model: opus }"),
            "policy" => (policy::KEYS, "policy: { mode: guarded }"),
            "sandbox" => (sandbox::KEYS, "sandbox: { level: auto }"),
            "docket" => (docket::KEYS, "docket: { away_after: 10m }"),
            "warnings" => (WARNINGS_KEYS, "warnings: { first: 70, last: 85 }"),
            _ => (KEYS, "check_limit: 20m"),
        };
        let faults_before = self.faults.len();
        let entries = self.map(parent, node, known, example);
        if parent.is_empty() {
            self.faults.iter_mut().skip(faults_before).for_each(point_into_sandbox);
        }
        entries
    }
}

/// A key of the sandbox that stands beside its section: the hint names its place.
fn point_into_sandbox(fault: &mut ConfigError) {
    if let ConfigError::UnknownKey { key, hint, .. } = fault
        && sandbox::KEYS.contains(&key.as_str())
    {
        *hint = format!("write it as sandbox.{key}");
    }
}

/// How to write what stands there instead of a check: a line of text is shown as a list.
fn instead_of(node: &Node, otherwise: &str) -> String {
    let Value::Text(line) = &node.value else {
        return otherwise.to_owned();
    };
    let refused = Check::parse(Written::Line(line.clone())).err().and_then(|error| error.hint());
    refused.unwrap_or_else(|| format!("write the program and its arguments as a list: [{line:?}]"))
}
