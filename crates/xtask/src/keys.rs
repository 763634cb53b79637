//! `cargo xtask keys`: writes into the documents what the program prints of its configuration, every key into
//! docs/configuration.md and the schema for editors beside it. The tests of `config` tell when they are not true any more.

use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::{Verdict, refuse_arguments, shell};

const DOCUMENT: &str = "docs/configuration.md";
const SCHEMA: &str = "docs/config.schema.json";
/// What stands around the keys.
const BEGIN: &str = "<!-- begin: keys -->\n```yaml\n";
const END: &str = "```\n<!-- end: keys -->\n";

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    if let Some(verdict) = refuse_arguments("keys", args) {
        return Ok(verdict);
    }
    let (Some(keys), Some(schema)) = (printed(root, "keys")?, printed(root, "schema")?) else {
        return Ok(Verdict::Failed);
    };
    let text = fs::read_to_string(root.join(DOCUMENT)).with_context(|| format!("cannot read {DOCUMENT}"))?;
    let text = renewed(&text, &keys).with_context(|| format!("{DOCUMENT} has no place for the keys"))?;
    for (path, text) in [(DOCUMENT, text), (SCHEMA, schema)] {
        fs::write(root.join(path), &text).with_context(|| format!("cannot write {path}"))?;
        println!("{path}, {} bytes", text.len());
    }
    Ok(Verdict::Passed)
}

/// What `arbiter config` prints of it; none if it cannot be built or fails.
fn printed(root: &Path, what: &str) -> anyhow::Result<Option<String>> {
    let mut arbiter = shell::cargo(root);
    shell::output(arbiter.args(["run", "--quiet", "--package", "arbiter", "--", "config", what]))
}

/// The document with these keys in place of those it has.
fn renewed(text: &str, keys: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{keys}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_keys_are_renewed() {
        let text = format!("# A\n{BEGIN}old: 1\n{END}```yaml\nold: 1\n```\n");
        let wanted = format!("# A\n{BEGIN}new: 2\n{END}```yaml\nold: 1\n```\n");
        assert_eq!(renewed(&text, "new: 2\n"), Some(wanted));
    }

    #[test]
    fn a_document_without_a_place_is_left_alone() {
        assert_eq!(renewed("# A\n```yaml\nold: 1\n```\n", "new: 2\n"), None);
    }
}
