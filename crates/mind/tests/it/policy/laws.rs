//! Laws of the judge: it never fails, and no disguise makes a line more welcome.

use mind::policy::Ruling;
use proptest::prelude::*;

use super::world::{bash, grade};

/// Lines that are asked about or denied, and some that run.
const LINES: &[&str] = &[
    "rm -rf /etc/x",
    "cat /home/user/.ssh/id_rsa",
    "git push",
    "curl https://example.org",
    "npm install",
    "frobnicate x",
    "git clean -fdx",
    "kill 99",
    "sudo ls",
    "tar xf a.tar -C /",
    "sed -i s/a/b/ /etc/hosts",
    "find / -delete",
    "git -c core.hooksPath=x commit",
    "python3 -c 1",
    "cp a /usr/bin/b",
    "tee /etc/x",
    "dd of=/etc/x",
    "ls",
    "echo hi",
    "cargo test",
    "git status",
    "mkdir -p a/b",
    "sort -o /etc/x a",
    "ln /etc/passwd p",
    "chmod 4755 x",
    "docker ps",
];

fn line() -> impl Strategy<Value = &'static str> {
    prop::sample::select(LINES)
}

/// A word in another dress: the same to the shell.
fn dress(word: &str, how: u8) -> String {
    match how % 5 {
        0 => format!("'{word}'"),
        1 => format!("\"{word}\""),
        2 => word.chars().map(|c| format!("\\{c}")).collect(),
        3 => {
            let middle = word.chars().count() / 2;
            let (a, b): (String, String) =
                (word.chars().take(middle).collect(), word.chars().skip(middle).collect());
            format!("{a}''\"{b}\"")
        }
        _ => format!("$'{word}'"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn it_never_fails_whatever_the_line_is(text in ".{0,200}") {
        let _ruling = bash(&text);
    }

    #[test]
    fn it_never_fails_on_what_looks_like_shell(parts in prop::collection::vec(prop::sample::select(&[
        "$(", ")", "`", "'", "\"", "{", "}", "((", "))", "<<E", "\n", "E", ";", "&&", "|", "if", "then", "fi", "for x in",
        "do", "done", "case x in", "esac", ";;", "rm", "-rf", "/", "x", "${", "$x", "\\", "#", "=", "[[", "]]", "<(", ">",
        ">&", "2", "sh -c", "eval", "find . -exec", "xargs", "git", "-c", "sed", "awk", "~", "*", "{a,b}", "time", "!", "$'",
        "function", "f()", "tar", "-", "--", "@", ":", "cd", "env", "trap", "\u{202e}", "é",
    ][..]), 0..40), space in any::<bool>()) {
        let _ruling = bash(&parts.join(if space { " " } else { "" }));
    }

    #[test]
    fn another_way_of_quoting_changes_nothing(text in line(), how in prop::collection::vec(any::<u8>(), 8)) {
        let dressed: Vec<String> = text.split(' ').zip(how.iter().cycle()).map(|(word, how)| dress(word, *how)).collect();
        let dressed = dressed.join(" ");
        prop_assert!(grade(&bash(&dressed)) >= grade(&bash(text)), "{dressed}");
    }

    #[test]
    fn no_wrapping_makes_a_line_more_welcome(text in line(), ways in prop::collection::vec(0u8..14, 0..4), last in 14u8..17) {
        let mut wrapped = text.to_owned();
        for way in ways.into_iter().chain([last]) {
            wrapped = match way {
                0 => format!("sh -c '{}'", wrapped.replace('\'', "'\\''")),
                1 => format!("( {wrapped} )"),
                2 => format!("{{ {wrapped}; }}"),
                3 => format!("true && {wrapped}"),
                4 => format!("env {}", if wrapped == text { text } else { "true" }) + &format!(" && {wrapped}"),
                5 => format!("echo \"$( {wrapped} )\""),
                6 => format!("if true; then {wrapped}; fi"),
                7 => format!("for i in 1 2; do {wrapped}; done"),
                8 => format!("{wrapped} | cat"),
                9 => format!("echo x\n{wrapped}"),
                10 => format!("f() {{ {wrapped}; }}; f"),
                11 => format!("! {wrapped} 2>&1"),
                12 => format!("eval '{}'", wrapped.replace('\'', "'\\''")),
                13 => format!("while false; do {wrapped}; done"),
                // Nothing may follow the end of a here-document on its line.
                14 => format!("cat <<EOF\n$( {wrapped}\n)\nEOF"),
                15 => wrapped,
                _ => format!("bash <<'EOF_9'\n{wrapped}\nEOF_9"),
            };
        }
        prop_assert!(grade(&bash(&wrapped)) >= grade(&bash(text)), "{wrapped}");
    }

    #[test]
    fn a_prefix_makes_no_line_more_welcome(text in line(), n in 0usize..9) {
        let prefix = ["env", "env X=1", "command", "nice", "timeout 5", "time", "stdbuf -oL", "exec", "X=1"][n];
        prop_assert!(grade(&bash(&format!("{prefix} {text}"))) >= grade(&bash(text)), "{prefix} {text}");
    }

    #[test]
    fn a_denied_command_denies_its_line(text in line(), denied in prop::sample::select(&["git push", "rm -rf /etc/x", "sudo x"][..])) {
        for join in ["; ", " && ", " || ", "\n", " | "] {
            prop_assert_eq!(grade(&bash(&format!("{text}{join}{denied}"))), 2);
        }
    }
}

#[test]
fn nobody_is_asked_for_a_yes_to_what_cannot_be_shown_whole() {
    let longest = format!("frobnicate {}", "x".repeat(40 * 1024 - 11));
    let Ruling::Ask(question) = bash(&longest) else { panic!("it is asked") };
    assert_eq!(*question.what, *longest);
    let Ruling::Deny { why } = bash(&format!("{longest}x")) else { panic!("it is refused") };
    assert!(why.contains("too long to be shown"), "{why}");
}

#[test]
#[expect(clippy::disallowed_types, reason = "the test measures; the mind does not")]
fn long_and_deep_lines_are_asked_about_soon() {
    let began = std::time::Instant::now();
    for text in [
        "(".repeat(30_000),
        "$(".repeat(16_000),
        "`".repeat(30_000),
        "{ ".repeat(15_000),
        "\"$(".repeat(10_000),
        "${x:-".repeat(6_000),
        "$((".repeat(10_000),
        "{a,".repeat(10_000),
        "if true; then ".repeat(2_000),
        "for a in 1 2 3 4; do ".repeat(12) + "ls" + &"; done".repeat(12),
        format!("echo {}", "{a,b}".repeat(5_000)),
        "ls; ".repeat(8_000),
        "a ".repeat(16_000),
        "x".repeat(40_000),
        "sh -c ".repeat(5_000),
        "env ".repeat(8_000) + "ls",
        "cat <<A\n".repeat(4_000),
        format!("cat {}", "*".repeat(30_000)),
        format!("frobnicate {}", format!("{} ", "a,".repeat(2_000)).repeat(8)),
        format!("sed {}", "s/a".repeat(10_000)),
    ] {
        let start: String = text.chars().take(24).collect();
        let harmless = text.starts_with("echo") || text.starts_with("cat *");
        assert!(harmless || grade(&bash(&text)) > 0, "{start}");
        let _ruling = bash(&text);
    }
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}
