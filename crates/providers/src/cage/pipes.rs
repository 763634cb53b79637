//! Descriptors that are handed down through the cage, and those that must not be.

use std::fs::File;
use std::io;

use rustix::fd::{AsRawFd, OwnedFd};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::{PipeFlags, pipe_with};

/// A pipe whose reading end stays here, and whose writing end is handed down.
pub(super) fn upward() -> io::Result<(File, OwnedFd)> {
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
    fcntl_setfd(&writer, FdFlags::empty())?;
    Ok((reader.into(), writer))
}

/// A pipe that holds `bytes` and nothing more, to be handed down: read once, they are nowhere any more.
pub(super) fn holding(bytes: &[u8]) -> io::Result<OwnedFd> {
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
    if rustix::io::write(&writer, bytes)? != bytes.len() {
        return Err(io::Error::other("too long for a pipe"));
    }
    rustix::fs::fcntl_setfl(&reader, rustix::fs::OFlags::empty())?;
    fcntl_setfd(&reader, FdFlags::empty())?;
    Ok(reader)
}

/// An empty file, to be handed down.
pub(super) fn nothing() -> io::Result<OwnedFd> {
    let file = OwnedFd::from(File::open("/dev/null")?);
    fcntl_setfd(&file, FdFlags::empty())?;
    Ok(file)
}

/// Its number, as the next program knows it.
pub(super) fn number(descriptor: &OwnedFd) -> String {
    descriptor.as_raw_fd().to_string()
}

/// Lets go of our own standard descriptors, so that whoever is at their other end sees them closed when the program
/// closes them.
pub(super) fn release_standard() -> io::Result<()> {
    let null = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}
