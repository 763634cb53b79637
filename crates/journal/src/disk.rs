//! The real disk as a medium: a journal's file, and the folder it lies in.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use crate::{limits, medium::Medium};

/// A journal's file on disk.
#[derive(Debug)]
pub struct Disk {
    file: File,
    path: PathBuf,
}

impl Disk {
    /// Makes the file with its first bytes. The file appears under its name whole and durable, or it does not appear.
    pub(crate) fn create(path: &Path, first: &[u8]) -> io::Result<Disk> {
        host::files::replace(path, first)?;
        Disk::open(path)
    }

    /// Opens the file for reading and appending.
    pub fn open(path: &Path) -> io::Result<Disk> {
        let file = host::files::open_plain(OpenOptions::new().read(true).append(true), path)?;
        Ok(Disk { file, path: path.to_owned() })
    }

    /// Opens the file for reading only.
    pub fn open_to_read(path: &Path) -> io::Result<Disk> {
        let file = host::files::open_plain(OpenOptions::new().read(true), path)?;
        Ok(Disk { file, path: path.to_owned() })
    }
}

impl Medium for Disk {
    fn path(&self) -> &Path {
        &self.path
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        again_if_interrupted(|| self.file.read_at(buffer, offset))
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // An interrupted call took nothing, so this is still one write.
        again_if_interrupted(|| self.file.write(bytes))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn save_tail(&mut self, offset: u64) -> io::Result<PathBuf> {
        let (mut aside, kept_in) = create_cut(&self.path)?;
        let copied = self.copy_from(offset, &mut aside).and_then(|()| aside.sync_all());
        if let Err(error) = copied {
            // Half a copy would look like a whole one. Nothing is lost: the journal still has the bytes.
            let _ = fs::remove_file(&kept_in);
            return Err(error);
        }
        host::files::sync_folder(&kept_in)?;
        Ok(kept_in)
    }
}

impl Disk {
    fn copy_from(&self, mut offset: u64, target: &mut File) -> io::Result<()> {
        let mut buffer = vec![0; limits::READ_BYTES];
        loop {
            let count = self.read_at(&mut buffer, offset)?;
            if count == 0 {
                return Ok(());
            }
            target.write_all(&buffer[..count])?;
            offset += count as u64;
        }
    }
}

/// The file of the same stem with another ending: `journal.jsonl` has `journal.lock` beside it.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    path.with_extension(ending)
}

/// A cut file of its own for each cut: an earlier one is evidence too, and never written again.
fn create_cut(path: &Path) -> io::Result<(File, PathBuf)> {
    let first = beside(path, "cut");
    for number in 0..limits::CUTS_MAX {
        let mut name = OsString::from(&first);
        if number > 0 {
            name.push(format!(".{number}"));
        }
        match host::files::open_plain(OpenOptions::new().write(true).create_new(true), Path::new(&name)) {
            Ok(file) => return Ok((file, name.into())),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("{} cuts are kept already", limits::CUTS_MAX)))
}

pub(crate) fn again_if_interrupted(mut call: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
