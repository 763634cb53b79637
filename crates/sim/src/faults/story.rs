//! What a walk needs of a story: how its world is prepared, which command is hurt, and how the user finds out what became
//! of it.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use super::injection::FaultTarget;
use super::key::CallKey;
use super::law::Judgement;
use super::mode::FaultMode;
use super::person::Person;
use super::tracer::TracedEnd;
use super::world::FaultWorld;

/// One command that is hurt.
pub trait FaultStory: Sync {
    fn name(&self) -> &'static str;

    fn target(&self) -> FaultTarget;

    /// How long the command may take.
    fn bound(&self) -> Duration;

    /// Whether its processes are to see only one another.
    fn is_apart(&self) -> bool {
        false
    }

    /// Whether this kind of fault is brought to it.
    fn walks(&self, mode: FaultMode) -> bool;

    /// Makes the world as it is before the command, and gives the words that the command needs.
    fn prepare(&self, world: &FaultWorld) -> io::Result<StoryWords>;

    fn words(&self, words: &StoryWords) -> Vec<String>;

    /// Somebody who acts beside the command, while it runs.
    fn attend(&self, _world: &FaultWorld) -> Option<Person> {
        None
    }

    /// What the command has brought about, as lines to compare.
    fn observe(&self, _world: &FaultWorld, _words: &StoryWords) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Goes on as a user would, and holds the laws against what is found.
    fn judge(&self, world: &FaultWorld, words: &StoryWords, run: &HurtRun<'_>) -> io::Result<Judgement>;
}

/// A command that was hurt.
#[derive(Debug)]
pub struct HurtRun<'a> {
    pub key: &'a CallKey,
    pub mode: FaultMode,
    pub end: &'a TracedEnd,
    /// What the command prints without a fault.
    pub healthy: &'a str,
    /// And what it brings about.
    pub wanted: &'a [String],
}

/// Words that are known only when the world stands, such as ids.
#[derive(Debug, Default, Clone)]
pub struct StoryWords(BTreeMap<&'static str, String>);

impl StoryWords {
    pub fn set(&mut self, name: &'static str, word: &str) {
        self.0.insert(name, word.to_owned());
    }

    /// The word of this name; nothing if there is none.
    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// Each word, and the mark that stands for it.
    pub fn marks(&self) -> Vec<(String, String)> {
        self.0.iter().map(|(name, word)| (word.clone(), format!("{{{name}}}"))).collect()
    }

    /// Puts the words where `{name}` stands.
    pub fn fill(&self, line: &[&str]) -> Vec<String> {
        let fill = |text: &&str| {
            self.0
                .iter()
                .fold((*text).to_owned(), |text, (name, word)| text.replace(&format!("{{{name}}}"), word))
        };
        line.iter().map(fill).collect()
    }
}
