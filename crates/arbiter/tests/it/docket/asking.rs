//! `ask`, by flags, JSON, Markdown and an editor.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use sim::{Seat, Theatre};

use super::theatre;
use super::{asked, done, fed, json, names, queue, small, told};

#[test]
fn a_question_by_flags_is_one_decision() {
    let theatre = theatre();
    let ran = theatre.run(&[
        "ask",
        "Which database?",
        "-o",
        "pg=Postgres, boring",
        "--option",
        "sqlite",
        "--custom",
        "--context",
        "It is small.",
        "--tag",
        "7",
        "--priority",
        "urgent",
        "--agent",
        "ceo",
        "--session",
        "s1",
        "--notify",
        "s2",
        "--blocks",
        "the build",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let id = ran.out.trim();
    assert_eq!((id.len(), ran.out.lines().count()), (8, 1), "only the id is on stdout: {}", ran.out);
    assert!(ran.err.contains(&format!("`arbiter await {id}`")), "{}", ran.err);
    let status = told(&theatre, &["status", id, "--json"]);
    assert_eq!(status["title"], "Which database?");
    assert_eq!(
        (&status["agent"], &status["tag"], &status["priority"]),
        (&"ceo".into(), &"7".into(), &"urgent".into())
    );
    assert_eq!(status["decisions"]["which-database"]["status"], "pending");
    let file =
        fs::read_to_string(queue(&theatre).join("pending").join(&names(&theatre, "pending")[0])).unwrap();
    for part in ["Postgres, boring", "allow_custom: true", "It is small.", "notify_session: s2", "the build"]
    {
        assert!(file.contains(part), "{part}: {file}");
    }
}

#[test]
fn json_on_stdin_is_told_in_json() {
    let theatre = theatre();
    let pushed = json(&fed(&theatre, &["ask", "--json", "-"], super::BATCH).out);
    assert_eq!(
        (&pushed["total"], &pushed["status"], &pushed["again"]),
        (&3.into(), &"pending".into(), &false.into())
    );
    let file = pushed["file"].as_str().expect("a file");
    assert!(file.contains("/pending/ceo-api-design-decisions-"), "{file}");
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    let again = json(&fed(&theatre, &["ask", "--json"], super::BATCH).out);
    assert_eq!(
        (&again["again"], &again["planId"]),
        (&true.into(), &pushed["planId"]),
        "the same is asked once"
    );
    assert_eq!(names(&theatre, "pending").len(), 1);
}

#[test]
fn a_key_makes_asking_again_the_same_petition() {
    let theatre = theatre();
    let ask = |title: &str| done(&theatre, &["ask", title, "-o", "yes", "--agent", "ceo", "--key", "k1"]);
    assert_eq!(ask("First?"), ask("Second?"));
    let other = done(&theatre, &["ask", "First?", "-o", "yes", "--agent", "ceo", "--key", "k2"]);
    assert_ne!(other, ask("First?"));
}

#[test]
fn flags_fill_in_what_a_text_leaves_open() {
    let theatre = theatre();
    let text = r#"{"title": "T", "decisions": [{"id": "d", "title": "D", "options": ["a"]}]}"#;
    let ran = fed(&theatre, &["ask", "--tag", "mine", "--agent", "swe", "--priority", "low"], text);
    let status = told(&theatre, &["status", ran.out.trim(), "--json"]);
    assert_eq!(
        (&status["agent"], &status["tag"], &status["priority"]),
        (&"swe".into(), &"mine".into(), &"low".into())
    );
}

#[test]
fn the_environment_says_who_asks_then_the_user() {
    let theatre = theatre();
    let agent = |environment: &[(&str, &str)], title: &str| {
        let ran = theatre.run_with(&["ask", title, "-o", "y"], environment);
        let status = told(&theatre, &["status", ran.out.trim(), "--json"]);
        status["agent"].as_str().expect("a name").to_owned()
    };
    assert_eq!(agent(&[("ARBITER_AGENT", "ceo"), ("CLAWDBOT_AGENT", "old")], "1?"), "ceo");
    assert_eq!(agent(&[("CLAWDBOT_AGENT", "old")], "2?"), "old");
    assert_eq!(agent(&[], "3?"), "tester");
    let audit = done(&theatre, &["audit"]);
    let lines: Vec<&str> = audit.lines().collect();
    assert!(lines[0].contains("asked  by the agent ceo"), "{audit}");
    assert!(lines[2].contains("asked  by the agent tester"), "{audit}");
}

const MARKDOWN: &str = "# Cache\n\nFor the whole.\n\n---\n\n## Decision 1: Which cache?\n\nid: cache\n\n\
                        **Context:** Something fast.\n\n**Options:**\n- `redis` — Redis\n- `none` — None at all\n\n---\n";

#[test]
fn a_markdown_petition_needs_no_frontmatter() {
    let theatre = theatre();
    fs::write(theatre.project().join("ask.md"), MARKDOWN).unwrap();
    let id = done(&theatre, &["ask", "ask.md", "--tag", "infra"]);
    let status = told(&theatre, &["status", id.trim(), "--json"]);
    assert_eq!(
        (&status["title"], &status["tag"], &status["agent"]),
        (&"Cache".into(), &"infra".into(), &"tester".into())
    );
    assert_eq!(status["decisions"]["cache"]["title"], "Which cache?");
    assert_eq!(
        fed(&theatre, &["ask", "--tag", "infra"], MARKDOWN).out,
        id,
        "on stdin it is the same petition"
    );
}

#[test]
fn a_markdown_petition_keeps_its_own_fields() {
    let theatre = theatre();
    let text = format!(
        "---\nid: abc123\nagent: ceo\nsession: agent:ceo:main\ntitle: \"Ours\"\npriority: high\n---\n\n{MARKDOWN}"
    );
    let ran = fed(&theatre, &["ask", "-", "--json"], &text);
    assert_eq!(json(&ran.out)["planId"], "abc123", "{}", ran.err);
    let status = told(&theatre, &["status", "abc", "--json"]);
    assert_eq!(
        (&status["title"], &status["agent"], &status["priority"]),
        (&"Ours".into(), &"ceo".into(), &"high".into())
    );
}

#[test]
fn a_tag_finds_the_newest() {
    let theatre = theatre();
    done(&theatre, &["ask", "First?", "-o", "y", "--tag", "t"]);
    done(&theatre, &["ask", "Second?", "-o", "y", "--tag", "t"]);
    assert_eq!(told(&theatre, &["status", "--tag", "t", "--json"])["title"], "Second?");
    assert_eq!(theatre.run(&["status", "--tag", "nobody"]).code, Some(2));
}

/// An editor that does this to its file.
fn editor(theatre: &Theatre, does: &str) -> String {
    let file = theatre.path().join("editor.sh");
    fs::write(&file, format!("#!/bin/sh\n{does}\n")).expect("a script");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o700)).expect("it can be run");
    file.display().to_string()
}

fn drafts(theatre: &Theatre) -> usize {
    fs::read_dir(theatre.path().join("home/.arbiter/drafts")).map_or(0, Iterator::count)
}

#[test]
fn at_a_terminal_an_editor_opens() {
    let theatre = theatre();
    let editor = editor(&theatre, "[ \"$1\" = --flag ] && sed -i 's/Which one?/Which colour?/' \"$2\"");
    let mut command = theatre.command(&["ask"]);
    command.env("EDITOR", format!("{editor} --flag")).env_remove("VISUAL");
    let seat = Seat::take(command);
    seat.sees("asked: What is to be decided (1 decision)");
    seat.completes();
    let inbox = told(&theatre, &["inbox", "--json"]);
    let id = inbox["petitions"][0]["id"].as_str().expect("an id");
    let status = told(&theatre, &["status", id, "--json"]);
    assert_eq!(status["decisions"]["which-colour"]["title"], "Which colour?", "{status}");
    assert!(
        done(&theatre, &["audit"]).contains("asked  by tester, at the command line"),
        "a person is no agent"
    );
    assert_eq!(drafts(&theatre), 0, "the text stands in the docket now");
}

#[test]
fn a_template_that_nobody_changed_asks_nothing() {
    for does in ["true", ": > \"$1\"", "echo > \"$1\""] {
        let theatre = theatre();
        let editor = editor(&theatre, does);
        let ran = edited(&theatre, &editor);
        assert_eq!(ran.code, Some(4), "{does}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("nothing was asked"), "{}", ran.err);
        assert_eq!((names(&theatre, "pending").len(), drafts(&theatre)), (0, 0));
    }
}

#[test]
fn a_text_that_cannot_be_asked_is_kept() {
    let theatre = theatre();
    let editor = editor(&theatre, "printf '# T\\n\\nno decision at all\\n' > \"$1\"");
    let ran = edited(&theatre, &editor);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("your text is kept"), "{}", ran.err);
    assert_eq!((names(&theatre, "pending").len(), drafts(&theatre)), (0, 1));
    let ran = edited(&theatre, "/nowhere/editor");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
}

/// Runs `ask` at a terminal with this editor.
fn edited(theatre: &Theatre, editor: &str) -> sim::Ran {
    let script = format!("export VISUAL='{editor}'; exec {} ask", theatre.binary().display());
    let shell = Theatre::new("/bin/sh");
    let home = theatre.path().join("home").display().to_string();
    sim::typed(shell.command(&["-c", &format!("export HOME='{home}'; {script}")]), "")
}

#[test]
fn without_a_project_and_with_a_broken_one_it_works() {
    let theatre = theatre();
    theatre.configure("checks: [broken\n");
    let id = done(&theatre, &["ask", "Go?", "-o", "yes"]);
    assert!(done(&theatre, &["inbox"]).contains(id.trim()));
    let mut command = theatre.command(&["inbox", "--json"]);
    let ran = sim::Ran::from(command.current_dir("/").output().unwrap());
    assert_eq!(json(&ran.out)["petitions"][0]["id"], id.trim());
}

#[test]
fn the_users_file_says_where_petitions_lie() {
    let theatre = theatre();
    let folder = theatre.path().join("home/.config/arbiter");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.yaml"), "docket: { dir: ~/elsewhere/queue }\n").unwrap();
    done(&theatre, &["ask", "Go?", "-o", "yes"]);
    let there = theatre.path().join("home/elsewhere");
    assert_eq!(fs::read_dir(there.join("queue/pending")).unwrap().count(), 1);
    assert!(there.join("ledger.jsonl").exists());
    assert!(done(&theatre, &["config"]).contains("docket.dir = "), "it is told");
}

#[test]
fn a_unique_beginning_is_enough() {
    let (theatre, id) = asked();
    assert_eq!(told(&theatre, &["status", &id[..5], "--json"])["id"], *id);
    let (theatre, id) = small();
    assert!(done(&theatre, &["status", &id[..4]]).contains("Deploy now?"));
}
