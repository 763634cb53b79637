//! What cannot be asked or answered: every fault is named, the exit code is right, and nothing is written.

use std::fs;

use super::theatre;
use super::{asked, assert_untouched, fed, json, names, queue, small};

/// Sends it, and gives back the faults.
fn refused(text: &str) -> Vec<String> {
    let theatre = theatre();
    let ran = fed(&theatre, &["ask", "--json"], text);
    assert_eq!(ran.code, Some(2), "{text}: {}{}", ran.out, ran.err);
    assert_untouched(&theatre);
    let told = json(&ran.out);
    let faults = told["faults"].as_array().unwrap_or_else(|| panic!("{told}"));
    let faults: Vec<String> =
        faults.iter().map(|fault| fault.as_str().unwrap_or_default().to_owned()).collect();
    for fault in &faults {
        assert!(ran.err.contains(fault.as_str()), "people are told the same: {fault}\n{}", ran.err);
    }
    faults
}

#[test]
fn every_fault_is_named_at_once() {
    let faults = refused(
        r#"{"title": " ", "priority": "asap", "deadline": "soon", "agent": "a\nb", "decisions": [
            {"id": "a:b", "title": "", "options": []},
            {"id": "two", "title": "T", "options": [{"key": "k"}, {"key": "k"}]},
            {"id": "two", "title": "T", "options": ["x"], "default": "y", "allowCustom": false},
            {"id": "four", "title": "T", "options": [{"label": "no key"}]}]}"#,
    );
    for part in [
        "`title` is missing or empty",
        "`priority` is \"asap\"",
        "`deadline` is \"soon\"",
        "`agent` must be one line",
        "decision \"a:b\": `id` may have letters",
        "decision \"a:b\": `title` is missing",
        "decision \"a:b\": it has no options",
        "two options have the key \"k\"",
        "decision \"two\" stands twice",
        "`default` is \"y\"",
        "needs a `key`",
    ] {
        assert!(faults.iter().any(|fault| fault.contains(part)), "{part}: {faults:#?}");
    }
}

#[test]
fn a_deadline_in_the_past_and_a_misspelt_field_are_faults() {
    let faults = refused(
        r#"{"title": "T", "deadline": "2020-01-01T00:00:00Z", "decisions": [
            {"id": "d", "title": "D", "options": ["a"], "deadline": "2020-01-01T00:00:00Z"}]}"#,
    );
    assert_eq!(faults, ["`deadline` is in the past", "decision \"d\": `deadline` is in the past"]);
    let markdown = "---\ntitle: T\ndeadline: 2020-01-01T00:00:00Z\n---\n# T\n\n---\n\n## Decision 1: D\n\nid: d\n\n\
                    **Options:**\n- `a`\n";
    assert_eq!(refused(markdown), ["`deadline` is in the past"]);
    let faults = refused(
        r#"{"title": "T", "deadlin": "5m", "more": 1, "decisions": [
            {"id": "d", "title": "D", "options": [{"key": "a", "lable": "A", "color": 1}], "defualt": "a"}]}"#,
    );
    assert_eq!(
        faults,
        [
            "`deadlin` is no field: did you mean `deadline`?",
            "decision 1: an option: `lable` is no field: did you mean `label`?",
            "decision 1: `defualt` is no field: did you mean `default`?",
        ]
    );
}

#[test]
fn limits_are_faults_too() {
    let long = "x".repeat(300);
    let many: Vec<String> =
        (0..201).map(|n| format!(r#"{{"id": "d{n}", "title": "T", "options": ["a"]}}"#)).collect();
    let faults = refused(&format!(r#"{{"title": "{long}", "decisions": [{}]}}"#, many.join(",")));
    assert!(faults.iter().any(|fault| fault.contains("longer than 200 signs")), "{faults:?}");
    assert!(faults.iter().any(|fault| fault.contains("more than 200 decisions")), "{faults:?}");
    let options: Vec<String> = (0..51).map(|n| format!("\"o{n}\"")).collect();
    let faults = refused(&format!(
        r#"{{"title": "T", "decisions": [{{"id": "d", "title": "T", "options": [{}]}}]}}"#,
        options.join(",")
    ));
    assert_eq!(faults, ["decision \"d\": it has more than 50 options"]);
    let huge = "y".repeat(1024 * 1024);
    let theatre = theatre();
    let ran = fed(&theatre, &["ask"], &format!(r#"{{"title": "{huge}"}}"#));
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("more than 1048576 bytes"), "{}", ran.err);
    assert_untouched(&theatre);
}

#[test]
fn what_is_no_petition_at_all_is_refused() {
    for (text, part) in [
        ("{}", "there is no decision"),
        ("{", "it is not JSON"),
        ("[]", "must be a JSON object"),
        (r#"{"title": "T", "decisions": 7}"#, "`decisions` must be a list"),
        (r#"{"title": "T", "decisions": [7]}"#, "it must be an object"),
        ("just words\n", "decision"),
        ("---\ntitle: [\n---\n# T\n", ""),
        ("---js\nid: x\n---\n# T\n\n---\n\n## Decision 1: D\n\n**Options:**\n- `a`\n", ""),
        ("---\nid: /../../x\n---\n# T\n\n---\n\n## Decision 1: D\n\n**Options:**\n- `a`\n", "`id` may have"),
    ] {
        let faults = refused(text);
        assert!(faults.iter().any(|fault| fault.contains(part)), "{text}: {faults:?}");
    }
    let theatre = theatre();
    let ran = fed(&theatre, &["ask"], "  \n");
    assert_eq!((ran.code, ran.err.contains("stdin is empty")), (Some(2), true), "{}", ran.err);
    let ran = theatre.run(&["ask", "Which one?"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("hint: is it a question?"), "{}", ran.err);
    assert_eq!(theatre.run(&["ask", "/"]).code, Some(2), "a folder is no petition");
    let ran = theatre.run(&["ask", "T?", "-o", "a", "-o", "a", "--deadline", "soon"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("two options have the key") && ran.err.contains("`deadline`"), "{}", ran.err);
    assert_untouched(&theatre);
}

#[test]
fn what_is_left_out_or_misspelt_is_named() {
    let (theatre, id) = asked();
    for (arguments, parts) in [
        (
            &["answer", &id][..],
            &["which decision? petition ", "has auth-strategy, db, name", "DECISION KEY"][..],
        ),
        (&["answer", &id, "db"], &["there is no answer to db", "hint: choose one of pg, node:22\n"]),
        (&["answer", &id, "name"], &["there is no answer to name", "hint: --custom TEXT"]),
        (&["answer", &id, "dp", "pg"], &["has no decision \"dp\"", "did you mean db?"]),
        (&["skip", &id, "colour"], &["has no decision \"colour\"", "it has auth-strategy, db, name"]),
        (&["ask", "-o", "a", "-o", "b"], &["the question is missing"]),
    ] {
        let ran = theatre.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}{}", ran.out, ran.err);
        for part in parts {
            assert!(ran.err.contains(part), "{part}: {}", ran.err);
        }
    }
}

#[test]
fn a_wrong_id_is_a_wrong_use() {
    let (theatre, id) = asked();
    for arguments in [
        &["status", "nobody"][..],
        &["get", "nobody"],
        &["await", "nobody", "--timeout", "1s"],
        &["answer", "nobody", "db", "pg"],
        &["answer", &id, "nothing", "pg"],
        &["skip", &id, "nothing"],
        &["submit", "nobody"],
        &["withdraw", "nobody"],
        &["status", "../../etc/passwd"],
        &["status", ""],
    ] {
        let ran = theatre.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("hint: "), "{arguments:?}: {}", ran.err);
    }
    let ran = theatre.run(&["status", "nobody", "--json"]);
    assert!(json(&ran.out)["error"].as_str().is_some_and(|error| error.contains("nobody")), "{}", ran.out);
    assert_eq!(theatre.run(&["answer", &id, "db"]).code, Some(2), "an answer says something");
}

#[test]
fn a_slip_of_the_finger_is_no_answer() {
    let (theatre, id) = asked();
    let ran = theatre.run(&["answer", &id, "auth-strategy", "sesion"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("hint: did you mean session?"), "{}", ran.err);
    let ran = theatre.run(&["answer", &id, "auth-strategy", "jwt", "session"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let ran = theatre.run(&["answer", &id, "name", "arbiter"]);
    assert!(ran.err.contains("--custom"), "{}", ran.err);
    let ran = theatre.run(&["answer", &id, "db", "--custom", "oracle"]);
    assert_eq!(ran.code, Some(2), "own words are not wanted there");
    assert!(ran.err.contains("choose one of pg, node:22"), "{}", ran.err);
    let ran = theatre.run(&["answer", &id, "name", "--custom", "   "]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn an_agent_cannot_speak_for_a_human() {
    let (theatre, id) = small();
    for environment in [[("ARBITER_MARK_X", "1")], [("ARBITER_AGENT", "ceo")], [("CLAWDBOT_AGENT", "ceo")]] {
        for arguments in [&["answer", &id, "deploy", "yes"][..], &["skip", &id, "deploy"], &["submit", &id]] {
            let ran = theatre.run_with(arguments, &environment);
            assert_eq!(ran.code, Some(2), "{arguments:?} {environment:?}: {}", ran.err);
            assert!(ran.err.contains("cannot speak for a human"), "{}", ran.err);
        }
        let ran = theatre.run_with(&["inbox"], &environment);
        assert_eq!(ran.code, Some(0), "looking is for everybody");
    }
    assert_eq!(super::told(&theatre, &["status", &id, "--json"])["answered"], 0);
}

#[test]
fn a_malformed_file_is_listed_with_its_reason_and_picked_up_when_mended() {
    let (theatre, id) = small();
    let pending = queue(&theatre).join("pending");
    fs::write(pending.join("broken.md"), "# nothing\n").unwrap();
    let list = super::done(&theatre, &["inbox"]);
    assert!(list.contains("malformed: ") && list.contains("broken.md: "), "{list}");
    assert!(list.contains(&id), "others are unaffected");
    let told = super::told(&theatre, &["inbox", "--json"]);
    assert_eq!(told["faults"].as_array().map(Vec::len), Some(1));
    let mended = "---\nid: mended\nagent: ceo\nsession: \"\"\ntitle: T\nstatus: pending\n---\n\n# T\n\n---\n\n\
                  ## Decision 1: D\n\nid: d\nstatus: pending\nanswer: null\n\n**Options:**\n- `a` — A\n\n---\n";
    fs::write(pending.join("broken.md"), mended).unwrap();
    let told = super::told(&theatre, &["inbox", "--json"]);
    assert_eq!(
        (told["faults"].as_array().map(Vec::len), told["petitions"].as_array().map(Vec::len)),
        (Some(0), Some(2))
    );
    assert_eq!(names(&theatre, "pending").len(), 2);
}

#[test]
fn a_file_that_was_removed_is_no_longer_there() {
    let (theatre, id) = small();
    for name in names(&theatre, "pending") {
        fs::remove_file(queue(&theatre).join("pending").join(name)).unwrap();
    }
    for arguments in [&["answer", &id, "deploy", "yes"][..], &["submit", &id], &["get", &id]] {
        let ran = theatre.run(arguments);
        assert!(matches!(ran.code, Some(1 | 2)), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains("hint: "), "{}", ran.err);
    }
    let ran = theatre.run(&["inbox"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains(&id) && ran.out.contains("its file is gone"), "{}", ran.out);
}

#[test]
fn a_broken_user_file_is_told_and_a_broken_config_json_is_a_note() {
    let theatre = theatre();
    fs::create_dir_all(theatre.path().join("home/.arbiter")).unwrap();
    fs::write(theatre.path().join("home/.arbiter/config.json"), "{\"telegram\": {\"token\": \"s3cret\"")
        .unwrap();
    let ran = theatre.run(&["inbox"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("note: ") && ran.err.contains("config.json does not count"), "{}", ran.err);
    assert!(!ran.err.contains("s3cret"));
    let folder = theatre.path().join("home/.config/arbiter");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.yaml"), "docket: { dir: queue }\n").unwrap();
    let ran = theatre.run(&["inbox"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("`docket.dir`"), "{}", ran.err);
}
