//! Boosted trees over the features of blocks (`tidings.extractors.learned.trees`), and what an expert has learned.

use crate::words::Numbered;

/// Blocks that are judged together.
pub(super) const LANES: usize = 16;

pub(super) type Row = [f32; LANES];

/// Oblivious trees of one depth: the leaf of a tree is the number whose bits are the answers.
pub struct Trees {
    pub feature: Vec<u16>,
    pub border: Vec<f32>,
    pub leaf: Vec<f32>,
    pub depth: usize,
    pub bias: f32,
}

impl Trees {
    pub fn fits(&self, features: usize) -> bool {
        let trees = self.feature.len().checked_div(self.depth).unwrap_or(0);
        (1..=8).contains(&self.depth)
            && self.feature.len() == trees * self.depth
            && self.border.len() == self.feature.len()
            && self.leaf.len() == trees << self.depth
            && self.feature.iter().all(|&feature| usize::from(feature) < features)
    }

    /// The chance of each column of the rows.
    #[inline(always)]
    pub(super) fn chances(&self, rows: &[Row]) -> [f64; LANES] {
        let mut total = [0f32; LANES];
        let levels = self.feature.chunks_exact(self.depth).zip(self.border.chunks_exact(self.depth));
        for ((features, borders), leaves) in levels.zip(self.leaf.chunks_exact(1 << self.depth)) {
            let mut place = [0u32; LANES];
            // From the last answer to the first, which is the lowest bit.
            for (&feature, &border) in features.iter().zip(borders).rev() {
                let row = &rows[usize::from(feature)];
                for lane in 0..LANES {
                    place[lane] = place[lane] + place[lane] + u32::from(row[lane] > border);
                }
            }
            for lane in 0..LANES {
                total[lane] += leaves[place[lane] as usize];
            }
        }
        let mut chances = [0f64; LANES];
        for lane in 0..LANES {
            chances[lane] = chance(f64::from(total[lane] + self.bias));
        }
        chances
    }
}

/// A probability from the logarithm of odds, by additions and multiplications alone (`trees.chances`).
pub fn chance(log_odds: f64) -> f64 {
    1.0 / (1.0 + exponential(-log_odds.clamp(-30.0, 30.0)))
}

const LOG2_E: f64 = std::f64::consts::LOG2_E;
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

fn exponential(value: f64) -> f64 {
    let power = round_even(value * LOG2_E);
    let rest = (value - power * LN_2_HIGH) - power * LN_2_LOW;
    // 1/n!, from the last term of Taylor's series inwards.
    let mut sum = 0.0;
    for term in (0..14).rev() {
        sum = sum * rest + 1.0 / FACTORIALS[term];
    }
    sum * f64::from_bits(((1023 + power as i64) as u64) << 52)
}

const FACTORIALS: [f64; 14] = [
    1.0,
    1.0,
    2.0,
    6.0,
    24.0,
    120.0,
    720.0,
    5_040.0,
    40_320.0,
    362_880.0,
    3_628_800.0,
    39_916_800.0,
    479_001_600.0,
    6_227_020_800.0,
];

/// To the nearest whole number, halves to the even one.
fn round_even(value: f64) -> f64 {
    const LARGE: f64 = 6_755_399_441_055_744.0; // 1.5 × 2^52: adding it leaves no room for fractions
    (value + LARGE) - LARGE
}

/// What an expert has learned.
pub struct Expert {
    pub names: Numbered<f64>,
    pub cues: Numbered<f64>,
    pub first: Trees,
    pub second: Trees,
}

/// Weights by the numbers of words; of equal numbers the first counts.
pub fn weights(numbers: &[u64], weight: &[f64]) -> Numbered<f64> {
    let mut known = Numbered::with_room(numbers.len());
    for (&number, &weight) in numbers.iter().zip(weight) {
        if !known.contains(number) {
            *known.entry(number) = weight;
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_is_the_logistic_function() {
        assert_eq!(chance(0.0), 0.5);
        for step in -4000..=4000 {
            let odds = f64::from(step) / 100.0;
            let exact = 1.0 / (1.0 + (-odds.clamp(-30.0, 30.0)).exp());
            assert!((chance(odds) - exact).abs() <= 1e-14 * exact, "{odds}");
        }
    }

    #[test]
    fn chances_grow_with_the_odds_and_stay_between_none_and_one() {
        let chances: Vec<f64> = (-600..=600).map(|step| chance(f64::from(step) / 10.0)).collect();
        assert!(chances.windows(2).all(|pair| pair[0] <= pair[1]));
        assert!(chances.iter().all(|&one| one > 0.0 && one < 1.0));
        assert_eq!(chance(f64::INFINITY), chance(30.0));
        assert_eq!(chance(f64::NEG_INFINITY), chance(-30.0));
    }

    #[test]
    fn halves_are_rounded_to_the_even_number() {
        let samples = [(0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, 0.0), (-1.5, -2.0), (43.28, 43.0)];
        for (value, rounded) in samples {
            assert_eq!(round_even(value), rounded);
        }
    }

    #[test]
    fn of_equal_words_the_first_weight_counts() {
        let known = weights(&[7, 9, 7], &[1.0, 2.0, 3.0]);
        assert_eq!((known.get(7), known.get(9), known.get(8)), (Some(1.0), Some(2.0), None));
    }
}
