//! The real `claude`, where it is installed, with a home folder in which it can do no harm.

use std::fs;
use std::path::{Path, PathBuf};

use crate::real;

/// The version that is tested; `cargo xtask test` installs it.
pub const VERSION: &str = include_str!("../claude.version").trim_ascii();

/// The real `claude` of the pinned version; without it the test is to end.
///
/// # Panics
///
/// Panics where it is missing and `ARBITER_REQUIRE_REAL=1`.
pub fn real() -> Option<PathBuf> {
    let found = find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    if found.is_none() {
        let why = "it is not in target/tools/claude, where `cargo xtask test` installs it with npm";
        real::missing(format!("claude {VERSION}"), why);
    }
    found
}

/// Looks for the pinned version below the workspace's own `target`, wherever builds go.
fn find(root: &Path) -> Option<PathBuf> {
    let modules = root.join("target/tools/claude/node_modules");
    let package = fs::read_to_string(modules.join("@anthropic-ai/claude-code/package.json")).ok()?;
    let package: serde_json::Value = serde_json::from_str(&package).ok()?;
    let binary = modules.join(".bin/claude").canonicalize().ok()?;
    (package["version"] == VERSION).then_some(binary)
}

/// What `claude` is to have in its environment, beside `PATH`: a home and a configuration below `root`, no traffic
/// but to `url`, and a key that opens nothing. The folders are made.
///
/// # Panics
///
/// Panics where the folders cannot be made.
pub fn sandboxed_env(root: &Path, url: &str) -> Vec<(String, String)> {
    let (home, configuration) = (root.join("home"), root.join("claude"));
    for folder in [&home, &configuration] {
        fs::create_dir_all(folder).expect("a folder of the sandbox can be made");
    }
    let (home, configuration) = (home.to_string_lossy(), configuration.to_string_lossy());
    [
        ("HOME", home.as_ref()),
        ("CLAUDE_CONFIG_DIR", configuration.as_ref()),
        ("ANTHROPIC_BASE_URL", url),
        ("ANTHROPIC_API_KEY", "x"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_TELEMETRY", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("DISABLE_ERROR_REPORTING", "1"),
        // Proxies of the machine are none of the sandbox's.
        ("NO_PROXY", "127.0.0.1"),
        ("no_proxy", "127.0.0.1"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_pinned_version_is_found() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(find(root.path()), None);
        let modules = root.path().join("target/tools/claude/node_modules");
        fs::create_dir_all(modules.join("@anthropic-ai/claude-code")).unwrap();
        fs::create_dir_all(modules.join(".bin")).unwrap();
        let binary = modules.join(".bin/claude");
        fs::write(&binary, "").unwrap();
        for (version, found) in [("0.0.1", None), (VERSION, Some(binary.canonicalize().unwrap()))] {
            let package = serde_json::json!({ "version": version }).to_string();
            fs::write(modules.join("@anthropic-ai/claude-code/package.json"), package).unwrap();
            assert_eq!(find(root.path()), found, "{version}");
        }
    }

    #[test]
    fn the_sandbox_points_nowhere_else() {
        let root = tempfile::tempdir().unwrap();
        let environment = sandboxed_env(root.path(), "http://127.0.0.1:1");
        for name in ["HOME", "CLAUDE_CONFIG_DIR"] {
            let (_, folder) = environment.iter().find(|(found, _)| found == name).unwrap();
            assert!(Path::new(folder).starts_with(root.path()) && Path::new(folder).is_dir());
        }
        assert!(environment.contains(&("ANTHROPIC_BASE_URL".to_owned(), "http://127.0.0.1:1".to_owned())));
    }
}
