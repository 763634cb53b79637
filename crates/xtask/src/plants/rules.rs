//! The rules of a round stand once. A file that also sorts events, bounds a batch, rings the alarm or reads a wish to
//! leave has a second copy of a rule, which no plant breaks and no world runs; the few places that need the words stand
//! in one list.

use super::bugs::ROUND;
use crate::tidy::Tree;

/// A word that only a rule of the round needs, and the files that may use it besides, with the reason.
const WORDS: &[(&str, &[&str])] = &[
    ("precedence(", &[]),
    ("sort_by_key(precedence", &[]),
    ("retain(is_record", &[]),
    ("BATCH_EVENTS_MAX", &["crates/mind/src/limits.rs"]),
    // A world does not wait for what is due, and holds it against a law.
    (".is_due(", &["crates/sim/src/world/mod.rs", "crates/sim/src/world/rounds.rs"]),
    ("Leave(why))", &[]),
    // Plays and their replay decide event by event and have no loop; the long mission is a measure of the mind alone.
    (
        "state.decide(",
        &["crates/sim/src/world/play.rs", "crates/sim/src/world/again.rs", "crates/sim/src/long.rs"],
    ),
    ("LoopMode::Stopping", &["crates/arbiter/src/mission/mission_loop.rs", "crates/sim/src/world/"]),
];

/// Where a rule stands once more: a line each.
pub fn second_places(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    let product = |path: &str| path.contains("/src/") && !path.starts_with("crates/xtask/") && path != ROUND;
    for (path, text) in tree.sources().filter(|(path, _)| product(path)) {
        let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or(text);
        for (number, line) in (1..).zip(text.lines()) {
            let code = line.split("//").next().unwrap_or(line);
            let strange = |(word, known): &&(&str, &[&str])| {
                code.contains(word) && !known.iter().any(|known| path.starts_with(known))
            };
            if let Some((word, _)) = WORDS.iter().find(strange) {
                found.push(format!("{path}:{number}: `{word}` is a rule of {ROUND}"));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_copy_of_a_rule_is_named() {
        let tree = Tree::of(&[
            (ROUND, "events.sort_by_key(precedence);"),
            ("crates/mind/src/limits.rs", "pub const BATCH_EVENTS_MAX: usize = 256;"),
            ("crates/sim/src/world/house.rs", "// precedence( in a comment\nevents.sort_by_key(precedence);"),
        ]);
        let expected =
            format!("crates/sim/src/world/house.rs:2: `sort_by_key(precedence` is a rule of {ROUND}");
        assert_eq!(second_places(&tree), [expected]);
    }

    #[test]
    fn the_rules_of_the_round_stand_once() {
        assert_eq!(second_places(&Tree::load(&crate::root()).unwrap()), [""; 0]);
    }
}
