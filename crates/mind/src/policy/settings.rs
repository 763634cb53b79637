//! Settings of git: which only change how things look, and which make git run something.

/// A setting that only changes how things look or who commits.
pub fn is_calm_key(key: &str) -> bool {
    let prefixes = [
        "user.name",
        "user.email",
        "color.",
        "advice.",
        "column.",
        "log.",
        "status.",
        "branch.",
        "commit.gpgsign",
        "tag.gpgsign",
    ];
    let names = [
        "init.defaultbranch",
        "core.quotepath",
        "core.autocrlf",
        "core.abbrev",
        "core.filemode",
        "core.ignorecase",
        "core.safecrlf",
        "core.whitespace",
        "core.eol",
        "diff.renames",
        "diff.algorithm",
        "diff.renamelimit",
        "merge.conflictstyle",
        "merge.renames",
        "merge.ff",
        "pull.rebase",
        "pull.ff",
        "rebase.autosquash",
        "rebase.autostash",
        "rerere.enabled",
        "safe.directory",
        "gc.auto",
        "commit.verbose",
        "diff.noprefix",
        "diff.mnemonicprefix",
        "grep.linenumber",
        "core.longpaths",
        "core.preloadindex",
        "core.untrackedcache",
    ];
    prefixes.iter().any(|prefix| key.starts_with(prefix)) || names.contains(&key)
}

/// A setting that makes git run something, or look for it elsewhere.
pub fn is_dangerous_key(key: &str) -> bool {
    let prefixes = [
        "alias.",
        "filter.",
        "credential",
        "protocol.",
        "include",
        "gpg.",
        "uploadpack",
        "receive.",
        "remote.",
        "url.",
        "trailer.",
        "difftool.",
        "mergetool.",
        "pager.",
        "http.",
        "submodule.",
    ];
    let names = [
        "core.hookspath",
        "core.fsmonitor",
        "core.sshcommand",
        "core.pager",
        "core.editor",
        "core.gitproxy",
        "core.askpass",
        "core.worktree",
        "core.attributesfile",
        "core.excludesfile",
        "diff.external",
        "sequence.editor",
        "interactive.difffilter",
        "core.bare",
        "core.alternaterefscommand",
    ];
    let ends = [".textconv", ".command", ".driver", ".cmd", ".path", ".program", ".helper"];
    prefixes.iter().any(|prefix| key.starts_with(prefix))
        || names.contains(&key)
        || ends.iter().any(|end| key.ends_with(end))
        || key.contains('\0')
}
