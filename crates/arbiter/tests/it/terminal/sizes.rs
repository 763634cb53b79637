//! Windows of every size, and windows that change theirs.

use sim::Window;

use super::{awaits_words, is_framed, leaves, rehearsing, says, talk, talking};

#[test]
fn the_frame_follows_the_window() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    for (columns, rows) in [(40, 12), (200, 60), (24, 9), (80, 24)] {
        window.resizes(columns, rows);
        window.waits(&format!("until it fits {columns} columns and {rows} rows"), |shown| {
            is_framed(shown, columns.into(), rows.into()) && shown.iter().any(|row| row.contains("listen"))
        });
    }
    assert_eq!(window.oddities(), [""; 0]);
    leaves(&mut window);
}

#[test]
fn no_window_is_too_small_to_be_survived() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    for (columns, rows) in [(1, 1), (1, 60), (200, 1), (2, 2), (23, 8), (5, 3)] {
        let written = window.raw().len();
        window.resizes(columns, rows);
        window.waits("until something is drawn", |_| window.raw().len() > written);
    }
    // A window that tells no size is taken for a common one.
    window.resizes(0, 0);
    window.waits("until the common size is drawn", |shown| is_framed(shown, 80, 24));
    says(&window, "still here");
    awaits_words(&window, "That was the first.");
    window.resizes(100, 30);
    window.waits("until it fits again", |shown| is_framed(shown, 100, 30));
    awaits_words(&window, "That was the first.");
    leaves(&mut window);
}

#[test]
fn a_window_without_a_size_is_taken_for_a_common_one() {
    let theatre = rehearsing(talk());
    let mut window = Window::of(&theatre).sized(0, 0).rehearses(&[]);
    awaits_words(&window, "Speak, and I listen.");
    assert!(is_framed(&window.rows(), 80, 24), "{}", window.screen());
    leaves(&mut window);
}

#[test]
fn a_storm_of_sizes_ends_in_a_whole_frame() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    for step in 0..150u16 {
        window.resizes(20 + step * 37 % 180, 5 + step * 13 % 50);
    }
    window.resizes(90, 28);
    window.waits("until it fits", |shown| is_framed(shown, 90, 28));
    awaits_words(&window, "Speak, and I listen.");
    leaves(&mut window);
}
