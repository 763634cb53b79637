//! Notes as files: read as people write them, kept without ever harming another.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::Arc;

use arbiter::project::memory::Notes;
use insta::assert_snapshot;
use mind::conductor::Note;
use mind::conductor::memory::Importance;
use tempfile::TempDir;

fn note(title: &str, text: &str) -> Note {
    Note {
        title: Arc::from(title),
        when_to_use: None,
        tags: Vec::new(),
        importance: Importance::Medium,
        discovered_at: None,
        discovered_by: None,
        text: Arc::from(text),
    }
}

fn project() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let memory = folder.path().join("project/.arbiter/memory");
    fs::create_dir_all(&memory).expect("a folder");
    (folder, memory)
}

fn names(memory: &std::path::Path) -> Vec<String> {
    let entries = fs::read_dir(memory).expect("a folder").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn what_is_kept_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut notes = Notes::open(folder.path());
    assert_eq!(notes.read_changed(), Some(Vec::new()));
    assert_eq!(notes.read_changed(), None, "nothing changed");
    let full = Note {
        when_to_use: Some(Arc::from("before a \"release\": always")),
        tags: vec![Arc::from("release"), Arc::from("a, b]")],
        importance: Importance::High,
        discovered_at: Some(Arc::from("2026-11-16")),
        discovered_by: Some(Arc::from("memory-keeper")),
        ..note("Releases: # 1 { \\ }", "Tag first.\n\n---\nThen build.")
    };
    notes.save(&full).expect("kept");
    assert_eq!(notes.read_changed(), Some(vec![full]));
    assert_eq!(notes.read_changed(), None);
    let memory = folder.path().join(".arbiter/memory");
    assert_eq!(names(&memory), ["releases-1.md"]);
    assert_snapshot!(fs::read_to_string(memory.join("releases-1.md")).expect("a file"), @r#"
    ---
    title: "Releases: # 1 { \\ }"
    whenToUse: "before a \"release\": always"
    tags: ["release", "a, b]"]
    importance: high
    discoveredAt: "2026-11-16"
    discoveredBy: "memory-keeper"
    ---
    Tag first.

    ---
    Then build.
    "#);
    fs::remove_file(memory.join("releases-1.md")).expect("removed");
    assert_eq!(notes.read_changed(), Some(Vec::new()));
}

#[test]
fn a_title_has_one_file_and_no_other_is_overwritten() {
    let (folder, memory) = project();
    let mut notes = Notes::open(&folder.path().join("project"));
    fs::write(memory.join("the-build.md"), "Mine, and not a note about building.\n").expect("a file");
    for (title, text) in [
        ("The build!", "One."),
        ("the  BUILD", "Two."),
        ("The build?!", "Three."),
        ("\u{1f980}", "Four."),
        ("\u{1f40d}", "Five."),
        ("../../../etc/passwd", "Six."),
        ("a\nb: [\u{7f}", "Seven."),
    ] {
        notes.save(&note(title, text)).expect("kept");
    }
    let found = names(&memory);
    assert_eq!(found, ["a-b.md", "etc-passwd.md", "note-2.md", "note.md", "the-build.md"]);
    let mine = fs::read_to_string(memory.join("the-build.md")).expect("a file");
    assert_eq!(mine, "Mine, and not a note about building.\n", "its name says what it is about");
    assert_eq!(notes.read_changed().expect("changed").len(), 5);
    assert_eq!(notes.damaged(), [""; 0]);
}

#[test]
fn damaged_files_are_passed_over_and_told() {
    let (folder, memory) = project();
    let write = |name: &str, text: &[u8]| fs::write(memory.join(name), text).expect("a file");
    write("good.md", b"---\ntitle: Good\nimportance: huge\ntags: none\nfoo: [1]\n---\nIt is.\n");
    write("plain.md", b"Words first.\n# A heading\nMore words.\n");
    write("bad-yaml.md", b"---\ntitle: [\n---\nx\n");
    write("no-title.md", b"---\ntags: [a]\n---\nx\n");
    write("empty.md", b"---\ntitle: Empty\n---\n\n");
    write("bytes.md", b"\xff\xfe");
    write("large.md", &vec![b'a'; 300 * 1024]);
    write("other.txt", b"not a note");
    fs::create_dir(memory.join("folder.md")).expect("a folder");
    fs::write(folder.path().join("secret.md"), "secret").expect("a file");
    symlink(folder.path().join("secret.md"), memory.join("link.md")).expect("a link");
    symlink("/dev/zero", memory.join("zero.md")).expect("a link");
    let mut notes = Notes::open(&folder.path().join("project"));
    let read: Vec<(String, String)> = notes
        .read_changed()
        .expect("a first look")
        .iter()
        .map(|note| (note.title.to_string(), note.text.to_string()))
        .collect();
    assert_eq!(
        read,
        [
            ("Good".to_owned(), "It is.".to_owned()),
            ("A heading".to_owned(), "Words first.\n# A heading\nMore words.".to_owned())
        ]
    );
    let root = folder.path().canonicalize().expect("a folder").display().to_string();
    let told = notes.damaged().join("\n").replace(&root, "F").replace("F/project/.arbiter/memory", "M");
    assert_snapshot!(told, @r"
    M/bad-yaml.md is skipped: line 2: unclosed bracket '['
    M/bytes.md is skipped: it is not UTF-8
    M/empty.md is skipped: it is empty
    M/folder.md is skipped: it cannot be read, or is too large
    M/large.md is skipped: it cannot be read, or is too large
    M/link.md is skipped: it leads out of the project, to F/secret.md
    M/no-title.md is skipped: it has no title
    M/zero.md is skipped: it leads out of the project, to /dev/zero
    ");
}

#[test]
fn notes_are_not_kept_outside_of_the_project() {
    let folder = tempfile::tempdir().expect("a folder");
    let (project, elsewhere) = (folder.path().join("project"), folder.path().join("elsewhere"));
    fs::create_dir_all(&project).expect("a folder");
    fs::create_dir_all(&elsewhere).expect("a folder");
    symlink(&elsewhere, project.join(".arbiter")).expect("a link");
    let error = Notes::open(&project).save(&note("A", "b")).expect_err("refused");
    assert!(error.to_string().contains("leads out of the project"), "{error}");
    assert_eq!(names(&elsewhere), [""; 0], "nothing was made there either");
}
