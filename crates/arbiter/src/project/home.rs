//! The paths of the user's folders, the project's and a mission's; and the ids of missions.
//!
//! The caller of [`Places::find`] reads the environment, once. Folders that we make are readable by the user alone.

use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::tz::TimeZone;
use mind::id::{MissionId, Timestamp};
use mind::petition::PetitionId;
use view::refusal::DiskTrouble;

/// The longest mission id that is looked at, in bytes.
const MISSION_ID_BYTES_MAX: usize = 64;
/// How many candidates an error names.
const CANDIDATES_SHOWN_MAX: usize = 10;
/// The signs of an id's last part: nothing that looks like something else.
const SIGNS: &[u8; 31] = b"23456789abcdefghjkmnpqrstuvwxyz";

/// What can go wrong with places and names.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// The environment does not say where the user's folders are.
    #[error("neither HOME nor ARBITER_HOME is set")]
    NoHome,
    /// A relative path would mean another folder from every working directory.
    #[error("ARBITER_HOME is {}, which is not an absolute path", path.display())]
    RelativeHome { path: PathBuf },
    /// The typed text cannot be a mission's id.
    #[error("{typed:?} is not a mission's id")]
    BadMissionId { typed: String },
    /// No mission has this id.
    #[error("no mission here is called {typed:?}")]
    UnknownMission {
        typed: String,
        /// The missions there are, the newest first.
        candidates: Vec<MissionId>,
    },
    /// Several missions could be meant.
    #[error("{} missions here could be {typed:?}", candidates.len())]
    AmbiguousMission {
        typed: String,
        /// Those that could be meant, the newest first.
        candidates: Vec<MissionId>,
    },
    /// A new mission's folder exists already: another id has to be drawn.
    #[error("{} exists already", folder.display())]
    Taken { folder: PathBuf },
    /// The disk refused.
    #[error("cannot make or read {}: {source}", path.display())]
    Disk { path: PathBuf, source: io::Error },
}

impl HomeError {
    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            HomeError::NoHome => {
                Some("set ARBITER_HOME to a folder of your own, such as /home/me/.arbiter".into())
            }
            HomeError::RelativeHome { .. } => Some("write the whole path, beginning with /".into()),
            HomeError::BadMissionId { .. } => Some(
                "an id has letters, digits and '-', such as 2026-11-15-k3f9; `arbiter missions` lists them"
                    .into(),
            ),
            HomeError::UnknownMission { candidates, .. } if candidates.is_empty() => Some(
                "this project has no mission; `arbiter missions --all` lists the missions of all projects"
                    .into(),
            ),
            HomeError::UnknownMission { candidates, .. } => Some(format!("there are {}", listed(candidates))),
            HomeError::AmbiguousMission { candidates, .. } => {
                Some(format!("type more of {}", listed(candidates)))
            }
            HomeError::Taken { .. } => Some("try again: the next mission gets another id".into()),
            HomeError::Disk { path, source } => disk_hint(path, source.kind()),
        }
    }

    fn disk(path: &Path) -> impl FnOnce(io::Error) -> HomeError + use<> {
        let path = path.to_path_buf();
        move |source| HomeError::Disk { path, source }
    }
}

pub(crate) fn disk_hint(path: &Path, kind: io::ErrorKind) -> Option<String> {
    DiskTrouble::of(path, kind).hint()
}

fn listed(candidates: &[MissionId]) -> String {
    let shown: Vec<String> = candidates.iter().take(CANDIDATES_SHOWN_MAX).map(ToString::to_string).collect();
    let more = candidates.len().saturating_sub(shown.len());
    let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{rest}", shown.join(", "))
}

/// The user's folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserFolders {
    /// ARBITER_HOME: what all projects share.
    pub home: PathBuf,
    /// Clones and scratch repositories: large files that can be made again.
    pub state: PathBuf,
    /// The user's own configuration file, whether or not it exists.
    pub user_config: Option<PathBuf>,
    /// The user's home folder: what `~` means.
    pub user: Option<PathBuf>,
}

impl UserFolders {
    /// Finds the folders. `lookup` gives a variable of the environment.
    pub fn find(lookup: impl Fn(&str) -> Option<OsString>) -> Result<UserFolders, HomeError> {
        let given = |name: &str| lookup(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        // The XDG rules say that relative paths are ignored.
        let absolute = |name: &str| given(name).filter(|path| path.is_absolute());
        let user = absolute("HOME");
        let home = match (given("ARBITER_HOME"), &user) {
            (Some(path), _) if !path.is_absolute() => return Err(HomeError::RelativeHome { path }),
            (Some(path), _) => path,
            (None, Some(user)) => user.join(".arbiter"),
            (None, None) => return Err(HomeError::NoHome),
        };
        let state = absolute("XDG_STATE_HOME")
            .or_else(|| user.as_ref().map(|user| user.join(".local/state")))
            .map_or_else(|| home.join("state"), |base| base.join("arbiter"));
        let user_config = absolute("XDG_CONFIG_HOME")
            .or_else(|| user.as_ref().map(|user| user.join(".config")))
            .map(|base| base.join("arbiter/config.yaml"));
        Ok(UserFolders { home, state, user_config, user })
    }

    /// The folder of the user's own agents, beside the configuration, whether or not it exists.
    #[must_use]
    pub fn user_agents(&self) -> Option<PathBuf> {
        self.user_config.as_ref().map(|file| file.with_file_name("agents"))
    }

    /// The registry's folder: a file for each mission of any project.
    #[must_use]
    pub fn registry(&self) -> PathBuf {
        self.home.join("missions")
    }

    /// The key that seals the journals of all missions. No sandbox shows it.
    #[must_use]
    pub fn journal_key(&self) -> PathBuf {
        self.home.join("journal.key")
    }

    /// The file with the chosen character; it exists once the ceremony was seen.
    #[must_use]
    pub fn character(&self) -> PathBuf {
        self.home.join("character")
    }

    /// The folder of the sound files.
    #[must_use]
    pub fn sounds(&self) -> PathBuf {
        self.home.join("sounds")
    }

    /// A mission's clone, outside of the project: build tools search the parent folders.
    #[must_use]
    pub fn clone_of(&self, mission: &MissionId) -> PathBuf {
        self.state.join("clones").join(&*mission.0)
    }

    /// The scratch repository of a demo.
    #[must_use]
    pub fn scratch_of(&self, mission: &MissionId) -> PathBuf {
        self.state.join("scratch").join(&*mission.0)
    }

    /// The folder of a mission's sandbox: temporary files, the agents' own configuration.
    #[must_use]
    pub fn cage_of(&self, mission: &MissionId) -> PathBuf {
        self.state.join("cages").join(&*mission.0)
    }

    /// The records of trusted projects. Agents may never write there.
    #[must_use]
    pub fn trust(&self) -> PathBuf {
        self.state.join("trust")
    }

    /// The repositories that are kept for folders without one.
    #[must_use]
    pub fn folders(&self) -> PathBuf {
        self.state.join("folders")
    }

    /// Where the rehearsal's actors keep their conversations.
    #[must_use]
    pub fn rehearsal(&self) -> PathBuf {
        self.state.join("rehearsal")
    }
}

/// The folder a person works in, and what we keep there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    pub root: PathBuf,
}

impl Project {
    /// The folder `.arbiter`.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.root.join(".arbiter")
    }

    /// The file with the providers' ids of the newest sessions.
    #[must_use]
    pub fn last_session(&self) -> PathBuf {
        self.folder().join("last-session.json")
    }

    /// A mission of this project, whether or not it exists.
    #[must_use]
    pub fn mission(&self, id: &MissionId) -> MissionPlaces {
        MissionPlaces { folder: self.folder().join("missions").join(&*id.0) }
    }

    /// The missions of this project, the newest day first.
    pub fn missions(&self) -> Result<Vec<MissionId>, HomeError> {
        let folder = self.folder().join("missions");
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(HomeError::disk(&folder)(error)),
        };
        let mut missions = Vec::new();
        for entry in entries {
            let name = entry.map_err(HomeError::disk(&folder))?.file_name();
            let id = name.to_str().and_then(|name| parse_mission_id(name).ok());
            let Some(id) = id else { continue };
            let place = folder.join(&*id.0);
            if host::files::is_folder(&place).map_err(HomeError::disk(&place))? {
                missions.push(id);
            }
        }
        missions.sort_unstable_by(|a, b| b.cmp(a));
        Ok(missions)
    }
}

/// A mission's own folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissionPlaces {
    pub folder: PathBuf,
}

impl MissionPlaces {
    #[must_use]
    pub fn journal(&self) -> PathBuf {
        self.folder.join("journal.jsonl")
    }

    /// Raw lines of the providers, for the logbook.
    #[must_use]
    pub fn sessions(&self) -> PathBuf {
        self.folder.join("sessions")
    }

    /// Messages from other processes.
    #[must_use]
    pub fn inbox(&self) -> PathBuf {
        self.folder.join("inbox")
    }

    /// The file that exists once the mission was discarded: its clone is gone, its work is in a salvage ref.
    #[must_use]
    pub fn discarded(&self) -> PathBuf {
        self.folder.join("discarded")
    }

    /// Whether the mission was discarded.
    pub fn is_discarded(&self) -> Result<bool, HomeError> {
        let mark = self.discarded();
        host::files::is_there(&mark).map_err(HomeError::disk(&mark))
    }

    /// Makes the folders of a new mission. A folder that exists is another mission's.
    pub fn make(&self) -> Result<(), HomeError> {
        if let Some(parent) = self.folder.parent() {
            make_private(parent)?;
            // A process that made `.arbiter` or `.arbiter/missions` may have died before their names were durable.
            for made in parent.ancestors().take(2) {
                host::files::sync_folder(made).map_err(HomeError::disk(made))?;
            }
        }
        match DirBuilder::new().mode(0o700).create(&self.folder) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(HomeError::Taken { folder: self.folder.clone() });
            }
            Err(error) => return Err(HomeError::disk(&self.folder)(error)),
        }
        make_private(&self.sessions())?;
        make_private(&self.inbox())
    }
}

/// Makes a folder and its parents, readable by the user alone. One that exists stays as it is.
pub fn make_private(folder: &Path) -> Result<(), HomeError> {
    make_folder(folder).map_err(HomeError::disk(folder))
}

/// [`make_private`] with the plain error.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    host::files::make_folder(folder)
}

/// A new mission's id: the day, and four characters from `dice`.
#[must_use]
pub fn new_mission_id(now: Timestamp, zone: &TimeZone, dice: u64) -> MissionId {
    let milliseconds = i64::try_from(now.0).unwrap_or(i64::MAX);
    let moment = jiff::Timestamp::from_millisecond(milliseconds).unwrap_or(jiff::Timestamp::MAX);
    let mut id = moment.to_zoned(zone.clone()).date().to_string();
    id.push('-');
    let mut left = dice;
    for _ in 0..4 {
        let count = SIGNS.len() as u64;
        id.push(char::from(SIGNS[(left % count) as usize]));
        left /= count;
    }
    MissionId(Arc::from(id))
}

/// A new petition's id: eight characters from `dice`, the first a letter, so that YAML cannot read it as a number.
#[must_use]
pub fn new_petition_id(dice: u64) -> PetitionId {
    let (digits, letters) = (8, SIGNS.len() as u64 - 8);
    let mut left = dice;
    let mut id = String::from(char::from(SIGNS[(digits + left % letters) as usize]));
    left /= letters;
    for _ in 1..8 {
        let count = SIGNS.len() as u64;
        id.push(char::from(SIGNS[(left % count) as usize]));
        left /= count;
    }
    PetitionId::from(id.as_str())
}

/// Checks a typed mission id: it can only be a file's name, never a path.
pub fn parse_mission_id(typed: &str) -> Result<MissionId, HomeError> {
    if is_plain_name(typed, MISSION_ID_BYTES_MAX) {
        Ok(MissionId(Arc::from(typed)))
    } else {
        Err(HomeError::BadMissionId { typed: mind::limits::cut(typed, MISSION_ID_BYTES_MAX) })
    }
}

/// Letters, digits and '-', the first not a '-': no path, no hidden file, no flag.
pub(crate) fn is_plain_name(name: &str, bytes_max: usize) -> bool {
    !name.is_empty()
        && name.len() <= bytes_max
        && !name.starts_with('-')
        && name.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'-')
}

/// Finds the mission by its id, or by a beginning or an end that no other has.
pub fn resolve(missions: &[MissionId], typed: &str) -> Result<MissionId, HomeError> {
    let typed = typed.trim();
    let exact = parse_mission_id(typed)?;
    if missions.contains(&exact) {
        return Ok(exact);
    }
    let mut candidates: Vec<MissionId> =
        missions.iter().filter(|id| id.0.starts_with(typed) || id.0.ends_with(typed)).cloned().collect();
    candidates.sort_unstable_by(|a, b| b.cmp(a));
    match candidates.as_slice() {
        [only] => Ok(only.clone()),
        [] => {
            let mut candidates = missions.to_vec();
            candidates.sort_unstable_by(|a, b| b.cmp(a));
            Err(HomeError::UnknownMission { typed: typed.to_owned(), candidates })
        }
        [_, _, ..] => Err(HomeError::AmbiguousMission { typed: typed.to_owned(), candidates }),
    }
}
