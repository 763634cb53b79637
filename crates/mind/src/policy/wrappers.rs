//! Programs that run another: what they run is judged in their stead.

use super::Risk;
use super::bench::{Bench, CommandInput};
use super::options::{CommandOptions, abbreviates};
use super::paths::{CommandFolders, How};
use super::word::Flat;

impl Bench<'_> {
    /// Judges what a wrapper runs; false if `name` is none.
    pub fn wrapper(&mut self, name: &str, args: &[Flat], at: &CommandFolders, feed: &CommandInput) -> bool {
        match name {
            "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "mksh" | "fish" => {
                self.shell(name, args, at, feed)
            }
            "env" => self.env(args, at, feed),
            "nice" => self.after_options(name, args, "n", &["--adjustment"], 0, at, feed),
            "ionice" => self.after_options(name, args, "cnpPu", &["--class", "--classdata"], 0, at, feed),
            "stdbuf" => {
                self.after_options(name, args, "ioe", &["--input", "--output", "--error"], 0, at, feed)
            }
            "timeout" | "gtimeout" => {
                self.after_options(name, args, "ks", &["--kill-after", "--signal"], 1, at, feed);
            }
            "time" | "gtime" => {
                let options = split(args, "fo", &["--format", "--output"]).0;
                for file in options.values(&["-o", "--output"]) {
                    self.write(&file, How::Write, at);
                }
                self.after_options(name, args, "fo", &["--format", "--output"], 0, at, feed);
            }
            "command" => {
                let (options, inner) = split(args, "", &[]);
                if !options.has(&["-v", "-V"]) {
                    self.inner_argv(name, &inner, at, feed);
                }
            }
            "builtin" | "busybox" | "toybox" | "winpty" | "noglob" | "nocorrect" | "unbuffer" | "chronic" => {
                self.inner_argv(name, args, at, feed);
            }
            "exec" => {
                let (_, inner) = split(args, "a", &[]);
                if !inner.is_empty() {
                    self.inner_argv(name, &inner, at, feed);
                }
            }
            "watch" => {
                let (_, inner) = split(args, "n", &["--interval"]);
                self.found.doubt(Risk::Unknown, "watch does not end by itself");
                self.shell_words(&inner, at);
            }
            "xargs" => self.xargs(args, at, feed),
            "parallel" => {
                self.found.unseen(Risk::Unknown, "what parallel runs is made up when it runs");
                self.shell_words(
                    &args.iter().take_while(|arg| !arg.text.starts_with(":::")).cloned().collect::<Vec<_>>(),
                    at,
                );
            }
            "script" | "flock" | "strace" | "ltrace" | "gdb" | "lldb" | "expect" | "socat" | "osascript"
            | "vim" | "vi" | "nvim" | "ex" | "ed" | "emacs" | "nano" | "dc" | "m4" | "entr" => {
                self.unknown_runner(name);
            }
            _ => return false,
        }
        true
    }

    fn unknown_runner(&mut self, name: &str) {
        self.found.unseen(Risk::Unknown, format!("{name} runs other programs in ways we do not follow"));
    }

    #[expect(clippy::too_many_arguments, reason = "each is one word of how a wrapper reads its own words")]
    fn after_options(
        &mut self,
        name: &str,
        args: &[Flat],
        valued: &str,
        long: &[&str],
        skip: usize,
        at: &CommandFolders,
        feed: &CommandInput,
    ) {
        let (_, inner) = split(args, valued, long);
        if inner.len() > skip {
            self.inner_argv(name, &inner[skip..], at, feed);
        }
    }

    /// Words that are a command, perhaps with values for its environment before it.
    fn inner_argv(&mut self, name: &str, words: &[Flat], at: &CommandFolders, feed: &CommandInput) {
        let mut words = words;
        while name == "time"
            && let Some((first, rest)) = words.split_first()
            && let Some((variable, _)) = assignment(first)
        {
            self.assign(&variable, first.text.find('=').map(|cut| first.after(cut + 1)).as_ref());
            words = rest;
        }
        if self.depth >= crate::limits::COMMAND_DEPTH_MAX {
            return self
                .found
                .unseen(Risk::Unknown, "we could not take this line apart: it is nested too deeply");
        }
        self.depth += 1;
        self.argv(words, at, feed);
        self.depth -= 1;
    }

    fn env(&mut self, args: &[Flat], at: &CommandFolders, feed: &CommandInput) {
        let mut words = args;
        let mut at = at.clone();
        while let Some((first, rest)) = words.split_first() {
            let text = first.text.as_str();
            if let Some((name, value)) = assignment(first) {
                self.assign(&name, Some(&value));
                words = rest;
            } else if ["-S", "-s", "--split-string"].iter().any(|name| text.starts_with(name)) {
                return self
                    .found
                    .unseen(Risk::Unknown, "env takes its words apart in a way we do not follow");
            } else if ["-u", "--unset"].contains(&text) {
                words = rest.get(1..).unwrap_or_default();
            } else if ["-C", "--chdir"].contains(&text)
                || text.starts_with("--chdir=")
                || text.starts_with("-C")
            {
                let attached = text
                    .strip_prefix("--chdir=")
                    .or_else(|| text.strip_prefix("-C"))
                    .filter(|t| !t.is_empty() && *t != "hdir");
                let folder = attached.map(Flat::of).or_else(|| rest.first().cloned()).unwrap_or_default();
                at = self.folder_of(&folder, &at);
                rest.iter().for_each(|word| self.look(word, &at));
                words = if attached.is_some() { rest } else { rest.get(1..).unwrap_or_default() };
            } else if first.is_option() || text == "-" {
                words = rest;
            } else {
                break;
            }
        }
        if !words.is_empty() {
            self.inner_argv("env", words, &at, feed);
        }
    }

    /// The folders that an option like `-C` leads to.
    pub fn folder_of(&mut self, folder: &Flat, at: &CommandFolders) -> CommandFolders {
        match folder.fixed() {
            Some(text) => {
                self.spots(text, at).into_iter().map(|spot| spot.map(|path| self.real(&path))).collect()
            }
            None => [None].into(),
        }
    }

    fn shell(&mut self, name: &str, args: &[Flat], at: &CommandFolders, feed: &CommandInput) {
        let mut words = args;
        let mut takes_text = false;
        while let Some((first, rest)) = words.split_first() {
            let text = first.text.as_str();
            if !first.is_option() && !text.starts_with('+') {
                break;
            }
            words = rest;
            if text == "--" {
                break;
            }
            if ["--rcfile", "--init-file"].iter().any(|long| abbreviates(text, long)) || first.has_hole() {
                return self.unknown_runner(name);
            }
            if !text.starts_with("--") {
                takes_text |= text.contains('c');
                if text.ends_with(['o', 'O']) {
                    words = words.get(1..).unwrap_or_default();
                }
                if text.contains('s') && !text.contains('c') {
                    return self.unknown_runner(name);
                }
            }
        }
        let moved = self.moved;
        match (words.first(), &feed.document) {
            (Some(text), _) if takes_text => {
                if name == "fish" {
                    self.unknown_runner(name);
                }
                let far = self.found.doubts.iter().any(|doubt| doubt.risk == Risk::Network);
                if far && text.has_hole() {
                    self.found.doubt(Risk::Grave, "the shell may run what comes from the network");
                }
                self.inner_text(text, at, "what the shell runs");
            }
            (Some(file), _) => {
                if !self.is_ours(file, at) {
                    self.found.doubt(
                        if self.found.doubts.iter().any(|doubt| doubt.risk == Risk::Network) {
                            Risk::Grave
                        } else {
                            Risk::Unknown
                        },
                        format!("{} is a script outside the clone", file.shown()),
                    );
                }
            }
            (None, Some(document)) if !document.has_hole() => self.text(&document.text.clone(), at),
            (None, _) if !feed.before.is_empty() => {
                let far = ["curl", "wget", "nc", "ncat", "ssh", "http", "fetch", "aria2c"];
                let risk = if feed.before.iter().any(|name| far.contains(&name.as_str())) {
                    Risk::Grave
                } else {
                    Risk::Unknown
                };
                self.found.unseen(risk, format!("{name} runs whatever the commands before it print"));
            }
            (None, None) if args.iter().any(|arg| arg.text == "--version" || arg.text == "--help") => {}
            (None, _) => {
                self.found.unseen(Risk::Unknown, format!("what {name} runs is not known until it runs"))
            }
        }
        self.moved = moved;
    }

    /// Words that are joined and read by a shell.
    pub fn shell_words(&mut self, words: &[Flat], at: &CommandFolders) {
        let text: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        self.inner_text(&Flat::of(text.join(" ")), at, "what it runs");
    }

    fn xargs(&mut self, args: &[Flat], at: &CommandFolders, feed: &CommandInput) {
        let long = ["--max-args", "--max-procs", "--delimiter", "--arg-file", "--max-lines", "--max-chars"];
        let (options, inner) = split(args, "nPdaLsIE", &long);
        let braces = || options.has(&["-i", "--replace"]).then(|| "{}".to_owned());
        let slot = options.values(&["-I", "--replace"]).first().map(|slot| slot.text.clone()).or_else(braces);
        if inner.is_empty() {
            return;
        }
        // What the commands before it list is known as well as a pattern is.
        let from_file = options.has(&["-a", "--arg-file"]);
        let names = super::names::listed(&feed.stages).filter(|_| !from_file && feed.document.is_none());
        let names: Vec<Flat> = names
            .unwrap_or_default()
            .into_iter()
            .map(|text| Flat { text, glob: true, open: false })
            .collect();
        let mut words: Vec<Flat> = Vec::new();
        for word in &inner {
            match &slot {
                Some(slot) if !names.is_empty() && word.text == *slot => words.extend(names.iter().cloned()),
                Some(slot) if !slot.is_empty() && word.text.contains(slot.as_str()) => {
                    words.push(Flat {
                        text: word.text.replace(slot.as_str(), "\0"),
                        glob: false,
                        open: false,
                    });
                }
                Some(_) | None => words.push(word.clone()),
            }
        }
        if slot.is_none() && !names.is_empty() {
            words.extend(names);
        } else if slot.is_none() {
            words.push(Flat { open: false, ..Flat::unknown() });
        }
        self.found_files(&words, at);
        let feed = CommandInput {
            before: feed.before.clone(),
            document: Some(Flat::unknown()),
            ..CommandInput::default()
        };
        self.inner_argv("xargs", &words, at, &feed);
    }

    /// `find`: what it does with what it finds.
    pub fn find(&mut self, args: &[Flat], at: &CommandFolders, feed: &CommandInput) {
        let roots = super::names::roots(args);
        if args.iter().any(|arg| arg.open) {
            self.dynamic("find");
        }
        let pattern = super::names::named(args);
        let mut words = args;
        while let Some((first, rest)) = words.split_first() {
            words = rest;
            match first.text.as_str() {
                "-exec" | "-execdir" | "-ok" | "-okdir" => {
                    let end = rest
                        .iter()
                        .position(|word| word.text == ";" || word.text == "+")
                        .unwrap_or(rest.len());
                    let inner: Vec<Flat> =
                        rest[..end].iter().map(|word| self.found_by(word, &roots, &pattern, at)).collect();
                    if rest[..end].iter().any(|word| word.text.contains("{}")) {
                        let here = Flat::of(".");
                        let begins = if roots.is_empty() { vec![&here] } else { roots.clone() };
                        begins.into_iter().for_each(|root| self.reads_below(root, at));
                    }
                    let places = if first.text.ends_with("dir") { [None].into() } else { at.clone() };
                    self.inner_argv("find", &inner, &places, feed);
                    words = rest.get(end + 1..).unwrap_or_default();
                }
                "-delete" => self.delete_found(&roots, &pattern, at),
                "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                    if let Some(file) = rest.first() {
                        self.write(file, How::Write, at);
                    }
                }
                "-files0-from" => self.dynamic("find"),
                _ => {}
            }
        }
    }

    /// `{}` of `find`: a name below one of its folders.
    fn found_by(&self, word: &Flat, roots: &[&Flat], pattern: &str, at: &CommandFolders) -> Flat {
        if !word.text.contains("{}") {
            return word.clone();
        }
        let inside = !roots.is_empty() && roots.iter().all(|root| self.is_inside(root, at));
        match roots {
            // What lies in one folder of the clone is as good as a pattern there.
            [root] if inside && word.text == "{}" && !(pattern == "*" && self.is_top(root, at)) => {
                Flat { text: format!("{}/{pattern}", root.text), glob: true, open: false }
            }
            _ => Flat { text: word.text.replace("{}", "\0"), glob: false, open: false },
        }
    }

    /// The word is the top of the clone, or may be.
    fn is_top(&self, root: &Flat, at: &CommandFolders) -> bool {
        let top = |spot: Option<String>| spot.is_none_or(|path| self.real(&path) == self.lay.clone);
        self.spots(&root.text, at).into_iter().any(top)
    }

    fn delete_found(&mut self, roots: &[&Flat], pattern: &str, at: &CommandFolders) {
        let here = Flat::of(".");
        let roots: Vec<&Flat> = if roots.is_empty() { vec![&here] } else { roots.to_vec() };
        for root in roots {
            let found = Flat { text: format!("{}/{pattern}", root.text), glob: true, open: root.open };
            self.write(&found, How::Name, at);
            if pattern == "*" && self.is_top(root, at) {
                let why = "find -delete from the top of the clone reaches .git too: name a folder below";
                self.found.doubt(Risk::Grave, why);
            }
        }
    }

    /// `fd`: what it runs for what it finds.
    pub fn fd(&mut self, args: &[Flat], at: &CommandFolders, feed: &CommandInput) {
        let runs = |arg: &Flat| ["-x", "-X", "--exec", "--exec-batch"].contains(&arg.text.as_str());
        match args.iter().position(runs) {
            Some(cut) => {
                let mut inner: Vec<Flat> =
                    args[cut + 1..].iter().map(|word| self.found_by(word, &[], "*", at)).collect();
                inner.push(Flat { open: false, ..Flat::unknown() });
                let roots = args[..cut].iter().filter(|arg| arg.text.starts_with(['/', '.', '~']));
                roots.for_each(|root| self.reads_below(root, at));
                self.inner_argv("fd", &inner, at, feed);
            }
            None => {
                let attached = |arg: &Flat| {
                    arg.text.starts_with("--exec")
                        || (arg.text.starts_with("-x") || arg.text.starts_with("-X"))
                };
                if args.iter().any(|arg| arg.open || attached(arg)) {
                    self.dynamic("fd");
                }
            }
        }
    }
}

/// The options of a wrapper, and the words of what it runs.
pub fn split(args: &[Flat], valued: &str, long: &[&str]) -> (CommandOptions, Vec<Flat>) {
    let mut at = 0;
    while let Some(word) = args.get(at) {
        if word.text == "--" {
            return (CommandOptions::read(&args[..at], valued, long), args[at + 1..].to_vec());
        }
        if !word.is_option() {
            break;
        }
        at += 1;
        let letter = word.text.chars().find(|c| valued.contains(*c));
        let takes = if word.text.starts_with("--") {
            !word.text.contains('=') && long.iter().any(|name| abbreviates(&word.text, name))
        } else {
            letter.is_some_and(|letter| word.text.ends_with(letter))
        };
        at += usize::from(takes);
    }
    let at = at.min(args.len());
    (CommandOptions::read(&args[..at], valued, long), args[at..].to_vec())
}

/// The name and value of `NAME=value`.
pub fn assignment(word: &Flat) -> Option<(String, Flat)> {
    let cut = word.text.find('=')?;
    let name = &word.text[..cut];
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    plain.then(|| (name.to_owned(), word.after(cut + 1)))
}
