//! The real `claude`, where it is installed, with a home folder in which it can do no harm. Tests run with the version
//! that [`CHOICE`] names, or else with the oldest that is tested; those about a version name it themselves.

use std::fs;
use std::path::{Path, PathBuf};

use providers::claude::versions::ClaudeVersion;
pub use providers::claude::versions::{newest, oldest};

use crate::real;

/// Names the version to run the tests with; `cargo xtask compat` sets it.
pub const CHOICE: &str = "ARBITER_CLAUDE_VERSION";

/// The real `claude` of the version to test with; without it the test is to end.
///
/// # Panics
///
/// Panics where it is missing and `ARBITER_REQUIRE_REAL=1`, and where the version that is wanted is none.
pub fn real() -> Option<PathBuf> {
    of_version(chosen())
}

/// The version to test with.
///
/// # Panics
///
/// Panics where the version that is wanted is none.
pub fn chosen() -> ClaudeVersion {
    match std::env::var(CHOICE) {
        Ok(named) => ClaudeVersion::read(&named).unwrap_or_else(|| panic!("{CHOICE}={named} is no version")),
        Err(_) => oldest(),
    }
}

/// The real `claude` of this version; without it the test is to end.
///
/// # Panics
///
/// Panics where it is missing and `ARBITER_REQUIRE_REAL=1`.
pub fn of_version(version: ClaudeVersion) -> Option<PathBuf> {
    let found = find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools"), version);
    if found.is_none() {
        let why = "it is not in target/tools, where `cargo xtask test` installs it with npm";
        real::missing(format!("claude {version}"), why);
    }
    found
}

/// Looks for this version in a folder of tools, whatever its own folder is called.
fn find(tools: &Path, version: ClaudeVersion) -> Option<PathBuf> {
    let folders = fs::read_dir(tools).ok()?.flatten().map(|folder| folder.path().join("node_modules"));
    let is_it = |modules: &PathBuf| {
        let package = fs::read_to_string(modules.join("@anthropic-ai/claude-code/package.json"));
        let package = package.ok().and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
        package.is_some_and(|package| package["version"] == version.to_string())
    };
    let found = folders.into_iter().filter(is_it);
    found.into_iter().find_map(|modules| modules.join(".bin/claude").canonicalize().ok())
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
    fn only_the_wanted_version_is_found() {
        let tools = tempfile::tempdir().unwrap();
        let wanted = ClaudeVersion(2, 1, 7);
        assert_eq!(find(&tools.path().join("none"), wanted), None);
        let modules = tools.path().join("claude-2.1.7/node_modules");
        fs::create_dir_all(modules.join("@anthropic-ai/claude-code")).unwrap();
        fs::create_dir_all(modules.join(".bin")).unwrap();
        let binary = modules.join(".bin/claude");
        fs::write(&binary, "").unwrap();
        for (version, found) in [("0.0.1", None), ("2.1.7", Some(binary.canonicalize().unwrap()))] {
            let package = serde_json::json!({ "version": version }).to_string();
            fs::write(modules.join("@anthropic-ai/claude-code/package.json"), package).unwrap();
            assert_eq!(find(tools.path(), wanted), found, "{version}");
        }
        assert_eq!(find(tools.path(), ClaudeVersion(2, 1, 8)), None);
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
