//! A score becomes samples: every note is played into one buffer, the walls answer, the loudest moment is brought to where
//! the score wants it, and the edges are silent.

use super::limits::{EDGE_SAMPLES, PEAK};
use super::score::{Echo, Score};
use super::voice::{play, samples as count_of};

/// Samples of 16 bits. The same score gives the same samples.
pub fn samples(score: &Score) -> Vec<i16> {
    let mut heard = vec![0.0; count_of(score.length_ms)];
    for note in &score.notes {
        play(note, &mut heard);
    }
    if let Some(echo) = score.echo {
        answer(echo, &mut heard);
    }
    soften_edges(&mut heard);
    let loudest = heard.iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
    // A score without a note is silence, not noise.
    let scale = if loudest > 0.0 { PEAK * score.loudness.clamp(0.0, 1.0) / loudest } else { 0.0 };
    heard.iter().map(|sample| (sample * scale * f32::from(i16::MAX)).round() as i16).collect()
}

fn answer(echo: Echo, heard: &mut [f32]) {
    let after = count_of(echo.after_ms).max(1);
    for place in after..heard.len() {
        heard[place] += heard[place - after] * echo.part;
    }
}

fn soften_edges(heard: &mut [f32]) {
    let length = heard.len();
    let edge = EDGE_SAMPLES.min(length / 2);
    for count in 0..edge {
        let gate = count as f32 / edge as f32;
        heard[count] *= gate;
        heard[length - 1 - count] *= gate;
    }
}
