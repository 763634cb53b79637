//! The one way to a mission, for this program and its doors. What a door may do is `view::port::MissionPort`; a mission is
//! reached in the process that runs it (`local`), or by its folder (`folder`): through files, and through a private socket
//! while a process runs it. There is no other way to a mission's inbox or journal; tidy says so.

pub mod folder;
pub mod inbox;
pub mod intake;
pub mod local;
pub mod runtime;
pub mod socket;
pub mod wire;

mod facts;

use std::path::Path;

use mind::MissionId;

use crate::mission::fact_log::{FactLogError, FactTail, MissionJournal};
use crate::project::home::MissionPlaces;

pub use folder::FolderPort;
pub use inbox::InboxError;
pub use local::LocalPort;
pub use view::port::{MissionPort, Moved, SayError, SayReceipt, Tell, not_running};

/// A mission's files, for this program's own screens and commands. A door outside of it gets a [`MissionPort`] only.
pub trait MissionFiles: MissionPort {
    fn places(&self) -> &MissionPlaces;

    /// Its journal, to read any past of it.
    fn journal(&self) -> &MissionJournal;

    /// How many of its facts may be shown: none is before it is safe on the disk. Another process shows what it reads.
    fn shown(&self) -> u64;

    /// Its facts in the batches in which they were written, from the first on.
    fn tail(&self) -> Result<FactTail, FactLogError> {
        FactTail::open(self.journal())
    }
}

/// Which process runs the mission in `places`; 0 if it is not known which.
pub fn holder(places: &MissionPlaces) -> Option<u32> {
    journal::holder(&places.journal())
}

/// The mission that a folder is called after.
pub(crate) fn id_of(folder: &Path) -> MissionId {
    MissionId(folder.file_name().unwrap_or_default().to_string_lossy().as_ref().into())
}
