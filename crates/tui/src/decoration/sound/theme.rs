//! The theme: eight slow bars in D, between the dorian and the natural minor, for flute, harp and a low string. The last
//! bar stands on the fifth and its leading tone, so that the first one, when it comes again, is where it wanted to go.

use super::score::{Echo, MusicNote, Score, note};
use super::voice::{BASS, FLUTE, HARP, TAP};

const EIGHTH_MS: u32 = 312;
const BAR_MS: u32 = 8 * EIGHTH_MS;
/// All eight bars.
pub const LENGTH_MS: u32 = 8 * BAR_MS;

/// What the low string and the harp have in a bar: the bass, then the tones that the harp breaks.
const GROUND: [(f32, [f32; 4]); 8] = [
    (38.0, [50.0, 57.0, 62.0, 65.0]),
    (36.0, [48.0, 55.0, 64.0, 67.0]),
    (34.0, [46.0, 53.0, 62.0, 65.0]),
    (33.0, [45.0, 52.0, 60.0, 64.0]),
    (38.0, [50.0, 57.0, 62.0, 65.0]),
    (43.0, [55.0, 59.0, 62.0, 67.0]),
    (34.0, [46.0, 53.0, 58.0, 65.0]),
    (33.0, [45.0, 52.0, 57.0, 61.0]),
];

/// In which order the harp takes them; the last eighth of a bar is a breath.
const BROKEN: [usize; 7] = [0, 1, 2, 3, 2, 1, 2];

/// The flute: bar, eighth, how many eighths, pitch.
const SONG: [(u32, u32, u32, f32); 26] = [
    (0, 0, 3, 69.0),
    (0, 3, 1, 74.0),
    (0, 4, 2, 72.0),
    (0, 6, 2, 69.0),
    (1, 0, 4, 67.0),
    (1, 4, 2, 64.0),
    (1, 6, 2, 67.0),
    (2, 0, 3, 65.0),
    (2, 3, 1, 67.0),
    (2, 4, 2, 69.0),
    (2, 6, 2, 62.0),
    (3, 0, 6, 64.0),
    (4, 0, 3, 69.0),
    (4, 3, 1, 74.0),
    (4, 4, 2, 76.0),
    (4, 6, 2, 77.0),
    (5, 0, 4, 74.0),
    (5, 4, 2, 71.0),
    (5, 6, 2, 67.0),
    (6, 0, 2, 65.0),
    (6, 2, 2, 69.0),
    (6, 4, 3, 70.0),
    (6, 7, 1, 69.0),
    (7, 0, 2, 67.0),
    (7, 2, 2, 64.0),
    (7, 4, 3, 61.0),
];

/// The theme as notes.
pub fn score() -> Score {
    let song = SONG.iter().map(|(bar, eighth, count, pitch)| {
        note(FLUTE, bar * BAR_MS + eighth * EIGHTH_MS, count * EIGHTH_MS, *pitch, 0.9)
    });
    let notes = song.chain((0..).zip(GROUND).flat_map(|(bar, ground)| accompany(bar, ground))).collect();
    Score {
        length_ms: LENGTH_MS,
        loudness: 0.6,
        echo: Some(Echo { after_ms: EIGHTH_MS * 3 / 4, part: 0.22 }),
        notes,
    }
}

fn accompany(bar: u32, (bass, tones): (f32, [f32; 4])) -> Vec<MusicNote> {
    let begins = bar * BAR_MS;
    // The harp sounds on under its next note, but never over the end of the piece.
    let harp = (0..)
        .zip(BROKEN)
        .map(|(eighth, tone)| note(HARP, begins + eighth * EIGHTH_MS, EIGHTH_MS * 3 / 2, tones[tone], 0.55));
    let low = [
        note(BASS, begins, 4 * EIGHTH_MS, bass, 0.9),
        note(BASS, begins + 5 * EIGHTH_MS, 2 * EIGHTH_MS, bass + 12.0, 0.5),
    ];
    let leaves = [2, 6].map(|eighth| note(TAP, begins + eighth * EIGHTH_MS, 60, 104.0, 0.12));
    harp.chain(low).chain(leaves).collect()
}
