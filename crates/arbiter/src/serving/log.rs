//! The log of what the doors do: one line each on stderr and in `logs/arbiter.log`, with time, door, level and text. The
//! file is begun anew when it is long. A secret that a text holds in spite of everything is struck out.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use doors::telegram::settings::BotToken;
use doors::telegram::{DoorLogger, DoorNote};
use mind::limits::cut;

use super::limits::{LOG_BYTES_MAX, LOG_LINE_BYTES_MAX, LOG_LINES_MAX, LOGS_KEPT};
use crate::limits::READER_PATIENCE;
use crate::terminal::console;

/// The log. All clones write the same file.
#[derive(Clone)]
pub struct ServeLog {
    inner: Arc<LogInner>,
}

struct LogInner {
    path: PathBuf,
    secrets: Vec<String>,
    file: Mutex<Option<OpenLog>>,
    stderr: Mutex<Option<Stderr>>,
}

/// Writes to stderr on a thread of its own: a reader that does not read holds up no door.
struct Stderr {
    lines: SyncSender<String>,
    ended: Receiver<()>,
}

struct OpenLog {
    file: File,
    bytes: u64,
}

impl ServeLog {
    /// The log below this ARBITER_HOME. What is written of the token is its number only.
    #[must_use]
    pub fn below(home: &Path, token: Option<&BotToken>) -> ServeLog {
        let secret = token.map(|token| token.expose().to_owned());
        let behind =
            secret.as_deref().and_then(|secret| secret.split_once(':')).map(|(_, key)| key.to_owned());
        let secrets = secret.iter().cloned().chain(behind).collect();
        let (path, file) = (home.join("logs/arbiter.log"), Mutex::new(None));
        let stderr = Mutex::new(Stderr::begin());
        ServeLog { inner: Arc::new(LogInner { path, secrets, file, stderr }) }
    }

    /// Waits a moment until everything is on stderr. What is written later is in the file only.
    pub fn close(&self) {
        if let Some(Stderr { lines, ended }) = held(&self.inner.stderr).take() {
            drop(lines);
            let _ = ended.recv_timeout(READER_PATIENCE);
        }
    }

    /// Something that happened.
    pub fn note(&self, door: &str, text: impl fmt::Display) {
        self.inner.write(door, "info", &text.to_string());
    }

    /// Something that is wrong.
    pub fn trouble(&self, door: &str, text: impl fmt::Display) {
        self.inner.write(door, "warn", &text.to_string());
    }

    /// For a door's own notes.
    #[must_use]
    pub fn of_door(&self, door: &'static str) -> DoorLogger {
        let log = self.clone();
        Arc::new(
            move |note: DoorNote| {
                if note.is_trouble { log.trouble(door, note.text) } else { log.note(door, note.text) }
            },
        )
    }
}

impl fmt::Debug for ServeLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ServeLog").field(&self.inner.path).finish()
    }
}

impl LogInner {
    fn write(&self, door: &str, level: &str, text: &str) {
        let mut text = text.to_owned();
        for secret in &self.secrets {
            text = text.replace(secret.as_str(), "(hidden)");
        }
        let text: String = cut(&text, LOG_LINE_BYTES_MAX).chars().flat_map(plain).collect();
        let at = jiff::Timestamp::try_from(host::now()).unwrap_or_default();
        let line = format!("{at:.3} {door} {level} {text}");
        let mut file = held(&self.file);
        // A disk that is full is no reason to close a door; stderr has the line.
        if self.append(&mut file, &line).is_err() {
            *file = None;
        }
        drop(file);
        if let Some(stderr) = &*held(&self.stderr) {
            let _ = stderr.lines.try_send(line);
        }
    }

    fn append(&self, open: &mut Option<OpenLog>, line: &str) -> std::io::Result<()> {
        if open.as_ref().is_some_and(|open| open.bytes >= LOG_BYTES_MAX) {
            *open = None;
            self.rotate()?;
        }
        let open = match open {
            Some(open) => open,
            None => {
                self.path.parent().map_or(Ok(()), host::files::make_folder)?;
                let file = OpenOptions::new().append(true).create(true).mode(0o600).open(&self.path)?;
                let bytes = file.metadata()?.len();
                open.insert(OpenLog { file, bytes })
            }
        };
        // One write for each line: another program may write here too.
        open.file.write_all(format!("{line}\n").as_bytes())?;
        open.bytes += line.len() as u64 + 1;
        Ok(())
    }

    /// `arbiter.log.1` is the youngest of the older logs.
    fn rotate(&self) -> std::io::Result<()> {
        let older = |number: u32| {
            let mut name = self.path.clone().into_os_string();
            name.push(format!(".{number}"));
            PathBuf::from(name)
        };
        for number in (1..LOGS_KEPT).rev() {
            let _ = fs::rename(older(number), older(number + 1));
        }
        fs::rename(&self.path, older(1))
    }
}

impl Stderr {
    fn begin() -> Option<Stderr> {
        let (lines, written) = sync_channel::<String>(LOG_LINES_MAX);
        let (end, ended) = channel();
        let write = move || {
            for line in written {
                let _ = writeln!(io::stderr(), "{}", console::printable(&line));
            }
            let _ = end.send(());
        };
        thread::Builder::new().name("log".to_owned()).spawn(write).ok()?;
        Some(Stderr { lines, ended })
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A sign of a line: what would end it or act on a terminal is written out.
fn plain(sign: char) -> impl Iterator<Item = char> {
    let escaped = sign.is_control().then(|| sign.escape_default());
    let itself = if escaped.is_some() { None } else { Some(sign) };
    itself.into_iter().chain(escaped.into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_log_is_begun_anew_and_a_few_old_ones_are_kept() {
        let home = tempfile::tempdir().expect("a folder");
        let token = BotToken::parse("123456:canary-canary-canary").expect("a token");
        let log = ServeLog::below(home.path(), Some(&token));
        let text = format!("a canary-canary-canary of 123456:canary-canary-canary\n{}", "x".repeat(100));
        for _ in 0..=LOGS_KEPT + 1 {
            log.note("telegram", &text);
            if let Some(open) = log.inner.file.lock().expect("the lock").as_mut() {
                open.bytes = LOG_BYTES_MAX;
            }
        }
        let folder = home.path().join("logs");
        let mut names: Vec<String> = fs::read_dir(&folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        assert_eq!(names, ["arbiter.log", "arbiter.log.1", "arbiter.log.2", "arbiter.log.3"]);
        for name in names {
            let text = fs::read_to_string(folder.join(name)).expect("a file");
            assert!(!text.contains("canary") && text.contains("a (hidden) of (hidden)\\nxxx"), "{text}");
            assert_eq!(text.lines().count(), 1);
        }
    }
}
