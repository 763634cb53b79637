//! Reads the files of a folder of agents as bytes, in the order of their names. `read` parses them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::limits::AGENT_FILES_MAX;
use crate::project::config::{ConfigError, read_file};
use crate::project::project_files::{Behind, behind};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFile {
    pub file: PathBuf,
    /// Its name in the folder.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The files of a folder, each as far as it could be read.
#[derive(Debug, Clone, Default)]
pub struct AgentFiles {
    /// The folder, whether or not it exists.
    pub folder: PathBuf,
    /// Its files, by name.
    pub files: Vec<Result<AgentFile, ConfigError>>,
}

impl AgentFiles {
    /// Those that could be read.
    pub fn readable(&self) -> impl Iterator<Item = &AgentFile> {
        self.files.iter().flatten()
    }
}

/// Reads `folder`. With a `root`, links out of it are refused: a repository must not use a file of the user's as its own.
#[must_use]
pub fn read_folder(folder: &Path, root: Option<&Path>) -> AgentFiles {
    let files = names(folder).map_or_else(
        |fault| vec![Err(fault)],
        |paths| {
            let bounded = paths.iter().take(AGENT_FILES_MAX).filter_map(|path| read(path, root).transpose());
            let mut files: Vec<_> = bounded.collect();
            if paths.len() > AGENT_FILES_MAX {
                files.push(Err(ConfigError::TooMany {
                    folder: folder.to_path_buf(),
                    count: paths.len(),
                    count_max: AGENT_FILES_MAX,
                }));
            }
            files
        },
    );
    AgentFiles { folder: folder.to_path_buf(), files }
}

/// The files that are meant to be agents, by name.
fn names(folder: &Path) -> Result<Vec<PathBuf>, ConfigError> {
    let unreadable =
        |source| ConfigError::Unreadable { file: folder.to_path_buf(), source: Arc::new(source) };
    let mut paths = Vec::new();
    match fs::read_dir(folder) {
        Ok(entries) => {
            for entry in entries {
                let path = entry.map_err(unreadable)?.path();
                let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
                let known = path.extension().is_some_and(|ending| {
                    ["md", "yaml", "yml"].iter().any(|known| ending.eq_ignore_ascii_case(known))
                });
                if known && !hidden {
                    paths.push(path);
                }
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(unreadable(error)),
    }
    paths.sort_unstable();
    Ok(paths)
}

fn read(file: &Path, root: Option<&Path>) -> Result<Option<AgentFile>, ConfigError> {
    let real = match root.map(|root| behind(root, file)) {
        Some(Ok(Behind::Outside(target))) => {
            return Err(ConfigError::Outside { file: file.to_path_buf(), target });
        }
        Some(Ok(Behind::Inside(real))) => real,
        // Reading the file reports why the link cannot be followed.
        Some(Err(_)) | None => file.to_path_buf(),
    };
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let bytes = read_file(file, &real)?;
    Ok(bytes.map(|bytes| AgentFile { file: file.to_path_buf(), name, bytes }))
}
