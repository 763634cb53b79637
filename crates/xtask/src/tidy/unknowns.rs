//! An unknown is an error, never a "no": `Path::exists`, `is_file` and `is_dir` say "no" for a place that could not be looked
//! at. The product asks `host::files`, or the metadata that it read. Where the answer decides nothing that could be lost, a
//! file may stand in the list, with the reason.

use super::{Problem, Tree};

pub const HINT: &str = "`host::files::is_there`, `is_folder` and `is_file` tell what cannot be known; a place where a wrong \
                        \"no\" costs nothing stands in xtask/src/tidy/unknowns.rs with its reason";

/// The crates whose folders these rules hold for.
const PRODUCT: &[&str] =
    &["arbiter", "docket", "doors", "host", "journal", "providers", "sandbox", "tui", "view", "workspace"];

/// What stands before `.is_file()` where metadata were read before; after `?` it was told that they could not be.
const READ: &[&str] = &["?", "metadata", "found", "kind", "about", "file_type()"];

/// Files whose "no" may mean "it cannot be looked at", and why that costs nothing.
const EXCEPT: &[(&str, &str)] = &[
    ("crates/arbiter/src/terminal/sound/players.rs", "a program that cannot be looked at cannot be started"),
    ("crates/arbiter/src/terminal/picking.rs", "it decides whether an offer is made"),
    ("crates/arbiter/src/project/files.rs", "it decides which files are offered for completion"),
    ("crates/arbiter/src/project/requirements.rs", "reading the file tells what is wrong with it"),
    ("crates/arbiter/src/commands/start.rs", "reading the file tells what is wrong with it"),
    ("crates/arbiter/src/commands/doctor.rs", "it makes a folder there, and tells what fails"),
    ("crates/arbiter/src/commands/context.rs", "git tells what is wrong with a repository"),
    ("crates/arbiter/src/mission/opening.rs", "the folder is made by a call that refuses an existing one"),
    (
        "crates/arbiter/src/project/registry.rs",
        "what it tells of a mission is shown, and nothing is done by it",
    ),
    ("crates/arbiter/src/commands/merge.rs", "the merge itself looks again"),
    ("crates/providers/src/rehearsal/", "a rehearsal waits for the locks of its own scripts"),
    ("crates/sandbox/src/", "a program or a thread that cannot be looked at cannot be used"),
    ("crates/workspace/src/", "git looks again, and tells what it cannot read"),
];

pub fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.sources().filter(|(path, _)| is_product(path)) {
        // The tests of a file are its end.
        let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
        for (number, line) in (1..).zip(lines) {
            if is_unknown(line) {
                problems.push(Problem::at(path, number, "takes what cannot be looked at for a \"no\""));
            }
        }
    }
    problems
}

fn is_product(path: &str) -> bool {
    let is_in = |name: &&str| path.starts_with(&format!("crates/{name}/src/"));
    let is_test = path.ends_with("/tests.rs") || path.contains("/tests/");
    PRODUCT.iter().any(is_in) && !is_test && !EXCEPT.iter().any(|(place, _)| path.starts_with(place))
}

fn is_unknown(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let of_metadata = |before: &str| READ.iter().any(|word| before.ends_with(word));
    let asks = |call: &str| code.match_indices(call).any(|(at, _)| !of_metadata(&code[..at]));
    code.contains(".exists()") || asks(".is_file()") || asks(".is_dir()")
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    #[test]
    fn a_no_that_may_be_an_unknown_is_found() {
        let tree = Tree::of(&[
            (
                "crates/arbiter/src/a.rs",
                "if path.exists() {}\nif found.is_dir() {}\n// path.exists()\nx.is_file();\n",
            ),
            ("crates/arbiter/src/b.rs", "ok();\n#[cfg(test)]\nmod tests { fn a() { path.exists(); } }\n"),
            ("crates/sandbox/src/c.rs", "place.is_file();\n"),
            ("crates/sim/src/d.rs", "path.exists();\n"),
        ]);
        let told = lines(&check(&tree));
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("a.rs:1:") && told[1].contains("a.rs:4:"), "{told:?}");
    }
}
