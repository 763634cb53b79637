//! One small mission over a repository, for the tests of what is around it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sim::{BridgeScript, Ran, Theatre};

use crate::BINARY;

/// A mission whose worker takes `steps`, whose check is `check`, and which a verifier passes.
fn script(steps: &str, check: &str) -> BridgeScript {
    BridgeScript::new().with_human().scroll("Do the work.").checks(check).works(steps)
}

/// Writes work.txt and commits it.
pub const WORK: &str = r#"{write: work.txt, text: "done\n"}, {commit: "Do the work"}"#;
/// Passes if the work is there.
pub const CHECK: &str = r#"["test", "-f", "work.txt"]"#;

/// A world whose project has one commit and a scroll of its own.
pub fn repository() -> Theatre {
    Theatre::with_repository(BINARY, &[("README.md", "text\n"), ("plan.md", "Do the work.\n")])
}

/// Runs a mission in the project that stops with a question once its worker has taken `steps`, and gives its id.
pub fn run_unfinished(theatre: &Theatre, steps: &str) -> String {
    let asks = r#"says: {intent: address_human, message: "What now?"}"#;
    theatre.write_script(script(steps, CHECK).ends_with(&[asks]));
    let ran = theatre.rehearse(&["--headless", "--yes"]);
    assert_eq!(ran.code, Some(1), "{}\n{}", ran.out, ran.err);
    newest(theatre)
}

/// Writes the script of a mission that does its work.
pub fn write_script(theatre: &Theatre) {
    theatre.write_script(script(WORK, CHECK));
}

/// Runs a mission in `folder` whose worker takes `steps`.
pub fn run_in(theatre: &Theatre, folder: &Path, steps: &str, check: &str, flags: &[&str]) -> Ran {
    theatre.write_script(script(steps, check));
    let mut command = theatre.rehearsal(&[&["--headless", "--yes"], flags].concat());
    Ran::from(command.current_dir(folder).output().expect("the binary starts"))
}

/// Runs the mission in the project, which must succeed, and gives its id.
pub fn run(theatre: &Theatre, flags: &[&str]) -> String {
    let ran = run_in(theatre, &theatre.project(), WORK, CHECK, flags);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    newest(theatre)
}

/// The id of the mission that was opened last.
pub fn newest(theatre: &Theatre) -> String {
    let listed = theatre.run(&["missions", "--all", "--json"]);
    let row = listed.out.lines().next().unwrap_or_else(|| panic!("a mission: {}", listed.err)).to_owned();
    let row: serde_json::Value = serde_json::from_str(&row).expect("JSON");
    row["id"].as_str().expect("an id").to_owned()
}

/// It ended with `code`, said each of `words`, and gave a hint.
pub fn assert_refused(ran: &Ran, code: i32, words: &[&str]) {
    assert_eq!(ran.code, Some(code), "{}\n{}", ran.out, ran.err);
    for word in words.iter().chain(&["hint: "]) {
        assert!(ran.err.contains(word), "{word:?} is not said:\n{}", ran.err);
    }
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
}

/// All that is the user's in a folder, byte for byte: files, links, index, HEAD, branches, stash, logs, configuration.
/// Objects, our own refs and `.arbiter` are ours to add.
pub fn picture(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    use std::os::unix::fs::MetadataExt;
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let text = entry.to_string_lossy().into_owned();
            if ["/objects", "refs/arbiter", "/.arbiter"].iter().any(|ours| text.contains(ours)) {
                continue;
            }
            let found = fs::symlink_metadata(&entry).expect("it is there");
            if found.is_dir() {
                folders.push(entry);
            } else if found.is_symlink() {
                let target = fs::read_link(&entry).expect("a link");
                files.insert(entry, target.into_os_string().into_encoded_bytes());
            } else {
                let mut bytes = fs::read(&entry).expect("a file");
                bytes.extend(found.mode().to_le_bytes());
                files.insert(entry, bytes);
            }
        }
    }
    files
}

/// Writes a file of the project.
pub fn put(theatre: &Theatre, name: &str, text: &str) {
    let file = theatre.project().join(name);
    fs::create_dir_all(file.parent().expect("a folder")).expect("a folder can be made");
    fs::write(file, text).expect("a file can be written");
}
