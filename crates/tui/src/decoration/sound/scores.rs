//! The effects as notes. All are in the theme's mode (D, with a darker A), so that none is out of tune with it.

use super::SoundEffect;
use super::score::{Echo, MusicNote, Score, note};
use super::voice::{BASS, BELL, BREATH, FLUTE, HARP, REED, SynthVoice, TAP};

const CAVE: Option<Echo> = Some(Echo { after_ms: 110, part: 0.28 });
const HALL: Option<Echo> = Some(Echo { after_ms: 170, part: 0.32 });

/// What is played for it.
pub fn of(effect: SoundEffect) -> Score {
    match effect {
        // A knock on wood with a tone in it.
        SoundEffect::Choose => {
            dry(110, 0.45, vec![note(BELL, 0, 100, 74.0, 1.0), note(TAP, 0, 50, 96.0, 0.5)])
        }
        SoundEffect::Take => in_room(360, 0.7, CAVE, run(BELL, 80, 200, &[69.0, 74.0])),
        // Leaves: no pitch at all.
        SoundEffect::Step => dry(
            120,
            0.4,
            vec![
                note(TAP, 0, 70, 92.0, 1.0),
                note(TAP, 40, 70, 98.0, 0.6),
                note(BASS, 0, 60, 45.0, 0.4).to(40.0),
            ],
        ),
        // Sinking.
        SoundEffect::Lost => in_room(
            1_200,
            0.8,
            HALL,
            vec![
                note(REED, 0, 380, 65.0, 0.8).to(63.5),
                note(REED, 300, 380, 61.0, 0.8).to(59.0),
                note(REED, 600, 500, 57.0, 0.9).to(50.0),
                note(BASS, 600, 500, 38.0, 0.9).to(33.0),
                note(BREATH, 500, 600, 86.0, 0.35),
            ],
        ),
        // A door of light: the theme's mode turned to its bright side.
        SoundEffect::Found => in_room(
            1_200,
            0.8,
            HALL,
            [
                run(HARP, 110, 420, &[62.0, 69.0, 74.0, 78.0]),
                vec![note(FLUTE, 330, 640, 81.0, 0.5), note(BASS, 0, 900, 50.0, 0.9)],
            ]
            .concat(),
        ),
        // Something comes up from below.
        SoundEffect::Summon => in_room(
            800,
            0.75,
            CAVE,
            vec![
                note(BASS, 0, 420, 33.0, 1.0).to(45.0),
                note(BREATH, 0, 420, 78.0, 0.3).to(100.0),
                note(REED, 300, 340, 57.0, 0.55),
                note(REED, 300, 340, 63.0, 0.45),
            ],
        ),
        // And goes again: a puff.
        SoundEffect::Dismiss => in_room(
            620,
            0.65,
            CAVE,
            vec![
                note(REED, 0, 260, 63.0, 0.5).to(54.0),
                note(BREATH, 90, 380, 102.0, 0.5).to(80.0),
                note(BASS, 0, 300, 45.0, 0.7).to(33.0),
            ],
        ),
        // Three tones that go up like the voice at the end of a question; twice would be a nag.
        SoundEffect::Ask => in_room(
            900,
            0.8,
            HALL,
            vec![
                note(BELL, 0, 300, 74.0, 0.8),
                note(BELL, 150, 300, 72.0, 0.7),
                note(BELL, 320, 450, 77.0, 1.0),
                note(FLUTE, 320, 450, 65.0, 0.35),
            ],
        ),
        SoundEffect::Pass => in_room(
            560,
            0.7,
            CAVE,
            [run(BELL, 75, 300, &[74.0, 78.0, 81.0]), vec![note(HARP, 0, 300, 62.0, 0.6)]].concat(),
        ),
        // Two low reeds that do not quite agree.
        SoundEffect::Refuse => dry(
            420,
            0.65,
            vec![
                note(REED, 0, 150, 53.0, 0.9),
                note(REED, 0, 150, 54.0, 0.35),
                note(REED, 170, 240, 50.0, 1.0),
                note(REED, 170, 240, 51.0, 0.35),
            ],
        ),
        // A yawn, and then a breath.
        SoundEffect::Sleep => in_room(
            1_100,
            0.6,
            HALL,
            vec![
                note(FLUTE, 0, 420, 69.0, 0.7).to(67.0),
                note(FLUTE, 380, 520, 65.0, 0.7).to(62.0),
                note(BREATH, 560, 460, 84.0, 0.3),
            ],
        ),
        // The theme's first words, come home.
        SoundEffect::Done => in_room(
            1_200,
            0.9,
            HALL,
            [
                run(HARP, 95, 380, &[69.0, 74.0, 76.0, 78.0]),
                vec![
                    note(BELL, 380, 700, 81.0, 0.7),
                    note(FLUTE, 380, 640, 74.0, 0.6),
                    note(BASS, 0, 360, 45.0, 0.8),
                    note(BASS, 380, 700, 50.0, 1.0),
                ],
            ]
            .concat(),
        ),
        // The same words, and they stay away from home.
        SoundEffect::End => in_room(
            1_200,
            0.75,
            HALL,
            vec![
                note(FLUTE, 0, 300, 69.0, 0.7),
                note(FLUTE, 260, 300, 67.0, 0.7),
                note(FLUTE, 520, 560, 64.0, 0.8),
                note(BASS, 0, 500, 45.0, 0.8),
                note(BASS, 520, 600, 40.0, 0.9),
            ],
        ),
    }
}

fn dry(length_ms: u32, loudness: f32, notes: Vec<MusicNote>) -> Score {
    Score { length_ms, loudness, echo: None, notes }
}

fn in_room(length_ms: u32, loudness: f32, echo: Option<Echo>, notes: Vec<MusicNote>) -> Score {
    Score { length_ms, loudness, echo, notes }
}

/// One after the other, each sounding on into the next.
fn run(voice: SynthVoice, every_ms: u32, length_ms: u32, pitches: &[f32]) -> Vec<MusicNote> {
    (0..).zip(pitches).map(|(count, pitch)| note(voice, count * every_ms, length_ms, *pitch, 0.8)).collect()
}
