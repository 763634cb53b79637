//! What a person types for an option: the letter or number beside it, or its key. A mark never means another option's key.

use std::sync::Arc;

use mind::petition::Decision;

/// The marks of one decision's options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marks {
    /// a. b. c.
    Letters,
    /// 1. 2. 3., where a key is a letter.
    Numbers,
    /// Only the keys, where both would be ambiguous.
    Keys,
}

/// What was typed at a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// Options, by their keys, as an answer names them.
    Options(Arc<str>),
    /// An answer in one's own words follows.
    Custom,
    /// Leave it to the asker.
    Skip,
    /// To the decision before.
    Back,
    /// On, without a change.
    On,
    /// Out of here.
    Leave,
    /// It means nothing here.
    Nothing,
}

impl Marks {
    /// How the options of this decision are marked.
    pub(super) fn of(decision: &Decision) -> Marks {
        let any = |is: fn(&str) -> bool| decision.options.iter().any(|option| is(&option.key));
        let is_letter =
            |key: &str| key.len() == 1 && key.starts_with(|sign: char| sign.is_ascii_alphabetic());
        let is_number = |key: &str| key.bytes().all(|sign| sign.is_ascii_digit());
        if decision.options.len() <= 26 && !any(is_letter) {
            Marks::Letters
        } else if !any(is_number) {
            Marks::Numbers
        } else {
            Marks::Keys
        }
    }

    /// The mark of the nth option, as it is shown.
    pub(super) fn mark(self, nth: usize) -> String {
        match self {
            Marks::Letters => letter(nth).map(|letter| format!("{letter}.")).unwrap_or_default(),
            Marks::Numbers => format!("{}.", nth + 1),
            Marks::Keys => "-".to_owned(),
        }
    }

    /// What was typed. Capital letters are always commands; small ones are, where no option has them.
    pub(super) fn read(self, typed: &str, decision: &Decision) -> Typed {
        let typed = typed.trim();
        if let Some(key) = self.option(typed, decision) {
            return Typed::Options(Arc::from(key));
        }
        match typed.to_lowercase().as_str() {
            "" => return Typed::On,
            "c" | "own" | "custom" => return Typed::Custom,
            "s" | "skip" => return Typed::Skip,
            "b" | "back" => return Typed::Back,
            "q" | "quit" | "leave" => return Typed::Leave,
            _ => {}
        }
        if decision.multi {
            let words = typed.split([',', ' ']).filter(|word| !word.is_empty());
            let keys: Option<Vec<&str>> = words.map(|word| self.option(word, decision)).collect();
            if let Some(mut keys) = keys.filter(|keys| !keys.is_empty()) {
                let mut seen = Vec::new();
                keys.retain(|key| {
                    !seen.contains(key) && {
                        seen.push(key);
                        true
                    }
                });
                return Typed::Options(Arc::from(keys.join(", ")));
            }
        }
        Typed::Nothing
    }

    /// A command as it is offered: by its letter, and by its word alone where an option has the letter.
    pub(super) fn command(self, letter: &str, word: &str, decision: &Decision) -> String {
        if self.option(letter, decision).is_some() { word.to_owned() } else { format!("{letter} {word}") }
    }

    /// The key that a word means: exactly a key, a mark, or a key in other letters.
    fn option<'d>(self, typed: &str, decision: &'d Decision) -> Option<&'d str> {
        let keys = || decision.options.iter().map(|option| option.key.as_str());
        if let Some(key) = keys().find(|key| *key == typed) {
            return Some(key);
        }
        let bare = typed.strip_suffix('.').unwrap_or(typed);
        let nth = match self {
            Marks::Letters => {
                (0..decision.options.len()).find(|nth| letter(*nth).is_some_and(|own| own == bare))
            }
            Marks::Numbers => bare.parse::<usize>().ok().and_then(|number| number.checked_sub(1)),
            Marks::Keys => None,
        };
        if let Some(option) = nth.and_then(|nth| decision.options.get(nth)) {
            return Some(&option.key);
        }
        // A single capital is a command.
        let long = typed.chars().count() > 1;
        let mut near = keys().filter(|key| long && key.to_lowercase() == typed.to_lowercase());
        match (near.next(), near.next()) {
            (Some(key), None) => Some(key),
            (Some(_) | None, _) => None,
        }
    }
}

fn letter(nth: usize) -> Option<String> {
    let letter = u8::try_from(nth).ok().filter(|nth| *nth < 26)?;
    Some(char::from(b'a' + letter).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mind::talk::DecisionOption;

    fn decision(keys: &[&str], multi: bool) -> Decision {
        let option = |key: &&str| DecisionOption { key: (*key).to_owned(), label: (*key).to_owned() };
        Decision { options: keys.iter().map(option).collect(), multi, ..Decision::default() }
    }

    fn read(keys: &[&str], typed: &str) -> Typed {
        let decision = decision(keys, false);
        Marks::of(&decision).read(typed, &decision)
    }

    fn options(key: &str) -> Typed {
        Typed::Options(Arc::from(key))
    }

    #[test]
    fn a_letter_or_a_key_is_an_option() {
        let keys = ["jwt", "session", "oauth"];
        assert_eq!(read(&keys, "a"), options("jwt"));
        assert_eq!(read(&keys, " c. "), options("oauth"));
        assert_eq!(read(&keys, "session"), options("session"));
        assert_eq!(read(&keys, "OAuth"), options("oauth"));
        assert_eq!(read(&keys, "d"), Typed::Nothing);
        assert_eq!(read(&keys, "jw"), Typed::Nothing);
    }

    #[test]
    fn commands_are_capitals_and_small_where_no_option_has_the_letter() {
        let three = ["jwt", "session", "oauth"];
        assert_eq!([read(&three, "C"), read(&three, "B")], [Typed::Custom, Typed::Back]);
        assert_eq!([read(&three, "s"), read(&three, "q")], [Typed::Skip, Typed::Leave]);
        assert_eq!(read(&three, "b"), options("session"));
        assert_eq!(read(&["yes"], "b"), Typed::Back);
        assert_eq!(read(&["yes", "no"], "c"), Typed::Custom);
        assert_eq!([read(&three, ""), read(&three, "back")], [Typed::On, Typed::Back]);
    }

    #[test]
    fn the_words_of_the_commands_work_where_options_have_the_letters() {
        let keys = ["S", "Q", "C", "B", "s", "q", "c", "b"];
        assert_eq!(read(&keys, "S"), options("S"));
        assert_eq!([read(&keys, "skip"), read(&keys, "back")], [Typed::Skip, Typed::Back]);
        assert_eq!([read(&keys, "leave"), read(&keys, "Own")], [Typed::Leave, Typed::Custom]);
        let offered = |keys: &[&str]| {
            let decision = decision(keys, false);
            Marks::of(&decision).command("S", "skip", &decision)
        };
        assert_eq!((offered(&keys), offered(&["stay"])), ("skip".to_owned(), "S skip".to_owned()));
    }

    #[test]
    fn a_mark_never_means_another_options_key() {
        assert_eq!(read(&["b", "a"], "a"), options("a"));
        assert_eq!(read(&["b", "a"], "1"), options("b"));
        assert_eq!(read(&["y", "n"], "n"), options("n"));
        assert_eq!(Marks::of(&decision(&["2", "b"], false)), Marks::Keys);
        assert_eq!(read(&["2", "b"], "1"), Typed::Nothing);
        assert_eq!(read(&["3", "1", "2"], "a"), options("3"));
        assert_eq!(read(&["skip", "stay"], "skip"), options("skip"), "an option's own key comes first");
    }

    #[test]
    fn several_are_chosen_where_several_can_be() {
        let decision = decision(&["x1", "x2", "x3"], true);
        let read = |typed| Marks::of(&decision).read(typed, &decision);
        assert_eq!(read("a, x3"), options("x1, x3"));
        assert_eq!(read("c a c"), options("x3, x1"));
        assert_eq!(read("a z"), Typed::Nothing);
        assert_eq!(read(","), Typed::Nothing);
    }
}
