//! Ceilings for the figures of `cargo xtask names`: a figure may become better, and not worse.

use super::{Problem, Tree};
use crate::names::{self, Measures};

pub const HINT: &str = "`cargo xtask names` lists the names; give the new type a name of its own, name the person or the \
                        program, and delete a comment that repeats its field";

/// The file whose table a worse figure is measured against.
const TABLE: &str = "crates/xtask/src/tidy/names.rs";

/// A figure and the most it may be.
struct Ceiling {
    what: &'static str,
    measured: fn(&Measures) -> usize,
    max: usize,
}

/// Lower a ceiling when a figure became better.
const CEILINGS: &[Ceiling] = &[
    Ceiling { what: "names of `mind` that stand elsewhere too", measured: |m| m.of_mind_elsewhere, max: 0 },
    Ceiling { what: "names that stand twice in a crate", measured: |m| m.twice_in_a_crate, max: 0 },
    Ceiling {
        what: "public types whose name means two things, in per mille",
        measured: |m| m.homonyms_per_mille,
        max: 20,
    },
    Ceiling { what: "words that hide the noun", measured: |m| m.hiding_words, max: 20 },
    Ceiling { what: "comments of one or two words", measured: |m| m.filler_comments, max: 0 },
    Ceiling { what: "files that know `tui` and are not the terminal's", measured: |m| m.knowing_tui, max: 0 },
];

pub fn check(tree: &Tree) -> Vec<Problem> {
    worse(&names::measures(tree), CEILINGS)
}

fn worse(measures: &Measures, ceilings: &[Ceiling]) -> Vec<Problem> {
    let over = ceilings.iter().filter(|ceiling| (ceiling.measured)(measures) > ceiling.max);
    let told = |ceiling: &Ceiling| {
        let measured = (ceiling.measured)(measures);
        Problem::at(TABLE, 1, format!("{}: {measured}, more than {}", ceiling.what, ceiling.max))
    };
    over.map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    #[test]
    fn a_figure_above_its_ceiling_is_a_problem() {
        let ceilings = [Ceiling { what: "hiding words", measured: |m| m.hiding_words, max: 2 }];
        let of = |hiding_words| lines(&worse(&Measures { hiding_words, ..Measures::default() }, &ceilings));
        assert_eq!(of(2), [""; 0]);
        assert_eq!(of(3), [format!("{TABLE}:1: hiding words: 3, more than 2")]);
    }

    #[test]
    fn every_figure_is_measured_from_the_sources() {
        let tree = Tree::of(&[
            ("crates/mind/src/a.rs", "pub struct Turn;\n/// How.\npub enum Move {}\n// Nobody asks.\n"),
            ("crates/view/src/a.rs", "pub struct Turn;\nuse tui as screen;\n"),
            ("crates/view/src/b.rs", "pub struct Line;\n"),
            ("crates/view/src/c.rs", "pub type Line = u8;\n"),
        ]);
        let measures = names::measures(&tree);
        let expected = Measures {
            of_mind_elsewhere: 1,
            twice_in_a_crate: 1,
            homonyms_per_mille: 800,
            hiding_words: 1,
            filler_comments: 1,
            knowing_tui: 1,
        };
        assert_eq!(measures, expected);
    }
}
