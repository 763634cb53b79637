//! The tests that found something missing: each leaves a record in a folder (`sim::real`), which is read after every suite.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::shell::target;

/// Names the folder to the tests.
const VARIABLE: &str = "ARBITER_TEST_SKIPS";

/// The folder of the records.
pub struct SkipFolder(PathBuf);

/// One thing that one test found missing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SkipRecord {
    pub binary: String,
    pub test: String,
    pub reason: String,
}

impl SkipFolder {
    /// An empty one.
    pub fn new(root: &Path) -> anyhow::Result<SkipFolder> {
        let folder = std::path::absolute(target(root).join("skips"))?;
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
        }
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(SkipFolder(folder))
    }

    /// What a test is to have in its environment.
    pub fn variable(&self) -> (&'static str, OsString) {
        (VARIABLE, self.0.clone().into())
    }

    /// Takes the records out. One that cannot be read is an error: it is a test that did not run.
    pub fn take(&self) -> anyhow::Result<Vec<SkipRecord>> {
        let mut records = Vec::new();
        for entry in fs::read_dir(&self.0).with_context(|| format!("cannot read {}", self.0.display()))? {
            let file = entry?.path();
            let text =
                fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let record =
                SkipRecord::read(&text).with_context(|| format!("{} is no record", file.display()))?;
            records.push(record);
            fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
        }
        records.sort();
        Ok(records)
    }
}

impl SkipRecord {
    fn read(text: &str) -> Option<SkipRecord> {
        let [binary, test, reason] = text.lines().collect::<Vec<_>>().try_into().ok()?;
        Some(SkipRecord { binary: binary.to_owned(), test: test.to_owned(), reason: reason.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::TestRoot;

    #[test]
    fn records_are_taken_once() {
        let root = TestRoot::new("skips");
        let skips = SkipFolder(root.0.clone());
        assert_eq!(skips.take().unwrap(), []);
        fs::write(root.0.join("7-0"), "it\nmcp::waits\nmcp is missing: no Python\n").unwrap();
        let record = SkipRecord {
            binary: "it".into(),
            test: "mcp::waits".into(),
            reason: "mcp is missing: no Python".into(),
        };
        assert_eq!(skips.take().unwrap(), [record]);
        assert_eq!(skips.take().unwrap(), []);
    }

    #[test]
    fn a_torn_record_is_an_error() {
        let root = TestRoot::new("skips-torn");
        fs::write(root.0.join("7-0"), "it\n").unwrap();
        assert!(SkipFolder(root.0.clone()).take().is_err());
    }
}
