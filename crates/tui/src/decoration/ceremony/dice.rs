//! Dice that always fall the same way: whatever grows by chance grows from a number.

/// Dice that were thrown from a seed.
#[derive(Debug, Clone)]
pub(super) struct Dice(u64);

impl Dice {
    /// Dice for this number, of this kind.
    pub fn new(seed: u64, kind: u64) -> Dice {
        Dice(stir(seed ^ stir(kind)))
    }

    /// A number below `sides`; 0 where there are none.
    pub fn below(&mut self, sides: usize) -> usize {
        self.0 = stir(self.0);
        let sides = u64::try_from(sides).unwrap_or(u64::MAX);
        usize::try_from((self.0 >> 16).checked_rem(sides).unwrap_or(0)).unwrap_or(0)
    }

    /// Whether something happens that does so often of a hundred times.
    pub fn often(&mut self, of_hundred: usize) -> bool {
        self.below(100) < of_hundred
    }
}

/// What a place rolls, by itself: a number below `sides`.
pub(super) fn at(x: i32, y: i32, sides: usize) -> usize {
    let place = u64::from(x.cast_unsigned()) << 32 | u64::from(y.cast_unsigned());
    Dice::new(place, 0).below(sides)
}

/// Spreads a number over all its bits.
fn stir(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
