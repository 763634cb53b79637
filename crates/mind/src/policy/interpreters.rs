//! Interpreters: a file of the clone runs as any test of the clone does; code in the arguments asks.

use super::Risk;
use super::bench::{Bench, Feed};
use super::paths::Places;
use super::word::Flat;

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

impl Bench<'_> {
    /// Judges an interpreter; false if `name` is none.
    pub fn interpreter(&mut self, name: &str, args: &[Flat], at: &Places, feed: &Feed) -> bool {
        let base = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let (code, valued): (&[&str], &str) = match base {
            "python" | "pypy" => (&["-c"], "WXQ"),
            "node" | "nodejs" => (&["-e", "-p", "--eval", "--print", "-pe", "-i"], "rC"),
            "ruby" | "lua" | "luajit" | "Rscript" | "julia" | "php" | "elixir" | "ghci" | "runghc"
            | "tsx" | "ts-node" => (&["-e", "-r", "-R", "-B", "-E", "--eval", "-l"], "I"),
            "perl" => (&[], "I"),
            "java" => (&[], ""),
            _ => return false,
        };
        let mut words = args.iter();
        while let Some(word) = words.next() {
            let text = word.text.as_str();
            if ["--version", "-V", "-v", "--help", "-h", "-version", "--check", "--test"].contains(&text)
                && base != "perl"
            {
                if text == "--test" || text == "--check" {
                    continue;
                }
                return true;
            }
            if base == "python" && text == "-m" {
                self.module(name, words.as_slice(), at, feed);
                return true;
            }
            if base == "python" && text.starts_with("-m") {
                let mut rest = vec![word.after(2)];
                rest.extend(words.cloned());
                self.module(name, &rest, at, feed);
                return true;
            }
            let letters = !text.starts_with("--") && word.is_option();
            let perl_code = base == "perl" && letters && text.contains(['e', 'E', 'i', 'M', 'x', 's']);
            let python_code = base == "python" && letters && text.contains('c');
            let ruby_code = base == "ruby" && letters && text.contains(['e', 'i', 'x']);
            let given = code.iter().any(|code| {
                text == *code || (code.starts_with("--") && text.starts_with(&format!("{code}=")))
            });
            if given || perl_code || python_code || ruby_code || word.open || text == "-" {
                self.code(name, base);
                return true;
            }
            if word.is_option() {
                if letters && text.len() == 2 && valued.contains(&text[1..]) {
                    words.next();
                }
                continue;
            }
            if base == "java" || !self.is_inside(word, at) {
                let why = format!("{} is a program that is not known to be in the clone", word.shown());
                self.found.doubt(Risk::Unknown, why);
            }
            return true;
        }
        if !args.iter().any(|arg| arg.text == "--test") {
            self.code(name, base);
        }
        true
    }

    fn code(&mut self, name: &str, base: &str) {
        let flag = if base == "python" { "-c" } else { "-e" };
        let why = format!("{name} is given code that we do not read");
        self.found.ask(Risk::Unknown, why, Some(format!("{name} {flag}")));
    }

    fn module(&mut self, name: &str, words: &[Flat], at: &Places, feed: &Feed) {
        let Some((module, args)) = words.split_first() else { return };
        match module.fixed() {
            Some("pip") => {
                let mut argv = vec![Flat::of("pip")];
                argv.extend_from_slice(args);
                self.argv(&argv, at, feed);
            }
            Some("venv") => args.iter().filter(|arg| !arg.is_option()).for_each(|folder| {
                self.write(folder, super::paths::How::Write, at);
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
