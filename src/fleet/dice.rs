//! Chance that can be had again: the same seed throws the same numbers.

/// `SplitMix64`.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The dice of one of many that share a seed.
    #[must_use]
    pub fn new(seed: u64, which: u64) -> Self {
        let mut dice = Self(seed ^ which.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        dice.throw();
        dice
    }

    fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to below this; 0 when that is 0.
    pub fn below(&mut self, end: u32) -> u32 {
        let number = self.throw().checked_rem(u64::from(end)).unwrap_or_default();
        u32::try_from(number).unwrap_or_default()
    }

    /// From 0 to below this, as a count.
    pub fn count(&mut self, end: u32) -> i64 {
        i64::from(self.below(end))
    }

    /// Whether what happens once in so many times happens now.
    pub fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_says_what_is_thrown() {
        let throws = |seed, which| {
            let mut dice = Dice::new(seed, which);
            (0..20).map(|_| dice.below(6)).collect::<Vec<_>>()
        };
        assert_eq!(throws(1, 2), throws(1, 2));
        assert_ne!(throws(1, 2), throws(1, 3));
        assert_ne!(throws(1, 2), throws(2, 2));
        assert!(throws(7, 7).iter().all(|&number| number < 6));
        assert_eq!(Dice::new(1, 1).below(0), 0);
    }
}
