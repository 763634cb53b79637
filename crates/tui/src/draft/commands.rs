//! The commands that can be typed instead of words, and what each does in a few words.

/// The commands without their `/`, the ones that are wanted most first.
const COMMANDS: [(&str, &str); 9] = [
    ("pause", "let no further turn begin"),
    ("resume", "go on"),
    ("interrupt", "stop the running turn"),
    ("release", "sever the Orchestrator's link"),
    ("cancel", "end the mission"),
    ("yes", "allow what a question asks"),
    ("no", "refuse what a question asks"),
    ("quit", "leave; the mission can be resumed"),
    ("help", "what can be typed"),
];
/// How many commands there are.
pub const COUNT: usize = COMMANDS.len();

/// The commands that begin so.
pub fn that_begin(query: &str) -> impl Iterator<Item = &'static str> {
    let begins = move |name: &&str| {
        name.get(..query.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(query))
    };
    COMMANDS.iter().map(|(name, _)| *name).filter(begins)
}

/// What a command does.
pub fn meaning(name: &str) -> Option<&'static str> {
    COMMANDS.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning)
}

/// It says more with the number of a question behind it.
pub fn takes_more(name: &str) -> bool {
    ["yes", "no"].contains(&name)
}

#[cfg(test)]
mod tests {
    use mind::State;

    use super::COMMANDS;
    use crate::typed::{self, Typed};

    #[test]
    fn every_command_on_offer_is_one() {
        let state = State::default();
        for (name, _) in COMMANDS {
            match typed::read(&format!("/{name}"), &state) {
                Typed::Help => assert_eq!(name, "help"),
                Typed::Unclear(why) => assert!(!why.contains("there is no"), "{why}"),
                Typed::Deeds(_) | Typed::Quit => {}
                Typed::Nothing => panic!("{name} means nothing"),
            }
        }
        for word in typed::HELP.split([' ', ',']).filter_map(|word| word.strip_prefix('/')) {
            assert!(super::meaning(word).is_some(), "{word} is not offered");
        }
    }
}
