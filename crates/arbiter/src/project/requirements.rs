//! Reads the texts that a mission starts with: the requirements, and the project's rules for agents (CLAUDE.md, AGENTS.md).
//! A text that is empty, too long or not UTF-8 is refused, so that no mission begins with half of it.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use mind::charter::Requirements;
use mind::limits::{RULES_BYTES_MAX, SCROLL_BYTES_MAX};
use mind::prompt;

use crate::limits;
use crate::project::project_files::{self, Behind};
use crate::terminal::console;
use providers::claude::files::RULES_FILE;
pub use view::mission::title_of as title;
use view::near::nearest;

/// Where agents find the requirements, below the clone.
pub const SCROLL_PATH: &str = ".arbiter/scroll.md";
/// Files of a project that tell agents how to work there.
const RULES: [&str; 2] = [RULES_FILE, "AGENTS.md"];
/// How many names of a folder are compared with the name of a missing file.
const NAMES_COMPARED_MAX: usize = 10_000;

/// What can be wrong with a text.
#[derive(Debug, thiserror::Error)]
pub enum RequirementsError {
    /// There is no such file.
    #[error("{} does not exist", path.display())]
    Missing {
        path: PathBuf,
        /// A file of the same folder with a similar name.
        similar: Option<PathBuf>,
    },
    /// It is a folder.
    #[error("{} is a folder", path.display())]
    Folder { path: PathBuf },
    /// The user may not read the file.
    #[error("{} may not be read by this user", path.display())]
    Forbidden { path: PathBuf },
    /// The disk refused.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// The text is empty.
    #[error("{name} is empty")]
    Empty { name: String },
    /// The text is too long for a model.
    #[error("{name} has {} bytes, more than the {bytes_max} that are read", counted(*bytes))]
    TooLarge {
        name: String,
        /// None if it comes from a pipe.
        bytes: Option<u64>,
        bytes_max: usize,
    },
    /// It is not text.
    #[error("{name} is not UTF-8: the first wrong byte is at offset {offset}")]
    NotUtf8 {
        name: String,
        /// How many bytes come before.
        offset: usize,
        /// It begins as UTF-16 does.
        is_utf16: bool,
    },
    /// A NUL byte, which no text has.
    #[error("{name} has a NUL byte at offset {offset}")]
    Nul {
        name: String,
        /// How many bytes come before.
        offset: usize,
    },
    /// A link of the project leads to a file outside of it.
    #[error("{} leads out of the project, to {}", path.display(), target.display())]
    Outside { path: PathBuf, target: PathBuf },
    /// A prompt file whose name is none of our prompts'.
    #[error("{} replaces no prompt", path.display())]
    UnknownPrompt {
        path: PathBuf,
        /// The prompt with a similar name.
        meant: Option<&'static str>,
    },
}

impl RequirementsError {
    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            RequirementsError::Missing { similar: Some(similar), .. } => {
                Some(format!("did you mean {}?", similar.display()))
            }
            RequirementsError::Missing { path, similar: None } => match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
                    Some(format!("the folder {} does not exist either", folder.display()))
                }
                Some(_) | None => {
                    Some("name a file with the requirements, or use `arbiter run --task TEXT`".into())
                }
            },
            RequirementsError::Folder { .. } => Some("name a file in it".into()),
            RequirementsError::Forbidden { path } => {
                Some(format!("`ls -l {}` shows who may read it", path.display()))
            }
            RequirementsError::Unreadable { .. } => None,
            RequirementsError::Empty { .. } => Some("write down what is to be done".into()),
            RequirementsError::TooLarge { .. } => {
                Some("keep what every agent must know, and name the files with the rest".into())
            }
            RequirementsError::NotUtf8 { is_utf16: true, .. } => {
                Some("it looks like UTF-16: save it as UTF-8".into())
            }
            RequirementsError::NotUtf8 { .. } | RequirementsError::Nul { .. } => {
                Some("give plain text or Markdown, saved as UTF-8".into())
            }
            RequirementsError::Outside { path, .. } => {
                Some(format!("put a file itself at {}, or move the link away", path.display()))
            }
            RequirementsError::UnknownPrompt { meant: Some(meant), .. } => {
                Some(format!("did you mean `{meant}`?"))
            }
            RequirementsError::UnknownPrompt { meant: None, .. } => {
                let known: Vec<&str> = prompt::FILES.iter().map(|(name, _)| *name).collect();
                Some(format!("known prompts: {}", known.join(", ")))
            }
        }
    }

    /// The error for a `path` that could not be read.
    #[must_use]
    pub fn from_io(path: &Path, source: io::Error) -> RequirementsError {
        let path = path.to_path_buf();
        let kind = source.kind();
        if matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) {
            let similar = similar_to(&path);
            RequirementsError::Missing { path, similar }
        } else if kind == io::ErrorKind::IsADirectory {
            RequirementsError::Folder { path }
        } else if kind == io::ErrorKind::PermissionDenied {
            RequirementsError::Forbidden { path }
        } else {
            RequirementsError::Unreadable { path, source }
        }
    }
}

fn counted(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "too many".to_owned(), |bytes| bytes.to_string())
}

/// Reads the requirements from a file.
pub fn read_scroll(path: &Path) -> Result<Requirements, RequirementsError> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let text = with_a_word(path, || read_text(path, SCROLL_BYTES_MAX))?;
    Ok(Requirements { name, path: SCROLL_PATH.to_owned(), text: Arc::from(text) })
}

/// The text in place of requirements, when there are none yet: the Arbiter asks for them itself.
pub fn none() -> Requirements {
    let text = "The human comes without a scroll: nothing is written down yet.\n\nAsk them what is to be built, for whom, \
                and how one will see that it is done. What they answer, and agree to, are the requirements. Begin nothing \
                before you have them.\n";
    Requirements { name: Requirements::NONE.to_owned(), path: SCROLL_PATH.to_owned(), text: Arc::from(text) }
}

/// Takes the requirements of `arbiter run --task TEXT`.
pub fn from_task(text: &str) -> Result<Requirements, RequirementsError> {
    let name = "task";
    if text.len() > SCROLL_BYTES_MAX {
        let (bytes, bytes_max) = (Some(text.len() as u64), SCROLL_BYTES_MAX);
        return Err(RequirementsError::TooLarge { name: name.to_owned(), bytes, bytes_max });
    }
    let text = sound(name, text.as_bytes().to_vec())?;
    Ok(Requirements { name: name.to_owned(), path: SCROLL_PATH.to_owned(), text: Arc::from(text) })
}

/// Reads the project's rules for agents, each file under its name; a text that is too long is cut, and says so. A link out
/// of the project is skipped.
pub fn read_rules(project: &Path) -> Result<Option<Arc<str>>, RequirementsError> {
    let root = project.canonicalize().unwrap_or_else(|_| project.to_path_buf());
    let mut rules: Vec<(&str, String)> = Vec::new();
    let mut bytes_whole = 0;
    for name in RULES {
        let link = project.join(name);
        let path = match project_files::behind(&root, &link) {
            Ok(Behind::Inside(real)) => real,
            Ok(Behind::Outside(target)) => {
                // Otherwise a repository could send any file of the user's to a model.
                let (link, target) = (link.display(), target.display());
                console::remark(format!(
                    "note: {link} leads out of the project, to {target}: it is not read"
                ));
                continue;
            }
            // Reading it below reports why the link cannot be followed.
            Err(_) => link,
        };
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => bytes_whole += metadata.len(),
            Ok(_) => continue,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(RequirementsError::from_io(&path, error)),
        }
        let bytes =
            read_bytes(&path, RULES_BYTES_MAX).map_err(|error| RequirementsError::from_io(&path, error))?;
        let text = String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').trim().to_owned();
        // In many projects one of the two is a link to the other.
        if !text.is_empty() && rules.iter().all(|(_, other)| *other != text) {
            rules.push((name, text));
        }
    }
    if rules.is_empty() {
        return Ok(None);
    }
    let sections: Vec<String> = rules.iter().map(|(name, text)| format!("# {name}\n\n{text}")).collect();
    let mut text = sections.join("\n\n");
    if text.len() > RULES_BYTES_MAX {
        let note = format!(
            "\n\n[cut here: the project's rules have {bytes_whole} bytes; read the files for the rest]"
        );
        let end = text.floor_char_boundary(RULES_BYTES_MAX - note.len());
        text.truncate(end);
        text.push_str(&note);
    }
    Ok(Some(Arc::from(text)))
}

/// Reads. Where that takes long, as of a pipe that no program writes to, it says once what it waits for.
fn with_a_word<T>(path: &Path, read: impl FnOnce() -> T) -> T {
    let (done, reading) = mpsc::channel::<()>();
    let word = format!("note: waiting for {}", path.display());
    thread::spawn(move || {
        if reading.recv_timeout(limits::SLOW_FILE) == Err(RecvTimeoutError::Timeout) {
            console::remark(word);
        }
    });
    let read = read();
    drop(done);
    read
}

/// A whole text, or what is wrong with it.
fn read_text(path: &Path, bytes_max: usize) -> Result<String, RequirementsError> {
    sound(&path.display().to_string(), read_whole(path, bytes_max)?)
}

/// The bytes of a whole file.
pub(crate) fn read_whole(path: &Path, bytes_max: usize) -> Result<Vec<u8>, RequirementsError> {
    let bytes = read_bytes(path, bytes_max).map_err(|error| RequirementsError::from_io(path, error))?;
    if bytes.len() > bytes_max {
        let name = path.display().to_string();
        let bytes = fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len());
        return Err(RequirementsError::TooLarge { name, bytes, bytes_max });
    }
    Ok(bytes)
}

/// At most one byte more than `bytes_max`, so that the caller sees whether there are more.
fn read_bytes(path: &Path, bytes_max: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(bytes_max as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text that `bytes` are, without the mark that some editors put first.
pub(crate) fn sound(name: &str, bytes: Vec<u8>) -> Result<String, RequirementsError> {
    let name = name.to_owned();
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let is_utf16 = matches!(error.as_bytes(), [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
            let offset = error.utf8_error().valid_up_to();
            return Err(RequirementsError::NotUtf8 { name, offset, is_utf16 });
        }
    };
    if let Some(offset) = text.find('\0') {
        return Err(RequirementsError::Nul { name, offset });
    }
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    if text.trim().is_empty() {
        return Err(RequirementsError::Empty { name });
    }
    Ok(text)
}

/// A file beside `path` whose name is like its name.
fn similar_to(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names: Vec<String> = fs::read_dir(place)
        .ok()?
        .take(NAMES_COMPARED_MAX)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| place.join(name).is_file())
        .collect();
    let name = path.file_name()?.to_str()?;
    nearest(name, names.iter().map(String::as_str)).map(|similar| folder.join(similar))
}
