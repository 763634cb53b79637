//! Ties an agent's process to the house: when the house dies, however it dies, the process is interrupted by the system
//! at once, and takes its tools with it. A small program of ours in between sets the tie and becomes the agent.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The words that start `program` tied to this process; `own` are the words that reach [`become_agent`].
pub fn argv(own: &[OsString]) -> Vec<OsString> {
    let mut words = own.to_vec();
    words.push(std::process::id().to_string().into());
    words
}

/// Ties this process to its parent, whose number is the first word, and becomes the program that the others name. Comes
/// back only if it cannot.
pub fn become_agent(mut words: impl Iterator<Item = OsString>) -> io::Error {
    let parent = words.next().and_then(|word| word.to_str()?.parse::<i32>().ok());
    let Some(program) = words.next() else { return io::Error::other("there is no program to become") };
    if let Err(error) = tie() {
        return error;
    }
    // The house may have died before the tie was there.
    let now = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get());
    if now != parent {
        return io::Error::other("the house is gone already");
    }
    Command::new(program).args(words).exec()
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn tie() -> io::Result<()> {
    // An interrupt, not a kill: the agent ends its tools before itself.
    Ok(rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::INT))?)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn tie() -> io::Result<()> {
    // Elsewhere the closed input is all that tells an agent of our end.
    Ok(())
}
