//! Words that hide the noun, and comments that say nothing.

use super::{Figure, SourceFile, figure, without_tests};

/// Words that stand where somebody or something has a name.
const HIDING: [&str; 3] = ["nobody", "whoever", "the house"];

/// Here they may stand: what the Arbiter says, and the ceremony.
const ORACLE: [&str; 3] = ["/ceremony/", "/prompts/", "/improvise.rs"];

pub(super) fn figures(product: &[SourceFile<'_>]) -> Vec<Figure> {
    let plain = product.iter().filter(|source| !ORACLE.iter().any(|place| source.path.contains(place)));
    // A variant of that name is a name.
    let prose = |text: &str| without_tests(text).replace("::Nobody", "").to_lowercase();
    let counts = plain.map(|source| prose(source.text)).map(|text| HIDING.map(|word| count(&text, word)));
    let counts = counts.fold([0; 3], |sum, of| [sum[0] + of[0], sum[1] + of[1], sum[2] + of[2]]);
    let filler = product.iter().flat_map(|source| source.text.lines()).filter(|line| is_filler(line)).count();
    vec![
        figure("words that hide the noun", counts.iter().sum::<usize>(), "100"),
        figure(format!("  ... {}", HIDING.join(", ")), counts.map(|count| count.to_string()).join(", "), "-"),
        figure("comments of one or two words", filler, "-"),
    ]
}

/// How often `word` stands in `text` as a word of its own.
fn count(text: &str, word: &str) -> usize {
    let is_letter = |sign: char| sign.is_alphanumeric() || sign == '_';
    let stands =
        |at: usize| !text[..at].ends_with(is_letter) && !text[at + word.len()..].starts_with(is_letter);
    text.match_indices(word).filter(|(at, _)| stands(*at)).count()
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
    }
}
