//! Adds whole lines to a file. What could not be written whole is taken back, so that the next line never follows half of
//! another one; a file whose end cannot be known takes nothing more.

use std::fs::File;
use std::io::{self, Write};

/// What lines are added to.
pub(super) trait LineFile: Write {
    fn sync(&mut self) -> io::Result<()>;
    fn shorten(&mut self, length: u64) -> io::Result<()>;
}

impl LineFile for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn shorten(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

#[derive(Debug)]
pub(super) struct Pen<F> {
    file: F,
    /// So far the file has whole lines.
    good: u64,
    is_doubtful: bool,
}

impl<F: LineFile> Pen<F> {
    /// A pen at the end of a file that has `good` bytes of whole lines, and no more.
    pub(super) fn new(file: F, good: u64) -> Pen<F> {
        Pen { file, good, is_doubtful: false }
    }

    pub(super) fn length(&self) -> u64 {
        self.good
    }

    pub(super) fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    pub(super) fn doubt(&mut self) {
        self.is_doubtful = true;
    }

    /// Adds these lines, all or none.
    pub(super) fn append(&mut self, lines: &[u8], synced: bool) -> io::Result<()> {
        if self.is_doubtful {
            return Err(io::Error::other("an earlier write failed"));
        }
        if let Err(error) = self.file.write_all(lines) {
            self.is_doubtful = self.file.shorten(self.good).is_err();
            return Err(error);
        }
        if synced && let Err(error) = self.file.sync() {
            // After a failed sync the system may have dropped what it held, also of earlier lines.
            self.is_doubtful = true;
            let _ = self.file.shorten(self.good);
            return Err(error);
        }
        self.good += lines.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with so much room, whose syncs and cuts can fail.
    #[derive(Default)]
    struct Faulty {
        bytes: Vec<u8>,
        room: usize,
        fails_sync: bool,
        fails_cut: bool,
    }

    impl Write for Faulty {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(self.room - self.bytes.len());
            if count == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.bytes.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl LineFile for Faulty {
        fn sync(&mut self) -> io::Result<()> {
            if self.fails_sync { Err(io::Error::other("no sync")) } else { Ok(()) }
        }

        fn shorten(&mut self, length: u64) -> io::Result<()> {
            if self.fails_cut {
                return Err(io::Error::other("no cut"));
            }
            self.bytes.truncate(usize::try_from(length).unwrap());
            Ok(())
        }
    }

    #[test]
    fn a_disk_that_is_full_at_any_byte_leaves_whole_lines() {
        for room in 6..16 {
            let mut pen = Pen::new(Faulty { room, ..Faulty::default() }, 0);
            pen.append(b"first\n", true).unwrap();
            let is_full = pen.append(b"the second\n", true).is_err();
            assert_eq!((is_full, pen.is_doubtful()), (room < 17, false));
            assert_eq!((&pen.file.bytes[..], pen.length()), (&b"first\n"[..], 6), "{room}");
            pen.file.room = 100;
            pen.append(b"third\n", false).unwrap();
            assert_eq!(pen.file.bytes, b"first\nthird\n");
        }
    }

    #[test]
    fn a_file_whose_end_is_unknown_takes_nothing_more() {
        let mut pen = Pen::new(Faulty { room: 8, fails_cut: true, ..Faulty::default() }, 0);
        assert!(pen.append(b"longer than that\n", false).is_err());
        pen.file.room = 100;
        assert!(pen.is_doubtful() && pen.append(b"next\n", false).is_err());
        assert_eq!(pen.file.bytes, b"longer t");

        let mut pen = Pen::new(Faulty { room: 100, fails_sync: true, ..Faulty::default() }, 0);
        pen.append(b"not synced\n", false).unwrap();
        assert!(pen.append(b"synced\n", true).is_err() && pen.is_doubtful());
        assert!(pen.append(b"next\n", false).is_err());
    }
}
