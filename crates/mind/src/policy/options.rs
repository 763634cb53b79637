//! The options of a command: which there are, what they are given, and what is left.

use super::word::Flat;

/// A command's options and what is left of its words.
#[derive(Debug, Clone, Default)]
pub struct CommandOptions {
    /// Each option by its name (`-x`, `--name`), with what it is given.
    pub given: Vec<(String, Option<Flat>)>,
    /// The words that are no options, in their order.
    pub rest: Vec<Flat>,
}

impl CommandOptions {
    /// Reads `args`. The letters in `valued` and the names in `long` take the next word if nothing is attached to them.
    pub fn read(args: &[Flat], valued: &str, long: &[&str]) -> CommandOptions {
        let mut options = CommandOptions::default();
        let mut words = args.iter();
        while let Some(word) = words.next() {
            if word.text == "--" {
                options.rest.extend(words.cloned());
                break;
            }
            if word.text.starts_with("--") {
                match word.text.find('=') {
                    Some(cut) => options.given.push((word.text[..cut].to_owned(), Some(word.after(cut + 1)))),
                    None => {
                        let takes = long.iter().any(|name| abbreviates(&word.text, name));
                        let value = if takes { words.next().cloned() } else { None };
                        options.given.push((word.text.clone(), value));
                    }
                }
            } else if word.is_option() {
                for (at, letter) in word.text.char_indices().skip(1) {
                    let name = format!("-{letter}");
                    if !valued.contains(letter) {
                        options.given.push((name, None));
                        continue;
                    }
                    let rest = word.after(at + letter.len_utf8());
                    let value = if rest.text.is_empty() { words.next().cloned() } else { Some(rest) };
                    options.given.push((name, value));
                    break;
                }
            } else {
                options.rest.push(word.clone());
            }
        }
        options
    }

    /// Whether one of these is given; a long name may be cut short, as programs allow.
    pub fn has(&self, names: &[&str]) -> bool {
        self.given.iter().any(|(given, _)| names.iter().any(|name| abbreviates(given, name)))
    }

    /// What these are given.
    pub fn values(&self, names: &[&str]) -> Vec<Flat> {
        let hit = |given: &str| names.iter().any(|name| abbreviates(given, name));
        self.given.iter().filter(|(given, _)| hit(given)).filter_map(|(_, value)| value.clone()).collect()
    }
}

/// Whether `given` is `name`, or a long name cut short.
pub fn abbreviates(given: &str, name: &str) -> bool {
    given == name
        || (name.starts_with("--") && given.len() > 2 && given.starts_with("--") && name.starts_with(given))
}
