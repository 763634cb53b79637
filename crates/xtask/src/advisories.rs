//! `cargo xtask advisories`: looks up known vulnerabilities of the versions we depend on. The database lies elsewhere:
//! where it is out of reach this says so, and is no pass. It is no part of the gate, because its answer can change
//! while the code does not.

use std::path::Path;
use std::time::Duration;

use crate::shell::succeeds;
use crate::tool::{self, MissingTool};
use crate::{Verdict, deny, refuse_arguments};

const LOG: &str = "target/tools/advisories.log";
const FETCH_MAX: Duration = Duration::from_secs(120);

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    if let Some(verdict) = refuse_arguments("advisories", args) {
        return Ok(verdict);
    }
    match deny::install(root) {
        Verdict::Passed => look_up(root),
        verdict @ (Verdict::Failed | Verdict::Skipped | Verdict::Misused) => Ok(verdict),
    }
}

/// Fetches first and alone: that it failed must not look like an advisory, nor the other way round.
fn look_up(root: &Path) -> anyhow::Result<Verdict> {
    let mut fetch = deny::command(root);
    // A question for a password would wait for ever.
    fetch.args(["fetch", "db"]).env("GIT_TERMINAL_PROMPT", "0");
    if let Err(error) = tool::run(&mut fetch, &root.join(LOG), FETCH_MAX) {
        return Ok(out_of_reach().report(&error));
    }
    succeeds(deny::command(root).args(["check", "advisories"])).map(Verdict::of)
}

fn out_of_reach() -> MissingTool {
    MissingTool {
        what: "the database of advisories is out of reach".into(),
        without: "nothing was looked up, so nothing is known about advisories",
        hint: "run `cargo xtask advisories` on a machine whose git reaches it".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::TestRoot;

    /// A cargo-deny that answers `fetch` and `check` like this.
    fn deny(root: &TestRoot, fetch: i32, check: i32) {
        let lines = format!("case \"$2\" in fetch) exit {fetch};; check) exit {check};; esac");
        root.script("target/tools/deny/bin/cargo-deny", &lines);
    }

    #[test]
    fn out_of_reach_is_neither_a_pass_nor_an_advisory() {
        let root = TestRoot::new("advisories");
        let told = |fetch, check| {
            deny(&root, fetch, check);
            look_up(&root.0).unwrap()
        };
        assert_eq!(told(0, 0), Verdict::Passed);
        assert_eq!(told(0, 1), Verdict::Failed);
        let unknown = if tool::is_required() { Verdict::Failed } else { Verdict::Skipped };
        assert_eq!(told(1, 0), unknown);
    }
}
