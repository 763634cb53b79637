//! How long to wait before the next try.

use std::time::Duration;

/// The pause after so many failures in a row: twice as long each time up to `max`, and by the dice between half of it and
/// all of it, so that many who failed together do not come back together.
pub fn pause(first: Duration, max: Duration, failures: u32, dice: u64) -> Duration {
    let doubled = first.saturating_mul(1 << failures.saturating_sub(1).min(20)).min(max);
    let half = doubled / 2;
    let spread = u64::try_from(half.as_millis()).unwrap_or(u64::MAX).max(1);
    half + Duration::from_millis(dice % spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_doubles_up_to_its_bound_and_falls_within_half_of_it() {
        let (first, max) = (Duration::from_millis(500), Duration::from_secs(60));
        for (failures, whole_ms) in
            [(0, 500), (1, 500), (2, 1_000), (5, 8_000), (8, 60_000), (u32::MAX, 60_000)]
        {
            for dice in [0, 1, 777, u64::MAX] {
                let pause = pause(first, max, failures, dice).as_millis();
                assert!((whole_ms / 2..=whole_ms).contains(&pause), "{failures} {dice}: {pause}");
            }
        }
        assert_ne!(pause(first, max, 3, 1), pause(first, max, 3, 700));
    }
}
