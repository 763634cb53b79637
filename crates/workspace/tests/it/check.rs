//! What may be written as a check.

use workspace::{Check, WorkspaceError, Written};

fn line(text: &str) -> Written {
    Written::Line(text.into())
}

fn argv(words: &[&str]) -> Written {
    Written::Argv(words.iter().map(ToString::to_string).collect())
}

fn hint_of(written: Written) -> String {
    match Check::parse(written.clone()) {
        Err(error @ WorkspaceError::ShellCheck { .. }) => error.hint().unwrap(),
        other => panic!("{written:?} gave {other:?}"),
    }
}

#[test]
fn a_program_and_its_arguments_are_a_check() {
    let good: &[&[&str]] = &[
        &["cargo", "test"],
        &["./ci/test.sh"],
        &["bash", "ci/test.sh", "-c"],
        &["bash", "-eu", "ci/test.sh"],
        &["bash", "-o", "pipefail", "ci/test.sh"],
        &["env", "RUST_LOG=debug", "cargo", "test", "-c"],
        &["timeout", "60", "bash", "ci/test.sh"],
        &["grep", "-c", "sh", "notes.md"],
        &["cargo", "test", "--", "a b", "it's $5"],
        &["make"],
    ];
    for words in good {
        assert_eq!(Check::parse(argv(words)).unwrap().argv(), *words);
    }
    assert_eq!(Check::parse(line("make")).unwrap().argv(), ["make"]);
}

#[test]
fn nothing_is_no_check() {
    for written in [argv(&[]), argv(&[""]), argv(&["", "test"]), line(""), line("  ")] {
        let error = Check::parse(written).unwrap_err();
        assert!(matches!(error, WorkspaceError::EmptyCheck));
        assert!(error.hint().is_some());
    }
}

#[test]
fn a_line_for_a_shell_is_refused_with_the_list_to_write() {
    let cargo = r#"["cargo", "test"]"#;
    let both = r#"["cargo", "test"] and ["cargo", "clippy"]"#;
    let table = [
        (line("cargo test"), cargo),
        (line("cargo test || true"), cargo),
        (line("cargo test||true"), cargo),
        (line("cargo test | tee log"), cargo),
        (line("cargo test > log 2>&1"), cargo),
        (line("cargo test &> log"), cargo),
        (line("cargo test && cargo clippy"), both),
        (line("cargo test; cargo clippy"), both),
        (line("cargo test || true && cargo clippy"), both),
        (line("RUST_LOG=x cargo test"), r#"["env", "RUST_LOG=x", "cargo", "test"]"#),
        (line("cargo test 'two words'"), r#"["cargo", "test", "two words"]"#),
        (line("bash -lc 'cargo test || true'"), cargo),
        (argv(&["cargo test"]), cargo),
        (argv(&["cargo", "test", "||", "true"]), cargo),
        (argv(&["cargo", "test", ";", "cargo", "clippy"]), both),
        (argv(&["cargo", "test", "|", "cat"]), cargo),
        (argv(&["cargo", "test", ">", "log"]), cargo),
        (argv(&["cargo", "test", "2>&1"]), cargo),
        (argv(&["sh", "-c", "cargo test || true"]), cargo),
        (argv(&["/bin/bash", "-lc", "cargo test"]), cargo),
        (argv(&["bash", "-o", "pipefail", "-euc", "cargo test && cargo clippy"]), both),
        (argv(&["zsh", "-c", "-e", "cargo test"]), cargo),
        (argv(&["fish", "--command=cargo test"]), cargo),
        (argv(&["env", "-i", "A=1", "dash", "-c", "cargo test"]), cargo),
        (argv(&["/usr/bin/env", "-S", "cargo test"]), cargo),
        (argv(&["env", "-Scargo test"]), cargo),
        (argv(&["env", "--split-string=cargo test"]), cargo),
        (argv(&["timeout", "60", "nice", "sh", "-c", "cargo test"]), cargo),
        (argv(&["busybox", "sh", "-c", "cargo test"]), cargo),
        (line("cd crate && cargo test"), r#"["./check.sh"]"#),
        (line("test -z $(git status)"), r#"["./check.sh"]"#),
        (line("~/bin/check"), r#"["./check.sh"]"#),
        (line("> log"), r#"["./check.sh"]"#),
    ];
    for (written, expected) in table {
        let hint = hint_of(written.clone());
        assert!(hint.ends_with(expected), "{written:?} gave the hint: {hint}");
    }
}
