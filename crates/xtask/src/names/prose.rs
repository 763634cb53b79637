//! Words that hide the noun, and comments that say nothing.

use super::{Figure, SourceFile, figure, without_tests};

/// Words that stand where a person, a program or a thing has a name.
const HIDING: [&str; 3] = ["nobody", "whoever", "the house"];

/// Where these words may stand: in what the Arbiter says, and in the ceremony.
const ORACLE: [&str; 3] = ["/ceremony/", "/prompts/", "/improvise.rs"];

/// How often each word of [`HIDING`] stands in the sources, and how many comments say nothing.
#[derive(Debug)]
pub(super) struct ProseCounts {
    hiding: [usize; HIDING.len()],
    pub(super) filler: usize,
}

impl ProseCounts {
    pub(super) fn hiding(&self) -> usize {
        self.hiding.iter().sum()
    }
}

pub(super) fn figures(product: &[SourceFile<'_>]) -> Vec<Figure> {
    let counts = counts(product);
    vec![
        figure("words that hide the noun", counts.hiding(), "100"),
        figure(
            format!("  ... {}", HIDING.join(", ")),
            counts.hiding.map(|count| count.to_string()).join(", "),
            "-",
        ),
        figure("comments of one or two words", counts.filler, "0"),
    ]
}

pub(super) fn counts(product: &[SourceFile<'_>]) -> ProseCounts {
    let plain = product.iter().filter(|source| !ORACLE.iter().any(|place| source.path.contains(place)));
    // A variant of that name is a name.
    let prose = |text: &str| without_tests(text).replace("::Nobody", "").to_lowercase();
    let counts = plain.map(|source| prose(source.text)).map(|text| HIDING.map(|word| count(&text, word)));
    let hiding = counts.fold([0; 3], |sum, of| [sum[0] + of[0], sum[1] + of[1], sum[2] + of[2]]);
    let filler = product.iter().map(|source| fillers(source.text)).sum();
    ProseCounts { hiding, filler }
}

/// How often `word` stands in `text` as a word of its own.
fn count(text: &str, word: &str) -> usize {
    let is_letter = |sign: char| sign.is_alphanumeric() || sign == '_';
    let stands =
        |at: usize| !text[..at].ends_with(is_letter) && !text[at + word.len()..].starts_with(is_letter);
    text.match_indices(word).filter(|(at, _)| stands(*at)).count()
}

/// How many comments say nothing. The last line of a longer comment may be short.
fn fillers(text: &str) -> usize {
    let is_comment = |line: &str| line.trim_start().starts_with("///");
    let lines: Vec<&str> = text.lines().collect();
    let alone = |at: usize| at == 0 || !is_comment(lines[at - 1]);
    lines.iter().enumerate().filter(|(at, line)| is_filler(line) && alone(*at)).count()
}

/// A comment above a field that repeats it, or less: `/// How.`
fn is_filler(line: &str) -> bool {
    let Some(text) = line.trim_start().strip_prefix("/// ") else { return false };
    text.ends_with('.') && text.split_whitespace().count() <= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_hide() {
        assert_eq!(count("nobody asks; nobody_asks(); the house, the housed", "nobody"), 1);
        assert_eq!(count("the house, the housed; in the house", "the house"), 2);
    }

    #[test]
    fn a_comment_of_one_or_two_words_is_filler() {
        for line in ["    /// How.", "/// The path."] {
            assert!(is_filler(line), "{line}");
        }
        for line in ["/// The path of the file.", "// How.", "/// Which"] {
            assert!(!is_filler(line), "{line}");
        }
        assert_eq!(fillers("/// How.\nmode: Mode,\n/// The path of the file, or\n/// nothing.\n"), 1);
    }
}
