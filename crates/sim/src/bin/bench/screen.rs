//! Measures the screen at a real terminal: how soon it stands, how soon a key is answered, what it costs while nothing
//! happens and while agents work. The terminal has 160 by 50 cells, which is large, unless it is said.

mod flow;
mod keys;
mod picker;
mod play;
mod rest;
pub mod scene;
mod start;
mod watcher;

use std::path::Path;

use self::watcher::Watcher;
use crate::part;

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    start::measure(arbiter);
    rest::measure(arbiter);
    flow::measure(arbiter);
    scene::measure(arbiter);
    keys::measure(arbiter);
    picker::measure(arbiter);
}

/// What keys took, the middle and what 99 of 100 do not exceed.
fn spread(values: &[f64]) -> String {
    format!("{:.1} ms (p99 {:.1})", part(values, 0.5), part(values, 0.99))
}
