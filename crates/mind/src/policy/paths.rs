//! Where paths lead, and what may be done there: the map of file access, the links on the way, and what in the clone the
//! agent may not change.

use std::collections::BTreeSet;

use super::bench::Bench;
use super::word::{Flat, HOLE, matches};
use super::{Risk, signs};
use crate::access::Access;
use crate::session::Role;

/// The folders that a command may run in; none stands for one that is not known.
pub type CommandFolders = BTreeSet<Option<String>>;

/// More places than this in one word, where a path may begin, are not looked at.
const PARTS_MAX: usize = 64;

/// How a path would be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// What is there is written to; links are followed.
    Write,
    /// The name itself goes, or is made; the last link is not followed.
    Name,
}

impl Bench<'_> {
    /// The path with links followed; the ways round through `/proc` are followed first.
    pub fn real(&self, path: &str) -> String {
        let mut path = path.to_owned();
        for _ in 0..8 {
            match past_proc(&path).or_else(|| past_proc(&plain(&path))) {
                Some(rest) => path = rest,
                None => break,
            }
        }
        plain(&self.eyes.real(&path))
    }

    /// Where a word leads, from each folder that the command may run in; none if that is not known.
    pub fn spots(&self, text: &str, at: &CommandFolders) -> Vec<Option<String>> {
        if text.starts_with('/') {
            return vec![Some(text.to_owned())];
        }
        at.iter().map(|folder| folder.as_ref().map(|folder| format!("{folder}/{text}"))).collect()
    }

    /// The path below the clone, if it is there.
    pub fn inside(&self, real: &str) -> Option<String> {
        let rest = real.strip_prefix(self.lay.clone.as_str())?;
        (rest.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/').to_owned())
    }

    /// Whether a word leads into the clone, from wherever the command may run.
    pub fn is_inside(&self, word: &Flat, at: &CommandFolders) -> bool {
        let into = |spot: Option<String>| spot.is_some_and(|path| self.inside(&self.real(&path)).is_some());
        word.fixed().is_some_and(|text| self.spots(text, at).into_iter().all(into))
    }

    /// Whether a word leads into the clone or another place that sessions write, from wherever the command may run: what
    /// lies there is as much the session's own as the clone is, and the sandbox holds it all the same.
    pub fn is_ours(&self, word: &Flat, at: &CommandFolders) -> bool {
        let ours = |spot: Option<String>| spot.is_some_and(|path| self.is_own(&self.real(&path)));
        word.fixed().is_some_and(|text| self.spots(text, at).into_iter().all(ours))
    }

    /// Whether a path, with links followed, is in the clone or another place that sessions write.
    pub fn is_own(&self, real: &str) -> bool {
        self.inside(real).is_some() || self.lay.view(real) == Access::Write
    }

    /// A word of a command: it may name a hidden place, wherever in the word that stands.
    pub fn look(&mut self, word: &Flat, at: &CommandFolders) {
        let text = word.text.as_str();
        if text.len() > 4096 {
            return;
        }
        let mut parts = vec![text];
        let marks = text.match_indices(['=', '@', ':', ',']);
        parts.extend(marks.take(PARTS_MAX).map(|(cut, _)| &text[cut + 1..]));
        if text.starts_with('-') {
            parts.extend(text.find(['/', '~']).map(|cut| &text[cut..]));
            parts.extend(text.char_indices().nth(2).map(|(cut, _)| &text[cut..]));
        }
        if let Some(cut) = text.find("file://") {
            parts.push(&text[cut + 7..]);
        }
        parts.dedup();
        for part in parts {
            let home = part.strip_prefix("~/").map(|rest| format!("{}/{rest}", self.lay.home));
            let part = home.as_deref().unwrap_or(part);
            let cut = part.split([':', ',']).next().unwrap_or(part);
            for part in [part, cut] {
                if !part.is_empty() {
                    self.look_at(part, word.glob, at);
                }
            }
        }
    }

    fn look_at(&mut self, part: &str, glob: bool, at: &CommandFolders) {
        let paths: Vec<String> = self.spots(part, at).into_iter().flatten().collect();
        let hidden = |path: &String| match path.find(HOLE) {
            // What is filled in may be anything: only the folder that it surely lies in counts.
            Some(hole) => {
                let fixed = path[..hole].split(['*', '?', '[']).next().unwrap_or("");
                let folder = &fixed[..fixed.rfind('/').unwrap_or(0)];
                !folder.is_empty() && self.lay.view(&self.real(folder)) == Access::Hidden
            }
            // What a command lists below a folder counts as the folder does.
            None if glob && path.contains("/***/") => {
                let root = path.split("/***/").next().unwrap_or("");
                self.lay.view(&self.real(&format!("{root}/"))) == Access::Hidden
            }
            None if glob => self.reaches_hidden(path),
            None => self.lay.view(&self.real(path)) == Access::Hidden,
        };
        if paths.iter().any(hidden) {
            let place = part.replace(HOLE, "\u{2026}");
            return self
                .found
                .forbid(format!("{place} is hidden from sessions: work with what is in the clone"));
        }
        if paths.iter().any(|path| ["/dev/tcp/", "/dev/udp/"].iter().any(|net| plain(path).starts_with(net)))
        {
            self.found
                .doubt(Risk::Grave, format!("the shell takes {part} for a connection to another machine"));
        }
        let entered: Vec<&String> = paths.iter().filter(|path| self.enters_process(path)).collect();
        for path in entered {
            let shown = path.replace(HOLE, "\u{2026}");
            self.found.doubt(Risk::Grave, format!("{shown} looks into another process"));
        }
    }

    /// Whether a path may look into a process: as it stands, with its dots resolved by name, or with its links followed.
    fn enters_process(&self, path: &str) -> bool {
        let clean = plain(path);
        let dots = path.split('/').any(|name| name == "..");
        // The ways to the process's own files are links into its folder, where dots lead to other processes.
        let own = ["/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr"];
        let begins = |place: &str| path.strip_prefix(place).is_some_and(|rest| rest.starts_with('/'));
        if dots && own.iter().any(|place| begins(place)) {
            return true;
        }
        let followed = dots || !own.iter().any(|place| clean.starts_with(place));
        is_of_process(path) || is_of_process(&clean) || followed && is_of_process(&self.real(path))
    }

    /// Whether a pattern could name a hidden place or something below it.
    fn reaches_hidden(&self, path: &str) -> bool {
        let path = plain(path);
        let pattern: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        let hidden = self.lay.views.iter().filter(|(_, view)| **view == Access::Hidden);
        let mut reached = hidden.filter(|(place, _)| {
            let names: Vec<&str> = place.split('/').filter(|name| !name.is_empty()).collect();
            names.len() <= pattern.len() && names.iter().zip(&pattern).all(|(name, part)| matches(part, name))
        });
        let Some((place, _)) = reached.next() else { return false };
        // A place further down may be open again, as the clone is.
        let fixed: String = path.split(['*', '?', '[', HOLE]).next().unwrap_or("").to_owned();
        let folder = &fixed[..fixed.rfind('/').unwrap_or(0)];
        !(folder.len() > place.len() && self.lay.view(&self.real(folder)) != Access::Hidden)
    }

    /// A word that names what a command writes.
    pub fn write(&mut self, word: &Flat, how: How, at: &CommandFolders) {
        let text = word.text.as_str();
        if text.is_empty() || text == "-" && how == How::Write {
            return;
        }
        if let Some(why) = signs::lookalike(text) {
            self.found.doubt(Risk::Grave, why);
        }
        if !word.has_hole() && !word.glob {
            for spot in self.spots(text, at) {
                match spot {
                    Some(path) => self.write_path(&path, how),
                    None => self.unknown_place(&word.shown()),
                }
            }
            return;
        }
        let fixed = text.split(['*', '?', '[', HOLE]).next().unwrap_or("");
        let folder = &fixed[..fixed.rfind('/').map_or(0, |cut| cut + 1)];
        let rest = &text[folder.len()..];
        if rest.split('/').any(|name| name == "..") {
            return self.unknown_place(&word.shown());
        }
        for spot in self.spots(folder, at) {
            let Some(path) = spot else {
                self.unknown_place(&word.shown());
                continue;
            };
            let real = self.real(&path);
            if rest == "***/*" && real == self.lay.clone {
                // Everything from the top of the clone: what is git's and Arbiter's too.
                self.unknown_place(&word.shown());
            } else if self.lay.view(&real) != Access::Write {
                let below = self.lay.views.iter().any(|(place, view)| {
                    *view == Access::Write && (place.starts_with(&format!("{real}/")) || real == "/")
                });
                match below && word.has_hole() {
                    true => self.unknown_place(&word.shown()),
                    false => self.outside(&word.shown()),
                }
            } else if word.has_hole() {
                self.unknown_place(&word.shown());
            } else if rest.split('/').any(|name| matches(name, ".git") || matches(name, ".arbiter")) {
                let why = format!("{} would reach .git or .arbiter: name the files", word.shown());
                let firm = rest.split('/').any(|name| matches(name, ".arbiter"));
                if firm {
                    self.found.forbid(why)
                } else {
                    self.found.deny(why)
                };
            } else {
                self.write_path(&format!("{real}/{}", rest.replace(['*', '?', '['], "x")), How::Name);
            }
        }
    }

    fn unknown_place(&mut self, shown: &str) {
        if self.role == Role::Verifier {
            self.found
                .forbid("a verifier changes nothing: write only below the temporary folder, by its name");
        }
        self.found.doubt(Risk::Unknown, format!("where it writes ({shown}) is not known until it runs"));
    }

    fn outside(&mut self, shown: &str) {
        self.found
            .deny(format!("{shown} is outside the clone: write inside it, {} and below", self.lay.clone));
    }

    /// One place that would be written.
    pub fn write_path(&mut self, path: &str, how: How) {
        let clean = plain(path);
        let ends_in_dots = matches!(path.trim_end_matches('/').rsplit('/').next(), Some("." | ".." | ""));
        // With a slash at its end a link is followed.
        let ends_in_dots = ends_in_dots || path.ends_with('/');
        let real = match clean.rfind('/') {
            Some(cut) if how == How::Name && !ends_in_dots => {
                let parent = self.real(&path_parent(path));
                format!("{}{}", parent.trim_end_matches('/'), &clean[cut..])
            }
            Some(_) | None => self.real(path),
        };
        if how == How::Write && ["/dev/null", "/dev/stdout", "/dev/stderr"].contains(&clean.as_str()) {
            return;
        }
        for known in [&real, &clean] {
            if let Some(below) = self.inside(known)
                && let Some((why, firm)) = protected(&below)
            {
                return if firm { self.found.forbid(why) } else { self.found.deny(why) };
            }
        }
        if self.lay.view(&real) == Access::Hidden {
            return self
                .found
                .forbid(format!("{clean} is hidden from sessions: work with what is in the clone"));
        }
        if how == How::Name
            && (real == self.lay.clone
                || self.lay.clone.starts_with(&format!("{}/", real.trim_end_matches('/'))))
        {
            return self.found.deny("the clone itself must stay: name what is in it");
        }
        if self.lay.view(&real) != Access::Write {
            return self.outside(&clean);
        }
        if self.inside(&real).is_some() && self.role == Role::Verifier {
            return self
                .found
                .forbid("a verifier changes nothing in the clone: report what you found instead");
        }
        if how == How::Write && self.eyes.is_shared(&real) {
            let why = format!("{clean} has a second name elsewhere, so that writing it changes another file");
            self.found.doubt(Risk::Grave, why);
        }
    }

    /// The folder that a command works in is changed by it.
    pub fn write_here(&mut self, at: &CommandFolders) {
        for folder in at {
            match folder {
                None => self.unknown_place("its folder"),
                Some(folder) => {
                    let real = self.real(folder);
                    if self.lay.view(&real) != Access::Write {
                        self.outside(folder);
                    } else if self.inside(&real).is_some_and(|below| protected(&below).is_some()) {
                        self.found.forbid(format!(
                            "{folder} is not yours to change: work in the clone's own files"
                        ));
                    } else if self.inside(&real).is_some() && self.role == Role::Verifier {
                        self.found
                            .forbid("a verifier changes nothing in the clone: report what you found instead");
                    }
                }
            }
        }
    }
}

/// Whether a path in the clone is not the agent's to write.
pub fn is_protected(below: &str) -> bool {
    protected(below).is_some()
}

/// Why a path in the clone is not the agent's to write, if so, and whether that holds in open mode too.
fn protected(below: &str) -> Option<(&'static str, bool)> {
    let names = below.split('/').map(str::to_lowercase);
    for name in names {
        let name = name.trim_end_matches(['.', ' ']);
        if name == ".arbiter" {
            return Some((".arbiter belongs to Arbiter: leave it as it is", true));
        }
        if name == ".git" || name == "git~1" {
            return Some(("nothing under .git is written by hand: use git's own commands", false));
        }
    }
    None
}

/// The absolute path without dots and doubled slashes, as if there were no links.
pub fn plain(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}

fn path_parent(path: &str) -> String {
    let path = path.trim_end_matches('/');
    path[..path.rfind('/').unwrap_or(0)].to_owned() + "/"
}

/// What a path through a process's own view of the disk leads to.
fn past_proc(path: &str) -> Option<String> {
    let mut names: Vec<&str> = path.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    if names.first() != Some(&"proc") {
        return None;
    }
    names.remove(0);
    let root = names.iter().position(|name| *name == "root").filter(|at| (1..=3).contains(at))?;
    Some(format!("/{}", names[root + 1..].join("/")))
}

/// The path looks into a process: its memory, its environment, its open files, its folder. Names may be patterns. Where
/// dots follow a link of a process, it may come out anywhere.
fn is_of_process(path: &str) -> bool {
    let names: Vec<&str> = path.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    let Some((first, names)) = names.split_first() else { return false };
    if !matches(first, "proc") {
        return false;
    }
    let parts = [
        "environ",
        "mem",
        "fd",
        "cwd",
        "exe",
        "map_files",
        "maps",
        "smaps",
        "pagemap",
        "auxv",
        "task",
        "fdinfo",
        "stack",
    ];
    let after_link = names.iter().skip(1).any(|name| *name == "..");
    after_link || names.get(1).is_some_and(|name| parts.iter().any(|part| matches(name, part)))
}
