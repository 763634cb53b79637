//! The sign that a person types for an option, the same at every door: its key where that is one sign, else the next free
//! letter. A sign never means another option's key.

use mind::petition::Decision;

/// Letters of options. The others move, close, skip or open a field on the screen: a person who scrolls answers nothing.
const LETTERS: &str = "abcdefhlmnoprtuvwxyz";

/// The sign of each option. From the twenty-first on an option may have none: its key or its number is typed.
#[must_use]
pub fn letters(decision: &Decision) -> Vec<Option<char>> {
    let keys: Vec<Option<char>> = decision.options.iter().map(|option| only_sign(&option.key)).collect();
    let is_key = |letter: char| keys.iter().flatten().any(|key| key.eq_ignore_ascii_case(&letter));
    let mut free = LETTERS.chars().filter(|letter| !is_key(*letter));
    let is_own = |key: &char| LETTERS.contains(*key) || matches!(key, '1'..='9');
    keys.iter().map(|key| key.filter(is_own).or_else(|| free.next())).collect()
}

/// The option that a word means: exactly its key, its letter, its number, or its key in other letters.
#[must_use]
pub fn option_of(typed: &str, decision: &Decision) -> Option<usize> {
    let keys = || decision.options.iter().map(|option| option.key.as_str());
    if let Some(at) = keys().position(|key| key == typed) {
        return Some(at);
    }
    let bare = typed.strip_suffix('.').unwrap_or(typed);
    let letter = only_sign(bare);
    if let Some(at) = letters(decision).iter().position(|own| own.is_some() && *own == letter) {
        return Some(at);
    }
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|sign| sign.is_ascii_digit());
    if is_number(bare) {
        // Beside a key that is a number, a number could mean two options.
        let nth = bare.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        return nth.filter(|nth| *nth < decision.options.len() && !keys().any(is_number));
    }
    // A single capital is a command.
    let alike = |key: &str| typed.chars().count() > 1 && key.to_lowercase() == typed.to_lowercase();
    let mut near = (0..).zip(keys()).filter(|(_, key)| alike(key)).map(|(at, _)| at);
    near.next().filter(|_| near.next().is_none())
}

/// The options that words mean, as an answer names them: one, or several with commas or spaces where several can be
/// chosen. None if a word means no option.
#[must_use]
pub fn options_of(typed: &str, decision: &Decision) -> Option<String> {
    if let Some(option) = option_of(typed, decision).and_then(|at| decision.options.get(at)) {
        return Some(option.key.clone());
    }
    if !decision.multi {
        return None;
    }
    let mut keys: Vec<&str> = Vec::new();
    for word in typed.split([',', ' ']).filter(|word| !word.is_empty()) {
        let key = decision.options.get(option_of(word, decision)?)?.key.as_str();
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    (!keys.is_empty()).then(|| keys.join(", "))
}

/// All signs in short, for a prompt: "a-c", "y/n"; none if an option has no sign.
#[must_use]
pub fn range(decision: &Decision) -> Option<String> {
    let signs: Option<Vec<char>> = letters(decision).into_iter().collect();
    let signs: String = signs?.into_iter().collect();
    match (signs.chars().next(), signs.chars().next_back()) {
        (Some(first), Some(last)) if first != last && LETTERS.starts_with(&signs) => {
            Some(format!("{first}-{last}"))
        }
        (Some(_), Some(_)) => Some(signs.chars().map(String::from).collect::<Vec<_>>().join("/")),
        (_, _) => None,
    }
}

fn only_sign(text: &str) -> Option<char> {
    let mut signs = text.chars();
    signs.next().filter(|_| signs.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mind::talk::DecisionOption;

    fn decision(keys: &[&str], multi: bool) -> Decision {
        let option = |key: &&str| DecisionOption { key: (*key).to_owned(), label: (*key).to_owned() };
        Decision { options: keys.iter().map(option).collect(), multi, ..Decision::default() }
    }

    fn signs(keys: &[&str]) -> String {
        letters(&decision(keys, false)).into_iter().map(|sign| sign.unwrap_or(' ')).collect()
    }

    fn read<'k>(keys: &[&'k str], typed: &str) -> Option<&'k str> {
        option_of(typed, &decision(keys, false)).map(|at| keys[at])
    }

    #[test]
    fn a_letter_a_number_or_a_key_is_an_option() {
        let keys = ["jwt", "session", "oauth"];
        assert_eq!(signs(&keys), "abc");
        for (typed, meant) in [
            ("a", Some("jwt")),
            ("c.", Some("oauth")),
            ("2", Some("session")),
            ("session", Some("session")),
            ("OAuth", Some("oauth")),
            ("A", None),
            ("d", None),
            ("0", None),
            ("4", None),
            ("jw", None),
            ("", None),
        ] {
            assert_eq!(read(&keys, typed), meant, "{typed:?}");
        }
    }

    #[test]
    fn a_key_of_one_sign_is_its_own_letter() {
        assert_eq!(signs(&["y", "n"]), "yn");
        assert_eq!(signs(&["b", "jwt", "a"]), "bca");
        assert_eq!(signs(&["3", "1", "2"]), "312");
        assert_eq!([read(&["b", "a"], "a"), read(&["b", "a"], "1")], [Some("a"), Some("b")]);
    }

    #[test]
    fn a_sign_never_means_another_options_key() {
        assert_eq!(signs(&["S", "C", "Q"]), "abd", "a small letter is not put beside the key in capitals");
        assert_eq!(
            signs(&["s", "q"]),
            "ab",
            "a letter that means something else on a page is typed as a key"
        );
        assert_eq!([read(&["s", "q"], "s"), read(&["S", "C"], "C")], [Some("s"), Some("C")]);
        assert_eq!(read(&["2", "b"], "1"), None, "beside keys that are numbers a number is a key");
        assert_eq!(read(&["Yes", "YES"], "yes"), None, "it could be either");
    }

    #[test]
    fn more_options_than_letters_are_typed_as_numbers() {
        let keys: Vec<String> = (1..=22).map(|nth| format!("key{nth}")).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        assert_eq!(signs(&keys), format!("{LETTERS}  "));
        assert_eq!([read(&keys, "z"), read(&keys, "22")], [Some("key20"), Some("key22")]);
        assert_eq!(range(&decision(&keys, false)), None);
    }

    #[test]
    fn several_are_chosen_where_several_can_be() {
        let several = decision(&["x1", "x2", "x3"], true);
        let read = |typed| options_of(typed, &several);
        assert_eq!(read("a, x3").as_deref(), Some("x1, x3"));
        assert_eq!(read("c a c").as_deref(), Some("x3, x1"));
        assert_eq!([read("a z"), read(","), read("")], [None, None, None]);
        assert_eq!(options_of("a c", &decision(&["x1", "x2", "x3"], false)), None);
    }

    #[test]
    fn a_prompt_tells_the_signs_in_short() {
        let short = |keys: &[&str]| range(&decision(keys, false));
        assert_eq!(short(&["jwt", "session", "oauth"]).as_deref(), Some("a-c"));
        assert_eq!(short(&["y", "n"]).as_deref(), Some("y/n"));
        assert_eq!([short(&["only"]).as_deref(), short(&[]).as_deref()], [Some("a"), None]);
    }
}
