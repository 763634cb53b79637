//! Detects which levels of the sandbox hold on this machine: not what is installed, but what was tried and held.

use std::fmt;
use std::path::PathBuf;

use mind::access::SandboxLevel;

/// Levels that are not to be used, by name, with commas between them. It can only ever take away.
pub const WITHOUT: &str = "ARBITER_SANDBOX_WITHOUT";

/// The levels that hold, and why the others do not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxSurvey {
    /// The absolute path of a bubblewrap that held, or why there is none.
    pub bubblewrap: Result<PathBuf, String>,
    /// The kernel's version of Landlock, or why it does not hold.
    pub landlock: Result<u32, String>,
}

/// Tries every level with a small run of its own.
#[must_use]
pub fn survey() -> SandboxSurvey {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let without = std::env::var(WITHOUT).unwrap_or_default();
    SandboxSurvey::of(&path, &without)
}

impl SandboxSurvey {
    /// The same, with this `PATH` and without these levels.
    #[must_use]
    pub fn of(path: &std::ffi::OsStr, without: &str) -> SandboxSurvey {
        let is_unwanted =
            |level: SandboxLevel| without.split(',').any(|name| name.trim() == level.to_string());
        let unwanted = || format!("{WITHOUT} says that it is not to be used");
        SandboxSurvey {
            bubblewrap: match is_unwanted(SandboxLevel::Bubblewrap) {
                true => Err(unwanted()),
                false => try_it::bubblewrap(path),
            },
            landlock: match is_unwanted(SandboxLevel::Landlock) {
                true => Err(unwanted()),
                false => try_it::landlock(),
            },
        }
    }

    /// The best level that holds.
    #[must_use]
    pub fn best(&self) -> Option<SandboxLevel> {
        match (&self.bubblewrap, &self.landlock) {
            (Ok(_), _) => Some(SandboxLevel::Bubblewrap),
            (Err(_), Ok(_)) => Some(SandboxLevel::Landlock),
            (Err(_), Err(_)) => None,
        }
    }

    /// What a person can do to get a better level.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let why = self.bubblewrap.as_ref().err()?;
        Some(match why.contains("is not on PATH") {
            true => "install it: `apt install bubblewrap`, `dnf install bubblewrap` or `pacman -S bubblewrap`".into(),
            false => "bubblewrap needs user namespaces: see `sysctl user.max_user_namespaces`, \
                      `kernel.unprivileged_userns_clone` and `kernel.apparmor_restrict_unprivileged_userns`; in a \
                      container, ask for them there. Landlock needs Linux 5.13 with `landlock` in its list of modules"
                .into(),
        })
    }
}

impl fmt::Display for SandboxSurvey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.bubblewrap {
            Ok(program) => write!(f, "bubblewrap holds ({}); ", program.display())?,
            Err(why) => write!(f, "bubblewrap does not: {why}; ")?,
        }
        match &self.landlock {
            Ok(abi) => {
                write!(f, "landlock holds (version {abi}")?;
                if *abi < 6 {
                    f.write_str("; before 6 it does not keep signals from other processes")?;
                }
                if *abi < 9 {
                    f.write_str(
                        "; before 9 it does not keep agents from sockets of other programs, such as docker's",
                    )?;
                }
                f.write_str(
                    "; it does not keep agents from seeing names and sizes, or changing modes and times)",
                )
            }
            Err(why) => write!(f, "landlock does not: {why}"),
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod try_it {
    use std::ffi::OsStr;
    use std::path::PathBuf;

    pub(super) fn bubblewrap(_path: &OsStr) -> Result<PathBuf, String> {
        Err("it is for Linux only".into())
    }

    pub(super) fn landlock() -> Result<u32, String> {
        Err("it is for Linux only".into())
    }
}

#[cfg(target_os = "linux")]
mod try_it {
    use std::ffi::OsStr;
    use std::fs;
    use std::io;
    use std::os::unix::fs::DirBuilderExt;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    use rustix::fs::{Access, access};

    use super::super::{bubblewrap, landlock};
    use crate::limits::PROBE_TIME_MAX;

    /// Finds the program by absolute entries of `path` only, and sees whether it hides a file from `cat`.
    pub(super) fn bubblewrap(path: &OsStr) -> Result<PathBuf, String> {
        let places = std::env::split_paths(path).filter(|entry| entry.is_absolute());
        let program = places
            .map(|entry| entry.join("bwrap"))
            .find(|place| place.is_file() && access(place, Access::EXEC_OK).is_ok())
            .ok_or("bwrap is not on PATH")?;
        let secret = Secret::keep().map_err(|error| format!("it cannot be tried: {error}"))?;
        let folder = secret.folder.as_os_str();
        let mut command = Command::new(&program);
        command.args(bubblewrap::world()).arg("--tmpfs").arg(folder).arg("--remount-ro").arg(folder);
        command.args(["--", "/bin/sh", "-c", r#"cat "$1" 2>&1; echo "number $$""#, "sh"]).arg(secret.file());
        command.env_clear().env("PATH", "/usr/bin:/bin").current_dir("/");
        let said = run(command).map_err(|error| format!("{} cannot be run: {error}", program.display()))?;
        if said.contains(&secret.word) {
            return Err(format!("{} hides nothing", program.display()));
        }
        // Its own first process is number 1 there.
        if !said.lines().any(|line| line == "number 2") {
            return Err(format!("{} does not work here: {}", program.display(), said.trim()));
        }
        Ok(program)
    }

    /// Confines a thread that ends right after, and sees whether a file is hidden from it.
    pub(super) fn landlock() -> Result<u32, String> {
        let secret = Secret::keep().map_err(|error| format!("it cannot be tried: {error}"))?;
        let file = secret.file();
        let trial = thread::spawn(move || {
            let held = landlock::restrict([])?;
            match fs::read(file) {
                Ok(_) => Err("it hides nothing".to_owned()),
                Err(_) => Ok(held.abi),
            }
        });
        trial.join().unwrap_or_else(|_| Err("it cannot be tried".into()))
    }

    /// What the command says, on both its outputs; it has little time.
    fn run(mut command: Command) -> io::Result<String> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let began = Instant::now();
        while child.try_wait()?.is_none() {
            if began.elapsed() > PROBE_TIME_MAX {
                let _ = child.kill();
                let _ = child.wait();
                return Err(io::ErrorKind::TimedOut.into());
            }
            thread::sleep(Duration::from_millis(1));
        }
        let output = child.wait_with_output()?;
        Ok(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    }

    /// A file that must not be read, in a folder of its own; gone at the end.
    struct Secret {
        folder: PathBuf,
        word: String,
    }

    impl Secret {
        fn keep() -> io::Result<Secret> {
            let word = format!("{:016x}", host::dice());
            let folder =
                fs::canonicalize(std::env::temp_dir())?.join(format!("arbiter-probe-{:016x}", host::dice()));
            fs::DirBuilder::new().mode(0o700).create(&folder)?;
            let secret = Secret { folder, word };
            fs::write(secret.file(), &secret.word)?;
            Ok(secret)
        }

        fn file(&self) -> PathBuf {
            Path::new(&self.folder).join("secret")
        }
    }

    impl Drop for Secret {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
