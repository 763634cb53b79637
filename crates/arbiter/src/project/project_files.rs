//! The project's own files: `.arbiter/config.yaml`, the prompts and the agents beside it, always of the user's own tree and
//! never of a mission's clone. They are read once, so that the bytes that are trusted are the bytes that count.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::digest::Digest;
use mind::prompt;
use view::near::nearest;

use crate::project::agents::{self, AgentFiles};
use crate::project::config::{self, ConfigError, PROJECT_FILE};
use crate::project::requirements::{self, RequirementsError};

/// The largest prompt file of a project, in bytes.
pub const PROMPT_BYTES_MAX: usize = 256 * 1024;
/// Where the project keeps its prompts, below its root.
const PROMPTS: &str = ".arbiter/prompts";

/// A project's own files, read at one moment.
#[derive(Debug)]
pub struct ProjectFiles {
    /// The project's path, with all links resolved.
    pub root: PathBuf,
    pub config_file: PathBuf,
    /// Its bytes; none if there is no such file.
    pub config: Result<Option<Vec<u8>>, ConfigError>,
    /// The prompts, by file name.
    pub prompts: Result<BTreeMap<String, PromptFile>, RequirementsError>,
    pub agents: AgentFiles,
}

/// A prompt file that replaces one of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptFile {
    pub file: PathBuf,
    pub text: Arc<str>,
    bytes: Vec<u8>,
}

impl ProjectFiles {
    /// Reads the files of `project`. A file that cannot be read is kept as an error for its reader.
    #[must_use]
    pub fn read(project: &Path) -> ProjectFiles {
        let root = project.canonicalize().unwrap_or_else(|_| project.to_path_buf());
        let config_file = project.join(PROJECT_FILE);
        let config = read_config(&root, &config_file);
        let prompts = read_prompts(&root, &project.join(PROMPTS));
        let agents = agents::read_folder(&project.join(agents::PROJECT_FOLDER), Some(&root));
        ProjectFiles { root, config_file, config, prompts, agents }
    }

    /// No files: only the user's own configuration counts.
    #[must_use]
    pub fn none() -> ProjectFiles {
        let (root, config_file) = (PathBuf::new(), PathBuf::new());
        let (config, prompts, agents) = (Ok(None), Ok(BTreeMap::new()), AgentFiles::default());
        ProjectFiles { root, config_file, config, prompts, agents }
    }

    /// The digest that trust is bound to: the SHA-256 of every name and every byte; none if a file could not be read.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        let (Ok(config), Ok(prompts)) = (&self.config, &self.prompts) else { return None };
        let mut digest = Digest::default();
        let mut add = |name: &str, bytes: &[u8]| {
            digest.add_part(name);
            digest.add_part(bytes);
        };
        if let Some(bytes) = config {
            add(PROJECT_FILE, bytes);
        }
        for (name, prompt) in prompts {
            add(&format!("{PROMPTS}/{name}"), &prompt.bytes);
        }
        for sheet in &self.agents.files {
            let sheet = sheet.as_ref().ok()?;
            add(&format!("{}/{}", agents::PROJECT_FOLDER, sheet.name), &sheet.bytes);
        }
        Some(digest.hex())
    }
}

fn read_config(root: &Path, file: &Path) -> Result<Option<Vec<u8>>, ConfigError> {
    match behind(root, file) {
        Ok(Behind::Inside(real)) => config::read_file(file, &real),
        Ok(Behind::Outside(target)) => Err(ConfigError::Outside { file: file.to_path_buf(), target }),
        // Reading the file reports why the link cannot be followed.
        Err(_) => config::read_file(file, file),
    }
}

/// Reads the project's own prompts, by file name. Each must replace one of ours.
fn read_prompts(root: &Path, folder: &Path) -> Result<BTreeMap<String, PromptFile>, RequirementsError> {
    let mut prompts = BTreeMap::new();
    let mut paths = Vec::new();
    match fs::read_dir(folder) {
        Ok(entries) => {
            for entry in entries {
                paths.push(entry.map_err(|error| RequirementsError::from_io(folder, error))?.path());
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(prompts),
        Err(error) => return Err(RequirementsError::from_io(folder, error)),
    }
    // Sorted, so that the same fault is reported each time.
    paths.sort_unstable();
    for path in paths {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_markdown = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
        if !is_markdown || name.starts_with('.') {
            continue;
        }
        if prompt::FILES.iter().all(|(known, _)| *known != name) {
            let meant = nearest(&name, prompt::FILES.iter().map(|(known, _)| *known));
            return Err(RequirementsError::UnknownPrompt { path, meant });
        }
        let real = match behind(root, &path).map_err(|error| RequirementsError::from_io(&path, error))? {
            Behind::Inside(real) => real,
            Behind::Outside(target) => return Err(RequirementsError::Outside { path, target }),
        };
        let found = fs::metadata(&real).map_err(|error| RequirementsError::from_io(&path, error))?;
        if !found.is_file() && !found.is_dir() {
            // A pipe would block for ever.
            return Err(RequirementsError::from_io(&path, io::Error::other("it is not a file")));
        }
        let bytes = requirements::read_whole(&real, PROMPT_BYTES_MAX)?;
        let text = requirements::sound(&path.display().to_string(), bytes.clone())?;
        prompts.insert(name, PromptFile { file: path, text: Arc::from(text), bytes });
    }
    Ok(prompts)
}

/// Where a path leads.
pub(crate) enum Behind {
    /// To a place in the project.
    Inside(PathBuf),
    /// Out of it.
    Outside(PathBuf),
}

/// Follows every link of a path: a repository must not use a file of the user's as its own.
pub(crate) fn behind(root: &Path, path: &Path) -> io::Result<Behind> {
    let real = path.canonicalize()?;
    Ok(if real.starts_with(root) { Behind::Inside(real) } else { Behind::Outside(real) })
}
