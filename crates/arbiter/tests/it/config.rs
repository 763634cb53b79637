//! The configuration as people write it, rightly and wrongly.
// tidy: long because every key is told in it, and every fault with its place

mod conduct;
mod docket;
mod documents;
mod reach;
mod sandbox;
mod telegram;
mod terminal;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use arbiter::project::config::{Config, ConfigError, ConfigErrors, ConfigTerms, SettingOrigin};
use arbiter::project::project_files::ProjectFiles;
use arbiter::project::trust::Standing;
use mind::Timestamp;
use tempfile::TempDir;

const PROVIDERS: &[&str] = &["claude", "rehearsal"];

/// What stands below the rest where nobody says anything of conducting, nor of the terminal.
const CONDUCT: &str = "\narbiter.provider = the mission's own  (default)\n\
                       arbiter.model = its own default  (default)\n\
                       arbiter.maxTokens = 1024  (default)\n\
                       arbiter.temperature = its own default  (default)\n\
                       arbiter.cache = false  (default)\n\
                       arbiter.baseUrl = the vendor's own  (default)\n\
                       arbiter.kind = anthropic  (default)\n\
                       arbiter.price.input = the list's  (default)\n\
                       arbiter.price.output = the list's  (default)\n\
                       arbiter.price.cacheWrite = the list's  (default)\n\
                       arbiter.price.cacheRead = the list's  (default)\n\
                       agents.default = planner  (default)\n\
                       limits.maxIterations = 50  (default)\n\
                       limits.maxFailures = 3  (default)\n\
                       limits.deadline = none  (default)\nlimits.budgetUsd = none  (default)\n\
                       limits.budgetTokens = none  (default)\n\
                       provider.arbiter = default  (default)\n\
                       provider.routes = []  (default)\n\
                       memory.keeper = end  (default)\nceremony = once  (default)\n\
                       scene = on  (default)\nmotion = full  (default)\nsound = auto  (default)\n\
                       telegram.token_file = none  (default)\n\
                       telegram.allowedUsers = []  (default)\n\
                       telegram.api_url = https://api.telegram.org  (default)\n\
                       notifications.enabled = true  (default)\n\
                       notifications.quiet = none  (default)\n\
                       notifications.gather = 1m  (default)\n\
                       notifications.also = []  (default)\n\
                       serve.health = 127.0.0.1:7879  (default)";

/// A project and a user's folder. The user trusts the project, unless a test says otherwise.
struct Desk {
    folder: TempDir,
    standing: Standing,
}

impl Desk {
    fn new() -> Desk {
        let standing = Standing::Trusted { since: Timestamp(0) };
        let desk = Desk { folder: tempfile::tempdir().expect("a folder"), standing };
        fs::create_dir_all(desk.folder.path().join("project/.arbiter")).expect("a project");
        desk
    }

    fn project_file(&self) -> PathBuf {
        self.folder.path().join("project/.arbiter/config.yaml")
    }

    fn user_file(&self) -> PathBuf {
        self.folder.path().join("user.yaml")
    }

    fn project(self, text: impl AsRef<[u8]>) -> Desk {
        fs::write(self.project_file(), text).expect("a file");
        self
    }

    fn user(self, text: impl AsRef<[u8]>) -> Desk {
        fs::write(self.user_file(), text).expect("a file");
        self
    }

    fn load(&self) -> Result<Config, ConfigErrors> {
        let (user_config, home) = (self.user_file(), Path::new("/home/me"));
        let terms = ConfigTerms {
            user_config: Some(&user_config),
            home: Some(home),
            arbiter_home: &self.folder.path().join("arbiter"),
            providers: PROVIDERS,
            standing: self.standing,
        };
        Config::load(&ProjectFiles::read(&self.folder.path().join("project")), &terms)
    }

    /// What a person reads, with P and U for the two files.
    fn told(&self) -> String {
        let told = match self.load() {
            Ok(config) => config.describe().join("\n"),
            Err(errors) => errors.to_string(),
        };
        told.replace(&self.folder.path().join("arbiter").display().to_string(), "H")
            .replace(&self.project_file().display().to_string(), "P")
            .replace(&self.user_file().display().to_string(), "U")
    }
}

#[test]
fn without_files_the_defaults_count() {
    let told = "provider.default = claude  (default)\n\
                claude.program = claude on PATH  (default)\n\
                claude.settings = isolated  (default)\n\
                claude.routing = typed  (default)\n\
                claude.model = its own default  (default)\n\
                policy.mode = guarded  (default)\n\
                policy.allow = []  (default)\n\
                sandbox.level = auto  (default)\n\
                sandbox.write = []  (default)\n\
                sandbox.hide = []  (default)\n\
                sandbox.environment = []  (default)\n\
                checks = []  (default)\n\
                check_limit = 20m  (default)\n\
                resume_limit = 24h  (default)\n\
                warnings.first = 70  (default)\n\
                warnings.last = 85  (default)\n\
                warnings.policy = warn  (default)\n\
                silence = 10m  (default)\n\
                tool_silence = 30m  (default)\n\
                docket.dir = H/queue  (default)\n\
                docket.away_after = 10m  (default)\n\
                docket.headless = petition  (default)";
    let told = format!("{told}{CONDUCT}");
    assert_eq!(Desk::new().told(), told);
    for empty in ["", "\n\n", "# nothing yet\n", "---\n", "{}\n", "\u{feff}", "~\n", "---\n# a\n...\n"] {
        assert_eq!(Desk::new().project(empty).user(empty).told(), told, "{empty:?}");
    }
}

#[test]
fn every_key_is_read_and_knows_its_line() {
    let desk = Desk::new().project(
        "\u{feff}# ours\r\n\
         provider: { default: rehearsal }\r\n\
         claude:\r\n  routing: tools\r\n  model: opus\r\n\
         checks:\r\n  - [cargo, test, \"--\", \"5\"]\r\n  - [\"./check.sh\"]\r\n\
         check_limit: 90s\r\n\
         warnings:\r\n  first: 60\r\n  last: 80\r\n  policy: silent\r\n\
         silence: 5m\r\ntool_silence: 1h\r\ndocket: { away_after: 1m }\r\n",
    );
    assert_eq!(
        desk.told().replace(CONDUCT, ""),
        "provider.default = rehearsal  (project file P:2)\n\
         claude.program = claude on PATH  (default)\n\
         claude.settings = isolated  (default)\n\
         claude.routing = tools  (project file P:4)\n\
         claude.model = opus  (project file P:5)\n\
         policy.mode = guarded  (default)\n\
         policy.allow = []  (default)\n\
         sandbox.level = auto  (default)\n\
         sandbox.write = []  (default)\n\
         sandbox.hide = []  (default)\n\
         sandbox.environment = []  (default)\n\
         checks = [[\"cargo\", \"test\", \"--\", \"5\"], [\"./check.sh\"]]  (project file P:7)\n\
         check_limit = 90s  (project file P:9)\n\
         resume_limit = 24h  (default)\n\
         warnings.first = 60  (project file P:11)\n\
         warnings.last = 80  (project file P:12)\n\
         warnings.policy = silent  (project file P:13)\n\
         silence = 5m  (project file P:14)\n\
         tool_silence = 1h  (project file P:15)\n\
         docket.dir = H/queue  (default)\n\
         docket.away_after = 1m  (project file P:16)\n\
         docket.headless = petition  (default)"
    );
    let config = desk.load().unwrap();
    assert_eq!(config.check_limit.value, Duration::from_secs(90));
    assert_eq!(config.check_argvs()[1], ["./check.sh"]);
    assert_eq!((config.warnings().first, config.warnings().last), (60, 80));
}

#[test]
fn the_project_wins_key_by_key() {
    let desk = Desk::new()
        .user("checks: [[make, check]]\ncheck_limit: 2h\nwarnings: { first: 50, last: 90 }\n")
        .project("checks: []\nwarnings: { last: 95 }\n");
    assert_eq!(
        desk.told().replace(CONDUCT, ""),
        "provider.default = claude  (default)\n\
         claude.program = claude on PATH  (default)\n\
         claude.settings = isolated  (default)\n\
         claude.routing = typed  (default)\n\
         claude.model = its own default  (default)\n\
         policy.mode = guarded  (default)\n\
         policy.allow = []  (default)\n\
         sandbox.level = auto  (default)\n\
         sandbox.write = []  (default)\n\
         sandbox.hide = []  (default)\n\
         sandbox.environment = []  (default)\n\
         checks = []  (project file P:1)\n\
         check_limit = 2h  (user file U:2)\n\
         resume_limit = 24h  (default)\n\
         warnings.first = 50  (user file U:3)\n\
         warnings.last = 95  (project file P:2)\n\
         warnings.policy = warn  (default)\n\
         silence = 10m  (default)\n\
         tool_silence = 30m  (default)\n\
         docket.dir = H/queue  (default)\n\
         docket.away_after = 10m  (default)\n\
         docket.headless = petition  (default)"
    );
    assert!(matches!(desk.load().unwrap().check_limit.origin, SettingOrigin::User(_)));
}

#[test]
fn the_user_says_which_program_runs() {
    let desk = Desk::new()
        .user("claude: { program: /opt/claude, settings: project, routing: tools, model: sonnet }\n")
        .project("claude: { model: \"claude-opus-4-5[1m]\", routing: typed }\n");
    let told = desk.told();
    let lines: Vec<&str> = told.lines().filter(|line| line.starts_with("claude.")).collect();
    assert_eq!(
        lines,
        [
            "claude.program = /opt/claude  (user file U:1)",
            "claude.settings = project  (user file U:1)",
            "claude.routing = typed  (project file P:1)",
            "claude.model = claude-opus-4-5[1m]  (project file P:1)",
        ]
    );
    let desk = Desk::new().user("claude: { program: bin/claude, settings: mine }\n");
    assert_eq!(
        desk.told(),
        "U:1:20: `claude.program`: `bin/claude` is not an absolute path\n  \
         hint: write the whole path: /usr/local/bin/claude\n\
         U:1:42: `claude.settings`: unknown value `mine`\n  hint: known values: isolated, project"
    );
    let desk = Desk::new().user("claude: { program: [claude, --yes] }\n");
    assert!(desk.told().starts_with("U:1:20: `claude.program`: a path is needed here, not a list\n"));
}

#[test]
fn anchors_are_followed() {
    let desk = Desk::new().project("checks: [&t [cargo, test], *t]\n");
    assert_eq!(desk.load().unwrap().check_argvs(), [["cargo", "test"], ["cargo", "test"]]);
}

const KEYS: &str = "provider, claude, policy, sandbox, checks, check_limit, resume_limit, warnings, \
                    silence, tool_silence, docket, arbiter, agents, limits, memory, ceremony, scene, motion, sound, telegram, \
                    notifications, serve";

/// What is written in the project's file, and what is said about it.
const BAD: &[(&str, &str)] = &[
    // Keys.
    ("chekcs: []\n", "P:1:1: unknown key `chekcs`\n  hint: did you mean `checks`?"),
    ("\ncheck-limit: 20m\n", "P:2:1: unknown key `check-limit`\n  hint: did you mean `check_limit`?"),
    ("zzz: on\n", "P:1:1: unknown key `zzz`\n  hint: known keys: {KEYS}"),
    ("warnings: { frist: 5 }\n", "P:1:13: unknown key `warnings.frist`\n  hint: did you mean `first`?"),
    (
        "provider:\n  codex: {}\n",
        "P:2:3: unknown key `provider.codex`\n  hint: known keys: default, claude, routes, arbiter",
    ),
    ("1: 2\n", "P:1:1: unknown key `1`\n  hint: known keys: {KEYS}"),
    ("\"a\\e[31m\": 2\n", "P:1:1: unknown key `a\\u{1b}[31m`\n  hint: known keys: {KEYS}"),
    (
        "checks: []\ncheck_limit: 20m\nchecks: []\n",
        "P:3:1: `checks` is already set in line 1\n  hint: keep one of them",
    ),
    (
        "warnings:\n  first: 5\n  last: 9\n  first: 6\n",
        "P:4:3: `warnings.first` is already set in line 2\n  hint: keep one of them",
    ),
    (
        "base: &b { checks: [] }\n<<: *b\n",
        "P:1:1: unknown key `base`\n  hint: known keys: {KEYS}\nP:2:1: unknown key `<<`\n  hint: known keys: {KEYS}",
    ),
    // The shape of the file.
    ("- checks\n", "P:1:1: a map is needed here, not a list\n  hint: write `check_limit: 20m`"),
    ("checks\n", "P:1:1: a map is needed here, not text\n  hint: write `check_limit: 20m`"),
    // Providers.
    (
        "provider: rehearsal\n",
        "P:1:11: `provider`: a map is needed here, not text\n  hint: write `provider: { default: claude }`",
    ),
    (
        "provider: { default: rehersal }\n",
        "P:1:22: `provider.default`: unknown provider `rehersal`\n  hint: did you mean `rehearsal`?",
    ),
    (
        "provider:\n  default: oracle\n",
        "P:2:12: `provider.default`: unknown provider `oracle`\n  hint: known providers: claude, rehearsal",
    ),
    (
        "provider: { default: }\n",
        "P:1:20: `provider.default`: the name of a provider is needed here\n  hint: known providers: claude, rehearsal",
    ),
    // Claude Code.
    (
        "claude: opus\n",
        "P:1:9: `claude`: a map is needed here, not text\n  hint: write `claude: { model: opus }`",
    ),
    ("claude: { modle: opus }\n", "P:1:11: unknown key `claude.modle`\n  hint: did you mean `model`?"),
    (
        "claude:\n  program: /tmp/mine\n  settings: project\n",
        "P:2:12: `claude.program`: this counts only in your own file\n  hint: write it into U: a repository must not choose which program runs\nP:3:13: `claude.settings`: this counts only in your own file\n  hint: write it into U: a repository must not choose whose hooks and tools run",
    ),
    (
        "claude: { routing: type }\n",
        "P:1:20: `claude.routing`: unknown routing `type`\n  hint: known routings: typed, tools",
    ),
    (
        "claude: { model: 4 }\n",
        "P:1:18: `claude.model`: the name of a model is needed here, not a number\n  hint: write its name: opus, sonnet, or a full name",
    ),
    (
        "claude: { model: --help }\n",
        "P:1:18: `claude.model`: `--help` is not the name of a model\n  hint: write its name: opus, sonnet, or a full name",
    ),
    (
        "claude: { model: \"\" }\n",
        "P:1:18: `claude.model`: `` is not the name of a model\n  hint: write its name: opus, sonnet, or a full name",
    ),
    // Checks.
    (
        "checks: cargo test\n",
        "P:1:9: `checks`: a list of checks is needed here, not text\n  hint: write the program and its arguments as a list: [\"cargo\", \"test\"]",
    ),
    (
        "checks:\n  - [make]\n  - cargo test || true\n",
        "P:3:5: `checks[1]`: a list of words is needed here, not text\n  hint: write the program and its arguments as a list: [\"cargo\", \"test\"]",
    ),
    (
        "checks: [make]\n",
        "P:1:10: `checks[0]`: a list of words is needed here, not text\n  hint: write the program and its arguments as a list: [\"make\"]",
    ),
    (
        "checks: [cargo, test]\n",
        "P:1:9: `checks`: a check is a list of words, and this is one list\n  hint: write one list for each check: [[\"cargo\", \"test\"]]",
    ),
    (
        "checks: [[cargo, test, \"||\", \"true\"]]\n",
        "P:1:10: `checks[0]`: check `cargo test || true` is a line for a shell\n  hint: write the program and its arguments as a list: [\"cargo\", \"test\"]",
    ),
    (
        "checks:\n- [bash, -c, \"cargo test; true\"]\n",
        "P:2:3: `checks[0]`: check `bash -c cargo test; true` is a line for a shell\n  hint: write one check for each command: [\"cargo\", \"test\"] and [\"true\"]",
    ),
    (
        "checks: [[]]\n",
        "P:1:10: `checks[0]`: a check is empty\n  hint: write the program and its arguments: [\"cargo\", \"test\"]",
    ),
    (
        "checks: [[rustup, run, 1.90, true]]\n",
        "P:1:24: `checks[0][2]`: a word is needed here, not a number\n  hint: put it in quotes: \"1.90\"\nP:1:30: `checks[0][3]`: a word is needed here, not true or false\n  hint: put it in quotes: \"true\"",
    ),
    (
        "checks: [[[cargo]]]\n",
        "P:1:11: `checks[0][0]`: a word is needed here, not a list\n  hint: write the program and its arguments: [\"cargo\", \"test\"]",
    ),
    (
        "checks:\n",
        "P:1:7: `checks`: a list of checks is needed here\n  hint: write one list for each check: [[\"cargo\", \"test\"]]",
    ),
    // Durations.
    ("check_limit: 20\n", "P:1:14: `check_limit`: `20` has no unit\n  hint: write the unit: 20s or 20m"),
    (
        "check_limit: 20 minutes\n",
        "P:1:14: `check_limit`: `20 minutes` is not a duration\n  hint: write a number and a unit: 90s, 20m or 2h",
    ),
    (
        "check_limit: -5m\n",
        "P:1:14: `check_limit`: `-5m` is not a duration\n  hint: write a number and a unit: 90s, 20m or 2h",
    ),
    (
        "check_limit: 0s\n",
        "P:1:14: `check_limit`: `0s` is not from 1s to 24h\n  hint: write a number and a unit: 90s, 20m or 2h",
    ),
    (
        "check_limit: 25h\n",
        "P:1:14: `check_limit`: `25h` is not from 1s to 24h\n  hint: write a number and a unit: 90s, 20m or 2h",
    ),
    (
        "check_limit: 99999999999999999999999h\n",
        "P:1:14: `check_limit`: `99999999999999999999999h` is not from 1s to 24h\n  hint: write a number and a unit: 90s, 20m or 2h",
    ),
    (
        "check_limit: 20µ\n",
        "P:1:14: `check_limit`: `20µ` is not a duration\n  hint: write a number and a unit: 90s, 20m or 2h",
    ),
    (
        "check_limit: .inf\n",
        "P:1:14: `check_limit`: a duration is needed here, not a number\n  hint: write a number and a unit: 90s, 20m or 2h",
    ),
    // Percents.
    (
        "warnings: { first: 70% }\n",
        "P:1:20: `warnings.first`: a whole number from 1 to 99 is needed here, not text\n  hint: write percent of the context window as a plain number: 70",
    ),
    (
        "warnings: { first: 0, last: 100 }\n",
        "P:1:20: `warnings.first`: 0 is not from 1 to 99\n  hint: write percent of the context window as a plain number: 70\nP:1:29: `warnings.last`: 100 is not from 1 to 99\n  hint: write percent of the context window as a plain number: 70",
    ),
    (
        "warnings:\n  last: 70.5\n",
        "P:2:9: `warnings.last`: a whole number from 1 to 99 is needed here, not a number\n  hint: write percent of the context window as a plain number: 70",
    ),
    (
        "warnings:\n  first: 90\n",
        "P:2:10: `warnings.first`: the first warning must come before the last\n  hint: warnings.first is 90 (project file P:2), warnings.last is 85 (default)",
    ),
];

#[test]
fn bad_values_are_told_with_their_place_and_a_hint() {
    for (written, told) in BAD {
        assert_eq!(Desk::new().project(written).told(), told.replace("{KEYS}", KEYS), "written: {written}");
    }
}

#[test]
fn all_faults_of_both_files_are_told_at_once() {
    let desk = Desk::new()
        .user("chekcs: []\ncheck_limit: soon\n")
        .project("provider: { default: oracle }\nwarnings: { first: 5, frist: 6 }\n");
    assert_eq!(
        desk.told(),
        "U:1:1: unknown key `chekcs`\n  hint: did you mean `checks`?\n\
         U:2:14: `check_limit`: `soon` is not a duration\n  hint: write a number and a unit: 90s, 20m or 2h\n\
         P:1:22: `provider.default`: unknown provider `oracle`\n  hint: known providers: claude, rehearsal\n\
         P:2:23: unknown key `warnings.frist`\n  hint: did you mean `first`?"
    );
    assert_eq!(desk.load().unwrap_err().faults().len(), 4);
}

#[test]
fn two_files_that_are_right_alone_can_be_wrong_together() {
    let desk = Desk::new().user("warnings: { last: 60 }\n").project("check_limit: 1h\n");
    assert_eq!(
        desk.told(),
        "U:1:19: `warnings.last`: the first warning must come before the last\n  \
         hint: warnings.first is 70 (default), warnings.last is 60 (user file U:1)"
    );
    let desk = Desk::new().user("warnings: { first: 90, last: 95 }\n").project("warnings: { last: 80 }\n");
    assert_eq!(
        desk.told(),
        "P:1:19: `warnings.last`: the first warning must come before the last\n  \
         hint: warnings.first is 90 (user file U:1), warnings.last is 80 (project file P:1)"
    );
}

#[test]
fn what_is_not_yaml_is_told_with_its_place() {
    for (written, place) in [
        ("checks: [[cargo, test]\n", "P:1:9: unclosed bracket '['\n"),
        ("a: b: c\n", "P:1:5"),
        ("checks: *nobody\n", "P:1:9"),
        ("checks: []\n---\nchecks: []\n", "P:3:1"),
        ("checks: !!python/object [x]\n", "P:1:25"),
        ("a: [[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]\n", "P:1:"),
    ] {
        let desk = Desk::new().project(written);
        let errors = desk.load().unwrap_err();
        assert!(matches!(errors.faults(), [ConfigError::NotYaml { .. }]), "{written}: {errors}");
        let told = desk.told();
        assert!(told.starts_with(place), "{written}: {told}");
        assert_eq!(told.lines().count(), 2, "{told}");
    }
}

#[test]
fn a_bomb_of_aliases_is_refused_at_once() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let below = level - 1;
        let aliases = vec![format!("*a{below}"); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    let started = std::time::Instant::now();
    let errors = Desk::new().project(bomb).load().unwrap_err();
    assert!(matches!(errors.faults(), [ConfigError::NotYaml { .. }]), "{errors}");
    assert!(started.elapsed() < Duration::from_secs(2));
    let wide = format!("checks: [{}]\n", "[a],".repeat(60_000));
    let errors = Desk::new().project(wide).load().unwrap_err();
    assert!(matches!(errors.faults(), [ConfigError::NotYaml { .. }]), "{errors}");
}

#[test]
fn a_file_that_cannot_be_one_is_refused() {
    assert_eq!(
        Desk::new().project(b"# ok\nchecks: \xff\n").told(),
        "P:2:9: this byte is not UTF-8\n  hint: save the file as UTF-8 text"
    );
    assert_eq!(
        Desk::new().project(vec![b'#'; 256 * 1024 + 1]).told(),
        "P: it has 262145 bytes, more than the 262144 that are read\n  \
         hint: is it another file under this name? a configuration has a few lines"
    );
    assert!(Desk::new().project(vec![b'#'; 256 * 1024]).load().is_ok());

    let desk = Desk::new();
    fs::create_dir(desk.project_file()).unwrap();
    assert_eq!(desk.told(), "P: it is not a file\n  hint: move P away; without the file the defaults count");

    let desk = Desk::new();
    symlink("nowhere", desk.user_file()).unwrap();
    assert_eq!(
        desk.told(),
        "U: cannot read it: No such file or directory (os error 2)\n  \
         hint: `ls -l U` shows who may read it; without the file the defaults count"
    );

    let desk = Desk::new();
    fs::remove_dir(desk.folder.path().join("project/.arbiter")).unwrap();
    fs::write(desk.folder.path().join("project/.arbiter"), "").unwrap();
    assert!(desk.told().starts_with("P: cannot read it: Not a directory"), "{}", desk.told());
}
