//! Names that a command prints: which files it lists, so that what is done with them can be judged before it runs.

use super::Risk;
use super::bench::Bench;
use super::paths::CommandFolders;
use super::script::{CommandForm, ShellCommand, ShellScript};
use super::word::{Flat, Word, matches};

/// Names in a repository that a pattern must not fit, or it may reach into git's own files.
const PARTS: [&str; 8] = ["HEAD", "config", "hooks", "objects", "refs", "index", "pre-commit", "main"];
/// Programs that say something of a file without showing what is in it.
const TELLERS: [&str; 11] =
    ["echo", "printf", "ls", "basename", "dirname", "test", "[", "stat", "realpath", "readlink", "find"];

/// The files that commands in a pipe list, as patterns of names; none if that is not plain to see.
pub fn listed(stages: &[Vec<Flat>]) -> Option<Vec<String>> {
    let mut names: Option<Vec<String>> = None;
    for (n, stage) in stages.iter().enumerate() {
        let words: Vec<&str> = stage.iter().map(|word| word.text.as_str()).collect();
        let (name, args) = words.split_first()?;
        names = match *name {
            "sort" | "uniq" | "head" | "tail" if n > 0 => names.filter(|_| args.iter().all(is_short)),
            _ if n > 0 && *name != "xargs" && !asks_once(args) => None,
            "grep" | "egrep" | "rg"
                if n > 0 && !flags(args).contains(['o', 'c', 'n', 'r', 'R', 'f']) && !is_replacing(args) =>
            {
                names
            }
            "xargs" if n > 0 => {
                let inner: Vec<&str> =
                    args.iter().copied().skip_while(|arg| ["-0", "-r", "-0r", "-r0"].contains(arg)).collect();
                let (program, args) = inner.split_first()?;
                let lists = ["grep", "egrep", "rg"].contains(program) && flags(args).contains(['l', 'L']);
                names.filter(|_| lists && asks_once(args) && !flags(args).contains(['r', 'R']))
            }
            _ if n > 0 => None,
            _ if stage.iter().any(Flat::has_hole) => None,
            "git" => by_git(args),
            "grep" | "egrep" => by_grep(args),
            "rg" => by_ripgrep(args),
            "find" => by_find(&stage[1..]),
            _ => None,
        };
        names.as_ref()?;
    }
    names
}

/// The files that a substitution lists.
pub fn listed_by(script: &ShellScript) -> Option<Vec<String>> {
    let [chain] = script.chains.as_slice() else { return None };
    if !chain.rest.is_empty() || chain.background {
        return None;
    }
    let words = |stage: &ShellCommand| -> Option<Vec<Flat>> {
        let CommandForm::Simple(simple) = &stage.kind else { return None };
        if !simple.assigns.is_empty() {
            return None;
        }
        simple.words.iter().map(|word: &Word| word.fixed().map(Flat::of)).collect()
    };
    listed(&chain.first.stages.iter().map(words).collect::<Option<Vec<_>>>()?)
}

/// A short option or a number, and so no file that would be read instead.
fn is_short(arg: &&str) -> bool {
    arg.starts_with('-') && !arg.starts_with("--") || arg.chars().all(|c| c.is_ascii_digit())
}

/// There is a pattern and no file that would be read instead.
fn asks_once(args: &[&str]) -> bool {
    let words = args.iter().filter(|arg| !arg.starts_with('-')).count();
    words == 1
        && !args
            .iter()
            .any(|arg| arg.starts_with("-f") || arg.starts_with("--f") && *arg != "--files-with-matches")
}

/// The letters of all short options.
fn flags(args: &[&str]) -> String {
    let short = |arg: &&&str| arg.starts_with('-') && !arg.starts_with("--");
    let long = args.iter().filter_map(|arg| match *arg {
        "--files-with-matches" => Some("l"),
        "--recursive" => Some("r"),
        _ => None,
    });
    args.iter().filter(short).map(|arg| &arg[1..]).chain(long).collect()
}

fn is_replacing(args: &[&str]) -> bool {
    args.iter().any(|arg| arg.starts_with("--only") || arg.starts_with("--re") || arg.starts_with("-r"))
}

fn is_plain_root(root: &str) -> bool {
    !root.split('/').any(|name| name == "..") && !root.starts_with(['~', '-', ':'])
}

/// Everything below these folders that has such a name, at any depth: `***` stands for that.
fn below(roots: &[&str], pattern: &str) -> Option<Vec<String>> {
    let roots = if roots.is_empty() { &["."] } else { roots };
    let one = |root: &&str| {
        let bare = if root.starts_with('/') { root.trim_end_matches('/') } else { root };
        is_plain_root(root).then(|| format!("{bare}/***/{pattern}"))
    };
    roots.iter().map(one).collect()
}

fn by_git(args: &[&str]) -> Option<Vec<String>> {
    let (sub, args) = args.split_first()?;
    let lists = match *sub {
        "ls-files" => !args.iter().any(|arg| {
            arg.starts_with("--fo")
                || ["-s", "-t", "-v", "-u", "--stage", "--unmerged", "--eol"].contains(arg)
        }),
        "grep" => flags(args).contains('l') || args.contains(&"--name-only"),
        "diff" => args.contains(&"--name-only") && !args.iter().any(|arg| arg.starts_with("--no-index")),
        _ => false,
    };
    (lists && !args.iter().any(|arg| arg.contains("..") && arg.contains('/'))).then(|| vec!["*".to_owned()])
}

fn by_grep(args: &[&str]) -> Option<Vec<String>> {
    let flags = flags(args);
    if !flags.contains(['l', 'L']) {
        return None;
    }
    let include = args.iter().find_map(|arg| arg.strip_prefix("--include="));
    let pattern = match include {
        Some(pattern) if !PARTS.iter().any(|part| matches(pattern, part)) => pattern,
        Some(_) | None => "*",
    };
    let several = args.iter().filter(|arg| arg.starts_with("--include")).count() > 1;
    let spares = args.contains(&"--exclude-dir=.git") && args.contains(&"--exclude-dir=.arbiter");
    let mut words =
        args.iter().copied().filter(|arg| !arg.starts_with('-') || *arg == "-e").collect::<Vec<_>>();
    match words.iter().position(|word| *word == "-e") {
        Some(at) => words.drain(at..words.len().min(at + 2)).for_each(drop),
        None if words.is_empty() => return None,
        None => drop(words.remove(0)),
    }
    if spares || several && include.is_some_and(|first| !PARTS.iter().any(|part| matches(first, part))) {
        let roots = if words.is_empty() { vec!["."] } else { words };
        let all = roots.iter().all(|root| is_plain_root(root));
        return all.then(|| roots.iter().map(|root| format!("{root}/***/x*")).collect());
    }
    below(&words, pattern)
}

fn by_ripgrep(args: &[&str]) -> Option<Vec<String>> {
    let flags = flags(args);
    let files = args.contains(&"--files");
    let hidden = flags.contains(['u', '.', 'L'])
        || args.iter().any(|arg| arg.starts_with("--hid") || *arg == "--follow");
    if hidden || !(files || flags.contains('l')) {
        return None;
    }
    let mut words = args.iter().copied();
    let mut roots = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "-g" | "-t" | "-T" | "-e" | "--glob" | "--type" => drop(words.next()),
            _ if word.starts_with('-') => {}
            _ => roots.push(word),
        }
    }
    if !files && !args.contains(&"-e") && !roots.is_empty() {
        roots.remove(0);
    }
    // Without being told to, it shows nothing that is hidden.
    let roots = if roots.is_empty() { vec!["."] } else { roots };
    let all = roots.iter().all(|root| is_plain_root(root));
    all.then(|| roots.iter().map(|root| format!("{root}/***/x*")).collect())
}

fn by_find(args: &[Flat]) -> Option<Vec<String>> {
    let prints =
        ["-printf", "-exec", "-execdir", "-ok", "-okdir", "-delete", "-ls", "-files0-from", "-L", "-follow"];
    if args.iter().any(|arg| prints.contains(&arg.text.as_str())) {
        return None;
    }
    let roots: Vec<&str> = roots(args).iter().map(|root| root.text.as_str()).collect();
    below(&roots, &named(args))
}

/// The folders that `find` begins at.
pub fn roots(args: &[Flat]) -> Vec<&Flat> {
    let begins = |arg: &&Flat| ["-H", "-L", "-P"].contains(&arg.text.as_str());
    args.iter()
        .skip_while(begins)
        .take_while(|arg| !arg.is_option() && !["(", "!"].contains(&arg.text.as_str()))
        .collect()
}

/// The pattern of names that `find` is held to; any name if that is not plain, or if the pattern fits parts of git.
pub fn named(args: &[Flat]) -> String {
    let has = |words: &[&str]| args.iter().any(|arg| words.contains(&arg.text.as_str()));
    let at = args.iter().position(|arg| arg.text == "-name" || arg.text == "-iname");
    let pattern =
        at.and_then(|at| args.get(at + 1)).filter(|word| !word.has_hole()).map(|word| word.text.as_str());
    match pattern {
        Some(pattern)
            if !has(&["-o", "-or", ",", "!", "-not", "-true", "-regex"])
                && !pattern.contains('/')
                && !PARTS.iter().any(|part| matches(pattern, part)) =>
        {
            pattern.to_owned()
        }
        Some(_) | None => "*".to_owned(),
    }
}

impl Bench<'_> {
    /// A command is given files that were found: outside of the clone they may be anything.
    pub fn found_files(&mut self, argv: &[Flat], at: &CommandFolders) {
        let Some((name, args)) = argv.split_first() else { return };
        if TELLERS.contains(&name.text.as_str()) {
            return;
        }
        for word in args.iter().filter(|word| word.glob) {
            let Some(cut) = word.text.find("/***/") else { continue };
            let root = Flat::of(if cut == 0 { "/" } else { &word.text[..cut] });
            self.reads_below(&root, at);
        }
    }

    /// Whatever lies below a folder is read.
    pub fn reads_below(&mut self, root: &Flat, at: &CommandFolders) {
        if !self.is_ours(root, at) {
            let why = format!("it reads whatever is found below {}, outside the clone", root.shown());
            self.found.doubt(Risk::Unknown, why);
        }
    }
}
