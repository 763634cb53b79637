//! Packages of JavaScript: the project's own scripts and tools run, what comes from the network asks.

use super::Risk;
use super::bench::{Bench, CommandInput};
use super::commands::is_plain_word;
use super::options::CommandOptions;
use super::paths::CommandFolders;
use super::word::Flat;
use crate::session::Role;

/// Tools that a project has as packages of its own, by custom.
const OWN: &[&str] = &["tsc", "jest", "vitest", "eslint", "prettier", "mocha"];
/// Names of scripts that packages have by custom.
const SCRIPTS: &[&str] = &[
    "test",
    "t",
    "tst",
    "run",
    "run-script",
    "start",
    "build",
    "lint",
    "typecheck",
    "type-check",
    "check",
    "format",
    "fmt",
    "tsc",
    "eslint",
    "prettier",
    "jest",
    "vitest",
    "coverage",
    "ls",
    "list",
    "why",
    "explain",
    "root",
    "bin",
    "prefix",
    "version",
    "--version",
    "-v",
    "help",
    "--help",
    "workspaces",
    "workspace",
    "stop",
    "dev",
];

impl Bench<'_> {
    pub fn packages(&mut self, name: &str, args: &[Flat], at: &CommandFolders) {
        let own: Vec<Flat> = args.iter().take_while(|arg| arg.text != "--").cloned().collect();
        let long = ["--prefix", "--cwd", "--dir", "--workspace", "--filter", "--script-shell"];
        let options = CommandOptions::read(&own, "CwF", &long);
        self.works_in(&options.values(&["-C", "--prefix", "--cwd", "--dir"]), at);
        if options.has(&["--script-shell", "--node-options", "--userconfig", "--globalconfig"]) {
            self.found.doubt(Risk::Unknown, format!("{name} is given settings that may run programs"));
        }
        // What is installed without the network was there before.
        let said = |value: &Option<Flat>| value.as_ref().is_none_or(|value| value.text == "true");
        let offline = options.given.iter().any(|(name, value)| name == "--offline" && said(value))
            && !options.has(&["--no-offline", "--prefix", "--global", "-g", "--script-shell"]);
        let first = options.rest.first();
        let Some(sub) = first.map_or(Some(""), Flat::fixed) else {
            return self
                .found
                .doubt(Risk::Unknown, format!("{name}'s subcommand is not known until it runs"));
        };
        match sub {
            "" if name == "yarn" && !options.has(&["--version", "-v"]) => {
                self.found.ask(
                    Risk::Network,
                    "yarn installs packages from the network",
                    Some("yarn install".to_owned()),
                );
            }
            "" => {}
            "publish" | "unpublish" | "login" | "logout" | "adduser" | "token" | "owner" | "access"
            | "deprecate" | "dist-tag" | "profile" | "team" | "org" => {
                self.found.doubt(Risk::Grave, format!("{name} {sub} acts in the user's name"));
            }
            "install" | "i" | "ci" if offline => {
                let kept = sub == "ci" || options.has(&["--frozen-lockfile", "--immutable"]);
                if self.role == Role::Verifier && !kept {
                    self.verifier_writes();
                }
            }
            "install" | "i" | "ci" | "add" | "update" | "up" | "upgrade" | "remove" | "uninstall" | "rm"
            | "link" | "audit" | "outdated" | "view" | "info" | "search" | "init" | "import" | "dedupe" => {
                let why = format!("{name} {sub} reaches the network");
                let sub = if sub == "i" { "install" } else { sub };
                self.found.ask(Risk::Network, why, Some(format!("{name} {sub}")));
            }
            "dlx" | "create" | "x" => {
                self.found.doubt(Risk::Network, format!("{name} {sub} runs a program from the network"));
            }
            "exec" => {
                self.found.doubt(Risk::Unknown, format!("{name} exec runs a program of its own choice"))
            }
            _ if SCRIPTS.contains(&sub) || sub.contains(':') => {}
            _ => self.unknown(name, &[Flat::of(sub)]),
        }
    }

    /// `npx`: a tool of the project runs, one from the network asks.
    pub fn npx(&mut self, args: &[Flat], at: &CommandFolders, feed: &CommandInput) {
        let (options, inner) = super::wrappers::split(args, "", &[]);
        let word = |n: usize| inner.get(n).and_then(Flat::fixed).unwrap_or("");
        let stays =
            options.has(&["--no-install", "--no"]) && options.given.iter().all(|(_, value)| value.is_none());
        let plain = options.given.iter().all(|(name, _)| ["--no-install", "--no"].contains(&name.as_str()));
        let own = OWN.contains(&word(0))
            || word(0) == "playwright" && word(1) == "test"
            || word(0) == "next" && ["build", "lint"].contains(&word(1));
        if !plain || !(stays || own) || !is_plain_word(word(0)) {
            let shape = Some(format!("npx {}", word(0))).filter(|_| plain && is_plain_word(word(0)));
            let known = args.iter().all(|arg| arg.fixed().is_some());
            return self.found.ask(Risk::Network, "npx reaches the network", shape.filter(|_| known));
        }
        let before = self.found.doubts.len();
        self.argv(&inner, at, feed);
        // A tool that we do not know is the project's own: it can do no more than its scripts can.
        let unknown = format!("we do not know what {} does", word(0));
        let mut n = 0;
        self.found.doubts.retain(|doubt| {
            n += 1;
            n <= before || doubt.why != unknown
        });
    }
}
