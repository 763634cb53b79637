//! The ceremony: its machine by keys and beats, its forests by search, its screens in every depth of colour.

mod manners;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use proptest::prelude::*;
use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui::decoration::SoundEffect;
use tui::decoration::inside::forest::{Fate, Forest, Met, Terrain, WalkDirection};
use tui::decoration::inside::growing::{grow, way_to};
use tui::decoration::inside::limits::{GREETING_BEATS, TURNS_MAX};
use tui::decoration::{Ceremony, CeremonyOutcome, CeremonyStep};
use tui::manner::{Character, Motion};
use tui::theme::{Colours, Signs, Theme};

use crate::canvas;

/// The seed of the forests that are drawn here.
const SEED: u64 = 9;

fn press(ceremony: &mut Ceremony, code: KeyCode) -> CeremonyStep {
    ceremony.key(KeyEvent::new(code, KeyModifiers::NONE))
}

fn code(way: WalkDirection) -> KeyCode {
    match way {
        WalkDirection::Left => KeyCode::Left,
        WalkDirection::Right => KeyCode::Right,
        WalkDirection::Up => KeyCode::Up,
        WalkDirection::Down => KeyCode::Down,
    }
}

fn choosing(seed: u64) -> Ceremony {
    let mut ceremony = Ceremony::new(seed, Character::Witch, Motion::Full);
    let step = press(&mut ceremony, KeyCode::Enter);
    assert_eq!(step, CeremonyStep { outcome: CeremonyOutcome::Stay, effect: Some(SoundEffect::Take) });
    ceremony
}

fn walking(seed: u64) -> Ceremony {
    let mut ceremony = choosing(seed);
    press(&mut ceremony, KeyCode::Enter);
    assert!(ceremony.forest().is_some());
    ceremony
}

/// Walks as far as a step comes to this; says what the last step was.
fn walk(ceremony: &mut Ceremony, end: Met) -> CeremonyStep {
    let ways = way_to(ceremony.forest().expect("a forest"), end).expect("a way");
    let mut last = None;
    for way in ways {
        assert!(ceremony.forest().is_some(), "it ended before its end");
        last = Some(press(ceremony, code(way)));
    }
    last.expect("at least one step")
}

fn lost(seed: u64, fate: Fate) -> Ceremony {
    let mut ceremony = walking(seed);
    walk(&mut ceremony, Met::Lost(fate));
    ceremony
}

fn frame(ceremony: &Ceremony, (columns, rows): (u16, u16), theme: &Theme) -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
    ceremony.draw(buffer.area, &mut buffer, theme);
    buffer
}

#[test]
fn a_walk_to_the_fire_ends_before_the_arbiter() {
    let mut ceremony = walking(SEED);
    let last = walk(&mut ceremony, Met::Found);
    assert_eq!(last, CeremonyStep { outcome: CeremonyOutcome::Stay, effect: Some(SoundEffect::Found) });
    let greeted = canvas::plain(&frame(&ceremony, (80, 24), &Theme::PLAIN));
    assert!(greeted.contains("So. You have come."), "{greeted}");
    assert_eq!(press(&mut ceremony, KeyCode::Enter).outcome, CeremonyOutcome::Over(Character::Witch));
}

#[test]
fn the_greeting_ends_by_itself_unless_nothing_moves() {
    let mut ceremony = walking(SEED);
    walk(&mut ceremony, Met::Found);
    for _ in 1..GREETING_BEATS {
        assert_eq!(ceremony.tick().outcome, CeremonyOutcome::Stay);
    }
    assert_eq!(ceremony.tick().outcome, CeremonyOutcome::Over(Character::Witch));

    let mut still = Ceremony::new(SEED, Character::Cat, Motion::Reduced);
    press(&mut still, KeyCode::Enter);
    press(&mut still, KeyCode::Enter);
    walk(&mut still, Met::Found);
    let before = frame(&still, (80, 24), &Theme::COLOURED);
    assert!(!still.is_alive(&Theme::COLOURED));
    assert!((0..100).all(|_| still.tick().outcome == CeremonyOutcome::Stay));
    assert_eq!(frame(&still, (80, 24), &Theme::COLOURED), before);
    assert_eq!(press(&mut still, KeyCode::Enter).outcome, CeremonyOutcome::Over(Character::Cat));
}

#[test]
fn nothing_moves_by_itself_when_motion_is_reduced() {
    let mut ceremony = Ceremony::new(SEED, Character::Bard, Motion::Reduced);
    for key in [KeyCode::Enter, KeyCode::Enter, KeyCode::Right] {
        let before = frame(&ceremony, (80, 24), &Theme::COLOURED);
        for _ in 0..30 {
            ceremony.tick();
        }
        assert!(!ceremony.is_alive(&Theme::COLOURED));
        assert_eq!(frame(&ceremony, (80, 24), &Theme::COLOURED), before);
        press(&mut ceremony, key);
    }
}

#[test]
fn where_it_is_alive_something_moves_and_elsewhere_nothing_does() {
    for (name, ceremony) in screens() {
        for theme in [Theme::COLOURED, Theme::PLAIN, Theme::ASCII] {
            let mut later = ceremony.clone();
            let frames = (0..GREETING_BEATS).map(|_| {
                later.tick();
                frame(&later, (80, 24), &theme)
            });
            let before = frame(&ceremony, (80, 24), &theme);
            let moved = frames.filter(|now| *now != before).count() > 0;
            // Whoever has arrived is let in after a while, whether anything moves until then or not; whoever was lost is
            // not taken for somebody who walks on.
            let is_awaited = name == "arrival" || name.starts_with("lost");
            assert_eq!(ceremony.is_alive(&theme), moved || is_awaited, "{name} {theme:?}");
        }
    }
}

#[test]
fn any_key_that_is_no_step_skips_the_walk() {
    let others = [KeyCode::Enter, KeyCode::Esc, KeyCode::Char('q'), KeyCode::Char('x'), KeyCode::F(3)];
    for other in others {
        let mut ceremony = walking(SEED);
        press(&mut ceremony, KeyCode::Right);
        assert_eq!(press(&mut ceremony, other).outcome, CeremonyOutcome::Over(Character::Witch), "{other:?}");
    }
}

#[test]
fn who_is_lost_chooses_again_and_finds_another_forest() {
    let mut ceremony = choosing(SEED);
    press(&mut ceremony, KeyCode::Char('6'));
    press(&mut ceremony, KeyCode::Enter);
    let first = ceremony.forest().cloned().expect("a forest");
    assert_eq!(walk(&mut ceremony, Met::Lost(Fate::Bog)).effect, Some(SoundEffect::Lost));
    assert_eq!(press(&mut ceremony, KeyCode::Enter).outcome, CeremonyOutcome::Stay);
    let again = canvas::plain(&frame(&ceremony, (80, 24), &Theme::PLAIN));
    assert!(again.contains("Who comes?") && again.contains("[Bard]"), "{again}");
    press(&mut ceremony, KeyCode::Enter);
    let second = ceremony.forest().cloned().expect("a forest");
    assert_ne!(first, second);
    walk(&mut ceremony, Met::Found);
    assert_eq!(press(&mut ceremony, KeyCode::Char('x')).outcome, CeremonyOutcome::Over(Character::Bard));
}

#[test]
fn whoever_holds_a_key_down_sees_that_it_is_over() {
    let mut ceremony = lost(SEED, Fate::Wisp);
    let shown = |ceremony: &Ceremony| canvas::plain(&frame(ceremony, (80, 24), &Theme::PLAIN));
    for _ in 0..20 {
        press(&mut ceremony, KeyCode::Right);
        ceremony.tick();
    }
    assert!(shown(&ceremony).contains("not a lantern"));
    press(&mut ceremony, KeyCode::Enter);
    assert!(shown(&ceremony).contains("Who comes?"));
}

#[test]
fn the_cursor_goes_round_and_digits_go_straight() {
    let mut ceremony = choosing(SEED);
    let chosen = |ceremony: &Ceremony| {
        let mut copy = ceremony.clone();
        press(&mut copy, KeyCode::Enter);
        press(&mut copy, KeyCode::Esc).outcome
    };
    for (key, character) in [
        ('1', Character::Wanderer),
        ('h', Character::Cat),
        ('l', Character::Wanderer),
        ('j', Character::Scribe),
        ('k', Character::Wanderer),
        ('k', Character::Scribe),
        ('8', Character::Cat),
    ] {
        assert_eq!(press(&mut ceremony, KeyCode::Char(key)).effect, Some(SoundEffect::Choose));
        assert_eq!(chosen(&ceremony), CeremonyOutcome::Over(character), "{key}");
    }
    assert_eq!(press(&mut ceremony, KeyCode::Char('8')).effect, None);
    press(&mut ceremony, KeyCode::Esc);
    assert_eq!(press(&mut ceremony, KeyCode::Char('m')).outcome, CeremonyOutcome::Sound);
    assert_eq!(press(&mut ceremony, KeyCode::Char('q')).outcome, CeremonyOutcome::Leave);
}

#[test]
fn control_c_leaves_from_everywhere_and_a_released_key_is_none() {
    let arrived = {
        let mut ceremony = walking(SEED);
        walk(&mut ceremony, Met::Found);
        ceremony
    };
    let title = Ceremony::new(SEED, Character::Cat, Motion::Full);
    for mut ceremony in [title, choosing(SEED), walking(SEED), lost(SEED, Fate::Bog), arrived] {
        let released = KeyEvent::new_with_kind(KeyCode::Enter, KeyModifiers::NONE, KeyEventKind::Release);
        assert_eq!(ceremony.key(released), CeremonyStep { outcome: CeremonyOutcome::Stay, effect: None });
        let control = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(ceremony.key(control).outcome, CeremonyOutcome::Leave);
    }
}

fn ways() -> impl Strategy<Value = WalkDirection> {
    (0..4usize).prop_map(|number| WalkDirection::ALL[number])
}

fn keys() -> impl Strategy<Value = Option<KeyCode>> {
    let steps = ways().prop_map(|way| Some(code(way)));
    let letters = proptest::char::range(' ', '~').prop_map(|letter| Some(KeyCode::Char(letter)));
    let others =
        vec![KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::BackTab, KeyCode::F(1), KeyCode::Null];
    let others = prop::sample::select(others).prop_map(Some);
    // None is a beat.
    prop_oneof![4 => steps, 1 => letters, 1 => others, 1 => Just(None)]
}

fn themes() -> impl Strategy<Value = Theme> {
    let colours = prop::sample::select(vec![Colours::None, Colours::Sixteen, Colours::Many, Colours::True]);
    let signs = prop::sample::select(vec![Signs::Unicode, Signs::Ascii]);
    (colours, signs).prop_map(|(colours, signs)| Theme { colours, signs })
}

/// As many forests as are walked through for each law.
const FORESTS: u32 = 64;

proptest! {
    #![proptest_config(ProptestConfig { cases: FORESTS, ..ProptestConfig::default() })]

    #[test]
    fn every_forest_can_be_won_in_time(seed in any::<u64>()) {
        let mut ceremony = walking(seed);
        let ways = way_to(ceremony.forest().expect("a forest"), Met::Found).expect("a way");
        prop_assert!(ways.len() <= TURNS_MAX, "{} turns", ways.len());
        for way in ways {
            prop_assert_eq!(press(&mut ceremony, code(way)).outcome, CeremonyOutcome::Stay);
        }
        prop_assert_eq!(press(&mut ceremony, KeyCode::Char(' ')).outcome, CeremonyOutcome::Over(Character::Witch));
        prop_assert!(ceremony.forest().is_none());
    }

    #[test]
    fn every_forest_can_be_lost_in_both_ways(seed in any::<u64>()) {
        for fate in [Fate::Bog, Fate::Wisp] {
            let mut ceremony = walking(seed);
            let step = walk(&mut ceremony, Met::Lost(fate));
            prop_assert_eq!(step, CeremonyStep { outcome: CeremonyOutcome::Stay, effect: Some(SoundEffect::Lost) });
            press(&mut ceremony, KeyCode::Enter);
            press(&mut ceremony, KeyCode::Enter);
            prop_assert!(ceremony.forest().is_some());
        }
    }

    #[test]
    fn the_same_seed_grows_the_same_forest_and_wisps_keep_off_where_one_enters(seed in any::<u64>()) {
        let forest = grow(seed);
        prop_assert_eq!(&forest, &grow(seed));
        for wisp in forest.wisps() {
            prop_assert!((2..=5).contains(&wisp.rows));
            for turn in 0..100 {
                let place = wisp.place(turn);
                prop_assert!(place.column > 1 && place.column < Forest::FIRE.column);
                prop_assert!(forest.ground(place).is_open());
                prop_assert!(place.row.abs_diff(wisp.place(turn + 1).row) == 1);
            }
        }
    }

    #[test]
    fn who_does_not_leave_the_first_column_is_never_lost(seed in any::<u64>(), up in prop::collection::vec(any::<bool>(), 1..60)) {
        let mut forest = grow(seed);
        for up in up {
            let met = forest.step(if up { WalkDirection::Up } else { WalkDirection::Down });
            prop_assert!(matches!(met, Met::Open | Met::Bump));
            prop_assert_eq!(forest.step(WalkDirection::Left), Met::Bump);
        }
    }

    #[test]
    fn who_bumps_is_lost_only_to_a_wisp(seed in any::<u64>(), ways in prop::collection::vec(ways(), 1..80)) {
        let mut forest = grow(seed);
        for way in ways {
            let before = forest.walker();
            match forest.step(way) {
                Met::Bump => prop_assert_eq!(forest.walker(), before),
                Met::Open => prop_assert!(matches!(forest.ground(forest.walker()), Terrain::Path | Terrain::Grass)),
                Met::Lost(Fate::Bog) => {
                    prop_assert_eq!(forest.ground(forest.walker()), Terrain::Bog);
                    prop_assert!(forest.walker() != before);
                    break;
                }
                Met::Lost(Fate::Wisp) => {
                    let there = forest.walker();
                    let met = forest.wisps().iter().any(|wisp| {
                        [forest.turn() - 1, forest.turn()].iter().any(|turn| wisp.place(*turn) == there)
                    });
                    prop_assert!(met);
                    break;
                }
                Met::Found => {
                    prop_assert_eq!(forest.walker(), Forest::FIRE);
                    break;
                }
            }
        }
    }

    #[test]
    fn no_keys_break_it_or_leave_it_stuck(
        seed in any::<u64>(),
        keys in prop::collection::vec(keys(), 0..80),
        size in (0..90u16, 0..40u16),
        theme in themes(),
    ) {
        let mut ceremony = Ceremony::new(seed, Character::Smith, Motion::Full);
        for (number, key) in keys.into_iter().enumerate() {
            match key {
                Some(key) => press(&mut ceremony, key),
                None => ceremony.tick(),
            };
            if number % 4 == 0 {
                frame(&ceremony, size, &theme);
            }
        }
        // From wherever that was, a few keys that are no steps lead to the end.
        let over = (0..4).any(|_| matches!(press(&mut ceremony, KeyCode::Enter).outcome, CeremonyOutcome::Over(_)));
        prop_assert!(over);
    }
}

/// Every screen there is.
fn screens() -> Vec<(&'static str, Ceremony)> {
    let halfway = {
        let mut ceremony = walking(SEED);
        let ways = way_to(ceremony.forest().expect("a forest"), Met::Found).expect("a way");
        for way in &ways[..ways.len() / 2] {
            press(&mut ceremony, code(*way));
        }
        ceremony
    };
    let arrival = {
        let mut ceremony = walking(SEED);
        walk(&mut ceremony, Met::Found);
        ceremony
    };
    vec![
        ("title", Ceremony::new(SEED, Character::Witch, Motion::Full)),
        ("choosing", choosing(SEED)),
        ("forest_start", walking(SEED)),
        ("forest_halfway", halfway),
        ("lost_bog", lost(SEED, Fate::Bog)),
        ("lost_wisp", lost(SEED, Fate::Wisp)),
        ("arrival", arrival),
    ]
}

#[test]
fn every_screen_in_three_depths_of_colour() {
    let depths = [(Colours::True, "true"), (Colours::Many, "many"), (Colours::Sixteen, "sixteen")];
    for (name, ceremony) in screens() {
        for ((columns, rows), (colours, depth)) in
            [(80, 24), (160, 50)].into_iter().flat_map(|size| depths.map(|depth| (size, depth)))
        {
            let theme = Theme { colours, ..Theme::COLOURED };
            let drawn = canvas::coloured(&frame(&ceremony, (columns, rows), &theme));
            insta::assert_snapshot!(format!("ceremony_{name}_{columns}x{rows}_{depth}"), drawn);
        }
    }
}

#[test]
fn every_screen_in_a_small_window() {
    for (name, ceremony) in screens() {
        let drawn = canvas::coloured(&frame(&ceremony, (40, 12), &Theme::COLOURED));
        insta::assert_snapshot!(format!("ceremony_{name}_40x12_true"), drawn);
    }
}

#[test]
fn every_screen_without_colours() {
    for (name, ceremony) in screens() {
        for (columns, rows) in [(80, 24), (40, 12), (24, 9)] {
            let drawn = canvas::plain(&frame(&ceremony, (columns, rows), &Theme::PLAIN));
            insta::assert_snapshot!(format!("ceremony_{name}_{columns}x{rows}_plain"), drawn);
        }
        let drawn = canvas::plain(&frame(&ceremony, (80, 24), &Theme::ASCII));
        assert!(drawn.is_ascii(), "{drawn}");
        insta::assert_snapshot!(format!("ceremony_{name}_80x24_ascii"), drawn);
    }
}

#[test]
fn every_screen_at_every_size_says_what_keys_do() {
    for (name, mut ceremony) in screens() {
        for theme in [Theme::COLOURED, Theme::PLAIN, Theme::ASCII] {
            for size in [(0, 0), (1, 1), (1, 40), (40, 1), (3, 3), (24, 9), (39, 11), (40, 12), (56, 22)] {
                frame(&ceremony, size, &theme);
            }
            for size in [(24, 9), (33, 10), (40, 12), (80, 24), (120, 30), (160, 50), (300, 100)] {
                let drawn = canvas::plain(&frame(&ceremony, size, &theme));
                let lowest = drawn.lines().last().unwrap_or("");
                assert!(
                    lowest.contains("key") || lowest.contains("arrows") || lowest.contains("Enter"),
                    "{name} {size:?}\n{drawn}"
                );
            }
        }
        ceremony.tick();
    }
}

/// What a terminal is sent while nobody presses a key, in bytes a second.
fn bytes_a_second(mut ceremony: Ceremony, (columns, rows): (u16, u16), theme: &Theme) -> usize {
    const SECONDS: usize = 6;
    let mut before = frame(&ceremony, (columns, rows), theme);
    let mut sent = Vec::new();
    for _ in 0..SECONDS * 2 {
        ceremony.tick();
        let now = frame(&ceremony, (columns, rows), theme);
        let changed = before.diff(&now);
        CrosstermBackend::new(&mut sent).draw(changed.into_iter()).expect("a list takes everything");
        before = now;
    }
    sent.len() / SECONDS
}

#[test]
fn what_moves_by_itself_sends_little() {
    for (name, ceremony) in screens() {
        for size in [(40, 12), (80, 24), (160, 50)] {
            let bytes = bytes_a_second(ceremony.clone(), size, &Theme::COLOURED);
            assert!(bytes <= 20_000, "{name} {size:?}: {bytes} bytes a second");
        }
    }
}

#[test]
fn it_keeps_to_its_area() {
    for (name, ceremony) in screens() {
        for theme in [Theme::COLOURED, Theme::PLAIN] {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 100, 40));
            buffer.set_style(buffer.area, ratatui::style::Style::new().bg(ratatui::style::Color::Red));
            let area = Rect::new(7, 5, 80, 24);
            ceremony.draw(area, &mut buffer, &theme);
            for place in buffer.area.positions().filter(|place| !area.contains(*place)) {
                assert_eq!(buffer[place].bg, ratatui::style::Color::Red, "{name} {place:?}");
                assert_eq!(buffer[place].symbol(), " ", "{name} {place:?}");
            }
            let inner = frame(&ceremony, (80, 24), &theme);
            let moved = area.positions().map(|place| &buffer[place]);
            assert!(moved.zip(&inner.content).all(|(moved, drawn)| moved == drawn), "{name}");
        }
    }
}
