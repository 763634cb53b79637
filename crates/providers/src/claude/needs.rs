//! What Claude Code needs of its sandbox, as data: its files and package, its variables, its keys. Everything about a
//! sandbox that is special to Claude Code stands here.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use mind::access::Access;
use mind::sandbox_needs::{SandboxNeeds, SandboxSecret};

use super::ClaudeOptions;
use super::files::{ClaudeFiles, claude_files};
use super::launch::home;

/// A key's usual variable, and the one that names a descriptor to read it from.
const KEYS: [(&str, &str); 2] = [
    ("ANTHROPIC_API_KEY", "CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR"),
    ("CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR"),
];

/// Variables that it may see beside those of every program. A token among these has no other way to it; a key has.
const VARIABLES: &str = "
    ANTHROPIC_BASE_URL ANTHROPIC_MODEL ANTHROPIC_AUTH_TOKEN ANTHROPIC_CUSTOM_HEADERS ANTHROPIC_BETAS
    CLAUDE_CONFIG_DIR CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC DISABLE_TELEMETRY DISABLE_AUTOUPDATER
    DISABLE_ERROR_REPORTING API_TIMEOUT_MS IS_SANDBOX CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX
";

/// A token that counts as a login.
const TOKEN: &str = "ANTHROPIC_AUTH_TOKEN";
const BEDROCK: &str = "CLAUDE_CODE_USE_BEDROCK";
const VERTEX: &str = "CLAUDE_CODE_USE_VERTEX";
/// Names the program that it starts each command with.
const COMMAND_PREFIX: &str = "CLAUDE_CODE_SHELL_PREFIX";
/// What its commands read of its own files: the user's shell as it was found, and what was set in it.
const READ_BY_COMMANDS: [&str; 2] = ["shell-snapshots", "session-env"];

type Variable = (OsString, OsString);

/// Makes its files below `place`, and returns what its sandbox around `clone` must give it.
pub fn sandbox_needs(
    options: &ClaudeOptions,
    place: &Path,
    clone: &Path,
    mission: &str,
) -> Result<(SandboxNeeds, ClaudeFiles), String> {
    let users = home(&options.env).ok_or("HOME is not set")?;
    let inherited: Vec<Variable> = inherited(&options.env);
    let secrets = secrets(&inherited);
    let is_login_given = !secrets.is_empty() || inherited.iter().any(|(name, _)| name == TOKEN);
    let config = place.join("claude");
    let own = claude_files(&users, &config, clone, mission, options.settings, is_login_given)
        .map_err(|error| format!("cannot make ready {}: {error}", config.display()))?;
    let mut files = own.views.clone();
    // The program may be in a hidden place, with what it needs beside it.
    let program = fs::canonicalize(&options.program).unwrap_or_else(|_| options.program.clone());
    files.extend(package(&program).into_iter().map(|place| (place, Access::Read)));
    let mut variables = variables(&inherited);
    variables.retain(|(name, _)| own.environment.iter().all(|(set, _)| set != name));
    variables.extend(own.environment.iter().cloned());
    let needs = SandboxNeeds {
        files,
        command_files: command_files(&own),
        overrides: options.env.clone(),
        variables,
        command_prefix: Some(COMMAND_PREFIX),
        secrets: Some(secrets),
    };
    Ok((needs, own))
}

/// What a command sees of Claude Code's files: none that it may write for itself (login, settings, other conversations).
fn command_files(own: &ClaudeFiles) -> Vec<(PathBuf, Access)> {
    let written = own.views.iter().filter(|(_, view)| *view == Access::Write);
    let hidden = written.map(|(place, _)| (place.clone(), Access::Hidden));
    hidden.chain(READ_BY_COMMANDS.map(|name| (own.config.join(name), Access::Read))).collect()
}

/// Arbiter's own environment, with the options' variables in place of its own.
fn inherited(set: &[(String, String)]) -> Vec<Variable> {
    let is_set = |name: &OsString| set.iter().any(|(own, _)| name == own.as_str());
    let kept = std::env::vars_os().filter(|(name, _)| !is_set(name));
    kept.chain(set.iter().map(|(name, value)| (name.into(), value.into()))).collect()
}

/// The keys that can go by a descriptor.
fn secrets(inherited: &[Variable]) -> Vec<SandboxSecret> {
    let secret = |(name, value): &Variable| {
        let value = value.to_str().filter(|value| !value.is_empty())?;
        let (_, variable) = KEYS.iter().find(|(known, _)| name == known)?;
        Some(SandboxSecret { variable, value: value.to_owned() })
    };
    inherited.iter().filter_map(secret).collect()
}

/// The variables of `inherited` that Claude Code may see. A model's provider keeps the variables it needs, their keys
/// among them, because they have no other way.
fn variables(inherited: &[Variable]) -> Vec<Variable> {
    let has = |name: &str| inherited.iter().any(|(found, value)| found == name && !is_off(value));
    let (bedrock, vertex) = (has(BEDROCK), has(VERTEX));
    let may = |name: &OsStr| {
        let Some(name) = name.to_str() else { return false };
        let is_model = name.starts_with("ANTHROPIC_") && name.ends_with("_MODEL");
        let is_bedrock = name.starts_with("AWS_")
            || ["ANTHROPIC_BEDROCK_BASE_URL", "CLAUDE_CODE_SKIP_BEDROCK_AUTH"].contains(&name);
        let is_vertex = name == "CLAUDE_CODE_SKIP_VERTEX_AUTH"
            || ["GOOGLE_", "CLOUD_ML_", "VERTEX_", "ANTHROPIC_VERTEX_"]
                .iter()
                .any(|prefix| name.starts_with(prefix));
        VARIABLES.split_whitespace().any(|known| known == name)
            || is_model
            || bedrock && is_bedrock
            || vertex && is_vertex
    };
    inherited.iter().filter(|(name, _)| may(name)).cloned().collect()
}

fn is_off(value: &OsStr) -> bool {
    value.is_empty() || value == "0" || value == "false"
}

/// The program itself, and the package it came with, if a package manager put it there.
fn package(program: &Path) -> Vec<PathBuf> {
    let scoped = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b"@");
    let package = program.ancestors().find(|folder| {
        let above = folder.parent().and_then(Path::file_name);
        let is_named = folder.file_name().is_some_and(|name| !scoped(name));
        let further = folder.parent().and_then(Path::parent).and_then(Path::file_name);
        is_named
            && (above == Some("node_modules".as_ref())
                || above.is_some_and(scoped) && further == Some("node_modules".as_ref()))
    });
    let package = package.filter(|folder| *folder != program).map(Path::to_path_buf);
    [program.to_path_buf()].into_iter().chain(package).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_shown_with_its_package_and_no_more() {
        let shown = |program: &str| -> Vec<String> {
            package(Path::new(program)).iter().map(|place| place.display().to_string()).collect()
        };
        assert_eq!(shown("/tmp/claude"), ["/tmp/claude"]);
        assert_eq!(
            shown("/opt/x/node_modules/@anthropic-ai/claude-code/bin/claude.exe"),
            [
                "/opt/x/node_modules/@anthropic-ai/claude-code/bin/claude.exe",
                "/opt/x/node_modules/@anthropic-ai/claude-code"
            ]
        );
        assert_eq!(shown("/opt/node_modules/claude/cli.js")[1], "/opt/node_modules/claude");
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<Variable> {
        pairs.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))).collect()
    }

    fn names(of: &[(&str, &str)]) -> String {
        let kept = variables(&pairs(of));
        kept.iter().map(|(name, value)| format!("{}={} ", name.display(), value.display())).collect()
    }

    #[test]
    fn its_keys_go_by_descriptors_and_its_other_variables_by_name() {
        let all = [
            ("PATH", "/usr/bin"),
            ("AWS_SECRET_ACCESS_KEY", "canary"),
            ("ANTHROPIC_API_KEY", "k"),
            ("CLAUDE_CODE_OAUTH_TOKEN", ""),
            ("ANTHROPIC_BASE_URL", "u"),
            ("ANTHROPIC_DEFAULT_OPUS_MODEL", "m"),
            ("DATABASE_URL", "d"),
        ];
        assert_eq!(names(&all), "ANTHROPIC_BASE_URL=u ANTHROPIC_DEFAULT_OPUS_MODEL=m ");
        let key = SandboxSecret { variable: "CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR", value: "k".to_owned() };
        assert_eq!(secrets(&pairs(&all)), [key]);
    }

    #[test]
    fn a_models_provider_keeps_what_it_needs_while_it_is_used() {
        let bedrock = [("CLAUDE_CODE_USE_BEDROCK", "1"), ("AWS_REGION", "r"), ("GOOGLE_CLOUD_PROJECT", "p")];
        assert_eq!(names(&bedrock), "CLAUDE_CODE_USE_BEDROCK=1 AWS_REGION=r ");
        let vertex = [("CLAUDE_CODE_USE_VERTEX", "1"), ("CLOUD_ML_REGION", "r"), ("AWS_REGION", "r")];
        assert_eq!(names(&vertex), "CLAUDE_CODE_USE_VERTEX=1 CLOUD_ML_REGION=r ");
        assert_eq!(
            names(&[("CLAUDE_CODE_USE_BEDROCK", "0"), ("AWS_REGION", "r")]),
            "CLAUDE_CODE_USE_BEDROCK=0 "
        );
    }
}
