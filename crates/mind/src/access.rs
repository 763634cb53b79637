//! File access of a mission's agents: what of the machine they may see, and where they may write. The policy judges by
//! it, and the sandbox enforces it.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// What an agent may do with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// It is invisible.
    Hidden,
    /// Read it, and run programs there.
    Read,
    /// Change it too.
    Write,
}

/// Paths that are not just readable, which is what holds for the rest. All are absolute and without links.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AccessMap {
    /// The mission's clone: where agents work.
    pub clone: String,
    /// The user's home.
    pub home: String,
    /// What holds for a path and everything below it, unless a longer path says otherwise.
    pub views: BTreeMap<String, Access>,
}

impl AccessMap {
    /// What holds at `path`, which is absolute and has neither links nor dots in it.
    #[must_use]
    pub fn view(&self, path: &str) -> Access {
        let mut place = path.trim_end_matches('/');
        loop {
            if let Some(view) = self.views.get(if place.is_empty() { "/" } else { place }) {
                return *view;
            }
            match place.rfind('/') {
                Some(at) => place = &place[..at],
                None => return Access::Read,
            }
        }
    }
}

/// The sandbox around an agent's processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SandboxLevel {
    /// No sandbox: the user's own configuration says so.
    Off,
    /// Landlock: the kernel refuses what the map of paths does not allow.
    Landlock,
    /// Bubblewrap: its own view of files and its own process ids.
    Bubblewrap,
}

impl fmt::Display for SandboxLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SandboxLevel::Off => "off",
            SandboxLevel::Landlock => "landlock",
            SandboxLevel::Bubblewrap => "bubblewrap",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_place_says_what_holds() {
        let views =
            [("/land/a", Access::Hidden), ("/land/a/b/c", Access::Write), ("/land/a/b/c/d", Access::Read)];
        let views = views.map(|(place, view)| (place.to_owned(), view)).into();
        let lay = AccessMap { views, ..AccessMap::default() };
        for (path, view) in [
            ("/", Access::Read),
            ("/land", Access::Read),
            ("/land/ab", Access::Read),
            ("/land/a", Access::Hidden),
            ("/land/a/", Access::Hidden),
            ("/land/a/b", Access::Hidden),
            ("/land/a/b/c/x", Access::Write),
            ("/land/a/b/c/d/e", Access::Read),
        ] {
            assert_eq!(lay.view(path), view, "{path}");
        }
    }
}
