//! What holds for everything that can be heard.

use std::collections::BTreeSet;

use super::*;

/// The samples of a WAV file, having read it as a player would.
fn read(file: &[u8]) -> Vec<i16> {
    let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let short = |at: usize| u16::from_le_bytes(file[at..at + 2].try_into().unwrap());
    assert_eq!((&file[0..4], &file[8..16]), (&b"RIFF"[..], &b"WAVEfmt "[..]));
    assert_eq!(number(4) as usize, file.len() - 8);
    assert_eq!((number(16), short(20), short(22)), (16, 1, 1), "plain numbers, one channel");
    assert_eq!((number(24), number(28), short(32), short(34)), (22_050, 44_100, 2, 16));
    assert_eq!((&file[36..40], number(40) as usize), (&b"data"[..], file.len() - 44));
    file[44..].chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
}

fn tunes() -> impl Iterator<Item = Tune> {
    SoundEffect::ALL.map(Tune::Effect).into_iter().chain([Tune::Theme])
}

fn everything() -> Vec<(&'static str, u32, Vec<i16>)> {
    tunes().map(|tune| (tune.name(), tune.length_ms(), read(&tune.wave()))).collect()
}

#[test]
fn every_sound_is_a_wave_of_its_length() {
    for (name, length_ms, samples) in everything() {
        assert_eq!(samples.len(), length_ms as usize * 22_050 / 1000, "{name}");
        let allowed = if name == "theme" { 16_000..=24_000 } else { 100..=1_200 };
        assert!(allowed.contains(&length_ms), "{name}: {length_ms}");
    }
}

#[test]
fn nothing_is_loud_and_nothing_is_silent() {
    // Nine decibels below the loudest that the format can say.
    let most = f32::from(i16::MAX) * 0.355;
    for (name, _, samples) in everything() {
        let peak = samples.iter().map(|sample| f32::from(sample.unsigned_abs() as i16)).fold(0.0, f32::max);
        assert!((1_500.0..most).contains(&peak), "{name}: {peak}");
    }
}

#[test]
fn nothing_clicks() {
    for (name, _, samples) in everything() {
        assert_eq!((samples[0], samples[samples.len() - 1]), (0, 0), "{name}");
        for edge in [&samples[..22], &samples[samples.len() - 22..]] {
            assert!(edge.iter().all(|sample| sample.abs() < 600), "{name}: {edge:?}");
        }
        let jump = samples.windows(2).map(|pair| (pair[1] - pair[0]).abs()).max().unwrap();
        assert!(jump < 2_600, "{name}: {jump}");
    }
}

#[test]
fn nothing_pushes_the_membrane_to_one_side() {
    for (name, _, samples) in everything() {
        let sum: i64 = samples.iter().map(|sample| i64::from(*sample)).sum();
        let mean = sum as f64 / samples.len() as f64;
        assert!(mean.abs() < 120.0, "{name}: {mean}");
    }
}

#[test]
fn no_two_sounds_are_alike() {
    let waves: BTreeSet<Vec<i16>> = everything().into_iter().map(|(_, _, samples)| samples).collect();
    assert_eq!(waves.len(), SoundEffect::ALL.len() + 1);
    let names: BTreeSet<&str> = SoundEffect::ALL.into_iter().map(SoundEffect::name).collect();
    assert_eq!(names.len(), SoundEffect::ALL.len());
}

#[test]
fn a_sound_is_the_same_whenever_it_is_made() {
    assert!(tunes().all(|tune| tune.wave() == tune.wave()));
}

#[test]
fn the_theme_begins_again_without_a_seam() {
    let samples = read(&Tune::Theme.wave());
    let twice = [&samples[samples.len() - 44..], &samples[..44]].concat();
    let jump = twice.windows(2).map(|pair| (pair[1] - pair[0]).abs()).max().unwrap();
    assert!(jump < 300, "{jump}");
    // What dies away is quiet by then: nothing is cut off in the middle.
    let strength = |piece: &[i16]| {
        let sum: f64 = piece.iter().map(|sample| f64::from(*sample).powi(2)).sum();
        (sum / piece.len() as f64).sqrt()
    };
    let (last, whole) = (strength(&samples[samples.len() - 2_205..]), strength(&samples));
    assert!(last < whole / 3.0, "{last} of {whole}");
}

#[test]
fn every_note_lies_within_its_piece_and_within_hearing() {
    let scores = SoundEffect::ALL.map(scores::of).into_iter().chain([theme::score()]);
    for score in scores {
        for note in &score.notes {
            assert!(note.at_ms + note.length_ms <= score.length_ms, "{note:?}");
            assert!((30.0..=105.0).contains(&note.pitch) && (30.0..=105.0).contains(&note.pitch_end));
        }
    }
}

#[test]
fn a_score_of_nothing_is_silence() {
    let score = Score { length_ms: 100, loudness: 1.0, echo: None, notes: Vec::new() };
    assert!(read(&bytes(&score)).iter().all(|sample| *sample == 0));
    let score = Score { length_ms: 0, loudness: 1.0, echo: None, notes: Vec::new() };
    assert_eq!(read(&bytes(&score)), [0_i16; 0]);
}
