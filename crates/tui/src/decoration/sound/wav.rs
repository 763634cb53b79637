//! Samples as a WAV file: the plainest kind there is, so that every player takes it.

use super::limits::SAMPLES_PER_SECOND;

const BYTES_PER_SAMPLE: u32 = 2;

/// One channel of 16 bits.
pub fn bytes(samples: &[i16]) -> Vec<u8> {
    let data = u32::try_from(samples.len()).unwrap_or(u32::MAX).saturating_mul(BYTES_PER_SAMPLE);
    let mut file = Vec::with_capacity(44 + samples.len() * 2);
    file.extend(b"RIFF");
    file.extend(data.saturating_add(36).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16_u32.to_le_bytes());
    // Plain numbers, one channel.
    file.extend(1_u16.to_le_bytes());
    file.extend(1_u16.to_le_bytes());
    file.extend(SAMPLES_PER_SECOND.to_le_bytes());
    file.extend((SAMPLES_PER_SECOND * BYTES_PER_SAMPLE).to_le_bytes());
    file.extend(2_u16.to_le_bytes());
    file.extend(16_u16.to_le_bytes());
    file.extend(b"data");
    file.extend(data.to_le_bytes());
    file.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    file
}
