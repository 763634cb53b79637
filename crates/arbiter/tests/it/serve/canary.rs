//! The token is in no log, no output, no list of processes and no environment of a child.

use std::fs;
use std::path::Path;

use super::{CANARY, Serving, TOKEN, until};

/// The variable is gone from our own environment, and so from that of every child.
#[test]
fn no_child_and_no_text_has_the_token() {
    let theatre = crate::theatre();
    let seen = theatre.path().join("seen");
    let theatre = theatre.with_config(&format!(
        "telegram: {{allowedUsers: [7]}}\nserve: {{health: off}}\nnotifications:\n  also:\n    - command: [sh, -c, \
         'cat > /dev/null; tr \"\\0\" \"\\n\" < /proc/self/environ > {0}.part; cat /proc/$PPID/cmdline >> {0}.part; mv {0}.part {0}']\n",
        seen.display()
    ));
    let environment = [("ARBITER_TELEGRAM_TOKEN", TOKEN), ("NOTIFY_SOCKET", "/nowhere/at-all")];
    let mut serving = Serving::begin(&theatre, &environment);
    serving.says("telegram info opens for 1 user(s)");
    until("the beginning is found", || theatre.home().join("notified.json").exists());
    let ran = theatre.run(&["ask", "Deploy?", "--id", "deploy", "-o", "yes", "-o", "no"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    until("the program has looked", || seen.exists());
    let text = String::from_utf8_lossy(&fs::read(&seen).expect("a file")).into_owned();
    assert!(text.contains("HOME=") && !text.contains(CANARY), "{text}");
    assert!(!text.contains("NOTIFY_SOCKET"), "{text}");
    #[cfg(target_os = "linux")]
    {
        let own = fs::read(format!("/proc/{}/environ", serving.pid())).expect("it runs");
        assert!(!String::from_utf8_lossy(&own).contains(CANARY));
    }
    for words in [&["config"][..], &["doctor"], &["inbox"], &["status", "deploy"], &["serve", "unit"]] {
        let ran = theatre.run_with(words, &environment);
        assert!(!ran.out.contains(CANARY) && !ran.err.contains(CANARY), "{words:?}\n{}{}", ran.out, ran.err);
    }
    let ran = theatre.run_with(&["doctor"], &environment);
    assert!(ran.out.contains("bot 123456789, its token from ARBITER_TELEGRAM_TOKEN"), "{}", ran.out);
    let ran = theatre.run_with(&["inbox"], &environment);
    assert!(ran.err.contains("no good poll yet"), "{}", ran.err);
    let (code, said) = serving.stop();
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains(CANARY), "{said}");
    let mut found = Vec::new();
    search(theatre.path(), &mut found);
    assert!(found.is_empty(), "{found:?}");
}

/// A mission's git and checks begin without it too.
#[test]
fn a_mission_has_it_in_no_environment() {
    let theatre = crate::theatre();
    let ran = theatre.run_with(&["demo", "--headless"], &[("ARBITER_TELEGRAM_TOKEN", TOKEN)]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let mut found = Vec::new();
    search(theatre.path(), &mut found);
    assert!(found.is_empty(), "{found:?}");
}

/// The files below that have the token.
fn search(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let kind = entry.file_type().expect("a kind");
        if kind.is_dir() {
            search(&entry.path(), found);
        } else if kind.is_file() {
            let bytes = fs::read(entry.path()).expect("a file");
            if bytes.windows(CANARY.len()).any(|part| part == CANARY.as_bytes()) {
                found.push(entry.path().display().to_string());
            }
        }
    }
}
