//! The first frame, and what is left when one has gone.

use sim::Window;

use super::{awaits_words, is_framed, leaves, rehearsing, talk, talking};
use crate::{theatre, wait_until};

#[test]
fn the_first_frame_names_the_mission_and_shows_the_question() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    let rows = window.rows();
    assert!(is_framed(&rows, 80, 24), "{}", window.screen());
    assert!(rows[0].contains(&theatre.mission_id()) && rows[0].contains("The talk"), "{}", rows[0]);
    assert!(rows[1].contains("THE ARBITER"), "{}", rows[1]);
    assert!(rows[23].contains("INSERT") && rows[23].contains("Enter send"), "{}", rows[23]);
    assert!(window.is_covered(), "the screen stands over what the shell had written");
    // While a frame is on its way the cursor is where the pen is.
    wait_until("the cursor is where one types", || window.cursor().map(|(row, _)| row) == Some(22));
    assert_eq!(window.oddities(), [""; 0]);
    leaves(&mut window);
}

#[test]
fn whoever_leaves_gets_the_terminal_back_with_a_hint() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    leaves(&mut window);
    let shown = window.screen();
    let id = theatre.mission_id();
    assert!(shown.contains("stopped before the mission was over"), "{shown}");
    assert!(shown.contains(&format!("`arbiter resume {id}` continues")), "{shown}");
    assert!(!shown.contains('║'), "nothing of the screen is left: {shown}");
    theatre.assert_nobody_left();
}

#[test]
fn the_demo_is_played_to_its_end_and_can_be_read_until_one_leaves() {
    let theatre = theatre();
    let mut window = Window::of(&theatre).runs(&["demo"]);
    window.sees("It is over: q leaves");
    assert!(is_framed(&window.rows(), 80, 24), "{}", window.screen());
    window.types("q");
    assert_eq!(window.ends_with(), 0, "{}", window.screen());
    assert_eq!(window.left_behind(), [""; 0]);
    let shown = window.screen();
    assert!(shown.contains("Done, and proven") && shown.contains("arbiter show"), "{shown}");
    theatre.assert_nobody_left();
}

#[test]
fn a_conducted_mission_has_its_own_view_and_a_page_for_plan_and_decisions() {
    let theatre = theatre();
    let mut window = Window::of(&theatre).runs(&["demo", "--way", "conductor"]);
    window.sees("It is over: q leaves");
    let shown = window.screen();
    assert!(is_framed(&window.rows(), 80, 24), "{shown}");
    assert!(shown.contains("conductor: complete") && shown.contains("iterations 8 of 50"), "{shown}");
    window.types("t");
    window.sees("3 of 3 done");
    window.types("\t");
    window.sees("9 completion is claimed, by rules");
    window.types("q");
    window.sees("It is over: q leaves");
    window.types("q");
    assert_eq!(window.ends_with(), 0, "{}", window.screen());
    assert_eq!(window.left_behind(), [""; 0]);
    theatre.assert_nobody_left();
}

#[test]
fn a_resumed_mission_shows_what_was_said_before() {
    let theatre = rehearsing(talk());
    let mut window = Window::of(&theatre).sized(100, 30).rehearses(&[]);
    awaits_words(&window, "Speak, and I listen.");
    leaves(&mut window);
    let mut window = Window::of(&theatre).sized(100, 30).runs(&["resume"]);
    awaits_words(&window, "Speak, and I listen.");
    assert!(is_framed(&window.rows(), 100, 30), "{}", window.screen());
    leaves(&mut window);
}
