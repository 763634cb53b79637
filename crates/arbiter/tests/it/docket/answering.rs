//! `answer`, `skip`, `submit`, `withdraw`, `status` and `get`.

use std::fs;

use super::{asked, done, fed, json, names, queue, small, steady, told};

#[test]
fn a_petition_goes_from_the_question_to_the_answers() {
    let (theatre, id) = asked();
    let mut told =
        format!("$ arbiter status ID\n{}", steady(&theatre, &id, &done(&theatre, &["status", &id])));
    for words in [
        &["answer", &id, "auth-strategy", "jwt"][..],
        &["skip", &id, "db"],
        &["answer", &id, "name", "--custom", "Ada: \"the\"\u{1b}[31m first\n---\nid: x", "--submit"],
        &["get", &id],
    ] {
        let shown: Vec<&str> =
            words.iter().map(|word| if word.contains('\u{1b}') { "TEXT" } else { word }).collect();
        told.push_str(&format!("$ arbiter {}\n", shown.join(" ").replace(&id, "ID")));
        told.push_str(&steady(&theatre, &id, &done(&theatre, words)));
    }
    insta::assert_snapshot!(told);
    assert_eq!((names(&theatre, "pending").len(), names(&theatre, "completed").len()), (0, 1));
    let notified = names(&theatre, "notify");
    assert_eq!(notified.len(), 1);
    let text = fs::read_to_string(queue(&theatre).join("notify").join(&notified[0])).unwrap();
    assert!(text.contains("- auth-strategy: jwt"), "{text}");
}

#[test]
fn answers_come_with_who_gave_them() {
    let (theatre, id) = asked();
    done(&theatre, &["answer", &id, "db", "node:22"]);
    let open = theatre.run(&["get", &id, "--json"]);
    assert_eq!(open.code, Some(1), "it is open");
    assert_eq!(json(&open.out)["remaining"], 2);
    let open = theatre.run(&["get", &id]);
    assert_eq!(open.code, Some(1));
    assert!(open.err.contains("is open: 2 of 3 to go") && open.err.contains("--partial"), "{}", open.err);
    let partial = told(&theatre, &["get", &id, "--partial", "--json"]);
    assert_eq!(partial["answers"]["db"], "node:22");

    done(&theatre, &["skip", &id, "auth-strategy"]);
    let words = "two\nlines: \u{202e}turned";
    let ran = fed(&theatre, &["answer", &id, "name", "--custom", "-"], &format!("{words}\n"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ready = theatre.run(&["get", &id]);
    assert!(ready.err.contains("decided, but not submitted"), "{}", ready.err);
    let submitted = told(&theatre, &["submit", &id, "--json"]);
    assert_eq!(submitted["status"], "completed");
    let got = told(&theatre, &["get", &id, "--json"]);
    assert_eq!(got["skipped"], serde_json::json!(["auth-strategy"]));
    assert_eq!(got["answers"]["name"], words, "an answer is whole for programs");
    assert_eq!(got["provenance"]["db"]["by"], "human:cli:tester");
    assert_eq!(got["provenance"]["db"]["via"], "cli");
    let shown = done(&theatre, &["get", &id]);
    assert!(
        shown.contains("two lines: turned") && !shown.contains('\u{202e}'),
        "and harmless for people: {shown}"
    );
}

#[test]
fn the_first_answer_stands_until_it_is_changed() {
    let (theatre, id) = small();
    done(&theatre, &["answer", &id, "deploy", "yes"]);
    let second = theatre.run(&["answer", &id, "deploy", "no"]);
    assert_eq!(second.code, Some(1));
    assert!(second.err.contains("already answered: yes, by tester, at the command line"), "{}", second.err);
    assert!(second.err.contains("hint: --change"), "{}", second.err);
    let changed = told(&theatre, &["answer", &id, "deploy", "no", "--change", "--json"]);
    assert_eq!(changed["decisions"]["deploy"]["answer"], "no");
    done(&theatre, &["submit", &id]);
    for arguments in [&["answer", &id, "deploy", "yes", "--change"][..], &["submit", &id], &["withdraw", &id]]
    {
        let late = theatre.run(arguments);
        assert_eq!(late.code, Some(1), "{arguments:?}");
        assert!(late.err.contains("is submitted"), "{}", late.err);
    }
}

#[test]
fn of_many_at_once_one_is_first_and_the_others_see_it() {
    let (theatre, id) = small();
    let start = |key| theatre.start(&["answer", &id, "deploy", key]);
    let started: Vec<_> = ["yes", "no", "yes", "no", "yes", "no"].into_iter().map(start).collect();
    let ended = started.into_iter().map(|child| sim::Ran::from(child.wait_with_output().expect("it ends")));
    let (first, others): (Vec<_>, Vec<_>) = ended.partition(|ran| ran.code == Some(0));
    assert_eq!((first.len(), others.len()), (1, 5));
    let stands = told(&theatre, &["status", &id, "--json"])["decisions"]["deploy"]["answer"].clone();
    let stands = stands.as_str().expect("an answer");
    for other in others {
        assert_eq!(other.code, Some(1));
        assert!(
            other.err.contains(&format!("already answered: {stands}, by tester, at the command line")),
            "{}",
            other.err
        );
    }
    assert!(done(&theatre, &["audit", "verify"]).starts_with("clean: 2 lines"));
}

#[test]
fn what_is_open_cannot_be_submitted() {
    let (theatre, id) = asked();
    let early = theatre.run(&["submit", &id]);
    assert_eq!(early.code, Some(1));
    assert!(early.err.contains("still open: auth-strategy, db, name"), "{}", early.err);
    let ran = theatre.run(&["answer", &id, "db", "pg", "--submit"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.contains("not submitted, still open: auth-strategy, name"), "{}", ran.err);
    assert_eq!(told(&theatre, &["status", &id, "--json"])["status"], "in_progress");
}

#[test]
fn several_options_where_several_can_be_chosen() {
    let theatre = super::theatre();
    let id = done(&theatre, &["ask", "Which?", "--id", "w", "--multi", "-o", "a1", "-o", "a2", "-o", "a3"]);
    done(&theatre, &["answer", id.trim(), "w", "a3", "a1", "--submit"]);
    assert_eq!(told(&theatre, &["get", id.trim(), "--json"])["answers"]["w"], "a3, a1");
}

#[test]
fn a_petition_can_be_taken_back_and_an_answer_is_late_then() {
    let theatre = crate::theatre();
    let ask = ["ask", "Deploy now?", "--agent", "ceo", "--id", "deploy", "-o", "yes", "-o", "no"];
    let id = done(&theatre, &ask).trim().to_owned();
    let ran = theatre.run_with(&["withdraw", &id], &[("ARBITER_AGENT", "bob")]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(ran.err.contains("was asked by ceo") && ran.err.contains("hint: a person"), "{}", ran.err);
    let ran = theatre.run_with(&["withdraw", &id, "--why", "no need"], &[("ARBITER_AGENT", "ceo")]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(names(&theatre, "completed").len(), 1);
    let status = told(&theatre, &["status", &id, "--json"]);
    assert_eq!((&status["status"], &status["reason"]), (&"withdrawn".into(), &"no need".into()));
    let late = theatre.run(&["answer", &id, "deploy", "yes"]);
    assert_eq!(late.code, Some(0), "{}", late.err);
    assert!(
        late.out.starts_with("late: ") && late.err.contains("was withdrawn: no need"),
        "{}{}",
        late.out,
        late.err
    );
    let got = theatre.run(&["get", &id, "--json"]);
    assert_eq!(got.code, Some(1), "nothing was decided");
    let got = json(&got.out);
    assert_eq!((&got["late"]["deploy"], &got["answers"]), (&"yes".into(), &serde_json::json!({})));
    assert_eq!(got["reason"], "no need");
    let got = theatre.run(&["get", &id]);
    assert_eq!(got.code, Some(1));
    assert!(got.out.contains("Deploy now?") && got.err.contains("was withdrawn: no need"), "{}", got.err);
    assert!(done(&theatre, &["audit"]).contains("withdrawn: no need  by the agent ceo"));
}

#[test]
fn a_hand_edit_counts_as_the_hands() {
    let (theatre, id) = small();
    let file = queue(&theatre).join("pending").join(&names(&theatre, "pending")[0]);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("answer: null", "answer: no", 1)).unwrap();
    let status = told(&theatre, &["status", &id, "--json"]);
    assert_eq!(
        (&status["decisions"]["deploy"]["answer"], &status["status"]),
        (&"no".into(), &"ready".into())
    );
    assert_eq!(status["decisions"]["deploy"]["via"], "file");
    let submitted = told(&theatre, &["submit", &id, "--json"]);
    assert_eq!(submitted["answers"]["deploy"], "no");
}

#[test]
fn the_status_tells_all_that_an_answer_needs() {
    let theatre = super::theatre();
    let text = r#"{"title": "T", "context": "All of it.", "decisions": [
        {"id": "first", "title": "One?", "options": [{"key": "a", "label": "An A"}, "b"], "multi": true,
         "allow_custom": false, "deadline": "2h", "default": "b", "context": "Think."},
        {"id": "then", "title": "Two?", "allow_custom": true, "requires": "human", "depends_on": ["first"]}]}"#;
    let id = json(&fed(&theatre, &["ask", "--json"], text).out)["id"].as_str().expect("an id").to_owned();
    let status = told(&theatre, &["status", &id, "--json"]);
    assert_eq!(status["context"], "All of it.");
    let (first, then) = (&status["decisions"]["first"], &status["decisions"]["then"]);
    assert_eq!(
        first["options"],
        serde_json::json!([{"key": "a", "label": "An A"}, {"key": "b", "label": "b"}])
    );
    assert_eq!((&first["multi"], &first["allowCustom"]), (&true.into(), &false.into()));
    assert_eq!((&first["default"], &first["context"]), (&"b".into(), &"Think.".into()));
    assert!(first["deadline"].as_str().is_some_and(|at| at.ends_with('Z')), "{first}");
    assert_eq!((&then["requiresHuman"], &then["dependsOn"][0]), (&true.into(), &"first".into()));
    let shown = done(&theatre, &["status", &id]);
    for part in [
        "\n  several can be chosen",
        "due in 1h 59m, then b is taken",
        "\n  comes after One?",
        "only a person may answer",
        "│ Think.",
        "│ All of it.",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn a_terminal_without_utf_8_gets_plain_signs() {
    let (theatre, id) = asked();
    let plain = |arguments: &[&str]| {
        let ran = theatre.run_with(arguments, &[("LC_ALL", "C")]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.out.is_ascii(), "{}", ran.out);
        ran.out
    };
    assert!(plain(&["status", &id]).contains("  | Context for the human reviewer."));
    assert!(plain(&["answer", &id, "db", "pg"]).starts_with("* Database -> pg"));
    assert!(plain(&["inbox"]).contains("API Design Decisions - ceo"));
}

/// The command answered and submitted, and ended before it could say so.
#[test]
fn repeating_an_answer_that_submitted_tells_all_of_it_and_a_later_submit_is_one_too_many() {
    let theatre = crate::theatre();
    let ask = ["ask", "Deploy now?", "--id", "deploy", "-o", "yes", "-o", "no"];
    let id = done(&theatre, &ask).trim().to_owned();
    let answer = ["answer", &id, "deploy", "yes", "--submit"];
    done(&theatre, &answer);
    let mark = theatre.home().join("queue/.arbiter/applied");
    let noted = std::fs::read_to_string(&mark).expect("it is there");
    std::fs::write(&mark, noted.replace("\"untold\":[]", "\"untold\":[2,3]")).expect("it can be written");
    let again = theatre.run(&answer);
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(again.out.contains("submitted: Deploy now?"), "{}", again.out);
    let noted = std::fs::read_to_string(&mark).expect("it is there");
    assert!(noted.contains("\"untold\":[]"), "{noted}");
    assert_eq!(theatre.run(&["submit", &id]).code, Some(1));
    assert!(done(&theatre, &["audit", "verify"]).starts_with("clean: 3 lines"));
}
