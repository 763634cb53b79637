//! The scene in a real window: it moves while somebody works and somebody sees it, and at no other time.

use std::time::{Duration, Instant};

use sim::{Theatre, Window};

use super::{leaves, listened_to};

/// How long nothing is written before it counts as rest: several beats, and more than a second of the clock.
const REST: Duration = Duration::from_millis(1_500);
/// A window in which the scene stands beside the conversation.
const WIDE: (u16, u16) = (160, 50);

/// Waits until nothing is written any more.
fn rests(window: &Window) {
    let mut known = (window.raw().len(), Instant::now());
    window.waits("until it rests", |_| {
        let now = window.raw().len();
        if now != known.0 {
            known = (now, Instant::now());
        }
        known.1.elapsed() >= REST
    });
}

/// Waits until the first of two windows has moved so often: the second changes once a second at most meanwhile, which is
/// its clock. Counted against seconds, because a busy machine slows down what moves and not the clock.
fn only_the_clock_ticks(first: &Window, second: &Window, count: usize) {
    let began = Instant::now();
    let mut windows = [Changes::of(first), Changes::of(second)];
    first.waits("until it has moved", |_| {
        windows.iter_mut().for_each(Changes::look);
        windows[0].count >= count
    });
    // Besides: what was on its way at the beginning, where the session runs, and the second that had begun.
    let (changes, most) = (windows[1].count, began.elapsed().as_secs() as usize + 3);
    assert!(changes <= most, "{changes} changes in {} seconds where nothing moves", most - 3);
}

/// How often a window changes; what comes within a tenth of a second is one picture.
struct Changes<'a> {
    window: &'a Window,
    bytes: usize,
    count: usize,
    last: Option<Instant>,
}

impl Changes<'_> {
    fn of(window: &Window) -> Changes<'_> {
        Changes { window, bytes: window.raw().len(), count: 0, last: None }
    }

    fn look(&mut self) {
        let bytes = self.window.raw().len();
        if bytes != self.bytes {
            self.bytes = bytes;
            let is_new = self.last.is_none_or(|last| last.elapsed() > Duration::from_millis(100));
            self.count += usize::from(is_new);
            self.last = Some(Instant::now());
        }
    }
}

/// A mission whose Arbiter ponders for as long as anybody watches.
fn pondering(theatre: &Theatre, (columns, rows): (u16, u16), motion: &str) -> Window {
    let opening = Window::of(theatre).sized(columns, rows).with("ARBITER_MOTION", motion);
    let window = opening.runs(&["README.md"]);
    window.sees("The Arbiter ponders.");
    window
}

#[test]
fn it_moves_while_somebody_works_unless_nothing_may_move() {
    let (theatre, other) = (listened_to(), listened_to());
    let mut alive = pondering(&theatre, WIDE, "full");
    let mut still = pondering(&other, WIDE, "reduced");
    only_the_clock_ticks(&alive, &still, 16);
    leaves(&mut alive);
    leaves(&mut still);
}

#[test]
fn it_moves_only_where_it_is_seen() {
    let (theatre, other) = (listened_to(), listened_to());
    let mut page = pondering(&theatre, (80, 24), "full");
    let mut talk = pondering(&other, (80, 24), "full");
    page.key("Esc");
    page.sees("NORMAL");
    page.types("v");
    page.sees_no("The Arbiter ponders.");
    only_the_clock_ticks(&page, &talk, 16);
    leaves(&mut page);
    leaves(&mut talk);
}

#[test]
fn when_all_is_over_nothing_is_written_and_a_replay_moves_only_while_it_plays() {
    let theatre = listened_to();
    let mut window = pondering(&theatre, WIDE, "full");
    let cancelled = theatre.run(&["mission", "cancel", &theatre.mission_id()]);
    assert_eq!(cancelled.code, Some(0), "{}", cancelled.err);
    window.sees("It is over: q leaves");
    rests(&window);
    window.types("q");
    assert_eq!(window.ends_with(), 4, "{}", window.screen());
    let last = theatre.entries(&theatre.mission()).len();
    let mut window = Window::of(&theatre).sized(WIDE.0, WIDE.1).runs(&["replay", &theatre.mission_id()]);
    window.sees(&format!("fact 1 of {last}"));
    window.key("End");
    let mut fact = last;
    window.sees(&format!("fact {fact} of {last}"));
    while !window.screen().contains("The Arbiter ponders.") {
        fact -= 1;
        window.types("<");
        window.sees(&format!("fact {fact} of {last}"));
    }
    // Somebody works at this moment of the past, and stands still.
    rests(&window);
    window.key("Home");
    window.sees(&format!("fact 1 of {last}"));
    window.types(" ");
    window.sees(&format!("fact {last} of {last}"));
    rests(&window);
    window.types("q");
    assert_eq!(window.ends_with(), 0, "{}", window.screen());
}
