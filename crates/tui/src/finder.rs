//! Fuzzy search for names by a few of their letters, best first. Each further letter searches only the names that were found
//! before; new names are searched when they come.

mod rough;

use std::sync::Arc;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use rough::{Rough, Words};

/// The longest query that is looked for, in bytes.
pub const QUERY_BYTES_MAX: usize = 256;
/// How many names are scored exactly; of more, the best by the rough score.
const CAREFUL_MAX: usize = 1_000;

/// Looks for names, and remembers what it found.
#[derive(Debug, Clone)]
pub struct Finder {
    weigh: fn(&str) -> u8,
    query: String,
    /// Rank in the upper half, index in the lower: sorted, so the best is first.
    hits: Vec<u64>,
    rough: Rough,
    last: Option<Arc<str>>,
}

impl Finder {
    /// Looks for names. What weighs less comes first where letters do not decide, and without a query.
    pub fn new(weigh: fn(&str) -> u8) -> Finder {
        Finder { weigh, query: String::new(), hits: Vec::new(), rough: Rough::default(), last: None }
    }

    /// Finds `query` among `names`, which may have grown at their end since.
    pub fn find(&mut self, query: &str, names: &[Arc<str>]) {
        let query = cut(query);
        let seen = self.rough.count();
        let known = match (&self.last, seen.checked_sub(1).and_then(|at| names.get(at))) {
            (Some(last), Some(name)) => Arc::ptr_eq(last, name),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if known && query == self.query && seen == names.len() {
            return;
        }
        if !known {
            self.rough.clear();
        }
        for name in &names[self.rough.count()..] {
            self.rough.push(name, (self.weigh)(name));
        }
        // More letters mean fewer names, unless a backslash changes how a blank is read.
        let narrower = known && query.starts_with(&self.query) && !query.contains('\\');
        let left = if narrower { std::mem::take(&mut self.hits) } else { Vec::new() };
        let fresh = if narrower { seen..names.len() } else { 0..names.len() };
        let candidates = left.into_iter().map(index).chain(fresh);
        self.hits = if query.trim().is_empty() {
            candidates.map(|index| self.key(u16::MAX, u8::MAX, index)).collect()
        } else {
            self.search(query, candidates, names)
        };
        self.hits.sort_unstable();
        query.clone_into(&mut self.query);
        self.last = names.last().map(Arc::clone);
    }

    /// The names that have the letters of the query, in no order.
    fn search(&self, query: &str, candidates: impl Iterator<Item = usize>, names: &[Arc<str>]) -> Vec<u64> {
        let words = Words::new(query);
        let quick = |index| match &words {
            Some(words) => self.rough.score(words, index).map(|score| self.key(0, score, index)),
            // Queries in other scripts are rare: each name is scored exactly.
            None => Some(self.key(0, u8::MAX, index)),
        };
        let mut hits: Vec<u64> = candidates.filter_map(quick).collect();
        let careful = if words.is_some() { CAREFUL_MAX } else { usize::MAX };
        let rest = if hits.len() > careful {
            hits.select_nth_unstable(careful);
            hits.split_off(careful)
        } else {
            Vec::new()
        };
        let pattern = pattern(query);
        let (mut matcher, mut buffer) = (matcher(), Vec::new());
        let mut careful = |hit: u64| {
            let name = names.get(index(hit))?;
            let score = pattern.score(Utf32Str::new(name, &mut buffer), &mut matcher)?;
            let score = u16::try_from(score).unwrap_or(u16::MAX).max(1);
            let brevity = u8::MAX - u8::try_from(name.len()).unwrap_or(u8::MAX);
            Some(self.key(score, brevity, index(hit)))
        };
        let mut hits: Vec<u64> = hits.into_iter().filter_map(&mut careful).collect();
        hits.extend(rest);
        hits
    }

    /// What hits are sorted by: a score, where it is the same a second one, then the weight, then the order they came in.
    fn key(&self, score: u16, second: u8, index: usize) -> u64 {
        let first = u64::from(u16::MAX - score) << 48 | u64::from(u8::MAX - second) << 40;
        first | u64::from(self.rough.weight(index)) << 32 | index as u64 & u64::from(u32::MAX)
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
    fn of_very_many_names_all_are_found_and_the_best_is_first() {
        let mut all: Vec<Arc<str>> =
            (0..5_000).map(|number| Arc::from(format!("some/folder{number}/x.rs"))).collect();
        all.push(Arc::from("far/away/Fold.rs"));
        all.push(Arc::from("nothing"));
        let mut finder = Finder::new(depth);
        for query in ["f", "fo", "fol", "fold"] {
            finder.find(query, &all);
            assert_eq!(finder.count(), 5_001, "{query}");
        }
        assert_eq!(finder.hit(0), Some(5_000));
        finder.find("fold.rs", &all);
        assert_eq!(finder.hit(0), Some(5_000));
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
