//! Notes that outlive a mission: what was learned of a project. Which notes a text is given, and which notes are new.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::limits;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// What it is about, in one line.
    pub title: Arc<str>,
    /// When it is worth reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when_to_use: Option<Arc<str>>,
    /// Words to find it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Arc<str>>,
    /// How much it matters.
    #[serde(default)]
    pub importance: Importance,
    /// When it was learned, as it is written: a day or a moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discovered_at: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discovered_by: Option<Arc<str>>,
    /// The note itself.
    pub text: Arc<str>,
}

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Importance {
    /// Good to know.
    Low,
    #[default]
    Medium,
    /// An agent that does not know it fails.
    High,
}

/// The notes that matter for a text, best first, within `chars` signs: those that share words with it, then those that
/// matter anyway; of equals the more important, then the newer.
pub fn relevant<'a>(
    notes: impl Iterator<Item = &'a Arc<Note>>,
    text: &str,
    chars: usize,
) -> Vec<&'a Arc<Note>> {
    let mut notes = notes.take(limits::NOTES_MAX).peekable();
    if notes.peek().is_none() {
        return Vec::new();
    }
    let asked = words(text);
    let mut weighed: Vec<(usize, &Arc<Note>)> = notes.map(|note| (relevance(note, &asked), note)).collect();
    weighed.retain(|(weight, note)| *weight > 0 || note.importance > Importance::Low);
    weighed.sort_by(|(weight, note), (other_weight, other)| {
        let matters = other.importance.cmp(&note.importance);
        let newer = other.discovered_at.cmp(&note.discovered_at);
        other_weight.cmp(weight).then(matters).then(newer).then_with(|| note.title.cmp(&other.title))
    });
    let mut left = chars;
    let mut chosen = Vec::new();
    for (_, note) in weighed {
        let cost = cost(note);
        if cost <= left {
            left -= cost;
            chosen.push(note);
        }
    }
    chosen
}

/// Whether a note says something that these do not.
pub fn is_new<'a>(mut notes: impl Iterator<Item = &'a Arc<Note>>, note: &Note) -> bool {
    if note.text.trim().is_empty() {
        return false;
    }
    let (title, said) = (normal(&note.title), words(&note.text));
    !notes.any(|known| normal(&known.title) == title || says(&words(&known.text), &said))
}

/// A title without what does not make it another: case, punctuation, spaces.
pub fn normal(title: &str) -> String {
    let words: Vec<String> = split(title).collect();
    if words.is_empty() { title.trim().to_owned() } else { words.join(" ") }
}

/// Whether a text says what another says, by the words of both.
fn says(known: &BTreeSet<String>, said: &BTreeSet<String>) -> bool {
    if said.len() < limits::NOTE_WORDS_MIN {
        return !said.is_empty() && known == said;
    }
    let shared = said.intersection(known).count();
    let all = said.union(known).count();
    // Three quarters of all words are shared, or all but a few of these in a text that is not much longer.
    shared * 4 >= all * 3 || (shared * 10 >= said.len() * 9 && shared * 2 >= all)
}

/// How much of a note's title, tags and use stands in the text.
fn relevance(note: &Note, asked: &BTreeSet<String>) -> usize {
    let count = |text: &str| words(text).intersection(asked).count();
    let tags: usize = note.tags.iter().map(|tag| count(tag)).sum();
    3 * tags + 2 * count(&note.title) + note.when_to_use.as_deref().map_or(0, count)
}

fn cost(note: &Note) -> usize {
    let signs = |text: &str| text.chars().count();
    let tags: usize = note.tags.iter().map(|tag| signs(tag) + 2).sum();
    signs(&note.title)
        + note.when_to_use.as_deref().map_or(0, signs)
        + tags
        + signs(&note.text)
        + limits::NOTE_CHARS_AROUND
}

fn split(text: &str) -> impl Iterator<Item = String> {
    text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

fn words(text: &str) -> BTreeSet<String> {
    split(text).filter(|word| word.chars().count() >= limits::NOTE_WORD_CHARS_MIN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(title: &str, tags: &[&str], importance: Importance, text: &str) -> Arc<Note> {
        Arc::new(Note {
            title: Arc::from(title),
            when_to_use: None,
            tags: tags.iter().map(|tag| Arc::from(*tag)).collect(),
            importance,
            discovered_at: None,
            discovered_by: None,
            text: Arc::from(text),
        })
    }

    fn titles(notes: &[Arc<Note>], text: &str, chars: usize) -> Vec<String> {
        relevant(notes.iter(), text, chars).iter().map(|note| note.title.to_string()).collect()
    }

    #[test]
    fn what_shares_words_with_the_task_comes_first() {
        let notes = [
            note("Colours of the screen", &["theme"], Importance::Low, "..."),
            note("Nothing may be pushed", &[], Importance::High, "..."),
            note("Tests need a server", &["test", "server"], Importance::Medium, "..."),
            note("How a release is made", &[], Importance::Medium, "..."),
        ];
        let told = titles(&notes, "Add a test, SERVER included, to it", 10_000);
        assert_eq!(told, ["Tests need a server", "Nothing may be pushed", "How a release is made"]);
        assert_eq!(titles(&notes, "Add a test: server", 55), ["Tests need a server"]);
        assert!(titles(&notes, "", 10).is_empty());
    }

    #[test]
    fn of_equals_the_newer_comes_first() {
        let at = |title: &str, day: Option<&str>| {
            let mut note = Note::clone(&note(title, &["x11"], Importance::Medium, "..."));
            note.discovered_at = day.map(Arc::from);
            Arc::new(note)
        };
        let notes = [at("A", Some("2026-01-01")), at("C", None), at("B", Some("2026-11-01T10:00:00Z"))];
        assert_eq!(titles(&notes, "x11", 1_000), ["B", "A", "C"]);
    }

    #[test]
    fn a_note_that_is_too_long_leaves_room_for_others() {
        let notes = [
            note("server", &["server"], Importance::High, &"ü".repeat(500)),
            note("the server", &[], Importance::Low, "short"),
        ];
        assert_eq!(titles(&notes, "server", 100), ["the server"]);
    }

    #[test]
    fn a_note_is_new_once() {
        let known = [note(
            "The build needs node 22",
            &[],
            Importance::Medium,
            "The frontend is built with node 22; older ones fail with a syntax error in vite.config.",
        )];
        let is_new = |title: &str, text: &str| {
            super::is_new(known.iter(), &note(title, &[], Importance::Medium, text))
        };
        assert!(!is_new("the build needs  Node-22!", "Something else entirely stands in this text."));
        assert!(!is_new(
            "Node version",
            "The frontend is built with node 22, older ones fail: a syntax error in vite.config."
        ));
        assert!(is_new("Node version", "The backend does not need node at all; only python counts there."));
        assert!(!is_new("Empty", " \n"));
        assert!(is_new("Kurz", "Zwei Worte"));
        assert!(super::is_new([].iter(), &note("\u{1f980}", &[], Importance::Low, "\u{1f980}")));
    }
}
