//! Asks the policy before every tool call, in subagents too. Links in paths are resolved on the disk as it is now; a change
//! between this check and the tool's run is left to the sandbox.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use mind::access::AccessMap;
use mind::conductor::agent::AgentAssignment;
use mind::policy::{self, JudgedCall, PathLookup, Policy};
use mind::session::{Profile, Role};
use providers::judge::{ToolJudge, ToolProposal};

/// Judges the calls of a session with this profile.
#[must_use]
pub fn of(profile: &Profile, policy: Policy, lay: AccessMap) -> ToolJudge {
    judge(profile.role, profile.casting.clone(), policy, lay)
}

/// Judges the calls of a session of this role, by the agent's own limits too if it runs as an agent.
#[must_use]
pub fn judge(role: Role, casting: Option<Arc<AgentAssignment>>, policy: Policy, lay: AccessMap) -> ToolJudge {
    ToolJudge::new(move |ToolProposal { tool, input, subagent }| {
        let tools = casting.as_ref().map(|casting| &casting.tools);
        policy::judge(&policy, &lay, &Disk, &JudgedCall { tool, input, role, subagent, tools })
    })
}

/// Paths of this machine's disk.
struct Disk;

impl PathLookup for Disk {
    fn real(&self, path: &str) -> String {
        real(Path::new(path)).to_string_lossy().into_owned()
    }

    fn is_shared(&self, path: &str) -> bool {
        use std::os::unix::fs::MetadataExt;
        match std::fs::symlink_metadata(path) {
            Ok(found) => found.is_file() && found.nlink() > 1,
            // What cannot be looked at may well be shared: a person is asked.
            Err(error) => !host::files::is_absence(&error),
        }
    }
}

/// Follows every link, as far as the path exists.
fn real(path: &Path) -> PathBuf {
    let mut real = PathBuf::from("/");
    let mut parts = path.components();
    while let Some(part) = parts.next() {
        match part {
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
            Component::ParentDir => {
                real.pop();
            }
            Component::Normal(name) => {
                let next = real.join(name);
                match next.canonicalize() {
                    Ok(found) => real = found,
                    // A dangling link still counts: a write through it creates its target.
                    Err(_) => match std::fs::read_link(&next) {
                        Ok(target) => {
                            let rest = real.join(target).join(parts.as_path());
                            return lexical(&rest);
                        }
                        Err(_) => return lexical(&next.join(parts.as_path())),
                    },
                }
            }
        }
    }
    real
}

fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
            Component::ParentDir => {
                plain.pop();
            }
            Component::Normal(name) => plain.push(name),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_as_far_as_they_lead() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let at = |name: &str| root.join(name).display().to_string();
        std::fs::create_dir(root.join("a")).unwrap();
        std::fs::write(root.join("a/file"), "").unwrap();
        std::os::unix::fs::symlink("a", root.join("link")).unwrap();
        std::os::unix::fs::symlink("/nowhere/at/all", root.join("gone")).unwrap();
        std::fs::hard_link(root.join("a/file"), root.join("twin")).unwrap();
        for (path, real) in [
            ("a/file", at("a/file")),
            ("link/file", at("a/file")),
            ("link/new/deep", at("a/new/deep")),
            ("a/../link/./file", at("a/file")),
            ("link/../a/none/../x", at("a/x")),
            ("gone", "/nowhere/at/all".to_owned()),
            ("gone/x", "/nowhere/at/all/x".to_owned()),
        ] {
            assert_eq!(Disk.real(&at(path)), real, "{path}");
        }
        assert!(Disk.is_shared(&at("twin")) && !Disk.is_shared(&at("a")) && !Disk.is_shared(&at("none")));
    }
}
