//! Starts the processes of sessions: in the sandbox that was made for their provider, each held by a guard that ends all
//! that it starts.

use std::io;
use std::process::ExitStatus;
use std::sync::Arc;

use providers::launch::{AgentProcess, Launched, Launcher, ProgramCall, Waiting};
use sandbox::MISSION;
use sandbox::{ChildGuard, Housing, Purpose, SpeakingPipes};
use tokio::process::Command;

/// Starts processes of one mission's sessions.
#[derive(Debug, Clone)]
pub struct SessionLauncher {
    /// The mission, which every process of it carries in its environment.
    pub mission: Arc<str>,
    /// Where they run; without a sandbox they are started as they are.
    pub sandbox: Option<Housing>,
}

impl Launcher for SessionLauncher {
    fn is_sandboxed(&self) -> bool {
        self.sandbox.is_some()
    }

    fn launch(&self, call: &ProgramCall) -> io::Result<Launched> {
        let mut command = match &self.sandbox {
            Some(sandbox) => {
                let purpose = Purpose::Agent { secrets: sandbox.secrets.is_some() };
                Command::from(sandbox.cage.command(&call.program, &call.args, &call.folder, purpose))
            }
            None => {
                let mut command = Command::new(&call.program);
                command.args(&call.args).current_dir(&call.folder);
                command
            }
        };
        command.envs(call.env.iter().map(|(name, value)| (name, value))).env(MISSION, &*self.mission);
        let (guard, pipes) = ChildGuard::spawn_speaking(command)?;
        let SpeakingPipes { stdin, stdout, stderr } = pipes;
        let process = Box::new(GuardedProcess(guard));
        let sandbox = self.sandbox.clone();
        let keys = sandbox.as_ref().and_then(|sandbox| sandbox.secrets.clone());
        let proof = sandbox.map(|sandbox| -> providers::launch::SandboxProof {
            Box::new(move |line| sandbox.cage.heard(line))
        });
        Ok(Launched { stdin, stdout, stderr, keys, proof, process })
    }
}

/// A session's process under its guard.
struct GuardedProcess(ChildGuard);

impl AgentProcess for GuardedProcess {
    fn leave(&mut self) -> Waiting<'_, ()> {
        Box::pin(self.0.leave())
    }

    fn gone(&mut self) -> Waiting<'_, ()> {
        Box::pin(self.0.gone())
    }

    fn reap(&mut self) -> Waiting<'_, Option<ExitStatus>> {
        Box::pin(self.0.reap())
    }

    fn end(&mut self) -> Waiting<'_, ()> {
        Box::pin(async { _ = self.0.end().await })
    }
}
