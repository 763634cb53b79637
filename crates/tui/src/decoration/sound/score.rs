//! What is written down of a sound: notes with their times, and the voice that plays each. Times are milliseconds, pitches
//! are half tones (69 is the A of 440 Hz).

use super::voice::SynthVoice;

/// A whole piece.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// How long it is; whatever sounds on is cut off there, softly.
    pub length_ms: u32,
    /// How loud its loudest moment is, of what is allowed at all.
    pub loudness: f32,
    /// The walls answer.
    pub echo: Option<Echo>,
    /// What is played.
    pub notes: Vec<MusicNote>,
}

/// What comes back of a sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Echo {
    /// After how long.
    pub after_ms: u32,
    /// How much of it; again and again.
    pub part: f32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MusicNote {
    /// When it begins.
    pub at_ms: u32,
    /// How long it is held.
    pub length_ms: u32,
    /// Where it begins.
    pub pitch: f32,
    /// Where it ends: elsewhere, if it slides.
    pub pitch_end: f32,
    /// How loud it is beside the others.
    pub level: f32,
    /// Who plays it.
    pub voice: SynthVoice,
}

/// A note that stays where it is.
pub fn note(voice: SynthVoice, at_ms: u32, length_ms: u32, pitch: f32, level: f32) -> MusicNote {
    MusicNote { at_ms, length_ms, pitch, pitch_end: pitch, level, voice }
}

impl MusicNote {
    /// The same, sliding to another pitch.
    pub fn to(mut self, pitch_end: f32) -> MusicNote {
        self.pitch_end = pitch_end;
        self
    }
}
