//! What a person types at a decision: an option, or a command of the prompt. Which option a sign means is the view's.

use std::sync::Arc;

use mind::petition::Decision;
use view::letters::{option_of, options_of};

/// What was typed at a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// Options, by their keys, as an answer names them.
    Options(Arc<str>),
    /// An answer in one's own words follows.
    OwnWords,
    /// Leave it to the asker.
    Skip,
    /// To the decision before.
    Back,
    /// On, without a change.
    Next,
    Leave,
    /// It means nothing here.
    Nothing,
}

/// What was typed. Capital letters are always commands; small ones are, where no option has them.
pub(super) fn read(typed: &str, decision: &Decision) -> Typed {
    let typed = typed.trim();
    if let Some(key) = option_of(typed, decision).and_then(|at| decision.options.get(at)) {
        return Typed::Options(Arc::from(key.key.as_str()));
    }
    match typed.to_lowercase().as_str() {
        "" => Typed::Next,
        "c" | "own" | "custom" => Typed::OwnWords,
        "s" | "skip" => Typed::Skip,
        "b" | "back" => Typed::Back,
        "q" | "quit" | "leave" => Typed::Leave,
        _ => options_of(typed, decision).map_or(Typed::Nothing, |keys| Typed::Options(Arc::from(keys))),
    }
}

/// A command as it is offered: by its letter, and by its word alone where an option has the letter.
pub(super) fn command(letter: &str, word: &str, decision: &Decision) -> String {
    if option_of(letter, decision).is_some() { word.to_owned() } else { format!("{letter} {word}") }
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
        super::read(typed, &decision(keys, false))
    }

    fn options(key: &str) -> Typed {
        Typed::Options(Arc::from(key))
    }

    #[test]
    fn commands_are_capitals_and_small_where_no_option_has_the_letter() {
        let three = ["jwt", "session", "oauth"];
        assert_eq!([read(&three, "C"), read(&three, "B")], [Typed::OwnWords, Typed::Back]);
        assert_eq!([read(&three, "s"), read(&three, "q")], [Typed::Skip, Typed::Leave]);
        assert_eq!([read(&three, " c. "), read(&three, "b")], [options("oauth"), options("session")]);
        assert_eq!(read(&["yes"], "b"), Typed::Back);
        assert_eq!(read(&["yes", "no"], "c"), Typed::OwnWords);
        assert_eq!([read(&three, ""), read(&three, "back")], [Typed::Next, Typed::Back]);
        assert_eq!(read(&three, "jw"), Typed::Nothing);
    }

    #[test]
    fn the_words_of_the_commands_work_where_options_have_the_letters() {
        let keys = ["S", "Q", "C", "B", "s", "q", "c", "b"];
        assert_eq!(read(&keys, "S"), options("S"));
        assert_eq!([read(&keys, "skip"), read(&keys, "back")], [Typed::Skip, Typed::Back]);
        assert_eq!([read(&keys, "leave"), read(&keys, "Own")], [Typed::Leave, Typed::OwnWords]);
        assert_eq!(read(&["skip", "stay"], "skip"), options("skip"), "an option's own key comes first");
        let offered = |keys: &[&str]| command("S", "skip", &decision(keys, false));
        assert_eq!((offered(&keys), offered(&["stay"])), ("skip".to_owned(), "S skip".to_owned()));
    }

    #[test]
    fn several_are_chosen_where_several_can_be() {
        let several = decision(&["x1", "x2", "x3"], true);
        assert_eq!(super::read("a, x3", &several), options("x1, x3"));
        assert_eq!(super::read("a z", &several), Typed::Nothing);
    }
}
