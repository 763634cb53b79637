//! Which call of a run is meant, so that it is found again in the next run: threads interleave and names have dice in
//! them, so a call is known by its process, its name, its masked path and how often that came before.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use super::syscalls::CallAct;
use super::tracer::TracedCall;

/// What stands for the output of the command.
pub const STDOUT: &str = "<stdout>";
/// What stands for the moment after the last call.
pub const END: &str = "<end>";

/// So many hexadecimal letters in a row are no word.
const DICE_LETTERS: usize = 12;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallKey {
    pub process: String,
    pub call: &'static str,
    /// The file's path in the world, without what differs from run to run.
    pub path: String,
    /// How many such calls there were, this one included.
    pub nth: u32,
}

impl CallKey {
    /// The moment after the last call.
    pub fn end() -> CallKey {
        CallKey { process: "the command".to_owned(), call: "exit", path: END.to_owned(), nth: 1 }
    }
}

impl fmt::Display for CallKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} #{}", self.process, self.call, self.path, self.nth)
    }
}

/// A call as it was seen in a run without faults.
#[derive(Debug, Clone)]
pub struct SeenCall {
    pub key: CallKey,
    pub act: CallAct,
    /// The third argument: how many bytes, or how a file is opened.
    pub third: u64,
    /// The second argument: how a file is opened by a call without a folder.
    pub second: u64,
}

/// Masks what differs from run to run: a name counts only if two runs had it.
#[derive(Debug, Clone)]
pub struct PathMask {
    world: PathBuf,
    out: PathBuf,
    known: Option<BTreeSet<String>>,
    /// Words of the story, and what stands for each.
    words: Vec<(String, String)>,
}

impl PathMask {
    /// Masks nothing yet.
    pub fn new(world: &Path, out: &Path, words: Vec<(String, String)>) -> PathMask {
        PathMask { world: world.to_owned(), out: out.to_owned(), known: None, words }
    }

    /// Masks every name that is not in both of these runs.
    pub fn learn(&mut self, first: &[SeenCall], second: &[SeenCall]) {
        let names = |calls: &[SeenCall]| -> BTreeSet<String> {
            calls.iter().flat_map(|call| call.key.path.split('/')).map(str::to_owned).collect()
        };
        self.known = Some(names(first).intersection(&names(second)).cloned().collect());
    }

    /// The path inside the world; none if it lies outside.
    pub fn mask(&self, path: &Path) -> Option<String> {
        if path == self.out {
            return Some(STDOUT.to_owned());
        }
        let inside = path.strip_prefix(&self.world).ok()?.to_string_lossy().into_owned();
        let inside = self.words.iter().fold(inside, |path, (word, mark)| path.replace(word, mark));
        let inside = without_dice(&inside);
        let Some(known) = &self.known else { return Some(inside) };
        let masked = inside.split('/').map(|name| {
            if known.contains(name) {
                return name.to_owned();
            }
            let ending = name.rsplit_once('.').map(|(_, ending)| ending);
            let ending =
                ending.filter(|word| word.len() <= 5 && word.bytes().all(|it| it.is_ascii_alphabetic()));
            ending.map_or_else(|| "*".to_owned(), |ending| format!("*.{ending}"))
        });
        Some(masked.collect::<Vec<String>>().join("/"))
    }
}

/// A path in which long numbers and digests are stars.
fn without_dice(path: &str) -> String {
    let mut masked = String::new();
    let mut run = String::new();
    for letter in path.chars().chain(['/']) {
        if letter.is_ascii_hexdigit() {
            run.push(letter);
            continue;
        }
        masked.push_str(if run.len() >= DICE_LETTERS { "*" } else { &run });
        run.clear();
        masked.push(letter);
    }
    masked.pop();
    masked
}

/// Counts the calls of one run.
#[derive(Debug)]
pub struct CallCounter {
    mask: PathMask,
    counts: BTreeMap<(String, &'static str, String), u32>,
}

impl CallCounter {
    pub fn new(mask: PathMask) -> CallCounter {
        CallCounter { mask, counts: BTreeMap::new() }
    }

    /// The key of this call, if it is about a file of the world.
    pub fn key(&mut self, call: &TracedCall) -> Option<CallKey> {
        // A rename is known by what it makes: its other name is made of dice.
        let path = self.mask.mask(call.to.as_ref().unwrap_or(&call.path))?;
        let process = call.process.name.clone();
        let nth = self.counts.entry((process.clone(), call.call, path.clone())).or_default();
        *nth += 1;
        Some(CallKey { process, call: call.call, path, nth: *nth })
    }
}
