//! Finds Claude Code on this machine, and checks it: its version, and whether it has a login. It asks the program
//! itself, for a bounded time, and nothing that needs the network.

use std::ffi::{OsStr, OsString};
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::Settings;
use super::versions::ClaudeVersion;
use crate::limits::ERROR_CHARS_MAX;

/// How a person logs in.
pub const LOGIN_HINT: &str = "run `claude` once to log in, or set ANTHROPIC_API_KEY";
/// How long one question to the program may take.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(10);
/// How much of an answer is read, in bytes.
const ANSWER_BYTES_MAX: u64 = 64 * 1024;
/// How often we look whether the program has left.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Claude Code was not found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    #[error("Claude Code was not found: there is no `claude` on PATH")]
    OnPath,
    /// The configured program cannot be run.
    #[error("Claude Code was not found: {} {why}", program.display())]
    Configured { program: PathBuf, why: &'static str },
}

impl Missing {
    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Missing::OnPath => {
                "install it with `npm install -g @anthropic-ai/claude-code`, then run `claude` once to log in"
            }
            Missing::Configured { .. } => {
                "mend `claude.program`, or leave it out: then `claude` is looked for on PATH \
                 (`npm install -g @anthropic-ai/claude-code` installs it; run `claude` once to log in)"
            }
        }
    }
}

/// The program exists, and does not answer as Claude Code does.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} {why}", program.display())]
pub struct Mute {
    pub program: PathBuf,
    pub why: String,
}

/// Whether the program has an account to work with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Login {
    LoggedIn {
        /// The account: `claude.ai (max)`, `ANTHROPIC_API_KEY`, `bedrock`.
        how: String,
    },
    NotLoggedIn,
    /// The program does not say.
    Unknown(String),
}

/// The program: the configured one, or else the first `claude` on PATH.
pub fn find(configured: Option<&Path>) -> Result<PathBuf, Missing> {
    match configured {
        Some(program) => match flaw(program) {
            None => Ok(program.to_path_buf()),
            Some(why) => Err(Missing::Configured { program: program.to_path_buf(), why }),
        },
        None => search(&std::env::var_os("PATH").unwrap_or_default()).ok_or(Missing::OnPath),
    }
}

/// A relative folder of PATH would be the repository's: it is skipped.
fn search(path: &OsStr) -> Option<PathBuf> {
    let programs = std::env::split_paths(path).map(|folder| folder.join("claude"));
    programs.into_iter().find(|program| flaw(program).is_none())
}

/// Why this cannot be run, if it cannot.
fn flaw(program: &Path) -> Option<&'static str> {
    if !program.is_absolute() {
        return Some("is not an absolute path");
    }
    match program.metadata() {
        Err(_) => Some("is not there"),
        Ok(found) if !found.is_file() => Some("is not a file"),
        Ok(found) if found.permissions().mode() & 0o111 == 0 => Some("is not executable"),
        Ok(_) => None,
    }
}

/// The program's version.
pub fn version(program: &Path) -> Result<ClaudeVersion, Mute> {
    let mute = |why: String| Mute { program: program.to_path_buf(), why };
    let answer = ask(program, &["--version".into()], ANSWER_TIME_MAX).map_err(mute)?;
    let first = answer.text.split_whitespace().next().unwrap_or_default();
    let version = ClaudeVersion::read(first).filter(|_| answer.status.success());
    version.ok_or_else(|| mute(format!("does not tell its version: {}", shown(&answer))))
}

/// Whether the program has an account, under the settings its sessions will have: a helper for keys that the user's own
/// settings name does not count for isolated sessions.
#[must_use]
pub fn login(program: &Path, settings: Settings) -> Login {
    let mut words: Vec<OsString> = match settings {
        Settings::Isolated => vec!["--setting-sources".into(), "".into()],
        Settings::Project => Vec::new(),
    };
    words.extend(["auth", "status", "--json"].map(OsString::from));
    let answer = match ask(program, &words, ANSWER_TIME_MAX) {
        Ok(answer) => answer,
        Err(why) => return Login::Unknown(format!("`claude auth status` {why}")),
    };
    // It breaks long lines as for a screen, within strings too.
    match serde_json::from_str::<Status>(&answer.text.replace('\n', "")) {
        Ok(Status { logged_in: false, .. }) => Login::NotLoggedIn,
        Ok(status) => Login::LoggedIn { how: status.how() },
        Err(_) => Login::Unknown(format!("`claude auth status` is not understood: {}", shown(&answer))),
    }
}

/// What `claude auth status --json` prints; its exit status says no more.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    logged_in: bool,
    #[serde(default)]
    auth_method: Option<String>,
    #[serde(default)]
    api_provider: Option<String>,
    #[serde(default)]
    api_key_source: Option<String>,
    #[serde(default)]
    subscription_type: Option<String>,
}

impl Status {
    fn how(self) -> String {
        let method = self.auth_method.unwrap_or_else(|| "a way it does not name".to_owned());
        match (method.as_str(), self.api_key_source, self.api_provider, self.subscription_type) {
            ("third_party", _, Some(provider), _) => provider,
            ("claude.ai", _, _, Some(subscription)) => format!("claude.ai ({subscription})"),
            ("api_key" | "api_key_helper", Some(source), _, _) => source,
            _ => method,
        }
    }
}

/// What the program said, and how it left.
struct Answer {
    text: String,
    status: ExitStatus,
}

fn shown(answer: &Answer) -> String {
    match answer.text.trim().lines().next() {
        Some(line) => {
            let line: String = line.chars().filter(|sign| !sign.is_control()).collect();
            format!("it says {:?}", mind::limits::cut(&line, ERROR_CHARS_MAX))
        }
        None => format!("it says nothing ({})", answer.status),
    }
}

/// Runs the program to its end, for so long at most.
fn ask(program: &Path, words: &[OsString], time_max: Duration) -> Result<Answer, String> {
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    // A question must not make the program update itself.
    command.env("DISABLE_AUTOUPDATER", "1").process_group(0);
    let mut child = command.spawn().map_err(|error| format!("cannot be started: {error}"))?;
    let answered = hear_out(&mut child, time_max);
    if answered.is_err() {
        end(&mut child);
    }
    answered
}

fn hear_out(child: &mut Child, time_max: Duration) -> Result<Answer, String> {
    let late = || format!("does not answer within {time_max:?}");
    let until = Instant::now() + time_max;
    let (said, heard) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        // It ends with the pipe; what holds the pipe open for ever holds up only this thread.
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stdout.take(ANSWER_BYTES_MAX).read_to_end(&mut bytes);
            let _ = said.send(bytes);
        });
    }
    let bytes = match heard.recv_timeout(time_max) {
        Ok(bytes) => bytes,
        Err(RecvTimeoutError::Timeout) => return Err(late()),
        Err(RecvTimeoutError::Disconnected) => Vec::new(),
    };
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                return Ok(Answer { text: String::from_utf8_lossy(&bytes).into_owned(), status });
            }
            Ok(None) if Instant::now() < until => thread::sleep(LOOK_EVERY),
            Ok(None) => return Err(late()),
            Err(error) => return Err(format!("cannot be waited for: {error}")),
        }
    }
}

/// Ends the program with everything that it started in its group.
fn end(child: &mut Child) {
    let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that is this script. It is written by another process: a descriptor of ours, open for writing, could be
    /// inherited by a child of another test, and then it could not be run.
    fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
        let program = folder.join(name);
        let write = "printf '%s\\n' '#!/bin/sh' \"$2\" > \"$1\" && chmod 755 \"$1\"";
        let status = Command::new("sh").args(["-c", write, "sh"]).arg(&program).arg(text).status().unwrap();
        assert!(status.success());
        program
    }

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn the_first_executable_file_on_the_path_is_it() {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        for name in ["none", "plain", "dir/claude", "real", "later"] {
            std::fs::create_dir_all(at(name)).unwrap();
        }
        std::fs::write(at("plain/claude"), "").unwrap();
        let real = script(&at("real"), "claude", "");
        script(&at("later"), "claude", "");
        let path = |names: &[&str]| std::env::join_paths(names.iter().map(|name| at(name))).unwrap();
        let all = path(&["gone", "none", "plain", "dir", "real", "later"]);
        assert_eq!(search(&all), Some(real));
        assert_eq!(search(&path(&["gone", "none", "plain", "dir"])), None);
        assert_eq!(search(OsStr::new("")), None);
    }

    #[test]
    fn a_relative_folder_of_the_path_is_passed_over() {
        let folder = folder();
        script(folder.path(), "claude", "");
        let relative = Path::new(&"../".repeat(64)).join(folder.path().strip_prefix("/").unwrap());
        assert!(relative.join("claude").exists());
        assert_eq!(search(relative.as_os_str()), None);
    }

    #[test]
    fn the_configured_program_is_taken_or_named() {
        let folder = folder();
        let program = script(folder.path(), "my-claude", "");
        assert_eq!(find(Some(&program)), Ok(program));
        let plain = folder.path().join("plain");
        std::fs::write(&plain, "").unwrap();
        let cases = [
            (plain.as_path(), "is not executable"),
            (folder.path(), "is not a file"),
            (Path::new("/nowhere/claude"), "is not there"),
            (Path::new("claude"), "is not an absolute path"),
        ];
        for (program, why) in cases {
            let missing = find(Some(program)).unwrap_err();
            assert_eq!(
                missing.to_string(),
                format!("Claude Code was not found: {} {why}", program.display())
            );
            assert!(missing.hint().contains("claude.program"));
        }
        assert!(Missing::OnPath.hint().contains("npm install -g @anthropic-ai/claude-code"));
    }

    #[test]
    fn the_version_is_the_first_word() {
        let folder = folder();
        let version = |text: &str| version(&script(folder.path(), "claude", text));
        assert_eq!(
            version("[ \"$1\" = --version ] && echo '2.1.197 (Claude Code)'"),
            Ok(ClaudeVersion(2, 1, 197))
        );
        let why = |text: &str| version(text).unwrap_err().why;
        assert_eq!(
            why("printf 'claude \\033[31mspeaking\\n'"),
            "does not tell its version: it says \"claude [31mspeaking\""
        );
        assert_eq!(why("exit 3"), "does not tell its version: it says nothing (exit status: 3)");
        assert_eq!(why("echo 2.1.197; exit 1"), "does not tell its version: it says \"2.1.197\"");
        assert!(super::version(Path::new("/nowhere")).unwrap_err().why.contains("cannot be started"));
    }

    #[test]
    fn a_program_that_never_answers_is_ended() {
        let folder = folder();
        let time_max = Duration::from_millis(300);
        for text in ["sleep 60 & sleep 60", "exec >&-; sleep 60", "sleep 60 & echo 2.1.197"] {
            let began = Instant::now();
            let answer = ask(&script(folder.path(), "claude", text), &[], time_max);
            assert_eq!(answer.err().as_deref(), Some("does not answer within 300ms"), "{text}");
            assert!(began.elapsed() < Duration::from_secs(10), "{text}");
        }
    }

    #[test]
    fn the_login_is_what_the_program_says() {
        let folder = folder();
        let login = |text: &str| {
            let said = format!("cat <<'END'\n{text}\nEND");
            login(&script(folder.path(), "claude", &said), Settings::Isolated)
        };
        let none = r#"{"loggedIn": false, "authMethod": "none", "apiProvider": "firstParty"}"#;
        assert_eq!(login(none), Login::NotLoggedIn);
        let cases = [
            (
                r#""api_key", "apiProvider": "firstParty", "apiKeySource": "ANTHROPIC_API_KEY""#,
                "ANTHROPIC_API_KEY",
            ),
            (r#""oauth_token", "apiProvider": "firstParty""#, "oauth_token"),
            (r#""third_party", "apiProvider": "bedrock""#, "bedrock"),
            (
                r#""claude.ai", "orgName": "a name broken
                by the screen", "subscriptionType": "max""#,
                "claude.ai (max)",
            ),
            (r#""claude.ai", "email": null, "subscriptionType": null"#, "claude.ai"),
        ];
        for (method, how) in cases {
            let said = format!("{{\"loggedIn\": true, \"authMethod\": {method}}}");
            assert_eq!(login(&said), Login::LoggedIn { how: how.to_owned() }, "{said}");
        }
        let Login::Unknown(why) = login("error: unknown command 'auth'") else { panic!("it is known") };
        assert_eq!(why, "`claude auth status` is not understood: it says \"error: unknown command 'auth'\"");
    }

    #[test]
    fn the_login_is_asked_for_under_the_settings_of_the_sessions() {
        let folder = folder();
        let echo = r#"[ "$1" = --setting-sources ] && [ -z "$2" ] && shift 2 && key=ours
            [ "$*" = 'auth status --json' ] && echo "{\"loggedIn\":true,\"authMethod\":\"${key:-theirs}\"}""#;
        let program = script(folder.path(), "claude", echo);
        for (settings, how) in [(Settings::Isolated, "ours"), (Settings::Project, "theirs")] {
            assert_eq!(login(&program, settings), Login::LoggedIn { how: how.to_owned() });
        }
    }
}
