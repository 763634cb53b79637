//! What a person wants the terminal to be like: the ceremony, the scene, how much moves, sound. It is about their eyes and ears,
//! so it is their word alone, and no project's.

use std::path::Path;

use tui::manner::Motion;

use super::layer::{Layer, Scope};
use super::node::Node;
use super::reader::{Found, Owner, Reader, read_file};
use super::{Origin, Setting, pick};
use crate::sound::Wanted;

const CEREMONIES: [(&str, Ceremony); 3] =
    [("always", Ceremony::Always), ("once", Ceremony::Once), ("never", Ceremony::Never)];
const SCENES: [(&str, bool); 2] = [("on", true), ("off", false)];
const MOTIONS: [(&str, Motion); 2] = [("full", Motion::Full), ("reduced", Motion::Reduced)];
const SOUNDS: [(&str, Wanted); 3] = [("auto", Wanted::Auto), ("on", Wanted::On), ("off", Wanted::Off)];

/// When `arbiter` alone begins with title, characters and forest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ceremony {
    /// Every time.
    Always,
    /// Until it was seen.
    #[default]
    Once,
    /// Never.
    Never,
}

/// What the terminal is wanted to be like. Only from the user's own file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terminal {
    /// `ceremony`: when it is seen.
    pub ceremony: Setting<Ceremony>,
    /// `scene`: the mission is drawn as a small stage too.
    pub scene: Setting<bool>,
    /// `motion`: how much moves by itself.
    pub motion: Setting<Motion>,
    /// `sound`: whether something is heard.
    pub sound: Setting<Wanted>,
}

/// What one file says of it.
#[derive(Debug, Default)]
pub(super) struct TerminalLayer {
    ceremony: Found<Ceremony>,
    scene: Found<bool>,
    motion: Found<Motion>,
    sound: Found<Wanted>,
}

impl Default for Terminal {
    fn default() -> Terminal {
        Terminal::join(TerminalLayer::default(), TerminalLayer::default())
    }
}

impl Terminal {
    /// What the user's own file says, as far as it can be understood: whatever is wrong with it is told where it matters more.
    #[must_use]
    pub fn read(file: &Path) -> Terminal {
        let bytes = read_file(file, file).unwrap_or_default();
        let scope = Scope { owner: Owner::User, home: None, providers: &[] };
        let user = Layer::parse(file, bytes.as_deref(), scope, &mut Vec::new());
        Terminal::join(TerminalLayer::default(), user.terminal)
    }

    pub(super) fn join(own: TerminalLayer, user: TerminalLayer) -> Terminal {
        Terminal {
            ceremony: pick(own.ceremony, user.ceremony, Ceremony::default()),
            scene: pick(own.scene, user.scene, true),
            motion: pick(own.motion, user.motion, Motion::default()),
            sound: pick(own.sound, user.sound, Wanted::default()),
        }
    }

    /// Each key, its value and where it comes from.
    pub(super) fn values(&self) -> [(&'static str, String, &Origin); 4] {
        use super::claude::word;
        [
            ("ceremony", word(&CEREMONIES, &self.ceremony.value).to_owned(), &self.ceremony.origin),
            ("scene", word(&SCENES, &self.scene.value).to_owned(), &self.scene.origin),
            ("motion", word(&MOTIONS, &self.motion.value).to_owned(), &self.motion.origin),
            ("sound", word(&SOUNDS, &self.sound.value).to_owned(), &self.sound.origin),
        ]
    }
}

impl Reader<'_> {
    /// One of the keys; a file that may not say it says nothing.
    pub(super) fn terminal(&mut self, key: &str, node: &Node, layer: &mut TerminalLayer) {
        if !self.is_own(key, node, "what you see and hear") {
            return;
        }
        let noun = ["value", "values"];
        match key {
            "ceremony" => layer.ceremony = self.choice(key, node, noun, &CEREMONIES),
            "scene" => layer.scene = self.choice(key, node, noun, &SCENES),
            "motion" => layer.motion = self.choice(key, node, noun, &MOTIONS),
            _ => layer.sound = self.choice(key, node, noun, &SOUNDS),
        }
    }
}
