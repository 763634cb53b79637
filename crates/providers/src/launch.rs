//! How a session's process comes to be. A provider says which program it is; where that runs, what holds it there and how
//! all that it starts is ended is handed in.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::process::ExitStatus;

use mind::lay::Level;
use tokio::io::AsyncWriteExt;
use tokio::net::UnixStream;
use tokio::process::ChildStderr;

/// Which program, with which words, where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramCall {
    /// The program.
    pub program: OsString,
    /// Its words.
    pub args: Vec<OsString>,
    /// The folder it works in.
    pub folder: PathBuf,
    /// What is set in its environment.
    pub env: Vec<(OsString, OsString)>,
}

/// Starts the processes of a provider's sessions.
pub trait Launcher: fmt::Debug + Send + Sync {
    /// Whether a sandbox holds what is started. Its environment is the sandbox's then, and its program is seen without
    /// links.
    fn is_sandboxed(&self) -> bool;

    /// Starts one.
    fn launch(&self, call: &ProgramCall) -> io::Result<Launched>;
}

/// A process that was started.
pub struct Launched {
    /// Its input.
    pub stdin: UnixStream,
    /// Its output.
    pub stdout: UnixStream,
    /// Where it complains.
    pub stderr: ChildStderr,
    /// Keys that it is given before anything is said to it; they stand in no logbook.
    pub keys: Option<String>,
    /// Reads the first line of its output if that is the sandbox's own: what holds it, or why that is not known.
    pub proof: Option<SandboxProof>,
    /// The process itself.
    pub process: Box<dyn AgentProcess>,
}

/// What the first line of a sandboxed process says.
pub type SandboxProof = Box<dyn Fn(&str) -> Result<Level, String> + Send + Sync>;

/// A wait for something of a process.
pub type Waiting<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A running process. Dropping it kills it with all that it started.
pub trait AgentProcess: Send + Sync {
    /// Its input was closed, so it should leave; if it does not, it is made to, step by step.
    fn leave(&mut self) -> Waiting<'_, ()>;

    /// Waits until it is gone by itself, and ends whatever it leaves behind. May be dropped and asked again.
    fn gone(&mut self) -> Waiting<'_, ()>;

    /// It closed its output, so it is on its way out: how it ended, if that can be learned.
    fn reap(&mut self) -> Waiting<'_, Option<ExitStatus>>;

    /// Kills it with all that it started.
    fn end(&mut self) -> Waiting<'_, ()>;
}

impl Launched {
    /// Gives the process its keys. A closed pipe is told by what it says, or by its end.
    pub(crate) async fn hand_keys(&mut self) {
        if let Some(keys) = self.keys.take() {
            let _ = self.stdin.write_all(keys.as_bytes()).await;
        }
    }
}
