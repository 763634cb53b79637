//! The sandboxes of one mission. To set one up means to read a hundred paths and thousands of folders: that is done beside
//! the loop, once, and again only when its inputs have changed.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::access::SandboxLevel;
use providers::Providers;
use sandbox::{AgentSandbox, Sandbox, SandboxFactory};
use tokio::sync::Mutex;
use workspace::{object_folders, submodules_folder};

use super::disk_delay::DiskDelay;
use super::launcher::ProcessPlace;

/// The inputs of a sandbox that can change while a mission runs: the clone, and the project's submodules.
type Inputs = [Option<(u64, i64, i64)>; 2];

/// The sandboxes of one mission, each made when it is first needed.
pub struct SessionSandboxes {
    site: Arc<SandboxFactory>,
    clone: PathBuf,
    providers: Providers,
    git: Mutex<Option<(Inputs, Arc<Sandbox>)>>,
    housing: Mutex<BTreeMap<String, (Inputs, AgentSandbox)>>,
    pub(super) delay: DiskDelay,
}

impl SessionSandboxes {
    /// The sandboxes of a mission whose clone is, or will be, at `clone`.
    pub fn new(site: Arc<SandboxFactory>, clone: PathBuf, providers: Providers) -> SessionSandboxes {
        let (git, housing) = (Mutex::default(), Mutex::default());
        SessionSandboxes { site, clone, providers, git, housing, delay: DiskDelay::default() }
    }

    /// With a slow disk, for tests.
    #[must_use]
    pub fn with_delay(self, delay: DiskDelay) -> SessionSandboxes {
        SessionSandboxes { delay, ..self }
    }

    /// The sandbox in which git reads the clone; none where sandboxes are off.
    pub async fn git(self: &Arc<SessionSandboxes>) -> Result<Option<Arc<Sandbox>>, String> {
        match self.site.level {
            SandboxLevel::Off => Ok(None),
            SandboxLevel::Landlock | SandboxLevel::Bubblewrap => {
                let mut made = self.git.lock().await;
                let inputs = self.beside(|sandboxes| Ok(sandboxes.inputs())).await?;
                if let Some((_, sandbox)) = made.as_ref().filter(|(before, _)| *before == inputs) {
                    return Ok(Some(Arc::clone(sandbox)));
                }
                let sandbox = self.beside(SessionSandboxes::for_git).await?;
                Ok(Some(Arc::clone(&made.insert((inputs, Arc::new(sandbox))).1)))
            }
        }
    }

    /// Where the processes of a provider's sessions run.
    pub async fn place(self: &Arc<SessionSandboxes>, provider: &str) -> Result<ProcessPlace, String> {
        if self.site.own.is_empty() {
            return Ok(ProcessPlace::Unheld);
        }
        let mut made = self.housing.lock().await;
        let inputs = self.beside(|sandboxes| Ok(sandboxes.inputs())).await?;
        if let Some((_, housing)) = made.get(provider).filter(|(before, _)| *before == inputs) {
            return Ok(ProcessPlace::Sandbox(housing.clone()));
        }
        let of = provider.to_owned();
        let Some(housing) = self.beside(move |sandboxes| sandboxes.for_sessions(&of)).await? else {
            return Ok(ProcessPlace::Nowhere);
        };
        made.insert(provider.to_owned(), (inputs, housing.clone()));
        Ok(ProcessPlace::Sandbox(housing))
    }

    fn for_git(&self) -> Result<Sandbox, String> {
        self.site.for_commands(&self.clone, &object_folders(&self.site.project))
    }

    fn for_sessions(&self, provider: &str) -> Result<Option<AgentSandbox>, String> {
        let opened = self.providers.get(provider)?;
        let needs = opened.sandbox_needs(&self.site.place, &self.clone, &self.site.mission)?;
        let Some(needs) = needs else { return Ok(None) };
        let borrowed = object_folders(&self.site.project);
        self.site.for_agent(&self.clone, provider, needs, &borrowed).map(Some)
    }

    fn inputs(&self) -> Inputs {
        let stamp = |place: &Path| {
            let found = std::fs::metadata(place).ok()?;
            Some((found.ino(), found.mtime(), found.mtime_nsec()))
        };
        let clone = std::fs::metadata(&self.clone).ok().map(|found| (found.ino(), 0, 0));
        let submodules = submodules_folder(&self.site.project);
        [clone, submodules.and_then(|folder| stamp(&folder))]
    }

    /// Runs `work` on a thread that may wait for the disk.
    async fn beside<T: Send + 'static>(
        self: &Arc<SessionSandboxes>,
        work: impl FnOnce(&SessionSandboxes) -> Result<T, String> + Send + 'static,
    ) -> Result<T, String> {
        let sandboxes = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            sandboxes.delay.wait();
            work(&sandboxes)
        });
        done.await.unwrap_or_else(|error| Err(format!("the sandbox cannot be set up: {error}")))
    }
}
