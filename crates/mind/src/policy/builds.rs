//! Tools that build, test, check and format: they run the project's own code, which the sandbox holds.

use super::Risk;
use super::bench::Bench;
use super::options::CommandOptions;
use super::paths::{CommandFolders, How};
use super::word::Flat;
use crate::session::Role;

/// Tools that build, test or check, whatever they are given.
const TOOLS: &[&str] = &[
    "make",
    "gmake",
    "ninja",
    "cmake",
    "ctest",
    "meson",
    "pytest",
    "py.test",
    "mypy",
    "ruff",
    "black",
    "isort",
    "flake8",
    "pylint",
    "pyright",
    "eslint",
    "prettier",
    "tsc",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "gradle",
    "gradlew",
    "mvn",
    "mvnw",
    "phpunit",
    "rspec",
    "rake",
    "rubocop",
    "shellcheck",
    "shfmt",
    "clang-format",
    "clang-tidy",
    "golangci-lint",
    "staticcheck",
    "rustc",
    "rustfmt",
    "rustdoc",
    "gofmt",
    "goimports",
    "gcc",
    "g++",
    "cc",
    "c++",
    "clang",
    "clang++",
    "ld",
    "ar",
    "ranlib",
    "javac",
    "kotlinc",
    "scalac",
    "ghc",
    "stack",
    "cabal",
    "biome",
    "oxlint",
    "stylelint",
    "rollup",
    "esbuild",
    "webpack",
    "vite",
    "turbo",
    "playwright",
    "cypress",
    "nyc",
    "c8",
    "coverage",
    "yapf",
    "autopep8",
    "bandit",
    "actionlint",
    "hadolint",
    "yamllint",
    "markdownlint",
    "taplo",
    "typos",
    "just",
    "task",
    "bazel",
    "buck2",
    "tidy",
    "protoc",
    "flow",
    "standard",
    "xo",
    "ktlint",
    "swiftlint",
    "swiftformat",
    "ameba",
    "credo",
    "dialyzer",
    "sbt",
    "lein",
];
impl Bench<'_> {
    /// Judges a tool that builds or tests; false if `name` is none.
    pub fn build(&mut self, name: &str, args: &[Flat], at: &CommandFolders) -> bool {
        match name {
            "cargo" => self.cargo(args, at),
            "go" => self.go(args, at),
            "npm" | "pnpm" | "yarn" | "bun" => self.packages(name, args, at),
            "dotnet" => self.by_word(
                name,
                args,
                &["build", "test", "run", "clean", "format", "--version", "--info", "list"],
                &["restore", "add", "tool", "nuget", "workload", "new"],
                &[],
            ),
            "swift" => {
                self.by_word(name, args, &["build", "test", "run", "format", "--version"], &["package"], &[])
            }
            "mix" => self.by_word(
                name,
                args,
                &["test", "compile", "format", "credo", "dialyzer", "run", "help"],
                &["deps.get", "deps.update", "archive.install"],
                &["hex.publish", "hex.user"],
            ),
            "zig" => self.by_word(
                name,
                args,
                &["build", "test", "fmt", "run", "build-exe", "build-lib", "version", "ast-check"],
                &["fetch"],
                &[],
            ),
            "deno" => self.by_word(
                name,
                args,
                &["test", "lint", "fmt", "check", "bench", "task", "--version", "info", "doc"],
                &["install", "add", "cache", "run"],
                &["publish", "deploy"],
            ),
            "rustup"
                if args
                    .iter()
                    .any(|arg| ["add", "install", "uninstall", "link"].contains(&arg.text.as_str())) =>
            {
                let why = "rustup reaches the network and changes the user's toolchains";
                self.found.doubt(Risk::Network, why);
            }
            "rustup" => self.by_word(
                name,
                args,
                &["show", "which", "--version", "component", "target", "toolchain", "doc"],
                &["update", "install", "default", "override"],
                &["self"],
            ),
            "bundle" => match args.first().map(|arg| arg.text.as_str()) {
                Some("exec") => self.argv(&args[1..], at, &super::bench::CommandInput::default()),
                Some("check" | "list" | "show" | "--version") => {}
                Some(_) | None => self.by_word(name, args, &[], &["install", "update", "add"], &[]),
            },
            "uv" | "poetry" | "pipenv" | "hatch" | "rye" | "pdm" => {
                match args.first().map(|arg| arg.text.as_str()) {
                    Some("run") => self.argv(&args[1..], at, &super::bench::CommandInput::default()),
                    Some(_) | None => self.by_word(
                        name,
                        args,
                        &["--version", "version", "show", "tree", "check"],
                        &["sync", "install", "add", "lock", "pip", "update", "remove", "venv"],
                        &["publish", "login", "config"],
                    ),
                }
            }
            "pip" | "pip3" => self.by_word(
                name,
                args,
                &["list", "show", "freeze", "--version", "check", "config"],
                &["install", "download", "uninstall", "wheel", "index", "search"],
                &[],
            ),
            _ if TOOLS.contains(&name) => self.tool(name, args, at),
            _ => return false,
        }
        true
    }

    fn by_word(&mut self, name: &str, args: &[Flat], calm: &[&str], far: &[&str], grave: &[&str]) {
        let first = args.iter().find(|arg| !arg.is_option() || calm.contains(&arg.text.as_str()));
        match first.map(|word| word.text.as_str()) {
            None if args.is_empty() => {}
            Some(word) if calm.contains(&word) => {
                if self.role == Role::Verifier
                    && ["fmt", "format"].contains(&word)
                    && !args.iter().any(is_check)
                {
                    self.verifier_writes();
                }
            }
            Some(word) if grave.contains(&word) => {
                self.found.doubt(Risk::Grave, format!("{name} {word} acts in the user's name"));
            }
            Some(word) if far.contains(&word) => {
                self.found.ask(
                    Risk::Network,
                    format!("{name} {word} reaches the network"),
                    Some(format!("{name} {word}")),
                );
            }
            Some(_) | None => self.unknown(name, args),
        }
    }

    pub fn verifier_writes(&mut self) {
        self.found.forbid("a verifier changes nothing: only check (--check) and report what you found");
    }

    /// A folder that a tool is told to work in: outside of the clone a person decides.
    pub fn works_in(&mut self, folders: &[Flat], at: &CommandFolders) {
        for folder in folders {
            if !self.is_ours(folder, at) {
                let why = format!("it works in {}, which is not known to be in the clone", folder.shown());
                self.found.doubt(Risk::Unknown, why);
            }
        }
    }

    fn tool(&mut self, name: &str, args: &[Flat], at: &CommandFolders) {
        let long = [
            "--directory",
            "--file",
            "--makefile",
            "--prefix",
            "--config",
            "--rootdir",
            "--build",
            "--eval",
            "--out-dir",
        ];
        let valued = if name == "tsc" || name == "eslint" { "" } else { "Cfo" };
        let options = CommandOptions::read(args, valued, &long);
        let text = |arg: &Flat| arg.text.clone();
        let words: Vec<String> = args.iter().map(text).collect();
        let has = |word: &str| words.iter().any(|given| given == word);
        match name {
            "make" | "gmake" | "ninja" | "just" | "task" | "bazel" => {
                self.works_in(&options.values(&["-C", "-f", "--directory", "--file", "--makefile"]), at);
                if options.has(&["--eval"]) || words.iter().any(|word| word.starts_with("SHELL=")) {
                    self.found.doubt(Risk::Unknown, format!("{name} is given commands in its arguments"));
                }
            }
            "cmake" if has("-E") || has("-P") => {
                self.found.doubt(Risk::Unknown, "cmake runs commands of its own language");
            }
            "mvn" | "mvnw" | "gradle" | "gradlew" | "sbt" => {
                let out = ["deploy", "publish", "release", "upload"];
                if words.iter().any(|word| {
                    out.iter().any(|out| word.rsplit(':').next().is_some_and(|task| task.starts_with(out)))
                }) {
                    self.found.doubt(Risk::Grave, format!("{name} would publish in the user's name"));
                }
            }
            "gcc" | "g++" | "cc" | "c++" | "clang" | "clang++" | "rustc" | "ld" => {
                for file in options.values(&["-o", "--out-dir"]) {
                    self.write(&file, How::Write, at);
                }
                if words.iter().any(|word| {
                    word.starts_with("-wrapper") || word.starts_with("-fplugin") || word.contains("linker=")
                }) {
                    self.found.doubt(Risk::Unknown, format!("{name} would run another program"));
                }
            }
            _ => {}
        }
        let writes = match name {
            "prettier" => has("--write") || has("-w"),
            "eslint" | "biome" | "stylelint" | "oxlint" | "standard" | "xo" => has("--fix") || has("--write"),
            "ruff" => has("--fix") || (has("format") && !args.iter().any(is_check)),
            "black" | "isort" | "rustfmt" | "yapf" | "autopep8" | "swiftformat" => !args.iter().any(is_check),
            "gofmt" | "goimports" | "shfmt" => has("-w"),
            "clang-format" | "clang-tidy" => has("-i") || has("--fix"),
            "typos" | "taplo" | "rubocop" => has("-w") || has("fmt") || has("-a") || has("-A"),
            _ => false,
        };
        if writes && self.role == Role::Verifier {
            self.verifier_writes();
        }
    }

    fn cargo(&mut self, args: &[Flat], at: &CommandFolders) {
        let own: Vec<Flat> = args.iter().take_while(|arg| arg.text != "--").cloned().collect();
        let long = [
            "--manifest-path",
            "--config",
            "--target-dir",
            "--package",
            "--features",
            "--color",
            "--out-dir",
        ];
        let options = CommandOptions::read(&own, "CpFjZ", &long);
        let words: Vec<&Flat> = options.rest.iter().filter(|word| !word.text.starts_with('+')).collect();
        self.works_in(&options.values(&["-C", "--manifest-path"]), at);
        if options.has(&["--config"]) {
            self.found.doubt(Risk::Unknown, "cargo is given settings that may run programs");
        }
        for folder in options.values(&["--target-dir", "--out-dir", "--artifact-dir"]) {
            if self.role != Role::Verifier {
                self.write(&folder, How::Write, at);
            }
        }
        let Some(sub) = words.first() else { return };
        let Some(sub) = sub.fixed() else {
            return self.found.doubt(Risk::Unknown, "cargo's subcommand is not known until it runs");
        };
        let is_offline = options.has(&["--offline", "--frozen"]);
        let writes = match sub {
            "fmt" => !args.iter().any(is_check),
            "fix" | "new" | "init" | "remove" | "rm" => true,
            "clippy" => options.has(&["--fix"]),
            "insta" => {
                !words.get(1).is_some_and(|word| ["test", "pending-snapshots"].contains(&word.text.as_str()))
            }
            _ => false,
        };
        if writes && self.role == Role::Verifier {
            self.verifier_writes();
        }
        match sub {
            "build" | "b" | "check" | "c" | "test" | "t" | "clippy" | "fmt" | "run" | "r" | "bench"
            | "doc" | "d" | "tree" | "metadata" | "nextest" | "xtask" | "clean" | "rustc" | "rustdoc"
            | "version" | "fix" | "locate-project" | "pkgid" | "insta" | "expand" | "llvm-cov"
            | "machete" | "deny" | "udeps" | "miri" | "hack" | "init" | "new" | "remove" | "rm" | "help"
            | "mutants" | "tarpaulin" | "criterion" | "bloat" | "geiger" | "verify-project" => {
                if ["init", "new"].contains(&sub) {
                    words[1..].iter().for_each(|folder| self.write(folder, How::Write, at));
                }
            }
            "publish" | "login" | "logout" | "owner" | "yank" => {
                self.found.doubt(Risk::Grave, format!("cargo {sub} acts in the user's name"));
            }
            "fetch" if is_offline => {}
            "update" | "add" | "generate-lockfile" if is_offline => {
                if self.role == Role::Verifier {
                    self.verifier_writes();
                }
            }
            "install" | "uninstall" | "update" | "add" | "fetch" | "search" | "info" | "vendor"
            | "generate-lockfile" | "audit" | "outdated" | "package" | "binstall" | "upgrade" => {
                let why = format!("cargo {sub} reaches the network");
                self.found.ask(Risk::Network, why, Some(format!("cargo {sub}")));
            }
            _ => self.unknown("cargo", &words[..1].iter().map(|word| (*word).clone()).collect::<Vec<_>>()),
        }
    }

    fn go(&mut self, args: &[Flat], at: &CommandFolders) {
        let words: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
        for (n, word) in words.iter().enumerate() {
            let name = word.trim_start_matches('-').split('=').next().unwrap_or("");
            if word.starts_with('-') && ["exec", "toolexec", "vettool", "overlay"].contains(&name) {
                self.found.doubt(Risk::Unknown, "go would run another program");
            }
            if *word == "-o"
                && let Some(file) = args.get(n + 1)
            {
                self.write(file, How::Write, at);
            }
            if *word == "-C"
                && let Some(folder) = args.get(n + 1)
            {
                self.works_in(std::slice::from_ref(folder), at);
            }
        }
        let own: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
        match (own.first().copied(), own.get(1).copied()) {
            (None, _) => {}
            (
                Some(
                    "build" | "test" | "vet" | "run" | "list" | "doc" | "version" | "generate" | "clean"
                    | "tool" | "help",
                ),
                _,
            ) => {}
            (Some("fmt"), _) => {
                if self.role == Role::Verifier {
                    self.verifier_writes();
                }
            }
            (Some("env"), _) if !words.contains(&"-w") && !words.contains(&"-u") => {}
            (Some("mod"), Some("graph" | "why" | "verify" | "init" | "edit")) | (Some("work"), _) => {}
            (Some("mod"), Some(sub)) => {
                self.found.ask(
                    Risk::Network,
                    format!("go mod {sub} reaches the network"),
                    Some(format!("go mod {sub}")),
                );
            }
            (Some(sub @ ("get" | "install")), _) => {
                self.found.ask(
                    Risk::Network,
                    format!("go {sub} reaches the network"),
                    Some(format!("go {sub}")),
                );
            }
            (Some(_), _) => self.unknown("go", args),
        }
    }
}

/// An option that makes a formatter only look.
fn is_check(arg: &Flat) -> bool {
    ["--check", "--diff", "-c", "--check-only", "--dry-run", "-l", "--version", "--lint"]
        .contains(&arg.text.as_str())
}
