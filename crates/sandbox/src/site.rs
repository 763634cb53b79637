//! A site: everything of a mission's cages but the folder that is worked in. Agents work in the clone, checks in the
//! proof folder, git looks at either; each gets a cage of its own, made when its folder is there.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::lay::{Lay, Level, View};

use super::Settings;
use super::{Cage, Ground, Plan, Survey, claude_files, environment, lay_of};

/// Where a mission's processes may be, and what holds them there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// What holds.
    pub level: Level,
    /// What the machine was found to offer.
    pub survey: Survey,
    /// The mission, by its name.
    pub mission: String,
    /// The user's home.
    pub home: PathBuf,
    /// The user's project, which is hidden.
    pub project: PathBuf,
    /// The mission's own place for temporary files, canaries and the agent's configuration; made when it is needed.
    pub place: PathBuf,
    /// Our own folders: hidden.
    pub ours: Vec<PathBuf>,
    /// The words by which our own binary reaches [`super::enter`].
    pub own: Vec<OsString>,
    /// What the user lets be written.
    pub write: Vec<PathBuf>,
    /// What the user hides.
    pub hide: Vec<PathBuf>,
    /// Variables that the user lets through.
    pub names: Vec<String>,
}

/// An agent's cage, and what goes with it.
#[derive(Debug, Clone)]
pub struct Housing {
    /// The cage.
    pub cage: Arc<Cage>,
    /// What it lets be seen and written.
    pub lay: Lay,
    /// Claude Code's own files in it.
    pub files: Option<super::ClaudeFiles>,
    /// What it is given by other ways than its environment: the first line of its input.
    pub secrets: Option<String>,
}

impl Site {
    /// A site at which nothing is held: for tests.
    #[must_use]
    pub fn nowhere() -> Site {
        let unknown = || Err("nobody looked".to_owned());
        Site {
            level: Level::Off,
            survey: Survey {
                bubblewrap: unknown().map(|(): ()| PathBuf::new()),
                landlock: unknown().map(|(): ()| 0),
            },
            mission: String::new(),
            home: PathBuf::new(),
            project: PathBuf::new(),
            place: PathBuf::new(),
            ours: Vec::new(),
            own: Vec::new(),
            write: Vec::new(),
            hide: Vec::new(),
            names: Vec::new(),
        }
    }

    /// The cage in which checks run, or git, in `folder`: as strong as that of the agents whose work it is. `borrowed` are
    /// the places that the clone borrows from.
    pub fn for_commands(&self, folder: &Path, borrowed: &[PathBuf]) -> Result<Cage, String> {
        let environment = environment(std::env::vars_os(), &self.names, false);
        self.cage(folder, "command", Vec::new(), borrowed, environment)
    }

    /// The cage of Claude Code's sessions in `clone`. `users` is the user's own configuration folder of it.
    pub fn for_claude(
        &self,
        clone: &Path,
        program: &Path,
        users: &Path,
        settings: Settings,
        more: &[(String, String)],
        borrowed: &[PathBuf],
    ) -> Result<Housing, String> {
        let inherited = || {
            let own = |name: &OsString| more.iter().any(|(set, _)| name == set.as_str());
            let kept = std::env::vars_os().filter(move |(name, _)| !own(name));
            kept.chain(more.iter().map(|(name, value)| (name.into(), value.into())))
        };
        let secrets = super::secrets(inherited());
        let config = self.place.join("claude");
        let given = !secrets.is_empty() || inherited().any(|(name, _)| name == "ANTHROPIC_AUTH_TOKEN");
        let files = claude_files(users, &config, clone, &self.mission, settings, given)
            .map_err(|error| format!("cannot make ready {}: {error}", config.display()))?;
        let mut agent = files.views.clone();
        // It may be in a place that is hidden, with what it needs beside it.
        let program = fs::canonicalize(program).unwrap_or_else(|_| program.to_path_buf());
        agent.extend(package(&program).into_iter().map(|place| (place, View::Read)));
        let mut environment = environment(inherited(), &self.names, true);
        environment.retain(|(name, _)| files.environment.iter().all(|(set, _)| set != name));
        environment.extend(files.environment.iter().cloned());
        let (shell, orders) = (self.place.join("shell"), self.place.join("command.json"));
        let nests = self.level != Level::Off && self.survey.landlock.is_ok();
        if nests {
            self.write_shell(&shell, &orders)?;
            agent.extend([&shell, &orders].map(|file| (file.clone(), View::Read)));
            environment.push(("CLAUDE_CODE_SHELL_PREFIX".into(), shell.into()));
        }
        let cage = Arc::new(self.cage(clone, "agent", agent, borrowed, environment)?);
        let lay = self.lay_of_commands(&cage, &files);
        if nests {
            fs::write(&orders, super::command_orders(&lay))
                .map_err(|error| format!("cannot write {}: {error}", orders.display()))?;
        }
        let secrets = Some(super::secrets_line(&secrets));
        Ok(Housing { cage, lay, files: Some(files), secrets })
    }

    /// What Claude Code's tools may see and write: all that it may, but for its own files. So a command can read neither
    /// its login nor other sessions' conversations, and can change no settings.
    fn lay_of_commands(&self, cage: &Cage, files: &super::ClaudeFiles) -> Lay {
        let mut lay = cage.plan().lay.clone();
        let mut set = |place: &Path, view: View| {
            lay.views.insert(place.display().to_string(), view);
        };
        for (place, view) in &files.views {
            if *view == View::Write {
                set(place, View::Hidden);
            }
        }
        set(&files.config.join("shell-snapshots"), View::Read);
        set(&files.config.join("session-env"), View::Read);
        if self.level == Level::Bubblewrap {
            // There it is the mission's own.
            set(Path::new("/tmp"), View::Write);
        }
        lay
    }

    /// The program that Claude Code starts every command with: it puts the command into a domain of its own, from which
    /// Claude Code itself is out of reach.
    fn write_shell(&self, shell: &Path, orders: &Path) -> Result<(), String> {
        let quoted = |word: &std::ffi::OsStr| format!("'{}'", word.to_string_lossy().replace('\'', "'\\''"));
        let own: Vec<String> = self.own.iter().map(|word| quoted(word)).collect();
        let wanted = std::env::var_os("SHELL").map(PathBuf::from);
        let is_known = |shell: &PathBuf| {
            let name = shell.file_name().unwrap_or_default();
            (name == "bash" || name == "zsh") && shell.is_file()
        };
        let bash = wanted.filter(is_known).unwrap_or_else(|| "/bin/bash".into());
        let text = format!(
            "#!/bin/sh\nexec {} command {} -- {} -c \"$1\"\n",
            own.join(" "),
            quoted(orders.as_os_str()),
            quoted(bash.as_os_str())
        );
        let failed = |error: std::io::Error| format!("cannot write {}: {error}", shell.display());
        fs::create_dir_all(&self.place).map_err(failed)?;
        // Both are there before the lay is made, which knows only what is there.
        fs::write(orders, "{}").map_err(failed)?;
        fs::write(shell, text).map_err(failed)?;
        fs::set_permissions(shell, fs::Permissions::from_mode(0o755)).map_err(failed)
    }

    /// The cage of the rehearsal's actors in `clone`, who follow `script` and keep their conversations in `store`.
    pub fn for_actors(
        &self,
        clone: &Path,
        script: &Path,
        store: &Path,
        borrowed: &[PathBuf],
    ) -> Result<Housing, String> {
        let agent = vec![(script.to_path_buf(), View::Read), (store.to_path_buf(), View::Write)];
        let environment = environment(std::env::vars_os(), &self.names, false);
        let cage = Arc::new(self.cage(clone, "actor", agent, borrowed, environment)?);
        Ok(Housing { lay: cage.plan().lay.clone(), cage, files: None, secrets: None })
    }

    fn cage(
        &self,
        folder: &Path,
        who: &str,
        agent: Vec<(PathBuf, View)>,
        borrowed: &[PathBuf],
        environment: Vec<(OsString, OsString)>,
    ) -> Result<Cage, String> {
        let unmade = |error: std::io::Error| format!("cannot lay out the sandbox: {error}");
        // What agents leave there is not for checks to find.
        let tmp = self.place.join(format!("tmp-{who}"));
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&tmp).map_err(unmade)?;
        let ground = Ground {
            home: self.home.clone(),
            clone: folder.to_path_buf(),
            tmp: tmp.clone(),
            project: Some(self.project.clone()),
            borrowed: borrowed.to_vec(),
            ours: self.ours.clone(),
            programs: self.own.first().map(PathBuf::from).into_iter().collect(),
            write: self.write.clone(),
            hide: self.hide.clone(),
            agent,
        };
        let plan = Plan {
            level: self.level,
            bubblewrap: self.survey.bubblewrap.clone().ok(),
            lay: lay_of(&ground).map_err(unmade)?,
            tmp: fs::canonicalize(&tmp).map_err(unmade)?,
            own: self.own.clone(),
            environment,
            canary: self.place.join(format!("canary-{who}")),
            closed: vec![self.project.clone()],
        };
        Cage::set(plan).map_err(|error| format!("the sandbox cannot be made: {error}"))
    }
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
}
