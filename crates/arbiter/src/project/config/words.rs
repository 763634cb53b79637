//! Keys whose value is one of a few words: the words, and their noun for the fault of an unknown one.

use mind::charter::WarningPolicy;
use mind::conductor::NoteKeeping;
use mind::policy::PolicyMode;
use providers::Provider;
use providers::claude::{Routing, Settings};

use super::kind::Choice;

/// What chooses the conductor's moves where rules do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// A model behind an API.
    Api,
    /// Claude Code, one short run for each move.
    Claude,
    /// The rehearsal's script.
    Rehearsal,
    /// No model: a fixed order of agents.
    FixedOrder,
}

/// The protocol of an API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ApiKind {
    /// The Messages API.
    #[default]
    Anthropic,
    /// Chat Completions, as many servers offer it, local ones too.
    OpenAi,
}

/// Whether agents run in a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SandboxWanted {
    /// In the best sandbox that this system has.
    #[default]
    Auto,
    /// Without one. Only the user's own file can say so.
    Off,
}

/// What a mission does with a question when no person is at the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Headless {
    /// It goes to the docket, and the mission waits.
    #[default]
    Petition,
    /// It is refused at once.
    Refuse,
}

/// When `arbiter` alone begins with the ceremony.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CeremonyWanted {
    Always,
    /// Until it was seen.
    #[default]
    Once,
    Never,
}

/// How much moves by itself on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MotionWanted {
    /// Figures and fires move.
    #[default]
    Full,
    /// Nothing moves by itself.
    Reduced,
}

/// Whether sound is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SoundWanted {
    /// Where a person sits at this machine: not in CI, not over SSH.
    #[default]
    Auto,
    On,
    /// Never; `m` turns it on.
    Off,
}

const VALUE: [&str; 2] = ["value", "values"];
const PROVIDER: [&str; 2] = ["provider", "providers"];

pub(super) const SETTINGS: Choice<Settings> =
    Choice { noun: VALUE, words: &[("isolated", Settings::Isolated), ("project", Settings::Project)] };
pub(super) const ROUTINGS: Choice<Routing> =
    Choice { noun: ["routing", "routings"], words: &[("typed", Routing::Typed), ("tools", Routing::Tools)] };
pub(super) const MODES: Choice<PolicyMode> = Choice {
    noun: ["mode", "modes"],
    words: &[("guarded", PolicyMode::Guarded), ("open", PolicyMode::Open)],
};
pub(super) const LEVELS: Choice<SandboxWanted> =
    Choice { noun: VALUE, words: &[("auto", SandboxWanted::Auto), ("off", SandboxWanted::Off)] };
pub(super) const WARNING_POLICIES: Choice<WarningPolicy> = Choice {
    noun: ["policy", "policies"],
    words: &[("warn", WarningPolicy::Warn), ("silent", WarningPolicy::Silent), ("off", WarningPolicy::Off)],
};
pub(super) const HEADLESS: Choice<Headless> =
    Choice { noun: VALUE, words: &[("petition", Headless::Petition), ("refuse", Headless::Refuse)] };
pub(super) const JUDGES: Choice<Judge> = Choice {
    noun: PROVIDER,
    words: &[
        (Provider::Api.name(), Judge::Api),
        (Provider::Claude.name(), Judge::Claude),
        (Provider::Rehearsal.name(), Judge::Rehearsal),
        ("none", Judge::FixedOrder),
    ],
};
pub(super) const API_KINDS: Choice<ApiKind> = Choice {
    noun: ["kind", "kinds"],
    words: &[("anthropic", ApiKind::Anthropic), ("openai", ApiKind::OpenAi)],
};
/// Whether a council's Arbiter runs over the API.
pub(super) const BY_API: Choice<bool> =
    Choice { noun: PROVIDER, words: &[(Provider::Api.name(), true), ("default", false)] };
pub(super) const KEEPINGS: Choice<NoteKeeping> = Choice {
    noun: VALUE,
    words: &[("off", NoteKeeping::Off), ("end", NoteKeeping::End), ("each", NoteKeeping::Each)],
};
pub(super) const CEREMONIES: Choice<CeremonyWanted> = Choice {
    noun: VALUE,
    words: &[
        ("always", CeremonyWanted::Always),
        ("once", CeremonyWanted::Once),
        ("never", CeremonyWanted::Never),
    ],
};
pub(super) const SCENES: Choice<bool> = Choice { noun: VALUE, words: &[("on", true), ("off", false)] };
pub(super) const MOTIONS: Choice<MotionWanted> =
    Choice { noun: VALUE, words: &[("full", MotionWanted::Full), ("reduced", MotionWanted::Reduced)] };
pub(super) const SOUNDS: Choice<SoundWanted> = Choice {
    noun: VALUE,
    words: &[("auto", SoundWanted::Auto), ("on", SoundWanted::On), ("off", SoundWanted::Off)],
};
