//! Variables that change what programs do: which of them make one run or load something else.

use super::Risk;
use super::bench::Bench;
use super::word::Flat;
use crate::access::Access;

/// Compilers and their like: any of them in the place of another changes nothing that the sandbox does not hold.
const COMPILERS: [&str; 16] = [
    "gcc", "g++", "cc", "c++", "clang", "clang++", "tcc", "musl-gcc", "ld", "lld", "ld.lld", "mold", "ar",
    "gcc-ar", "llvm-ar", "",
];

/// A variable that changes what programs run or load.
fn is_dangerous_name(name: &str) -> bool {
    const NAMES: [&str; 61] = [
        "PATH",
        "IFS",
        "ENV",
        "BASH_ENV",
        "SHELLOPTS",
        "BASHOPTS",
        "PS4",
        "PROMPT_COMMAND",
        "HOME",
        "PWD",
        "OLDPWD",
        "CDPATH",
        "SHELL",
        "EDITOR",
        "VISUAL",
        "PAGER",
        "MANPAGER",
        "BROWSER",
        "TERMINFO",
        "RUSTC",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTDOC",
        "CARGO",
        "CARGO_HOME",
        "RUSTUP_HOME",
        "RUSTUP_TOOLCHAIN",
        "CC",
        "CXX",
        "LD",
        "AR",
        "MAKEFLAGS",
        "MAKEFILES",
        "MAKE",
        "NODE_OPTIONS",
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "path",
        "fpath",
        "PERL5LIB",
        "PERL5OPT",
        "PERL5DB",
        "RUBYOPT",
        "RUBYLIB",
        "JAVA_TOOL_OPTIONS",
        "_JAVA_OPTIONS",
        "CLASSPATH",
        "GOFLAGS",
        "GOPROXY",
        "GCONV_PATH",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "ZDOTDIR",
        "TAR_OPTIONS",
        "MANOPT",
        "MANROFFOPT",
        "TMPDIR",
        "MORE",
        "SQLITE_HISTORY",
    ];
    const PREFIXES: [&str; 11] = [
        "LD_",
        "DYLD_",
        "GIT_",
        "SSH_",
        "BASH_FUNC",
        "npm_config_",
        "NPM_CONFIG_",
        "PIP_",
        "MALLOC_",
        "CLAUDE_",
        "LESS",
    ];
    // These say who commits and how git prints, and run nothing.
    const HARMLESS: [&str; 11] = [
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_AUTHOR_DATE",
        "GIT_COMMITTER_NAME",
        "GIT_COMMITTER_EMAIL",
        "GIT_COMMITTER_DATE",
        "GIT_TERMINAL_PROMPT",
        "GIT_OPTIONAL_LOCKS",
        "GIT_MERGE_AUTOEDIT",
        "PIP_NO_INPUT",
        "PIP_DISABLE_PIP_VERSION_CHECK",
    ];
    let cargo = name.starts_with("CARGO_")
        && (["_RUNNER", "_LINKER", "_WRAPPER", "_RUSTC"].iter().any(|end| name.ends_with(end))
            || name.starts_with("CARGO_ALIAS"));
    let opens = name.ends_with("PAGER") || name.ends_with("EDITOR");
    let python = ["PYTHONSTARTUP", "PYTHONHOME", "PYTHONINSPECT", "PYTHONBREAKPOINT"];
    !HARMLESS.contains(&name)
        && (NAMES.contains(&name)
            || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
            || name.starts_with("ARBITER")
            || python.contains(&name)
            || opens
            || cargo)
}

/// One of these that says which programs the names in a line stand for, or which run beside them.
fn chooses_programs(name: &str) -> bool {
    let names = [
        "PATH",
        "path",
        "IFS",
        "ENV",
        "BASH_ENV",
        "SHELLOPTS",
        "BASHOPTS",
        "PS4",
        "PROMPT_COMMAND",
        "ZDOTDIR",
    ];
    let prefixes = ["LD_", "DYLD_", "GIT_", "BASH_FUNC", "CARGO_ALIAS"];
    is_dangerous_name(name)
        && (names.contains(&name)
            || prefixes.iter().any(|prefix| name.starts_with(prefix))
            || name.ends_with("PAGER")
            || name.ends_with("EDITOR"))
}

impl Bench<'_> {
    /// A variable that is given a value.
    pub fn assign(&mut self, name: &str, value: Option<&Flat>) {
        let text = value.map_or("", |value| value.text.as_str());
        let calm = match name {
            _ if name.ends_with("PAGER") || name.ends_with("EDITOR") || name == "VISUAL" => {
                matches!(text, "cat" | "true" | ":" | "less" | "")
            }
            // Programs that no session can write are what they were.
            "PATH" => text.split(':').all(|folder| {
                folder == "\0"
                    || (folder.starts_with('/') && self.lay.view(&self.real(folder)) == Access::Read)
            }),
            "CC" | "CXX" | "LD" | "AR" => COMPILERS.contains(&without_version(text)),
            "TMPDIR" => {
                text.starts_with('/') && {
                    let real = self.real(text);
                    value.is_some_and(|value| value.fixed().is_some())
                        && self.lay.view(&real) == Access::Write
                        && !super::paths::is_protected(self.inside(&real).as_deref().unwrap_or(""))
                }
            }
            // Letters that only change how it looks.
            "LESS" => text.chars().all(|c| "-FRSXiIMNnQqeE ".contains(c)),
            "LESSCHARSET" | "LESSHISTFILE" => matches!(text, "utf-8" | "-" | "/dev/null" | ""),
            _ => false,
        };
        if !calm && chooses_programs(name) {
            self.found.unseen(Risk::Grave, format!("{name} changes what other commands do"));
        } else if !calm && is_dangerous_name(name) {
            self.found.doubt(Risk::Grave, format!("{name} changes what other commands do"));
        }
    }

    /// The temporary folder of sessions: a place that they write, outside of the clone.
    pub fn temporary(&self) -> Option<&str> {
        let mut places = self.lay.views.iter().filter(|(place, view)| {
            **view == Access::Write
                && self.inside(place).is_none()
                && !self.lay.clone.starts_with(place.as_str())
        });
        let first = places.clone().next();
        places.find(|(place, _)| place.contains("tmp")).or(first).map(|(place, _)| place.as_str())
    }
}

/// `gcc-12` is `gcc`.
fn without_version(name: &str) -> &str {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    bare.strip_suffix('-').unwrap_or(name)
}
