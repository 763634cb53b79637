//! One petition file as it is read: never through a link, never a pipe, never more than the bound, because other
//! programs write in this folder too.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, SystemTime};

use mind::Timestamp;
use mind::actor::{Actor, Door};
use serde::{Deserialize, Serialize};

use crate::error::DocketError;
use crate::files::{Disk, ReadFrom};
use crate::limits;
use crate::storage::{About, Open, OpenFile};
use crate::text::PetitionText;

/// What tells without reading that a file is still the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    pub s: i64,
    pub ns: i64,
    pub size: u64,
    pub inode: u64,
}

impl Stamp {
    /// Whether the file was left alone long enough that its next change shows in its time.
    pub fn is_sure(&self) -> bool {
        let changed = Duration::new(self.s.max(0).unsigned_abs(), u32::try_from(self.ns).unwrap_or(0));
        let age = host::now().duration_since(SystemTime::UNIX_EPOCH + changed);
        let sure = if self.ns == 0 { limits::STAMP_SURE_COARSE } else { limits::STAMP_SURE };
        age.is_ok_and(|age| age > sure)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct PetitionFile {
    pub bytes: Vec<u8>,
    pub sheet: PetitionText,
    pub stamp: Stamp,
    /// The system's number of the user who owns the file.
    pub owner: u32,
}

/// Why a petition file could not be read.
#[derive(Debug)]
pub(crate) enum Unread {
    Missing,
    /// The file is no petition, for this reason.
    Malformed(String),
    /// The disk refused.
    Disk(DocketError),
}

impl PetitionFile {
    pub fn read(disk: &Disk, path: &Path) -> Result<PetitionFile, Unread> {
        let (bytes, about) = read(disk, path)?;
        let modified = about.modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        let ms = modified.and_then(|age| u64::try_from(age.as_millis()).ok()).unwrap_or(0);
        let sheet = PetitionText::read(&bytes, Timestamp(ms)).map_err(|why| Unread::Malformed(why.0))?;
        Ok(PetitionFile { bytes, sheet, stamp: about.stamp, owner: about.owner })
    }

    /// The person who is recorded for an edit of the file: its owner.
    pub fn hand(&self) -> Actor {
        Actor::human(Door::File, &user(self.owner))
    }
}

/// A file's bytes, if it is a plain file within the size bound.
pub(crate) fn read(disk: &Disk, path: &Path) -> Result<(Vec<u8>, About), Unread> {
    let refused = |error: io::Error| match error.kind() == io::ErrorKind::NotFound {
        true => Unread::Missing,
        false => Unread::Disk(DocketError::disk(path)(error)),
    };
    // Opening a pipe or a device has effects, so only plain files are opened.
    if !disk.about(path).map_err(refused)?.is_file() {
        return Err(Unread::Malformed("not a file".to_owned()));
    }
    let file = disk.open(path, Open::ReadForeign).map_err(refused)?;
    let about = file.about().map_err(refused)?;
    if !about.is_file() {
        return Err(Unread::Malformed("not a file".to_owned()));
    }
    let bytes = bounded(&*file, about.length()).map_err(refused)?;
    match bytes {
        Some(bytes) => Ok((bytes, about)),
        None => Err(Unread::Malformed(format!("longer than {} bytes", limits::FILE_BYTES_MAX))),
    }
}

fn bounded(file: &dyn OpenFile, length: u64) -> io::Result<Option<Vec<u8>>> {
    if length > limits::FILE_BYTES_MAX {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0) + 1);
    ReadFrom { file, offset: 0 }.take(limits::FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limits::FILE_BYTES_MAX).then_some(bytes))
}

/// The name of a user of this machine, or the number.
fn user(uid: u32) -> String {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let named = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == uid.to_string()).then(|| name.to_owned())
    });
    named.unwrap_or_else(|| uid.to_string())
}
