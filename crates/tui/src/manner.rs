//! The person's settings of the screen: whether the scene is drawn, whether it moves, and the person's character. They
//! belong to the viewer, not to the mission: a replay uses the settings of the person who watches it.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// The scene is drawn where there is room for it.
    pub scene: bool,
    /// How much moves by itself.
    pub motion: Motion,
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
    /// Figures and fires move.
    #[default]
    Full,
    /// Nothing moves by itself; what happened is seen all the same.
    Reduced,
}

/// The figure that stands for the person.
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

    /// The name on the screen; the file has it in lower case.
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

    /// A line about the character, for the ceremony.
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

    /// The character of this name, in any case.
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
