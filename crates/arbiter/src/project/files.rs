//! Lists a project's files: without ignored and hidden ones, without following links. The list is made on a thread of its
//! own and sent in batches. Also reads the beginning of a file, without ever waiting for one.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use ignore::{DirEntry, WalkBuilder};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::retry_on_intr;

/// How many files and folders are looked at.
const ENTRIES_MAX: usize = 200_000;
/// How many names are sent at once.
const BATCH_MAX: usize = 512;
/// How many batches may wait to be taken; then the walk waits.
const BATCHES_MAX: usize = 16;
/// How long a found name may wait for others.
const BATCH_PATIENCE: Duration = Duration::from_millis(20);
/// How often an empty batch is sent while nothing is found, to see whether the receiver still exists.
const LISTENING_EVERY: Duration = Duration::from_millis(200);
/// How much of a file is shown before it is chosen.
const PREVIEW_BYTES_MAX: usize = 64 * 1024;
/// Folders that are never listed, even if an ignore file allows them.
const OURS: [&str; 2] = [".arbiter", ".git"];

/// Which files are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Files that may hold requirements.
    Markdown,
    Everything,
}

impl FileKind {
    fn wants(self, name: &str) -> bool {
        match self {
            FileKind::Everything => true,
            FileKind::Markdown => Path::new(name).extension().is_some_and(|ending| {
                ["md", "markdown"].iter().any(|known| ending.eq_ignore_ascii_case(known))
            }),
        }
    }
}

/// Walks a project: names relative to `root` come in batches, those of the root itself first. The walk has ended when
/// the other side is gone, and it ends early when the receiver is dropped. A batch may be empty.
///
/// # Errors
///
/// The system has no room for another thread.
pub fn walk(root: &Path, kind: FileKind) -> io::Result<Receiver<Vec<Arc<str>>>> {
    let (sender, receiver) = sync_channel(BATCHES_MAX);
    let root = root.to_owned();
    thread::Builder::new().name("files".to_owned()).spawn(move || {
        // An error means that the receiver was dropped.
        let _ = Walk { kind, sender, batch: Vec::new(), since: Instant::now(), seen: 0 }.run(&root);
    })?;
    Ok(receiver)
}

/// The receiver was dropped, or the limit was reached.
struct Enough;

struct Walk {
    kind: FileKind,
    sender: SyncSender<Vec<Arc<str>>>,
    batch: Vec<Arc<str>>,
    /// When the last batch was sent.
    since: Instant,
    seen: usize,
}

impl Walk {
    fn run(mut self, root: &Path) -> Result<(), Enough> {
        // The root's own files first: they are the most likely ones.
        for entry in builder(root).max_depth(Some(1)).build().flatten() {
            self.meet(root, &entry)?;
        }
        self.send()?;
        let looked = self.deep(root);
        self.send()?;
        looked
    }

    fn deep(&mut self, root: &Path) -> Result<(), Enough> {
        for entry in builder(root).build().flatten().filter(|entry| entry.depth() > 1) {
            self.meet(root, &entry)?;
        }
        Ok(())
    }

    fn meet(&mut self, root: &Path, entry: &DirEntry) -> Result<(), Enough> {
        self.seen += 1;
        if self.seen > ENTRIES_MAX {
            return Err(Enough);
        }
        // A link is no plain file; a name that is not UTF-8 can be neither shown nor typed.
        if entry.file_type().is_some_and(|kind| kind.is_file())
            && let Some(name) = entry.path().strip_prefix(root).ok().and_then(Path::to_str)
            && self.kind.wants(name)
        {
            self.batch.push(Arc::from(name));
        }
        let waited = self.since.elapsed();
        let patience = if self.batch.is_empty() { LISTENING_EVERY } else { BATCH_PATIENCE };
        if self.batch.len() >= BATCH_MAX || waited >= patience { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<(), Enough> {
        self.since = Instant::now();
        self.sender.send(std::mem::take(&mut self.batch)).map_err(|_gone| Enough)
    }
}

fn builder(root: &Path) -> WalkBuilder {
    // A .gitignore counts with or without git. But outside of any repository, those of the folders above do not: a home
    // folder may ignore everything.
    let in_repository = root.ancestors().any(|folder| folder.join(".git").exists());
    let mut builder = WalkBuilder::new(root);
    builder
        .require_git(false)
        .parents(in_repository)
        .follow_links(false)
        .sort_by_file_name(|one, other| one.cmp(other))
        .filter_entry(|entry| !OURS.iter().any(|ours| entry.file_name() == *ours));
    builder
}

/// The beginning of a file, or a line that says why it cannot be shown.
#[must_use]
pub fn read_preview(path: &Path) -> String {
    match beginning(path) {
        Ok(bytes) if bytes.contains(&0) => "(this is no text)".to_owned(),
        Ok(bytes) => text(&bytes),
        Err(error) => format!("(this cannot be shown: {error})"),
    }
}

fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    // A pipe without a writer would block for ever.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(retry_on_intr(|| openat(CWD, path, flags, Mode::empty()))?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a plain file"));
    }
    let mut bytes = Vec::new();
    file.take(PREVIEW_BYTES_MAX as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The bytes as text; a letter that the limit cut in two is left out.
fn text(bytes: &[u8]) -> String {
    let mut bytes = bytes;
    if bytes.len() == PREVIEW_BYTES_MAX
        && let Err(error) = std::str::from_utf8(bytes)
        && error.error_len().is_none()
    {
        bytes = &bytes[..error.valid_up_to()];
    }
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;

    fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn names(root: &Path, kind: FileKind) -> Vec<String> {
        walk(root, kind).unwrap().iter().flatten().map(|name| name.to_string()).collect()
    }

    #[test]
    fn what_is_ignored_or_hidden_is_not_named() {
        for git in [false, true] {
            let project = project(&[
                (".gitignore", "target/\n/secret.md\n!.arbiter\n"),
                (".ignore", "draft.md\n"),
                (".hidden.md", ""),
                (".arbiter/scroll.md", ""),
                ("README.md", ""),
                ("secret.md", ""),
                ("draft.md", ""),
                ("target/notes.md", ""),
                ("a/plan.MD", ""),
                ("a/secret.md", ""),
                ("a/code.rs", ""),
                ("a/deep/.gitignore", "*\n!kept.markdown\n"),
                ("a/deep/gone.md", ""),
                ("a/deep/kept.markdown", ""),
            ]);
            if git {
                fs::create_dir(project.path().join(".git")).unwrap();
            }
            let found = names(project.path(), FileKind::Markdown);
            assert_eq!(
                found,
                ["README.md", "a/deep/kept.markdown", "a/plan.MD", "a/secret.md"],
                "git: {git}"
            );
            assert!(names(project.path(), FileKind::Everything).contains(&"a/code.rs".to_owned()));
        }
    }

    #[test]
    fn folders_above_count_only_inside_of_a_repository() {
        let above = project(&[(".gitignore", "*\n"), ("project/README.md", "")]);
        let root = above.path().join("project");
        assert_eq!(names(&root, FileKind::Markdown), ["README.md"]);
        fs::create_dir(above.path().join(".git")).unwrap();
        assert_eq!(names(&root, FileKind::Markdown), [""; 0]);
    }

    #[test]
    fn the_root_comes_first() {
        let project = project(&[("a/one.md", ""), ("b/two.md", ""), ("z.md", "")]);
        assert_eq!(names(project.path(), FileKind::Markdown), ["z.md", "a/one.md", "b/two.md"]);
    }

    #[test]
    fn links_pipes_and_names_that_nobody_can_read_are_passed_by() {
        let project = project(&[("a/README.md", "")]);
        let root = project.path();
        symlink(root, root.join("a/loop")).unwrap();
        symlink(root.join("a/README.md"), root.join("link.md")).unwrap();
        rustix::fs::mknodat(
            CWD,
            root.join("pipe.md"),
            rustix::fs::FileType::Fifo,
            Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        fs::write(root.join(OsStr::from_bytes(b"\xff.md")), "").unwrap();
        assert_eq!(names(root, FileKind::Markdown), ["a/README.md"]);
        assert_eq!(names(&root.join("nowhere"), FileKind::Markdown), [""; 0]);
        assert_eq!(read_preview(&root.join("pipe.md")), "(this cannot be shown: it is not a plain file)");
        assert!(read_preview(&root.join("link.md")).starts_with("(this cannot be shown"));
        assert!(read_preview(root).starts_with("(this cannot be shown"));
        assert!(read_preview(&root.join("nowhere")).starts_with("(this cannot be shown"));
    }

    #[test]
    fn the_walk_ends_when_nobody_listens() {
        let (sender, receiver) = sync_channel(0);
        drop(receiver);
        let project = project(&[("a/one.md", ""), ("b/code.rs", "")]);
        let entry = builder(project.path()).build().flatten().last().unwrap();
        let since = Instant::now();
        let mut walk = Walk { kind: FileKind::Markdown, sender, batch: Vec::new(), since, seen: 0 };
        // Ahead of us, so that no pause of the machine is one of the walk.
        walk.since += LISTENING_EVERY * 100;
        assert!(walk.meet(project.path(), &entry).is_ok(), "nothing is found yet");
        walk.since = since.checked_sub(LISTENING_EVERY).unwrap_or(since);
        assert!(walk.meet(project.path(), &entry).is_err());
        assert!(walk.run(project.path()).is_err());
    }

    #[test]
    fn many_names_come_in_batches() {
        let project = tempfile::tempdir().unwrap();
        for number in 0..BATCH_MAX + 10 {
            fs::write(project.path().join(format!("{number}.md")), "").unwrap();
        }
        let batches: Vec<_> = walk(project.path(), FileKind::Markdown).unwrap().iter().collect();
        assert!(batches.iter().all(|batch| batch.len() <= BATCH_MAX));
        assert_eq!(batches.iter().flatten().count(), BATCH_MAX + 10);
    }

    #[test]
    fn a_preview_is_the_beginning_as_text() {
        let project = project(&[("a.md", "# Title\n"), ("long.md", ""), ("zero.md", "a\0b")]);
        let path = |name: &str| -> PathBuf { project.path().join(name) };
        assert_eq!(read_preview(&path("a.md")), "# Title\n");
        assert_eq!(read_preview(&path("zero.md")), "(this is no text)");
        fs::write(path("bad.md"), b"a\xffb").unwrap();
        assert_eq!(read_preview(&path("bad.md")), "a\u{fffd}b");
        fs::write(path("long.md"), format!("a{}", "é".repeat(PREVIEW_BYTES_MAX))).unwrap();
        let text = read_preview(&path("long.md"));
        assert_eq!(text.len(), PREVIEW_BYTES_MAX - 1);
        assert!(!text.contains('\u{fffd}'));
    }
}
