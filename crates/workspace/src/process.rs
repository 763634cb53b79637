//! Runs one command to its end and leaves nothing of it behind.
//!
//! A command is an argv, never a line for a shell. Its output and its errors share one pipe, so their order is kept.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt;
use tokio::process::ChildStdout;
use tokio::time::{sleep, timeout};

use sandbox::{ChildGuard, Sandbox};

use super::capture::Capture;
use super::limits::{CHUNK_BYTES, DRAIN_TIME_MAX, HEAD_BYTES_MAX, TAIL_BYTES_MAX};

/// A command to run: what, where, and for how long at most.
#[derive(Debug, Clone)]
pub struct Job {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// The folder it runs in.
    pub folder: PathBuf,
    /// Variables added to the inherited environment, from which those of git are taken out.
    pub environment: Vec<(String, String)>,
    /// When it is ended if it has not ended itself.
    pub time_limit: Duration,
    /// The sandbox; without one the command sees all that Arbiter sees.
    pub sandbox: Option<Arc<Sandbox>>,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// It ended by itself with this status.
    Code(i32),
    /// A signal ended it that we did not send.
    Signal(i32),
    /// We ended it at its time limit.
    TimedOut,
    /// There is no such program.
    NotFound,
    /// It could not be started, for this reason.
    NotStarted(String),
}

/// A command that has ended, with all its descendants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub status: Exit,
    /// How long it ran.
    pub duration_ms: u64,
    /// The beginning and the end of what it wrote, as printable text.
    pub output_tail: String,
    /// How many bytes it wrote.
    pub output_bytes: u64,
    /// The SHA-256 of everything it wrote, in hexadecimal.
    pub output_digest: String,
}

/// Runs `job` to its end. Dropping the future ends the command and all its descendants as well.
pub async fn run(job: &Job) -> Finished {
    let began = Instant::now();
    let mut output = Capture::new(HEAD_BYTES_MAX, TAIL_BYTES_MAX);
    let (status, strays) = match start(job) {
        Ok((mut guard, mut pipe)) => {
            let status = follow(&mut guard, &mut pipe, &mut output, job.time_limit).await;
            // First the writers, then the pipe: a descendant that holds it open would keep us here for ever.
            let strays = guard.end().await;
            let _ = timeout(DRAIN_TIME_MAX, output.drain(&mut pipe)).await;
            (status, strays)
        }
        Err(status) => (status, 0),
    };
    let mut output_tail = output.text();
    if strays > 0 {
        output_tail.push_str(&format!("\n[... {strays} processes of this command could not be ended ...]\n"));
    }
    Finished {
        status,
        duration_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
        output_tail,
        output_bytes: output.bytes(),
        output_digest: output.digest(),
    }
}

fn start(job: &Job) -> Result<(ChildGuard, ChildStdout), Exit> {
    let [program, arguments @ ..] = job.argv.as_slice() else {
        return Err(Exit::NotStarted("the command is empty".into()));
    };
    // The system reports a missing folder and a missing program alike.
    match std::fs::metadata(&job.folder) {
        Ok(found) if found.is_dir() => {}
        Ok(_) => return Err(Exit::NotStarted(format!("{} is no folder", job.folder.display()))),
        Err(error) => return Err(Exit::NotStarted(format!("{}: {error}", job.folder.display()))),
    }
    launch(program, arguments, job).map_err(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            Exit::NotFound
        } else {
            Exit::NotStarted(error.to_string())
        }
    })
}

fn launch(program: &str, arguments: &[String], job: &Job) -> io::Result<(ChildGuard, ChildStdout)> {
    let (reader, stdout, stderr) = shared_pipe()?;
    let mut command =
        sandbox::gate::command(program.as_ref(), arguments, &job.folder, job.sandbox.as_deref())?;
    command.stdout(stdout).stderr(stderr);
    command.envs(job.environment.iter().map(|(name, value)| (name, value)));
    Ok((sandbox::gate::spawn(command)?, reader))
}

/// One pipe with two writing ends.
fn shared_pipe() -> io::Result<(ChildStdout, Stdio, Stdio)> {
    let (reader, writer) = io::pipe()?;
    let second = writer.try_clone()?;
    let reader = ChildStdout::from_std(OwnedFd::from(reader).into())?;
    Ok((reader, writer.into(), second.into()))
}

/// Reads along until the child ends or its time is over.
async fn follow(
    guard: &mut ChildGuard,
    pipe: &mut ChildStdout,
    output: &mut Capture,
    time_limit: Duration,
) -> Exit {
    let deadline = sleep(time_limit);
    tokio::pin!(deadline);
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut is_open = true;
    loop {
        tokio::select! {
            ended = guard.wait() => return ended.map_or_else(|error| Exit::NotStarted(error.to_string()), exit),
            () = &mut deadline => return Exit::TimedOut,
            read = pipe.read(&mut chunk), if is_open => match read {
                Ok(length @ 1..) => output.push(&chunk[..length]),
                Ok(0) | Err(_) => is_open = false,
            },
        }
    }
}

fn exit(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or_default()),
    }
}
