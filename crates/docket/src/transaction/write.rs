//! Bringing a petition's file to what it must be: replaced whole, moved, and the asker notified. Other programs do not
//! take our lock: a file that changed meanwhile is read again first, so that no edit is overwritten unseen.

use std::io;
use std::path::Path;
use std::sync::Arc;

use mind::petition::PetitionId;

use super::Transaction;
use crate::docket::PetitionPlace;
use crate::error::DocketError;
use crate::files::names;
use crate::files::petition_file::{self, PetitionFile, Unread};
use crate::limits;
use crate::open_petition::{Missing, OpenPetition};
use crate::text;

impl Transaction<'_> {
    /// Replaces, moves and notifies, as far as this petition needs it.
    pub(super) fn write(&mut self, case: &mut OpenPetition) -> Result<(), DocketError> {
        let mut moved = false;
        for _ in 0..limits::REWRITES_MAX {
            self.record(std::slice::from_mut(case))?;
            if case.sheet.text().as_bytes() != case.bytes && !self.replace(case)? {
                self.reload(case)?;
                continue;
            }
            if case.target != case.place {
                if !self.carry(case)? {
                    self.reload(case)?;
                    continue;
                }
                moved = true;
                // Another program may have replaced the file just before it was moved.
                if self.bytes(case)?.as_ref() != Some(&case.bytes) {
                    self.reload(case)?;
                    continue;
                }
            }
            if case.notify || (moved && case.petition.closed.is_some()) {
                self.notify(case)?;
            }
            return Ok(());
        }
        let path = self.docket.path(case.place, &case.name);
        Err(DocketError::disk(&path)(io::Error::other("another program changes it all the time")))
    }

    /// Replaces the file by its new content, unless the file is no longer what was read.
    fn replace(&self, case: &mut OpenPetition) -> Result<bool, DocketError> {
        let folder = self.docket.place(case.place);
        let beside = folder.join(names::beside(&case.name));
        let bytes = case.sheet.text().as_bytes().to_vec();
        let stamp = self.disk.stage(&beside, &bytes)?;
        if self.bytes(case)?.as_ref() != Some(&case.bytes) {
            self.disk.remove(&beside)?;
            return Ok(false);
        }
        self.disk.rename(&beside, &folder.join(&*case.name))?;
        // The file is moved to another folder next, so this folder need not be synced.
        if case.target == case.place {
            self.disk.sync_folder(&folder)?;
        }
        case.bytes = bytes;
        case.stamp = stamp;
        case.known = Some(stamp);
        Ok(true)
    }

    /// Moves the file to where it belongs. False if it is not there any more.
    fn carry(&self, case: &mut OpenPetition) -> Result<bool, DocketError> {
        let (from, to) = (self.docket.place(case.place), self.docket.place(case.target));
        let name = self.free_name(&to, case)?;
        match self.disk.rename(&from.join(&*case.name), &to.join(&*name)) {
            Err(DocketError::Disk { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Ok(false);
            }
            other => other?,
        }
        self.disk.sync_folder(&to)?;
        self.disk.sync_folder(&from)?;
        case.place = case.target;
        case.name = name;
        Ok(true)
    }

    /// Reads the file again, in either folder, and compares it with the ledger.
    fn reload(&self, case: &mut OpenPetition) -> Result<(), DocketError> {
        for place in [case.place, case.place.other()] {
            let path = self.docket.path(place, &case.name);
            match PetitionFile::read(&self.disk, &path) {
                Ok(paper) if paper.sheet.petition().id == case.id => {
                    case.place = place;
                    return case
                        .take(self.docket, paper, self.now)
                        .map_err(|missing| unreadable(missing, &case.id));
                }
                Ok(_) | Err(Unread::Missing) => {}
                Err(Unread::Malformed(why)) => return Err(DocketError::Malformed { file: path, why }),
                Err(Unread::Disk(error)) => return Err(error),
            }
        }
        Err(DocketError::Gone { id: case.id.clone() })
    }

    /// The file's bytes as they are now; none if it is not there.
    fn bytes(&self, case: &OpenPetition) -> Result<Option<Vec<u8>>, DocketError> {
        match petition_file::read(&self.disk, &self.docket.path(case.place, &case.name)) {
            Ok((bytes, _)) => Ok(Some(bytes)),
            Err(Unread::Missing | Unread::Malformed(_)) => Ok(None),
            Err(Unread::Disk(error)) => Err(error),
        }
    }

    /// Writes the notification of the asker's session, if that session wants one.
    fn notify(&self, case: &mut OpenPetition) -> Result<(), DocketError> {
        if let Some((name, content)) = text::notification(&case.petition)
            && names::is_plain(&name)
        {
            let folder = self.docket.folder().join("notify");
            let beside = folder.join(names::beside(&name));
            self.disk.stage(&beside, content.as_bytes())?;
            self.disk.rename(&beside, &folder.join(&name))?;
            self.disk.sync_folder(&folder)?;
        }
        case.notify = false;
        Ok(())
    }

    /// Moves a new petition's file into `pending/`, once it is recorded. If it is not staged any more, it was moved before.
    pub(super) fn unstage(&self, name: &Arc<str>) -> Result<(), DocketError> {
        if !names::is_plain(name) {
            return Ok(());
        }
        let staged = self.docket.own("staged").join(&**name);
        let pending = self.docket.place(PetitionPlace::Pending);
        match self.disk.rename(&staged, &pending.join(&**name)) {
            Err(DocketError::Disk { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
            Ok(()) => self.disk.sync_folder(&pending),
        }
    }

    /// Removes what a process left in the staging folder that died before it recorded the petition. The file of a
    /// recorded petition is all there is of its text: it stays until it can be moved.
    fn clear_staged(&mut self, folder: &Path) -> Result<(), DocketError> {
        for left in self.disk.names(folder)? {
            let path = folder.join(&left);
            let is_recorded = match PetitionFile::read(&self.disk, &path) {
                Ok(paper) => self.index.slot(&paper.sheet.petition().id)?.is_some(),
                Err(Unread::Missing | Unread::Malformed(_)) => false,
                Err(Unread::Disk(error)) => return Err(error),
            };
            if !is_recorded {
                self.disk.remove(&path)?;
            }
        }
        Ok(())
    }

    /// Writes a new petition's file into the staging folder, where no reader looks.
    pub fn stage(
        &mut self,
        name: &str,
        text: &str,
    ) -> Result<crate::files::petition_file::Stamp, DocketError> {
        let folder = self.docket.own("staged");
        self.clear_staged(&folder)?;
        let stamp = self.disk.stage(&folder.join(name), text.as_bytes())?;
        // Once the petition is recorded, the file must not be lost with its name.
        self.disk.sync_folder(&folder)?;
        Ok(stamp)
    }

    /// The file's name in another folder: its own, unless another petition's file has it there.
    fn free_name(&self, folder: &Path, case: &OpenPetition) -> Result<Arc<str>, DocketError> {
        let is_taken = |name: &str| {
            let path = folder.join(name);
            match PetitionFile::read(&self.disk, &path) {
                Ok(paper) => Ok(paper.sheet.petition().id != case.id),
                Err(Unread::Missing) => Ok(false),
                // A folder of that name cannot be moved over, and the move says so.
                Err(Unread::Malformed(_)) => Ok(!self.disk.is_folder(&path)?),
                Err(Unread::Disk(error)) => Err(error),
            }
        };
        if !is_taken(&case.name)? {
            return Ok(Arc::clone(&case.name));
        }
        for name in names::aside(&case.name) {
            if !is_taken(&name)? {
                return Ok(Arc::from(name));
            }
        }
        Ok(Arc::clone(&case.name))
    }
}

/// The caller's error for a petition that could not be read.
pub(crate) fn unreadable(missing: Missing, id: &PetitionId) -> DocketError {
    match missing {
        Missing::Unknown => DocketError::Unknown { typed: id.to_string() },
        Missing::Gone(id) => DocketError::Gone { id },
        Missing::Malformed(file, why) => DocketError::Malformed { file, why },
        Missing::Misled => DocketError::Gone { id: id.clone() },
        Missing::Disk(error) => error,
    }
}
