//! The section `docket`: where petitions lie, and when a mission's questions become petitions. Where they lie,
//! and whether somebody is asked at all, is the user's word alone. An existing installation's `config.json` is read as it is.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value as Json;

use super::error::shown;
use super::node::Node;
use super::reader::{Found, Reader, read_file};
use super::{Origin, Setting};

/// The keys of the section.
pub(super) const KEYS: &[&str] = &["dir", "away_after", "headless"];
pub(super) const HEADLESS: [(&str, Headless); 2] =
    [("petition", Headless::Petition), ("refuse", Headless::Refuse)];
/// How long a person may be silent before a question becomes a petition, if no file says so.
pub const AWAY_AFTER_DEFAULT: Duration = Duration::from_secs(10 * 60);

/// What becomes of a question that nobody at the terminal can answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Headless {
    /// It goes to the docket, and the mission waits.
    #[default]
    Petition,
    /// It is refused at once.
    Refuse,
}

/// What one file says of the docket.
#[derive(Debug, Default)]
pub(super) struct Docket {
    pub(super) dir: Found<PathBuf>,
    pub(super) away_after: Found<Duration>,
    pub(super) headless: Found<Headless>,
}

impl Reader<'_> {
    pub(super) fn docket(&mut self, node: &Node) -> Docket {
        let mut docket = Docket::default();
        for (key, node) in self.entries("docket", node) {
            match key.as_str() {
                "dir" if self.is_own("docket.dir", node, "where your inbox is") => {
                    docket.dir = self.path("docket.dir", node).map(|path| (path, self.place(node)));
                }
                "away_after" => docket.away_after = self.duration("docket.away_after", node),
                // With `refuse` a mission begins by policy: no repository can want that for somebody.
                "headless" if self.is_own("docket.headless", node, "that nobody is asked") => {
                    docket.headless = self.choice("docket.headless", node, ["value", "values"], &HEADLESS);
                }
                _ => {}
            }
        }
        docket
    }
}

/// Where petitions lie: as the user's file says, else as an existing installation's does, else below `arbiter_home`. A
/// `config.json` that cannot be understood is worth a note and no more: it is another program's.
pub(super) fn place(
    said: Found<PathBuf>,
    arbiter_home: &Path,
    home: Option<&Path>,
    notes: &mut Vec<String>,
) -> Setting<PathBuf> {
    if let Some((value, place)) = said {
        return Setting { value, origin: Origin::User(place) };
    }
    let file = arbiter_home.join("config.json");
    match existing(&file, home) {
        Ok(Some(value)) => Setting { value, origin: Origin::Existing(Arc::from(file)) },
        Ok(None) => Setting { value: arbiter_home.join("queue"), origin: Origin::Default },
        Err(why) => {
            notes.push(format!("{} does not count: {why}", file.display()));
            Setting { value: arbiter_home.join("queue"), origin: Origin::Default }
        }
    }
}

/// `queue.dir` of a `config.json`. Nothing else of it is looked at, and nothing of it is ever printed but this.
fn existing(file: &Path, home: Option<&Path>) -> Result<Option<PathBuf>, String> {
    // The error would name the file a second time.
    let bytes = read_file(file, file).map_err(|_| "it cannot be read".to_owned())?;
    let Some(bytes) = bytes else { return Ok(None) };
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let config: Json = serde_json::from_slice(text).map_err(|error| {
        // What the parser says quotes no text of the file.
        format!("it is not JSON (line {}, column {})", error.line(), error.column())
    })?;
    let written = match config.get("queue").and_then(|queue| queue.get("dir")) {
        None | Some(Json::Null) => return Ok(None),
        Some(Json::String(written)) => written,
        Some(_) => return Err("`queue.dir` is no text".to_owned()),
    };
    let below_home = written.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let path = match (below_home, home) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches('/')),
        (Some(_), None) | (None, _) => PathBuf::from(written),
    };
    let is_plain = path.is_absolute()
        && !written.contains('\0')
        && !path.components().any(|part| part == Component::ParentDir);
    if is_plain {
        Ok(Some(path.components().collect()))
    } else {
        Err(format!("`queue.dir` is {}, which is not an absolute path without `..`", shown(written)))
    }
}
