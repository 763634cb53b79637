//! The commands of the composer (`/pause` and so on), each with its meaning.

/// The commands without their `/`, the ones that are wanted most first.
const COMMANDS: [(&str, &str); 12] = [
    ("pause", "begin no further turn"),
    ("resume", "continue after a pause"),
    ("force", "stop; this agent works next"),
    ("skip", "stop; leave the step out"),
    ("retry", "stop; the last agent tries again"),
    ("interrupt", "stop the running turn"),
    ("release", "end the Orchestrator's session"),
    ("cancel", "end the mission"),
    ("yes", "allow what is asked, such as q1"),
    ("no", "refuse what is asked, such as q1"),
    ("quit", "leave; the mission can be resumed"),
    ("help", "what can be typed"),
];
/// How many commands there are.
pub const COUNT: usize = COMMANDS.len();
/// Those that only a conducted mission knows.
pub const CONDUCTED: [&str; 3] = ["force", "skip", "retry"];
/// Those that only a council knows.
pub const COUNCIL: [&str; 1] = ["release"];

/// The commands of such a mission that begin so.
pub fn that_begin(query: &str, conducted: bool) -> impl Iterator<Item = &'static str> {
    let begins = move |name: &&str| {
        name.get(..query.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(query))
    };
    let others: &[&str] = if conducted { &COUNCIL } else { &CONDUCTED };
    COMMANDS.iter().map(|(name, _)| *name).filter(begins).filter(|name| !others.contains(name))
}

/// What a command does.
pub fn meaning(name: &str) -> Option<&'static str> {
    COMMANDS.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning)
}

/// Whether the command takes a permission's number or an agent's name.
pub fn takes_more(name: &str) -> bool {
    ["yes", "no", "force"].contains(&name)
}

#[cfg(test)]
mod tests {
    use mind::State;

    use super::COMMANDS;
    use view::typed::{self, Typed};

    #[test]
    fn every_command_on_offer_is_one() {
        let state = State::default();
        for (name, _) in COMMANDS {
            match typed::read(&format!("/{name}"), &state) {
                Typed::Help => assert_eq!(name, "help"),
                Typed::Unclear(why) => assert!(!why.contains("there is no"), "{why}"),
                Typed::Actions(_) | Typed::Quit => {}
                Typed::Nothing => panic!("{name} means nothing"),
            }
        }
        for (help, conducted) in [(typed::HELP, false), (typed::HELP_CONDUCTED, true)] {
            for word in help.split([' ', ',']).filter_map(|word| word.strip_prefix('/')) {
                assert!(super::that_begin(word, conducted).any(|name| name == word), "{word} is not offered");
            }
        }
    }
}
