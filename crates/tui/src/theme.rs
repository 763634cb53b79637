//! Styles: colours where the terminal has them, bold and reverse where not; box characters where it shows them, ASCII where
//! not.

use mind::conductor::plan::StepStatus;
use ratatui::style::{Color, Modifier, Style};
use view::tone::Tone;

/// What a piece of the screen is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tint {
    /// Lines around things.
    Frame,
    /// The program's name, and titles of panels.
    Title,
    /// What is said.
    Words,
    /// What matters less: thoughts, notes, hints.
    Dim,
    /// The human's name.
    You,
    /// The Arbiter's name.
    Arbiter,
    /// An Orchestrator's name.
    Orchestrator,
    /// The program's remarks.
    House,
    /// Something good happened.
    Good,
    /// Something wants attention soon.
    Warn,
    /// Something is wrong.
    Bad,
    /// Something waits for the human.
    Wanted,
    /// A key that can be pressed.
    Key,
    /// What is chosen in a list.
    Chosen,
    /// What a search found.
    Found,
    /// A heading of a text.
    Heading,
    /// Code in a text.
    Code,
    /// A link in a text.
    Link,
    /// A quotation in a text.
    Quote,
    /// A line that a change adds.
    Added,
    /// A line that a change removes.
    Removed,
}

/// The box before a step, and its tint.
pub(crate) fn step_mark(status: StepStatus, theme: &Theme) -> (&'static str, Tint) {
    match status {
        StepStatus::Pending => ("[ ]", Tint::Words),
        StepStatus::InProgress => (theme.sign("[▸]", "[~]"), Tint::Warn),
        StepStatus::Complete => (theme.sign("[✓]", "[x]"), Tint::Good),
        StepStatus::Failed => (theme.sign("[✗]", "[!]"), Tint::Bad),
        StepStatus::Skipped => ("[-]", Tint::Dim),
    }
}

impl From<Tone> for Tint {
    fn from(tone: Tone) -> Tint {
        match tone {
            Tone::Plain => Tint::Words,
            Tone::Quiet => Tint::Dim,
            Tone::Good => Tint::Good,
            Tone::Warning => Tint::Warn,
            Tone::Bad => Tint::Bad,
            Tone::Wanted => Tint::Wanted,
        }
    }
}

/// The signs that things are drawn with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signs {
    /// Box characters, blocks and a few symbols.
    Unicode,
    /// Nothing beyond ASCII.
    Ascii,
}

/// How many colours may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colours {
    None,
    /// The sixteen that every terminal has.
    Sixteen,
    /// Two hundred and fifty-six.
    Many,
    /// Every one there is.
    True,
}

/// How things look on one terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    pub colours: Colours,
    /// What can be drawn.
    pub signs: Signs,
}

impl Theme {
    /// With colours, with box characters.
    pub const COLOURED: Theme = Theme { colours: Colours::True, signs: Signs::Unicode };
    /// Without colours, with box characters.
    pub const PLAIN: Theme = Theme { colours: Colours::None, signs: Signs::Unicode };
    pub const ASCII: Theme = Theme { colours: Colours::None, signs: Signs::Ascii };

    /// Whether colours are used.
    pub fn is_coloured(&self) -> bool {
        self.colours != Colours::None
    }

    /// Tiles can be drawn: half blocks, each with two colours.
    pub fn has_tiles(&self) -> bool {
        self.is_coloured() && self.signs == Signs::Unicode
    }

    /// The style of a tint. Bold and reverse say the same as colours, so that a screen without colours loses nothing.
    pub fn style(&self, tint: Tint) -> Style {
        let (colour, modifier) = match tint {
            Tint::Frame => (Some(Color::DarkGray), Modifier::empty()),
            Tint::Title => (Some(Color::Yellow), Modifier::BOLD),
            Tint::Words => (None, Modifier::empty()),
            Tint::Dim => (Some(Color::DarkGray), Modifier::DIM),
            Tint::You => (Some(Color::Green), Modifier::BOLD),
            Tint::Arbiter => (Some(Color::Yellow), Modifier::BOLD),
            Tint::Orchestrator => (Some(Color::Magenta), Modifier::BOLD),
            Tint::House => (Some(Color::Cyan), Modifier::empty()),
            Tint::Good => (Some(Color::Green), Modifier::BOLD),
            Tint::Warn => (Some(Color::Yellow), Modifier::empty()),
            Tint::Bad => (Some(Color::Red), Modifier::BOLD),
            Tint::Wanted => (Some(Color::Yellow), Modifier::BOLD.union(Modifier::REVERSED)),
            Tint::Key => (Some(Color::Cyan), Modifier::BOLD),
            Tint::Chosen => (None, Modifier::REVERSED),
            Tint::Found => (Some(Color::Yellow), Modifier::REVERSED),
            Tint::Heading => (Some(Color::Cyan), Modifier::BOLD),
            Tint::Code => (Some(Color::LightBlue), Modifier::empty()),
            Tint::Link => (Some(Color::Blue), Modifier::UNDERLINED),
            Tint::Quote => (Some(Color::DarkGray), Modifier::ITALIC),
            Tint::Added => (Some(Color::Green), Modifier::empty()),
            Tint::Removed => (Some(Color::Red), Modifier::empty()),
        };
        let style = Style::new().add_modifier(modifier);
        match colour.filter(|_| self.is_coloured()) {
            // Grey is dim enough by itself.
            Some(Color::DarkGray) => {
                Style::new().fg(Color::DarkGray).add_modifier(modifier.difference(Modifier::DIM))
            }
            Some(colour) => style.fg(colour),
            None => style,
        }
    }

    /// One of two ways to draw the same.
    pub fn sign(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        match self.signs {
            Signs::Unicode => unicode,
            Signs::Ascii => ascii,
        }
    }
}
