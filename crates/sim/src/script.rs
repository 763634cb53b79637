//! Missions as rehearsal scripts: a test writes only what is different in its own.

mod bridge;
mod greeting;

pub use bridge::BridgeScript;
pub use greeting::GreetingScript;

/// A conversation: the Arbiter says one thing after the other, whatever it is told, and waits.
pub fn talk(words: &[&str]) -> String {
    let turn = |words: &&str| item(2, &format!("says: {{intent: address_human, message: {words:?}}}"));
    let head = "rehearsal: 1\ntitle: The talk\nscroll: \"# The ferry\\n\\nTalk with me.\"\narbiter:\n";
    words.iter().fold(head.to_owned(), |script, words| script + &turn(words))
}

fn owned(lines: &[impl AsRef<str>]) -> Vec<String> {
    lines.iter().map(|line| line.as_ref().to_owned()).collect()
}

/// One item of a list, so many columns in. Its further lines stand below its first.
fn item(columns: usize, text: &str) -> String {
    let lines = text.lines().enumerate();
    let line = |(number, line)| format!("{:columns$}{} {line}\n", "", if number == 0 { '-' } else { ' ' });
    lines.map(line).collect()
}

/// The turns of one part.
fn list(turns: &[String]) -> String {
    turns.iter().map(|turn| item(2, turn)).collect()
}

/// A part, as an item of the list of parts.
fn part(turns: &[String]) -> String {
    let turns: String = turns.iter().map(|turn| item(0, turn)).collect();
    item(2, &turns)
}
