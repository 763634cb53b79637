//! The section `sandbox`: its two forms, what cannot be meant in it, and keys that stand beside it instead of inside.

use super::Desk;

const LEVELS: [&str; 3] = ["sandbox: off\n", "sandbox: { level: off }\n", "sandbox:\n  level: \"off\"\n"];

#[test]
fn one_word_says_the_level() {
    for written in LEVELS {
        let desk = Desk::new().user(written);
        let line = if written.contains("\n ") { 2 } else { 1 };
        let told = [
            &*format!("sandbox.level = off  (user file U:{line})"),
            "sandbox.write = []  (default)",
            "sandbox.hide = []  (default)",
            "sandbox.environment = []  (default)",
        ];
        assert_eq!(desk.about(&["sandbox"]), told, "written: {written}");
    }
    let desk = Desk::new().user("sandbox: off\n").project("sandbox: auto\n").untrusted();
    assert_eq!(desk.about(&["sandbox.level"]), ["sandbox.level = auto  (project file P:1)"]);
}

#[test]
fn a_section_without_a_level_leaves_the_level_alone() {
    let desk = Desk::new().user("sandbox: off\n").project("sandbox: { hide: [/a] }\n");
    assert_eq!(
        desk.about(&["sandbox.level", "sandbox.hide"]),
        ["sandbox.level = off  (user file U:1)", "sandbox.hide = [\"/a\"]  (project file P:1)"]
    );
}

/// What is written in the project's file, and what is said about it.
const BAD: &[(&str, &str)] = &[
    (
        "sandbox: off\n",
        "P:1:10: `sandbox: off`: this counts only in your own file\n  hint: write it into U: a repository must not choose that agents run without a sandbox",
    ),
    (
        "sandbox:\n  level: off\n",
        "P:2:10: `sandbox.level: off`: this counts only in your own file\n  hint: write it into U: a repository must not choose that agents run without a sandbox",
    ),
    ("sandbox: false\n", "P:1:10: `sandbox`: unknown value `false`\n  hint: known values: auto, off"),
    (
        "sandbox: { level: landlock }\n",
        "P:1:19: `sandbox.level`: unknown value `landlock`\n  hint: known values: auto, off",
    ),
    (
        "sandbox: [off]\n",
        "P:1:10: `sandbox`: a map is needed here, not a list\n  hint: write `sandbox: { level: auto }`",
    ),
    ("sandbox:\n", "P:1:8: `sandbox`: a map is needed here\n  hint: write `sandbox: { level: auto }`"),
    ("sandbox: { hid: [] }\n", "P:1:12: unknown key `sandbox.hid`\n  hint: did you mean `hide`?"),
    (
        "sandbox: off\nsandbox: auto\n",
        "P:2:1: `sandbox` is already set in line 1\n  hint: keep one of them\nP:1:10: `sandbox: off`: this counts only in your own file\n  hint: write it into U: a repository must not choose that agents run without a sandbox",
    ),
    (
        "sandbox: { write: /data }\n",
        "P:1:19: `sandbox.write`: a list of paths is needed here, not text\n  hint: write it as a list: [/data/models]",
    ),
    (
        "sandbox:\n  write: [data, /a/../b]\n  hide: [~other/x, 5]\n",
        "P:2:11: `sandbox.write[0]`: `data` is not an absolute path without `..`\n  hint: write the whole path, or one from your home: /data/models, ~/.cache/models\n\
         P:2:17: `sandbox.write[1]`: `/a/../b` is not an absolute path without `..`\n  hint: write the whole path, or one from your home: /data/models, ~/.cache/models\n\
         P:3:10: `sandbox.hide[0]`: `~other/x` is not an absolute path without `..`\n  hint: write the whole path, or one from your home: /data/models, ~/.cache/models\n\
         P:3:20: `sandbox.hide[1]`: a path is needed here, not a number\n  hint: write the whole path, or one from your home: /data/models, ~/.cache/models",
    ),
    (
        "sandbox: { write: [~, /], hide: [~] }\n",
        "P:1:20: `sandbox.write[0]`: `~` holds your whole home: a sandbox that may write there protects nothing\n  hint: name the folders that are needed: ~/.cargo/registry\n\
         P:1:23: `sandbox.write[1]`: `/` holds your whole home: a sandbox that may write there protects nothing\n  hint: name the folders that are needed: ~/.cargo/registry",
    ),
    (
        "sandbox:\n  environment: [TOKEN=hunter2, 1A, a-b, \"\"]\n",
        "P:2:17: `sandbox.environment[0]`: a value follows `TOKEN`\n  hint: write its name only, the value stays in your environment: [GOPATH, CI]\n\
         P:2:32: `sandbox.environment[1]`: `1A` is not the name of a variable\n  hint: write its name only, the value stays in your environment: [GOPATH, CI]\n\
         P:2:36: `sandbox.environment[2]`: `a-b` is not the name of a variable\n  hint: write its name only, the value stays in your environment: [GOPATH, CI]\n\
         P:2:41: `sandbox.environment[3]`: `` is not the name of a variable\n  hint: write its name only, the value stays in your environment: [GOPATH, CI]",
    ),
    (
        "write: [/data]\nhide: [/own]\nenvironment: [CI]\nlevel: off\n",
        "P:1:1: unknown key `write`\n  hint: write it as sandbox.write\n\
         P:2:1: unknown key `hide`\n  hint: write it as sandbox.hide\n\
         P:3:1: unknown key `environment`\n  hint: write it as sandbox.environment\n\
         P:4:1: unknown key `level`\n  hint: write it as sandbox.level",
    ),
];

#[test]
fn what_cannot_be_meant_is_told_whether_or_not_it_is_trusted() {
    for (written, told) in BAD {
        assert_eq!(Desk::new().project(written).told(), *told, "written: {written}");
        assert_eq!(Desk::new().project(written).untrusted().told(), *told, "written: {written}");
    }
}
