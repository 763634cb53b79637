//! There is one way to a mission: the port (`arbiter/mission/port`). Other code that reads a journal, writes
//! into an inbox or sends a person's words to a loop is a problem; the few places that the port itself is made
//! of stand in one list.

use super::{Problem, Tree};

pub const HINT: &str = "reach a mission through `arbiter/mission/port`: `MissionPort`, `FolderPort`, `CommandContext::port`; \
                        what has to be below the port stands in the list of `tidy/ways.rs` with its reason";

/// The port itself may do all of it.
const PORT: &str = "crates/arbiter/src/mission/port/";
/// The rooms that reach missions. The others know no journal; tests and simulations are not checked.
const ROOMS: [&str; 3] = ["crates/arbiter/src/", "crates/doors/src/", "crates/tui/src/"];

/// The journal as the mind reads it, and any past of it: what the port hands out.
const READERS: &[&str] = &[
    "crates/arbiter/src/mission/fact_log.rs",
    "crates/arbiter/src/terminal/watching/journal_view.rs",
    "crates/arbiter/src/terminal/watching/walk.rs",
];
/// What runs a mission, discards one or fetches what a dead process left in its clone holds its journal for writing.
const WRITERS: &[&str] = &[
    "crates/arbiter/src/mission/run/opened.rs",
    "crates/arbiter/src/mission/opening.rs",
    "crates/arbiter/src/commands/discard.rs",
    "crates/arbiter/src/commands/merge.rs",
];
/// A letter that has become a fact is taken away by an effect.
const EFFECTS: &[&str] = &["crates/arbiter/src/mission/effect_runner/disk.rs"];

/// A new mission's folders are made.
const FOLDERS: &[&str] = &["crates/arbiter/src/project/home.rs"];

/// A way to a mission's inbox or journal, and the files that may use it besides the port.
const WAYS: &[(&str, &[&str])] = &[
    ("write_message(", &[]),
    ("read_messages(", &[]),
    ("port::inbox", EFFECTS),
    (".inbox()", FOLDERS),
    ("Event::Human(", &[]),
    ("journal::Reader", READERS),
    ("Reader::open", READERS),
    (".reader()", READERS),
    (".reader_at(", READERS),
    ("FactTail::open", READERS),
    ("JournalView::open", READERS),
    ("FactLog::peek", READERS),
    ("FactLog::open", WRITERS),
    ("FactLog::create", WRITERS),
    ("MissionJournal::new", WRITERS),
    ("journal::holder", &[]),
];

pub fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.sources().filter(|(path, _)| is_product(path)) {
        // Tests at the end of a file play all parts themselves.
        let product = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or(text);
        for (number, line) in (1..).zip(product.lines()) {
            let code = line.split("//").next().unwrap_or(line);
            let mut gone = WAYS.iter().filter(|(way, known)| code.contains(way) && !known.contains(&path));
            if let Some((way, _)) = gone.next() {
                problems.push(Problem::at(path, number, format!("goes past the port: `{way}`")));
            }
        }
    }
    problems
}

fn is_product(path: &str) -> bool {
    let is_test = path.ends_with("/tests.rs") || path.contains("/tests/");
    ROOMS.iter().any(|room| path.starts_with(room)) && !path.starts_with(PORT) && !is_test
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<String> {
        lines(&check(&Tree::of(&[(path, text)])))
    }

    #[test]
    fn every_other_way_to_a_mission_is_told() {
        let door = "crates/doors/src/telegram.rs";
        for (way, known) in WAYS {
            let text = format!("use x;\n    let it = {way}path);\n");
            assert_eq!(problems(door, &text), [format!("{door}:2: goes past the port: `{way}`")]);
            for known in *known {
                assert_eq!(problems(known, &text), [""; 0], "{known}");
            }
        }
    }

    #[test]
    fn the_port_tests_and_comments_may_name_them() {
        let text = "events.send(Event::Human(event))\n";
        assert_eq!(problems("crates/arbiter/src/mission/port/local.rs", text), [""; 0]);
        assert_eq!(problems("crates/arbiter/src/mission/effect_runner/tests.rs", text), [""; 0]);
        assert_eq!(problems("crates/sim/src/world.rs", text), [""; 0]);
        assert_eq!(problems("crates/tui/src/a.rs", "/// As `FactTail::open` does.\nfn a() {}\n"), [""; 0]);
        let inner = format!("fn a() {{}}\n\n#[cfg(test)]\nmod tests {{\n    {text}}}\n");
        assert_eq!(problems("crates/tui/src/a.rs", &inner), [""; 0]);
        assert_eq!(problems("crates/tui/src/a.rs", text).len(), 1);
    }

    /// A name in the list that is no file any more would let the next file of that name through.
    #[test]
    fn whoever_is_let_through_is_there_and_goes_that_way() {
        let tree = Tree::load(&crate::root()).unwrap();
        for known in [READERS, WRITERS, EFFECTS, FOLDERS] {
            for path in known {
                let text = tree.text(path).unwrap_or_else(|| panic!("{path} is not there"));
                let mut ways = WAYS.iter().filter(|(_, may)| *may == known).map(|(way, _)| *way);
                assert!(ways.any(|way| text.contains(way)), "{path} has no need of it");
            }
        }
    }
}
