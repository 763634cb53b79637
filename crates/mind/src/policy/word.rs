//! A word of a command line before and after expansion. What cannot be known before it runs is a hole.

use std::collections::BTreeMap;

use super::script::{CommandForm, ShellScript};

/// Stands in a text for what is not known until the line runs. No argument of a program can hold this character.
pub const HOLE: char = '\0';
/// Stands for `$(git rev-parse --show-toplevel)`: no variable can have this name.
pub const TOPLEVEL: &str = "show-toplevel";
/// Stands for `$(mktemp)`: a new place in the temporary folder.
pub const MADE: &str = "made-by-mktemp";
/// More words than this out of one pair of braces are not followed.
const ALTERNATIVES_MAX: usize = 64;

/// A piece of a word.
#[derive(Debug, Clone, PartialEq)]
pub enum Atom {
    /// A character that stands for itself, or for a pattern if it is not quoted.
    Char(char, bool),
    /// A variable, and whether it is quoted.
    Var(String, bool),
    /// Something else that is filled in when the line runs.
    Hole {
        /// It stays one word.
        quoted: bool,
        /// It lists names, so that it is no option.
        plain: bool,
    },
    /// Names of files that a command lists, as patterns.
    Names(Vec<String>),
}

/// A word as it stands in the line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Word {
    pub atoms: Vec<Atom>,
    /// The commands that run to fill it in.
    pub inner: Vec<ShellScript>,
}

/// A word as its program sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Flat {
    /// The text; what is not known is a [`HOLE`].
    pub text: String,
    /// It is a pattern for names of files.
    pub glob: bool,
    /// It begins with what might turn out to be an option, or is several words.
    pub open: bool,
}

/// What variables hold, as far as the line itself says so.
pub type Bound = BTreeMap<String, Flat>;

impl Word {
    /// The text, if the word is what it is whatever surrounds it.
    pub fn fixed(&self) -> Option<String> {
        let fixed = |atom: &Atom| match atom {
            Atom::Char(c, quoted) => (*quoted || !"*?[{~".contains(*c)).then_some(*c),
            Atom::Var(..) | Atom::Hole { .. } | Atom::Names(_) => None,
        };
        self.atoms.iter().map(fixed).collect()
    }

    /// The words that it becomes.
    pub fn expand(&self, home: &str, folder: Option<&str>, bound: &Bound) -> Vec<Flat> {
        let mut words = Vec::new();
        for atoms in braces(&self.atoms) {
            fill(&atoms, home, folder, bound, &mut words);
        }
        words
    }
}

impl Flat {
    /// A word that is just this text.
    pub fn of(text: impl Into<String>) -> Flat {
        Flat { text: text.into(), glob: false, open: false }
    }

    /// Something that is only known when the line runs.
    pub fn unknown() -> Flat {
        Flat { text: HOLE.to_string(), glob: false, open: true }
    }

    /// The text, if it is known.
    pub fn fixed(&self) -> Option<&str> {
        (!self.has_hole() && !self.glob).then_some(self.text.as_str())
    }

    /// Something in it is not known.
    pub fn has_hole(&self) -> bool {
        self.text.contains(HOLE)
    }

    /// It is an option, or might be one.
    pub fn is_option(&self) -> bool {
        self.text.starts_with('-') && self.text.len() > 1
    }

    /// It as a person reads it.
    pub fn shown(&self) -> String {
        self.text.replace(HOLE, "\u{2026}")
    }

    /// The rest of it after its first `bytes`.
    pub fn after(&self, bytes: usize) -> Flat {
        Flat { text: self.text.get(bytes..).unwrap_or("").to_owned(), glob: self.glob, open: false }
    }
}

/// The commands of this substitution print names that they found, so what they print is no option.
pub fn lists_names(script: &ShellScript) -> bool {
    let [chain] = script.chains.as_slice() else { return false };
    let stages = &chain.first.stages;
    chain.rest.is_empty()
        && stages.iter().enumerate().all(|(at, stage)| {
            let CommandForm::Simple(simple) = &stage.kind else { return false };
            let name = simple.words.first().and_then(Word::fixed).unwrap_or_default();
            let source =
                ["git", "find", "ls", "fd", "rg", "grep", "basename", "dirname", "pwd", "nproc", "mktemp"];
            let filter = ["head", "tail", "sort", "uniq", "grep", "wc", "cut"];
            if at == 0 { source.contains(&name.as_str()) } else { filter.contains(&name.as_str()) }
        })
}

/// The name that stands for what the substitution prints: `$(pwd)`, `$(git rev-parse --show-toplevel)`, `$(mktemp -d)`.
pub fn asks_folder(script: &ShellScript) -> Option<&'static str> {
    let [chain] = script.chains.as_slice() else { return None };
    let [stage] = chain.first.stages.as_slice() else { return None };
    let CommandForm::Simple(simple) = &stage.kind else { return None };
    let plain =
        chain.rest.is_empty() && !chain.background && stage.redirects.is_empty() && simple.assigns.is_empty();
    let words: Option<Vec<String>> = simple.words.iter().map(Word::fixed).collect();
    match words?.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["pwd"] if plain => Some("PWD"),
        ["git", "rev-parse", "--show-toplevel"] if plain => Some(TOPLEVEL),
        ["jobs", "-p"] if plain => Some(super::jobs::JOBS),
        ["mktemp", options @ ..] if plain => {
            let calm =
                |word: &&str| ["-d", "-q", "-dq", "-qd", "-t", "-dt", "-td", "--directory"].contains(word);
            // With -t a template lies in the temporary folder; else it lies where the command runs.
            let named = options.iter().any(|word| word.starts_with('-') && word.ends_with('t'));
            let template = |word: &&str| named && !word.starts_with('-') && !word.contains('/');
            options.iter().all(|word| calm(word) || template(word)).then_some(MADE)
        }
        _ => None,
    }
}

fn fill(atoms: &[Atom], home: &str, folder: Option<&str>, bound: &Bound, words: &mut Vec<Flat>) {
    // A bare variable that the line filled with several words becomes several words.
    if let [Atom::Var(name, false)] = atoms
        && let Some(value) = bound.get(name)
        && !value.has_hole()
    {
        let glob = |text: &str| text.contains(['*', '?', '[']);
        let split = value.text.split_whitespace();
        words.extend(split.map(|text| Flat { text: text.to_owned(), glob: glob(text), open: false }));
        return;
    }
    if let [Atom::Names(names)] = atoms {
        words.extend(names.iter().map(|text| Flat { text: text.clone(), glob: true, open: false }));
        return;
    }
    let mut flat = Flat::default();
    let mut rest = atoms;
    if let Some((Atom::Char('~', false), after)) = atoms.split_first() {
        rest = after;
        if matches!(after.first(), None | Some(Atom::Char('/', _))) {
            flat.text.push_str(home);
        } else {
            flat.text.push(HOLE);
        }
    }
    for atom in rest {
        let begins = flat.text.is_empty();
        match atom {
            Atom::Char(c, quoted) => {
                let closes = *c == ']' && !quoted && flat.text.contains('[');
                flat.glob |= closes || (!quoted && matches!(c, '*' | '?'));
                flat.text.push(*c);
            }
            Atom::Var(name, quoted) => match (name.as_str(), folder, bound.get(name)) {
                (_, _, Some(value)) if *quoted || !value.text.contains(char::is_whitespace) => {
                    flat.text.push_str(&value.text);
                    flat.glob |= value.glob;
                    flat.open |= begins && value.open;
                }
                ("HOME", _, None) => flat.text.push_str(home),
                ("PWD", Some(folder), None) => flat.text.push_str(folder),
                // Kept by name: it is the process that carries the session.
                ("PPID", _, None) => flat.text.push_str("\0PPID"),
                // Kept by name too: jobs that the line itself started. With anything else in the word it is no number.
                ("!" | super::jobs::JOBS, _, None) => flat.text.push_str("\0JOB"),
                // Numbers: of the process, of arguments, of the last result.
                ("?" | "$" | "#", _, None) => flat.text.push(HOLE),
                _ => {
                    flat.text.push(HOLE);
                    flat.open |= begins || !quoted || name == "@";
                }
            },
            Atom::Names(_) => flat.text.push(HOLE),
            Atom::Hole { quoted, plain } => {
                flat.text.push(HOLE);
                flat.open |= !plain && (begins || !quoted);
            }
        }
    }
    words.push(flat);
}

/// The alternatives of `{a,b}`; a range, or too many of them, is a hole.
fn braces(atoms: &[Atom]) -> Vec<Vec<Atom>> {
    let mut done: Vec<Vec<Atom>> = Vec::new();
    let mut open = vec![atoms.to_vec()];
    while let Some(atoms) = open.pop() {
        match brace(&atoms) {
            None => done.push(atoms),
            Some(_) if open.len() + done.len() > ALTERNATIVES_MAX => {
                return vec![vec![Atom::Hole { quoted: false, plain: false }]];
            }
            Some((from, commas, to)) => {
                let mut starts = vec![from + 1];
                starts.extend(commas.iter().map(|comma| comma + 1));
                let mut ends = commas;
                ends.push(to);
                let alternatives = starts.into_iter().zip(ends).map(|(start, end)| {
                    let mut word = atoms[..from].to_vec();
                    word.extend_from_slice(&atoms[start..end]);
                    word.extend_from_slice(&atoms[to + 1..]);
                    word
                });
                let mut alternatives: Vec<_> = alternatives.collect();
                if alternatives.len() == 1 {
                    let mut word = atoms[..from].to_vec();
                    word.push(Atom::Hole { quoted: false, plain: true });
                    word.extend_from_slice(&atoms[to + 1..]);
                    alternatives = vec![word];
                }
                alternatives.reverse();
                open.extend(alternatives);
            }
        }
    }
    done
}

/// The first pair of braces that is a list or a range: where it begins, its commas, where it ends.
fn brace(atoms: &[Atom]) -> Option<(usize, Vec<usize>, usize)> {
    let is = |at: usize, c: char| atoms.get(at) == Some(&Atom::Char(c, false));
    let mut stack: Vec<(usize, Vec<usize>, bool)> = Vec::new();
    for at in 0..atoms.len() {
        if is(at, '{') && !(at > 0 && is(at - 1, '$')) {
            stack.push((at, Vec::new(), false));
        } else if is(at, ',') {
            if let Some((_, commas, _)) = stack.last_mut() {
                commas.push(at);
            }
        } else if is(at, '.') && is(at + 1, '.') {
            if let Some((_, _, range)) = stack.last_mut() {
                *range = true;
            }
        } else if is(at, '}')
            && let Some((from, commas, range)) = stack.pop()
            && (!commas.is_empty() || range)
        {
            return Some((from, commas, at));
        }
    }
    None
}

/// Whether the pattern of one name can match `name`. Case does not count: some disks do not know it either.
pub fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.to_lowercase().chars().collect();
    let name: Vec<char> = name.to_lowercase().chars().collect();
    if name.first() == Some(&'.') && matches!(pattern.first(), Some('*' | '?')) {
        return false;
    }
    // A class of characters is taken to match any one.
    let mut plain = Vec::new();
    let mut at = 0;
    while at < pattern.len() {
        let close = pattern[at..].iter().skip(2).position(|c| *c == ']');
        match (pattern[at], close) {
            ('[', Some(close)) => {
                plain.push('?');
                at += close + 3;
            }
            (HOLE, _) => {
                plain.push('*');
                at += 1;
            }
            (c, _) => {
                plain.push(c);
                at += 1;
            }
        }
    }
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match plain.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => {
                p += 1;
                n += 1;
            }
            Some(_) | None => match star {
                Some((back, from)) => {
                    p = back + 1;
                    n = from + 1;
                    star = Some((back, from + 1));
                }
                None => return false,
            },
        }
    }
    plain[p..].iter().all(|c| *c == '*')
}
