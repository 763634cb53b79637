//! Bubblewrap for the tests that need a sandbox: the machine's own, else the distribution's package, installed where we
//! may, unpacked into `target/tools` where we may not. Without it all other tests still run, and the skipped ones are
//! named; `ARBITER_REQUIRE_REAL=1` makes that a failure.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::Verdict;
use crate::shell::{answers, program};
use crate::tool::MissingTool;

const FOLDER: &str = "target/tools/bubblewrap";

/// Where the package keeps the program.
const BIN: &str = "usr/bin";

/// Gets it where it is missing. Gives the `PATH` for tests if that must be another one.
pub fn install(root: &Path) -> (Option<OsString>, Verdict) {
    let path = env::var_os("PATH").unwrap_or_default();
    match install_by("apt-get", root, &path, is_root()) {
        Ok((how, path)) => {
            println!("bubblewrap is {how}");
            (path, Verdict::Passed)
        }
        Err(error) => {
            let tool = MissingTool {
                what: "there is no bubblewrap, and none could be had".into(),
                without: "the tests of that level",
                hint: "`apt install bubblewrap`, or the like".into(),
            };
            (None, tool.report(&error))
        }
    }
}

/// Says how it came to be there, and the `PATH` it is found by if that is not `path`.
fn install_by(
    apt: &str,
    root: &Path,
    path: &OsString,
    is_root: bool,
) -> anyhow::Result<(&'static str, Option<OsString>)> {
    if is_on(path) {
        return Ok(("on PATH", None));
    }
    let unpacked = std::path::absolute(root.join(FOLDER))?.join(BIN);
    let with_unpacked = || env::join_paths([unpacked.clone()].into_iter().chain(env::split_paths(path)));
    if unpacked.join("bwrap").is_file() {
        return Ok(("already in target/tools/bubblewrap", Some(with_unpacked()?)));
    }
    if is_root {
        let installs = [&["update", "-qq"][..], &["install", "-y", "-qq", "bubblewrap"]];
        let run = |words: &&[&str]| {
            answers(program(root, apt).args(*words).env("DEBIAN_FRONTEND", "noninteractive"))
        };
        if installs.iter().all(run) && is_on(path) {
            return Ok(("installed", None));
        }
    }
    unpack(apt, root)?;
    if !unpacked.join("bwrap").is_file() {
        bail!("the package has no {BIN}/bwrap");
    }
    Ok(("unpacked in target/tools/bubblewrap", Some(with_unpacked()?)))
}

fn unpack(apt: &str, root: &Path) -> anyhow::Result<()> {
    let folder = root.join(FOLDER);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {FOLDER}"))?;
    if !answers(program(&folder, apt).args(["download", "-qq", "bubblewrap"])) {
        bail!("{apt} can neither install nor download it");
    }
    let package = fs::read_dir(&folder)?
        .flatten()
        .map(|entry| entry.path())
        .find(|file| file.extension().is_some_and(|kind| kind == "deb"))
        .context("nothing was downloaded")?;
    if !answers(program(&folder, "dpkg-deb").arg("-x").arg(&package).arg(".")) {
        bail!("dpkg-deb cannot unpack {}", package.display());
    }
    Ok(())
}

fn is_on(path: &OsString) -> bool {
    env::split_paths(path).map(|entry: PathBuf| entry.join("bwrap")).any(|place| place.is_file())
}

fn is_root() -> bool {
    // Our own folder of the process table belongs to the user we act as.
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|found| found.uid() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::TestRoot;

    fn path(root: &TestRoot) -> OsString {
        root.0.join("bin").into_os_string()
    }

    /// Installs by an apt-get that runs these lines.
    fn install(
        root: &TestRoot,
        lines: &str,
        is_root: bool,
    ) -> anyhow::Result<(&'static str, Option<OsString>)> {
        install_by(&root.script("apt-get", lines), &root.0, &path(root), is_root)
    }

    #[test]
    fn what_is_there_is_used() {
        let root = TestRoot::new("bubblewrap-there");
        root.script("bin/bwrap", "");
        assert_eq!(install(&root, "exit 1", true).unwrap(), ("on PATH", None));
    }

    #[test]
    fn root_installs_it() {
        let root = TestRoot::new("bubblewrap-root");
        let lines = "[ $1 = update ] || { mkdir bin && touch bin/bwrap; }";
        assert_eq!(install(&root, lines, true).unwrap(), ("installed", None));
    }

    #[test]
    fn others_find_it_in_target() {
        let root = TestRoot::new("bubblewrap-others");
        let bin = root.0.join(FOLDER).join(BIN);
        fs::create_dir_all(&bin).unwrap();
        fs::write(bin.join("bwrap"), "").unwrap();
        let (how, path) = install(&root, "exit 1", false).unwrap();
        assert_eq!(how, "already in target/tools/bubblewrap");
        assert_eq!(env::split_paths(&path.unwrap()).next(), Some(bin));
    }

    #[test]
    fn what_cannot_be_had_is_told() {
        let root = TestRoot::new("bubblewrap-told");
        for is_root in [false, true] {
            let error = install(&root, "exit 1", is_root).unwrap_err();
            assert!(error.to_string().ends_with("can neither install nor download it"), "{error}");
        }
    }
}
