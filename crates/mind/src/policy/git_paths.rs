//! Paths that git is given: files it writes, folders it makes, and pathspecs that name what is not the agent's.

use super::Risk;
use super::bench::Bench;
use super::options::{CommandOptions, abbreviates};
use super::paths::{CommandFolders, How, is_protected};
use super::word::{Flat, matches};

/// Options that only change how a clone is made of a place on this disk.
const LOCAL: [&str; 17] = [
    "-q",
    "-v",
    "-n",
    "-l",
    "-s",
    "-b",
    "-o",
    "--quiet",
    "--branch",
    "--origin",
    "--depth",
    "--no-checkout",
    "--local",
    "--no-hardlinks",
    "--shared",
    "--single-branch",
    "--separate-git-dir",
];

impl Bench<'_> {
    /// Judges commands of git that write where they are told to; false if `sub` is none.
    pub fn git_writer(&mut self, sub: &str, args: &[Flat], at: &CommandFolders) -> bool {
        match sub {
            "merge-file" => {
                let options = CommandOptions::read(args, "L", &["--marker-size", "--diff-algorithm"]);
                if !options.has(&["-p", "--stdout"]) {
                    options.rest.first().into_iter().for_each(|file| self.write(file, How::Write, at));
                }
            }
            "interpret-trailers" => {
                let long = ["--trailer", "--where", "--if-exists", "--if-missing"];
                let options = CommandOptions::read(args, "", &long);
                if options.has(&["--in-place"]) {
                    options.rest.iter().for_each(|file| self.write(file, How::Write, at));
                }
            }
            "worktree" => return self.worktree(args, at),
            "clone" => return self.local_clone(args, at),
            _ => return false,
        }
        true
    }

    fn worktree(&mut self, args: &[Flat], at: &CommandFolders) -> bool {
        let options = CommandOptions::read(args, "bB", &["--reason"]);
        let Some((verb, words)) = options.rest.split_first() else { return false };
        match verb.fixed() {
            Some("list") => {}
            Some("add") if !options.has(&["-f", "--force", "-B"]) => {
                words.first().into_iter().for_each(|folder| self.write(folder, How::Write, at));
                self.changes(at);
            }
            Some("remove") if !options.has(&["-f", "--force"]) => {
                words.iter().for_each(|folder| self.write(folder, How::Name, at));
                self.changes(at);
            }
            Some("prune") => self.changes(at),
            Some(_) | None => {
                words.iter().for_each(|folder| self.write(folder, How::Name, at));
                return false;
            }
        }
        true
    }

    /// A clone of a place on this disk does not reach the network.
    fn local_clone(&mut self, args: &[Flat], at: &CommandFolders) -> bool {
        let options =
            CommandOptions::read(args, "bo", &["--branch", "--origin", "--depth", "--separate-git-dir"]);
        let local = |word: &Flat| word.fixed().is_some_and(|text| !text.contains(':'));
        let known = options.given.iter().all(|(name, _)| LOCAL.contains(&name.as_str()));
        if !known || !(1..=2).contains(&options.rest.len()) || !options.rest.iter().all(local) {
            return false;
        }
        // What is shared with the source is the source's own.
        if options.has(&["-s", "--shared", "-l", "--local"]) && !self.is_inside(&options.rest[0], at) {
            return false;
        }
        match options.rest.get(1) {
            Some(folder) => self.write(folder, How::Write, at),
            None => self.write_here(at),
        }
        true
    }

    /// Long options of git that name a file or a folder which it writes.
    pub fn git_place(&mut self, sub: &str, name: &str, value: Option<&Flat>, at: &CommandFolders) -> bool {
        let moves =
            name.len() > 4 && abbreviates(name, "--separate-git-dir") && ["init", "clone"].contains(&sub);
        let index = name.len() > 4 && abbreviates(name, "--index-output") && sub == "read-tree";
        if moves || index {
            match value {
                Some(place) => self.write(place, How::Write, at),
                None => self.write(&Flat::unknown(), How::Write, at),
            }
        }
        if moves && sub == "init" {
            self.found.doubt(Risk::Grave, "git init would move the repository itself to another place");
        }
        moves || index
    }

    /// Pathspecs of commands that change files: they may name what is not the agent's, by patterns too.
    pub fn pathspecs(&mut self, sub: &str, args: &[Flat], at: &CommandFolders) {
        if !["checkout", "restore", "rm", "mv", "stash", "clean", "sparse-checkout", "apply"].contains(&sub) {
            return;
        }
        let mut words = args.iter();
        while let Some(word) = words.next() {
            let text = word.text.as_str();
            if ["-m", "--message"].contains(&text) && sub == "stash" {
                words.next();
                continue;
            }
            if abbreviates(text.split('=').next().unwrap_or(""), "--pathspec-from-file") && text.len() > 6 {
                self.found.doubt(Risk::Unknown, "which files git changes is not known until it runs");
            }
            let option = word.is_option();
            let value = text.find('=').map(|cut| &text[cut + 1..]);
            let Some(text) = (if option { value } else { Some(text) }) else { continue };
            let path = bare(text);
            if names_protected(path) || self.leads_to_protected(path, at) {
                self.found.forbid(".arbiter belongs to Arbiter: leave it as it is");
            }
        }
    }

    fn leads_to_protected(&self, path: &str, at: &CommandFolders) -> bool {
        let spots = self.spots(path, at).into_iter().flatten();
        let mut below = spots.filter_map(|spot| self.inside(&self.real(&spot)));
        below.any(|below| is_protected(&below) && below.to_lowercase().contains(".arbiter"))
    }
}

/// A pathspec without its magic: `:/x`, `:(top,icase)x`. What is left out is not changed.
fn bare(text: &str) -> &str {
    let Some(magic) = text.strip_prefix(':') else { return text };
    if let Some(long) = magic.strip_prefix('(') {
        return match long.split_once(')') {
            Some((words, _)) if words.contains("exclude") => "",
            Some((_, path)) => path,
            None => text,
        };
    }
    if magic.starts_with(['!', '^']) { "" } else { magic.trim_start_matches(['/', ':']) }
}

/// Whether a name in it is `.arbiter`, or a pattern made for it; a pattern for everything is like another commit.
fn names_protected(path: &str) -> bool {
    path.split('/').any(|name| {
        let name = name.to_lowercase();
        let name = name.trim_end_matches(['.', ' ']);
        let own = name.contains(|c: char| c.is_alphanumeric());
        // A star of git's reaches over slashes and dots.
        let fixed = name.split(['*', '?', '[']).next().unwrap_or("");
        let begins = fixed.len() > 1 && fixed.len() < name.len() && ".arbiter".starts_with(fixed);
        let ends = match name.chars().next() {
            Some('*') => matches(name, "arbiter"),
            Some('?') => matches(&name[1..], "arbiter"),
            Some(_) | None => false,
        };
        own && (begins || ends || matches(name, ".arbiter"))
    })
}
