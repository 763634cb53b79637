//! File access of a mission's agents: what of the machine they may see, and where they may write. The policy judges by
//! it, and the sandbox enforces it.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// What an agent may do with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// It is invisible.
    Hidden,
    /// Read it, and run programs there.
    Read,
    /// Change it too.
    Write,
}

/// Paths that are not just readable, which is what holds for the rest. All are absolute and without links.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Lay {
    /// The mission's clone: where agents work.
    pub clone: String,
    /// The user's home.
    pub home: String,
    /// What holds for a path and everything below it, unless a longer path says otherwise.
    pub views: BTreeMap<String, View>,
}

impl Lay {
    /// What holds at `path`, which is absolute and has neither links nor dots in it.
    #[must_use]
    pub fn view(&self, path: &str) -> View {
        let mut place = path.trim_end_matches('/');
        loop {
            if let Some(view) = self.views.get(if place.is_empty() { "/" } else { place }) {
                return *view;
            }
            match place.rfind('/') {
                Some(at) => place = &place[..at],
                None => return View::Read,
            }
        }
    }
}

/// The sandbox around an agent's processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// No sandbox: the user's own configuration says so.
    Off,
    /// Landlock: the kernel refuses what the map of paths does not allow.
    Landlock,
    /// Bubblewrap: its own view of files and its own process ids.
    Bubblewrap,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Off => "off",
            Level::Landlock => "landlock",
            Level::Bubblewrap => "bubblewrap",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_place_says_what_holds() {
        let views = [("/land/a", View::Hidden), ("/land/a/b/c", View::Write), ("/land/a/b/c/d", View::Read)];
        let views = views.map(|(place, view)| (place.to_owned(), view)).into();
        let lay = Lay { views, ..Lay::default() };
        for (path, view) in [
            ("/", View::Read),
            ("/land", View::Read),
            ("/land/ab", View::Read),
            ("/land/a", View::Hidden),
            ("/land/a/", View::Hidden),
            ("/land/a/b", View::Hidden),
            ("/land/a/b/c/x", View::Write),
            ("/land/a/b/c/d/e", View::Read),
        ] {
            assert_eq!(lay.view(path), view, "{path}");
        }
    }
}
