//! A small network that judges the blocks of a page together.

use super::trees::exponential;
use super::*;

const STEPS: [isize; 4] = [-2, -1, 1, 2];
/// Of the boxes around a block, which of them it is told of.
const TOLD_BOXES: [usize; 4] = [0, 1, 3, 5];
const CONTEXTS: usize = STEPS.len() + TOLD_BOXES.len() + PATHS.len() + 2;
const MOST_ATTENTION: f64 = 8.0;
/// Blocks of a page that it judges: a few have no surroundings to tell, and memory is bounded.
const LEAST: usize = 8;
const MOST: usize = 1 << 14;

struct Mixing {
    said: Vec<f32>,
    attention: Vec<f32>,
    heard: Vec<f32>,
    bias: Vec<f32>,
}

/// What was learned: each feature is how many of its borders it is above. Weights stand in rows, one for each input.
pub struct Network {
    border: Vec<f32>,
    bounds: Vec<usize>,
    first: Vec<f32>,
    bias: Vec<f32>,
    told: usize,
    layers: Vec<Mixing>,
    last: Vec<f32>,
    last_bias: f32,
}

/// The arrays of a network, those of its layers one behind the other; the bias of the last sum stands behind its weights.
pub struct NetworkArrays<'a> {
    pub border: &'a [f32],
    pub bounds: &'a [i64],
    pub first: &'a [f32],
    pub bias: &'a [f32],
    pub said: &'a [f32],
    pub attention: &'a [f32],
    pub heard: &'a [f32],
    pub biases: &'a [f32],
    pub last: &'a [f32],
}

impl Network {
    /// Nothing if they do not fit together, or are for another number of features.
    pub fn new(arrays: &NetworkArrays, features: usize) -> Option<Network> {
        let units = arrays.bias.len();
        let layers = arrays.biases.len().checked_div(units)?;
        let told = arrays.said.len().checked_div(layers * units).unwrap_or(0);
        let inputs = units + CONTEXTS * told;
        let rising = arrays.bounds.windows(2).all(|pair| pair[0] <= pair[1] && pair[1] - pair[0] < 1 << 20);
        let fits = arrays.bounds.len() == features + 1
            && rising
            && arrays.bounds[0] == 0
            && arrays.bounds[features] == arrays.border.len() as i64
            && arrays.first.len() == features * units
            && arrays.biases.len() == layers * units
            && arrays.said.len() == layers * units * told
            && arrays.attention.len() == layers * (units + 1)
            && arrays.heard.len() == layers * inputs * units
            && arrays.last.len() == units + 1;
        if !fits {
            return None;
        }
        let layers = (0..layers).map(|layer| Mixing {
            said: arrays.said[layer * units * told..][..units * told].to_vec(),
            attention: arrays.attention[layer * (units + 1)..][..units + 1].to_vec(),
            heard: arrays.heard[layer * inputs * units..][..inputs * units].to_vec(),
            bias: arrays.biases[layer * units..][..units].to_vec(),
        });
        Some(Network {
            border: arrays.border.to_vec(),
            bounds: arrays.bounds.iter().map(|&bound| bound as usize).collect(),
            first: arrays.first.to_vec(),
            bias: arrays.bias.to_vec(),
            told,
            layers: layers.collect(),
            last: arrays.last[..units].to_vec(),
            last_bias: arrays.last[units],
        })
    }

    fn units(&self) -> usize {
        self.bias.len()
    }

    /// What is made of the features of some blocks alone.
    #[inline(always)]
    pub(super) fn begin(&self, rows: &Part, units: &mut Vec<Row>) {
        let mut counts = [[0f32; LANES]; ROWS];
        for (feature, pair) in self.bounds.windows(2).enumerate() {
            let (row, mut above) = (&rows[feature], [0i32; LANES]);
            for &border in &self.border[pair[0]..pair[1]] {
                for lane in 0..LANES {
                    above[lane] += i32::from(row[lane] > border);
                }
            }
            for lane in 0..LANES {
                counts[feature][lane] = above[lane] as f32;
            }
        }
        let place = units.len();
        units.resize(place + self.units(), [0.0; LANES]);
        weighed(&self.first, &counts[..self.bounds.len() - 1], &self.bias, &mut units[place..]);
        for row in &mut units[place..] {
            positive(row);
        }
    }

    /// Whether it judges a page of so many blocks.
    pub(super) fn judges(&self, count: usize) -> bool {
        (LEAST..=MOST).contains(&count)
    }

    /// The logarithm of the odds of each block of a page, given what is made of their features alone.
    #[inline(always)]
    pub(super) fn log_odds(&self, seen: &Seen, mut units: Vec<Row>) -> Vec<f64> {
        let (count, size) = (seen.count(), self.units());
        let weight: Vec<f64> = seen.words.iter().map(|words| words.sqrt()).collect();
        let mut attention = vec![0f64; count];
        let mut told = vec![[0f32; LANES]; size + CONTEXTS * self.told];
        let mut heard = vec![[0f32; LANES]; size];
        let (mut said, silence) = (vec![0f32; count * self.told], vec![0.0; self.told]);
        for layer in &self.layers {
            for (part, own) in units.chunks_exact(size).enumerate() {
                let rows = &mut told[..self.told];
                weighed(&layer.said, own, &silence, rows);
                for row in rows.iter_mut() {
                    positive(row);
                }
                for (lane, at) in (part * LANES..((part + 1) * LANES).min(count)).enumerate() {
                    for (place, row) in rows.iter().enumerate() {
                        said[at * self.told + place] = row[lane];
                    }
                }
                let mut asked = [[0f32; LANES]];
                weighed(&layer.attention[..size], own, &layer.attention[size..], &mut asked);
                for (lane, at) in (part * LANES..((part + 1) * LANES).min(count)).enumerate() {
                    let asked = f64::from(asked[0][lane]).clamp(-MOST_ATTENTION, MOST_ATTENTION);
                    attention[at] = exponential(asked) * weight[at];
                }
            }
            let around = Around::new(seen, [&weight, &attention], &said, self.told);
            for (part, own) in units.chunks_exact_mut(size).enumerate() {
                told[..size].copy_from_slice(own);
                for (lane, at) in (part * LANES..((part + 1) * LANES).min(count)).enumerate() {
                    around.tell(at, |place, value| told[size + place][lane] = value);
                }
                weighed(&layer.heard, &told, &layer.bias, &mut heard);
                for (own, heard) in own.iter_mut().zip(&mut heard) {
                    positive(heard);
                    for lane in 0..LANES {
                        own[lane] += heard[lane];
                    }
                }
            }
        }
        let mut found = Vec::with_capacity(count + LANES);
        for own in units.chunks_exact(size) {
            let mut sums = [[0f32; LANES]];
            weighed(&self.last, own, &[self.last_bias], &mut sums);
            found.extend(sums[0].iter().map(|&sum| f64::from(sum)));
        }
        found.truncate(count);
        found
    }
}

#[inline(always)]
fn positive(row: &mut Row) {
    for value in row {
        *value = if *value > 0.0 { *value } else { 0.0 };
    }
}

/// The sums of weighed rows, one for each column of the weights; one term after the other.
#[inline(always)]
fn weighed(weights: &[f32], rows: &[Row], bias: &[f32], sums: &mut [Row]) {
    let (width, mut next) = (bias.len(), 0);
    while next + 4 <= width {
        some_weighed::<4>(weights, rows, bias, next, sums);
        next += 4;
    }
    while next < width {
        some_weighed::<1>(weights, rows, bias, next, sums);
        next += 1;
    }
}

/// Some of them at the same time: so many chains of additions do not wait for each other.
#[inline(always)]
fn some_weighed<const N: usize>(weights: &[f32], rows: &[Row], bias: &[f32], next: usize, sums: &mut [Row]) {
    let mut some = [[0f32; LANES]; N];
    for (sum, &bias) in some.iter_mut().zip(&bias[next..]) {
        *sum = [bias; LANES];
    }
    for (row, weights) in rows.iter().zip(weights.chunks_exact(bias.len())) {
        let weights = &weights[next..next + N];
        for (sum, &weight) in some.iter_mut().zip(weights) {
            for lane in 0..LANES {
                sum[lane] += weight * row[lane];
            }
        }
    }
    sums[next..next + N].copy_from_slice(&some);
}

/// What the blocks of a page are told: means of what those around them say, by the roots of their words.
struct Around<'a> {
    seen: &'a Seen<'a>,
    said: &'a [f32],
    told: usize,
    /// By box, by group of each sort of path, and of the page.
    boxes: Vec<f32>,
    paths: Vec<Vec<f32>>,
    page: Vec<f32>,
    attended: Vec<f32>,
}

impl<'a> Around<'a> {
    fn new(seen: &'a Seen, [weight, attention]: [&[f64]; 2], said: &'a [f32], told: usize) -> Self {
        let count = seen.count();
        // Sums up to each block, and their weights behind them.
        let width = told + 1;
        let mut sums = vec![0f64; (count + 1) * width];
        for at in 0..count {
            let (before, behind) = sums.split_at_mut((at + 1) * width);
            let before = &before[at * width..];
            for place in 0..told {
                behind[place] = before[place] + f64::from(said[at * told + place]) * weight[at];
            }
            behind[told] = before[told] + weight[at];
        }
        let mean = |low: usize, high: usize, means: &mut Vec<f32>| {
            let (low, high) = (&sums[low * width..][..width], &sums[high * width..][..width]);
            let weight = high[told] - low[told];
            means.extend((0..told).map(|place| ((high[place] - low[place]) / weight) as f32));
        };
        let (mut boxes, mut page) = (Vec::with_capacity(seen.layout.len() * told), Vec::with_capacity(told));
        seen.layout.iter().for_each(|one| mean(one.low, one.high, &mut boxes));
        mean(0, count, &mut page);
        let paths = seen.groups.iter().map(|group| {
            let mut sums = vec![0f64; group.words.len() * width];
            for (at, &place) in group.of_block.iter().enumerate() {
                let sums = &mut sums[place as usize * width..][..width];
                for (sum, &said) in sums.iter_mut().zip(&said[at * told..][..told]) {
                    *sum += f64::from(said) * weight[at];
                }
                sums[told] += weight[at];
            }
            sums.chunks_exact(width)
                .flat_map(|sums| (0..told).map(move |one| (sums[one] / sums[told]) as f32))
                .collect()
        });
        let paths = paths.collect();
        let (mut sums, mut total) = (vec![0f64; told], 0.0);
        for (said, &attention) in said.chunks_exact(told.max(1)).zip(attention) {
            for (sum, &said) in sums.iter_mut().zip(said) {
                *sum += f64::from(said) * attention;
            }
            total += attention;
        }
        let attended = sums.iter().map(|sum| (sum / total) as f32).collect();
        Around { seen, said, told, boxes, paths, page, attended }
    }

    #[inline(always)]
    fn tell(&self, at: usize, mut put: impl FnMut(usize, f32)) {
        let (told, count) = (self.told, self.seen.count());
        let mut next = 0;
        let mut all = |values: Option<&[f32]>| {
            for place in 0..told {
                put(next + place, values.map_or(0.0, |values| values[place]));
            }
            next += told;
        };
        for step in STEPS {
            let other = at as isize + step;
            let is_there = other >= 0 && (other as usize) < count;
            all(is_there.then(|| &self.said[other as usize * told..][..told]));
        }
        for level in TOLD_BOXES {
            all(Some(&self.boxes[self.seen.box_places[at][level] as usize * told..][..told]));
        }
        for (group, means) in self.seen.groups.iter().zip(&self.paths) {
            all(Some(&means[group.of_block[at] as usize * told..][..told]));
        }
        all(Some(&self.page));
        all(Some(&self.attended));
    }
}
