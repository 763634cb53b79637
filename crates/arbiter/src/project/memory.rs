//! Notes for later missions, as files: `.arbiter/memory/*.md` of the user's own tree. A damaged file is skipped and
//! reported; a note is a new file, and no file is ever overwritten. The mind decides which agent is told which note.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::conductor::limits::{NOTE_CHARS_MAX, NOTES_MAX, WORDS_CHARS_MAX};
use mind::conductor::memory::{Importance, Note, normal};
use mind::limits::cut;

use crate::limits::{NOTE_NAME_CHARS_MAX, NOTE_NAMES_MAX, NOTE_TAGS_MAX, NOTE_TITLE_CHARS_MAX};
use crate::project::config::node::{self, Node, Value};
use crate::project::config::read_file;
use crate::project::config::reader::{self, Owner, Reader};
use crate::project::home::make_folder;
use crate::project::project_files::{Behind, behind};

/// Where the project keeps its notes, below its root.
pub const FOLDER: &str = ".arbiter/memory";

/// A file as it was seen: its name, its size, when it changed.
type Stamp = Vec<(PathBuf, u64, i64, i64)>;

/// The notes of a project.
#[derive(Debug)]
pub struct Notes {
    /// The project's path, with all links resolved.
    root: PathBuf,
    seen: Option<Stamp>,
    damaged: Vec<String>,
}

impl Notes {
    /// The notes of `project`: the user's own tree, never a mission's clone.
    #[must_use]
    pub fn open(project: &Path) -> Notes {
        let root = project.canonicalize().unwrap_or_else(|_| project.to_path_buf());
        Notes { root, seen: None, damaged: Vec::new() }
    }

    /// All notes, by the names of their files, if a file changed since the last call; the first call returns them always.
    pub fn read_changed(&mut self) -> Option<Vec<Note>> {
        let files = files(&self.folder());
        let stamp: Stamp = files
            .iter()
            .map(|file| {
                let found = fs::metadata(file).ok();
                let (size, at, ns) =
                    found.map_or((0, 0, 0), |found| (found.len(), found.mtime(), found.mtime_nsec()));
                (file.clone(), size, at, ns)
            })
            .collect();
        if self.seen.as_ref() == Some(&stamp) {
            return None;
        }
        self.seen = Some(stamp);
        self.damaged.clear();
        let mut notes = Vec::new();
        for file in files.iter().take(NOTES_MAX) {
            match read(&self.root, file) {
                Ok(note) => notes.push(note),
                Err(why) => self.damaged.push(format!("{} is skipped: {why}", file.display())),
            }
        }
        if files.len() > NOTES_MAX {
            let (folder, count) = (self.folder(), files.len());
            self.damaged.push(format!("{} has {count} notes; {NOTES_MAX} are read", folder.display()));
        }
        Some(notes)
    }

    /// The files that were skipped at the last call, each in one line.
    #[must_use]
    pub fn damaged(&self) -> &[String] {
        &self.damaged
    }

    /// Saves a note as a file. An existing note of the same title stays as it is.
    pub fn save(&self, note: &Note) -> io::Result<()> {
        let folder = self.make()?;
        let title = normal(&note.title);
        let files = files(&folder);
        if files.len() >= NOTES_MAX {
            return Err(io::Error::other(format!("there are {NOTES_MAX} notes already")));
        }
        if files
            .iter()
            .filter_map(|file| read(&self.root, file).ok())
            .any(|known| normal(&known.title) == title)
        {
            return Ok(());
        }
        put(&folder, &slug(&note.title), text(note).as_bytes())
    }

    fn folder(&self) -> PathBuf {
        self.root.join(FOLDER)
    }

    /// The folder, made if needed; refused if a link leads out of the project.
    fn make(&self) -> io::Result<PathBuf> {
        let folder = self.folder();
        for part in [folder.parent().unwrap_or(&folder), folder.as_path()] {
            if !host::files::is_there(part)? {
                make_folder(part)?;
            }
            if let Behind::Outside(target) = behind(&self.root, part)? {
                let (part, target) = (part.display(), target.display());
                return Err(io::Error::other(format!("{part} leads out of the project, to {target}")));
            }
        }
        Ok(folder)
    }
}

/// Makes a file under the first free name; existing files stay.
fn put(folder: &Path, slug: &str, bytes: &[u8]) -> io::Result<()> {
    for number in 1..=NOTE_NAMES_MAX {
        let name = if number == 1 { format!("{slug}.md") } else { format!("{slug}-{number}.md") };
        match host::files::create(&folder.join(name), bytes) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            placed => return placed,
        }
    }
    Err(io::Error::other(format!("every name for {slug} is taken")))
}

/// The Markdown files of a folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_note = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
            && path.file_name().is_some_and(|name| !name.as_encoded_bytes().starts_with(b"."))
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_note).collect();
    files.sort_unstable();
    files
}

/// Reads one note, or says why the file is none.
fn read(root: &Path, file: &Path) -> Result<Note, String> {
    let real = match behind(root, file) {
        Ok(Behind::Inside(real)) => real,
        Ok(Behind::Outside(target)) => {
            return Err(format!("it leads out of the project, to {}", target.display()));
        }
        Err(error) => return Err(error.to_string()),
    };
    // The error would name the file a second time.
    let bytes = read_file(file, &real).map_err(|_| "it cannot be read, or is too large".to_owned())?;
    let bytes = bytes.ok_or("it is gone")?;
    let file: Arc<Path> = Arc::from(file);
    let text = reader::text(&file, &bytes).map_err(|_| "it is not UTF-8")?;
    match reader::frontmatter(text) {
        Ok((subject, body)) => {
            let root = node::parse(subject).map_err(|stop| format!("line {}: {}", stop.line, stop.said))?;
            let root = root.ok_or("it has no frontmatter with a title")?;
            let mut faults = Vec::new();
            let (owner, faults) = (Owner::User, &mut faults);
            let reader = Reader { file, owner, home: None, text: subject, providers: &[], faults };
            note(&reader, &root, body)
        }
        // Plain Markdown without frontmatter: its heading is the title.
        Err(_) => {
            let heading = text.lines().find_map(|line| line.strip_prefix("# ")).map(str::to_owned);
            let stem = || file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            whole(heading.or_else(stem), text)
        }
    }
}

fn note(reader: &Reader<'_>, root: &Node, body: &str) -> Result<Note, String> {
    let Value::Map(entries) = &root.value else {
        return Err("it has no frontmatter with a title".to_owned());
    };
    let find =
        |name: &str| entries.iter().find(|(key, _)| reader.word(key) == Some(name)).map(|(_, node)| node);
    let line = |name: &str| {
        let words = find(name).and_then(|node| reader.word(node)).map(|text| one_line(text, WORDS_CHARS_MAX));
        words.filter(|words| !words.is_empty()).map(Arc::<str>::from)
    };
    let mut note = whole(line("title").map(|title| title.to_string()), body)?;
    note.when_to_use = line("whenToUse");
    if let Some(Value::List(tags)) = find("tags").map(|node| &node.value) {
        let tags = tags.iter().filter_map(|tag| reader.word(tag)).take(NOTE_TAGS_MAX);
        note.tags = tags.map(|tag| Arc::from(one_line(tag, NOTE_TITLE_CHARS_MAX))).collect();
    }
    note.importance = match line("importance").as_deref() {
        Some("low") => Importance::Low,
        Some("high") => Importance::High,
        Some(_) | None => Importance::Medium,
    };
    note.discovered_at = line("discoveredAt");
    note.discovered_by = line("discoveredBy");
    Ok(note)
}

/// A note of a title and a text, both bounded.
fn whole(title: Option<String>, text: &str) -> Result<Note, String> {
    let title = title.map(|title| one_line(&title, NOTE_TITLE_CHARS_MAX)).filter(|title| !title.is_empty());
    let text = text.trim();
    if text.is_empty() {
        return Err("it is empty".to_owned());
    }
    Ok(Note {
        title: Arc::from(title.ok_or("it has no title")?),
        when_to_use: None,
        tags: Vec::new(),
        importance: Importance::Medium,
        discovered_at: None,
        discovered_by: None,
        text: Arc::from(cut(text, NOTE_CHARS_MAX)),
    })
}

/// The text in one line, without control characters.
fn one_line(text: &str, chars_max: usize) -> String {
    let plain: String = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    cut(&words.join(" "), chars_max)
}

/// The text of a note's file.
fn text(note: &Note) -> String {
    // Every JSON string is a valid YAML string.
    let quoted = |text: &str, chars_max| serde_json::Value::from(one_line(text, chars_max)).to_string();
    let mut lines = vec!["---".to_owned(), format!("title: {}", quoted(&note.title, NOTE_TITLE_CHARS_MAX))];
    let when = note.when_to_use.as_deref();
    lines.extend(when.map(|when| format!("whenToUse: {}", quoted(when, WORDS_CHARS_MAX))));
    if !note.tags.is_empty() {
        let tags: Vec<String> =
            note.tags.iter().take(NOTE_TAGS_MAX).map(|tag| quoted(tag, NOTE_TITLE_CHARS_MAX)).collect();
        lines.push(format!("tags: [{}]", tags.join(", ")));
    }
    let importance = match note.importance {
        Importance::Low => "low",
        Importance::Medium => "medium",
        Importance::High => "high",
    };
    lines.push(format!("importance: {importance}"));
    let (at, by) = (note.discovered_at.as_deref(), note.discovered_by.as_deref());
    lines.extend(at.map(|at| format!("discoveredAt: {}", quoted(at, NOTE_TITLE_CHARS_MAX))));
    lines.extend(by.map(|by| format!("discoveredBy: {}", quoted(by, NOTE_TITLE_CHARS_MAX))));
    let body: String = note.text.trim().replace('\0', " ");
    lines.extend(["---".to_owned(), cut(&body, NOTE_CHARS_MAX), String::new()]);
    lines.join("\n")
}

/// A title as the name of a file.
fn slug(title: &str) -> String {
    let mut slug = String::new();
    for sign in title.chars().flat_map(char::to_lowercase) {
        if slug.len() >= NOTE_NAME_CHARS_MAX {
            break;
        }
        if sign.is_ascii_alphanumeric() {
            slug.push(sign);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "note".to_owned() } else { slug.to_owned() }
}
