//! Names found by a few of their letters, best first. What is left after one letter is all that is looked at for the
//! next, and names that come later are looked at once.

use std::sync::Arc;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// The longest query that is looked for, in bytes.
pub const QUERY_BYTES_MAX: usize = 256;

/// Looks for names, and remembers what it found.
#[derive(Debug, Clone)]
pub struct Finder {
    weigh: fn(&str) -> u8,
    query: String,
    /// Rank in the upper half, index in the lower: sorted, so the best is first.
    hits: Vec<u64>,
    seen: usize,
    last: Option<Arc<str>>,
}

impl Finder {
    /// Looks for names. What weighs less comes first where letters do not decide, and without a query.
    pub fn new(weigh: fn(&str) -> u8) -> Finder {
        Finder { weigh, query: String::new(), hits: Vec::new(), seen: 0, last: None }
    }

    /// Finds `query` among `names`, which may have grown at their end since.
    pub fn find(&mut self, query: &str, names: &[Arc<str>]) {
        let query = cut(query);
        let known = match (&self.last, self.seen.checked_sub(1).and_then(|at| names.get(at))) {
            (Some(last), Some(name)) => Arc::ptr_eq(last, name),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        // More letters mean fewer names, unless a backslash changes how a blank is read.
        let narrower = known && query.starts_with(&self.query) && !query.contains('\\');
        let search = Search::new(query, self.weigh);
        let mut matcher = matcher();
        let mut letters = Vec::new();
        let mut rank = |index: usize| search.rank(names.get(index)?, index, &mut matcher, &mut letters);
        if !narrower {
            self.hits.clear();
            self.seen = 0;
        } else if query != self.query {
            let hits = std::mem::take(&mut self.hits);
            self.hits = hits.into_iter().filter_map(|hit| rank(index(hit))).collect();
        } else if self.seen == names.len() {
            return;
        }
        self.hits.extend((self.seen..names.len()).filter_map(rank));
        // What was in order before is taken as it is.
        self.hits.sort();
        query.clone_into(&mut self.query);
        self.seen = names.len();
        self.last = names.last().map(Arc::clone);
    }

    /// How many names were found.
    pub fn count(&self) -> usize {
        self.hits.len()
    }

    /// The index of the name at a rank.
    pub fn hit(&self, rank: usize) -> Option<usize> {
        self.hits.get(rank).copied().map(index)
    }

    /// The rank of the name with this index.
    pub fn rank(&self, of: usize) -> Option<usize> {
        self.hits.iter().position(|hit| index(*hit) == of)
    }
}

/// Which clusters of a name are letters of the query, counted from its beginning.
pub fn letters(query: &str, name: &str) -> Vec<u32> {
    let mut found = Vec::new();
    if !query.is_empty() {
        let mut buffer = Vec::new();
        let _ = pattern(query).indices(Utf32Str::new(name, &mut buffer), &mut matcher(), &mut found);
        found.sort_unstable();
        found.dedup();
    }
    found
}

/// Whether a name has the letters of the query.
pub fn is_found(query: &str, name: &str) -> bool {
    let mut buffer = Vec::new();
    pattern(query).score(Utf32Str::new(name, &mut buffer), &mut matcher()).is_some()
}

struct Search {
    /// Without letters everything is found.
    pattern: Option<Pattern>,
    weigh: fn(&str) -> u8,
}

impl Search {
    fn new(query: &str, weigh: fn(&str) -> u8) -> Search {
        Search { pattern: (!query.trim().is_empty()).then(|| pattern(query)), weigh }
    }

    fn rank(&self, name: &str, index: usize, matcher: &mut Matcher, buffer: &mut Vec<char>) -> Option<u64> {
        let index = u64::from(u32::try_from(index).ok()?);
        let weight = u64::from((self.weigh)(name));
        let Some(pattern) = &self.pattern else { return Some(weight << 32 | index) };
        let score = pattern.score(Utf32Str::new(name, buffer), matcher)?;
        let misses = u64::from(u16::MAX - u16::try_from(score).unwrap_or(u16::MAX));
        let length = name.len().min(usize::from(u8::MAX)) as u64;
        Some(misses << 48 | length << 40 | weight << 32 | index)
    }
}

fn pattern(query: &str) -> Pattern {
    Pattern::new(cut(query), CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy)
}

fn matcher() -> Matcher {
    Matcher::new(Config::DEFAULT.match_paths())
}

fn index(hit: u64) -> usize {
    (hit & u64::from(u32::MAX)) as usize
}

fn cut(query: &str) -> &str {
    &query[..query.floor_char_boundary(QUERY_BYTES_MAX)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<Arc<str>> {
        names.iter().map(|name| Arc::from(*name)).collect()
    }

    fn found(finder: &Finder, names: &[Arc<str>]) -> Vec<String> {
        (0..finder.count()).filter_map(|rank| Some(names[finder.hit(rank)?].to_string())).collect()
    }

    fn depth(name: &str) -> u8 {
        u8::try_from(name.matches('/').count()).unwrap_or(u8::MAX)
    }

    #[test]
    fn the_best_name_is_first() {
        let names = names(&["src/library/x.rs", "src/lib.rs", "lib.rs", "README.md"]);
        let mut finder = Finder::new(depth);
        finder.find("", &names);
        assert_eq!(found(&finder, &names), ["lib.rs", "README.md", "src/lib.rs", "src/library/x.rs"]);
        finder.find("lib.rs", &names);
        assert_eq!(found(&finder, &names), ["lib.rs", "src/lib.rs", "src/library/x.rs"]);
        finder.find("READ", &names);
        assert_eq!(found(&finder, &names), ["README.md"]);
        assert_eq!(letters("rdm", "README.md"), [0, 3, 4]);
    }

    #[test]
    fn letter_by_letter_finds_what_a_new_search_finds() {
        let mut all = Vec::new();
        for number in 0..300 {
            all.push(Arc::from(format!("crates/{}/src/é{number}_{}.rs", number % 7, number * 31 % 11)));
        }
        let mut slow = Finder::new(depth);
        for (letters, query) in
            ["", "c", "cr", "cr ", "cr 3", "cr 31", "c", "cs\\", "cs\\ ", "cs\\ é"].iter().enumerate()
        {
            // More names come while the person types.
            let names = &all[..100 + letters * 20];
            slow.find(query, names);
            let mut fresh = Finder::new(depth);
            fresh.find(query, names);
            assert_eq!(found(&slow, names), found(&fresh, names), "{query}");
        }
    }

    #[test]
    fn other_names_are_looked_at_anew() {
        let mut finder = Finder::new(depth);
        finder.find("a", &names(&["a", "ab", "abc"]));
        let other = names(&["b", "a", "c"]);
        finder.find("a", &other);
        assert_eq!(found(&finder, &other), ["a"]);
        finder.find("a", &[]);
        assert_eq!(finder.count(), 0);
    }
}
