//! The sandboxes of a mission: everything that they share, except the folder that is worked in. Agents work in the
//! clone, checks in the proof folder, git in either; each gets a sandbox of its own, made when its folder is there.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::access::{Access, AccessMap, SandboxLevel};
use mind::sandbox_needs::SandboxNeeds;

use super::{AccessInputs, Sandbox, SandboxSpec, SandboxSurvey, environment, lay_of};

/// What every sandbox of a mission is made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxFactory {
    pub level: SandboxLevel,
    /// What this machine offers.
    pub survey: SandboxSurvey,
    pub mission: String,
    pub home: PathBuf,
    /// The user's project, which is hidden.
    pub project: PathBuf,
    /// The mission's own folder for temporary files, canaries and the agent's configuration; made when it is needed.
    pub place: PathBuf,
    /// Arbiter's own folders: hidden.
    pub ours: Vec<PathBuf>,
    /// The command that starts our own binary so that it reaches [`super::enter`].
    pub own: Vec<OsString>,
    /// What the user allows to be written.
    pub write: Vec<PathBuf>,
    /// What the user hides.
    pub hide: Vec<PathBuf>,
    /// Variables that the user lets through.
    pub names: Vec<String>,
}

/// An agent's sandbox, and what goes with it.
#[derive(Debug, Clone)]
pub struct AgentSandbox {
    pub sandbox: Arc<Sandbox>,
    /// What it allows to be seen and written.
    pub lay: AccessMap,
    /// Secrets that the agent gets by another way than its environment: the first line of its input.
    pub secrets: Option<String>,
}

impl SandboxFactory {
    /// A site at level `off`: for tests.
    #[must_use]
    pub fn nowhere() -> SandboxFactory {
        let unknown = || Err("it was not tried".to_owned());
        SandboxFactory {
            level: SandboxLevel::Off,
            survey: SandboxSurvey {
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

    /// The sandbox in which checks run, or git, in `folder`: as strong as that of the agents whose work it is.
    /// `borrowed` are the places that the clone borrows from.
    pub fn for_commands(&self, folder: &Path, borrowed: &[PathBuf]) -> Result<Sandbox, String> {
        let environment = environment(std::env::vars_os(), &self.names);
        self.sandbox(folder, "command", Vec::new(), borrowed, environment)
    }

    /// The sandbox of a provider's sessions in `clone`, as the provider of this name needs it.
    pub fn for_agent(
        &self,
        clone: &Path,
        provider: &str,
        needs: SandboxNeeds,
        borrowed: &[PathBuf],
    ) -> Result<AgentSandbox, String> {
        let SandboxNeeds { mut files, command_files, overrides, variables, command_prefix, secrets } = needs;
        let is_overridden = |name: &OsString| overrides.iter().any(|(set, _)| name == set.as_str());
        let kept = std::env::vars_os().filter(|(name, _)| !is_overridden(name));
        let inherited = kept.chain(overrides.iter().map(|(name, value)| (name.into(), value.into())));
        let mut environment = environment(inherited, &self.names);
        environment.retain(|(name, _)| variables.iter().all(|(set, _)| set != name));
        environment.extend(variables);
        let (shell, orders) = (self.place.join("shell"), self.place.join("command.json"));
        let nests = self.level != SandboxLevel::Off && self.survey.landlock.is_ok();
        let prefix = command_prefix.filter(|_| nests);
        if let Some(variable) = prefix {
            self.write_shell(&shell, &orders)?;
            files.extend([&shell, &orders].map(|file| (file.clone(), Access::Read)));
            environment.push((variable.into(), shell.into()));
        }
        let sandbox = Arc::new(self.sandbox(clone, provider, files, borrowed, environment)?);
        let lay = self.lay_of_commands(&sandbox, &command_files);
        if prefix.is_some() {
            fs::write(&orders, super::command_orders(&lay))
                .map_err(|error| format!("cannot write {}: {error}", orders.display()))?;
        }
        Ok(AgentSandbox { sandbox, lay, secrets: secrets.map(|secrets| super::secrets_line(&secrets)) })
    }

    /// What an agent's commands may see and write: everything that the agent may, except its own files. So a command
    /// can read neither its login nor other sessions' conversations, and can change no settings.
    fn lay_of_commands(&self, sandbox: &Sandbox, command_files: &[(PathBuf, Access)]) -> AccessMap {
        let mut lay = sandbox.plan().lay.clone();
        for (place, view) in command_files {
            lay.views.insert(place.display().to_string(), *view);
        }
        if self.level == SandboxLevel::Bubblewrap {
            // There it is the mission's own.
            lay.views.insert("/tmp".to_owned(), Access::Write);
        }
        lay
    }

    /// The program that an agent starts every command with: it puts the command into a domain of its own, from which it
    /// cannot reach the agent itself.
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

    fn sandbox(
        &self,
        folder: &Path,
        who: &str,
        agent: Vec<(PathBuf, Access)>,
        borrowed: &[PathBuf],
        environment: Vec<(OsString, OsString)>,
    ) -> Result<Sandbox, String> {
        let unmade = |error: std::io::Error| format!("cannot lay out the sandbox: {error}");
        // What agents leave there is not for checks to find.
        let tmp = self.place.join(format!("tmp-{who}"));
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&tmp).map_err(unmade)?;
        let ground = AccessInputs {
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
        let plan = SandboxSpec {
            level: self.level,
            bubblewrap: self.survey.bubblewrap.clone().ok(),
            lay: lay_of(&ground).map_err(unmade)?,
            tmp: fs::canonicalize(&tmp).map_err(unmade)?,
            own: self.own.clone(),
            environment,
            canary: self.place.join(format!("canary-{who}")),
            closed: vec![self.project.clone()],
        };
        Sandbox::set(plan).map_err(|error| format!("the sandbox cannot be made: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use mind::sandbox_needs::SandboxSecret;

    use super::*;

    /// A home with an agent's own folder, a clone, and a site around them at which nothing is enforced.
    fn world() -> (tempfile::TempDir, SandboxFactory) {
        let world = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(world.path()).unwrap();
        for folder in ["home/.agent/chats", "clone", "project"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        let own = vec!["/bin/true".into(), "__cage".into()];
        let (home, project, place) = (root.join("home"), root.join("project"), root.join("place"));
        (
            world,
            SandboxFactory {
                mission: "m1".to_owned(),
                home,
                project,
                place,
                own,
                ..SandboxFactory::nowhere()
            },
        )
    }

    fn housed(site: &SandboxFactory, needs: SandboxNeeds) -> AgentSandbox {
        site.for_agent(&site.home.with_file_name("clone"), "agent", needs, &[]).unwrap()
    }

    #[test]
    fn an_agent_sees_its_own_files_and_its_commands_only_what_they_may() {
        let (_world, site) = world();
        let own = site.home.join(".agent");
        let housing = housed(
            &site,
            SandboxNeeds {
                files: vec![(own.clone(), Access::Write)],
                command_files: vec![(own.clone(), Access::Hidden), (own.join("chats"), Access::Read)],
                ..SandboxNeeds::default()
            },
        );
        let view = |lay: &AccessMap, place: &str| lay.view(&own.join(place).display().to_string());
        assert_eq!(view(&housing.sandbox.plan().lay, "login"), Access::Write);
        assert_eq!(view(&housing.lay, "login"), Access::Hidden);
        assert_eq!(view(&housing.lay, "chats/1"), Access::Read);
    }

    #[test]
    fn a_variable_that_was_set_for_it_stands_once_and_only_if_its_name_may() {
        let (_world, site) = world();
        let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let needs = SandboxNeeds {
            overrides: vec![set("TZ", "UTC"), set("AGENT_TOKEN", "t-1")],
            variables: vec![("PATH".into(), "/agent/bin".into())],
            command_prefix: Some("AGENT_SHELL"),
            ..SandboxNeeds::default()
        };
        assert!(!format!("{needs:?}").contains("t-1"), "{needs:?}");
        let housing = housed(&site, needs);
        let environment = &housing.sandbox.plan().environment;
        let values = |name: &str| -> Vec<&str> {
            let of_name = environment.iter().filter(|(set, _)| set == name);
            of_name.filter_map(|(_, value)| value.to_str()).collect()
        };
        assert_eq!((values("TZ"), values("PATH")), (vec!["UTC"], vec!["/agent/bin"]));
        assert_eq!(values("AGENT_TOKEN"), Vec::<&str>::new(), "what is not let through is not set inside");
        assert_eq!(
            values("AGENT_SHELL"),
            Vec::<&str>::new(),
            "nothing holds its commands where nothing is enforced"
        );
    }

    #[test]
    fn keys_go_first_down_the_pipe_and_stand_in_no_variable() {
        let (_world, site) = world();
        let key = SandboxSecret { variable: "KEY_DESCRIPTOR", value: "sk-1".to_owned() };
        let needs = |secrets| SandboxNeeds { secrets, ..SandboxNeeds::default() };
        let housing = housed(&site, needs(Some(vec![key])));
        assert_eq!(housing.secrets.as_deref(), Some("{\"KEY_DESCRIPTOR\":\"sk-1\"}\n"));
        assert!(!format!("{:?}", housing.sandbox.plan().environment).contains("sk-1"));
        assert_eq!(
            housed(&site, needs(Some(Vec::new()))).secrets.as_deref(),
            Some("{}\n"),
            "the line is waited for"
        );
        assert_eq!(housed(&site, needs(None)).secrets, None);
    }
}
