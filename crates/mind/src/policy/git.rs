//! Git in the clone: what reads, what changes the clone, what reaches out of it.

use super::Risk;
use super::bench::Bench;
use super::commands::is_plain_word;
use super::options::CommandOptions;
use super::paths::{CommandFolders, How};
use super::settings::{is_calm_key, is_dangerous_key};
use super::word::Flat;
use crate::session::Role;

/// Subcommands that only read.
const READS: &[&str] = &[
    "status",
    "log",
    "show",
    "diff",
    "blame",
    "annotate",
    "grep",
    "ls-files",
    "ls-tree",
    "rev-parse",
    "rev-list",
    "cat-file",
    "describe",
    "shortlog",
    "name-rev",
    "merge-base",
    "for-each-ref",
    "show-ref",
    "diff-tree",
    "diff-index",
    "diff-files",
    "count-objects",
    "whatchanged",
    "var",
    "version",
    "help",
    "check-ignore",
    "check-attr",
    "cherry",
    "range-diff",
    "fsck",
    "verify-commit",
    "verify-tag",
    "show-branch",
    "merge-tree",
    "patch-id",
    "check-ref-format",
    "check-mailmap",
    "stripspace",
    "column",
    "fmt-merge-msg",
    "hash-object",
    "--version",
    "--help",
    "verify-pack",
];
/// Subcommands that change the clone and nothing else.
const CHANGES: &[&str] = &[
    "add",
    "stage",
    "commit",
    "switch",
    "checkout",
    "restore",
    "merge",
    "cherry-pick",
    "revert",
    "mv",
    "rm",
    "reset",
    "apply",
    "am",
    "init",
    "sparse-checkout",
    "update-index",
    "write-tree",
    "commit-tree",
    "read-tree",
    "rerere",
    "mktree",
    "mktag",
    "pack-refs",
    "repack",
    "notes",
];
/// Subcommands that reach the network.
const REACHES: &[&str] =
    &["fetch", "pull", "clone", "ls-remote", "submodule", "lfs", "svn", "p4", "request-pull"];

impl Bench<'_> {
    /// Judges a call of git.
    pub fn git(&mut self, args: &[Flat], at: &CommandFolders) {
        let mut at = at.clone();
        let mut words = args;
        while let Some((first, rest)) = words.split_first() {
            let text = first.text.as_str();
            if !first.is_option() || text == "--version" || text == "--help" {
                break;
            }
            words = rest;
            let cut = text.find('=').map(|cut| first.after(cut + 1));
            match text.split('=').next().unwrap_or("") {
                "-C" => {
                    at = self.folder_of(rest.first().unwrap_or(&Flat::unknown()), &at);
                    rest.iter().skip(1).for_each(|word| self.look(word, &at));
                    words = rest.get(1..).unwrap_or_default();
                }
                "-c" | "--config-env" => {
                    let setting = if text == "-c" || cut.is_none() {
                        words = rest.get(1..).unwrap_or_default();
                        rest.first().cloned().unwrap_or_default()
                    } else {
                        cut.unwrap_or_default()
                    };
                    self.setting(&setting);
                }
                "--git-dir" | "--work-tree" | "--namespace" | "--super-prefix" => {
                    if cut.is_none() {
                        words = rest.get(1..).unwrap_or_default();
                    }
                    self.found.doubt(
                        Risk::Grave,
                        format!("{} makes git work on another repository", first.shown()),
                    );
                }
                "--exec-path" if cut.is_none() => {}
                "--exec-path" => {
                    self.found.unseen(Risk::Grave, "git would run its parts from another folder")
                }
                "--no-pager"
                | "-P"
                | "-p"
                | "--paginate"
                | "--no-replace-objects"
                | "--literal-pathspecs"
                | "--no-optional-locks"
                | "--glob-pathspecs"
                | "--icase-pathspecs"
                | "--bare" => {}
                "-v" | "-h" | "--html-path" | "--man-path" | "--info-path" => return,
                _ => {
                    self.found.doubt(Risk::Unknown, format!("we do not know git's option {}", first.shown()))
                }
            }
        }
        let Some((sub, args)) = words.split_first() else { return };
        match sub.fixed() {
            Some(sub) => self.git_command(sub, args, &at),
            None => self.found.doubt(Risk::Unknown, "git's subcommand is not known until it runs"),
        }
    }

    /// `-c key=value`: some settings make git run programs.
    fn setting(&mut self, setting: &Flat) {
        let key = setting.text.split('=').next().unwrap_or("").to_lowercase();
        let calm =
            setting.text.ends_with("=cat") || setting.text.ends_with("=true") || setting.text.ends_with('=');
        let pager = ["core.pager", "core.editor", "sequence.editor"].contains(&key.as_str());
        if is_calm_key(&key) || (pager && calm) {
            return;
        }
        let why = format!("the setting {} may make git run programs", key.replace('\0', "\u{2026}"));
        self.found.unseen.push(why.clone());
        self.ask_grave(&why);
    }

    fn git_command(&mut self, sub: &str, args: &[Flat], at: &CommandFolders) {
        self.git_options(sub, args, at);
        self.pathspecs(sub, args, at);
        if self.git_writer(sub, args, at) {
            return;
        }
        let options =
            CommandOptions::read(args, "mFCcubxStoe", &["--message", "--file", "--exec", "--output"]);
        let has_words = !options.rest.is_empty();
        match sub {
            _ if READS.contains(&sub) => {}
            "push" | "send-pack" => {
                if self.role == Role::Verifier {
                    self.found
                        .forbid("a verifier changes nothing: not here, and not where it would be pushed to");
                }
                self.found
                    .deny("nothing is pushed from here: commit, and Arbiter fetches the work from the clone");
            }
            "send-email" | "imap-send" => self.found.doubt(Risk::Grave, "it sends mail in the user's name"),
            "daemon" | "instaweb" | "http-backend" | "shell" | "upload-pack" | "receive-pack"
            | "credential" | "credential-store" | "credential-cache" => {
                self.found.deny(format!("git {sub} serves others or hands out logins: it has no place here"));
            }
            "branch" => match options.has(&["-D", "-f", "--force", "-M", "-C"]) {
                true => self.ask_grave("git branch would drop commits that no other branch holds"),
                false
                    if has_words
                        && !options.has(&["--list", "-l", "--contains", "--merged", "--no-merged"]) =>
                {
                    self.changes(at);
                }
                false if options.has(&["-d", "--delete", "-m", "--move"]) => self.changes(at),
                false => {}
            },
            "tag" => match options.has(&["-d", "--delete", "-f", "--force"]) {
                true => self.ask_grave("git tag would drop or move a tag"),
                false
                    if options.has(&["-l", "--list", "-n", "--contains", "--points-at"])
                        || !(has_words || options.has(&["-a", "-m"])) => {}
                false => self.changes(at),
            },
            "stash" => match options.rest.first().map_or("push", |word| word.text.as_str()) {
                "list" | "show" => {}
                "drop" | "clear" => self.ask_grave("what is stashed would be lost"),
                _ => self.changes(at),
            },
            "symbolic-ref" if options.rest.len() < 2 && !options.has(&["-d", "--delete"]) => {}
            "remote" => match options.rest.first().map(|word| word.text.as_str()) {
                None | Some("get-url") => {}
                Some(_) => {
                    self.ask_unknown(sub, &options, "it changes where git fetches from, or asks there")
                }
            },
            "config" => self.config(args, at),
            "reflog"
                if options
                    .rest
                    .first()
                    .is_none_or(|word| !["expire", "delete", "drop"].contains(&word.text.as_str())) => {}
            "reflog" | "prune" | "filter-branch" | "filter-repo" | "update-ref" | "replace"
            | "prune-packed" => {
                self.ask_grave("it drops or rewrites history for good");
            }
            "gc" | "maintenance" => match options.has(&["--prune"]) || sub == "maintenance" {
                true => self.ask_grave("it drops objects for good, or sets up work in the background"),
                false => self.changes(at),
            },
            "clean" => match options.has(&["-n", "--dry-run"]) {
                true => {}
                false => {
                    self.changes(at);
                    self.ask_grave("git clean removes files that are in no commit");
                }
            },
            "rebase" => {
                for command in options.values(&["-x", "--exec"]) {
                    self.inner_text(&command, at, "what git rebase runs");
                }
                if options.has(&["-i", "--interactive", "--edit-todo"]) {
                    self.found.doubt(Risk::Unknown, "an interactive rebase opens an editor");
                }
                self.changes(at);
            }
            "bisect" => {
                if options.rest.first().is_some_and(|word| word.text == "run") {
                    self.argv(&args[1..], at, &super::bench::CommandInput::default());
                }
                self.changes(at);
            }
            "submodule" => match options.rest.first().map(|word| word.text.as_str()) {
                None | Some("status" | "summary") => {}
                Some("foreach") => self.shell_words(&options.rest[1..], at),
                Some(_) => self.reaches(sub, &options, at),
            },
            "format-patch" => match options.has(&["--stdout"]) {
                true => {}
                false if options.has(&["-o", "--output-directory"]) => {
                    let folders = options.values(&["-o", "--output-directory"]);
                    folders.iter().for_each(|folder| self.write(folder, How::Write, at));
                }
                false => self.changes(at),
            },
            "archive" => match options.has(&["--remote", "--exec"]) {
                true => self.found.doubt(Risk::Network, "git archive would ask another machine"),
                false => {
                    let files = options.values(&["-o", "--output"]);
                    files.iter().for_each(|file| self.write(file, How::Write, at));
                }
            },
            "bundle" => {
                if options.rest.first().is_some_and(|word| word.text == "create") {
                    options.rest.get(1).into_iter().for_each(|file| self.write(file, How::Write, at));
                }
            }
            _ if CHANGES.contains(&sub) => self.changes(at),
            _ if REACHES.contains(&sub) => self.reaches(sub, &options, at),
            _ => {
                // A name that the clone's own settings may have given to anything.
                self.found.unseen.push(format!("we do not know the command {sub:?} of git"));
                self.ask_unknown(sub, &options, "we do not know this command of git");
            }
        }
        if sub == "clone" {
            options.rest.iter().skip(1).for_each(|folder| self.write(folder, How::Write, at));
        }
        if sub == "init" {
            options.rest.last().into_iter().for_each(|folder| self.write(folder, How::Write, at));
        }
    }

    /// Options that write or run something, whatever the subcommand is.
    fn git_options(&mut self, sub: &str, args: &[Flat], at: &CommandFolders) {
        let mut words = args.iter();
        while let Some(word) = words.next() {
            let text = word.text.as_str();
            if text == "--" {
                break;
            }
            // Of what only reads, an unknown word can do no more than a script of the clone can.
            let calm =
                ["commit", "add"].contains(&sub) || READS.contains(&sub) && !["grep", "help"].contains(&sub);
            if word.open && !calm {
                self.dynamic("git");
            }
            // What follows these is text.
            if ["-m", "--message", "-F", "--author", "--date", "--grep", "-S", "-G", "-e"].contains(&text) {
                words.next();
                continue;
            }
            let name = text.split('=').next().unwrap_or("");
            let value = text.find('=').map(|cut| word.after(cut + 1));
            let next = value.clone().or_else(|| words.clone().next().cloned());
            if name.starts_with("--") && self.git_place(sub, name, next.as_ref(), at) {
                continue;
            }
            match name {
                "--output" if sub != "archive" => {
                    let file = value.or_else(|| words.next().cloned());
                    file.iter().for_each(|file| self.write(file, How::Write, at));
                }
                "--upload-pack"
                | "--receive-pack"
                | "--ext-diff"
                | "--open-files-in-pager"
                | "--extcmd"
                | "--template"
                | "--unsafe-paths"
                | "--upload-archive"
                | "--to-command"
                | "--filters" => {
                    self.ask_grave(&format!("{name} makes git run or write something else"));
                }
                _ if sub == "grep" && (text.starts_with("-O") || name.starts_with("--open")) => {
                    self.ask_grave("git grep would open files in a program");
                }
                _ if name.len() > 5
                    && ("--output".starts_with(name) || "--upload-pack".starts_with(name))
                    && name != "--output" =>
                {
                    self.ask_grave(&format!("{name} makes git run or write something else"));
                }
                _ => {}
            }
        }
    }

    /// The clone changes: not for a verifier, and only in a place that may be written.
    pub fn changes(&mut self, at: &CommandFolders) {
        if self.role == Role::Verifier {
            self.found.forbid("a verifier changes nothing: read with git show, git diff or git log instead");
        }
        self.write_here(at);
    }

    fn ask_grave(&mut self, why: &str) {
        if self.role == Role::Verifier {
            self.found.forbid("a verifier changes nothing: read with git show, git diff or git log instead");
        }
        self.found.doubt(Risk::Grave, why);
    }

    fn ask_unknown(&mut self, sub: &str, options: &CommandOptions, why: &str) {
        if self.role == Role::Verifier {
            self.found.forbid("a verifier changes nothing: read with git show, git diff or git log instead");
        }
        let next = options.rest.first().and_then(Flat::fixed).filter(|word| is_plain_word(word));
        let shape = next.map(|next| format!("git {sub} {next}")).unwrap_or_else(|| format!("git {sub}"));
        self.found.ask(
            Risk::Unknown,
            why,
            Some(shape).filter(|_| options.given.is_empty() && sub != "remote" && sub != "worktree"),
        );
    }

    fn reaches(&mut self, sub: &str, options: &CommandOptions, at: &CommandFolders) {
        if sub != "ls-remote" {
            self.changes(at);
        }
        let first = options.rest.first();
        let place = first.and_then(Flat::fixed);
        if first.is_some_and(|word| word.text.contains("::")) || options.has(&["-u", "-c", "--config"]) {
            return self.ask_grave("git would run a program to reach the other side");
        }
        let shape = match (sub, place, first) {
            ("submodule", _, _) => None,
            (_, Some(place), _) if is_plain_word(place) && sub != "clone" => {
                Some(format!("git {sub} {place}"))
            }
            (_, Some(place), _) => super::network::host_of(place)
                .filter(|_| place.contains("://"))
                .map(|host| format!("git {sub} https://{host}")),
            (_, None, None) => Some(format!("git {sub}")),
            (_, None, Some(_)) => None,
        };
        let shape = shape.filter(|_| !options.rest.iter().any(|word| word.open));
        self.found.ask(Risk::Network, format!("git {sub} reaches the network"), shape);
    }

    fn config(&mut self, args: &[Flat], at: &CommandFolders) {
        let options = CommandOptions::read(args, "f", &["--file", "--blob", "--type", "--default"]);
        let mut words = options.rest.clone();
        let verb = words.first().map(|word| word.text.clone()).unwrap_or_default();
        let spelled = ["get", "list", "set", "unset", "edit", "remove-section", "rename-section"]
            .contains(&verb.as_str());
        if spelled {
            words.remove(0);
        }
        let reads = options.has(&[
            "--get",
            "--get-all",
            "--get-regexp",
            "--list",
            "-l",
            "--get-urlmatch",
            "--get-color",
        ]) || ["get", "list"].contains(&verb.as_str())
            || (!spelled && words.len() == 1 && !options.has(&["--unset", "--unset-all", "-e", "--edit"]));
        if reads {
            return;
        }
        if options.has(&["--global", "--system", "--file", "-f", "--worktree", "--edit", "-e"])
            || verb == "edit"
        {
            return self.found.deny(
                "git's settings outside this clone are the user's: set what you need with -c for one command",
            );
        }
        let key = words.first().map(|word| word.text.to_lowercase()).unwrap_or_default();
        self.changes(at);
        if is_calm_key(&key) {
            return;
        }
        if is_dangerous_key(&key) {
            self.found.unseen.push(format!("{key} makes git run programs"));
            self.found.deny(format!("{key} makes git run programs: it stays as it is"));
        } else {
            self.found
                .doubt(Risk::Unknown, format!("it changes git's setting {}", key.replace('\0', "\u{2026}")));
        }
    }
}
