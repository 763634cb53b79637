//! The scene's pictures: each event at three depths of colour and two sizes, who has room where, and what holds at any
//! beat.

use std::sync::Arc;

use crossterm::event::{Event, KeyModifiers, MouseEvent, MouseEventKind};
use mind::Fact;
use mind::fact::MissionFact;
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui::manner::Motion;
use tui::screen::Time;
use tui::theme::{Colours, Signs, Theme};
use tui::ui_command::UiCommand;
use tui::view_model::Attachment;

use crate::booth::Booth;
use crate::{canvas, concert, plays};

/// Three depths of colour, by the names of their pictures.
const DEPTHS: [(&str, Colours); 3] =
    [("true", Colours::True), ("many", Colours::Many), ("sixteen", Colours::Sixteen)];

/// What the scene shows, and how it comes about.
type Shown = (&'static str, fn() -> Booth);

/// Everything that it shows.
const EVENTS: [Shown; 20] = [
    ("scroll", || Booth::play("open\nsettled\nlater 2s")),
    ("asked", || {
        Booth::play("open\nsettled\nlater 1m\narbiter address_human asks alignment: Shall it begin?")
    }),
    ("spoken", || {
        Booth::play("open\nsettled\nlater 1m\narbiter address_human: Well?\nlater 1m\nhuman: Yes.")
    }),
    ("summoned", || Booth::play("aligned\nlater 1m\narbiter summon_orchestrator: I call one.\nlater 9s")),
    ("talking", || {
        let summoned = "aligned\narbiter summon_orchestrator: I call one.\nlater 1m";
        Booth::play(&format!("{summoned}\norchestrator introduction: I am."))
    }),
    ("working", || crowd(1)),
    ("waiting", || Booth::play("at work\nlater 1m\norchestrator progress?: Which one?\nlater 1m")),
    ("successors", || crowd(3)),
    ("crowd", || crowd(40)),
    ("verifier", || Booth::play("handed off\narbiter summon_orchestrator agent verifier: Judge.\nlater 1m")),
    ("released", || Booth::play("handed off\nlater 1m\nhuman release\nlater 1s")),
    ("receipt", || Booth::play(GATE)),
    ("refused", || Booth::play(&format!("{GATE}\ncheck fail 101: no"))),
    ("decision", || Booth::play("at work\nlater 1m\norchestrator asks curl x [curl]\nlater 1m")),
    ("limit", || Booth::play("at work\nlater 1m\norchestrator limited +45m: usage limit\nlater 1m")),
    ("done", || Booth::play("claimed\nsurveyed c2\ncheck pass\nbrought\nlater 1m")),
    ("cancelled", || Booth::play("at work\nlater 1m\nhuman cancel\nlater 1m")),
    ("failed", || ended(MissionFact::Failed { why: Arc::from("It cannot be done.") })),
    ("exhausted", || ended(MissionFact::Exhausted { why: Arc::from("It is too dear.") })),
    ("conducted", || {
        let mut conducted = concert::at_work();
        conducted.happens("later 1m");
        conducted
    }),
];

/// The first of two checks has passed.
const GATE: &str =
    "open checks \"cargo test\" \"cargo fmt\"\nclaimed\nsurveyed c2\nbrought\nlater 1m\ncheck pass";

fn ended(fact: MissionFact) -> Booth {
    let mut booth = Booth::play("at work\nlater 1m");
    booth.told([Fact::Mission(fact)]);
    booth.happens("later 1m");
    booth
}

/// So many Orchestrators came one after the other, and the last of them works.
fn crowd(count: usize) -> Booth {
    let mut booth = Booth::play("summoned");
    for number in 1..count {
        booth.happens("arbiter summon_orchestrator: Another.\norchestrator introduction: I am.");
        // One in ten does something, so that this is no standstill.
        if number % 10 == 0 {
            booth.happens(&format!("orchestrator tasks [ ] Task {number}"));
        }
    }
    assert_eq!(booth.scene().map(|scene| scene.crowd), Some(count));
    booth.happens("arbiter address_orchestrator: Go.\norchestrator tool Edit a.rs\nlater 1m");
    booth
}

fn theme(colours: Colours) -> Theme {
    Theme { colours, signs: Signs::Unicode }
}

/// The part of a frame that is a rectangle.
fn part(buffer: &Buffer, area: Rect) -> Buffer {
    let mut part = Buffer::empty(Rect::new(0, 0, area.width, area.height));
    for place in part.area.positions() {
        part[place] = buffer[(area.x + place.x, area.y + place.y)].clone();
    }
    part
}

/// The scene beside the conversation at 160x50: right of the line, below the name over the door.
fn beside(booth: &mut Booth, theme: &Theme) -> Buffer {
    booth.screen.overlay = None;
    booth.sized(160, 50);
    part(&booth.frame(theme).0, Rect::new(106, 4, 51, 20))
}

fn page(booth: &mut Booth, columns: u16, rows: u16, theme: &Theme) -> Buffer {
    booth.sized(columns, rows);
    if booth.screen.overlay.is_none() {
        booth.press("Esc v");
    }
    booth.frame(theme).0
}

#[test]
fn every_event_in_three_depths_and_two_sizes() {
    for (name, play) in EVENTS {
        let mut booth = play();
        for (depth, colours) in DEPTHS {
            let wide = beside(&mut booth, &theme(colours));
            insta::assert_snapshot!(format!("scene_{name}_beside_{depth}"), canvas::coloured(&wide));
            let page = page(&mut booth, 80, 24, &theme(colours));
            insta::assert_snapshot!(format!("scene_{name}_page_{depth}"), canvas::coloured(&page));
        }
    }
}

#[test]
fn each_event_on_a_small_page_has_small_tiles() {
    for (name, play) in EVENTS {
        let frame = page(&mut play(), 40, 12, &Theme::COLOURED);
        insta::assert_snapshot!(format!("scene_{name}_small"), canvas::coloured(&frame));
    }
}

#[test]
fn each_event_is_what_its_name_says() {
    let told = |(name, play): Shown| {
        let words = play().scene().map_or(Vec::new(), |scene| tui::decoration::inside::caption::tell(&scene));
        format!("{name}: {}\n", words.join(" "))
    };
    insta::assert_snapshot!(EVENTS.map(told).concat(), @"
    scroll: The Arbiter thinks. A scroll arrives. The cauldron boils.
    asked: The Wanderer is wanted: 1 decision waits. The Arbiter speaks.
    spoken: The Wanderer speaks. The Arbiter thinks. The cauldron boils.
    summoned: Orchestrator I thinks. The Arbiter reads the spellbook. The cauldron boils.
    talking: Orchestrator I speaks. The Arbiter reads the spellbook. The cauldron boils.
    working: Orchestrator I works. The Arbiter reads the spellbook. The cauldron boils.
    waiting: Orchestrator I waits. The Arbiter reads the spellbook. The cauldron boils.
    successors: Orchestrator III works. 2 before it are spent. The Arbiter reads the spellbook. The cauldron boils.
    crowd: Orchestrator XL works. 39 before it are spent. The Arbiter reads the spellbook. The cauldron boils.
    verifier: Orchestrator II, the verifier, looks twice. Orchestrator I is spent. The Arbiter reads the spellbook. The cauldron boils.
    released: Orchestrator I is dismissed. The Arbiter thinks. The cauldron boils.
    receipt: A check passed. The Arbiter rests.
    refused: A check failed. The claim was turned back. The Arbiter thinks. The cauldron boils. Of 2 checks 1 failed.
    decision: The Wanderer is wanted: 1 decision waits. Orchestrator I waits for your word. The Arbiter reads the spellbook.
    limit: Orchestrator I sleeps until the limit is lifted. The Arbiter reads the spellbook.
    done: It is done and verified. The Wanderer cheers. The Arbiter rests.
    cancelled: It was cancelled. The Wanderer lies down. The Arbiter rests.
    failed: It failed. The Wanderer lies down. The Arbiter rests.
    exhausted: A limit of the mission was reached. The Wanderer lies down. The Arbiter rests.
    conducted: The developer works. The conductor reads the spellbook. The cauldron boils.
    ");
}

#[test]
fn where_there_are_no_tiles_there_are_words() {
    let mut booth = crowd(3);
    for (name, theme) in [("plain", Theme::PLAIN), ("ascii", Theme::ASCII)] {
        let frame = page(&mut booth, 80, 24, &theme);
        insta::assert_snapshot!(format!("scene_successors_words_{name}"), canvas::plain(&frame));
        assert!(!booth.shows_scene(&theme));
    }
    booth.manner.scene = false;
    let unwanted = page(&mut booth, 80, 24, &Theme::COLOURED);
    let words = page(&mut booth, 80, 24, &Theme::PLAIN);
    assert_eq!(canvas::plain(&unwanted), canvas::plain(&words));
    assert!(!booth.shows_scene(&Theme::COLOURED));
}

#[test]
fn words_that_hold_for_a_moment_do_not_outlast_it() {
    let mut booth = Booth::play("at work\nlater 1m\nhuman cancel");
    let frame = page(&mut booth, 80, 24, &Theme::PLAIN);
    assert!(canvas::plain(&frame).contains("Orchestrator I is dismissed."));
    // Nothing else happens after the end: without a beat it would stand there for ever.
    assert!(booth.shows_scene(&Theme::PLAIN) && booth.is_alive());
    booth.happens("later 9s");
    assert!(!booth.shows_scene(&Theme::PLAIN) && !booth.is_alive());
}

#[test]
fn a_scene_that_is_not_wanted_leaves_the_screen_as_it_was() {
    let mut booth = crowd(3);
    booth.sized(160, 50);
    let with = booth.frame(&Theme::COLOURED).0;
    booth.manner.scene = false;
    let without = booth.frame(&Theme::COLOURED).0;
    assert_ne!(with, without);
    assert_eq!(canvas::plain(&without), canvas::plain(&booth.frame(&Theme::PLAIN).0));
}

#[test]
fn the_scene_stands_beside_the_conversation_where_there_is_room() {
    let mut booth = crowd(3);
    for (columns, rows, shown) in [
        (80, 24, false),
        (125, 50, false),
        (126, 50, true),
        (160, 24, false),
        (160, 30, true),
        (200, 60, true),
    ] {
        booth.sized(columns, rows);
        assert_eq!(booth.shows_scene(&Theme::COLOURED), shown, "{columns}x{rows}");
        assert!(!booth.shows_scene(&Theme::PLAIN));
    }
    // The quest log keeps its place.
    booth.sized(160, 30);
    assert!(canvas::plain(&booth.frame(&Theme::COLOURED).0).contains("Quest log"));
    for keys in ["?", "t", "s", "d", "o"] {
        booth.press("Esc");
        booth.press(keys);
        assert!(!booth.shows_scene(&Theme::COLOURED), "a page hides it: {keys}");
        booth.press("Esc");
    }
    booth.press("v");
    assert!(booth.sized(80, 24).shows_scene(&Theme::COLOURED));
    assert!(!booth.sized(20, 9).shows_scene(&Theme::COLOURED));
}

#[test]
fn before_the_first_fact_the_stage_is_empty() {
    let mut booth = Booth::new(Attachment::House);
    booth.sized(160, 50);
    let coloured = booth.frame(&Theme::COLOURED).0;
    assert_eq!(canvas::plain(&coloured), canvas::plain(&booth.frame(&Theme::PLAIN).0));
    assert!(!booth.shows_scene(&Theme::COLOURED));
    let frame = page(&mut booth, 80, 24, &Theme::COLOURED);
    assert!(canvas::plain(&frame).contains("No session has begun yet."));
}

#[test]
fn keys_open_the_page_and_turn_the_sound() {
    let mut booth = Booth::play(plays::AT_WORK);
    assert_eq!(booth.press("Esc m"), [UiCommand::Sound]);
    assert_eq!(booth.press("v"), []);
    assert!(booth.screen.overlay.is_some());
    assert_eq!(booth.press("m"), [UiCommand::Sound]);
    assert_eq!(booth.press("v"), []);
    assert!(booth.screen.overlay.is_none());
    // In the past too, and after the end.
    assert_eq!(booth.press("< m"), [UiCommand::Sound]);
    booth.press("v");
    assert!(booth.screen.overlay.is_some());
    booth.press("q Esc");
    booth.happens("human cancel");
    assert_eq!(booth.press("m"), [UiCommand::Sound]);
    booth.press("v");
    assert!(booth.screen.overlay.is_some());
}

#[test]
fn whoever_types_types_these_letters() {
    let mut booth = Booth::play(plays::AT_WORK);
    assert_eq!(booth.types("mvm"), []);
    assert!(booth.screen.overlay.is_none());
    assert_eq!(booth.screen.draft.text(), "mvm");
    assert_eq!(booth.press("Esc / m v"), []);
    assert!(booth.screen.overlay.is_none(), "they are searched for");
}

#[test]
fn the_wheel_scrolls_words_that_have_no_room() {
    let mut booth = crowd(3);
    booth.sized(40, 6);
    booth.press("Esc v");
    let before = booth.frame(&Theme::PLAIN).0;
    let wheel = |kind| Event::Mouse(MouseEvent { kind, column: 3, row: 3, modifiers: KeyModifiers::NONE });
    assert_eq!(booth.input(wheel(MouseEventKind::ScrollDown)), []);
    assert_ne!(booth.frame(&Theme::PLAIN).0, before);
    booth.input(wheel(MouseEventKind::ScrollUp));
    assert_eq!(booth.frame(&Theme::PLAIN).0, before);
}

/// The frames of several beats.
fn beats(booth: &mut Booth, theme: &Theme, count: u64) -> Vec<Buffer> {
    let frames = (0..count).map(|beat| {
        booth.beat = beat;
        booth.frame(theme).0
    });
    frames.collect()
}

#[test]
fn nothing_moves_where_motion_is_reduced() {
    for (name, play) in EVENTS {
        let mut booth = play();
        booth.sized(160, 50);
        booth.manner.motion = Motion::Reduced;
        let still = beats(&mut booth, &Theme::COLOURED, 9);
        assert!(still.iter().all(|frame| *frame == still[0]), "{name}");
    }
    let mut booth = crowd(1);
    booth.manner.motion = Motion::Reduced;
    let frame = page(&mut booth, 80, 24, &Theme::COLOURED);
    insta::assert_snapshot!("scene_working_reduced", canvas::coloured(&frame));
}

#[test]
fn a_beat_sends_little() {
    for (name, play) in EVENTS {
        let mut booth = play();
        booth.sized(160, 50);
        for overlay in [false, true] {
            if overlay {
                booth.press("Esc v");
            }
            let frames = beats(&mut booth, &Theme::COLOURED, 25);
            let sent = frames.windows(2).map(|pair| bytes(&pair[0], &pair[1]));
            let sent: Vec<usize> = sent.collect();
            let most = sent.iter().max().copied().unwrap_or(0);
            let mean = sent.iter().sum::<usize>() / sent.len();
            // Four beats a second and twenty thousand bytes: that is the most there may be.
            assert!(most < 5_500 && mean < 4_000, "{name}: at most {most}, {mean} in the mean");
        }
    }
}

/// How many bytes the terminal is sent for what differs.
fn bytes(before: &Buffer, after: &Buffer) -> usize {
    use ratatui::backend::Backend;
    let mut sent = Vec::new();
    let mut backend = ratatui::backend::CrosstermBackend::new(&mut sent);
    let changed = before.diff(after);
    if changed.is_empty() {
        return 0;
    }
    backend.draw(changed.into_iter()).expect("a vector takes everything");
    sent.len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_moment_at_any_size_and_any_beat_is_drawn(
        event in 0..EVENTS.len(),
        head in 0.0f64..=1.0,
        columns in prop_oneof![4 => 0u16..210, 1 => 210u16..=400],
        rows in prop_oneof![4 => 0u16..70, 1 => 70u16..=120],
        beat in prop_oneof![0u64..100, any::<u64>()],
        on_page in any::<bool>(),
        depth in prop::sample::select(vec![Colours::True, Colours::Many, Colours::Sixteen]),
    ) {
        let (name, play) = EVENTS[event];
        let live = play();
        let seat = if on_page { Attachment::Replay } else { Attachment::House };
        let mut booth = live.seated(seat);
        let seq = (head * booth.last() as f64) as u64;
        booth.screen.time = Some(Time { seq: seq.max(1), playing: false });
        booth.sized(columns, rows);
        if on_page {
            booth.press("Esc v");
        }
        booth.beat = beat;
        let theme = theme(depth);
        let frame = booth.frame(&theme).0;
        prop_assert_eq!(&booth.frame(&theme).0, &frame, "{}", name);
        // The scene writes nowhere but beside the conversation.
        if !on_page {
            booth.manner.scene = false;
            let without = booth.frame(&theme).0;
            for (place, (with, without)) in
                frame.area.positions().zip(frame.content.iter().zip(&without.content))
            {
                prop_assert!(place.x > columns / 2 || with == without, "{} at {:?}", name, place);
            }
            booth.manner.scene = true;
        }
        booth.manner.motion = Motion::Reduced;
        let still = booth.frame(&theme).0;
        booth.beat = beat.wrapping_add(1);
        prop_assert_eq!(&booth.frame(&theme).0, &still);
    }
}
