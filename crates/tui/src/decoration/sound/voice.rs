//! Who plays: three old shapes of wave, each made soft by a filter and shaped by attack and decay. A voice begins and ends
//! every note in silence.

use super::limits::SAMPLES_PER_SECOND;
use super::score::MusicNote;

/// A kind of wave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// On for a part of the time, off for the rest: reeds and old machines.
    Pulse(f32),
    /// Up and down in straight lines: flutes and basses.
    Triangle,
    /// Wind, leaves, a foot on the ground. Its pitch says how bright it is.
    Noise,
}

/// One who plays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SynthVoice {
    pub shape: Shape,
    /// How long a note takes to be there.
    pub attack_ms: f32,
    /// How long it takes to fall to half of what it was; 0 if it does not fall.
    pub half_ms: f32,
    /// How long before its end it begins to go.
    pub release_ms: f32,
    /// What lies above this is taken away, gently: in Hz.
    pub mellow_hz: f32,
    /// How far the pitch sways once a note stands, in half tones.
    pub sway: f32,
}

/// A small bell.
pub const BELL: SynthVoice = SynthVoice {
    shape: Shape::Triangle,
    attack_ms: 3.0,
    half_ms: 90.0,
    release_ms: 40.0,
    mellow_hz: 5_000.0,
    sway: 0.0,
};
/// A flute by night.
pub const FLUTE: SynthVoice = SynthVoice {
    shape: Shape::Triangle,
    attack_ms: 45.0,
    half_ms: 900.0,
    release_ms: 110.0,
    mellow_hz: 3_200.0,
    sway: 0.12,
};
/// A plucked string.
pub const HARP: SynthVoice = SynthVoice {
    shape: Shape::Pulse(0.25),
    attack_ms: 4.0,
    half_ms: 120.0,
    release_ms: 60.0,
    mellow_hz: 1_400.0,
    sway: 0.0,
};
/// A low string.
pub const BASS: SynthVoice = SynthVoice {
    shape: Shape::Triangle,
    attack_ms: 8.0,
    half_ms: 420.0,
    release_ms: 90.0,
    mellow_hz: 1_200.0,
    sway: 0.0,
};
/// A reed, a little hoarse.
pub const REED: SynthVoice = SynthVoice {
    shape: Shape::Pulse(0.38),
    attack_ms: 14.0,
    half_ms: 260.0,
    release_ms: 60.0,
    mellow_hz: 1_100.0,
    sway: 0.1,
};
pub const BREATH: SynthVoice = SynthVoice {
    shape: Shape::Noise,
    attack_ms: 30.0,
    half_ms: 120.0,
    release_ms: 60.0,
    mellow_hz: 1_800.0,
    sway: 0.0,
};
/// A tap on leaves.
pub const TAP: SynthVoice = SynthVoice {
    shape: Shape::Noise,
    attack_ms: 3.0,
    half_ms: 18.0,
    release_ms: 20.0,
    mellow_hz: 1_300.0,
    sway: 0.0,
};

/// How often a swaying pitch comes back, in Hz.
const SWAY_HZ: f32 = 4.6;
/// How long a note stands before it sways.
const SWAY_AFTER_MS: f32 = 220.0;
/// Noise is the same noise whenever the piece is made.
const NOISE_SEED: u32 = 0x9E37_79B9;

/// Adds a note to what is heard already; whatever lies beyond the end is lost.
pub fn play(note: &MusicNote, into: &mut [f32]) {
    let rate = SAMPLES_PER_SECOND as f32;
    let per_ms = rate / 1000.0;
    let length = samples(note.length_ms);
    let voice = &note.voice;
    let attack = (voice.attack_ms * per_ms).max(1.0);
    let release = (voice.release_ms * per_ms).max(1.0);
    let fall = if voice.half_ms > 0.0 { 0.5_f32.powf(1.0 / (voice.half_ms * per_ms)) } else { 1.0 };
    let omega = std::f32::consts::TAU * voice.mellow_hz / rate;
    let taken = omega / (1.0 + omega);
    let mut wave = Wave { shape: voice.shape, phase: 0.0, dice: NOISE_SEED ^ note.at_ms, held: 0.0 };
    let (mut held, mut soft, mut softer) = (1.0, 0.0, 0.0);
    for (count, sample) in into.iter_mut().skip(samples(note.at_ms)).take(length).enumerate() {
        let (done, left) = (count as f32, (length - count) as f32);
        let slid = note.pitch + (note.pitch_end - note.pitch) * done / length as f32;
        let step = hertz(slid + swayed(voice, done / per_ms)) / rate;
        soft += taken * (wave.next(step) - soft);
        softer += taken * (soft - softer);
        let gate = (done / attack).min(left / release).min(1.0);
        *sample += softer * gate * held * note.level;
        if done >= attack {
            held *= fall;
        }
    }
}

/// So many milliseconds, in samples.
pub fn samples(ms: u32) -> usize {
    (u64::from(ms) * u64::from(SAMPLES_PER_SECOND) / 1000) as usize
}

fn hertz(pitch: f32) -> f32 {
    440.0 * ((pitch - 69.0) / 12.0).exp2()
}

fn swayed(voice: &SynthVoice, at_ms: f32) -> f32 {
    if voice.sway <= 0.0 || at_ms <= SWAY_AFTER_MS {
        return 0.0;
    }
    let turn = ((at_ms - SWAY_AFTER_MS) / 1000.0 * SWAY_HZ + 0.25).fract();
    voice.sway * (1.0 - 4.0 * (turn - 0.5).abs())
}

/// A wave on its way.
struct Wave {
    shape: Shape,
    /// How far the present turn has come, of 1.
    phase: f32,
    dice: u32,
    /// What noise says until it is thrown again.
    held: f32,
}

impl Wave {
    fn next(&mut self, step: f32) -> f32 {
        let phase = self.phase;
        self.phase += step;
        let turned = self.phase >= 1.0;
        self.phase = self.phase.fract();
        match self.shape {
            // It begins at nothing and rises.
            Shape::Triangle => 1.0 - 4.0 * ((phase + 0.25).fract() - 0.5).abs(),
            Shape::Pulse(part) => {
                let raw = if phase < part { 1.0 } else { -1.0 };
                let away = (phase - part + 1.0).fract();
                // Without what would push the membrane to one side for the whole note.
                raw + rounded(phase, step) - rounded(away, step) - (2.0 * part - 1.0)
            }
            Shape::Noise => {
                if turned {
                    self.held = self.throw();
                }
                self.held
            }
        }
    }

    fn throw(&mut self) -> f32 {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 17;
        self.dice ^= self.dice << 5;
        (self.dice >> 8) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// Rounds the edge of a pulse over two samples: a sharp one rings at pitches that the score does not have.
fn rounded(phase: f32, step: f32) -> f32 {
    if phase < step {
        let near = phase / step;
        near + near - near * near - 1.0
    } else if phase > 1.0 - step {
        let near = (phase - 1.0) / step;
        near * near + near + near + 1.0
    } else {
        0.0
    }
}
