//! Tools that measure and look: databases in files, and programs that run another to watch it.

use super::Risk;
use super::bench::{Bench, CommandInput};
use super::options::CommandOptions;
use super::paths::{CommandFolders, How};
use super::word::Flat;

/// Commands of `sqlite3` that only print, or change how it prints.
const DOTS: [&str; 13] = [
    ".tables",
    ".schema",
    ".headers",
    ".header",
    ".mode",
    ".dump",
    ".indexes",
    ".indices",
    ".databases",
    ".width",
    ".timer",
    ".quit",
    ".exit",
];

impl Bench<'_> {
    /// Judges such a tool; false if `name` is none.
    pub fn measure(&mut self, name: &str, args: &[Flat], at: &CommandFolders, feed: &CommandInput) -> bool {
        match name {
            "sqlite3" => self.sqlite(args, at, feed),
            "valgrind" => self.valgrind(args, at, feed),
            "hyperfine" => self.hyperfine(args, at),
            _ => return false,
        }
        true
    }

    fn sqlite(&mut self, args: &[Flat], at: &CommandFolders, feed: &CommandInput) {
        // Its long options have one dash or two.
        let valued = ["separator", "cmd", "init", "newline", "nullvalue", "vfs", "maxsize", "mmap"];
        let mut words = Vec::new();
        let mut rest = args.iter();
        let mut odd = false;
        while let Some(word) = rest.next() {
            let option = word.text.trim_start_matches('-');
            if !word.is_option() {
                words.push(word.clone());
                continue;
            }
            odd |= ["cmd", "init", "A", "append", "interactive", "unsafe-testing", "zip"].contains(&option);
            if valued.contains(&option) {
                rest.next();
            }
        }
        if args.iter().any(|arg| arg.open) || odd {
            self.dynamic("sqlite3");
        }
        let Some((file, queries)) = words.split_first() else {
            if !args.iter().any(|arg| arg.text.trim_start_matches('-') == "version") {
                self.unknown("sqlite3", args);
            }
            return;
        };
        let mut texts: Vec<Flat> = queries.to_vec();
        if texts.is_empty() {
            match &feed.document {
                Some(document) if document.text != "\0" => texts.push(document.clone()),
                Some(_) | None => {
                    self.found.doubt(Risk::Unknown, "what sqlite3 is told is not known until it runs");
                }
            }
        }
        if texts.iter().any(|text| !is_calm_query(&text.text)) {
            self.found.doubt(Risk::Unknown, "sqlite3 is told to run programs or reach other files");
        }
        if file.text != ":memory:" && !texts.iter().all(|text| only_reads(&text.text)) {
            self.write(file, How::Write, at);
        }
    }

    fn valgrind(&mut self, args: &[Flat], at: &CommandFolders, feed: &CommandInput) {
        let (options, inner) = super::wrappers::split(args, "", &[]);
        for (name, value) in &options.given {
            let writes = name.ends_with("-file") && name != "--suppressions";
            if let Some(file) = value.as_ref().filter(|_| writes) {
                self.write(&Flat::of(file.text.replace('%', "x")), How::Write, at);
            }
            if name.starts_with("--db-") || name.starts_with("--log-socket") {
                self.found.doubt(Risk::Unknown, "valgrind would run another program, or speak with one");
            }
        }
        if !inner.is_empty() {
            self.argv(&inner, at, feed);
        }
    }

    fn hyperfine(&mut self, args: &[Flat], at: &CommandFolders) {
        let long = [
            "--warmup",
            "--runs",
            "--min-runs",
            "--max-runs",
            "--prepare",
            "--cleanup",
            "--setup",
            "--conclude",
            "--shell",
            "--style",
            "--sort",
            "--time-unit",
            "--command-name",
            "--output",
            "--input",
            "--reference",
            "--export-json",
            "--export-csv",
            "--export-markdown",
            "--export-asciidoc",
            "--export-orgmode",
        ];
        let options = CommandOptions::read(args, "wrmMpcsSnu", &long);
        if options.has(&["-S", "--shell", "-L", "-P", "-D"])
            || options.given.iter().any(|(name, _)| name.starts_with("--param"))
            || args.iter().any(|arg| arg.open)
        {
            self.found.doubt(Risk::Unknown, "what hyperfine runs is made up when it runs");
        }
        for (name, file) in &options.given {
            let output = name == "--output"
                && file
                    .as_ref()
                    .is_some_and(|file| !["null", "pipe", "inherit"].contains(&file.text.as_str()));
            if let Some(file) = file.as_ref().filter(|_| name.starts_with("--export") || output) {
                self.write(file, How::Write, at);
            }
        }
        let around = ["-p", "-c", "-s", "--prepare", "--cleanup", "--setup", "--conclude", "--reference"];
        for command in options.rest.iter().chain(&options.values(&around)) {
            self.inner_text(command, at, "what hyperfine runs");
        }
    }
}

/// Whether it neither runs programs nor reaches other files.
fn is_calm_query(text: &str) -> bool {
    let lower = text.to_lowercase();
    let wild =
        ["writefile", "readfile", "load_extension", "attach", "edit(", "vacuum into", "fsdir", "tokenizer"];
    let squeezed: String = lower.split_whitespace().collect::<Vec<_>>().join(" ");
    let commands = text.lines().map(str::trim_start).filter(|line| line.starts_with('.'));
    let calm = |line: &str| line.split_whitespace().next().is_some_and(|dot| DOTS.contains(&dot));
    !wild.iter().any(|word| squeezed.contains(word)) && commands.into_iter().all(calm)
}

/// Whether each statement plainly only reads.
fn only_reads(text: &str) -> bool {
    let reads = |part: &str| {
        let first = part.trim_start().split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or("");
        let pragma = first.eq_ignore_ascii_case("pragma") && !part.contains('=');
        first.is_empty()
            || DOTS.contains(&first)
            || pragma
            || ["select", "explain"].iter().any(|word| first.eq_ignore_ascii_case(word))
    };
    !text.contains('\0') && text.split([';', '\n']).all(reads)
}
