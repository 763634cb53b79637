//! How the ceremony behaves towards whoever sits before it: sound, rest, remarks.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui::decoration::inside::limits::REST_BEATS;
use tui::decoration::{Ceremony, CeremonyOutcome};
use tui::manner::{Character, Motion};
use tui::theme::Theme;

use super::{SEED, choosing, frame, press};
use crate::canvas;

#[test]
fn sound_is_turned_off_without_leaving_the_forest() {
    let mut ceremony = choosing(SEED);
    press(&mut ceremony, KeyCode::Enter);
    assert_eq!(press(&mut ceremony, KeyCode::Char('m')).outcome, CeremonyOutcome::Sound);
    assert!(ceremony.forest().is_some());
}

#[test]
fn what_nobody_looks_at_comes_to_rest_until_the_next_key() {
    let mut ceremony = Ceremony::new(SEED, Character::Cat, Motion::Full);
    let theme = Theme::COLOURED;
    for _ in 0..REST_BEATS {
        assert!(ceremony.is_alive(&theme));
        ceremony.tick();
    }
    assert!(!ceremony.is_alive(&theme));
    press(&mut ceremony, KeyCode::Enter);
    assert!(ceremony.is_alive(&theme));
}

#[test]
fn a_remark_takes_the_whole_of_the_lowest_line() {
    let ceremony = Ceremony::new(SEED, Character::Cat, Motion::Full);
    let mut buffer = frame(&ceremony, (80, 24), &Theme::COLOURED);
    Ceremony::remark("sound off", buffer.area, &mut buffer, &Theme::COLOURED);
    let shown = canvas::plain(&buffer);
    assert_eq!(shown.lines().last().map(str::trim), Some("sound off"));
    let mut small = frame(&ceremony, (40, 12), &Theme::COLOURED);
    let long = "no player found: install pw-play, paplay, aplay, sox or ffplay";
    Ceremony::remark(long, small.area, &mut small, &Theme::COLOURED);
    let shown = canvas::plain(&small);
    let told: Vec<&str> = shown.lines().skip(10).map(str::trim).collect();
    assert_eq!(told.join(" "), long, "nothing of it is cut");
    Ceremony::remark("sound off", Rect::ZERO, &mut Buffer::empty(Rect::ZERO), &Theme::COLOURED);
}
