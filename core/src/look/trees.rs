//! Evaluates boosted trees over the features of blocks.

use super::network::Network;
use crate::words::KnownWords;

/// Blocks that are judged together.
pub(super) const LANES: usize = 16;

pub(super) type Row = [f32; LANES];

/// Features of such blocks: as many rows as a byte can tell apart.
pub(super) const ROWS: usize = 1 << u8::BITS;
pub(super) type Part = [Row; ROWS];

/// The depth of the trees that are shipped, and how many leaves they have.
const DEPTH: usize = 6;
const LEAVES: usize = 1 << DEPTH;
const TOGETHER: usize = 8;

/// Oblivious trees of one depth: the leaf of a tree is the number whose bits are the answers.
pub struct Trees {
    feature: Vec<u8>,
    border: Vec<f32>,
    leaf: Vec<f32>,
    depth: usize,
    bias: f32,
    /// The same trees, where they have the depth of those that are shipped; the last with some that say nothing.
    bunches: Vec<Bunch>,
}

/// Some trees whose leaves are found before their values are added up: to find them is vector code, to add them up is not.
#[derive(Clone)]
struct Bunch {
    feature: [[u8; DEPTH]; TOGETHER],
    border: [[f32; DEPTH]; TOGETHER],
    leaf: [[f32; LEAVES]; TOGETHER],
}

impl Trees {
    /// Nothing if they do not fit together, or ask for more than so many features.
    pub fn new(
        feature: &[u16],
        border: &[f32],
        leaf: &[f32],
        depth: usize,
        bias: f32,
        features: usize,
    ) -> Option<Trees> {
        let trees = feature.len().checked_div(depth).unwrap_or(0);
        let fits = (1..=8).contains(&depth)
            && feature.len() == trees * depth
            && border.len() == feature.len()
            && leaf.len() == trees << depth
            && feature.iter().all(|&feature| usize::from(feature) < features.min(ROWS));
        if !fits {
            return None;
        }
        let feature = feature.iter().map(|&feature| feature as u8).collect();
        let mut made =
            Trees { feature, border: border.to_vec(), leaf: leaf.to_vec(), depth, bias, bunches: Vec::new() };
        if depth == DEPTH {
            made.bunches = made.bunches();
        }
        Some(made)
    }

    fn bunches(&self) -> Vec<Bunch> {
        let nothing = Bunch {
            feature: [[0; DEPTH]; TOGETHER],
            border: [[0.0; DEPTH]; TOGETHER],
            leaf: [[0.0; LEAVES]; TOGETHER],
        };
        let trees = self.border.len() / DEPTH;
        let mut bunches = vec![nothing; (trees + TOGETHER - 1) / TOGETHER];
        for tree in 0..trees {
            let (bunch, place) = (&mut bunches[tree / TOGETHER], tree % TOGETHER);
            bunch.feature[place].copy_from_slice(&self.feature[tree * DEPTH..][..DEPTH]);
            bunch.border[place].copy_from_slice(&self.border[tree * DEPTH..][..DEPTH]);
            bunch.leaf[place].copy_from_slice(&self.leaf[tree * LEAVES..][..LEAVES]);
        }
        bunches
    }

    /// The logarithm of the odds of each column of the rows.
    #[inline(always)]
    pub(super) fn log_odds(&self, rows: &Part) -> [f64; LANES] {
        let total = if self.depth == DEPTH { self.sums(rows) } else { self.sums_at_any_depth(rows) };
        total.map(|sum| f64::from(sum + self.bias))
    }

    /// The sums of the leaves, for the depth of the trees that are shipped.
    #[inline(always)]
    fn sums(&self, rows: &Part) -> Row {
        let mut total = [0f32; LANES];
        let mut places = [[0u32; LANES]; TOGETHER];
        for Bunch { feature, border, leaf } in &self.bunches {
            for tree in 0..TOGETHER {
                places[tree] = found(&feature[tree], &border[tree], rows);
            }
            for lane in 0..LANES {
                let mut sum = total[lane];
                for tree in 0..TOGETHER {
                    sum += leaf[tree][places[tree][lane] as usize % LEAVES];
                }
                total[lane] = sum;
            }
        }
        total
    }

    fn sums_at_any_depth(&self, rows: &Part) -> Row {
        let mut total = [0f32; LANES];
        let levels = self.feature.chunks_exact(self.depth).zip(self.border.chunks_exact(self.depth));
        for ((features, borders), leaves) in levels.zip(self.leaf.chunks_exact(1 << self.depth)) {
            for (total, place) in total.iter_mut().zip(found(features, borders, rows)) {
                *total += leaves[place as usize];
            }
        }
        total
    }
}

/// The leaf of a tree for each column.
#[inline(always)]
fn found(features: &[u8], borders: &[f32], rows: &Part) -> [u32; LANES] {
    let mut place = [0u32; LANES];
    // From the last answer to the first, which is the lowest bit.
    for (&feature, &border) in features.iter().zip(borders).rev() {
        let row = &rows[usize::from(feature)];
        for lane in 0..LANES {
            place[lane] = place[lane] + place[lane] + u32::from(row[lane] > border);
        }
    }
    place
}

/// A probability from the logarithm of odds.
pub fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + exponential(-log_odds.clamp(-30.0, 30.0)))
}

const LOG2_E: f64 = std::f64::consts::LOG2_E;
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// By additions and multiplications alone: the same on every machine.
pub(super) fn exponential(value: f64) -> f64 {
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

/// A trained block classifier: weights of class names and cue words, trees, and networks beside the trees.
pub struct Expert {
    pub names: KnownWords<f64>,
    pub cues: KnownWords<f64>,
    pub trees: Trees,
    pub networks: Vec<Network>,
}

impl Expert {
    /// Return the networks that classify a page with this number of visible blocks: all, or none if the page is tiny or huge.
    pub(super) fn networks_for(&self, count: usize) -> &[Network] {
        if Network::can_judge(count) {
            &self.networks
        } else {
            &[]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_is_the_logistic_function() {
        assert_eq!(probability(0.0), 0.5);
        for step in -4000..=4000 {
            let odds = f64::from(step) / 100.0;
            let exact = 1.0 / (1.0 + (-odds.clamp(-30.0, 30.0)).exp());
            assert!((probability(odds) - exact).abs() <= 1e-14 * exact, "{odds}");
        }
    }

    #[test]
    fn chances_grow_with_the_odds_and_stay_between_none_and_one() {
        let chances: Vec<f64> = (-600..=600).map(|step| probability(f64::from(step) / 10.0)).collect();
        assert!(chances.windows(2).all(|pair| pair[0] <= pair[1]));
        assert!(chances.iter().all(|&one| one > 0.0 && one < 1.0));
        assert_eq!(probability(f64::INFINITY), probability(30.0));
        assert_eq!(probability(f64::NEG_INFINITY), probability(-30.0));
    }

    #[test]
    fn halves_are_rounded_to_the_even_number() {
        let samples = [(0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, 0.0), (-1.5, -2.0), (43.28, 43.0)];
        for (value, rounded) in samples {
            assert_eq!(round_even(value), rounded);
        }
    }

    #[test]
    fn trees_of_the_shipped_depth_are_added_up_like_all_others() {
        let mut rows = [[0.0; LANES]; ROWS];
        let mut seed = 1u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / 1e6
        };
        rows.iter_mut().flatten().for_each(|value| *value = random());
        for count in [0, 1, TOGETHER - 1, TOGETHER, 3 * TOGETHER + 5] {
            let feature: Vec<u16> = (0..count * DEPTH).map(|_| random() as u16 * 14).collect();
            let border: Vec<f32> = (0..count * DEPTH).map(|_| random()).collect();
            let leaf: Vec<f32> = (0..count * LEAVES).map(|_| random() - 8.0).collect();
            let trees = Trees::new(&feature, &border, &leaf, DEPTH, 0.0, ROWS).expect("trees");
            assert_eq!(trees.sums(&rows), trees.sums_at_any_depth(&rows));
        }
    }

    #[test]
    fn trees_that_do_not_fit_together_are_refused() {
        let made = |feature: &[u16], border: &[f32], leaf: &[f32], depth| {
            Trees::new(feature, border, leaf, depth, 0.0, 9).is_some()
        };
        assert!(made(&[8], &[0.0], &[0.0; 2], 1));
        assert!(!made(&[9], &[0.0], &[0.0; 2], 1));
        assert!(!made(&[8], &[0.0; 2], &[0.0; 2], 1));
        assert!(!made(&[8], &[0.0], &[0.0], 1));
        assert!(!made(&[8], &[0.0], &[0.0; 2], 0));
        assert!(!made(&[8; 9], &[0.0; 9], &[0.0; 512], 9));
    }
}
