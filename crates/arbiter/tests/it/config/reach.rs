//! How far agents reach, by `policy`, `sandbox` and `checks`, and whose word on it counts.

use std::path::Path;

use arbiter::project::config::SandboxWanted;
use arbiter::project::trust::Standing;
use mind::policy::{Policy, PolicyMode};

use super::Desk;

const ALL: &str = "policy:\n  mode: open\n  allow: [[npm, run, build], make]\nchecks: [[make, check]]\nsandbox:\n  \
                   write: [/data//models/, ~/.cache/x]\n  hide: [~]\n  environment: [GOPATH, _x1, NO, null]\n";

impl Desk {
    pub(super) fn untrusted(mut self) -> Desk {
        self.standing = Standing::Untrusted;
        self
    }

    /// The lines about these keys.
    pub(super) fn about(&self, keys: &[&str]) -> Vec<String> {
        let told = self.told();
        let meant = |line: &&str| keys.iter().any(|key| line.starts_with(key));
        told.lines().filter(meant).map(str::to_owned).collect()
    }
}

const KEYS: [&str; 3] = ["policy", "sandbox", "checks"];

#[test]
fn the_users_own_file_may_say_everything() {
    let desk = Desk::new().user(format!("{ALL}  level: off\n")).untrusted();
    assert_eq!(
        desk.about(&KEYS),
        [
            "policy.mode = open  (user file U:2)",
            "policy.allow = [[\"npm\", \"run\", \"build\"], [\"make\"]]  (user file U:3)",
            "sandbox.level = off  (user file U:9)",
            "sandbox.write = [\"/data/models\", \"/home/me/.cache/x\"]  (user file U:6)",
            "sandbox.hide = [\"/home/me\"]  (user file U:7)",
            "sandbox.environment = [GOPATH, _x1, NO, null]  (user file U:8)",
            "checks = [[\"make\", \"check\"]]  (user file U:4)",
        ]
    );
    let config = desk.load().unwrap();
    assert_eq!(config.sandbox_level.value, SandboxWanted::Off);
    let allow = vec![vec!["npm".to_owned(), "run".to_owned(), "build".to_owned()], vec!["make".to_owned()]];
    assert_eq!(config.policy(), Policy { mode: PolicyMode::Open, allow });
    assert!(config.loosenings.is_empty());
}

#[test]
fn a_project_loosens_only_by_trust() {
    let desk = Desk::new().user("checks: [[just]]\nsandbox: { hide: [/a] }\n").project(ALL).untrusted();
    assert_eq!(
        desk.about(&KEYS),
        [
            "policy.mode = guarded  (default)",
            "policy.mode = open  (not counted: project file P:2, not trusted)",
            "policy.allow = []  (default)",
            "policy.allow = [[\"npm\", \"run\", \"build\"], [\"make\"]]  (not counted: project file P:3, not trusted)",
            "sandbox.level = auto  (default)",
            "sandbox.write = []  (default)",
            "sandbox.write = [\"/data/models\", \"/home/me/.cache/x\"]  (not counted: project file P:6, not trusted)",
            "sandbox.hide = [\"/a\", \"/home/me\"]  (user file U:2, project file P:7)",
            "sandbox.environment = []  (default)",
            "sandbox.environment = [GOPATH, _x1, NO, null]  (not counted: project file P:8, not trusted)",
            "checks = [[\"just\"]]  (user file U:1)",
            "checks = [[\"make\", \"check\"]]  (not counted: project file P:4, not trusted)",
        ]
    );
    let config = desk.load().unwrap();
    assert_eq!(config.policy(), Policy::default());
    assert_eq!(config.ignored().len(), 5);

    let mut desk = desk;
    desk.standing = Standing::Changed { since: mind::Timestamp(1_700_000_000_000) };
    let told = desk.about(&["checks"]);
    assert!(told[1].contains("(not counted: project file P:4, changed since you trusted it on 2023-11-1"));

    let config =
        Desk::new().user("sandbox: { write: [/a], environment: [CI] }\n").project(ALL).load().unwrap();
    assert_eq!(config.policy_mode.value, PolicyMode::Open);
    assert_eq!(config.sandbox_write.value, ["/a", "/data/models", "/home/me/.cache/x"].map(Path::new));
    assert_eq!(config.sandbox_environment.value, ["CI", "GOPATH", "_x1", "NO", "null"]);
    assert!(config.ignored().is_empty() && config.loosenings.len() == 5);
}

#[test]
fn a_project_may_tighten_without_trust() {
    let desk = Desk::new()
        .user("policy: { mode: open }\nsandbox: \"off\"\n")
        .project("policy: { mode: guarded }\nsandbox: auto\n")
        .untrusted();
    assert_eq!(
        desk.about(&["policy.mode", "sandbox.level"]),
        ["policy.mode = guarded  (project file P:1)", "sandbox.level = auto  (project file P:2)"]
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
];

#[test]
fn what_cannot_be_meant_is_told_whether_or_not_it_is_trusted() {
    for (written, told) in BAD {
        assert_eq!(Desk::new().project(written).told(), *told, "written: {written}");
        assert_eq!(Desk::new().project(written).untrusted().told(), *told, "written: {written}");
    }
}
