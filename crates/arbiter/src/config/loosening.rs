//! What of a project's file loosens: it runs commands, lifts limits or replaces our prompts. It counts only once the user
//! trusts the project; everything else a project may say by itself.

use std::path::Path;
use std::sync::Arc;

use mind::conductor::Limits;
use mind::conductor::agent_files::FILES;
use mind::policy::Mode;

use super::claude::word;
use super::conduct::{ConductLayer, Judge, KINDS};
use super::duration;
use super::error::Place;
use super::layer::Layer;
use super::reader::Found;
use super::sandbox::shown_paths;
use super::tell::shown_parts;
use crate::papers::Papers;

/// One thing that a project sets and that counts only by trust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loosening {
    /// The key, or the prompt.
    pub key: String,
    /// Its values, each as it is shown; of a prompt, how long it is.
    pub values: Vec<String>,
    /// The values stand in a list.
    pub is_list: bool,
    /// The file.
    pub file: Arc<Path>,
    /// Its line; a prompt is a whole file.
    pub line: Option<u64>,
}

impl Loosening {
    /// All of it in one line.
    #[must_use]
    pub fn value(&self) -> String {
        let values = self.values.join(", ");
        if self.is_list { format!("[{values}]") } else { values }
    }

    /// File and line.
    #[must_use]
    pub fn whereabouts(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", self.file.display()),
            None => self.file.display().to_string(),
        }
    }
}

/// Names what the project sets that loosens, and takes it out of `own` unless it `counts`.
pub(super) fn set_apart(own: &mut Layer, user: &Layer, counts: bool) -> Vec<Loosening> {
    let mut found = Vec::new();
    let mode = own.policy.mode.as_ref().filter(|(mode, _)| *mode == Mode::Open).map(|(_, place)| place);
    found.extend(mode.map(|place| at("policy.mode", vec!["open".to_owned()], false, place)));
    if mode.is_some() && !counts {
        own.policy.mode = None;
    }
    let argvs = |argvs: &[Vec<String>]| argvs.iter().map(|argv| format!("{argv:?}")).collect();
    take("policy.allow", &mut own.policy.allow, counts, &mut found, |allow| argvs(allow));
    take("sandbox.write", &mut own.sandbox.write, counts, &mut found, |paths| shown_paths(paths));
    take("sandbox.environment", &mut own.sandbox.environment, counts, &mut found, |names| names.clone());
    take("checks", &mut own.checks, counts, &mut found, |checks| {
        checks.iter().map(|check| format!("{:?}", check.argv())).collect()
    });
    arbiter(&mut own.conduct, &user.conduct, counts, &mut found);
    limits(&mut own.conduct, &user.conduct, counts, &mut found);
    // Ours may work first by anybody's word: what they do is known.
    let is_ours = |name: &String| FILES.iter().any(|(file, _)| file.strip_suffix(".md") == Some(name));
    if own.conduct.default_agent.as_ref().is_some_and(|(name, _)| !is_ours(name)) {
        own.conduct.waiting_agent = own.conduct.default_agent.clone().filter(|_| !counts);
        one("agents.default", &mut own.conduct.default_agent, counts, &mut found, String::clone);
    }
    found
}

/// An API costs the user's money and is sent the project's text: no repository chooses that alone. What the section says
/// besides is said of that API, whoever chose it: a dearer model, and which key goes to the user's address.
fn arbiter(own: &mut ConductLayer, user: &ConductLayer, counts: bool, found: &mut Vec<Loosening>) {
    if !own.judge.as_ref().or(user.judge.as_ref()).is_some_and(|(judge, _)| *judge == Judge::Api) {
        return;
    }
    one("arbiter.provider", &mut own.judge, counts, found, |_| "api".to_owned());
    one("arbiter.model", &mut own.model, counts, found, String::clone);
    one("arbiter.maxTokens", &mut own.max_tokens, counts, found, u64::to_string);
    one("arbiter.temperature", &mut own.temperature_milli, counts, found, |milli| shown_parts(*milli, 1_000));
    one("arbiter.cache", &mut own.cache, counts, found, bool::to_string);
    one("arbiter.kind", &mut own.kind, counts, found, |kind| word(&KINDS, kind).to_owned());
}

/// A project may tighten the user's limits, and ours; it loosens them only by trust.
fn limits(own: &mut ConductLayer, user: &ConductLayer, counts: bool, found: &mut Vec<Loosening>) {
    let ours = Limits::default();
    let (iterations, failures) = (Some(u64::from(ours.max_iterations)), Some(u64::from(ours.max_failures)));
    if wider(&own.max_iterations, &user.max_iterations, iterations) {
        one("limits.maxIterations", &mut own.max_iterations, counts, found, u64::to_string);
    }
    if wider(&own.max_failures, &user.max_failures, failures) {
        one("limits.maxFailures", &mut own.max_failures, counts, found, u64::to_string);
    }
    if wider(&own.deadline, &user.deadline, None) {
        one("limits.deadline", &mut own.deadline, counts, found, |deadline| duration::show(*deadline));
    }
    if wider(&own.budget_microusd, &user.budget_microusd, None) {
        let show = |budget: &u64| shown_parts(*budget, 1_000_000);
        one("limits.budgetUsd", &mut own.budget_microusd, counts, found, show);
    }
    if wider(&own.budget_tokens, &user.budget_tokens, None) {
        one("limits.budgetTokens", &mut own.budget_tokens, counts, found, u64::to_string);
    }
}

/// Whether a project's limit lets more through than the user's, or ours where the user says nothing.
fn wider<T: PartialOrd>(own: &Found<T>, user: &Found<T>, ours: Option<T>) -> bool {
    let before = user.as_ref().map(|(limit, _)| limit).or(ours.as_ref());
    own.as_ref().is_some_and(|(limit, _)| before.is_some_and(|before| limit > before))
}

/// The agents that a project brings.
pub(super) fn agents(papers: &Papers) -> Vec<Loosening> {
    let loosening = |sheet: &crate::agents::Sheet| Loosening {
        key: format!("agents/{}", sheet.name),
        values: vec![format!(
            "an agent, {} line(s) of prompt, tools and transitions: read them in the file",
            sheet.bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count()
        )],
        is_list: false,
        file: Arc::from(sheet.file.as_path()),
        line: None,
    };
    papers.agents.readable().map(loosening).collect()
}

/// The prompts that replace ours.
pub(super) fn prompts(papers: &Papers) -> Vec<Loosening> {
    let prompts = papers.prompts.iter().flatten();
    let loosening = |(name, prompt): (&String, &crate::papers::Prompt)| Loosening {
        key: format!("prompts/{name}"),
        values: vec![format!("{} line(s) in place of ours", prompt.text.lines().count())],
        is_list: false,
        file: Arc::from(prompt.file.as_path()),
        line: None,
    };
    prompts.map(loosening).collect()
}

fn take<T>(
    key: &str,
    setting: &mut Found<T>,
    counts: bool,
    found: &mut Vec<Loosening>,
    show: impl Fn(&T) -> Vec<String>,
) {
    let Some((value, place)) = setting else { return };
    found.push(at(key, show(value), true, place));
    if !counts {
        *setting = None;
    }
}

/// The same for a value that is no list.
fn one<T>(
    key: &str,
    setting: &mut Found<T>,
    counts: bool,
    found: &mut Vec<Loosening>,
    show: impl Fn(&T) -> String,
) {
    let Some((value, place)) = setting else { return };
    found.push(at(key, vec![show(value)], false, place));
    if !counts {
        *setting = None;
    }
}

fn at(key: &str, values: Vec<String>, is_list: bool, place: &Place) -> Loosening {
    let (file, line) = (Arc::clone(&place.file), Some(place.line));
    Loosening { key: key.to_owned(), values, is_list, file, line }
}
