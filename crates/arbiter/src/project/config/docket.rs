//! The docket's folder if the user's file does not set it. The `config.json` of an existing installation is read as it is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value as Json;

use super::error::shown;
use super::reader::read_file;
use super::values::plain_path;
use super::{Setting, SettingOrigin};

/// The docket's folder: that of an existing installation, else one below `arbiter_home`. A `config.json` that cannot be
/// read is only noted: it belongs to another program.
pub(super) fn place(arbiter_home: &Path, home: Option<&Path>, notes: &mut Vec<String>) -> Setting<PathBuf> {
    let file = arbiter_home.join("config.json");
    match existing(&file, home) {
        Ok(Some(value)) => Setting { value, origin: SettingOrigin::Existing(Arc::from(file)) },
        Ok(None) => Setting { value: arbiter_home.join("queue"), origin: SettingOrigin::Default },
        Err(why) => {
            notes.push(format!("{} does not count: {why}", file.display()));
            Setting { value: arbiter_home.join("queue"), origin: SettingOrigin::Default }
        }
    }
}

/// `queue.dir` of a `config.json`. Nothing else of the file is read or printed.
fn existing(file: &Path, home: Option<&Path>) -> Result<Option<PathBuf>, String> {
    // The error would name the file a second time.
    let bytes = read_file(file, file).map_err(|_| "it cannot be read".to_owned())?;
    let Some(bytes) = bytes else { return Ok(None) };
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let config: Json = serde_json::from_slice(text).map_err(|error| {
        // The parser's own message could quote the file.
        format!("it is not JSON (line {}, column {})", error.line(), error.column())
    })?;
    let written = match config.get("queue").and_then(|queue| queue.get("dir")) {
        None | Some(Json::Null) => return Ok(None),
        Some(Json::String(written)) => written,
        Some(_) => return Err("`queue.dir` is no text".to_owned()),
    };
    let path = plain_path(written, home);
    let refused = || format!("`queue.dir` is {}, which is not an absolute path without `..`", shown(written));
    path.map(Some).ok_or_else(refused)
}
