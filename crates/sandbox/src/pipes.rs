//! Descriptors that are handed down through the sandbox, and those that must not be.

use std::fs::File;
use std::io;

use rustix::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use rustix::fs::{Dir, Mode, OFlags, open};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::{PipeFlags, pipe_with};

/// Up to here descriptors are standard ones.
const LAST_STANDARD: RawFd = 2;

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

/// Closes everything but the standard descriptors: the program that started Arbiter may have left one open, and a
/// folder's descriptor is a way around the sandbox. To be called before this process opens anything.
pub(super) fn close_inherited() -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut listed = Dir::new(open("/proc/self/fd", flags, Mode::empty())?)?;
    let own = listed.fd()?.as_raw_fd();
    let mut inherited: Vec<RawFd> = Vec::new();
    while let Some(entry) = listed.read() {
        // The two entries that every folder has are no numbers.
        inherited.extend(entry?.file_name().to_str().ok().and_then(|name| name.parse::<RawFd>().ok()));
    }
    drop(listed);
    for number in inherited.into_iter().filter(|number| *number > LAST_STANDARD && *number != own) {
        #[expect(
            unsafe_code,
            reason = "it is open, since the kernel listed it and this process has one thread; no value here owns it, since \
                      nothing was opened yet; and there is no safe way to close a descriptor by its number"
        )]
        let descriptor = unsafe { OwnedFd::from_raw_fd(number) };
        drop(descriptor);
    }
    Ok(())
}

/// Closes our own standard descriptors, so that the processes at their other ends see them closed when the program
/// closes its own.
pub(super) fn release_standard() -> io::Result<()> {
    let null = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}
