//! What of a project's file loosens: it runs commands, lifts limits or replaces our prompts. It counts only once the user
//! trusts the project; everything else a project may say by itself.

use std::path::Path;
use std::sync::Arc;

use mind::policy::Mode;

use super::error::Place;
use super::layer::Layer;
use super::reach::shown_paths;
use super::reader::Found;
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
pub(super) fn set_apart(own: &mut Layer, counts: bool) -> Vec<Loosening> {
    let mut found = Vec::new();
    let mode = own.reach.mode.as_ref().filter(|(mode, _)| *mode == Mode::Open).map(|(_, place)| place);
    found.extend(mode.map(|place| at("policy.mode", vec!["open".to_owned()], false, place)));
    if mode.is_some() && !counts {
        own.reach.mode = None;
    }
    let argvs = |argvs: &[Vec<String>]| argvs.iter().map(|argv| format!("{argv:?}")).collect();
    take("policy.allow", &mut own.reach.allow, counts, &mut found, |allow| argvs(allow));
    take("write", &mut own.reach.write, counts, &mut found, |paths| shown_paths(paths));
    take("environment", &mut own.reach.environment, counts, &mut found, |names| names.clone());
    take("checks", &mut own.checks, counts, &mut found, |checks| {
        checks.iter().map(|check| format!("{:?}", check.argv())).collect()
    });
    found
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

fn at(key: &str, values: Vec<String>, is_list: bool, place: &Place) -> Loosening {
    let (file, line) = (Arc::clone(&place.file), Some(place.line));
    Loosening { key: key.to_owned(), values, is_list, file, line }
}
