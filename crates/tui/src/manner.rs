//! How a person wants the terminal: whether tiles are drawn, whether they move, and as whom the person is shown. Nothing of
//! it is the mission's: a replay is shown in the manner of whoever looks.

/// How a person wants the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// The scene is drawn where there is room for it.
    pub scene: bool,
    /// How much moves by itself.
    pub motion: Motion,
    /// As whom the person is shown.
    pub character: Character,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { scene: true, motion: Motion::Full, character: Character::Wanderer }
    }
}

/// How much moves by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Motion {
    /// Whatever is alive moves.
    #[default]
    Full,
    /// Nothing moves by itself; what happened is seen all the same.
    Reduced,
}

/// As whom a person is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Character {
    #[default]
    Wanderer,
    Knight,
    Witch,
    Smith,
    Scribe,
    Bard,
    Gardener,
    Cat,
}

impl Character {
    /// All of them, in the order in which they can be chosen.
    pub const ALL: [Character; 8] = [
        Character::Wanderer,
        Character::Knight,
        Character::Witch,
        Character::Smith,
        Character::Scribe,
        Character::Bard,
        Character::Gardener,
        Character::Cat,
    ];

    /// The name: as it is shown, and in small letters as it is written down.
    pub fn name(self) -> &'static str {
        match self {
            Character::Wanderer => "Wanderer",
            Character::Knight => "Knight",
            Character::Witch => "Witch",
            Character::Smith => "Smith",
            Character::Scribe => "Scribe",
            Character::Bard => "Bard",
            Character::Gardener => "Gardener",
            Character::Cat => "Cat",
        }
    }

    /// What is said of them.
    pub fn epithet(self) -> &'static str {
        match self {
            Character::Wanderer => "has walked further than the map",
            Character::Knight => "keeps promises, and makes few",
            Character::Witch => "knows what the cauldron wants",
            Character::Smith => "hits it until it holds",
            Character::Scribe => "wrote it down; read it too",
            Character::Bard => "will tell how it really was",
            Character::Gardener => "plants today, for later",
            Character::Cat => "was here first",
        }
    }

    /// Who has this name, however it is written.
    pub fn named(name: &str) -> Option<Character> {
        Character::ALL.into_iter().find(|character| character.name().eq_ignore_ascii_case(name.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_found_by_name() {
        for character in Character::ALL {
            assert_eq!(Character::named(&character.name().to_lowercase()), Some(character));
        }
        assert_eq!(Character::named("nobody"), None);
    }
}
