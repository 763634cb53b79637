//! One configuration file: its settings and its faults. A file that does not exist sets nothing. `table` has the keys; `mod`
//! decides which file wins.

use std::path::Path;
use std::sync::Arc;

use super::ConfigTerms;
use super::error::{ConfigError, ConfigPlace, shown};
use super::kind::Kind;
use super::node::{self, Node, Value};
use super::reader::{Found, Owner, Reader, read_file, text};
use super::row::{TWIN, TWIN_OF, Who, below, is_section, keys_of, section};
use super::table::Layer;
use crate::project::project_files::ProjectFiles;

impl Layer {
    /// The settings of the user's own file.
    pub(super) fn of_user(terms: &ConfigTerms<'_>, faults: &mut Vec<ConfigError>) -> Layer {
        let Some(file) = terms.user_config else { return Layer::default() };
        Layer::parse(&read_file(file, file), file, Owner::User, terms, faults)
    }

    /// The settings of the project's file.
    pub(super) fn of_project(
        project_files: &ProjectFiles,
        terms: &ConfigTerms<'_>,
        faults: &mut Vec<ConfigError>,
    ) -> Layer {
        let owner = Owner::Project { own: terms.user_config };
        Layer::parse(&project_files.config, &project_files.config_file, owner, terms, faults)
    }

    /// Parses `bytes`, which were read from `file`. Faults go to `faults`; the rest is still read.
    fn parse(
        bytes: &Result<Option<Vec<u8>>, ConfigError>,
        file: &Path,
        owner: Owner<'_>,
        terms: &ConfigTerms<'_>,
        faults: &mut Vec<ConfigError>,
    ) -> Layer {
        let file: Arc<Path> = Arc::from(file);
        let mut layer = Layer::default();
        let text = match bytes {
            Ok(None) => return layer,
            Ok(Some(bytes)) => text(&file, bytes),
            Err(fault) => Err(fault.clone()),
        };
        let Ok(text) = text.map_err(|fault| faults.push(fault)) else { return layer };
        let ConfigTerms { home, providers, .. } = *terms;
        let mut reader = Reader { file, owner, home, text, providers, faults };
        match node::parse(text) {
            Ok(Some(root)) => reader.section("", &root, &mut layer),
            Ok(None) => {}
            Err(stop) => {
                let place = ConfigPlace { file: reader.file, line: stop.line, column: stop.column };
                reader.faults.push(ConfigError::NotYaml { place, said: stop.said });
            }
        }
        layer
    }
}

impl Reader<'_> {
    fn section(&mut self, parent: &str, node: &Node, layer: &mut Layer) {
        for (key, node) in self.entries(parent, node) {
            let name = below(parent, &key);
            match name.as_str() {
                // `sandbox: off` is short for `sandbox: { level: off }`.
                "sandbox" if is_scalar(node) => layer.read(self, "sandbox.level", "sandbox", node),
                TWIN | TWIN_OF => {
                    let before = layer.claude_model.take();
                    layer.read(self, TWIN_OF, &name, node);
                    layer.claude_model = self.one_model(before, layer.claude_model.take());
                }
                _ if is_section(&name) => self.section(&name, node, layer),
                _ => layer.read(self, &name, &name, node),
            }
        }
    }

    /// The entries of a section, each key once; anything else in it becomes a fault.
    fn entries<'n>(&mut self, parent: &str, node: &'n Node) -> Vec<(String, &'n Node)> {
        let faults_before = self.faults.len();
        let example = section(parent).map_or("", |section| section.example);
        let entries = self.map(parent, node, &keys_of(parent), example);
        if parent.is_empty() {
            self.faults.iter_mut().skip(faults_before).for_each(point_into_sandbox);
        }
        entries
    }

    /// A value that this file may set.
    pub(super) fn value<K: Kind>(&mut self, kind: &K, who: &Who, key: &str, node: &Node) -> Found<K::Value> {
        match who {
            Who::Anyone | Who::Trusted(..) => kind.read(self, key, node),
            Who::Own(what) => self.is_own(key, node, what).then(|| kind.read(self, key, node))?,
            Who::OwnWord(word, what) => {
                let found = kind.read(self, key, node)?;
                let may_say =
                    kind.show(&found.0).line() != *word || self.is_own(&format!("{key}: {word}"), node, what);
                may_say.then_some(found)
            }
        }
    }

    /// Whether the file may set this key; `what` is what a project would choose by it.
    fn is_own(&mut self, key: &str, node: &Node, what: &str) -> bool {
        let Owner::Project { own } = self.owner else { return true };
        let file = own.map_or_else(|| "your own file".to_owned(), |own| own.display().to_string());
        let hint = format!("write it into {file}: a repository must not choose {what}");
        self.bad(key, node, "this counts only in your own file".to_owned(), Some(hint));
        false
    }

    /// `claude.model` and `provider.claude.model` are two names of one key.
    fn one_model(&mut self, before: Found<String>, now: Found<String>) -> Found<String> {
        if let (Some((model, earlier)), Some((other, place))) = (&before, &now)
            && model != other
        {
            let problem =
                format!("it is {} here and {} in line {}", shown(other), shown(model), earlier.line);
            let hint = format!("{TWIN_OF} and {TWIN} mean the same: keep one of them");
            self.faults.push(place.refuse(TWIN_OF, &problem, &hint));
        }
        now.or(before)
    }
}

fn is_scalar(node: &Node) -> bool {
    match node.value {
        Value::Text(_) | Value::Bool(_) | Value::Whole(_) | Value::Number(_) => true,
        Value::Null | Value::List(_) | Value::Map(_) => false,
    }
}

/// Sets the hint for a key of the sandbox that was written outside of its section.
fn point_into_sandbox(fault: &mut ConfigError) {
    if let ConfigError::UnknownKey { key, hint, .. } = fault
        && keys_of("sandbox").contains(&key.as_str())
    {
        *hint = format!("write it as sandbox.{key}");
    }
}
