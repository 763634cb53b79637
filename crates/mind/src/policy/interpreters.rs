//! Interpreters: a file of the clone runs as any test of the clone does, and so does code in the line itself.

use super::Risk;
use super::bench::{Bench, CommandInput};
use super::paths::{CommandFolders, How};
use super::word::Flat;

/// More pieces of code than this are not looked at.
const PIECES_MAX: usize = 2000;
/// Modules of Python that check, test or print.
const MODULES: &[&str] = &[
    "pytest",
    "unittest",
    "compileall",
    "json.tool",
    "py_compile",
    "mypy",
    "ruff",
    "black",
    "flake8",
    "pylint",
    "isort",
    "doctest",
    "coverage",
    "tokenize",
    "ast",
    "dis",
    "timeit",
    "cProfile",
    "site",
    "platform",
    "sysconfig",
    "this",
    "pyright",
    "build",
    "pip.list",
];

/// What an interpreter is given to run.
#[derive(Debug, Default)]
struct Given {
    /// Code in the arguments.
    code: Vec<Flat>,
    /// Files are changed in place.
    in_place: bool,
    /// It works in another folder, or in a way that we do not follow.
    odd: bool,
    /// It only says something of itself.
    idle: bool,
    /// It runs the tests that it finds.
    tests: bool,
    /// A module and its arguments.
    module: Option<Vec<Flat>>,
    /// What follows the options.
    rest: Vec<Flat>,
}

/// How an interpreter reads its options: letters with code in the next word, letters with another value there, and
/// letters with what is attached to them.
fn letters(base: &str) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match base {
        "python" | "pypy" => ("c", "WXQ", ""),
        "node" | "nodejs" | "tsx" | "ts-node" => ("ep", "rC", ""),
        "ruby" => ("e", "rI", "iEKTWx0F"),
        "perl" => ("eE", "I", "iMm0lFdDCVx"),
        "php" => ("rBRE", "dcz", ""),
        "lua" | "luajit" => ("e", "l", ""),
        "Rscript" | "julia" | "elixir" | "ghci" | "runghc" => ("eE", "", ""),
        "java" => ("", "", ""),
        _ => return None,
    })
}

fn read(base: &str, args: &[Flat]) -> Given {
    let (code, valued, attached) = letters(base).unwrap_or_default();
    let mut given = Given::default();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        if text == "--" {
            given.rest.extend(words.cloned());
            break;
        }
        if !word.is_option() {
            // The code comes first in the options; what follows a first plain word is the program's own.
            given.odd |= word.open && given.code.is_empty();
            given.rest.push(word.clone());
            given.rest.extend(words.cloned());
            break;
        }
        if text.starts_with("--") || base == "java" {
            let name = text.split('=').next().unwrap_or("");
            let value = text.find('=').map(|cut| word.after(cut + 1));
            match name {
                "--version" | "--help" | "-version" | "--check" => given.idle |= name != "--check",
                "--test" => given.tests = true,
                "--eval" | "--print" => given.code.extend(value.or_else(|| words.next().cloned())),
                "--require" | "--import" | "--loader" if value.is_none() => drop(words.next()),
                _ => {}
            }
            continue;
        }
        if ["-v", "-V", "-h"].contains(&text) && base != "perl" {
            given.idle = true;
            continue;
        }
        for (cut, letter) in text.char_indices().skip(1) {
            let after = word.after(cut + letter.len_utf8());
            let mut value =
                || if after.text.is_empty() { words.next().cloned() } else { Some(after.clone()) };
            given.odd |= base == "ruby" && "CX".contains(letter)
                || letter == '\0'
                || base == "perl"
                    && ("xd".contains(letter) || "CD".contains(letter) && after.text.contains('i'));
            if code.contains(letter) {
                // With several letters in a word, Node takes the code from the next one.
                let joined = base.starts_with("node") && code.contains(after.text.as_str());
                given.code.extend(if joined { words.next().cloned() } else { value() });
                // What follows the code of Python is the program's own.
                if base == "python" || base == "pypy" {
                    given.rest.extend(words.cloned());
                    return given;
                }
                break;
            }
            if letter == 'm' && (base == "python" || base == "pypy") {
                given.module = Some(value().into_iter().chain(words.cloned()).collect());
                return given;
            }
            given.in_place |= letter == 'i' && attached.contains('i');
            if attached.contains(letter) {
                // A number may be followed by further letters: `-0777ne`.
                let digits =
                    after.text.trim_start_matches(|c: char| c.is_ascii_hexdigit() && !c.is_alphabetic());
                if !"0l".contains(letter) || digits.is_empty() {
                    break;
                }
                continue;
            }
            if valued.contains(letter) {
                drop(value());
                break;
            }
        }
    }
    given
}

impl Bench<'_> {
    /// Judges an interpreter; false if `name` is none.
    pub fn interpreter(
        &mut self,
        name: &str,
        args: &[Flat],
        at: &CommandFolders,
        feed: &CommandInput,
    ) -> bool {
        let base = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        if letters(base).is_none() {
            return false;
        }
        let given = read(base, args);
        if let Some(module) = &given.module {
            self.module(name, module, at, feed);
            return true;
        }
        if given.odd {
            self.code(name, base);
        }
        given.code.iter().for_each(|code| self.inline(name, base, code));
        let files = match given.code.is_empty() && !given.in_place {
            false => given.rest.as_slice(),
            true => match given.rest.split_first() {
                Some((script, _)) if script.text != "-" && base != "java" && self.is_ours(script, at) => &[],
                Some((script, _)) if script.text != "-" => {
                    let why = format!("{} is a program that is not known to be in the clone", script.shown());
                    self.found.doubt(Risk::Unknown, why);
                    &[]
                }
                Some(_) | None if given.idle || given.tests => &[],
                Some(_) | None => {
                    self.read_input(name, base, feed);
                    &[]
                }
            },
        };
        if given.in_place {
            files.iter().for_each(|file| self.write(file, How::Write, at));
        }
        true
    }

    /// An interpreter reads its program from its input.
    fn read_input(&mut self, name: &str, base: &str, feed: &CommandInput) {
        match &feed.document {
            Some(document) if document.text != "\0" => self.inline(name, base, &document.clone()),
            _ if feed.before.is_empty() => self.code(name, base),
            _ => {
                let far = self.found.doubts.iter().any(|doubt| doubt.risk == Risk::Network);
                let risk = if far { Risk::Grave } else { Risk::Unknown };
                self.found.doubt(risk, format!("{name} runs whatever the commands before it print"));
            }
        }
    }

    /// Code in the line: a script of the clone could do the same, and the sandbox holds both. Only what it plainly names
    /// is looked at.
    fn inline(&mut self, name: &str, base: &str, code: &Flat) {
        let far = self.found.doubts.iter().any(|doubt| doubt.risk == Risk::Network);
        if code.has_hole() && far {
            self.found.doubt(Risk::Grave, format!("{name} may run what comes from the network"));
        }
        if code.text == "\0" {
            return self.code(name, base);
        }
        let nowhere = [None].into();
        let marks = |c: char| c.is_whitespace() || "'\"`()[]{}<>;,|".contains(c);
        for piece in code.text.split(marks).filter(|piece| !piece.is_empty()).take(PIECES_MAX) {
            if piece.starts_with(['/', '~']) {
                self.look(&Flat::of(piece), &nowhere);
            }
            let mut names = piece.split('/');
            if names.any(|name| [".arbiter", ".git"].contains(&name.to_lowercase().as_str())) {
                self.found.doubt(Risk::Grave, format!("the code that {name} is given names {piece}"));
            }
        }
    }

    fn code(&mut self, name: &str, base: &str) {
        let flag = if base == "python" { "-c" } else { "-e" };
        let why = format!("{name} is given code that we do not read");
        self.found.ask(Risk::Unknown, why, Some(format!("{name} {flag}")));
    }

    fn module(&mut self, name: &str, words: &[Flat], at: &CommandFolders, feed: &CommandInput) {
        let Some((module, args)) = words.split_first() else { return };
        match module.fixed() {
            Some("pip") => {
                let mut argv = vec![Flat::of("pip")];
                argv.extend_from_slice(args);
                self.argv(&argv, at, feed);
            }
            Some("venv") => args.iter().filter(|arg| !arg.is_option()).for_each(|folder| {
                self.write(folder, How::Write, at);
            }),
            Some(module @ ("black" | "isort" | "ruff" | "mypy" | "pytest")) => {
                let mut argv = vec![Flat::of(module)];
                argv.extend_from_slice(args);
                self.argv(&argv, at, feed);
            }
            Some(module) if MODULES.contains(&module) => {}
            Some("http.server") => {
                self.found.doubt(Risk::Network, "it serves files to others, and does not end by itself");
            }
            Some(module) => {
                let shape =
                    Some(format!("{name} -m {module}")).filter(|_| super::commands::is_plain_word(module));
                self.found.ask(Risk::Unknown, format!("we do not know what the module {module} does"), shape);
            }
            None => self.found.doubt(Risk::Unknown, "the module it runs is not known until it runs"),
        }
    }
}
