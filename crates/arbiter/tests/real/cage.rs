//! The real `claude` in the cage: it works, keeps its conversation where a person finds it, and neither it nor its
//! commands get at what is hidden. Which of its files it needs was found out by this program; here that stays true.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use mind::access::SandboxLevel;
use mind::sandbox_needs::SandboxSecret;
use providers::claude::Settings;
use providers::claude::files::{ClaudeFiles, claude_files};
use sandbox::{AccessInputs, Purpose, Sandbox, SandboxSpec, SandboxSurvey};
use serde_json::json;
use sim::api::{Api, Scenario, Step, Voice};
use sim::real;

const KEY: &str = "sk-a-key-that-opens-nothing";
const SESSION: &str = "5eed0000-0000-4000-8000-000000000001";

/// A home, a project, a clone, and the cage around them.
struct House {
    _folder: tempfile::TempDir,
    root: PathBuf,
    claude: PathBuf,
    survey: SandboxSurvey,
    level: SandboxLevel,
}

impl House {
    fn new(level: SandboxLevel, survey: SandboxSurvey) -> Option<House> {
        let claude = sim::claude::real()?;
        let folder = tempfile::tempdir().expect("a folder can be made");
        let root = folder.path().canonicalize().expect("it is there");
        for place in ["home/.ssh", "home/.claude/projects/-other", "state/clones/m1", "state/tmp", "project"]
        {
            fs::create_dir_all(root.join(place)).expect("a folder can be made");
        }
        for file in
            ["home/.ssh/id", "home/.claude/projects/-other/x.jsonl", "home/.claude.json", "project/.env"]
        {
            fs::write(root.join(file), "{\"word\": \"SECRET-WORD\"}").expect("a file can be made");
        }
        Some(House { _folder: folder, root, claude, survey, level })
    }

    fn clone(&self) -> PathBuf {
        self.root.join("state/clones/m1")
    }

    /// Claude Code's own files, anew before every start.
    fn files(&self) -> ClaudeFiles {
        let (users, config) = (self.root.join("home/.claude"), self.root.join("state/claude"));
        let files = claude_files(&users, &config, &self.clone(), "m1", Settings::Isolated, true);
        files.expect("its files can be made")
    }

    fn sandbox(&self, api: &Api) -> Sandbox {
        let files = self.files();
        let lay = sandbox::lay_of(&AccessInputs {
            home: self.root.join("home"),
            clone: self.clone(),
            tmp: self.root.join("state/tmp"),
            project: Some(self.root.join("project")),
            ours: vec![self.root.join("state")],
            programs: vec![crate::BINARY.into(), self.claude.clone()],
            agent: files.views,
            ..AccessInputs::default()
        });
        let inherited = sim::claude::sandboxed_env(&self.root, &api.url()).into_iter().chain([
            ("PATH".to_owned(), std::env::var("PATH").expect("there is one")),
            ("HOUSE_TOKEN".to_owned(), "SECRET-WORD".to_owned()),
            // Its guard against root does not know this sandbox.
            ("IS_SANDBOX".to_owned(), "1".to_owned()),
        ]);
        let is_its_own = |name: &str| {
            name.starts_with("ANTHROPIC_") || name.starts_with("DISABLE_") || name == "IS_SANDBOX"
        };
        let inherited: Vec<(OsString, OsString)> =
            inherited.map(|(name, value)| (name.into(), value.into())).collect();
        let mut environment = sandbox::environment(inherited.clone(), &[]);
        environment.extend(
            inherited
                .into_iter()
                .filter(|(name, _)| name.to_str().is_some_and(is_its_own) && name != "ANTHROPIC_API_KEY"),
        );
        environment.extend(files.environment);
        Sandbox::set(SandboxSpec {
            level: self.level,
            bubblewrap: self.survey.bubblewrap.clone().ok(),
            lay: lay.expect("it can be laid out"),
            tmp: self.root.join("state/tmp"),
            own: vec![crate::BINARY.into(), "__cage".into()],
            environment,
            canary: self.root.join("state/canary"),
            closed: vec![self.root.join("project")],
        })
        .expect("the cage can be set")
    }

    /// One turn of a session, from its start to its end: all it said after the cage.
    fn turn(&self, api: &Api, prompt: &str, identity: [&str; 2]) -> String {
        let sandbox = self.sandbox(api);
        let words = "--print --input-format stream-json --output-format stream-json --verbose --strict-mcp-config \
                     --permission-mode bypassPermissions --setting-sources= --model claude-opus-4-8 --tools \
                     Read,Bash,Write,TaskCreate";
        let words = words.split_whitespace().chain(identity);
        let mut command: Command =
            sandbox.command(self.claude.as_os_str(), words, self.clone(), Purpose::Agent { secrets: true });
        command.env("CLAUDE_CODE_TASK_LIST_ID", "m1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut agent = command.spawn().expect("it starts");
        let mut stdin = agent.stdin.take().expect("it is piped");
        let prompt = json!({"type": "user", "message": {"role": "user", "content": prompt}});
        let secrets = sandbox::secrets_line(&[SandboxSecret {
            variable: "CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR",
            value: KEY.to_owned(),
        }]);
        stdin.write_all(format!("{secrets}{prompt}\n").as_bytes()).expect("it listens");
        drop(stdin);
        let mut stdout = BufReader::new(agent.stdout.take().expect("it is piped"));
        let (mut first, mut said, mut errors) = (String::new(), String::new(), String::new());
        stdout.read_line(&mut first).expect("it speaks");
        stdout.read_to_string(&mut said).expect("it speaks");
        agent.stderr.take().map(|mut pipe| pipe.read_to_string(&mut errors));
        assert_eq!(sandbox.heard(&first), Ok(self.level), "{first}{errors}");
        assert!(agent.wait().expect("it ends").success(), "{said}{errors}");
        said
    }
}

#[test]
fn claude_works_in_the_cage_and_sees_no_more_than_it_needs() {
    let survey = sandbox::survey();
    let levels = real::at_hand([
        (SandboxLevel::Bubblewrap, survey.bubblewrap.as_ref().err()),
        (SandboxLevel::Landlock, survey.landlock.as_ref().err()),
    ]);
    for level in levels {
        let Some(house) = House::new(level, survey.clone()) else { return };
        let home = house.root.join("home");
        let spy = format!(
            "cat {0}/.ssh/id {0}/.claude.json {0}/.claude/projects/-other/x.jsonl {1}/project/.env; env; \
             tr '\\0' '\\n' </proc/$PPID/environ; echo '{{\"hooks\":{{}}}}' >{0}/.claude/settings.json; \
             echo evil >{0}/.bashrc; echo spied",
            home.display(),
            house.root.display()
        );
        let file = house.clone().join("bridge.txt");
        let api = Api::start(Scenario::new([Voice::new(
            "worker",
            [
                Step::tool("Bash", json!({"command": spy, "description": "a step"})),
                Step::tool("TaskCreate", json!({"subject": "a bridge", "description": "of stone"})),
                Step::tool("Write", json!({"file_path": file, "content": "stone\n"})),
                Step::say("built"),
                Step::say("taken up"),
            ],
        )]));
        let said = house.turn(&api, "build", ["--session-id", SESSION]);
        assert!(said.contains("spied") && said.contains("\"result\":\"built\""), "{level}: {said}");
        assert!(!said.contains("SECRET-WORD") && !said.contains(KEY), "{level}: {said}");
        assert_eq!(fs::read_to_string(file).expect("it was written"), "stone\n");
        assert!(!home.join(".claude/settings.json").exists() && !home.join(".bashrc").exists());
        assert!(home.join(".claude/tasks/m1/1.json").exists(), "the list outlives the mission");

        // The conversation is where the user's own program looks for it.
        let kept = fs::read_dir(home.join(".claude/projects")).expect("it is there").flatten();
        assert!(kept.into_iter().any(|folder| folder.path().join(format!("{SESSION}.jsonl")).exists()));
        let said = house.turn(&api, "go on", ["--resume", SESSION]);
        assert!(said.contains("\"result\":\"taken up\""), "{level}: {said}");
        let last = api.requests().pop().expect("it asked");
        assert!(last.messages().to_string().contains("a bridge"), "{level}: it remembers");
    }
}
