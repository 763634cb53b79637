//! A test takes its mission from `sim`: a mission that the tests of another room build by hand is a problem. The mind
//! and the journal are tested by themselves, below any mission.

use super::{Problem, Tree};

pub const HINT: &str = "take the mission from `sim`: `Theatre::rehearsing` with `BridgeScript` or `GreetingScript`, \
                        `Theatre::write_mission`, `DeathWalk`, `SteppedMission`, `RunnerSeed`, `SessionSeed`, `charter`";

/// The rooms whose tests need missions.
const ROOMS: [&str; 7] = ["arbiter", "docket", "doors", "providers", "sandbox", "tui", "workspace"];

/// A journal that is the test's own subject.
const JOURNALS: &[&str] = &["crates/arbiter/tests/it/port.rs", "crates/arbiter/tests/it/watching/feed.rs"];

/// A mission that the test starts in a place of its own: on a small disk, with an output that is full.
const PLACES: &[&str] = &["crates/arbiter/tests/it/full_disk.rs", "crates/arbiter/tests/it/full_output.rs"];

/// What a mission is made of, and whose tests may make it.
const MARKS: &[(&str, &[&str])] = &[
    ("EffectRunner {", &[]),
    ("Charter {", &[]),
    ("SessionStart {", &[]),
    ("FactLog::create(", JOURNALS),
    ("Journal::create(", &[]),
    ("--rehearsal", PLACES),
    ("ARBITER_DIE_AT", &[]),
    ("ARBITER_STANDSTILL", &[]),
];

pub fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.sources().filter(|(path, _)| is_test(path)) {
        for (number, line) in (1..).zip(text.lines()) {
            let code = line.split("//").next().unwrap_or(line);
            let found = MARKS.iter().find(|(mark, known)| makes(code, mark) && !known.contains(&path));
            if let Some((mark, _)) = found {
                problems.push(Problem::at(path, number, format!("makes a mission by hand: `{mark}`")));
            }
        }
    }
    problems
}

fn is_test(path: &str) -> bool {
    let room = path.strip_prefix("crates/").and_then(|rest| rest.split('/').next());
    let is_beside = path.contains("/tests/") || path.ends_with("/tests.rs");
    is_beside && room.is_some_and(|room| ROOMS.contains(&room))
}

/// The line has it as a word of its own that is no return type: what a function gives is not made there.
fn makes(code: &str, mark: &str) -> bool {
    code.match_indices(mark).any(|(at, _)| {
        let before = &code[..at];
        !before.ends_with("-> ") && !before.ends_with(|sign: char| sign.is_alphanumeric() || sign == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<String> {
        lines(&check(&Tree::of(&[(path, text)])))
    }

    #[test]
    fn a_mission_that_a_test_makes_by_hand_is_told() {
        let path = "crates/arbiter/tests/it/house.rs";
        for (mark, known) in MARKS {
            let text = format!("use x;\n    let it = {mark}\n");
            assert_eq!(problems(path, &text), [format!("{path}:2: makes a mission by hand: `{mark}`")]);
            for known in *known {
                assert_eq!(problems(known, &text), [""; 0], "{known}");
            }
        }
        assert_eq!(
            problems("crates/arbiter/src/mission/effect_runner/tests.rs", "a(EffectRunner { x })\n").len(),
            1
        );
    }

    #[test]
    fn what_gives_one_and_other_rooms_may_name_it() {
        let path = "crates/arbiter/tests/it/house.rs";
        assert_eq!(problems(path, "fn runner() -> EffectRunner {\n// a Charter { } of ours\n"), [""; 0]);
        assert_eq!(problems(path, "Stream::MessageStart { message }\n"), [""; 0]);
        for elsewhere in
            ["crates/sim/tests/it/main.rs", "crates/mind/tests/it/golden.rs", "crates/arbiter/src/a.rs"]
        {
            assert_eq!(problems(elsewhere, "let a = Charter { x };\n"), [""; 0]);
        }
    }

    /// A name in the list that is no file any more would let the next file of that name through.
    #[test]
    fn whoever_is_let_through_is_there_and_makes_one() {
        let tree = Tree::load(&crate::root()).unwrap();
        for (mark, known) in MARKS {
            for path in *known {
                assert!(tree.text(path).is_some_and(|text| text.contains(mark)), "{path} has no need of it");
            }
        }
    }
}
