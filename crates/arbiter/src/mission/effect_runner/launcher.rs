//! Starts the processes of sessions, in the sandbox of their provider, each under a guard that ends it and all its
//! descendants.

use std::io;
use std::process::ExitStatus;
use std::sync::Arc;

use providers::launch::{AgentProcess, Launched, Launcher, ProgramCall, Waiting};
use sandbox::MISSION;
use sandbox::{AgentSandbox, ChildGuard, Purpose, SpeakingPipes};
use tokio::process::Command;

/// Where the processes of a provider's sessions run.
#[derive(Debug, Clone)]
pub enum ProcessPlace {
    Sandbox(AgentSandbox),
    /// Without a sandbox: only in tests.
    Unheld,
    /// The provider declared no process, so none of its may start.
    Nowhere,
}

#[derive(Debug, Clone)]
pub struct SessionLauncher {
    /// The mission's id, which every process has in its environment.
    pub mission: Arc<str>,
    pub place: ProcessPlace,
}

impl ProcessPlace {
    /// The sandbox, where there is one.
    #[must_use]
    pub fn sandbox(&self) -> Option<&AgentSandbox> {
        match self {
            ProcessPlace::Sandbox(sandbox) => Some(sandbox),
            ProcessPlace::Unheld | ProcessPlace::Nowhere => None,
        }
    }
}

impl Launcher for SessionLauncher {
    fn is_sandboxed(&self) -> bool {
        self.place.sandbox().is_some()
    }

    fn launch(&self, call: &ProgramCall) -> io::Result<Launched> {
        let mut command = match &self.place {
            ProcessPlace::Sandbox(sandbox) => {
                let purpose = Purpose::Agent { secrets: sandbox.secrets.is_some() };
                Command::from(sandbox.sandbox.command(&call.program, &call.args, &call.folder, purpose))
            }
            ProcessPlace::Unheld => {
                let mut command = Command::new(&call.program);
                command.args(&call.args).current_dir(&call.folder);
                command
            }
            ProcessPlace::Nowhere => {
                let program = call.program.display();
                return Err(io::Error::other(format!(
                    "no sandbox was made for {program}, so it is not started"
                )));
            }
        };
        command.envs(call.env.iter().map(|(name, value)| (name, value))).env(MISSION, &*self.mission);
        let (guard, pipes) = ChildGuard::spawn_speaking(command)?;
        let SpeakingPipes { stdin, stdout, stderr } = pipes;
        let process = Box::new(GuardedProcess(guard));
        let sandbox = self.place.sandbox().cloned();
        let keys = sandbox.as_ref().and_then(|sandbox| sandbox.secrets.clone());
        let proof = sandbox.map(|sandbox| -> providers::launch::SandboxProof {
            Box::new(move |line| sandbox.sandbox.heard(line))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_that_told_of_no_process_starts_none() {
        let launcher = SessionLauncher { mission: "m1".into(), place: ProcessPlace::Nowhere };
        let call = ProgramCall {
            program: "true".into(),
            args: Vec::new(),
            folder: std::env::temp_dir(),
            env: Vec::new(),
        };
        let refused = launcher.launch(&call).err().expect("it is refused").to_string();
        assert_eq!(refused, "no sandbox was made for true, so it is not started");
    }
}
