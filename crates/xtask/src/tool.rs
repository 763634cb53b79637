//! Real programs that tests and checks need, in `target/tools`. Where one cannot be had everything else still runs, and
//! that is said loudly; `ARBITER_REQUIRE_REAL=1` makes it a failure.

use std::env;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::Verdict;
use crate::shell::{finish, last_words};

/// A program that could not be had.
pub struct MissingTool {
    pub what: String,
    /// What is left out without it.
    pub without: &'static str,
    pub hint: String,
}

impl MissingTool {
    /// Says why, and what follows.
    pub fn report(&self, error: &anyhow::Error) -> Verdict {
        let required = is_required();
        eprintln!("{}", self.notice(error, required));
        if required { Verdict::Failed } else { Verdict::Skipped }
    }

    fn notice(&self, error: &anyhow::Error, required: bool) -> String {
        let MissingTool { what, without, hint } = self;
        let outcome = match required {
            true => "ARBITER_REQUIRE_REAL=1, so this run FAILS.".to_owned(),
            false => format!("SKIPPED: {without}. ARBITER_REQUIRE_REAL=1 makes this a failure."),
        };
        let rule = "!".repeat(100);
        format!("\n{rule}\n!!! {what}:\n!!!     {error:#}\n!!! {outcome}\n!!! hint: {hint}\n{rule}\n")
    }
}

/// Does `ARBITER_REQUIRE_REAL=1` ask for everything?
pub fn is_required() -> bool {
    env::var_os("ARBITER_REQUIRE_REAL").is_some_and(|value| value == "1")
}

/// Runs what installs a tool, with its output in `log`; its last words are the error.
pub fn run(command: &mut Command, log: &Path, limit: Duration) -> anyhow::Result<()> {
    let name = command.get_program().display().to_string();
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let file = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
    let child = command.spawn().with_context(|| format!("cannot start {name}"))?;
    match finish(child, limit)? {
        Some(status) if status.success() => Ok(()),
        Some(status) => bail!("{name} failed ({status}): {}", last_words(log)),
        None => bail!("{name} was not done in {} s", limit.as_secs()),
    }
}

/// For tests of what installs: a repository's root of its own, gone at the end, with programs that are shell scripts.
#[cfg(test)]
pub struct TestRoot(pub std::path::PathBuf);

#[cfg(test)]
impl TestRoot {
    pub fn new(name: &str) -> TestRoot {
        let root = env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        TestRoot(root)
    }

    /// A program of this name that runs these lines.
    pub fn script(&self, name: &str, lines: &str) -> String {
        use std::os::unix::fs::PermissionsExt;
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{lines}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_string_lossy().into_owned()
    }
}

#[cfg(test)]
impl Drop for TestRoot {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notice_says_what_follows() {
        let tool = MissingTool {
            what: "claude could not be installed".into(),
            without: "its tests",
            hint: "`npm install`".into(),
        };
        let error = anyhow::anyhow!("cannot start npm");
        let skipped = tool.notice(&error, false);
        assert!(
            skipped.contains("SKIPPED: its tests") && skipped.contains("hint: `npm install`"),
            "{skipped}"
        );
        let failed = tool.notice(&error, true);
        assert!(failed.contains("this run FAILS") && failed.contains("cannot start npm"), "{failed}");
    }

    #[test]
    fn what_cannot_be_installed_has_last_words() {
        let root = TestRoot::new("tool");
        let log = root.0.join("logs/install.log");
        let complaint = |program: &str, limit: Duration| {
            format!("{:#}", run(&mut Command::new(program), &log, limit).unwrap_err())
        };
        let long = Duration::from_secs(60);
        assert!(complaint("no-such-npm", long).starts_with("cannot start no-such-npm"));
        let fails = root.script("fails", "echo no network >&2; exit 7");
        assert!(complaint(&fails, long).ends_with("failed (exit status: 7): no network"));
        let hangs = root.script("hangs", "exec sleep 60");
        assert!(complaint(&hangs, Duration::from_millis(30)).ends_with("was not done in 0 s"));
    }
}
