//! The bot's token in ARBITER_TELEGRAM_TOKEN. Every child process inherits our environment, and others can read it; so the
//! program takes its own place once more without the variable, with the token in a pipe that is read empty at once.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::sync::OnceLock;

use rustix::io::{FdFlags, fcntl_setfd};

/// The variable's name.
pub const NAME: &str = "ARBITER_TELEGRAM_TOKEN";
/// Names the pipe: our process number, so that no child takes it for its own, and the descriptor's.
const PIPE: &str = "ARBITER_TELEGRAM_TOKEN_PIPE";
/// The longest value that is kept: it fits into every pipe.
const VALUE_BYTES_MAX: usize = 4096;

static VALUE: OnceLock<String> = OnceLock::new();

/// To be called before anything is started or opened. It comes back without the variable, or not at all.
pub fn hide() -> io::Result<()> {
    match std::env::var_os(NAME) {
        Some(value) => become_anew(value.as_encoded_bytes()),
        None => take(),
    }
}

/// The token that stood in the environment, if one did.
#[must_use]
pub fn value() -> Option<&'static str> {
    VALUE.get().map(String::as_str)
}

fn become_anew(value: &[u8]) -> io::Result<()> {
    let (reader, mut writer) = io::pipe()?;
    writer.write_all(&value[..value.len().min(VALUE_BYTES_MAX)])?;
    fcntl_setfd(&reader, FdFlags::empty())?;
    let pipe = format!("{}:{}", std::process::id(), reader.as_raw_fd());
    let mut arguments = std::env::args_os();
    let mut command = Command::new(std::env::current_exe()?);
    command.arg0(arguments.next().unwrap_or_else(|| "arbiter".into())).args(arguments);
    // The writing end is closed as the new program begins.
    Err(command.env_remove(NAME).env(PIPE, pipe).exec())
}

fn take() -> io::Result<()> {
    let Ok(pipe) = std::env::var(PIPE) else { return Ok(()) };
    let Some((process, descriptor)) = pipe.split_once(':') else { return Ok(()) };
    let Ok(descriptor) = descriptor.parse::<u32>() else { return Ok(()) };
    if process != std::process::id().to_string() {
        return Ok(());
    }
    let mut bytes = Vec::new();
    let pipe = File::open(format!("/dev/fd/{descriptor}"))?;
    pipe.take(VALUE_BYTES_MAX as u64).read_to_end(&mut bytes)?;
    let value = String::from_utf8_lossy(&bytes).trim().to_owned();
    if !value.is_empty() {
        let _ = VALUE.set(value);
    }
    Ok(())
}
