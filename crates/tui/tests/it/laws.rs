//! What holds for every screen: a replay shows what was shown live, no size and no key breaks anything, and no text of
//! an agent reaches the terminal as more than text.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::*;
use tui::screen::Time;
use tui::theme::Theme;
use tui::view_model::Attachment;

use crate::booth::Booth;
use crate::{canvas, plays};

/// All but the input and the line below it, which say whether it is now or then.
fn above_input(frame: &str, rows: usize) -> Vec<String> {
    frame.lines().take(rows - 2).map(str::to_owned).collect()
}

#[test]
fn a_replay_shows_at_every_fact_what_was_shown_live() {
    let script: Vec<&str> = plays::AT_WORK.lines().chain(plays::QUESTION.lines()).collect();
    for (columns, rows) in [(80, 24), (40, 12), (160, 50)] {
        let mut live = Booth::new(Attachment::House);
        live.sized(columns, rows);
        let mut shown = Vec::new();
        for line in &script {
            live.happens(line);
            let (frame, _) = live.frame(&Theme::COLOURED);
            shown.push((live.last(), live.at_fact(), canvas::coloured(&frame)));
        }
        let mut replay = live.seated(Attachment::Replay);
        replay.sized(columns, rows);
        // Backwards, so that nothing is there by having been there before.
        for (seq, at_fact, frame) in shown.iter().rev().filter(|(seq, ..)| *seq > 0) {
            replay.screen.time = Some(Time { seq: *seq, playing: false });
            let (again, _) = replay.frame(&Theme::COLOURED);
            if *at_fact {
                let rows = usize::from(rows);
                assert_eq!(
                    above_input(&canvas::coloured(&again), rows),
                    above_input(frame, rows),
                    "fact {seq} at {columns} columns"
                );
            }
        }
    }
}

#[test]
fn what_is_played_moves_on_by_itself_and_stops_at_the_end() {
    let mut booth = Booth::play(plays::ALIGNMENT).seated(Attachment::Replay);
    booth.press("Space");
    for _ in 0..booth.last() + 5 {
        booth.ticks();
    }
    let time = booth.screen.time.expect("a replay is always somewhere in time");
    assert_eq!((time.seq, time.playing), (booth.last(), false));
}

#[test]
fn no_text_of_an_agent_is_more_than_text() {
    let hostile = r##"
        open scroll "# Sign\u001b[2J in"
        restart
        settled
        arbiter raw {"intent":"address_human","message":"a\u001b]0;title\u0007b\u001b[2Jc\u009b31md\u202eevil\u202c \u2066x\u2069 \u001bP1$r\u001b\\e \u0000\u0008\u007f","asks":"alignment"}
        human: yes
        arbiter summon_orchestrator: Rise.
        orchestrator introduction: I am.
        arbiter address_orchestrator: Go.
        orchestrator tool Bash echo
        orchestrator tasks [~] rm
    "##;
    let mut booth = Booth::play(hostile);
    booth.live.insert(mind::SessionId(2), "live\u{1b}[31m\u{202e}\u{7}".into());
    for keys in ["Esc", "?", "q t", "q s", "q d", "q o", "q <", "Esc /"] {
        booth.press(keys);
        let (buffer, _) = booth.frame(&Theme::COLOURED);
        let bad = |sign: char| {
            sign.is_control()
                || matches!(sign, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        let found = buffer.content.iter().find(|cell| cell.symbol().chars().any(bad));
        assert!(found.is_none(), "{keys}: {found:?}");
    }
}

#[test]
fn no_text_of_a_petition_is_more_than_text() {
    let hostile = "a\u{1b}]0;title\u{7}b\u{1b}[2Jc\u{9b}31md\u{202e}evil\u{202c} \u{2066}x\n---\n# y\u{0}";
    let mut booth = Booth::play(plays::AT_WORK);
    booth.petitions = plays::petitions();
    for petition in &mut booth.petitions {
        let text = || std::sync::Arc::from(hostile);
        (petition.title, petition.agent, petition.tag, petition.context) = (text(), text(), text(), text());
        (petition.blocks, petition.assignee) = (Some(text()), Some(text()));
        for decision in &mut petition.decisions {
            (decision.title, decision.context, decision.assignee) = (text(), text(), Some(text()));
            decision.digest = decision.multi.then(text);
            for option in &mut decision.options {
                (option.key, option.label) = (format!("{}{hostile}", option.key), hostile.to_owned());
            }
            if let Some(given) = &mut decision.answer {
                (given.choice, given.by) = (mind::petition::AnswerChoice::Answer(text()), Some(text()));
            }
        }
    }
    for keys in ["Esc d", "j", "Enter", ">", "Esc", "k", "Enter", "PageDown", "Tab", "i"] {
        booth.press(keys);
        for theme in [Theme::COLOURED, Theme::ASCII] {
            let (buffer, _) = booth.frame(&theme);
            let bad = |sign: char| {
                sign.is_control() || matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            };
            let found = buffer.content.iter().find(|cell| cell.symbol().chars().any(bad));
            assert!(found.is_none(), "{keys}: {found:?}");
            if theme == Theme::ASCII {
                assert!(canvas::plain(&buffer).is_ascii(), "{keys}:\n{}", canvas::plain(&buffer));
            }
        }
    }
}

#[test]
fn a_line_of_a_megabyte_is_folded_and_found() {
    let long = format!("needle {}", "x".repeat(200 * 1024));
    let mut booth = Booth::play(plays::ALIGNMENT);
    booth.happens(&format!("human: {long}"));
    let (buffer, _) = booth.frame(&Theme::PLAIN);
    assert!(canvas::plain(&buffer).contains("more lines: z shows them"), "{}", canvas::plain(&buffer));
    booth.press("Esc /");
    booth.types("needle");
    booth.press("Enter");
    let (buffer, _) = booth.frame(&Theme::PLAIN);
    assert!(canvas::plain(&buffer).contains("needle"));
    booth.live.insert(mind::SessionId(1), "y".repeat(1024 * 1024).into());
    booth.frame(&Theme::PLAIN);
}

fn inputs() -> impl Strategy<Value = Vec<Event>> {
    let codes = prop_oneof![
        any::<char>().prop_map(KeyCode::Char),
        prop::sample::select("ijkgGnNzZotdsvm?<>{} q/yhf".chars().collect::<Vec<_>>())
            .prop_map(KeyCode::Char),
        prop::sample::select(vec![
            KeyCode::Esc,
            KeyCode::Enter,
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::Left,
            KeyCode::Right,
            KeyCode::Home,
            KeyCode::End,
            KeyCode::PageUp,
            KeyCode::PageDown,
            KeyCode::Tab,
            KeyCode::Backspace,
            KeyCode::Delete,
        ]),
    ];
    let modifiers = prop::sample::select(vec![
        KeyModifiers::NONE,
        KeyModifiers::NONE,
        KeyModifiers::ALT,
        KeyModifiers::CONTROL,
    ]);
    let keys = (codes, modifiers).prop_map(|(code, modifiers)| Event::Key(KeyEvent::new(code, modifiers)));
    let kinds = prop::sample::select(vec![
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::ScrollUp,
        MouseEventKind::ScrollDown,
    ]);
    let mice = (kinds, 0u16..70, 0u16..40).prop_map(|(kind, column, row)| {
        Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
    });
    let input = prop_oneof![8 => keys, 2 => mice, 1 => ".*".prop_map(Event::Paste)];
    prop::collection::vec(input, 0..30)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn no_size_and_no_key_breaks_anything(
        columns in 0u16..70,
        rows in 0u16..40,
        seat in prop::sample::select(vec![Attachment::House, Attachment::Beside, Attachment::Replay]),
        inputs in inputs(),
    ) {
        let mut booth = Booth::play(plays::DECISIONS).seated(seat);
        booth.records = plays::records();
        booth.petitions = plays::petitions();
        booth.sized(columns, rows);
        for input in inputs {
            booth.input(input);
            for theme in [Theme::COLOURED, Theme::ASCII] {
                let (buffer, cursor) = booth.frame(&theme);
                if let Some(cursor) = cursor {
                    prop_assert!(buffer.area.contains(cursor), "{cursor:?} in {:?}", buffer.area);
                }
            }
        }
    }
}
