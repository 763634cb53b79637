//! A row of the table without its types: who may set the key and how it is documented; and the sections that keys belong to,
//! by the dots in their names.

use serde_json::Value as Json;

use super::table::{KEYS, Layer, SECTIONS};

/// A second way to write a key.
pub(super) const TWIN: &str = "provider.claude.model";
/// The key that it stands for.
pub(super) const TWIN_OF: &str = "claude.model";

/// Who may set a key.
pub(super) enum Who {
    Anyone,
    /// Only the user's own file; the text says what a project would choose by it.
    Own(&'static str),
    /// The first word is a value that only the user's own file may set; the text as above.
    OwnWord(&'static str, &'static str),
    /// The project's file too, once the user trusts it. The text names the values that need trust (empty: all of them), the
    /// function says whether the project's value is one of them.
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
    /// The allowed values as JSON Schema.
    pub(super) schema: Json,
}

/// A map of keys.
pub(super) struct Section {
    /// The keys around it, with dots; empty for the whole file.
    pub(super) name: &'static str,
    pub(super) doc: &'static str,
    /// How it is written, for the hint of a fault.
    pub(super) example: &'static str,
    /// Its keys that are named first; the others follow as the table has them.
    pub(super) first: &'static [&'static str],
}

impl Who {
    /// Whether the project's value needs trust.
    pub(super) fn loosens(&self, own: &Layer, user: &Layer) -> bool {
        match self {
            Who::Anyone | Who::Own(_) | Who::OwnWord(..) => false,
            Who::Trusted(_, loosens) => loosens(own, user),
        }
    }

    /// Who may set the key, in words that follow its meaning.
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

/// Whether `name` is a section.
pub(super) fn is_section(name: &str) -> bool {
    KEYS.iter().copied().chain([TWIN]).any(|key| inside(name, key).is_some())
}

fn inside<'k>(section: &str, name: &'k str) -> Option<&'k str> {
    name.strip_prefix(section).and_then(|rest| rest.strip_prefix('.'))
}
