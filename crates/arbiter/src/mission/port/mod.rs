//! The one way to a mission: its facts to read and to follow, a word or an act of a person to it, and what is being said
//! right now. A mission is reached in the process that runs it (`local`), or by its folder (`folder`): through files, and
//! through a private socket while a process runs it. There is no other way to a mission's inbox or journal; tidy says so.

pub mod folder;
pub mod inbox;
pub mod intake;
pub mod local;
pub mod runtime;
pub mod socket;
pub mod wire;

use std::path::Path;
use std::sync::Arc;

use mind::event::{HumanAction, HumanEvent};
use mind::{MissionId, State};
use view::LiveText;

use crate::mission::chronicle::{ChronicleError, MissionJournal, Tail};
use crate::project::home::MissionPlaces;

pub use folder::FolderPort;
pub use inbox::LetterError;
pub use local::LocalPort;
pub use view::port::SayError;

/// A way to one mission.
pub trait MissionPort: Send + Sync {
    /// Which mission it is.
    fn mission(&self) -> &MissionId;

    /// Its folder.
    fn places(&self) -> &MissionPlaces;

    /// Its journal, for whoever reads any past of it.
    fn journal(&self) -> &MissionJournal;

    /// The mission as it is now.
    fn state(&self) -> Result<Arc<State>, ChronicleError>;

    /// Its facts, from the first on.
    fn facts(&self) -> Result<Tail, ChronicleError> {
        Tail::open(self.journal())
    }

    /// How many of its facts may be shown: none is before it is safe on the disk. Another process shows what it reads.
    fn shown(&self) -> u64;

    /// What its sessions are saying right now, as far as it is known here.
    fn live(&self) -> LiveText;

    /// A process runs it.
    fn is_running(&self) -> bool;

    /// Who speaks here, and the next id of what they say.
    fn sign(&self, action: HumanAction) -> HumanEvent;

    /// Sends what a person says or does. It never waits.
    fn send(&self, event: HumanEvent) -> Result<SayReceipt, SayError>;

    /// Says or does it, as the person who sits here.
    fn say(&self, action: HumanAction) -> Result<SayReceipt, SayError> {
        self.send(self.sign(action))
    }

    /// Tells `tell` whenever something moved, until that says no or nothing will move any more; then it is dropped.
    /// Several moves may be told as one.
    fn follow(&self, tell: Tell);
}

/// Hears what moved, and says whether it wants to hear more.
pub type Tell = Box<dyn FnMut(Moved) -> bool + Send>;

/// What moved. What it is now is read from the port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// There are more facts.
    Facts,
    /// Something is being said.
    Live,
    /// A process has begun to run the mission, or none does any more.
    Running,
}

/// What became of something said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SayReceipt {
    /// The mission has it under this id.
    Taken(Arc<str>),
    /// It lies in the inbox of a mission that runs, and will be taken.
    Written(Arc<str>),
    /// It lies in the inbox. No process runs the mission; it is heard when the mission goes on.
    Waits(Arc<str>),
}

impl SayReceipt {
    /// What the person should know of it, if it is more than that it was heard.
    pub fn note(&self, mission: &MissionId) -> Option<String> {
        match self {
            SayReceipt::Taken(_) | SayReceipt::Written(_) => None,
            SayReceipt::Waits(_) => Some(not_running(mission)),
        }
    }
}

/// What somebody should know who speaks to a mission that no process runs.
pub fn not_running(mission: &MissionId) -> String {
    format!("no process runs this mission: what you say waits for `arbiter resume {mission}`")
}

/// Which process runs the mission in `places`; 0 if it is not known which.
pub fn holder(places: &MissionPlaces) -> Option<u32> {
    journal::holder(&places.journal())
}

/// The mission that a folder is called after.
pub(crate) fn id_of(folder: &Path) -> MissionId {
    MissionId(folder.file_name().unwrap_or_default().to_string_lossy().as_ref().into())
}
