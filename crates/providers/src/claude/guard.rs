//! Asked before every tool, in subagents too: what the policy says of it. Paths are looked at on the disk as they are
//! now; what changes between the look and the deed is the sandbox's to hold.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use mind::conductor::agent::Casting;
use mind::policy::{self, Call, Eyes, Ruling};
use mind::session::Role;
use serde_json::Value;

use crate::Trust;

/// Judges the calls of one session.
#[derive(Debug, Clone)]
pub struct Guard {
    trust: Arc<Trust>,
    role: Role,
    /// The agent that the session plays, if it plays one.
    casting: Option<Arc<Casting>>,
}

impl Guard {
    /// The guard of a session of this role.
    pub fn new(trust: Arc<Trust>, role: Role) -> Guard {
        Guard { trust, role, casting: None }
    }

    /// The same, of a session that plays an agent: its limits hold too.
    pub fn playing(self, casting: Option<Arc<Casting>>) -> Guard {
        Guard { casting, ..self }
    }

    /// What becomes of a call.
    pub(super) fn judge(&self, tool: &str, input: &Value, subagent: bool) -> Ruling {
        let tools = self.casting.as_ref().map(|casting| &casting.tools);
        let call = Call { tool, input, role: self.role, subagent, tools };
        policy::judge(&self.trust.policy, &self.trust.lay, &Disk, &call)
    }
}

/// Paths as they stand on this machine's disk.
struct Disk;

impl Eyes for Disk {
    fn real(&self, path: &str) -> String {
        real(Path::new(path)).to_string_lossy().into_owned()
    }

    fn is_shared(&self, path: &str) -> bool {
        use std::os::unix::fs::MetadataExt;
        std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.nlink() > 1)
    }
}

/// Follows every link as far as the path exists; what does not exist has no links.
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
                    // A link that leads nowhere still leads somewhere: what is written there appears there.
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
