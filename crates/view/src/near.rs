//! Guesses what a person meant to type: the known word that is a few slips of a finger away.

/// The longest word that is compared, in characters: the comparison is quadratic.
const CHARS_MAX: usize = 64;

/// The one of `known` that `typed` most likely was meant to be, if any is close enough.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed: Vec<char> = typed.chars().take(CHARS_MAX + 1).flat_map(char::to_lowercase).collect();
    if typed.len() > CHARS_MAX {
        return None;
    }
    let slips_max = (typed.len() / 3).max(1);
    known
        .into_iter()
        .filter(|word| word.chars().nth(CHARS_MAX).is_none())
        .map(|word| (slips(&typed, &word.to_lowercase().chars().collect::<Vec<_>>()), word))
        .filter(|(count, _)| *count <= slips_max)
        .min()
        .map(|(_, word)| word)
}

/// How many characters were left out, put in, changed or swapped with their neighbour.
fn slips(typed: &[char], word: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=word.len()).collect();
    for (row, sign) in typed.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in word.iter().enumerate() {
            let changed = last[column] + usize::from(sign != other);
            let mut least = changed.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *sign == word[column - 1] && typed[row - 1] == *other {
                least = least.min(before_last[column - 1] + 1);
            }
            current.push(least);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[word.len()]
}
