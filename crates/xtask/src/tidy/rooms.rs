//! The drawing of the rooms is true. ARCHITECTURE.md has one block marked `rooms` with lines such
//! as `arbiter -> mind journal`; they are exactly the edges that cargo knows. What only tests or
//! chores need (dev- and build-dependencies, and all of xtask's) stands on lines that begin with
//! `tests:`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::Context;
use serde_json::Value;

use super::{Problem, Tree, markdown};

const DOCUMENT: &str = "ARCHITECTURE.md";
pub const HINT: &str = "a line of the ```rooms block is `arbiter -> mind journal`; dev-dependencies and xtask's own \
                        stand on lines such as `tests: arbiter -> sim`";

/// One crate of the workspace knows another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// For tests and chores only: no part of the product.
    tests: bool,
    from: String,
    to: String,
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Edge { tests, from, to } = self;
        write!(f, "{}{from} -> {to}", if *tests { "tests: " } else { "" })
    }
}

pub fn check(tree: &Tree) -> Vec<Problem> {
    let Some(text) = tree.text(DOCUMENT) else {
        return vec![Problem::missing(DOCUMENT)];
    };
    let blocks = markdown::blocks(text, "rooms");
    let [block] = &blocks[..] else {
        return vec![Problem::at(
            DOCUMENT,
            1,
            format!("there are {} ```rooms blocks instead of one", blocks.len()),
        )];
    };

    let mut problems = Vec::new();
    let mut drawn: BTreeMap<Edge, usize> = BTreeMap::new();
    for &(line, text) in block.lines.iter().filter(|(_, text)| !text.trim().is_empty()) {
        match drawn_edges(text) {
            Some(edges) => drawn.extend(edges.map(|edge| (edge, line))),
            None => problems.push(Problem::at(DOCUMENT, line, format!("`{}` is no edge", text.trim()))),
        }
    }
    for (edge, line) in drawn.iter().filter(|(edge, _)| !tree.edges.contains(edge)) {
        problems.push(Problem::at(DOCUMENT, *line, format!("`{edge}` is drawn but not in Cargo.toml")));
    }
    for edge in tree.edges.iter().filter(|edge| !drawn.contains_key(edge)) {
        problems.push(Problem::at(DOCUMENT, block.line, format!("`{edge}` is in Cargo.toml but not drawn")));
    }
    problems
}

/// Reads one line of the drawing.
fn drawn_edges(line: &str) -> Option<impl Iterator<Item = Edge>> {
    let (tests, line) = match line.trim().strip_prefix("tests:") {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (from, to) = line.split_once("->")?;
    let from = from.trim();
    let one_word = !from.is_empty() && !from.contains(' ');
    let edge = move |to: &str| Edge { tests, from: from.to_owned(), to: to.to_owned() };
    one_word.then(|| to.split_whitespace().map(edge))
}

/// Reads the edges among the workspace's own crates from `cargo metadata --no-deps`.
pub fn real_edges(metadata: &str) -> anyhow::Result<BTreeSet<Edge>> {
    let metadata: Value = serde_json::from_str(metadata).context("cannot read cargo metadata")?;
    let packages = metadata["packages"].as_array().context("cargo metadata has no packages")?;
    let members: BTreeSet<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut edges = BTreeSet::new();
    for package in packages {
        let from = package["name"].as_str().context("a package has no name")?;
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let to = dependency["name"].as_str().context("a dependency has no name")?;
            // A crate may depend on itself for its tests' features: that is no edge.
            if to != from && members.contains(to) {
                let tests = from == "xtask" || !dependency["kind"].is_null();
                edges.insert(Edge { tests, from: from.to_owned(), to: to.to_owned() });
            }
        }
    }
    // What a room knows anyway, its tests may know with other features.
    let known = edges.clone();
    edges.retain(|edge| !edge.tests || !known.contains(&Edge { tests: false, ..edge.clone() }));
    Ok(edges)
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    const METADATA: &str = r#"{ "packages": [
        { "name": "arbiter", "dependencies": [
            { "name": "mind", "kind": null }, { "name": "anyhow", "kind": null }, { "name": "mind", "kind": "dev" },
            { "name": "arbiter", "kind": "dev" }, { "name": "sim", "kind": "dev" } ] },
        { "name": "mind", "dependencies": [] },
        { "name": "sim", "dependencies": [{ "name": "mind", "kind": null }] },
        { "name": "xtask", "dependencies": [{ "name": "mind", "kind": null }] } ] }"#;

    fn problems(document: &str) -> Vec<String> {
        let mut tree = Tree::of(&[(DOCUMENT, document)]);
        tree.edges = real_edges(METADATA).unwrap();
        lines(&check(&tree))
    }

    #[test]
    fn a_true_drawing_is_fine() {
        let text = "```rooms\narbiter -> mind\nsim     -> mind\nmind    ->\n\ntests: arbiter -> sim\ntests: xtask -> mind\n```\n";
        assert_eq!(problems(text), [""; 0]);
    }

    #[test]
    fn an_edge_too_many_and_an_edge_too_few_are_told() {
        let text = "# A\n```rooms\narbiter -> mind sim\nsim -> mind\ntests: xtask -> mind\n```\n";
        let expected = [
            "ARCHITECTURE.md:3: `arbiter -> sim` is drawn but not in Cargo.toml",
            "ARCHITECTURE.md:2: `tests: arbiter -> sim` is in Cargo.toml but not drawn",
        ];
        assert_eq!(problems(text), expected);
    }

    #[test]
    fn a_line_that_is_no_edge_is_told() {
        let good = "arbiter -> mind\nsim -> mind\ntests: arbiter -> sim\ntests: xtask -> mind\n";
        for line in ["arbiter mind", "arbiter sim -> mind", "-> mind"] {
            let text = format!("```rooms\n{line}\n{good}```\n");
            assert_eq!(problems(&text), [format!("ARCHITECTURE.md:2: `{line}` is no edge")]);
        }
    }

    #[test]
    fn there_is_one_drawing() {
        assert_eq!(problems("text\n"), ["ARCHITECTURE.md:1: there are 0 ```rooms blocks instead of one"]);
    }
}
