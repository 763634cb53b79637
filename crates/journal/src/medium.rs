//! What a journal is written on: the real disk, or a disk in memory that fails when a test tells it to.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

/// A growing file and the folder beside it. It knows no locks: the caller decides before who may write.
pub trait Medium: fmt::Debug + Send {
    /// The name used in reports.
    fn path(&self) -> &Path;

    /// How many bytes there are.
    fn length(&self) -> io::Result<u64>;

    /// Reads some bytes from `offset` on; 0 means the present end.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Writes at the end with one call and says how many bytes were taken.
    fn append(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Returns once all that was appended would survive a power loss.
    fn sync(&mut self) -> io::Result<()>;

    /// Drops everything from `length` on.
    fn truncate(&mut self, length: u64) -> io::Result<()>;

    /// Copies everything from `offset` on to a safe place, durably, and says where that is.
    fn save_tail(&mut self, offset: u64) -> io::Result<PathBuf>;
}
