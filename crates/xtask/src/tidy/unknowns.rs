//! An unknown is an error, never a "no": `Path::exists`, `is_file` and `is_dir` say "no" for a place that could not be looked
//! at, and so does metadata whose error is dropped (`is_ok`, `is_err`, `is_ok_and`, `ok`, `let Ok(..) =`). The product asks
//! `host::files`, or the metadata that it read. Where the answer decides nothing that could be lost, a line may stand in the
//! list, with the reason.

use super::{Problem, Tree};

pub const HINT: &str = "`host::files::is_there`, `is_folder` and `is_file` tell what cannot be known; a line where a wrong \
                        \"no\" costs nothing stands in xtask/src/tidy/unknowns.rs with its reason";

/// The crates whose folders these rules hold for.
const PRODUCT: &[&str] =
    &["arbiter", "docket", "doors", "host", "journal", "providers", "sandbox", "tui", "view", "workspace"];

/// What stands before `.is_file()` where metadata were read before; after `?` it was told that they could not be.
const READ: &[&str] = &["?", "metadata", "found", "kind", "about", "file_type()"];

/// What asks for metadata.
const ASKS: &[&str] = &["metadata(", ".try_exists()"];

/// What drops the error of it.
const DROPS: &[&str] =
    &[".is_ok()", ".is_err()", ".is_ok_and(", ".ok()", ".unwrap_or(", ".unwrap_or_default()"];

/// Places whose "no" may mean "it cannot be looked at", and why that costs nothing: a file, what is in the line, the reason.
const EXCEPT: &[(&str, &str, &str)] = &[
    (
        "crates/arbiter/src/terminal/sound/players.rs",
        "place.is_file()",
        "a program that cannot be looked at cannot be started",
    ),
    (
        "crates/arbiter/src/terminal/picking.rs",
        "join(\".git\").exists()",
        "it decides whether an offer is made",
    ),
    (
        "crates/arbiter/src/project/files.rs",
        "join(\".git\").exists()",
        "it decides which files are offered for completion",
    ),
    (
        "crates/arbiter/src/project/requirements.rs",
        "folder.is_dir()",
        "reading the file tells what is wrong with it",
    ),
    (
        "crates/arbiter/src/project/requirements.rs",
        "place.join(name).is_file()",
        "it decides which names a hint offers",
    ),
    ("crates/arbiter/src/commands/start.rs", "file.exists()", "reading the file tells what is wrong with it"),
    (
        "crates/arbiter/src/commands/context.rs",
        "join(\".git\").exists()",
        "git tells what is wrong with a repository",
    ),
    (
        "crates/arbiter/src/project/registry.rs",
        ".is_dir()",
        "what it tells of a mission is shown, and nothing is done by it",
    ),
    (
        "crates/providers/src/rehearsal/actor/hands.rs",
        "lock.exists()",
        "a rehearsal waits for the locks of its own scripts",
    ),
    (
        "crates/arbiter/src/commands/doctor.rs",
        "folder.try_exists()",
        "it makes a folder there, and tells what fails",
    ),
    (
        "crates/arbiter/src/mission/effect_runner/clone_view.rs",
        "folder.join(place)",
        "a stamp: what cannot be looked at is another one than before, so the clone is inspected",
    ),
    (
        "crates/arbiter/src/mission/effect_runner/sandboxes.rs",
        "std::fs::metadata(",
        "a stamp: another one than before has the sandbox made anew",
    ),
    (
        "crates/arbiter/src/mission/notes.rs",
        "fs::metadata(&path)",
        "the notes grow until it can be looked at",
    ),
    (
        "crates/arbiter/src/mission/port/inbox.rs",
        "!metadata.is_file()",
        "what opening it failed with is told instead",
    ),
    (
        "crates/arbiter/src/mission/port/runtime.rs",
        "fs::symlink_metadata(folder)",
        "a folder that is not known to be ours is not used",
    ),
    (
        "crates/arbiter/src/mission/run/running.rs",
        "self.location.clone.try_exists()",
        "what cannot be looked at is mended, and that tells why it cannot be",
    ),
    (
        "crates/arbiter/src/project/memory.rs",
        "fs::metadata(file)",
        "a stamp: another one than before has the notes read, which tells why they cannot be",
    ),
    (
        "crates/arbiter/src/project/requirements.rs",
        "fs::metadata(path)",
        "how long a file is that is refused as too long",
    ),
    (
        "crates/arbiter/src/terminal/watching/book.rs",
        "metadata(",
        "live text is shown as far as it can be read",
    ),
    (
        "crates/docket/src/storage/holder.rs",
        "fs::metadata(path)",
        "who holds a lock is told as far as the system tells",
    ),
    (
        "crates/host/src/untrusted_files.rs",
        "fs::symlink_metadata(path)",
        "what is not known to be a folder is not entered",
    ),
    (
        "crates/providers/src/claude/files.rs",
        "file.metadata()",
        "a login that cannot be read is not carried back, and stays where it is",
    ),
    (
        "crates/providers/src/logbook.rs",
        "file.metadata()",
        "a logbook whose length is not known is turned over later",
    ),
    (
        "crates/sandbox/src/bubblewrap.rs",
        "fs::symlink_metadata(path)",
        "what we cannot look at, what runs inside cannot open",
    ),
    (
        "crates/sandbox/src/detect.rs",
        "place.is_file()",
        "a program that cannot be looked at cannot be started",
    ),
    (
        "crates/sandbox/src/factory.rs",
        "shell.is_file()",
        "a shell that cannot be looked at cannot be started, and bash is taken",
    ),
    ("crates/sandbox/src/gate.rs", "place.is_file()", "a program that cannot be looked at cannot be started"),
    ("crates/sandbox/src/landlock.rs", "fs::symlink_metadata(way)", "a place without a rule is closed"),
    (
        "crates/sandbox/src/process_tree/linux.rs",
        "/proc/{pid}",
        "a process that is gone is nobody's, and only our user's own can be ended",
    ),
    (
        "crates/sandbox/src/supervisor.rs",
        "task.file_name()",
        "a thread of ours that is gone has no children; the tree is struck after this, too",
    ),
    (
        "crates/workspace/src/inspection.rs",
        "std::fs::symlink_metadata(file)",
        "git tells why it cannot read an untracked file",
    ),
    (
        "crates/workspace/src/locks.rs",
        "found.size() == 0",
        "a ref that is not known to be empty is not removed",
    ),
    (
        "crates/workspace/src/objects.rs",
        ".is_dir()",
        "objects that cannot be looked at cannot be lent, and git names those that it misses",
    ),
];

pub fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.sources().filter(|(path, _)| is_product(path)) {
        for (number, line) in statements(text) {
            if is_unknown(&line) && !is_excepted(path, &line) {
                problems.push(Problem::at(path, number, "takes what cannot be looked at for a \"no\""));
            }
        }
    }
    problems
}

fn is_product(path: &str) -> bool {
    let is_in = |name: &&str| path.starts_with(&format!("crates/{name}/src/"));
    let is_test = path.ends_with("/tests.rs") || path.contains("/tests/");
    PRODUCT.iter().any(is_in) && !is_test
}

fn is_excepted(path: &str, line: &str) -> bool {
    EXCEPT.iter().any(|(file, part, _)| *file == path && line.contains(part))
}

/// The lines of a file before its tests, without comments; a chain of calls that is laid out over several is one.
fn statements(text: &str) -> Vec<(usize, String)> {
    let mut statements: Vec<(usize, String)> = Vec::new();
    // The tests of a file are its end.
    let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
    for (number, line) in (1..).zip(lines) {
        let code = line.split("//").next().unwrap_or_default().trim();
        match statements.last_mut() {
            Some((_, before)) if code.starts_with('.') => before.push_str(code),
            Some(_) | None => statements.push((number, code.to_owned())),
        }
    }
    statements
}

fn is_unknown(code: &str) -> bool {
    let of_metadata = |before: &str| READ.iter().any(|word| before.ends_with(word));
    let asks = |call: &str| code.match_indices(call).any(|(at, _)| !of_metadata(&code[..at]));
    code.contains(".exists()") || asks(".is_file()") || asks(".is_dir()") || is_dropped(code)
}

/// Whether the error of metadata is dropped: by the call behind it, or by a pattern before it.
fn is_dropped(code: &str) -> bool {
    ASKS.iter().flat_map(|ask| code.match_indices(ask)).any(|(at, ask)| {
        let behind = after_call(&code[at..], ask);
        let is_let = code[..at].contains("let Ok(") && !code[..at].contains(';');
        is_let || DROPS.iter().any(|drop| behind.starts_with(drop))
    })
}

/// What follows a call, its arguments and `.await`.
fn after_call<'a>(code: &'a str, ask: &str) -> &'a str {
    let mut depth = usize::from(ask.ends_with('('));
    let mut rest = &code[ask.len()..];
    while depth > 0 {
        let Some(at) = rest.find(['(', ')']) else { return "" };
        depth = if rest[at..].starts_with('(') { depth + 1 } else { depth - 1 };
        rest = &rest[at + 1..];
    }
    rest.trim_start_matches(".await")
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
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].contains("a.rs:1:") && told[1].contains("a.rs:4:"), "{told:?}");
        assert!(told[2].contains("sandbox/src/c.rs:1:"), "{told:?}");
    }

    #[test]
    fn metadata_whose_error_is_dropped_is_found() {
        let dropped = [
            "fs::symlink_metadata(path).is_ok();",
            "if fs::metadata(path.join(name(1))).await.is_err() {}",
            "path.metadata().is_ok_and(|found| found.len() > 1);",
            "let found = std::fs::metadata(file).ok();",
            "let Ok(found) = fs::metadata(path) else { return };",
            "fs::symlink_metadata(path)\n    .is_ok()",
            "clone.try_exists().unwrap_or(true);",
        ];
        let kept = [
            "let found = fs::metadata(path)?;",
            "fs::metadata(path).map(|found| found.len()).map_err(unreadable)?;",
            "match fs::symlink_metadata(path) {",
            "Ok(clone.try_exists()?)",
            "let Ok(names) = read(); fs::metadata(path)?;",
        ];
        let found = |line: &str| !check(&Tree::of(&[("crates/arbiter/src/a.rs", line)])).is_empty();
        for line in dropped {
            assert!(found(line), "{line}");
        }
        for line in kept {
            assert!(!found(line), "{line}");
        }
    }

    #[test]
    fn an_exception_holds_for_its_line_alone() {
        let (file, part, _) = EXCEPT[0];
        let text = format!("if {part} {{}}\nother.exists();\n");
        let told = lines(&check(&Tree::of(&[(file, &text)])));
        assert!(told.len() == 1 && told[0].contains(":2:"), "{told:?}");
    }
}
