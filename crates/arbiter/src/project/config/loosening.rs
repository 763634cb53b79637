//! The project's settings that need trust, because they run commands, raise limits or replace our prompts. They count only
//! once the user trusts the project; every other setting of a project counts by itself.

use std::path::Path;
use std::sync::Arc;

use mind::conductor::agent_files::FILES;
use mind::policy::PolicyMode;

use super::kind::{Kind, ShownValue};
use super::reader::Found;
use super::table::Layer;
use super::words::Judge;
use crate::project::project_files::ProjectFiles;

/// One setting of a project that counts only by trust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loosening {
    /// The key, or the prompt.
    pub key: String,
    /// Its value; of a prompt, how long it is.
    pub shown: ShownValue,
    pub file: Arc<Path>,
    /// Its line; a prompt is a whole file.
    pub line: Option<u64>,
}

impl Loosening {
    /// The value in one line.
    #[must_use]
    pub fn value(&self) -> String {
        self.shown.line()
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

/// Returns the project's setting of `key`, and removes it unless it `counts`.
pub(super) fn set_apart<K: Kind>(
    key: &str,
    kind: &K,
    setting: &mut Found<K::Value>,
    counts: bool,
) -> Option<Loosening> {
    let (value, place) = setting.as_ref()?;
    let (file, line) = (Arc::clone(&place.file), Some(place.line));
    let loosening = Loosening { key: key.to_owned(), shown: kind.show(value), file, line };
    if !counts {
        *setting = None;
    }
    Some(loosening)
}

/// Whether agents run every command without asking.
pub(super) fn is_open(own: &Layer) -> bool {
    own.policy_mode.as_ref().is_some_and(|(mode, _)| *mode == PolicyMode::Open)
}

/// An API costs the user's money and is sent the project's text, so no repository may choose it alone. The other keys of
/// the section need trust too, also if the user chose the API: they could name a dearer model, or the key that is sent.
pub(super) fn speaks_of_an_api(own: &Layer, user: &Layer) -> bool {
    own.judge.as_ref().or(user.judge.as_ref()).is_some_and(|(judge, _)| *judge == Judge::Api)
}

/// Whether the project names an agent that is not built in. A built-in one may always work first: what it does is known.
pub(super) fn brings_an_agent(own: &Layer) -> bool {
    let is_ours = |name: &str| FILES.iter().any(|(file, _)| file.strip_suffix(".md") == Some(name));
    own.default_agent.as_ref().is_some_and(|(name, _)| !is_ours(name))
}

/// A project may lower the user's limits, and our defaults where the user sets none; it raises them only by trust.
pub(super) fn is_wider<T: PartialOrd>(own: &Found<T>, user: &Found<T>, ours: Option<T>) -> bool {
    let before = user.as_ref().map(|(limit, _)| limit).or(ours.as_ref());
    own.as_ref().is_some_and(|(limit, _)| before.is_some_and(|before| limit > before))
}

/// The agents that a project brings.
pub(super) fn agents(project_files: &ProjectFiles) -> Vec<Loosening> {
    let loosening = |sheet: &crate::project::agents::AgentFile| Loosening {
        key: format!("agents/{}", sheet.name),
        shown: ShownValue::one(format!(
            "an agent, {} line(s) of prompt, tools and transitions: read them in the file",
            sheet.bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count()
        )),
        file: Arc::from(sheet.file.as_path()),
        line: None,
    };
    project_files.agents.readable().map(loosening).collect()
}

/// The prompts that replace ours.
pub(super) fn prompts(project_files: &ProjectFiles) -> Vec<Loosening> {
    let prompts = project_files.prompts.iter().flatten();
    let loosening = |(name, prompt): (&String, &crate::project::project_files::PromptFile)| Loosening {
        key: format!("prompts/{name}"),
        shown: ShownValue::one(format!("{} line(s) in place of ours", prompt.text.lines().count())),
        file: Arc::from(prompt.file.as_path()),
        line: None,
    };
    prompts.map(loosening).collect()
}
