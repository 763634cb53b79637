//! Every sprite there is, by its name, in two sizes. The files are part of the program; each is read when it is first wanted.

use std::sync::LazyLock;

use super::sprite::{Frame, Sprite};
use crate::manner::Character;

/// How large sprites are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scale {
    /// Eight pixels: for small terminals.
    Small,
    Large,
}

impl Scale {
    /// Pixels from side to side, which are columns; half as many rows.
    pub fn side(self) -> u16 {
        match self {
            Scale::Small => 8,
            Scale::Large => 16,
        }
    }
}

macro_rules! shelf {
    ($($(#[doc = $doc:literal])+ $tile:ident $file:literal,)+) => {
        /// What can be drawn.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Tile {
            $($(#[doc = $doc])+ $tile,)+
        }

        impl Tile {
            /// All of them.
            #[cfg(test)]
            pub const ALL: &[Tile] = &[$(Tile::$tile,)+];

            /// The file it is drawn in, without folder and end.
            #[cfg(test)]
            pub fn name(self) -> &'static str {
                match self {
                    $(Tile::$tile => $file,)+
                }
            }

            /// Its sprite in this size.
            pub fn sprite(self, scale: Scale) -> &'static Sprite {
                match (self, scale) {
                    $((Tile::$tile, Scale::Small) => {
                        static SPRITE: LazyLock<Sprite> =
                            LazyLock::new(|| read(include_str!(concat!("../../../art/8/", $file, ".sprite"))));
                        &SPRITE
                    }
                    (Tile::$tile, Scale::Large) => {
                        static SPRITE: LazyLock<Sprite> =
                            LazyLock::new(|| read(include_str!(concat!("../../../art/16/", $file, ".sprite"))));
                        &SPRITE
                    })+
                }
            }
        }
    };
}

shelf! {
    /// The Arbiter: an ancient oracle in a hood. Frames: `still`, `blink`, `talk`, `book`, `turn`, `sleep`.
    Arbiter "arbiter",
    /// A demon: an Orchestrator, or an agent at work. Frames: `still`, `hop`, `talk`, `wait`, `sleep`, `spent`.
    Demon "demon",
    /// The verifier: an owl that looks twice. Frames: `still`, `look`, `talk`, `sleep`.
    Verifier "verifier",
    /// The cauldron, over its fire. Frames: `still`, `bubble1`, `bubble2`, `bubble3`.
    Cauldron "cauldron",
    /// A fire. Frames: `burn1`, `burn2`, `burn3`, `ember`.
    Fire "fire",
    /// The scroll of requirements. Frames: `still`, `open`.
    Scroll "scroll",
    /// A receipt with its seal. Frames: `pass`, `fail`.
    Receipt "receipt",
    /// A bubble of speech. Frames: `talk1`, `talk2`.
    Bubble "bubble",
    /// Something waits for the human. Frames: `still`, `glow`.
    Mark "mark",
    /// Letters of sleep. Frames: `low`, `high`.
    Slumber "slumber",
    /// What is left of a demon that was dismissed. Frames: `puff1`, `puff2`, `puff3`.
    Puff "puff",
    /// How a mission ended. Frames: `done`, `gleam`, `failed`, `exhausted`, `cancelled`.
    End "end",
    /// The Wanderer. Frames: `still`, `step`, `down`, `cheer`.
    Wanderer "wanderer",
    /// The Knight. Frames: `still`, `step`, `down`, `cheer`.
    Knight "knight",
    /// The Witch. Frames: `still`, `step`, `down`, `cheer`.
    Witch "witch",
    /// The Smith. Frames: `still`, `step`, `down`, `cheer`.
    Smith "smith",
    /// The Scribe. Frames: `still`, `step`, `down`, `cheer`.
    Scribe "scribe",
    /// The Bard. Frames: `still`, `step`, `down`, `cheer`.
    Bard "bard",
    /// The Gardener. Frames: `still`, `step`, `down`, `cheer`.
    Gardener "gardener",
    /// The Cat. Frames: `still`, `step`, `down`, `cheer`.
    Cat "cat",
    /// A tree of the forest. Frames: `still`, `bare`.
    Tree "tree",
    /// A pine. Frames: `still`, `tall`.
    Pine "pine",
    /// A bog: a step into it ends the walk. Frames: `still`, `gleam`.
    Bog "bog",
    /// The path. Frames: `still`, `worn`.
    Path "path",
    /// Grass. Frames: `still`, `flower`.
    Grass "grass",
    /// A will-o'-the-wisp. Frames: `low`, `high`.
    Wisp "wisp",
    /// The moon. Frames: `still`.
    Moon "moon",
}

impl Tile {
    /// One frame of it.
    pub fn frame(self, scale: Scale, name: &str, skin: usize) -> Option<Frame<'static>> {
        self.sprite(scale).frame(name, skin)
    }
}

impl Character {
    /// How they are drawn.
    pub(in crate::decoration) fn tile(self) -> Tile {
        match self {
            Character::Wanderer => Tile::Wanderer,
            Character::Knight => Tile::Knight,
            Character::Witch => Tile::Witch,
            Character::Smith => Tile::Smith,
            Character::Scribe => Tile::Scribe,
            Character::Bard => Tile::Bard,
            Character::Gardener => Tile::Gardener,
            Character::Cat => Tile::Cat,
        }
    }
}

/// The name over the door, in large letters.
pub fn name() -> &'static Sprite {
    static NAME: LazyLock<Sprite> = LazyLock::new(|| read(include_str!("../../../art/title/name.sprite")));
    &NAME
}

/// The same for narrow terminals.
pub fn small_name() -> &'static Sprite {
    static NAME: LazyLock<Sprite> = LazyLock::new(|| read(include_str!("../../../art/title/small.sprite")));
    &NAME
}

/// A file of ours is whole, and a test says so; should one not be, nothing is drawn.
fn read(text: &str) -> Sprite {
    Sprite::read(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frames that drawing asks for, as the documentation of each tile names them.
    const FRAMES: &[(Tile, &[&str])] = &[
        (Tile::Arbiter, &["still", "blink", "talk", "book", "turn", "sleep"]),
        (Tile::Demon, &["still", "hop", "talk", "wait", "sleep", "spent"]),
        (Tile::Verifier, &["still", "look", "talk", "sleep"]),
        (Tile::Cauldron, &["still", "bubble1", "bubble2", "bubble3"]),
        (Tile::Fire, &["burn1", "burn2", "burn3", "ember"]),
        (Tile::Scroll, &["still", "open"]),
        (Tile::Receipt, &["pass", "fail"]),
        (Tile::Bubble, &["talk1", "talk2"]),
        (Tile::Mark, &["still", "glow"]),
        (Tile::Slumber, &["low", "high"]),
        (Tile::Puff, &["puff1", "puff2", "puff3"]),
        (Tile::End, &["done", "gleam", "failed", "exhausted", "cancelled"]),
        (Tile::Wanderer, &["still", "step", "down", "cheer"]),
        (Tile::Knight, &["still", "step", "down", "cheer"]),
        (Tile::Witch, &["still", "step", "down", "cheer"]),
        (Tile::Smith, &["still", "step", "down", "cheer"]),
        (Tile::Scribe, &["still", "step", "down", "cheer"]),
        (Tile::Bard, &["still", "step", "down", "cheer"]),
        (Tile::Gardener, &["still", "step", "down", "cheer"]),
        (Tile::Cat, &["still", "step", "down", "cheer"]),
        (Tile::Tree, &["still", "bare"]),
        (Tile::Pine, &["still", "tall"]),
        (Tile::Bog, &["still", "gleam"]),
        (Tile::Path, &["still", "worn"]),
        (Tile::Grass, &["still", "flower"]),
        (Tile::Wisp, &["low", "high"]),
        (Tile::Moon, &["still"]),
    ];

    #[test]
    fn every_character_is_drawn_under_their_own_name() {
        for character in Character::ALL {
            assert_eq!(character.tile().name(), character.name().to_lowercase());
        }
    }

    #[test]
    fn every_sprite_is_whole_and_has_its_frames_in_both_sizes() {
        assert_eq!(FRAMES.len(), Tile::ALL.len());
        for (tile, frames) in FRAMES {
            for scale in [Scale::Small, Scale::Large] {
                let sprite = tile.sprite(scale);
                let side = usize::from(scale.side());
                assert_eq!((sprite.width, sprite.height), (side, side), "{tile:?} {scale:?}");
                assert_eq!(sprite.names().collect::<Vec<_>>(), *frames, "{tile:?} {scale:?}");
            }
        }
        assert!(name().width <= 78 && name().height > 0);
        assert!(small_name().width <= 38 && small_name().height > 0);
    }

    #[test]
    fn demons_are_told_apart_by_their_skins() {
        for scale in [Scale::Small, Scale::Large] {
            assert!(Tile::Demon.sprite(scale).skins() >= 6, "{scale:?}");
        }
    }
}
