//! The rough score of many names: which of them have the letters at all, and which are worth nucleo's exact score. Names are
//! kept side by side and in lower case. Measured for one key among 50,000 paths of 90 bytes (release): 5 ms at most with
//! this score, 30 to 75 ms when nucleo scores every path; a frame is due after 16 ms.

use nucleo_matcher::chars::{normalize, to_lower_case};

/// Stands for whatever is not ASCII.
const OTHER: u8 = 0xff;

/// The buffer of names.
#[derive(Debug, Clone, Default)]
pub struct Rough {
    bytes: Vec<u8>,
    /// Where each name ends.
    ends: Vec<usize>,
    /// Which letters each name has, by their lower six bits.
    letters: Vec<u64>,
    weights: Vec<u8>,
}

impl Rough {
    /// Forgets all names.
    pub fn clear(&mut self) {
        *self = Rough::default();
    }

    /// How many names there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// One more name.
    pub fn push(&mut self, name: &str, weight: u8) {
        let start = self.bytes.len();
        if name.is_ascii() {
            self.bytes.extend(name.bytes().map(|sign| sign.to_ascii_lowercase()));
        } else {
            let plain = |sign| u8::try_from(to_lower_case(normalize(sign))).ok().filter(u8::is_ascii);
            self.bytes.extend(name.chars().map(|sign| plain(sign).unwrap_or(OTHER)));
        }
        self.letters.push(letters(&self.bytes[start..]));
        self.ends.push(self.bytes.len());
        self.weights.push(weight);
    }

    /// What a name weighs.
    pub fn weight(&self, index: usize) -> u8 {
        self.weights.get(index).copied().unwrap_or(u8::MAX)
    }

    /// How well a name has the letters of all the words, roughly; more is better.
    pub fn score(&self, words: &Words, index: usize) -> Option<u8> {
        if self.letters.get(index)? & words.letters != words.letters {
            return None;
        }
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        let name = &self.bytes[start..self.ends[index]];
        let mut sum = 0_u8;
        for word in &words.words {
            sum = sum.saturating_add(score(word, name)?);
        }
        Some(sum)
    }
}

/// The words of a query, in small letters.
#[derive(Debug)]
pub struct Words {
    words: Vec<Vec<u8>>,
    letters: u64,
}

impl Words {
    /// The words of a query, if they can be looked for quickly.
    pub fn new(query: &str) -> Option<Words> {
        if !query.is_ascii() || query.contains('\\') {
            return None;
        }
        let words: Vec<_> =
            query.split_whitespace().map(|word| word.to_ascii_lowercase().into_bytes()).collect();
        let letters = words.iter().fold(0, |all, word| all | letters(word));
        Some(Words { words, letters })
    }
}

fn letters(name: &[u8]) -> u64 {
    name.iter().fold(0, |all, sign| all | 1 << (sign & 63))
}

/// The last place where the letters are: the end of a path says more than its beginning. Letters side by side and at the
/// beginning of words count.
fn score(word: &[u8], name: &[u8]) -> Option<u8> {
    let mut at = name.len();
    let mut score = 8_u8;
    let mut next = usize::MAX;
    for sign in word.iter().rev() {
        at = name[..at].iter().rposition(|other| other == sign)?;
        let begins = at.checked_sub(1).is_none_or(|before| !name[before].is_ascii_alphanumeric());
        score = score.saturating_add(if at + 1 == next { 2 } else { 0 } + if begins { 3 } else { 0 });
        next = at;
    }
    // Wholly in the name of the file itself.
    Some(score.saturating_add(if name[at..].contains(&b'/') { 0 } else { 4 }))
}
