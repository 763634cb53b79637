//! The sandbox: where an agent's processes, our checks, and git on the clone run. It shows them what the access
//! map allows, proves from within that this is enforced before anything is started, and leaves no process alive
//! when it ends.
//! Three processes make it. The *supervisor*, our own binary, is what Arbiter starts: it adopts every orphan below
//! it, and ends them all when its child ends or Arbiter dies. It starts either bubblewrap or our own binary
//! again, which confines itself by Landlock. The last step, *self-test*, tries what must not work; only if all of
//! it fails does it become the program. In bubblewrap it adds Landlock after that, if there is one: a mount
//! hides only what was there at the start.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use sandbox::{AccessInputs, Purpose, Sandbox, SandboxSpec};
//!
//! let survey = sandbox::survey();
//! let level = survey.best().ok_or("nothing on this machine holds an agent")?;
//! let lay = sandbox::lay_of(&AccessInputs {
//!     home: "/home/user".into(),
//!     clone: "/home/user/.local/state/arbiter/clones/m1".into(),
//!     tmp: "/home/user/.local/state/arbiter/tmp/m1".into(),
//!     project: Some("/home/user/bridge".into()),
//!     ours: vec!["/home/user/.local/state/arbiter".into()],
//!     ..AccessInputs::default()
//! })?;
//! let sandbox = Sandbox::set(SandboxSpec {
//!     level,
//!     bubblewrap: survey.bubblewrap.ok(),
//!     lay,
//!     tmp: "/home/user/.local/state/arbiter/tmp/m1".into(),
//!     own: vec![std::env::current_exe()?.into(), "__cage".into()],
//!     environment: sandbox::environment(std::env::vars_os(), &[]),
//!     canary: "/home/user/.local/state/arbiter/canaries/m1".into(),
//!     closed: vec!["/home/user/bridge".into()],
//! })?;
//! // An agent: its first line is the sandbox's, and says by the nonce where it runs.
//! let purpose = Purpose::Agent { secrets: true };
//! let mut agent = sandbox.command("claude".as_ref(), ["--print"], &sandbox.plan().lay.clone, purpose);
//! // … its stdin is first given `sandbox::secrets_line(&secrets)`, then its protocol;
//! // the first line of its stdout goes to `sandbox.heard(line)?`, the others to the protocol.
//! # let _ = agent.spawn()?;
//! // A check, or git: nothing is said, nothing is read.
//! let check = sandbox.command("make".as_ref(), ["test"], &sandbox.plan().lay.clone, Purpose::Command);
//! # let _ = check; Ok(())
//! # }
//! ```
//!
//! A program inside can put each of its own commands into a smaller sandbox: `own… __cage command FILE -- program args…`,
//! where the file holds [`command_orders`]. Such a command can neither look into the program nor signal it.
//!
//! The command's exit status is the program's, or 128 and the number of the signal that ended it, or
//! [`NOT_MADE`] if the sandbox could not be made or did not hold: then nothing was started, and stderr says why.

mod access;
#[cfg(target_os = "linux")]
mod bubblewrap;
mod child_guard;
mod detect;
#[cfg_attr(not(target_os = "linux"), path = "elsewhere.rs")]
mod enter;
mod environment;
mod factory;
pub mod gate;
mod inner_domain;
#[cfg(target_os = "linux")]
mod landlock;
mod leftovers;
mod limits;
#[cfg(target_os = "linux")]
mod pipes;
pub mod process_tree;
mod secrets;
#[cfg(target_os = "linux")]
mod self_test;
mod spawn_orders;
#[cfg(target_os = "linux")]
mod supervisor;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use mind::access::{Access, AccessMap, SandboxLevel};

use spawn_orders::{Announcement, ORDERS, SandboxStep, SpawnOrders};

pub use access::{AccessInputs, lay_of};
pub use child_guard::{ChildGuard, SpeakingPipes};
pub use detect::{SandboxSurvey, WITHOUT, survey};
pub use enter::enter;
pub use environment::environment;
pub use factory::{AgentSandbox, SandboxFactory};
pub use inner_domain::command_orders;
pub use leftovers::{MISSION, strike_leftovers};
pub use secrets::secrets_line;

/// The exit status of a sandbox that could not be made, or did not hold. Nothing was started.
pub const NOT_MADE: u8 = 125;

/// What a sandbox is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxSpec {
    pub level: SandboxLevel,
    /// The absolute path of bubblewrap; needed at its level only. [`survey`] finds it.
    pub bubblewrap: Option<PathBuf>,
    /// What may be seen and changed.
    pub lay: AccessMap,
    /// The mission's own temporary folder, which may be written.
    pub tmp: PathBuf,
    /// The command that starts our own binary so that it reaches [`enter`].
    pub own: Vec<OsString>,
    /// The whole environment of programs inside, already scrubbed.
    pub environment: Vec<(OsString, OsString)>,
    /// A file in a hidden place. It is written when the sandbox is made; a process that can read it is not inside.
    pub canary: PathBuf,
    /// Folders in which no process inside may create a file, beside the canary's.
    pub closed: Vec<PathBuf>,
}

/// What a command in the sandbox is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A session's process. The sandbox writes the first line on its stdout, for [`Cage::heard`].
    Agent {
        /// Whether the first line of its stdin is a [`secrets_line`].
        secrets: bool,
    },
    /// A check, or git. The sandbox writes nothing.
    Command,
}

/// Why a sandbox could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The canary cannot be written, so nothing could be proved.
    #[error("cannot write the canary {path}")]
    Canary { path: PathBuf, source: io::Error },
    /// The access map would show the canary: then it proves nothing.
    #[error("the sandbox would show its canary {path}")]
    Seen { path: PathBuf },
    /// The level needs bubblewrap, and the plan does not name it.
    #[error("no path of bubblewrap is given")]
    NoBubblewrap,
    /// A path or word that is no text; the access map holds texts only.
    #[error("{path:?} is not valid text")]
    NotText { path: OsString },
}

/// A sandbox that is ready: any number of commands may run in it.
#[derive(Debug, Clone)]
pub struct Sandbox {
    plan: SandboxSpec,
    spec: SpawnOrders,
}

impl Sandbox {
    /// Writes the canary, and makes sure that the access map hides it.
    pub fn set(plan: SandboxSpec) -> Result<Sandbox, SandboxError> {
        let nonce = format!("{:016x}{:016x}", host::dice(), host::dice());
        let canary = text(plan.canary.as_os_str())?;
        match plan.level {
            SandboxLevel::Off => {}
            SandboxLevel::Landlock | SandboxLevel::Bubblewrap => {
                if plan.lay.view(&canary) != Access::Hidden {
                    return Err(SandboxError::Seen { path: plan.canary });
                }
                write_canary(&plan.canary, &nonce)
                    .map_err(|source| SandboxError::Canary { path: plan.canary.clone(), source })?;
            }
        }
        let bubblewrap = match (plan.level, &plan.bubblewrap) {
            (SandboxLevel::Bubblewrap, None) => return Err(SandboxError::NoBubblewrap),
            (SandboxLevel::Bubblewrap, Some(program)) => Some(text(program.as_os_str())?),
            (SandboxLevel::Off | SandboxLevel::Landlock, _) => None,
        };
        let spec = SpawnOrders {
            house: 0,
            keeper: 0,
            level: plan.level,
            lay: plan.lay.clone(),
            tmp: text(plan.tmp.as_os_str())?,
            own: plan.own.iter().map(|word| text(word)).collect::<Result<_, _>>()?,
            bubblewrap,
            canary,
            closed: plan.closed.iter().map(|place| text(place.as_os_str())).collect::<Result<_, _>>()?,
            nonce,
            folder: String::new(),
            loader: plan.environment.iter().filter_map(loader).collect(),
            announce: false,
            secrets: false,
        };
        Ok(Sandbox { plan, spec })
    }

    #[must_use]
    pub fn plan(&self) -> &SandboxSpec {
        &self.plan
    }

    /// The command that runs `program` inside, in `folder`. Its environment is the plan's and nothing else; the caller
    /// may add variables. This process itself must spawn it, without changing the folder: only the last step goes to
    /// `folder`, because an agent may have written there.
    pub fn command<S: AsRef<OsStr>>(
        &self,
        program: &OsStr,
        args: impl IntoIterator<Item = S>,
        folder: impl AsRef<Path>,
        purpose: Purpose,
    ) -> Command {
        let (announce, secrets) = match purpose {
            Purpose::Agent { secrets } => (true, secrets),
            Purpose::Command => (false, false),
        };
        let house = i32::try_from(std::process::id()).unwrap_or_default();
        // Where there is no such text there is no such folder either, and the last step says so.
        let folder = std::path::absolute(folder).ok().and_then(|folder| Some(folder.to_str()?.to_owned()));
        let folder = folder.unwrap_or_default();
        let spec = SpawnOrders { house, announce, secrets, folder, ..self.spec.clone() };
        let mut words = self.plan.own.iter();
        let mut command = Command::new(words.next().map_or(OsStr::new(""), OsString::as_os_str));
        command.args(words).args([SandboxStep::Keep.word(), "--"]).arg(program).args(args).current_dir("/");
        let plain = self.plan.environment.iter().filter(|(name, _)| !is_loaders(name));
        command.env_clear().envs(plain.map(|(name, value)| (name, value)));
        command.env("TMPDIR", &self.plan.tmp).env(ORDERS, spec.word());
        command
    }

    /// What the first line of an agent says about where it runs; anything but this sandbox's own level is an error.
    pub fn heard(&self, line: &str) -> Result<SandboxLevel, String> {
        read_announcement(line, &self.spec.nonce, self.plan.level)
    }

    /// The secret word that the first line of an agent in this sandbox must hold.
    #[must_use]
    pub fn nonce(&self) -> &str {
        &self.spec.nonce
    }
}

/// Reads the first line of an agent: the sandbox must have written it, with this nonce and level.
pub fn read_announcement(line: &str, nonce: &str, level: SandboxLevel) -> Result<SandboxLevel, String> {
    let said: Announcement = serde_json::from_str(line.trim())
        .map_err(|_| "the agent spoke before the sandbox did: it is not known where it runs".to_owned())?;
    if said.caged.nonce != nonce {
        return Err("the sandbox's first line is from another one: it is not known where it runs".to_owned());
    }
    if said.caged.level != level {
        return Err(format!("the agent runs at level {}, not {level}", said.caged.level));
    }
    Ok(said.caged.level)
}

/// Whether a variable is for the loader of programs: it must not make our own steps load anything.
fn is_loaders(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b"LD_") || name.starts_with(b"DYLD_") || name.starts_with(b"GLIBC_")
}

/// Such a variable, as a text; one that is none is left out.
fn loader((name, value): &(OsString, OsString)) -> Option<(String, String)> {
    is_loaders(name).then_some(())?;
    Some((name.to_str()?.to_owned(), value.to_str()?.to_owned()))
}

fn write_canary(path: &Path, nonce: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(nonce.as_bytes())
}

fn text(word: &OsStr) -> Result<String, SandboxError> {
    word.to_str().map(str::to_owned).ok_or_else(|| SandboxError::NotText { path: word.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_cages_own_line_is_believed() {
        let line = r#"{"caged":{"nonce":"n1","level":"landlock","signals":true}}"#;
        assert_eq!(read_announcement(line, "n1", SandboxLevel::Landlock), Ok(SandboxLevel::Landlock));
        for (line, nonce, level, words) in [
            (line, "n2", SandboxLevel::Landlock, "from another one"),
            (line, "n1", SandboxLevel::Bubblewrap, "level landlock, not bubblewrap"),
            (r#"{"type":"system"}"#, "n1", SandboxLevel::Landlock, "spoke before"),
            ("", "n1", SandboxLevel::Landlock, "spoke before"),
        ] {
            let error = read_announcement(line, nonce, level).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_canary_in_plain_sight_is_refused() {
        let plan = SandboxSpec {
            level: SandboxLevel::Landlock,
            bubblewrap: None,
            lay: AccessMap::default(),
            tmp: "/nowhere".into(),
            own: vec!["own".into()],
            environment: Vec::new(),
            canary: "/nowhere/canary".into(),
            closed: Vec::new(),
        };
        assert!(matches!(Sandbox::set(plan), Err(SandboxError::Seen { .. })));
    }
}
