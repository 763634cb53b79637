//! How far agents reach, and whose word on it counts.

use std::path::Path;

use arbiter::config::Sandbox;
use arbiter::trust::Standing;
use mind::policy::{Mode, Policy};

use super::Desk;

const ALL: &str = "policy:\n  mode: open\n  allow: [[npm, run, build], make]\nwrite: [/data//models/, ~/.cache/x]\n\
                   hide: [~]\nenvironment: [GOPATH, _x1, NO, null]\nchecks: [[make, check]]\n";

impl Desk {
    fn untrusted(mut self) -> Desk {
        self.standing = Standing::Untrusted;
        self
    }

    /// The lines about these keys.
    fn about(&self, keys: &[&str]) -> Vec<String> {
        let told = self.told();
        let meant = |line: &&str| keys.iter().any(|key| line.starts_with(key));
        told.lines().filter(meant).map(str::to_owned).collect()
    }
}

const KEYS: [&str; 6] = ["policy", "sandbox", "write", "hide", "environment", "checks"];

#[test]
fn the_users_own_file_may_say_everything() {
    let desk = Desk::new().user(format!("{ALL}sandbox: off\n")).untrusted();
    assert_eq!(
        desk.about(&KEYS),
        [
            "policy.mode = open  (user file U:2)",
            "policy.allow = [[\"npm\", \"run\", \"build\"], [\"make\"]]  (user file U:3)",
            "sandbox = off  (user file U:8)",
            "write = [\"/data/models\", \"/home/me/.cache/x\"]  (user file U:4)",
            "hide = [\"/home/me\"]  (user file U:5)",
            "environment = [GOPATH, _x1, NO, null]  (user file U:6)",
            "checks = [[\"make\", \"check\"]]  (user file U:7)",
        ]
    );
    let config = desk.load().unwrap();
    assert_eq!(config.sandbox.value, Sandbox::Off);
    let allow = vec![vec!["npm".to_owned(), "run".to_owned(), "build".to_owned()], vec!["make".to_owned()]];
    assert_eq!(config.policy(), Policy { mode: Mode::Open, allow });
    assert!(config.loosenings.is_empty());
}

#[test]
fn a_project_loosens_only_by_trust() {
    let desk = Desk::new().user("checks: [[just]]\nhide: [/a]\n").project(ALL).untrusted();
    assert_eq!(
        desk.about(&KEYS),
        [
            "policy.mode = guarded  (default)",
            "policy.mode = open  (not counted: project file P:2, not trusted)",
            "policy.allow = []  (default)",
            "policy.allow = [[\"npm\", \"run\", \"build\"], [\"make\"]]  (not counted: project file P:3, not trusted)",
            "sandbox = auto  (default)",
            "write = []  (default)",
            "write = [\"/data/models\", \"/home/me/.cache/x\"]  (not counted: project file P:4, not trusted)",
            "hide = [\"/a\", \"/home/me\"]  (user file U:2, project file P:5)",
            "environment = []  (default)",
            "environment = [GOPATH, _x1, NO, null]  (not counted: project file P:6, not trusted)",
            "checks = [[\"just\"]]  (user file U:1)",
            "checks = [[\"make\", \"check\"]]  (not counted: project file P:7, not trusted)",
        ]
    );
    let config = desk.load().unwrap();
    assert_eq!(config.policy(), Policy::default());
    assert_eq!(config.ignored().len(), 5);

    let mut desk = desk;
    desk.standing = Standing::Changed { since: mind::Timestamp(1_700_000_000_000) };
    let told = desk.about(&["checks"]);
    assert!(told[1].contains("(not counted: project file P:7, changed since you trusted it on 2023-11-1"));

    let config = Desk::new().user("write: [/a]\nenvironment: [CI]\n").project(ALL).load().unwrap();
    assert_eq!(config.policy_mode.value, Mode::Open);
    assert_eq!(config.write.value, ["/a", "/data/models", "/home/me/.cache/x"].map(Path::new));
    assert_eq!(config.environment.value, ["CI", "GOPATH", "_x1", "NO", "null"]);
    assert!(config.ignored().is_empty() && config.loosenings.len() == 5);
}

#[test]
fn a_project_may_tighten_without_trust() {
    let desk = Desk::new()
        .user("policy: { mode: open }\nsandbox: \"off\"\n")
        .project("policy: { mode: guarded }\nsandbox: auto\n")
        .untrusted();
    assert_eq!(
        desk.about(&["policy.mode", "sandbox"]),
        ["policy.mode = guarded  (project file P:1)", "sandbox = auto  (project file P:2)"]
    );
    // A list without checks is a gate without checks.
    let desk = Desk::new().user("checks: [[make]]\n").project("checks: []\n").untrusted();
    assert_eq!(
        desk.about(&["checks"]),
        [
            "checks = [[\"make\"]]  (user file U:1)",
            "checks = []  (not counted: project file P:1, not trusted)"
        ]
    );
}

/// What is written in the project's file, and what is said about it.
const BAD: &[(&str, &str)] = &[
    (
        "sandbox: off\n",
        "P:1:10: `sandbox: off`: this counts only in your own file\n  hint: write it into U: a repository must not choose that agents run without a sandbox",
    ),
    ("sandbox: false\n", "P:1:10: `sandbox`: unknown value `false`\n  hint: known values: auto, off"),
    (
        "policy: open\n",
        "P:1:9: `policy`: a map is needed here, not text\n  hint: write `policy: { mode: guarded }`",
    ),
    (
        "policy: { mode: opne }\n",
        "P:1:17: `policy.mode`: unknown mode `opne`\n  hint: known modes: guarded, open",
    ),
    ("policy: { alow: [] }\n", "P:1:11: unknown key `policy.alow`\n  hint: did you mean `allow`?"),
    (
        "policy: { allow: make }\n",
        "P:1:18: `policy.allow`: a list of commands is needed here, not text\n  hint: write one list for each: [[\"npm\", \"run\"]]",
    ),
    (
        "policy:\n  allow:\n    - npm run build && rm -rf x\n",
        "P:3:7: `policy.allow[0]`: `npm run build && rm -rf x` is a line for a shell\n  hint: write one list for each command: [\"npm\", \"run\", \"build\"] and [\"rm\", \"-rf\", \"x\"]",
    ),
    (
        "policy: { allow: [[]] }\n",
        "P:1:19: `policy.allow[0]`: this would allow every command\n  hint: write the first words of the command: [\"npm\", \"run\", \"build\"]",
    ),
    (
        "policy: { allow: [[sleep, 5]] }\n",
        "P:1:27: `policy.allow[0][1]`: a word is needed here, not a number\n  hint: put it in quotes: \"5\"",
    ),
    (
        "write: /data\n",
        "P:1:8: `write`: a list of paths is needed here, not text\n  hint: write it as a list: [/data/models]",
    ),
    (
        "write: [data, /a/../b]\nhide: [~other/x, 5]\n",
        "P:1:9: `write[0]`: `data` is not an absolute path without `..`\n  hint: write the whole path, or one from your home: /data/models, ~/.cache/models\n\
         P:1:15: `write[1]`: `/a/../b` is not an absolute path without `..`\n  hint: write the whole path, or one from your home: /data/models, ~/.cache/models\n\
         P:2:8: `hide[0]`: `~other/x` is not an absolute path without `..`\n  hint: write the whole path, or one from your home: /data/models, ~/.cache/models\n\
         P:2:18: `hide[1]`: a path is needed here, not a number\n  hint: write the whole path, or one from your home: /data/models, ~/.cache/models",
    ),
    (
        "environment: [TOKEN=hunter2, 1A, a-b, \"\"]\n",
        "P:1:15: `environment[0]`: a value follows `TOKEN`\n  hint: write its name only, the value stays in your environment: [GOPATH, CI]\n\
         P:1:30: `environment[1]`: `1A` is not the name of a variable\n  hint: write its name only, the value stays in your environment: [GOPATH, CI]\n\
         P:1:34: `environment[2]`: `a-b` is not the name of a variable\n  hint: write its name only, the value stays in your environment: [GOPATH, CI]\n\
         P:1:39: `environment[3]`: `` is not the name of a variable\n  hint: write its name only, the value stays in your environment: [GOPATH, CI]",
    ),
];

#[test]
fn what_cannot_be_meant_is_told_whether_or_not_it_is_trusted() {
    for (written, told) in BAD {
        assert_eq!(Desk::new().project(written).told(), *told, "written: {written}");
        assert_eq!(Desk::new().project(written).untrusted().told(), *told, "written: {written}");
    }
}
