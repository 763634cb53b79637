//! What a row of the table says besides its types, and how the keys lie in sections, by the dots in their names.

use serde_json::Value as Json;

use super::table::{KEYS, Layer, SECTIONS};

/// A second way to write a key.
pub(super) const TWIN: &str = "provider.claude.model";
/// What it means.
pub(super) const TWIN_OF: &str = "claude.model";

/// Who may set a key.
pub(super) enum Who {
    /// Any file.
    Anyone,
    /// Only the user's own file: what a project's would choose by it.
    Own(&'static str),
    /// The same for one of the values.
    OwnWord(&'static str, &'static str),
    /// The project's file too, but once the user trusts it: which values need that, none named if all do, and whether those
    /// of the project's file are such, beside the user's.
    Trusted(&'static str, fn(own: &Layer, user: &Layer) -> bool),
}

/// A row as documents need it.
pub(super) struct Row {
    pub(super) key: &'static str,
    pub(super) doc: &'static str,
    /// The default, where there is one.
    pub(super) default: Option<String>,
    /// A value to show, where the default is none.
    pub(super) example: Option<&'static str>,
    pub(super) who: Who,
    /// What may be written, as JSON Schema.
    pub(super) schema: Json,
}

/// A map of keys.
pub(super) struct Section {
    /// The keys around it, with dots; empty for the whole file.
    pub(super) name: &'static str,
    pub(super) doc: &'static str,
    /// How it is written, for whoever writes something else.
    pub(super) example: &'static str,
    /// Its keys that are named first; the others follow as the table has them.
    pub(super) first: &'static [&'static str],
}

impl Who {
    /// What the project sets needs trust.
    pub(super) fn loosens(&self, own: &Layer, user: &Layer) -> bool {
        match self {
            Who::Anyone | Who::Own(_) | Who::OwnWord(..) => false,
            Who::Trusted(_, loosens) => loosens(own, user),
        }
    }

    /// The same for people, after what the key means.
    pub(super) fn note(&self) -> String {
        match self {
            Who::Anyone => String::new(),
            Who::Own(_) => ". Only in your own file".to_owned(),
            Who::OwnWord(word, _) => format!(". {word} only in your own file"),
            Who::Trusted("", _) => ". A project's only by trust".to_owned(),
            Who::Trusted(which, _) => format!(". A project's only by trust, if {which}"),
        }
    }
}

/// The section of that name.
pub(super) fn section(name: &str) -> Option<&'static Section> {
    SECTIONS.iter().find(|section| section.name == name)
}

/// The name of `key` in the section `parent`.
pub(super) fn below(parent: &str, key: &str) -> String {
    if parent.is_empty() { key.to_owned() } else { format!("{parent}.{key}") }
}

/// The keys of the section `parent`, each once.
pub(super) fn keys_of(parent: &str) -> Vec<&'static str> {
    let mut keys = section(parent).map_or_else(Vec::new, |section| section.first.to_vec());
    for name in KEYS.iter().copied().chain([TWIN]) {
        let rest = if parent.is_empty() { Some(name) } else { inside(parent, name) };
        let key = rest.and_then(|rest| rest.split('.').next());
        keys.extend(key.filter(|key| !keys.contains(key)));
    }
    keys
}

/// Whether keys lie below `name`.
pub(super) fn is_section(name: &str) -> bool {
    KEYS.iter().copied().chain([TWIN]).any(|key| inside(name, key).is_some())
}

fn inside<'k>(section: &str, name: &'k str) -> Option<&'k str> {
    name.strip_prefix(section).and_then(|rest| rest.strip_prefix('.'))
}
