//! The keys of normal mode. A key becomes a message; `update` performs it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Msg {
    /// Keys are text from now on.
    Insert,
    /// Move by so many lines.
    Scroll(isize),
    /// Move by so many halves of the window.
    Half(isize),
    /// To the beginning.
    Top,
    /// To the end.
    Bottom,
    /// Keys are what to search for.
    Search,
    /// The next place where it was found, upwards.
    Older,
    /// The next place where it was found, downwards.
    Newer,
    /// Fold or unfold the lowest piece that can be.
    Turn,
    /// Fold or unfold everything.
    TurnAll,
    /// Open the logbook.
    Logbook,
    /// Open the quest log.
    Quest,
    /// Open the docket.
    Docket,
    /// Open the sessions.
    Sessions,
    /// Open the scene's own page.
    Stage,
    /// Turn the sound on, or off.
    Sound,
    /// Open the help.
    Help,
    /// Go in time by so many facts.
    Step(i64),
    /// Go in time to the next piece of the story, or to the one before.
    Scene(i64),
    /// To the first fact.
    First,
    /// To the last fact.
    Last,
    /// Let time go on by itself, or stop it.
    Play,
    /// Back to the present, or close whatever is open.
    Back,
    Quit,
}

/// The message of a key in normal mode; `past` while the past is shown.
#[expect(clippy::wildcard_enum_match_arm, reason = "there are more keys than meanings")]
pub fn normal(key: KeyEvent, past: bool) -> Option<Msg> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('d') if control => Some(Msg::Half(1)),
        KeyCode::Char('u') if control => Some(Msg::Half(-1)),
        KeyCode::Char('f') if control => Some(Msg::Half(2)),
        KeyCode::Char('b') if control => Some(Msg::Half(-2)),
        KeyCode::Char(_) if control => None,
        KeyCode::PageDown => Some(Msg::Half(2)),
        KeyCode::PageUp => Some(Msg::Half(-2)),
        KeyCode::Char('j') | KeyCode::Down => Some(Msg::Scroll(1)),
        KeyCode::Char('k') | KeyCode::Up => Some(Msg::Scroll(-1)),
        KeyCode::Home if past => Some(Msg::First),
        KeyCode::End if past => Some(Msg::Last),
        KeyCode::Char('g') | KeyCode::Home => Some(Msg::Top),
        KeyCode::Char('G') | KeyCode::End => Some(Msg::Bottom),
        KeyCode::Char('i' | 'a') | KeyCode::Enter => Some(Msg::Insert),
        KeyCode::Char('/') => Some(Msg::Search),
        KeyCode::Char('n') => Some(Msg::Older),
        KeyCode::Char('N') => Some(Msg::Newer),
        KeyCode::Char('z') => Some(Msg::Turn),
        KeyCode::Char('Z') => Some(Msg::TurnAll),
        KeyCode::Char('o') => Some(Msg::Logbook),
        KeyCode::Char('t') => Some(Msg::Quest),
        KeyCode::Char('d') => Some(Msg::Docket),
        KeyCode::Char('s') => Some(Msg::Sessions),
        KeyCode::Char('v') => Some(Msg::Stage),
        KeyCode::Char('m') => Some(Msg::Sound),
        KeyCode::Char('?') => Some(Msg::Help),
        KeyCode::Char('<') => Some(Msg::Step(-1)),
        KeyCode::Char('>') => Some(Msg::Step(1)),
        KeyCode::Left if past => Some(Msg::Step(-1)),
        KeyCode::Right if past => Some(Msg::Step(1)),
        KeyCode::Char('{') => Some(Msg::Scene(-1)),
        KeyCode::Char('}') => Some(Msg::Scene(1)),
        KeyCode::Char(' ') => Some(Msg::Play),
        KeyCode::Esc => Some(Msg::Back),
        KeyCode::Char('q') => Some(Msg::Quit),
        _ => None,
    }
}
