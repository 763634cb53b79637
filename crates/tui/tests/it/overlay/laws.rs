//! Whatever the size and the keys: no page falls over, and nothing is answered that was not read.

use crossterm::event::KeyCode;
use mind::event::Deed;
use proptest::prelude::*;
use tui::overlay::{Overlay, Reply, docket, help, logbook, quest, sessions};
use tui::sight::Direction;
use tui::theme::Theme;
use tui::wish::Wish;

use super::{Scene, text};

#[derive(Debug, Clone)]
enum Act {
    Key(KeyCode),
    Click(u16, u16),
    Size(u16, u16),
    Draw,
    Wait(u64),
    Happens(usize),
}

/// What may happen meanwhile.
const HAPPENINGS: &[&str] = &[
    "orchestrator asks zap1 -rf build",
    "orchestrator asks zap2 a [zap2]",
    "orchestrator asks zap3 b [zap3, zap2]",
    "orchestrator unasks zap1",
    "orchestrator unasks zap2",
    "orchestrator tool Edit a.rs",
    "orchestrator gauge 190000/200000",
    "orchestrator tasks [x] One | [~] Two | [ ] Three",
];

fn act() -> impl Strategy<Value = Act> {
    let letters: Vec<KeyCode> = "yyyyhmnjkJKgGdfo123/ x?".chars().map(KeyCode::Char).collect();
    let others =
        [KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::PageDown, KeyCode::PageUp, KeyCode::Up];
    let keys = letters.into_iter().chain(others).chain([KeyCode::Backspace, KeyCode::Left, KeyCode::End]);
    prop_oneof![
        8 => prop::sample::select(keys.collect::<Vec<_>>()).prop_map(Act::Key),
        2 => (0u16..60, 0u16..30).prop_map(|(x, y)| Act::Click(x, y)),
        1 => (0u16..60, 0u16..30).prop_map(|(columns, rows)| Act::Size(columns, rows)),
        6 => Just(Act::Draw),
        2 => (0u64..1500).prop_map(Act::Wait),
        2 => (0..HAPPENINGS.len()).prop_map(Act::Happens),
    ]
}

fn page(number: usize) -> Overlay {
    match number {
        0 => Overlay::Help(help::Page::default()),
        1 => Overlay::Quest(quest::Page::default()),
        2 => Overlay::Sessions(sessions::Page::default()),
        3 => Overlay::Logbook(logbook::Page::default()),
        _ => Overlay::Docket(docket::Page::default()),
    }
}

/// The question that an answer is bound to must have stood on the screen when it was last drawn.
fn was_read(deed: &Deed, frame: &str) -> bool {
    let Deed::Answer { ask, .. } = deed else { return false };
    // Its text may be scrolled away, its number never is.
    frame.contains(&ask.to_string())
}

fn run(number: usize, size: (u16, u16), theme: Theme, acts: &[Act]) -> usize {
    let mut scene = Scene::new(page(number), &["at work", HAPPENINGS[0], HAPPENINGS[1]]);
    scene.size = size;
    scene.theme = theme;
    scene.says(1, Direction::Out, r#"{"type":"assistant","text":"hello"}"#);
    let mut frame = String::new();
    let mut answers = 0;
    for act in acts {
        let reply = match act {
            Act::Key(code) => scene.press(*code),
            Act::Click(x, y) => scene.click(*x, *y),
            Act::Size(columns, rows) => {
                scene.size = (*columns, *rows);
                Reply::Stay
            }
            Act::Draw => {
                frame = text(&scene.draw());
                Reply::Stay
            }
            Act::Wait(ms) => {
                scene.waited_ms += ms;
                Reply::Stay
            }
            Act::Happens(at) => {
                scene.stage.set_up(HAPPENINGS[*at]);
                scene.says(2, Direction::Note, HAPPENINGS[*at]);
                Reply::Stay
            }
        };
        if let Reply::Wish(Wish::Do(deed)) = reply {
            assert!(was_read(&deed, &frame), "{deed:?} was not read:\n{frame}");
            answers += 1;
            let Deed::Answer { ask, digest, .. } = &deed else { panic!("{deed:?}") };
            let (_, asked) = scene.stage.state.ask(*ask).expect("it waits");
            assert_eq!(asked.question.digest, *digest);
        }
    }
    answers
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_answered_that_was_not_read(
        number in 0usize..9,
        size in (0u16..60, 0u16..30),
        theme in prop::sample::select(vec![Theme::COLOURED, Theme::PLAIN, Theme::ASCII]),
        acts in prop::collection::vec(act(), 0..60),
    ) {
        run(number, size, theme, &acts);
    }
}

#[test]
fn such_a_run_does_answer() {
    let acts =
        [Act::Draw, Act::Key(KeyCode::Char('y')), Act::Wait(1000), Act::Draw, Act::Key(KeyCode::Char('m'))];
    assert_eq!(run(4, (60, 24), Theme::PLAIN, &acts), 2);
}
