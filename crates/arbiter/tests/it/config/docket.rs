//! The section `docket`, and the `config.json` of an existing installation.

use std::fs;

use arbiter::project::config::{Headless, SettingOrigin};

use super::Desk;

impl Desk {
    /// An existing installation's file.
    pub(super) fn existing(self, text: &str) -> Desk {
        let folder = self.folder.path().join("arbiter");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("config.json"), text).expect("a file");
        self
    }

    fn docket(&self) -> Vec<String> {
        let told = self.told();
        told.lines().filter(|line| line.contains("docket")).map(str::to_owned).collect()
    }
}

#[test]
fn the_user_says_where_petitions_lie() {
    let desk = Desk::new().user("docket: { dir: ~/inbox//mine/, away_after: 2m, headless: refuse }\n");
    assert_eq!(
        desk.docket(),
        [
            "docket.dir = /home/me/inbox/mine  (user file U:1)",
            "docket.away_after = 2m  (user file U:1)",
            "docket.headless = refuse  (user file U:1)",
        ]
    );
    let config = desk.load().expect("sound");
    assert_eq!(config.headless.value, Headless::Refuse);
}

#[test]
fn a_repository_cannot_redirect_the_inbox() {
    let desk = Desk::new().project("docket: { dir: /tmp/theirs }\n");
    assert_eq!(
        desk.told(),
        "P:1:16: `docket.dir`: this counts only in your own file\n  \
         hint: write it into U: a repository must not choose where your inbox is"
    );
}

#[test]
fn a_repository_cannot_let_a_mission_begin_without_asking() {
    let desk = Desk::new().project("docket: { headless: refuse }\n");
    assert_eq!(
        desk.told(),
        "P:1:21: `docket.headless`: this counts only in your own file\n  \
         hint: write it into U: a repository must not choose that you are not asked"
    );
}

#[test]
fn bad_values_are_told() {
    for (written, told) in [
        ("docket: { dri: /a }\n", "U:1:11: unknown key `docket.dri`\n  hint: did you mean `dir`?"),
        ("docket: { dir: queue }\n", "U:1:16: `docket.dir`: `queue` is not an absolute path without `..`"),
        (
            "docket: { dir: /a/../b }\n",
            "U:1:16: `docket.dir`: `/a/../b` is not an absolute path without `..`",
        ),
        ("docket: { headless: no }\n", "U:1:21: `docket.headless`: unknown value `no`"),
        ("docket: { away_after: 10 }\n", "U:1:23: `docket.away_after`: `10` has no unit"),
        ("docket: here\n", "U:1:9: `docket`: a map is needed here, not text"),
    ] {
        let desk = Desk::new().user(written);
        assert!(desk.told().starts_with(told), "{written}: {}", desk.told());
    }
}

#[test]
fn an_existing_installation_is_read_as_it_is() {
    let written = r#"{"telegram": {"token": "123:secret", "allowedUsers": [1]}, "other": [],
                      "queue": {"dir": "~/.arbiter/queue", "watchInterval": 1000}}"#;
    let desk = Desk::new().existing(written);
    let config = desk.load().expect("sound");
    assert_eq!(config.docket_dir.value.display().to_string(), "/home/me/.arbiter/queue");
    assert!(matches!(config.docket_dir.origin, SettingOrigin::Existing(_)));
    assert!(config.notes.is_empty(), "{:?}", config.notes);
    assert_eq!(desk.docket()[0], "docket.dir = /home/me/.arbiter/queue  (existing file H/config.json)");
    assert!(!desk.told().contains("secret"));

    let desk = Desk::new().existing(written).user("docket: { dir: /mine }\n");
    assert_eq!(desk.docket()[0], "docket.dir = /mine  (user file U:1)", "our own file wins");
}

#[test]
fn a_broken_config_json_is_a_note_and_no_crash() {
    for (written, why) in [
        ("{\"telegram\": {\"token\": \"123:secret\"", "it is not JSON (line 1, column 35)"),
        ("", "it is not JSON (line 1, column 0)"),
        (r#"{"queue": {"dir": 7}}"#, "`queue.dir` is no text"),
        (r#"{"queue": {"dir": "here"}}"#, "`queue.dir` is `here`, which is not an absolute path"),
        (r#"{"queue": {"dir": "/a/../b"}}"#, "`queue.dir` is `/a/../b`, which is not an absolute path"),
    ] {
        let desk = Desk::new().existing(written);
        let config = desk.load().expect("sound");
        assert!(matches!(config.notes.as_slice(), [note] if note.contains(why)), "{:?}", config.notes);
        assert!(!config.notes[0].contains("secret"));
        assert!(config.docket_dir.value.ends_with("arbiter/queue"));
    }
    for quiet in ["{}", "[]", "7", r#"{"queue": null}"#, r#"{"queue": {"dir": null}}"#, r#"{"queue": []}"#] {
        let config = Desk::new().existing(quiet).load().expect("sound");
        assert!(config.notes.is_empty(), "{quiet}: {:?}", config.notes);
    }
}
