//! The registry: the list of missions in all projects of this user. An entry only points to a mission; the truth is in its
//! journal. A damaged entry or a project that is gone hides no other entry.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use mind::id::{MissionId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::project::home::{Project, make_folder, parse_mission_id};

/// The largest entry that is read, in bytes.
const ENTRY_BYTES_MAX: usize = 64 * 1024;

/// What can go wrong with the registry.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// Another project has a mission of this id: another id has to be drawn.
    #[error("mission {id} is already registered for {}", project.display())]
    Taken { id: MissionId, project: PathBuf },
    /// The project's path cannot be written as JSON.
    #[error("the path {} is not UTF-8", project.display())]
    NotUtf8 { project: PathBuf },
    /// The disk refused.
    #[error("cannot use the registry at {}: {source}", path.display())]
    Disk { path: PathBuf, source: io::Error },
}

impl RegistryError {
    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            RegistryError::Taken { .. } => Some("try again: the next mission gets another id".into()),
            RegistryError::NotUtf8 { .. } => Some("rename the folder".into()),
            RegistryError::Disk { path, .. } => {
                Some(format!("is {} yours and writable? ARBITER_HOME sets another place", path.display()))
            }
        }
    }

    fn disk(path: &Path) -> impl FnOnce(io::Error) -> RegistryError + use<> {
        let path = path.to_path_buf();
        move |source| RegistryError::Disk { path, source }
    }
}

/// Points to one mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistryEntry {
    pub id: MissionId,
    pub project: PathBuf,
    /// The title of its requirements.
    pub title: String,
    pub opened_at_ms: Timestamp,
    /// The inode of the mission's folder, which a rename keeps and a copy does not have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inode: Option<u64>,
}

impl RegistryEntry {
    /// Whether the mission still exists.
    #[must_use]
    pub fn presence(&self) -> Presence {
        let project = Project { root: self.project.clone() };
        if project.mission(&self.id).folder.is_dir() {
            Presence::Here
        } else if self.project.is_dir() {
            Presence::MissionGone
        } else {
            Presence::ProjectGone
        }
    }
}

/// The inode of a mission's folder.
pub fn inode_of(folder: &Path) -> io::Result<u64> {
    Ok(fs::metadata(folder)?.ino())
}

/// Whether the mission of an entry still exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    Here,
    /// The project exists, without this mission.
    MissionGone,
    /// The project was moved or deleted.
    ProjectGone,
}

/// The whole list.
#[derive(Debug, Default)]
pub struct Listing {
    /// The missions, the newest first.
    pub entries: Vec<RegistryEntry>,
    /// Files that are not entries, by name.
    pub damaged: Vec<Damaged>,
}

/// A file of the registry that cannot be read as an entry. It is left where it is.
#[derive(Debug, PartialEq, Eq)]
pub struct Damaged {
    pub file: PathBuf,
    pub why: String,
}

/// The folder of entries.
#[derive(Debug, Clone)]
pub struct Registry {
    folder: PathBuf,
}

impl Registry {
    /// The registry in `folder`, which is made when it is first written to.
    #[must_use]
    pub fn new(folder: PathBuf) -> Registry {
        Registry { folder }
    }

    /// Writes an entry. The same mission of the same project may be written again.
    pub fn add(&self, entry: &RegistryEntry) -> Result<(), RegistryError> {
        if let Some(Ok(other)) = self.find(&entry.id)?
            && other.project != entry.project
        {
            return Err(RegistryError::Taken { id: entry.id.clone(), project: other.project });
        }
        self.put(entry)
    }

    /// Writes an entry in place of whatever stands there: the mission was taken up in this project.
    pub fn put(&self, entry: &RegistryEntry) -> Result<(), RegistryError> {
        make_folder(&self.folder).map_err(RegistryError::disk(&self.folder))?;
        let mut bytes = serde_json::to_vec(entry)
            .map_err(|_| RegistryError::NotUtf8 { project: entry.project.clone() })?;
        bytes.push(b'\n');
        let path = self.file_of(&entry.id);
        host::files::replace(&path, &bytes).map_err(RegistryError::disk(&path))
    }

    /// Removes the entry of a mission that could not be opened. Another project's entry of the same id stays.
    pub fn forget(&self, entry: &RegistryEntry) {
        if matches!(self.find(&entry.id), Ok(Some(Ok(found))) if found == *entry) {
            let _ = fs::remove_file(self.file_of(&entry.id));
        }
    }

    /// The entry of one mission, if there is one, or what is wrong with it.
    pub fn find(&self, id: &MissionId) -> Result<Option<Result<RegistryEntry, Damaged>>, RegistryError> {
        let path = self.file_of(id);
        read(&path).map_err(RegistryError::disk(&path))
    }

    /// All entries, and the damaged files.
    pub fn list(&self) -> Result<Listing, RegistryError> {
        let mut listing = Listing::default();
        let files = match fs::read_dir(&self.folder) {
            Ok(files) => files,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(listing),
            Err(error) => return Err(RegistryError::disk(&self.folder)(error)),
        };
        for file in files {
            let path = file.map_err(RegistryError::disk(&self.folder))?.path();
            let is_temporary = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            if is_temporary || path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            match read(&path) {
                Ok(Some(Ok(entry))) => listing.entries.push(entry),
                Ok(Some(Err(damaged))) => listing.damaged.push(damaged),
                // It was removed in the meantime.
                Ok(None) => {}
                Err(error) => listing.damaged.push(Damaged { file: path, why: error.to_string() }),
            }
        }
        listing.entries.sort_by(|a, b| (b.opened_at_ms, &b.id).cmp(&(a.opened_at_ms, &a.id)));
        listing.damaged.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(listing)
    }

    fn file_of(&self, id: &MissionId) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }
}

fn read(path: &Path) -> io::Result<Option<Result<RegistryEntry, Damaged>>> {
    let damaged = |why: String| Ok(Some(Err(Damaged { file: path.to_path_buf(), why })));
    let bytes = match host::files::read(path, ENTRY_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            return damaged("it is not a file".to_owned());
        }
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => return damaged(error.to_string()),
        Err(error) => return Err(error),
    };
    let entry: RegistryEntry = match serde_json::from_slice(&bytes) {
        Ok(entry) => entry,
        Err(error) => return damaged(error.to_string()),
    };
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    if parse_mission_id(&entry.id.0).is_err() || stem != Some(&*entry.id.0) {
        return damaged(format!("it names mission {:?}, and its file another", entry.id.0));
    }
    Ok(Some(Ok(entry)))
}
