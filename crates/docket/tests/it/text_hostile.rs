//! Texts that were made to do harm: mutants of every fixture, and texts that are as large as they may be.

use std::sync::Arc;
use std::time::{Duration, Instant};

use docket::text::{PetitionText, trial};
use mind::Timestamp;
use mind::petition::AnswerChoice;

use crate::text::{NOON, ada, answered};

/// How long one text of the largest size may take in a slow build. What is not linear takes hours.
const LARGE: Duration = Duration::from_secs(20);
/// How many mutants there are of each fixture.
const MUTANTS: usize = 120;

/// A small generator of numbers that are always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides.max(1) as u64) as usize
    }
}

fn fixtures() -> Vec<(String, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
    let mut found: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .expect("the fixtures are there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|end| end == "petition"))
        .map(|path| (path.display().to_string(), std::fs::read(&path).expect("it can be read")))
        .collect();
    found.sort();
    assert!(found.len() > 30, "the fixtures are there");
    found
}

/// Pieces that mean something somewhere.
const PIECES: [&str; 24] = [
    "---\n",
    "\n---\n",
    "## Decision 1: x\n",
    "id: x\n",
    "status: answered\n",
    "answer: ",
    "\"",
    "'",
    "\\",
    "`",
    "**Options:**\n",
    "**Context:**",
    "- `a` — b\n",
    ": ",
    "#",
    " # ",
    "\r\n",
    "\u{feff}",
    "[",
    "{",
    "&a ",
    "*a",
    ">-\n",
    "\0",
];

fn mutate(bytes: &[u8], others: &[(String, Vec<u8>)], dice: &mut Dice) -> Vec<u8> {
    let mut mutant = bytes.to_vec();
    for _ in 0..=dice.below(4) {
        let at = dice.below(mutant.len() + 1);
        let to = (at + dice.below(40)).min(mutant.len());
        match dice.below(7) {
            0 => drop(mutant.drain(at..to)),
            1 => drop(mutant.splice(at..at, PIECES[dice.below(PIECES.len())].bytes())),
            2 => drop(mutant.splice(at..to, PIECES[dice.below(PIECES.len())].bytes())),
            3 => {
                let again = mutant[at..to].to_vec();
                drop(mutant.splice(at..at, again));
            }
            4 => {
                let other = &others[dice.below(others.len())].1;
                let from = dice.below(other.len());
                let piece = other[from..(from + dice.below(200)).min(other.len())].to_vec();
                drop(mutant.splice(at..to, piece));
            }
            5 if at < mutant.len() => mutant[at] = dice.below(128) as u8,
            _ => mutant.truncate(at.max(mutant.len() / 2)),
        }
    }
    mutant
}

#[test]
fn mutants_of_every_fixture_keep_the_laws() {
    let fixtures = fixtures();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut read, mut made, mut refused) = (0, 0, 0);
    for (name, bytes) in &fixtures {
        for nth in 0..MUTANTS {
            let mutant = mutate(bytes, &fixtures, &mut dice);
            let came = std::panic::catch_unwind(|| trial::edit(&mutant)).unwrap_or_else(|_| {
                panic!("mutant {nth} of {name} breaks a law:\n{}", String::from_utf8_lossy(&mutant))
            });
            read += usize::from(came.made + came.refused > 0);
            made += came.made;
            refused += came.refused;
        }
    }
    assert!(read > fixtures.len() * MUTANTS / 4, "many mutants are petitions: {read}");
    assert!(refused * 50 < made, "nearly every edit is made: {refused} refused, {made} made");
}

#[test]
fn every_edit_of_every_fixture_is_made() {
    for (name, bytes) in fixtures() {
        let came = trial::edit(&bytes);
        assert_eq!(came.refused, 0, "{name}");
    }
}

/// Reads and edits a text and tells whether it was a petition.
fn in_time(what: &str, text: &str) -> bool {
    let before = Instant::now();
    let read = PetitionText::read(text.as_bytes(), Timestamp(0));
    let took = before.elapsed();
    assert!(took < LARGE, "{what} took {took:?}");
    let sheet = match read {
        Ok(sheet) => sheet,
        Err(why) => {
            assert!(why.0.chars().count() < 600, "{what}: {why}");
            return false;
        }
    };
    let first = Arc::clone(&sheet.petition().decisions[0].id);
    let before = Instant::now();
    // The largest are refused because they would become too large; they are told so in time too.
    let _ = sheet.with(&answered(sheet.petition(), &first, AnswerChoice::Skipped), &ada(), NOON);
    let took = before.elapsed();
    assert!(took < 3 * LARGE, "an edit of {what} took {took:?}");
    true
}

/// As much of `piece` as a file may have beside `rest`.
fn filled(piece: &str, rest: &str) -> String {
    piece.repeat((1024 * 1024 - rest.len()) / piece.len())
}

#[test]
fn texts_as_large_as_they_may_be_are_read_in_time() {
    let front = "---\nid: a\ntitle: t\n---\n";
    let decision = "\n## Decision 1: x\n\nid: x\nstatus: pending\nanswer: null\n\n**Options:**\n- `a`\n";
    let rest = format!("{front}{decision}{decision}");
    let in_body = [
        "-",
        "## Decision 1: x\n\n",
        "## x\n",
        "\r\n",
        "id: x\n",
        "- `a` — b\n",
        "`",
        "\\",
        "---\n",
        "**Options:**\n",
        "\u{feff}",
        "a: b\n",
    ];
    for piece in in_body {
        let fill = filled(piece, &rest);
        in_time(&format!("a context of {piece:?}"), &format!("{front}{fill}{decision}"));
        in_time(&format!("a section with {piece:?}"), &format!("{front}{decision}{fill}"));
    }
    for piece in ["-", "---\n", "\u{feff}", "\n", "--- "] {
        assert!(!in_time(&format!("nothing but {piece:?}"), &filled(piece, "")));
    }
}

#[test]
fn a_frontmatter_as_large_as_it_may_be_is_read_in_time() {
    let decision = "---\n\n## Decision 1: x\n\nid: x\nstatus: pending\nanswer: null\n";
    let values = [
        "[", "{", "{a: ", "\"", "\" ", "'", "' ", "# ", " #", "\\", "&a ", "*a ", "- ", ">", "a: ",
        "[*a,*a],",
    ];
    for piece in values {
        for key in ["title", "decisions"] {
            let head = format!("---\nid: a\n{key}: ");
            let fill = filled(piece, &format!("{head}\n{decision}"));
            in_time(&format!("{key} of {piece:?}"), &format!("{head}{fill}\n{decision}"));
        }
    }
    let lines = [
        "  - id: x\n",
        "  - - \n",
        "  a\n",
        "  {a: b},\n",
        "\n",
        "# x\n",
        "- [\n",
        "   - {id: x, answer: null}\n",
    ];
    for piece in lines {
        let head = "---\nid: a\ndecisions:\n";
        let fill = filled(piece, &format!("{head}{decision}"));
        in_time(&format!("lines of {piece:?}"), &format!("{head}{fill}{decision}"));
    }
}

#[test]
fn a_hundred_thousand_keys_are_read_in_time() {
    let keys: String = (0..100_000).map(|n| format!("k{n}: \n")).collect();
    let decision = "---\n\n## Decision 1: x\n\nid: x\nstatus: pending\nanswer: null\n";
    assert!(in_time("many keys", &format!("---\nid: a\n{keys}{decision}")));
    let inside: String = (0..60_000).map(|n| format!("k{n}: 1, ")).collect();
    in_time("many keys in braces", &format!("---\nid: a\ndecisions: [{{{inside}}}]\n{decision}"));
    let fields: String = (0..100_000).map(|n| format!("k{n}: \n")).collect();
    assert!(in_time("many fields", &format!("---\nid: a\n{decision}{fields}")));
}

#[test]
fn what_is_too_large_is_said_so() {
    let text = filled("a", "") + "aa";
    let fault = PetitionText::read(text.repeat(2).as_bytes(), Timestamp(0)).unwrap_err();
    assert_eq!(fault.0, "the file is larger than 1 MiB");
    let many: String = (0..201).map(|n| format!("\n## Decision {n}: x{n}\n\nid: x{n}\n")).collect();
    let fault = PetitionText::read(format!("---\nid: a\n---\n{many}").as_bytes(), Timestamp(0)).unwrap_err();
    assert_eq!(fault.0, "there are more than 200 decisions");
    let options: String = (0..501).map(|n| format!("- `o{n}`\n")).collect();
    let text = format!("---\nid: a\n---\n\n## Decision 1: x\n\nid: x\n\n**Options:**\n{options}");
    let fault = PetitionText::read(text.as_bytes(), Timestamp(0)).unwrap_err();
    assert_eq!(fault.0, "decision \"x\" has more than 500 options");
}
