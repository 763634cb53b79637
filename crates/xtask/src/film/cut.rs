//! A run cut to a film: long pauses are shortened, the whole is played quicker if it would be too long, frames that
//! follow each other too fast become one, and the end is held for a while.

use super::reel::Frame;
use crate::pictures::sheet::Sheet;

/// How long a film may be, without its held end.
const LASTS_MAX_MS: u64 = 32_000;
/// How long nothing may happen.
const PAUSE_MAX_MS: u64 = 1_800;
/// A picture stands for at least so long.
const STEP_MS: u64 = 320;
/// How long the end is held.
const HOLD_MS: u64 = 4_000;

/// What is shown, and how long until it begins again.
#[derive(Debug)]
pub struct Film<'a> {
    pub shots: Vec<Shot<'a>>,
    pub lasts_ms: u64,
}

/// A screen, and when it is shown; until the next.
#[derive(Debug)]
pub struct Shot<'a> {
    pub at_ms: u64,
    pub sheet: &'a Sheet,
}

/// Cuts a reel. The first frame is shown at once.
pub fn cut(frames: &[Frame]) -> Film<'_> {
    let mut times = Vec::new();
    let (mut before, mut time) = (frames.first().map_or(0, |frame| frame.at_ms), 0);
    for frame in frames {
        time += frame.at_ms.saturating_sub(before).min(PAUSE_MAX_MS);
        before = frame.at_ms;
        times.push(time);
    }
    let mut shots: Vec<Shot> = Vec::new();
    for (frame, at) in frames.iter().zip(times) {
        // In steps: what comes within one is what it has come to at the end of it.
        let at = if time > LASTS_MAX_MS { at * LASTS_MAX_MS / time } else { at };
        let at_ms = at / STEP_MS * STEP_MS;
        if shots.last().is_some_and(|last| last.at_ms == at_ms) {
            shots.pop();
        }
        if shots.last().is_none_or(|last| *last.sheet != frame.sheet) {
            shots.push(Shot { at_ms, sheet: &frame.sheet });
        }
    }
    let lasts_ms = shots.last().map_or(0, |last| last.at_ms) + HOLD_MS;
    Film { shots, lasts_ms }
}

#[cfg(test)]
mod tests {
    use super::super::reel::tests::frames;
    use super::*;

    fn told(rows: &[(u64, &str)]) -> (Vec<(u64, String)>, u64) {
        let frames = frames(rows);
        let film = cut(&frames);
        let shots = film.shots.iter().map(|shot| (shot.at_ms, shot.sheet.rows[0][0].symbol.clone()));
        (shots.collect(), film.lasts_ms)
    }

    fn shots(shots: &[(u64, &str)]) -> Vec<(u64, String)> {
        shots.iter().map(|(at, sign)| (*at, (*sign).to_owned())).collect()
    }

    #[test]
    fn the_first_frame_is_shown_at_once_and_the_last_is_held() {
        assert_eq!(told(&[(700, "a"), (1_700, "b")]), (shots(&[(0, "a"), (960, "b")]), 4_960));
    }

    #[test]
    fn what_follows_too_fast_becomes_one() {
        let rows = [(0, "a"), (100, "b"), (319, "c"), (330, "d"), (700, "e"), (800, "d")];
        assert_eq!(told(&rows).0, shots(&[(0, "c"), (320, "d")]));
    }

    #[test]
    fn a_long_pause_is_shortened() {
        assert_eq!(told(&[(0, "a"), (600_000, "b")]).0, shots(&[(0, "a"), (1_600, "b")]));
    }

    #[test]
    fn a_long_run_is_played_quicker_and_keeps_its_order() {
        let rows: Vec<(u64, &str)> = (0..1_000).map(|n| (n * 200, ["a", "b"][n as usize % 2])).collect();
        let (shots, lasts) = told(&rows);
        assert_eq!(lasts, LASTS_MAX_MS + HOLD_MS);
        assert!(shots.windows(2).all(|pair| pair[0].0 + STEP_MS <= pair[1].0), "{shots:?}");
    }
}
