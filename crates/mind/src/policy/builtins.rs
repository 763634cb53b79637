//! What the shell itself does, and the variables that change what others do.

use super::Risk;
use super::bench::Bench;
use super::paths::CommandFolders;
use super::word::Flat;

/// Commands of the shell that its own meaning hangs on.
const BUILTINS: [&str; 20] = [
    "cd", "pushd", "popd", "exit", "return", "command", "builtin", "exec", "eval", "source", ".", "export",
    "unset", "set", "trap", "test", "[", "true", "false", "git",
];

/// A function of this name would give another meaning to what is judged elsewhere.
pub fn is_builtin(name: &str) -> bool {
    BUILTINS.contains(&name)
}

/// A command of the shell that takes words for numbers or elements of lists.
pub fn counts(name: &str) -> bool {
    let names = [
        "test",
        "[",
        "let",
        "read",
        "unset",
        "printf",
        "declare",
        "typeset",
        "local",
        "export",
        "readonly",
        "mapfile",
        "readarray",
        "getopts",
        "wait",
    ];
    names.contains(&name)
}

impl Bench<'_> {
    /// Where the shell counts, it runs what stands in the brackets of a name, even out of quotes.
    pub fn subscript(&mut self, word: &Flat) {
        if word.text.contains('[') && (word.text.contains("$(") || word.text.contains('`')) {
            self.found.unseen(Risk::Grave, "the shell may run the command that stands in brackets");
        }
    }

    /// Judges a command of the shell itself; false if it is none.
    pub fn builtin(&mut self, name: &str, args: &[Flat], at: &CommandFolders) -> bool {
        match name {
            ":" | "true" | "false" | "shift" | "wait" | "jobs" | "umask" | "ulimit" | "times" | "break"
            | "continue" | "exit" | "return" | "help" | "type" | "fg" => {}
            "cd" | "pushd" | "popd" | "chdir" => {
                self.moved = true;
                self.forget();
            }
            "export" | "declare" | "typeset" | "local" | "readonly" | "read" | "mapfile" | "readarray"
            | "unset" | "getopts" | "let" => {
                self.forget();
                if name == "mapfile" || name == "readarray" {
                    let options = super::options::CommandOptions::read(args, "dnOsuCc", &[]);
                    for callback in options.values(&["-C"]) {
                        self.inner_text(&callback, at, "what it runs for each line");
                    }
                    if args.iter().any(|arg| arg.open) {
                        self.dynamic(name);
                    }
                }
                for arg in args.iter().filter(|arg| !arg.is_option()) {
                    let name = arg.text.split(['=', '+', '[']).next().unwrap_or("");
                    if name.contains(super::word::HOLE) {
                        self.found.doubt(Risk::Unknown, "the variable it sets is not known until it runs");
                    }
                    let value = arg.text.find('=').map(|cut| arg.after(cut + 1));
                    self.assign(name, value.as_ref());
                }
            }
            "set" => {}
            "shopt" => {
                let plain = [
                    "-s",
                    "-u",
                    "-q",
                    "-p",
                    "nullglob",
                    "globstar",
                    "failglob",
                    "pipefail",
                    "inherit_errexit",
                ];
                if !args.iter().all(|arg| plain.contains(&arg.text.as_str())) {
                    self.found.unseen(Risk::Unknown, "it changes how the shell reads commands");
                }
            }
            "hash" if args.iter().all(|arg| arg.text == "-r") => {}
            "hash" | "alias" | "enable" | "bind" | "complete" | "fc" | "unalias" | "autoload"
            | "zmodload" | "emulate" => {
                self.found.unseen(Risk::Unknown, format!("{name} changes what commands mean"));
            }
            "trap" => match args {
                [] => {}
                [action, ..] if action.text.is_empty() || action.text == "-" => {}
                [action, ..] => self.inner_text(action, &[None].into(), "what it runs at the end"),
            },
            "eval" => {
                let known: Option<Vec<&str>> = args.iter().map(Flat::fixed).collect();
                match known {
                    Some(words) => self.inner_text(&Flat::of(words.join(" ")), at, "what it runs"),
                    None => {
                        self.found.unseen(Risk::Unknown, "what it runs (eval) is not known until it runs")
                    }
                }
                self.forget();
            }
            "source" | "." => {
                self.forget();
                // A file of the clone can do no more here than the same file run as a script.
                if !args.first().is_some_and(|file| self.is_ours(file, at)) {
                    self.found.unseen(Risk::Unknown, "it reads commands from a file outside the clone");
                }
            }
            "disown" | "bg" => self.background(name),
            _ => return false,
        }
        true
    }

    /// Judges a command line that is an argument.
    pub fn inner_text(&mut self, text: &Flat, at: &CommandFolders, what: &str) {
        // What looks like a pattern is none here: the inner shell sees the characters.
        if text.has_hole() {
            self.found.unseen(Risk::Unknown, format!("{what} is not known until it runs"));
        } else {
            self.text(&text.text, at);
        }
    }

    /// A command that outlives the turn.
    pub fn background(&mut self, name: &str) {
        self.found.forbid(format!(
            "{name} leaves a command running in the background: your turn would end before it does. Run it in the \
             foreground and wait for it"
        ));
    }
}
